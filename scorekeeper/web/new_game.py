"""`/games/new`: who sits where, by which rules, and who deals first; `rematch`: the same again."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import cache

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date, get_translations
from flask_babel import gettext as _

from scorekeeper import books, pens
from scorekeeper.database import db
from scorekeeper.engine.catalog import Preset, presets
from scorekeeper.engine.house import Switches, switches, turned_from
from scorekeeper.engine.rules import contradictions
from scorekeeper.engine.words import summary
from scorekeeper.names import LONGEST_NAME, LONGEST_TITLE, BadNameError, folded
from scorekeeper.store import LimitError, head, load
from scorekeeper.web import doors
from scorekeeper.web.new_game_form import BASE_PRESET, FLAGS, NewGameForm, blame

pages = Blueprint("new_game", __name__)


@pages.get("/games/new")
def new_game() -> ResponseReturnValue:
    """The empty form, with the rules that `?rules=` names, else those of the book's last game."""
    form = NewGameForm(title=format_date(datetime.now().astimezone().date(), "full"), key=secrets.token_urlsafe(16))
    named = presets().get(request.args.get("rules", ""))
    form.show(*((named, switches(named.rules)) if named else _last_rules()))
    return _page(form)


@pages.post("/games/new")
def start() -> ResponseReturnValue:
    """Starts the game; the form's other buttons fill it in and give it back."""
    form = NewGameForm(request.form)
    form.follow()
    if request.form.get("do") != "start":
        _press(form)
        return _page(form)
    if form.validate() and (code := _started(form)):
        return redirect(url_for("games.sheet", code=code), 303)
    return _page(form), 422


def _page(form: NewGameForm) -> str:
    form.lay()
    known = _known_players()
    seated = {folded(name) for name in form.players}
    own = switches(form.chosen.rules) if form.chosen else None
    return render_template(
        "new_game.html",
        form=form,
        known=known,
        seated={player.id for player in known if folded(player.name) in seated},
        presets=_stands(),
        words=_in_words(form),
        own_hands=own is not None and own.schedule is None,
        changed=request.method == "POST" and form.wanted != own,
    )


def _in_words(form: NewGameForm) -> str:
    """One sentence on the rules as they stand, for as many players as are seated."""
    rules = form.played
    if rules is None or contradictions(rules):
        return ""
    low, high = rules.players
    return summary(rules, min(max(len(form.taken), low), high), get_translations())


@cache
def _stands() -> Sequence[tuple[Preset, str]]:
    """Every preset with the names of its switches that are on, its schedule first: what the script sets them by."""
    return [(preset, _names_of(switches(preset.rules))) for preset in presets().values()]


def _names_of(stands: Switches) -> str:
    return " ".join([stands.schedule or "own", *(name for name in FLAGS if getattr(stands, name))])


def _book() -> int | None:
    """The book that a game from this phone goes into, where there is one."""
    session = db.session()
    book = pens.book_of(session, pens.phone_of(session, doors.phone_secret()))
    if book is None and current_app.config["HOUSE"] and pens.house_is_free(session):
        book = pens.find_house_book(session)
    return book


def _known_players() -> tuple[books.Player, ...]:
    book = _book()
    return () if book is None else books.players(db.session(), book)


def _last_rules() -> tuple[Preset, Switches]:
    """The preset and the switches of the book's last game, else the base game."""
    base = presets()[BASE_PRESET]
    book = _book()
    games = () if book is None else books.games(db.session(), book)
    if games:
        last = load(db.session(), games[0].code)
        preset = presets().get(last.preset or "", base)
        if stands := turned_from(preset.rules, last.rules):
            return preset, stands
    return base, switches(base.rules)


def _press(form: NewGameForm) -> None:
    """What the buttons do that do not start the game: a known player, a move, a draw."""
    button = request.form.get("do", "")
    if button == "draw" and form.taken:
        form.dealer.data = str(secrets.choice(form.taken))
    elif move := re.fullmatch("up-([0-9]{1,2})", button):
        form.move_up(int(move[1]))
    else:
        for player in _known_players():
            if button == f"seat-{player.id}":
                form.seat(player.name)


def _started(form: NewGameForm) -> str | None:
    """The code of the game, started from a form that is right; None where the book refuses, and the form says why."""
    assert form.chosen is not None
    assert form.played is not None
    assert form.first_dealer is not None
    content = (form.key.data, form.players, form.first_dealer, form.title.data, form.played)
    new = books.NewGame(
        players=form.players,
        rules=form.played,
        preset=form.chosen.id,
        first_dealer=form.first_dealer,
        title=form.title.data or "",
        # Pressed twice it is one game; changed and pressed again, another.
        key=hashlib.sha256(repr(content).encode()).hexdigest()[:32],
    )
    session = db.session()
    begins_book = _book() is None
    if begins_book:
        doors.refuse_many_books()
    try:
        phone = pens.phone_with(session, doors.new_phone_secret())
        code = books.start_game(session, phone, new, house=current_app.config["HOUSE"])
    except BadNameError as error:
        _blame_name(form, error)
    except books.SameNameError as error:
        for seat in error.seats:
            blame(form.seats[form.taken[seat]], _("Two players have this name. Add a letter to tell them apart."))
    except LimitError as error:
        form.form_errors.append(_("This book is full: it holds %(limit)s at the most.", limit=error.limit))
    else:
        if begins_book:
            doors.note_new_book(code)
        return code
    return None


def _blame_name(form: NewGameForm, error: BadNameError) -> None:
    if error.seat is None:
        blame(form.title, _("That is too long: %(most)s characters are the most.", most=LONGEST_TITLE))
    elif error.code == "long":
        blame(
            form.seats[form.taken[error.seat]],
            _("That is too long: %(most)s characters are the most.", most=LONGEST_NAME),
        )
    else:
        blame(form.seats[form.taken[error.seat]], _("Nothing in this name can be read."))


@pages.post("/games/<code>/rematch")
def rematch(code: str) -> ResponseReturnValue:
    """The same players once more, the deal passed on; pressed twice it is the same game."""
    session = db.session()
    asking = head(session, code, doors.phone_secret())
    if not asking.pen:
        abort(403)
    following = books.rematch(session, code, asking.phone)
    return redirect(url_for("games.sheet", code=following), 303)
