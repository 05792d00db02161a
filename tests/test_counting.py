"""Counting trick by trick: shown to everybody, never scored, checked when it is written."""

import pytest

from scorekeeper.engine.events import Entry, HandWritten, Undone
from scorekeeper.engine.scorefile import document, read
from scorekeeper.engine.sheet import Sheet
from tests.games import after, bids, listed, new_sheet, played, refused, tricks


def counts(hand: int, **by_seat: int | None) -> HandWritten:
    """`counts(1, _0=2)`: seat 0 has won two tricks so far."""
    return HandWritten.of(hand, won={int(seat[1:]): count for seat, count in by_seat.items()})


@pytest.fixture
def bid_for() -> Sheet:
    """Three cards, of which seat 0 wants two, seat 1 none and seat 2 two."""
    return after(new_sheet(listed(3, 2)), bids(1, 2, 0, 2))


def test_a_count_changes_neither_phase_nor_points(bid_for: Sheet) -> None:
    hand = after(bid_for, counts(1, _0=2), counts(1, _1=1)).hand(1)

    assert hand.phase == "playing"
    assert hand.points == {0: None, 1: None, 2: None}
    assert hand.won == {0: 2, 1: 1, 2: None}


def test_who_still_needs_what(bid_for: Sheet) -> None:
    hand = after(bid_for, counts(1, _0=2), counts(1, _1=1)).hand(1)

    assert {seat: hand.needs(seat) for seat in range(3)} == {0: 0, 1: -1, 2: 2}


def test_all_are_counted_when_the_counts_are_the_tricks(bid_for: Sheet) -> None:
    two = after(bid_for, counts(1, _0=2))

    assert (two.hand(1).counting, two.hand(1).all_counted) == (True, False)
    assert after(two, counts(1, _2=1)).hand(1).all_counted
    assert not bid_for.hand(1).counting


def test_nobody_counts_before_all_have_bid() -> None:
    sheet = after(new_sheet(listed(3)), HandWritten.of(1, bids={0: 1}))

    assert refused(sheet, counts(1, _0=1)).code == "bid_missing"


@pytest.mark.parametrize(
    ("count", "code"), [({"_0": 4}, "tricks_range"), ({"_0": -1}, "tricks_range"), ({"_0": 2, "_1": 2}, "tricks_total")]
)
def test_no_more_is_counted_than_was_dealt(bid_for: Sheet, count: dict[str, int], code: str) -> None:
    assert refused(bid_for, counts(1, **count)).code == code


def test_who_is_not_at_the_table_wins_no_trick(bid_for: Sheet) -> None:
    assert refused(bid_for, counts(1, _7=1)).code == "seat"


def test_a_count_is_taken_back_by_undo_and_rubbed_out_by_none(bid_for: Sheet) -> None:
    counted = after(bid_for, counts(1, _0=1))

    assert counted.apply(Entry("u", Undone("1"))).hand(1).won[0] is None
    assert after(counted, counts(1, _0=None)).hand(1).won[0] is None


def test_the_tricks_written_may_differ_from_the_count_and_are_what_is_scored(bid_for: Sheet) -> None:
    counted = after(bid_for, counts(1, _0=1, _1=2), tricks(1, 2, 0, 1))

    assert counted.totals == {0: 12, 1: 10, 2: 0}
    assert counted.faults == ()
    assert not after(counted, counts(1, _0=0)).hand(1).edited


def test_a_file_keeps_the_count_and_has_none_where_nobody_counts(bid_for: Sheet) -> None:
    counted = after(bid_for, counts(1, _0=1))
    names = ("Ann", "Bob", "Cy")
    written = {key: value for key, value in document(counted, names, [""] * 2).items() if key != "log"}

    assert document(counted, names, [""] * 2)["hands"][0]["won"] == [1, None, None]
    assert read(written).sheet.hand(1).won == {0: 1, 1: None, 2: None}
    assert "won" not in document(after(bid_for, played(1, [2, 0, 2], [2, 0, 1])), names, [""] * 2)["hands"][0]
