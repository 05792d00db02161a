"""`/pen/<secret>`: an invitation; `/book`: the players and the pens of this phone's book."""

import segno
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup

from scorekeeper import books, pens, store
from scorekeeper.database import db
from scorekeeper.names import LONGEST_TITLE, BadNameError
from scorekeeper.web import doors

pages = Blueprint("pens", __name__)


def qr_picture(address: str) -> Markup:
    """A QR code as inline SVG: black on white in any theme, with the quiet zone that scanners need."""
    svg = segno.make(address, error="m", micro=False).svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr")
    return Markup(svg)  # noqa: S704 - drawn by segno: the address becomes squares, not markup


@pages.get("/pen/<secret>")
def invitation(secret: str) -> ResponseReturnValue:
    """The invitation: a button that takes the pen; on a phone that has it, the link and its QR code to show."""
    session = db.session()
    book = pens.invited_to(session, secret)
    if book is None:
        abort(404)
    phone = pens.phone_of(session, doors.phone_secret())
    if pens.may_write(session, phone, book):
        address = url_for("pens.invitation", secret=secret, _external=True)
        return render_template("pen_shown.html", address=address, picture=qr_picture(address))
    return render_template("pen_offered.html", secret=secret)


@pages.post("/pen/<secret>")
def accept(secret: str) -> ResponseReturnValue:
    """Gives this phone the pen."""
    session = db.session()
    if pens.invited_to(session, secret) is None:
        abort(404)
    book = pens.accept(session, secret, pens.phone_with(session, doors.new_phone_secret()))
    running = [game for game in books.games(session, book) if game.ended is None]
    if len(running) == 1:
        return redirect(url_for("games.sheet", code=running[0].code), 303)
    return redirect(url_for("home.home"), 303)


@pages.post("/pen")
def hand_over() -> ResponseReturnValue:
    """A fresh invitation to the book of the game `code`, else to this phone's own."""
    session = db.session()
    secret, code = doors.phone_secret(), request.form.get("code")
    if code:
        head = store.head(session, code, secret)
        book = head.book if head.pen else None
    else:
        book = pens.book_of(session, pens.phone_of(session, secret))
    if book is None:
        abort(403)
    return redirect(url_for("pens.invitation", secret=pens.invitation(session, book)), 303)


@pages.get("/book")
def book() -> ResponseReturnValue:
    """Who plays in this phone's book, and who may write in it."""
    return _book_page(_own_book())


@pages.post("/book")
def write_on_book() -> ResponseReturnValue:
    """Gives the book the name that is typed, or none, and its switch."""
    own, typed, estimates = _own_book(), request.form.get("name", ""), "estimates" in request.form
    try:
        books.change(db.session(), own, typed, estimates=estimates)
    except BadNameError:
        wrong = _("That is too long: %(most)s characters are the most.", most=LONGEST_TITLE)
        return _book_page(own, typed=(typed, estimates), wrong=wrong), 422
    return redirect(url_for("pens.book"), 303)


@pages.post("/book/new-pens")
def new_pens() -> ResponseReturnValue:
    """Ends all invitations and all other phones' pens."""
    session = db.session()
    own = _own_book()
    pens.new_pens(session, own, keep=pens.phone_of(session, doors.phone_secret()))
    return _book_page(own, _("New pens: only this phone may write now."))


def _book_page(book: int, said: str = "", *, typed: tuple[str, bool] | None = None, wrong: str = "") -> str:
    session = db.session()
    name, estimates = typed or (books.name_of(session, book), books.shows_estimates(session, book))
    return render_template(
        "book.html",
        name=name,
        estimates=estimates,
        players=books.players(session, book),
        said=said,
        wrong=wrong,
    )


def _own_book() -> int:
    """The book whose pen this phone took last; 403 for a phone without one."""
    session = db.session()
    own = pens.book_of(session, pens.phone_of(session, doors.phone_secret()))
    if own is None:
        abort(403)
    return own
