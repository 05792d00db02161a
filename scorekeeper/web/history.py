"""What was written on a sheet, entry by entry: in words, by which phone, when, and what has become of it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _
from markupsafe import Markup, escape

from scorekeeper.engine.events import Cell, Ended, Event, HandWritten, PlanChanged, TableChanged, Undone, Value
from scorekeeper.store import Game
from scorekeeper.web.texts import about, cell_label, cell_text, digits, fill

ROWS = 100  # on a page: some hands of a large table


@dataclass(frozen=True)
class Change:
    """One thing that an entry wrote: what it is called, what stood there before if anything did, and what it wrote."""

    label: Markup
    old: str | None
    new: str


@dataclass(frozen=True)
class Row:
    """An entry as the history shows it.

    `number` is its place in the log, `hand` None where it is about the game, `time` in UTC.
    """

    number: int
    hand: int | None
    changes: tuple[Change, ...]
    undone: bool
    phone: str
    time: datetime


@dataclass(frozen=True)
class Part:
    """Some of the entries, the newest first. `older` and `newer` are what leads on to the others, None at an end.

    Both are what `part` takes as `before`.
    """

    rows: tuple[Row, ...]
    older: int | None
    newer: int | None


def part(game: Game, phone: int | None, before: int | None = None) -> Part:
    """The last `ROWS` entries with numbers below `before`, of a game as its readers may see it; None for the newest.

    `phone` is the one that looks.
    """
    end = game.seq + 1 if before is None else max(1, min(before, game.seq + 1))
    first = max(1, end - ROWS)
    return Part(
        rows=tuple(_rows(game, phone, first, end))[::-1],
        older=first if first > 1 else None,
        newer=end + ROWS if end <= game.seq else None,
    )


def _rows(game: Game, phone: int | None, first: int, end: int) -> Iterator[Row]:
    """The entries with numbers from `first` up to but not including `end`, in their order."""
    counting = {entry.key for entry in game.sheet.counting}
    phones = list(dict.fromkeys(row.phone for row in game.log))
    numbers = {row.key: row.seq for row in game.log}
    past = _Past()
    for row, entry in zip(game.log[: end - 1], game.sheet.entries, strict=False):
        if row.seq >= first:
            yield Row(
                number=row.seq,
                hand=getattr(entry.event, "hand", None),
                changes=tuple(_changes(game, entry.event, past, numbers)),
                undone=entry.key not in counting and not isinstance(entry.event, Undone),
                phone=_("this phone") if row.phone == phone else _("phone %(n)s", n=phones.index(row.phone) + 1),
                time=row.time,
            )
        past.add(entry.key, entry.event)


class _Past:
    """What stood in each cell before an entry, worked out in one pass."""

    def __init__(self) -> None:
        self._counting: set[str] = set()
        self._undoes: dict[str, str] = {}
        self._written: dict[tuple[int, Cell], list[tuple[str, Value]]] = defaultdict(list)

    def add(self, key: str, event: Event) -> None:
        if isinstance(event, Undone):
            self._undoes[key] = event.key
        if isinstance(event, HandWritten):
            for cell, value in event.cells:
                self._written[event.hand, cell].append((key, value))
        counts: bool = True
        one: str | None = key
        while one is not None:  # undoing an undo brings its entry back
            (self._counting.add if counts else self._counting.discard)(one)
            one, counts = self._undoes.get(one), not counts

    def value(self, hand: int, cell: Cell) -> Value:
        written = reversed(self._written[hand, cell])
        return next((value for key, value in written if key in self._counting), None)


def _changes(game: Game, event: Event, past: _Past, numbers: dict[str, int]) -> Iterator[Change]:
    match event:
        case HandWritten(hand, cells):
            for cell, value in cells:
                before = past.value(hand, cell)
                old = None if before is None else cell_text(game, cell, before)
                yield Change(cell_label(game, cell), old, cell_text(game, cell, value))
            if not cells:
                yield Change(escape(_("Bids, hidden until all are in")), None, "")
        case TableChanged(_hand, table, carry):
            yield Change(escape(_("At the table from here on")), None, ", ".join(game.seats[one].name for one in table))
            for seat, points in carry:
                yield Change(about(game, seat, escape(_("points brought"))), None, digits(points))
        case PlanChanged(_hand, cards):
            yield Change(escape(_("Cards from here on")), None, ", ".join(map(str, cards)))
        case Ended():
            yield Change(escape(_("The game was ended")), None, "")
        case Undone(key):
            yield Change(fill(_("Entry {n} taken back"), n=numbers.get(key, 0)), None, "")
