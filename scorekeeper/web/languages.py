"""Which language a page speaks: the one that its reader likes best, of those there are."""

from pathlib import Path

from babel import Locale, negotiate_locale
from flask import Flask, current_app, request
from flask_babel import Babel, get_locale

# Browsers may still call Hebrew by its old code.
OLD_CODES = {"iw": "he"}


def init_app(app: Flask, folder: Path) -> None:
    """Chooses each request's language by the translations in `folder`; templates get `lang` and `dir`."""
    babel = Babel(app, default_translation_directories=str(folder), locale_selector=preferred)
    with app.app_context():
        app.extensions["languages"] = sorted({"en", *(str(locale) for locale in babel.list_translations())})
    app.context_processor(_direction)


def preferred() -> str:
    """The language for this request."""
    wanted = [_current_code(code) for code in request.accept_languages.values()]
    return negotiate_locale(wanted, current_app.extensions["languages"], sep="-") or "en"


def _current_code(code: str) -> str:
    language, *rest = code.split("-")
    return "-".join([OLD_CODES.get(language.lower(), language), *rest])


def _direction() -> dict[str, str]:
    locale = get_locale() or Locale("en")
    return {"lang": str(locale).replace("_", "-"), "dir": locale.text_direction}
