"""What went wrong, as a small page in words: never a traceback."""

from collections.abc import Callable, Mapping
from math import ceil

from flask import Flask, Response, current_app, g, make_response, render_template, request
from flask_babel import lazy_gettext as _
from flask_babel import ngettext
from flask_babel.speaklater import LazyString
from sqlalchemy.exc import InternalError, OperationalError
from werkzeug.exceptions import (
    BadHost,
    Conflict,
    Forbidden,
    HTTPException,
    NotFound,
    SecurityError,
    ServiceUnavailable,
    TooManyRequests,
    UnprocessableEntity,
)

from scorekeeper import database
from scorekeeper.backups import DamagedError, UnfitError
from scorekeeper.books import NotOverError
from scorekeeper.pens import NoPenError, UnknownInvitationError
from scorekeeper.store import LimitError, UnknownGameError

# What the store refuses, where a page has nothing to add to it. A foreign book and an unknown one look the same.
ANSWERS: dict[type[Exception], Callable[[], HTTPException]] = {
    UnknownGameError: NotFound,
    UnknownInvitationError: NotFound,
    NoPenError: Forbidden,
    NotOverError: Conflict,
    LimitError: UnprocessableEntity,
    # The database cannot be read or written now.
    OperationalError: lambda: ServiceUnavailable(retry_after=5),
    InternalError: lambda: ServiceUnavailable(retry_after=5),  # PostgreSQL's word for a database that only reads
    UnfitError: lambda: ServiceUnavailable(retry_after=5),
}


# A title, and what to do about it.
WORDS: Mapping[int | str, tuple[LazyString, LazyString]] = {
    400: (_("Not understood"), _("Something in this request is not as it should be. Go back and try again.")),
    403: (
        _("Only with a pen"),
        _("This phone may read the sheet, but not write on it. Whoever keeps the score can hand over a pen."),
    ),
    "another site": (
        _("Not from here"),
        _("Another site’s page sent this. Open the score sheet itself and try again."),
    ),
    404: (_("Nothing here"), _("There is no such page, or it is not in this phone’s book.")),
    405: (_("Not in this way"), _("This address is only for a button. Go back to the page and press it there.")),
    409: (_("Not now"), _("The game has gone on differently meanwhile. Look at the sheet, then try again.")),
    413: (_("Too much"), _("That is more than fits on a score sheet. Nothing was saved.")),
    422: (_("Not possible"), _("The rules do not allow that. Nothing was saved.")),
    429: (_("Too many tries"), _("Too many wrong addresses came from here.")),
    "many books": (_("Too many new books"), _("Many score books were begun from here in a short time.")),
    "many questions": (_("Too many questions"), _("Many hands were asked about from here in a short time.")),
    500: (_("Our mistake"), _("Something went wrong here. What was saved before is safe. Try again.")),
    503: (_("Just a moment"), _("The score book cannot be opened now. Try again in a moment.")),
    "busy": (_("Just a moment"), _("Other hands are worked on now. Try again in a moment.")),
    "not saved": (
        _("Not saved"),
        _("The score book cannot be written now. What you wrote is still on this phone: try again in a moment."),
    ),
}


def init_app(app: Flask) -> None:
    """Gives every error of `app` its page."""
    app.register_error_handler(HTTPException, page)
    for error in ANSWERS:
        app.register_error_handler(error, refused)


def refused(error: Exception) -> Response:
    """The page of what the store or the database refused; a damaged database is not asked again."""
    if isinstance(error, DamagedError):
        database.give_up(current_app, error)
    return page(next(answer() for kind, answer in ANSWERS.items() if isinstance(error, kind)))


def page(error: HTTPException) -> Response:
    """The page of an HTTP error, with the headers that belong to it, such as Retry-After."""
    code = error.code or 500
    # A redirect to an address with its slash is no error, and under a host that is not ours no page can be drawn.
    if code < 400 or isinstance(error, SecurityError | BadHost):
        return make_response(error.get_response())
    title, words = WORDS[_kind(code)]
    text = str(words)
    if isinstance(error, TooManyRequests) and isinstance(error.retry_after, int):
        minutes = ceil(error.retry_after / 60)
        text += f" {ngettext('Try again in %(num)s minute.', 'Try again in %(num)s minutes.', minutes)}"
    response = make_response(render_template("error.html", title=title, text=text), code)
    response.headers.extend((name, value) for name, value in error.get_headers() if name != "Content-Type")
    return response


def _kind(code: int) -> int | str:
    """The key in WORDS for an error of this request."""
    if code == 403 and "from_another_site" in g:
        return "another site"
    if code == 429 and "many_books" in g:
        return "many books"
    if code == 429 and "many_questions" in g:
        return "many questions"
    if code == 503 and "busy" in g:
        return "busy"
    if code == 503 and request.method != "GET":
        return "not saved"
    if code in WORDS:
        return code
    return 500 if code >= 500 else 400
