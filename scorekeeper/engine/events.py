"""What can be written on a sheet: five kinds of event, and their plain data.

Events name seats, never people. `HandWritten` holds *cells*: (field, seat) or (field, None) for the hand as a whole,
each with its new value, None to rub it out. First entry and later correction are the same event; cells that are not
named keep what they had.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scorekeeper.engine.plain import Problem, Reader, boolean, each, number, one_of, text, whole

MOST_CARDS = 120  # two packs with jokers and then some
MOST_SEATS = 52  # one card each from one pack
MOST_HANDS = 400  # each hand size once per player comes to 26 x 13
LONGEST_NOTE = 200
TRUMPS = ("C", "D", "H", "S", "NT")
OUTCOMES = ("played", "void", "bomb", "skipped")

Value = int | Fraction | bool | str | None
Cell = tuple[str, int | None]


def _note(value: object, path: str, problems: list[Problem]) -> str:
    note = text(value, path, problems)
    if len(note) > LONGEST_NOTE:
        problems.append(Problem(path, f"must be at most {LONGEST_NOTE} characters long"))
    return note[:LONGEST_NOTE]


def _true(value: object, path: str, problems: list[Problem]) -> bool | None:
    return boolean(value, path, problems) or None


# A bid is read without an upper end: the range is a rule, and the hand's size belongs to it.
_count = whole(-999, 999)

SEAT_FIELDS: Mapping[str, Reader] = {
    "bids": _count,
    "tricks": _count,
    "won": _count,  # tricks counted while the hand is played: shown, never scored
    "adjust": number(10_000),  # points beside the formula: a penalty, a bonus card
    "adjust_note": _note,
    "absent": _true,  # sits this hand out
    "blind": _true,  # bid before looking
    "wager": _count,  # the stake on the bid, where the formula has one
    "side": _count,  # a count that the formula uses, such as tricks won with a two
    "as_bid": _true,  # scored as if made
}
HAND_FIELDS: Mapping[str, Reader] = {
    "cards": whole(1, MOST_CARDS),
    "dealer": whole(0, MOST_SEATS - 1),
    "first_bidder": whole(0, MOST_SEATS - 1),
    "trump": one_of(*TRUMPS),
    "outcome": one_of(*OUTCOMES),
    "override": _true,  # the table lets a forbidden bid stand
    "note": _note,
}


@dataclass(frozen=True, slots=True)
class HandWritten:
    """What someone wrote on hand `hand` (from 1): its cells with their new values, in a fixed order."""

    hand: int
    cells: tuple[tuple[Cell, Value], ...]

    @classmethod
    def of(cls, hand: int, cells: Mapping[Cell, Value] | None = None, /, **written: Any) -> "HandWritten":
        """From keywords, `HandWritten.of(3, bids={0: 2, 1: None}, trump="S")`, or from a mapping of cells."""
        all_cells: dict[Cell, Value] = dict(cells or {})
        for name, value in written.items():
            if name in SEAT_FIELDS:
                all_cells |= {(name, seat): one for seat, one in value.items()}
            else:
                all_cells[name, None] = value
        return cls(hand, tuple(sorted(all_cells.items(), key=lambda cell: (cell[0][0], cell[0][1] or 0))))


@dataclass(frozen=True, slots=True)
class TableChanged:
    """From hand `hand` on these seats sit clockwise; `carry` are starting points of who joins, (seat, points)."""

    hand: int
    table: tuple[int, ...]
    carry: tuple[tuple[int, int | Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The sizes of the hands from `hand` on. Hands with an entry keep theirs."""

    hand: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game stops here, after fewer hands than planned or not."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """The entry with this key does not count. Redo undoes the undo."""

    key: str


Event = HandWritten | TableChanged | PlanChanged | Ended | Undone


@dataclass(frozen=True, slots=True)
class Entry:
    """An event on the sheet under the key that its writer made for it."""

    key: str
    event: Event


class EventError(ValueError):
    """Plain data that are no event; `problems` says where."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


