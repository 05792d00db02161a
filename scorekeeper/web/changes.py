"""`/games/<code>/table` and `/plan`: who sits where, and how many cards are dealt, from the next hand on."""

import re
import secrets
from dataclasses import dataclass, replace

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup

from scorekeeper import books, store
from scorekeeper.database import db
from scorekeeper.engine.events import MOST_HANDS, MOST_SEATS, PlanChanged
from scorekeeper.names import LONGEST_NAME, BadNameError
from scorekeeper.store import Game, Head
from scorekeeper.web import texts
from scorekeeper.web.games import to_write_on
from scorekeeper.web.hand_form import UnreadableError, no_number, read_stamp
from scorekeeper.web.texts import fill
from scorekeeper.web.trouble import REFUSALS, refusal

pages = Blueprint("changes", __name__)

MORE_PLACES = 2  # empty rows for who joins
_POINTS = re.compile(r"-?[0-9]{1,4}")
_HAND = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True)
class Place:
    """A row of the table's form: the name and the points that it brings, as typed; `wrong` where that is refused."""

    name: str = ""
    carry: str = ""
    wrong: bool = False


def _asked(code: str) -> tuple[Head, Game]:
    """Raises 403 for a phone without the pen."""
    head = to_write_on(code)
    return head, store.read(db.session(), head)


def _answer(code: str) -> ResponseReturnValue:
    """To the sheet; where hands to come cannot be dealt to so many, to their sizes first."""
    _head, game = _asked(code)
    return redirect(url_for("changes.plan" if _too_large(game) else "games.sheet", code=code), 303)


def _too_large(game: Game) -> list[Markup]:
    """What is said of hands to come for which the pack is too small."""
    return [
        fill(_("Hand {n}: {text}"), n=fault.hand, text=texts.sentence(fault))
        for fault in game.sheet.faults
        if fault.code == "deck" and fault.hand and fault.hand >= game.sheet.next_free
    ]


# ---- the table ----


@pages.get("/games/<code>/table")
def table(code: str) -> ResponseReturnValue:
    """Who sits where, to be changed; 409 when the game is over."""
    _head, game = _asked(code)
    if game.sheet.over:
        abort(409)
    return _table_page(game, [Place(name) for name in _at_table(game)])


@pages.post("/games/<code>/table")
def change_table(code: str) -> ResponseReturnValue:
    """Seats who is named, or moves one of them up in the form."""
    head, game = _asked(code)
    places = _places()
    if move := re.fullmatch("up-([0-9]{1,2})", request.form.get("do", "")):
        row = int(move[1])
        if 0 < row < len(places):
            places[row - 1], places[row] = places[row], places[row - 1]
        return _table_page(game, places)
    if request.form.get("do") == "look":
        return _table_page(game, places)
    places = [place for place in places if place.name]
    wrong: set[int] = set()
    try:
        stamp = read_stamp(request.form)
        carry = {row: _points(place) for row, place in enumerate(places) if place.carry}
        change = books.TableOf(_hand(), tuple(place.name for place in places), carry)
        books.change_table(db.session(), game.code, head.phone, change, stamp.key, stamp.base)
    except store.ConflictError:
        _head, game = _asked(code)
        said = fill(_("Another phone wrote something else here."))
        return _table_page(game, places, said, ", ".join(_at_table(game))), 409
    except BadNameError as error:
        wrong = {error.seat or 0}
        too_long = _("That is too long: %(most)s characters are the most.", most=LONGEST_NAME)
        text = fill(too_long if error.code == "long" else _("Nothing in this name can be read."))
    except books.SameNameError as error:
        wrong = set(error.seats)
        text = fill(_("Two players have this name. Add a letter to tell them apart."))
    except REFUSALS as error:
        text = refusal(game, error, {}, request.form).text
    else:
        return _answer(code)
    _head, game = _asked(code)
    return _table_page(game, [replace(one, wrong=row in wrong) for row, one in enumerate(places)], text), 422


def _at_table(game: Game) -> list[str]:
    return [game.names[seat] for seat in game.sheet.table_at(game.sheet.next_free)]


def _places() -> list[Place]:
    """The rows as they were sent. A row without a name brings no points."""
    sent = [(request.form.get(f"seats-{row}", "").strip(), row) for row in range(MOST_SEATS)]
    last = max((row for name, row in sent if name), default=-1)
    return [Place(name, request.form.get(f"carry-{row}", "").strip() if name else "") for name, row in sent[: last + 1]]


def _points(place: Place) -> int:
    if not _POINTS.fullmatch(place.carry):
        raise no_number(place.carry)
    return int(place.carry)


def _hand() -> int:
    """The hand from which on the form changes something."""
    number = request.form.get("hand", "")
    if not _HAND.fullmatch(number):
        raise UnreadableError(fill(_("This form was not complete. Please try again.")))
    return int(number)


def _table_page(game: Game, places: list[Place], trouble: Markup | None = None, now: str | None = None) -> str:
    _low, high = game.rules.players
    rows = max(len(places), min(high, len(_at_table(game)) + MORE_PLACES))
    return render_template(
        "sheet/table.html",
        game=game,
        places=[*places, *[Place()] * (rows - len(places))],
        seated=_at_table(game),
        known=[player.name for player in books.players(db.session(), game.book)],
        number=game.sheet.next_free,
        trouble=trouble,
        now=now,
        key=secrets.token_hex(16),
        base=game.seq,
    )


# ---- the plan ----


@pages.get("/games/<code>/plan")
def plan(code: str) -> ResponseReturnValue:
    """The sizes of the hands to come, to be changed; 409 when the game is over."""
    _head, game = _asked(code)
    if game.sheet.over:
        abort(409)
    return _plan_page(game, _sizes(game))


@pages.post("/games/<code>/plan")
def change_plan(code: str) -> ResponseReturnValue:
    """Writes the sizes of the hands to come."""
    head, game = _asked(code)
    typed = request.form.get("cards", "")
    try:
        stamp = read_stamp(request.form)
        event = PlanChanged(_hand(), _cards(typed))
        store.write(db.session(), game.code, head.phone, event, stamp.key, stamp.base)
    except store.ConflictError:
        _head, game = _asked(code)
        return _plan_page(game, typed, fill(_("Another phone wrote something else here.")), _sizes(game)), 409
    except REFUSALS as error:
        _head, game = _asked(code)
        return _plan_page(game, typed, refusal(game, error, {}, request.form).text), 422
    return _answer(code)


def _first(game: Game) -> int:
    """The hand from which on the plan can change: one on which anything is written keeps its size."""
    return game.sheet.written + 1


def _sizes(game: Game) -> str:
    """The cards of the hands to come as a line of numbers."""
    return " ".join(map(str, game.sheet.sizes_from(_first(game))))


def _cards(typed: str) -> tuple[int, ...]:
    """The sizes in a line of numbers, with spaces or commas between."""
    words = re.findall(r"[^\s,;]+", typed)
    for word in words:
        if not re.fullmatch("[0-9]{1,3}", word):
            raise no_number(word)
    if len(words) > MOST_HANDS:
        raise UnreadableError(fill(_("There can be at most {n} hands."), n=MOST_HANDS))
    return tuple(map(int, words))


def _plan_page(game: Game, typed: str, trouble: Markup | None = None, now: str | None = None) -> str:
    return render_template(
        "sheet/plan.html",
        game=game,
        typed=typed,
        number=_first(game),
        too_large=_too_large(game),
        trouble=trouble,
        now=now,
        key=secrets.token_hex(16),
        base=game.seq,
    )
