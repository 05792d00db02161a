"""Places and ties; what can still happen, against every end there is; what a sheet praises."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.events import HandWritten, TableChanged
from scorekeeper.engine.hands import Hand
from scorekeeper.engine.scoring import Facts, points
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import Award, awards, chances, standings, winners
from tests.games import after, bids, listed, new_sheet, played, unchecked


def test_a_line_of_the_standings() -> None:
    sheet = after(new_sheet(listed(3, 2)), played(1, [2, 1, 1], [2, 1, 0]), played(2, [1, 0, 2], [0, 0, 2]))

    (first, *_) = standings(sheet)
    assert (first.seat, first.total, first.made, first.hands, first.made_bids, first.tricks, first.best) == (
        1,
        21,
        2,
        2,
        1,
        1,
        11,
    )
    assert [(line.place, line.seat, line.total, line.made, line.best) for line in standings(sheet)] == [
        (1, 1, 21, 2, 11),
        (2, 0, 12, 1, 12),
        (2, 2, 12, 1, 12),
    ]


def test_before_the_first_hand_all_share_the_first_place() -> None:
    assert [(line.place, line.best, line.hands) for line in standings(new_sheet(listed(1)))] == [(1, None, 0)] * 3


def test_equal_totals_share_a_place_and_the_next_is_left_out() -> None:
    sheet = after(new_sheet(listed(1), 4), played(1, [1, 0, 0, 1], [1, 0, 0, 0]))

    assert [(line.place, line.seat) for line in standings(sheet)] == [(1, 0), (2, 1), (2, 2), (4, 3)]


def test_where_the_lowest_total_wins() -> None:
    sheet = after(new_sheet(listed(3, scoring="negative")), played(1, [0, 1, 0], [2, 1, 0]))

    assert [(line.place, line.seat, line.total) for line in standings(sheet)] == [(1, 1, 0), (1, 2, 0), (3, 0, 3)]


# Seats 0 and 1 end level: with one bid of 2 made and five tricks, and with two bids of 0 and 1 made and two tricks.
@pytest.mark.parametrize(
    ("tie", "first"),
    [("shared", (0, 1)), ("most_made_bids", (1,)), ("most_made_bid_total", (0,)), ("most_tricks", (0,))],
)
def test_ties_are_broken_as_the_rules_say(tie: str, first: tuple[int, ...]) -> None:
    sheet = after(
        new_sheet(listed(3, 3, 1, tie=tie)),
        played(1, [2, 1, 0], [2, 1, 0]),
        played(2, [0, 3, 3], [2, 1, 0]),
        played(3, [0, 0, 1], [1, 0, 0], adjust={1: -9}),
    )

    assert sheet.totals == {0: 12, 1: 12, 2: 10}
    assert winners(sheet) == first


def outcomes(hand: Hand) -> Iterator[dict[int, Any]]:
    """The points of every way that a hand can end, its written bids and tricks as they are."""
    seats, cards = hand.order, hand.cards

    def numbers(written: int | None) -> Iterator[int]:
        return iter(range(cards + 1) if written is None else [written])

    for bid in product(*(numbers(hand.bids[seat]) for seat in seats)):
        if hand.hook and sum(bid) == cards:
            continue
        for won in product(*(numbers(hand.tricks[seat]) for seat in seats)):
            if sum(won) == cards:
                facts = (
                    Facts(cards, one, took, players=len(seats), max_cards=hand.max_cards)
                    for one, took in zip(bid, won, strict=True)
                )
                yield dict(zip(seats, (points(hand.rules.scoring, one) for one in facts), strict=True))


def ends(sheet: Sheet) -> set[tuple[Any, ...]]:
    """The totals of every way that a game of three can end."""
    to_come = [hand for hand in sheet.hands if hand.phase != "finished"]
    reached = {tuple(to_come[0].totals_before[seat] for seat in range(3))}
    for hand in to_come:
        given = {tuple(one[seat] for seat in range(3)) for one in outcomes(hand)}
        reached = {tuple(map(sum, zip(*pair, strict=True))) for pair in product(reached, given)}
    return reached


BEGINNINGS = {
    "nothing": [],
    "one hand": [played(1, [3, 0, 0], [3, 0, 0])],
    "one hand, one behind": [played(1, [2, 1, 3], [2, 1, 0])],
    "bids": [played(1, [1, 1, 2], [1, 0, 2]), HandWritten.of(2, bids={1: 2, 2: 2})],
    "one trick": [played(1, [3, 3, 1], [0, 0, 3]), bids(2, 1, 2, 0), HandWritten.of(2, tricks={2: 2})],
    "all but the last": [played(1, [3, 3, 3], [0, 0, 3]), played(2, [2, 2, 2], [0, 0, 2])],
}


@pytest.mark.parametrize("hook", ["never", "always"])
@pytest.mark.parametrize("beginning", BEGINNINGS)
@pytest.mark.parametrize(
    "formula", ["exact", "trick_half", "negative", "negative_cards", "wizard", "skull_king", "variable_bonus"]
)
def test_what_can_happen_is_what_every_end_says(formula: str, beginning: str, hook: str) -> None:
    sheet = new_sheet(listed(3, 2, 1, scoring=formula, bidding={"hook": hook}))
    if beginning == "nothing":
        sheet = new_sheet(listed(2, 1, scoring=formula, bidding={"hook": hook}))
    sheet = unchecked(sheet, *BEGINNINGS[beginning])

    said, reached = chances(sheet), ends(sheet)

    assert said is not None
    best_of = min if formulas()[formula].direction == "low" else max
    for seat in range(3):
        mine = [totals[seat] for totals in reached]
        best, worst = (min(mine), max(mine)) if best_of is min else (max(mine), min(mine))
        if hook == "never":
            assert (said[seat].best, said[seat].worst) == (best, worst)
        else:
            assert best_of(said[seat].best, best) == said[seat].best
            assert best_of(said[seat].worst, worst) == worst
        if any(totals[seat] == best_of(totals) for totals in reached):
            assert said[seat].can_win
        if said[seat].has_won:
            assert all(totals[seat] == best_of(totals) and totals.count(totals[seat]) == 1 for totals in reached)


def test_who_is_too_far_behind_cannot_win_and_who_is_far_enough_ahead_has_won() -> None:
    sheet = after(new_sheet(listed(3, 1)), played(1, [3, 3, 0], [3, 0, 0]))

    said = chances(sheet)
    assert said is not None
    assert [said[seat].can_win for seat in range(3)] == [True, False, True]
    assert [said[seat].has_won for seat in range(3)] == [False, False, False]
    ahead = after(new_sheet(listed(3, 1)), played(1, [3, 3, 3], [3, 0, 0]))
    said = chances(ahead)
    assert said is not None
    assert (said[0].has_won, said[1].can_win, said[2].can_win) == (True, False, False)


def test_while_a_tie_may_bring_extra_hands_nobody_is_out() -> None:
    rules = listed(3, 1, tie="extra_max_hands")
    sheet = after(new_sheet(rules), played(1, [3, 3, 0], [3, 0, 0]))

    said = chances(sheet)
    assert said is not None
    assert said[1].can_win


def test_who_left_can_still_win_but_earns_nothing_more() -> None:
    sheet = after(new_sheet(listed(3, 1), 4), played(1, [3, 0, 0, 0], [3, 0, 0, 0]), TableChanged(2, (1, 2, 3)))

    said = chances(sheet)
    assert said is not None
    assert (said[0].worst, said[0].best, said[0].can_win) == (13, 13, True)


def test_an_adjustment_that_is_written_counts_as_it_will() -> None:
    sheet = after(new_sheet(listed(2)), HandWritten.of(1, adjust={0: Fraction(-1, 2)}))

    said = chances(sheet)
    assert said is not None
    assert (said[0].worst, said[0].best) == (Fraction(-1, 2), Fraction(23, 2))


def test_a_trump_that_is_not_written_may_be_any() -> None:
    sheet = after(
        new_sheet(listed(1, 1, scoring="spades_double")),
        played(1, [1, 0, 1], [1, 0, 0]),
        played(2, [0, 0, 0], [1, 0, 0]),
    )
    assert sheet.over
    sheet = after(new_sheet(listed(1, 1, 1, scoring="spades_double")), played(1, [1, 0, 1], [1, 0, 0]))

    said = chances(sheet)
    assert said is not None
    assert said[0].worst == 11
    assert said[0].best == 22 + 22 + 11  # the last hand has no trump


@pytest.mark.parametrize(
    "axes",
    [
        {"end": {"kind": "open"}},
        {"end": {"kind": "target", "target": 50}},
        {"scoring": "binary_halving"},
        {"scoring": "wager_square"},
        {"scoring": "twos"},
    ],
)
def test_what_cannot_be_said_is_not_said(axes: dict[str, Any]) -> None:
    assert chances(new_sheet(listed(1, 2, **axes))) is None


def test_after_the_end_there_is_nothing_more_to_say() -> None:
    assert chances(after(new_sheet(listed(1)), played(1, [0, 0, 0], [1, 0, 0]))) is None


def test_awards_name_all_who_reached_the_number() -> None:
    sheet = after(new_sheet(listed(3, 2, 1)), played(1, [2, 1, 1], [2, 1, 0]), played(2, [1, 0, 2], [0, 0, 2]))

    assert awards(sheet) == (
        Award("most_made", (1,), 2),
        Award("biggest_bid", (0, 2), 2),
        Award("longest_streak", (1,), 2),
    )
    assert awards(new_sheet(listed(1))) == ()