def event_data(event: Event) -> tuple[str, dict[str, Any]]:
    """The kind of an event and its plain data, as the log and the export keep them."""
    match event:
        case HandWritten(hand, cells):
            data: dict[str, Any] = {"hand": hand}
            for (name, seat), value in cells:
                plain = str(value) if isinstance(value, Fraction) else value
                if seat is None:
                    data[name] = plain
                else:
                    data.setdefault(name, {})[str(seat)] = plain
            return "hand", data
        case TableChanged(hand, table, carry):
            points = {str(seat): str(one) if isinstance(one, Fraction) else one for seat, one in carry}
            return "table", {"hand": hand, "table": list(table), "carry": points}
        case PlanChanged(hand, cards):
            return "plan", {"hand": hand, "cards": list(cards)}
        case Ended(reason):
            return "ended", {"reason": reason}
        case Undone(key):
            return "undone", {"key": key}


def read_event(kind: str, data: object) -> Event:
    """The event that `event_data` gave, from data that need not be trusted. Raises EventError."""
    problems: list[Problem] = []
    if not isinstance(data, Mapping):
        raise EventError([Problem("", "must be a table of keys and values")])
    event = _read(kind, data, problems)
    if problems or event is None:
        raise EventError(problems)
    return event


def _read(kind: str, data: Mapping[str, Any], problems: list[Problem]) -> Event | None:
    hand = whole(1, MOST_HANDS)
    match kind:
        case "hand":
            rest = {name: value for name, value in data.items() if name != "hand"}
            return HandWritten.of(hand(data.get("hand"), "hand", problems), read_cells(rest, problems))
        case "table":
            table = each(_seat, MOST_SEATS)(data.get("table"), "table", problems)
            if not table or len(set(table)) < len(table):
                problems.append(Problem("table", "must name some seats, each once"))
            carry = _by_seat("carry", data.get("carry", {}), number(10_000), problems)
            points = []
            for (_, seat), one in carry.items():
                if seat is None or not isinstance(one, int | Fraction):
                    problems.append(Problem(f"carry.{seat}", "must be a number"))
                else:
                    points.append((seat, one))
            return TableChanged(hand(data.get("hand"), "hand", problems), table, tuple(points))
        case "plan":
            cards = each(whole(1, MOST_CARDS), MOST_HANDS)(data.get("cards"), "cards", problems)
            return PlanChanged(hand(data.get("hand"), "hand", problems), cards)
        case "ended":
            return Ended(_note(data.get("reason", ""), "reason", problems))
        case "undone":
            return Undone(text(data.get("key"), "key", problems))
    problems.append(Problem("kind", "is not a known kind of event"))
    return None


_seat = whole(0, MOST_SEATS - 1)


def read_cells(data: Mapping[str, Any], problems: list[Problem]) -> dict[Cell, Value]:
    """The cells out of `{"bids": {"0": 2}, "trump": "S"}`; notes what is wrong in `problems`."""
    cells: dict[Cell, Value] = {}
    for name, value in data.items():
        if name in SEAT_FIELDS:
            cells |= _by_seat(name, value, SEAT_FIELDS[name], problems)
        elif name in HAND_FIELDS:
            cells[name, None] = None if value is None else HAND_FIELDS[name](value, name, problems)
        else:
            problems.append(Problem(str(name), "is not a known field"))
    return cells


def _by_seat(name: str, value: object, reader: Reader, problems: list[Problem]) -> dict[Cell, Value]:
    cells: dict[Cell, Value] = {}
    if not isinstance(value, Mapping):
        problems.append(Problem(name, "must be a table by seat"))
        return cells
    for seat, one in value.items():
        where = f"{name}.{seat}"
        if not (len(str(seat)) < 4 and str(seat).isascii() and str(seat).isdigit() and int(seat) < MOST_SEATS):
            problems.append(Problem(where, "is not a seat"))
        else:
            cells[name, int(seat)] = None if one is None else reader(one, where, problems)
    return cells
