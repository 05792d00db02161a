"""A score sheet as a file: plain data in and out, and the report of what is wrong with them.

The format is `scorekeeper/1`. `rules`, `players` and `hands` are enough; lists are in the order of `players`, who
joins later comes after them; null is "not written". A `log`, where there is one, is the sheet, and `hands` must be
what it adds up to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scorekeeper.engine import catalog
from scorekeeper.engine.events import (
    HAND_FIELDS,
    MOST_CARDS,
    MOST_HANDS,
    MOST_SEATS,
    SEAT_FIELDS,
    Cell,
    Entry,
    Event,
    EventError,
    HandWritten,
    TableChanged,
    Value,
    event_data,
    read_event,
)
from scorekeeper.engine.faults import Fault
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.plain import Problem, each, number, text, whole
from scorekeeper.engine.rules import Rules, RulesError, read_rules
from scorekeeper.engine.schedule import Schedule
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import standings

FORMAT = "scorekeeper/1"
_LISTS = ("bids", "tricks", "won")  # by seat, as lists
_NAMES = ("absent", "as_bid", "blind")  # as lists of names
_BY_NAME = ("adjust", "adjust_note", "side", "wager")  # as tables by name
_ONE_NAME = ("dealer", "first_bidder")


class FileError(ValueError):
    """Data that cannot be read as a score sheet at all."""


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A sheet, the names of its seats, how many hands the file gives, and what is wrong with the file itself."""

    sheet: Sheet
    names: tuple[str, ...]
    given: int
    faults: tuple[Fault, ...] = ()


def read(data: object) -> ScoreFile:
    """The sheet that a file gives. Raises FileError if it cannot be read at all, or if its rules are unknown."""
    if not isinstance(data, Mapping):
        raise FileError("a score sheet is a table with rules, players and hands")
    missing = [key for key in ("rules", "players", "hands") if key not in data]
    if missing:
        raise FileError(f"{missing[0]} is missing")
    problems: list[Problem] = []
    names = list(each(text, MOST_SEATS)(data["players"], "players", problems))
    hands = each(lambda value, path, wrong: value, MOST_HANDS)(data["hands"], "hands", problems)
    rules = _rules(data, problems)
    if problems or not names:
        raise FileError("; ".join(map(str, problems)) or "players: must not be empty")
    players = len(names)
    names += _later_names(data, names)
    reading = _Reading(names)
    if len(set(names)) < len(names):
        reading.wrong("players: two have one name")
    dealer = reading.seat(data["first_dealer"], "first_dealer") if data.get("first_dealer") is not None else None
    first_dealer = players - 1 if dealer is None else dealer
    sheet = Sheet(rules, tuple(range(players)), first_dealer)
    if "log" in data:
        sheet = replace(sheet, entries=_log(data["log"]))
        top = max((seat for entry in sheet.entries for seat in _seats_named(entry.event)), default=0)
        names += [f"({seat + 1})" for seat in range(len(names), top + 1)]
        reading.compare_with_log(hands, sheet)
    else:
        everybody = len(names) + len({name for hand in hands for name in _table_names(hand)} - set(names))
        events = [event for n, hand in enumerate(hands, 1) for event in reading.events(n, hand, everybody)]
        sheet = replace(sheet, entries=tuple(Entry(str(n), event) for n, event in enumerate(events)))
    reading.compare_points(data.get("points"), sheet)
    return ScoreFile(sheet, tuple(names), len(hands), tuple(reading.faults))


def _rules(data: Mapping[str, Any], problems: list[Problem]) -> Rules:
    rules = rules_of(data["rules"])
    if data.get("cards") is None:
        return rules
    cards = each(whole(1, MOST_CARDS), MOST_HANDS)(data["cards"], "cards", problems)
    return replace(rules, schedule=Schedule.listed(cards)) if cards else rules


def rules_of(value: object) -> Rules:
    """The rules that a preset's id or a set of rules written out stands for. Raises FileError."""
    if isinstance(value, str):
        if value not in catalog.presets():
            raise FileError(f"there is no preset {value[:60]!r}; `scorekeeper rules` lists them")
        return catalog.presets()[value].rules
    try:
        return read_rules(value, catalog.formulas())
    except RulesError as error:
        raise FileError(f"these rules cannot be used: {error}") from None


def _log(value: object) -> tuple[Entry, ...]:
    if not isinstance(value, list):
        raise FileError("log: must be a list of entries")
    entries = []
    for index, entry in enumerate(value):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("key"), str):
            raise FileError(f"log[{index}]: must be an entry with a key")
        try:
            entries.append(Entry(entry["key"], read_event(str(entry.get("kind")), entry.get("data"))))
        except EventError as error:
            raise FileError(f"log[{index}]: {error}") from None
    if len({entry.key for entry in entries}) < len(entries):
        raise FileError("log: two entries have one key")
    return tuple(entries)


def _table_names(hand: object) -> list[str]:
    table = hand.get("table") if isinstance(hand, Mapping) else None
    return [name for name in table if isinstance(name, str)] if isinstance(table, list) else []


