"""`/`: this phone's book, the game in progress first; and `/healthz`."""

from flask import Blueprint, Response, current_app, render_template
from flask.typing import ResponseReturnValue

from scorekeeper import books, database, pens
from scorekeeper.database import db
from scorekeeper.web import doors

pages = Blueprint("home", __name__)


@pages.get("/")
def home() -> ResponseReturnValue:
    """The games of this phone's book. A phone without a pen sees the house's game in progress."""
    session = db.session()
    own, house = _books()
    free = house is None or pens.house_is_free(session)
    games = _games(own, house)
    return render_template(
        "home.html",
        has_pen=own is not None,
        name="" if own is None else books.name_of(session, own),
        guest=own is None and not free,
        running=[game for game in games if game.ended is None],
        earlier=[game for game in games if game.ended is not None] if own is not None or free else [],
    )


def game_in_progress() -> bool:
    """Whether this page would show a game that is not over."""
    return any(game.ended is None for game in _games(*_books()))


def _books() -> tuple[int | None, int | None]:
    """The book of this phone; where it has none, the house's."""
    session = db.session()
    own = pens.book_of(session, pens.phone_of(session, doors.phone_secret()))
    return own, pens.find_house_book(session) if own is None and current_app.config["HOUSE"] else None


def _games(own: int | None, house: int | None) -> tuple[books.GameLine, ...]:
    book = own if own is not None else house
    return () if book is None else books.games(db.session(), book)


@pages.get("/healthz")
def healthz() -> ResponseReturnValue:
    """200 when the database answers and may be served; 503 while it is migrated, and for one that is damaged."""
    state = database.state(current_app)
    if state == "ok" and database.is_current():
        return Response("ok\n", mimetype="text/plain")
    why = "damaged" if state == "damaged" else "migrating"
    return Response(f"{why}\n", 503, {"Retry-After": "5"}, mimetype="text/plain")
