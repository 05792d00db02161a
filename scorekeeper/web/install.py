"""The app on a phone's home screen: its manifest, its service worker, and the page shown without a network."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from babel import Locale
from flask import Blueprint, Response, current_app, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, ngettext
from flask_babel import gettext as _

from scorekeeper.web.languages import per_language

pages = Blueprint("install", __name__)

ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable-512.png", 512, "maskable"))
MOST_COUNTED = 200  # up to here, every plural form of every language occurs


@pages.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """What the app is called on the home screen, and how it looks there."""
    response = jsonify(
        {
            "id": "/",
            "name": _("Scorekeeper"),
            "short_name": _("Scorekeeper"),
            "description": _("The score sheet for Oh Hell"),
            "start_url": "/",
            "display": "standalone",
            "theme_color": "#00664f",
            "background_color": "#eef1ef",
            "icons": [
                {
                    "src": url_for("static", filename=name),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, size, purpose in ICONS
            ],
        }
    )
    response.mimetype = "application/manifest+json"
    return response


@pages.get("/sw.js")
def service_worker() -> ResponseReturnValue:
    """The service worker, at the top so that it has every page in its scope; it changes with every file of ours."""
    folder = Path(str(current_app.static_folder))
    names = sorted(path.name for kind in ("*.js", "*.css", "*.svg") for path in folder.glob(kind) if path.stem != "sw")
    files = [url_for("static", filename=name) for name in names]
    # Modules import each other by their bare names.
    files += [f"{current_app.static_url_path}/{name}" for name in names if name.endswith(".js")]
    worker = (folder / "sw.js").read_text("utf-8")
    release = hashlib.sha256(f"{files}{worker}{render_template('offline.html')}".encode()).hexdigest()[:10]
    head = f"const CACHE = {json.dumps(f'scorekeeper {release}')};\nconst FILES = {json.dumps(files)};\n"
    return Response(head + worker, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@pages.get("/offline")
def offline() -> ResponseReturnValue:
    """What the service worker shows for a page that the phone has not kept."""
    return render_template("offline.html")


@pages.app_template_global()
@per_language
def waiting_words() -> dict[str, dict[str, str]]:
    """What is said of entries that wait, by plural form: the script knows the number, the server the language."""
    plural: Callable[[int], str] = (get_locale() or Locale("en")).plural_form
    numbers = {plural(number): number for number in range(MOST_COUNTED, -1, -1)}
    return {
        "late": {
            form: ngettext("{n} entry waits for the network", "{n} entries wait for the network", number)
            for form, number in numbers.items()
        },
        "stopped": {
            form: ngettext("{n} entry is on this phone only", "{n} entries are on this phone only", number)
            for form, number in numbers.items()
        },
    }
