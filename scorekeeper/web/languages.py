"""Which language a page speaks: the one that its reader likes best, of those there are."""

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from gettext import NullTranslations
from pathlib import Path
from typing import TypeVar, TypeVarTuple

from babel import Locale, negotiate_locale
from flask import Flask, current_app, g, request
from flask_babel import Babel, get_locale, get_translations
from markupsafe import Markup

# Browsers may still call Hebrew by its old code.
OLD_CODES = {"iw": "he"}

Asked = TypeVarTuple("Asked")
Said = TypeVar("Said")


def init_app(app: Flask, folder: Path) -> None:
    """Chooses each request's language by the translations in `folder`; templates get `lang` and `dir`."""
    babel = Babel(app, default_translation_directories=str(folder), locale_selector=preferred)
    with app.app_context():
        app.extensions["languages"] = sorted({"en", *(str(locale) for locale in babel.list_translations())})
    app.context_processor(_direction)
    app.jinja_env.globals.update(_=_text, ngettext=_counted_text, pgettext=_text_in_context)


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


# ---- texts ----


def translations() -> NullTranslations:
    """Those of this request's language. Looked up once a request: that costs more than a text."""
    found: NullTranslations | None = g.get("translations")
    if found is None:
        found = g.translations = get_translations()
    return found


def per_language(texts: Callable[[*Asked], Said]) -> Callable[[*Asked], Said]:
    """Lets a function whose answer hangs on the language and its arguments alone work it out once for each."""

    @lru_cache(maxsize=512)
    def kept(_: NullTranslations, *args: *Asked) -> Said:
        return texts(*args)

    @wraps(texts)
    def said(*args: *Asked) -> Said:
        return kept(translations(), *args)

    return said


# What templates call: their texts may hold markup and double a percent sign; values are escaped.


def _text(message: str, **values: object) -> Markup:
    return _filled(translations().gettext(message), values)


def _counted_text(one: str, many: str, num: int) -> Markup:
    return _filled(translations().ngettext(one, many, num), {"num": num})


def _text_in_context(context: str, message: str) -> Markup:
    return _filled(translations().pgettext(context, message), {})


def _filled(text: str, values: Mapping[str, object]) -> Markup:
    marked = Markup(text)  # noqa: S704 - written by us and our translators
    return marked % values if "%" in text else marked
