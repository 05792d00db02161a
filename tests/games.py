"""Games in a line or two, for the tests of the engine."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.events import Entry, Event, HandWritten
from scorekeeper.engine.faults import Fault, RuleError
from scorekeeper.engine.rules import Rules, read_rules
from scorekeeper.engine.sheet import Sheet

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> Any:
    """Data of `tests/cases`."""
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))


def rules_with(**axes: Any) -> Rules:
    """The base game but for these axes."""
    return read_rules(axes, formulas())


def listed(*cards: int, **axes: Any) -> Rules:
    """The base game but for these axes, with hands of these sizes, for three or four players unless they say more."""
    segments = [{"from": size, "to": size} for size in cards]
    return rules_with(
        schedule={"max": {"kind": "fixed", "cards": max(cards)}, "segments": segments}, **{"players": [3, 4], **axes}
    )


def new_sheet(rules: Rules, players: int = 3, first_dealer: int | None = None) -> Sheet:
    """An empty sheet; the last seat deals first, so that seat 0 bids first."""
    return Sheet(rules, tuple(range(players)), players - 1 if first_dealer is None else first_dealer)


def unchecked(sheet: Sheet, *events: Event) -> Sheet:
    """The sheet with these events, legal or not, each under its number in the log as key."""
    for event in events:
        sheet = sheet.apply(Entry(str(len(sheet.entries)), event))
    return sheet


def after(sheet: Sheet, *events: Event) -> Sheet:
    """The sheet with these events, each of which must be legal."""
    for event in events:
        sheet.check(event)
        sheet = unchecked(sheet, event)
    return sheet


def refused(sheet: Sheet, event: Event) -> Fault:
    """Why the sheet refuses an event."""
    with pytest.raises(RuleError) as caught:
        sheet.check(event)
    return caught.value.fault


def by_seat(values: Sequence[Any]) -> dict[int, Any]:
    return dict(enumerate(values))


def bids(hand: int, *values: int | None, **cells: Any) -> HandWritten:
    """Bids by seat from 0."""
    return HandWritten.of(hand, bids=by_seat(values), **cells)


def tricks(hand: int, *values: int | None, **cells: Any) -> HandWritten:
    """Tricks by seat from 0."""
    return HandWritten.of(hand, tricks=by_seat(values), **cells)


def played(hand: int, bid: Sequence[int | None], won: Sequence[int | None], **cells: Any) -> HandWritten:
    """Bids and tricks by seat from 0, in one entry."""
    return HandWritten.of(hand, bids=by_seat(bid), tricks=by_seat(won), **cells)


def times(sheet: Sheet) -> list[str]:
    """A time for each entry of a sheet, a second apart."""
    return [f"2026-01-31T20:{n // 60:02}:{n % 60:02}+00:00" for n in range(len(sheet.entries))]