def _later_names(data: Mapping[str, Any], players: Sequence[str]) -> list[str]:
    """The names of who joined later, as `seats` gives them after the players."""
    seats = data.get("seats")
    names = [name for name in seats if isinstance(name, str)] if isinstance(seats, list) else []
    return names[len(players) : MOST_SEATS] if names[: len(players)] == list(players) else []


def _seats_named(event: Event) -> Iterator[int]:
    match event:
        case HandWritten(_, cells):
            for (name, seat), value in cells:
                named = value if name in _ONE_NAME else seat
                if isinstance(named, int):
                    yield named
        case TableChanged(_, table, carry):
            yield from (*table, *(seat for seat, _ in carry))


class _Reading:
    """One pass over the hands of a file; collects the faults of the file and the names it meets."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.faults: list[Fault] = []

    def wrong(self, what: str, hand: int | None = None, seat: int | None = None) -> None:
        self.faults.append(Fault("file", hand, seat, {"what": what}))

    def seat(self, name: object, where: str, hand: int | None = None) -> int | None:
        if isinstance(name, str) and name in self.names:
            return self.names.index(name)
        self.wrong(f"{where}: {name!r} is no player's name", hand)
        return None

    def events(self, n: int, hand: object, everybody: int) -> list[Event]:
        """What a hand of the file writes: perhaps a change of the table, then its cells."""
        if not isinstance(hand, Mapping):
            self.wrong("must be a table of keys and values", n)
            return []
        return [*self._table(n, hand), HandWritten.of(n, dict(self._cells(n, hand, everybody)))]

    def _table(self, n: int, hand: Mapping[str, Any]) -> list[Event]:
        if hand.get("table") is None:
            return []
        self.names += [name for name in dict.fromkeys(_table_names(hand)) if name not in self.names]
        table = [self.seat(name, "table", n) for name in _listed(hand["table"])]
        carried = self._by_name(n, "carry", hand.get("carry", {}))
        carry = tuple((seat, self._value(n, "carry", seat, value)) for seat, value in carried)
        seats = tuple(dict.fromkeys(seat for seat in table if seat is not None))
        if not seats:
            self.wrong("table: must name some players", n)
            return []
        return [TableChanged(n, seats, tuple((seat, one) for seat, one in carry if isinstance(one, int | Fraction)))]

    def _cells(self, n: int, hand: Mapping[str, Any], everybody: int) -> list[tuple[Cell, Value]]:
        cells: list[tuple[Cell, Value]] = []
        for key, value in hand.items():
            if value is None or key in ("table", "carry"):
                continue
            if key in _LISTS:
                if not isinstance(value, list) or len(value) not in (len(self.names), everybody):
                    self.wrong(f"{key}: must be a list of {len(self.names)}", n)
                else:
                    cells += [((key, seat), self._value(n, key, seat, one)) for seat, one in enumerate(value)]
            elif key in _NAMES:
                seats = [self.seat(name, key, n) for name in _listed(value)]
                cells += [((key, seat), True) for seat in seats if seat is not None]
            elif key in _BY_NAME:
                cells += [((key, seat), self._value(n, key, seat, one)) for seat, one in self._by_name(n, key, value)]
            elif key in _ONE_NAME:
                cells.append(((key, None), self.seat(value, key, n)))
            elif key == "override":
                cells.append(((key, None), bool(value) or None))
                cells += [(("note", None), value)] if isinstance(value, str) and value else []
            elif key in HAND_FIELDS:
                cells.append(((key, None), self._value(n, key, None, value)))
            else:
                self.wrong(f"{key}: is not a known key", n)
        return [(cell, value) for cell, value in cells if value is not None]

    def _by_name(self, n: int, key: str, value: object) -> list[tuple[int, object]]:
        if not isinstance(value, Mapping):
            self.wrong(f"{key}: must be a table by name", n)
            return []
        pairs = [(self.seat(name, key, n), one) for name, one in value.items()]
        return [(seat, one) for seat, one in pairs if seat is not None]

    def _value(self, n: int, key: str, seat: int | None, value: object) -> Value:
        """A value as the event would have it; what is wrong with it is a fault, and it counts as not written."""
        if value is None:
            return None
        readers = HAND_FIELDS if seat is None else {**SEAT_FIELDS, "carry": number(10_000)}
        problems: list[Problem] = []
        read_value: Value = readers[key](value, key, problems)
        for problem in problems:
            self.wrong(str(problem), n, seat)
        return None if problems else read_value

    def compare_with_log(self, hands: Sequence[object], sheet: Sheet) -> None:
        """The hands of a file must be what its log adds up to."""
        computed = hands_data(sheet, self.names)
        for n in range(1, max(len(hands), len(computed)) + 1):
            if list(hands[n - 1 : n]) != computed[n - 1 : n]:
                self.wrong("is not what the log adds up to", n)

    def compare_points(self, printed: object, sheet: Sheet) -> None:
        """Printed points, a list per hand, must be the computed ones; null is not printed."""
        if printed is None:
            return
        if not isinstance(printed, list):
            self.wrong("points: must be a list of lists")
            return
        if len(printed) > len(sheet.hands):
            self.wrong(f"points: there are only {len(sheet.hands)} hands")
        for hand, row in zip(sheet.hands, printed, strict=False):
            if not isinstance(row, list) or len(row) > len(self.names):
                self.wrong(f"points: must be a list of {len(self.names)}", hand.number)
                continue
            for seat, written in enumerate(row):
                computed = hand.points.get(seat)
                exactly = self._value(hand.number, "adjust", seat, written)
                if exactly is not None and exactly != computed:
                    numbers = {"written": json_number(exactly), "computed": json_number(computed)}
                    self.faults.append(Fault("points", hand.number, seat, numbers))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def json_number(value: object) -> Any:
    """A number as JSON has it: whole ones as they are, halves as 0.5."""
    return float(value) if isinstance(value, Fraction) else value


def report(file: ScoreFile) -> dict[str, Any]:
    """What `scorekeeper check --json` prints: every hand recomputed, the standings, the faults."""
    sheet, names = file.sheet, file.names
    faults = [*file.faults, *sheet.faults]
    faults.sort(key=lambda fault: fault.hand or 0)
    return {
        "hands": [_hand_report(hand, names) for hand in sheet.hands[: file.given]],
        "standings": [
            {
                "place": line.place,
                "player": names[line.seat],
                "total": json_number(line.total),
                "made": line.made,
                "hands": line.hands,
            }
            for line in standings(sheet)
        ],
        "faults": [_fault_report(fault, names) for fault in faults],
    }


def _hand_report(hand: Hand, names: Sequence[str]) -> dict[str, Any]:
    return {
        "number": hand.number,
        "cards": hand.cards,
        "dealer": _name(hand.dealer, names),
        "first_bidder": _name(hand.first_bidder, names),
        "no_trump": hand.no_trump,
        "forbidden": hand.forbidden,
        "points": [json_number(hand.points.get(seat)) for seat in range(len(names))],
        "totals": [json_number(hand.totals.get(seat)) for seat in range(len(names))],
    }


def _fault_report(fault: Fault, names: Sequence[str]) -> dict[str, Any]:
    place = {"hand": fault.hand, "player": _name(fault.seat, names)}
    compared = {key: value for key, value in fault.numbers.items() if key in ("written", "computed")}
    return {**place, "code": fault.code, "message": str(fault), **compared}


def _name(seat: int | None, names: Sequence[str]) -> str | None:
    return None if seat is None else names[seat]


def hands_data(sheet: Sheet, names: Sequence[str]) -> list[dict[str, Any]]:
    """The hands on which something is written, as the file has them."""
    data = []
    table = sheet.table
    for hand in sheet.hands[: sheet.written]:
        one: dict[str, Any] = {}
        if hand.table != table:
            table = hand.table
            one["table"] = [names[seat] for seat in table]
        before = sheet.hands[hand.number - 2].totals if hand.number > 1 else {}
        carry = {seat: total for seat, total in hand.totals_before.items() if total != before.get(seat, 0)}
        if carry:
            one["table"] = [names[seat] for seat in table]
            one["carry"] = {names[seat]: json_number(total) for seat, total in carry.items()}
        one |= _lists(hand, len(names))
        for (key, seat), value in sorted(hand.cells.items(), key=lambda cell: (cell[0][0], cell[0][1] or 0)):
            if key in _NAMES and seat is not None:
                one.setdefault(key, []).append(names[seat])
            elif key in _BY_NAME and seat is not None:
                one.setdefault(key, {})[names[seat]] = json_number(value)
            elif key in _ONE_NAME and isinstance(value, int):
                one[key] = names[value]
            elif key not in _LISTS:
                one[key] = json_number(value)
        data.append(one)
    return data


def _lists(hand: Hand, seats: int) -> dict[str, list[Value]]:
    """What is kept as lists by seat; `won` only where the table counts trick by trick."""
    lists = {key: [hand.cells.get((key, seat)) for seat in range(seats)] for key in _LISTS}
    return {key: values for key, values in lists.items() if key != "won" or any(one is not None for one in values)}


def document(sheet: Sheet, names: Sequence[str], times: Sequence[str]) -> dict[str, Any]:
    """A sheet as the file has it, with its log and the times of its entries; `read` gives the same sheet back."""
    return {
        "format": FORMAT,
        "rules": sheet.rules.to_data(),
        "players": [names[seat] for seat in sheet.table],
        "seats": list(names),
        "first_dealer": names[sheet.first_dealer],
        "hands": hands_data(sheet, names),
        "log": [_entry_data(seq, *one) for seq, one in enumerate(zip(sheet.entries, times, strict=True), 1)],
    }


def _entry_data(seq: int, entry: Entry, time: str) -> dict[str, Any]:
    kind, data = event_data(entry.event)
    return {"seq": seq, "key": entry.key, "time": time, "kind": kind, "data": data}
