"""What a posted form says: texts to cells with numbers, or what is wrong with them."""

import re
from dataclasses import dataclass

from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from scorekeeper.engine.events import HAND_FIELDS, LONGEST_NOTE, OUTCOMES, SEAT_FIELDS, TRUMPS, Cell, Value, read_cells
from scorekeeper.engine.plain import Problem
from scorekeeper.models import LONGEST_KEY
from scorekeeper.web.texts import fill

LONGEST_SHOWN = 30  # letters of what was typed, in the sentence about it
_SEAT = re.compile(r"[0-9]|[1-9][0-9]")  # one way to write each, so that none is named twice
_NUMBER = re.compile(r"-?[0-9]{1,4}")  # int() would take the digits of any script
_BASE = re.compile(r"[0-9]{1,9}")
_NOTES = {"note", "adjust_note"}
_FLAGS = {"absent", "blind", "as_bid", "override"}
_CHOICES = {"trump": TRUMPS, "outcome": OUTCOMES}

Form = MultiDict[str, str]


class UnreadableError(ValueError):
    """A form that says nothing that could be written; `text` is why, in the reader's language."""

    def __init__(self, text: Markup, cell: Cell | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.cell = cell
        self.seat = cell[1] if cell else None


@dataclass(frozen=True)
class Stamp:
    """What every write carries: its key, and the last entry its page showed."""

    key: str
    base: int


def read_stamp(form: Form) -> Stamp:
    """Raises UnreadableError."""
    key, base = _once(form, "key") or "", _once(form, "base") or ""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable() or not _BASE.fullmatch(base):
        raise UnreadableError(fill(_("This form was not complete. Please try again.")))
    return Stamp(key, int(base))


def read_hand(form: Form) -> dict[Cell, Value]:
    """The cells that a form names; an empty text rubs out. Other fields are not looked at. Raises UnreadableError."""
    cells: dict[Cell, Value] = {}
    for name in form:
        field, _dash, seat = name.partition("-")
        if field in SEAT_FIELDS and _SEAT.fullmatch(seat):
            cell: Cell = (field, int(seat))
        elif name in HAND_FIELDS:
            cell = (name, None)
        elif field in SEAT_FIELDS:
            raise UnreadableError(fill(_("There is no seat “{text}”."), text=_shown(seat)))
        else:
            continue
        cells[cell] = _value(cell, _once(form, name) or "")
    if not cells:
        raise UnreadableError(fill(_("Nothing was written.")))
    return cells


def _once(form: Form, name: str) -> str | None:
    texts = form.getlist(name)
    if len(texts) > 1:
        raise UnreadableError(fill(_("“{name}” was sent twice."), name=_shown(name)))
    return texts[0] if texts else None


def _value(cell: Cell, text: str) -> Value:
    field, seat = cell
    if text == "":
        return None
    if field in _NOTES:
        return _note(text)
    if field in _FLAGS and text == "1":
        return True
    if text in _CHOICES.get(field, ()):
        return text
    if field in _FLAGS or field in _CHOICES or not _NUMBER.fullmatch(text):
        raise _unreadable(text, cell)
    problems: list[Problem] = []
    data = {field: int(text)} if seat is None else {field: {str(seat): int(text)}}
    value = read_cells(data, problems).get(cell)
    if problems:
        raise _unreadable(text, cell)
    return value


def _unreadable(text: str, cell: Cell) -> UnreadableError:
    field, _seat = cell
    if field in _FLAGS or field in _CHOICES:
        return UnreadableError(fill(_("“{text}” cannot be chosen here."), text=_shown(text)), cell)
    return no_number(text, cell)


def no_number(text: str, cell: Cell | None = None) -> UnreadableError:
    """What is said of a text where a whole number was due."""
    said = _("“{text}” is not a whole number in digits, such as 0 or 12.")
    return UnreadableError(fill(said, text=_shown(text)), cell)


def _note(text: str) -> str | None:
    note = "".join(letter for letter in text if letter.isprintable()).strip()
    if len(note) > LONGEST_NOTE:
        raise UnreadableError(fill(_("A note has at most {n} characters."), n=LONGEST_NOTE), ("note", None))
    return note or None


def _shown(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
