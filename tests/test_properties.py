"""Whole games of random legal and illegal events, by every preset; and data from anywhere."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine import legality
from scorekeeper.engine.catalog import formulas, presets
from scorekeeper.engine.events import (
    Ended,
    Entry,
    Event,
    EventError,
    HandWritten,
    PlanChanged,
    TableChanged,
    Undone,
    event_data,
    read_event,
)
from scorekeeper.engine.faults import RuleError
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.plain import Problem
from scorekeeper.engine.rules import Rules, RulesError, read_rules
from scorekeeper.engine.scorefile import FileError, document, read, report
from scorekeeper.engine.scoring import read_formula
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import awards, chances, standings, winners
from tests.games import times

# A few games by each preset, and more where the profile asks for more.
FEW = settings(max_examples=max(2, settings().max_examples // 50))
RANDOM = st.randoms(use_true_random=True)
NAMES = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def next_seat_number(sheet: Sheet) -> int:
    tables = [entry.event.table for entry in sheet.entries if isinstance(entry.event, TableChanged)]
    return max(max(table) for table in (sheet.table, *tables)) + 1


def random_bids(rng: Random, hand: Hand) -> HandWritten:
    """Bids of the whole hand, the last bid a legal one as far as bids in order can say."""
    bids = {seat: rng.choice((0, rng.randint(0, hand.cards))) for seat in hand.present}
    last = hand.last_bidder
    if last is not None and hand.hook and sum(bids.values()) == hand.cards and rng.random() < 0.9:
        bids[last] += 1 if bids[last] < hand.cards else -1
    return HandWritten.of(hand.number, bids=bids)


def random_tricks(rng: Random, hand: Hand) -> HandWritten:
    """Tricks that add up, as near to the bids as chance has it."""
    tricks = dict.fromkeys(hand.present, 0)
    for _ in range(hand.tricks_to_win):
        tricks[rng.choice(hand.present)] += 1
    return HandWritten.of(hand.number, tricks=tricks)


def correction(rng: Random, sheet: Sheet, hand: Hand) -> HandWritten:
    """Anything at all on one hand."""
    seat = rng.choice([*hand.table, rng.choice(sheet.seats)])
    cells: dict[str, Any] = rng.choice(
        [
            {"bids": {seat: rng.choice((None, rng.randint(-1, hand.cards + 1)))}},
            {"tricks": {seat: rng.choice((None, rng.randint(-1, hand.cards + 1)))}},
            {"adjust": {seat: rng.choice((-5, None, 3))}},
            {"absent": {seat: rng.choice((True, None))}},
            {"as_bid": {seat: rng.choice((True, None))}},
            {"blind": {seat: True}},
            {"side": {seat: 1}},
            {"wager": {seat: 2}},
            {"cards": rng.choice((None, rng.randint(1, 9), 60))},
            {"dealer": rng.choice((None, seat))},
            {"first_bidder": seat},
            {"trump": rng.choice(("C", "S", "NT", None))},
            {"outcome": rng.choice(("void", "bomb", "skipped", "played", None))},
            {"override": rng.choice((True, None)), "note": "so be it"},
        ]
    )
    return HandWritten.of(hand.number, **cells)


def change_of_table(rng: Random, sheet: Sheet, number: int) -> TableChanged:
    table = list(sheet.hand(number).table)
    carry: tuple[tuple[int, int], ...] = ()
    match rng.choice(("join", "leave", "swap")):
        case "join":
            seat = next_seat_number(sheet)
            table.insert(rng.randrange(len(table) + 1), seat)
            carry = ((seat, 7),) if rng.random() < 0.5 else ()
        case "leave":
            table.remove(rng.choice(table))
        case _:
            rng.shuffle(table)
    return TableChanged(number, tuple(table), carry)


def random_event(rng: Random, sheet: Sheet, *, structural: bool) -> Event:
    """Mostly what comes next; now and then a correction or something quite wrong."""
    current, chance = sheet.current, rng.random()
    if chance < 0.72 and current is not None:
        if not current.bids_in and current.present:
            return random_bids(rng, current)
        if current.present:
            return random_tricks(rng, current)
    if chance < 0.92 or not structural:
        hand = rng.choice(sheet.hands[: sheet.written + 2]) if sheet.hands else sheet.hand(1)
        return correction(rng, sheet, hand)
    if chance < 0.95:
        return Undone(rng.choice([entry.key for entry in sheet.entries] or ["none"]))
    number = rng.randint(1, len(sheet.hands))
    others: list[Event] = [
        change_of_table(rng, sheet, number),
        PlanChanged(number, tuple(rng.randint(1, 5) for _ in range(rng.randint(0, 3)))),
        HandWritten.of(len(sheet.hands) + 2, bids={0: 0}),
        TableChanged(number, (0, 1, 40)),
        Ended("late"),
    ]
    return rng.choice(others)


def play(rng: Random, rules: Rules, steps: int, *, structural: bool = True) -> Sheet:
    """A game of `steps` random events; the refused ones leave no trace, and are refused with RuleError alone."""
    players = rng.randint(*rules.players)
    sheet = Sheet(rules, tuple(range(players)), rng.randrange(players))
    for step in range(steps):
        event = random_event(rng, sheet, structural=structural)
        try:
            sheet.check(event)
        except RuleError:
            continue
        sheet = sheet.apply(Entry(str(step), event))
    return sheet


def folded(sheet: Sheet) -> tuple[Any, ...]:
    """All that people see of a sheet."""
    hands = [
        (hand.table, hand.dealer, hand.bids, hand.tricks, hand.points, hand.totals, hand.phase) for hand in sheet.hands
    ]
    return (
        hands,
        dict(sheet.totals),
        standings(sheet),
        sheet.faults,
        sheet.over,
        chances(sheet),
        awards(sheet),
        winners(sheet),
    )


def again(sheet: Sheet, entries: tuple[Entry, ...]) -> Sheet:
    return Sheet(sheet.rules, sheet.table, sheet.first_dealer, entries)


def plan_changed(sheet: Sheet) -> bool:
    return any(isinstance(entry.event, PlanChanged) for entry in sheet.counting)


GAMES = st.builds(lambda name, rng: play(rng, presets()[name].rules, 16), st.sampled_from(list(presets())), RANDOM)


@pytest.mark.parametrize("preset", presets())
@FEW
@given(rng=RANDOM)
def test_a_whole_game(preset: str, rng: Random) -> None:
    sheet = play(rng, presets()[preset].rules, 16)

    # Nothing but a sum.
    carried: dict[int, Any] = dict.fromkeys(sheet.seats, 0)
    for entry in sheet.counting:
        if isinstance(entry.event, TableChanged) and entry.event.hand <= len(sheet.hands):
            carried |= dict(entry.event.carry)
    for seat, total in sheet.totals.items():
        begun = sheet.hands[: max(1, sheet.written)]
        assert total == sum((hand.points.get(seat) or 0 for hand in begun), start=0) + carried[seat]
    # The same log is the same sheet.
    assert folded(again(sheet, sheet.entries)) == folded(sheet)
    # An undone entry was never there, and comes back with a redo.
    if sheet.last is not None:
        undone = sheet.apply(Entry("undo", Undone(sheet.last.key)))
        without = again(sheet, tuple(entry for entry in sheet.counting if entry != sheet.last))
        assert folded(undone) == folded(without)
        assert folded(undone.apply(Entry("redo", Undone("undo")))) == folded(sheet)
    # Everything survives being written down.
    for entry in sheet.entries:
        kind, data = event_data(entry.event)
        assert read_event(kind, json.loads(json.dumps(data))) == entry.event


@pytest.mark.parametrize("preset", presets())
@FEW
@given(rng=RANDOM)
def test_what_check_lets_through_has_no_fault(preset: str, rng: Random) -> None:
    """But for what a later correction does to another hand, and what is missing where an entry was rubbed out."""
    rules = presets()[preset].rules
    sheet = Sheet(rules, tuple(range(rules.players[0])), 0)

    for step in range(18):
        event = random_event(rng, sheet, structural=False)
        try:
            sheet.check(event)
        except RuleError:
            continue
        assert isinstance(event, HandWritten)
        before, sheet = sheet.hand(event.hand), sheet.apply(Entry(str(step), event))
        hand = sheet.hand(event.hand)
        had = set(legality.faults(before))
        assert {fault for fault in legality.faults(hand) if not fault.code.endswith("_missing")} <= had
        if had:
            continue  # another entry may have left them
        if hand.phase == "finished" and hand.outcome in ("played", "bomb") and not hand.as_bid:
            assert hand.tricks_total == hand.tricks_to_win
        if hand.bids_in and hand.hook and not hand.override and hand.outcome != "void" and hand.forbidden is not None:
            assert hand.bids_total != hand.cards


@pytest.mark.parametrize("preset", presets())
@FEW
@given(rng=RANDOM)
def test_an_exported_sheet_reads_back(preset: str, rng: Random) -> None:
    sheet = play(rng, presets()[preset].rules, 16)
    names = NAMES[: next_seat_number(sheet)]

    exported = json.loads(json.dumps(document(sheet, names, times(sheet))))
    file = read(exported)

    assert file.faults == ()
    assert (file.sheet, file.names) == (sheet, names)
    assert folded(file.sheet) == folded(sheet)
    found = [(fault["hand"], fault["code"], fault["message"]) for fault in report(file)["faults"]]
    assert sorted(found, key=str) == sorted(((one.hand, one.code, str(one)) for one in sheet.faults), key=str)
    # Without its log it gives the same points, unless the plan was changed.
    if not plan_changed(sheet):
        bare = report(read({key: value for key, value in exported.items() if key != "log"}))
        assert [hand["points"] for hand in bare["hands"]] == [hand["points"] for hand in report(file)["hands"]]


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["max", "1e99", "C"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4) | st.sampled_from(["0", "3"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def spoiled(draw: st.DrawFn, sound: st.SearchStrategy[Any]) -> Any:
    """Sound data with something else in one place, or with a key more."""
    data = json.loads(json.dumps(draw(sound)))
    where = data
    while True:
        keys = list(where) if isinstance(where, dict) else list(range(len(where)))
        if not keys:
            return data
        key = draw(st.sampled_from(keys))
        if isinstance(where[key], dict | list) and where[key] and draw(st.booleans()):
            where = where[key]
            continue
        where[key] = draw(ANYTHING)
        return data


RULES = st.sampled_from([preset.rules.to_data() for preset in presets().values()])


@settings(max_examples=100)
@given(data=ANYTHING | spoiled(RULES))
def test_broken_rules_are_a_rules_error_and_nothing_else(data: object) -> None:
    try:
        rules = read_rules(data, formulas())
    except RulesError:
        return

    assert read_rules(json.loads(json.dumps(rules.to_data())), formulas()) == rules


FORMULAS = st.sampled_from([formula.to_data() for formula in formulas().values()])


@settings(max_examples=100)
@given(data=ANYTHING | spoiled(FORMULAS))
def test_a_broken_formula_is_a_list_of_problems_and_nothing_else(data: object) -> None:
    problems: list[Problem] = []

    formula = read_formula(data, "scoring", problems)

    assert problems or read_formula(json.loads(json.dumps(formula.to_data())), "scoring", []) == formula
    assert all(problem.path.startswith("scoring") for problem in problems)


EVENTS = st.sampled_from(
    [
        {
            "hand": 1,
            "bids": {"0": 1, "1": None},
            "trump": "S",
            "adjust": {"2": "1/2"},
            "note": "x",
            "absent": {"1": True},
        },
        {"hand": 2, "table": [0, 2, 1, 3], "carry": {"3": 7}},
        {"hand": 3, "cards": [1, 2, 3]},
        {"reason": "late"},
        {"key": "k"},
    ]
)


@settings(max_examples=300)
@given(kind=st.sampled_from(["hand", "table", "plan", "ended", "undone"]) | st.text(), data=ANYTHING | spoiled(EVENTS))
def test_a_broken_event_is_an_event_error_and_nothing_else(kind: str, data: object) -> None:
    sheet = Sheet(presets()["oh_hell_hook"].rules, (0, 1, 2), 2)
    try:
        event = read_event(kind, data)
    except EventError:
        return

    # What reads as an event folds, legal or not.
    assert folded(sheet.apply(Entry("k", event)))
    assert read_event(*event_data(event)) == event


FILES = GAMES.map(lambda sheet: document(sheet, NAMES[: next_seat_number(sheet)], times(sheet)))
BARE_FILES = FILES.map(lambda data: {key: value for key, value in data.items() if key != "log"})


@settings(max_examples=60)
@given(data=ANYTHING | spoiled(FILES) | spoiled(BARE_FILES))
def test_a_broken_file_is_a_file_error_or_has_faults_and_nothing_else(data: object) -> None:
    try:
        file = read(data)
    except FileError:
        return

    json.dumps(report(file))
    json.dumps(document(file.sheet, file.names, times(file.sheet)))
