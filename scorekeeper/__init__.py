"""Scorekeeper: the score sheet of Oh Hell, on the phones of everyone at the table."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

PACKAGE = Path(__file__).parent
# A checkout has templates/ and static/ at its top; an installed package carries them inside.
ASSETS = PACKAGE if (PACKAGE / "templates").is_dir() else PACKAGE.parent

LARGEST_FORM = 64 * 1024


def create_app(config: Mapping[str, Any] | None = None) -> "Flask":
    """The app with its settings: `config`, else SCOREKEEPER_… from the environment.

    DATABASE_URL, HOUSE (off: every new phone starts a book of its own), TRUSTED_HOSTS (with commas), and PROXY: how
    many proxies in front of it set X-Forwarded-*. Raises ValueError for a setting that cannot be used.
    """
    # Imported here, so that the engine and its commands need no Flask.
    from flask import Flask
    from werkzeug.middleware.proxy_fix import ProxyFix

    from scorekeeper import database
    from scorekeeper.web import (
        advise,
        changes,
        doors,
        errors,
        games,
        home,
        install,
        lab,
        languages,
        new_game,
        pens,
        rules,
    )

    app = Flask(__name__, root_path=str(ASSETS), instance_path=str(_instance()))
    app.config.update(HOUSE=True, PROXY=0, MAX_CONTENT_LENGTH=LARGEST_FORM, MAX_FORM_MEMORY_SIZE=LARGEST_FORM)
    app.config.from_prefixed_env("SCOREKEEPER")
    app.config.update(config or {})
    app.config["HOUSE"] = _switch("HOUSE", app.config["HOUSE"])
    if isinstance(app.config["TRUSTED_HOSTS"], str):
        app.config["TRUSTED_HOSTS"] = [host.strip() for host in app.config["TRUSTED_HOSTS"].split(",")]
    if not str(app.config["PROXY"]).isdecimal():
        raise ValueError("SCOREKEEPER_PROXY must be a number of proxies")
    if hops := int(app.config["PROXY"]):
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign] # as documented

    database.connect(app)
    doors.init_app(app)
    languages.init_app(app, PACKAGE / "translations")
    errors.init_app(app)
    for module in (home, new_game, games, changes, rules, lab, pens, install, advise):
        app.register_blueprint(module.pages)
    return app


def _switch(name: str, value: object) -> bool:
    """A setting that is on or off. Raises ValueError."""
    word = str(value).lower()
    if word not in {"on", "true", "1", "yes", "off", "false", "0", "no"}:
        raise ValueError(f"SCOREKEEPER_{name} must be on or off")
    return word in {"on", "true", "1", "yes"}


def _instance() -> Path:
    """The folder for the database: beside the checkout, or the user's own data when installed."""
    if ASSETS != PACKAGE:
        return ASSETS / "instance"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "scorekeeper"
