"""Chances to win: what must hold of them, and what is certain."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scorekeeper.engine import banks, catalog
from scorekeeper.engine.events import Ended, Entry, HandWritten, PlanChanged, Undone
from scorekeeper.engine.rules import Rules, read_rules
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.winning import GAUSS, MOST_TO_COME, Spread, chances_to_win, win_shares


def rules(cards: list[int], **changes: Any) -> Rules:
    """The base game with these hand sizes."""
    sizes = [{"from": size, "to": size} for size in cards]
    schedule = {"max": {"kind": "fixed", "cards": max(cards)}, "segments": sizes}
    return read_rules({"schedule": schedule, "players": [2, 52 // max(cards)], **changes}, catalog.formulas())


def played(one: Rules, players: int, *hands: dict[str, Any]) -> Sheet:
    sheet = Sheet(one, tuple(range(players)), players - 1)
    for number, hand in enumerate(hands, 1):
        cells = {name: dict(enumerate(values)) for name, values in hand.items()}
        sheet = sheet.apply(Entry(str(number), HandWritten.of(number, **cells)))
    return sheet


def shares(sheet: Sheet) -> list[float]:
    """By seat, checked to be chances that add up to 1."""
    chances = chances_to_win(sheet, Random(1))
    assert chances is not None
    assert sum(chances.values()) == pytest.approx(1)
    assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances.values())
    return [chances[seat] for seat in sheet.seats]


NOBODY_MADE = {"bids": [0, 0, 0, 0], "tricks": [1, 0, 0, 0]}
FIRST_AHEAD = {"bids": [1, 1, 1, 0], "tricks": [1, 0, 0, 0]}


@pytest.mark.parametrize("cards", [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], list(range(1, 14))])
def test_before_the_first_hand_all_have_about_the_same_chance(cards: list[int]) -> None:
    assert shares(played(rules(cards), 4)) == pytest.approx([0.25] * 4, abs=0.06)


def test_who_is_ahead_has_the_better_chance_and_the_more_so_the_later_it_is() -> None:
    ahead = {"bids": [1, 1, 1, 1], "tricks": [1, 0, 0, 0]}
    chances = [shares(played(rules([1] * hands), 4, ahead))[0] for hands in (12, 6, 4, 3, 2)]

    assert chances == sorted(chances)
    assert 0.25 < chances[0] < chances[-1] < 1


def test_a_lead_that_no_hand_can_make_up_wins() -> None:
    one = rules(
        [1, 1, 1],
        scoring={
            "cases": [
                {"when": {"made": True, "bid": 1}, "points": {"const": 100}},
                {"when": {}, "points": {"const": 0}},
            ]
        },
    )
    all_but_one = {"bids": [1, 0, 0, 0], "tricks": [1, 0, 0, 0]}

    assert shares(played(one, 4, all_but_one, all_but_one))[0] == pytest.approx(1)


def test_with_the_bids_in_only_shares_of_the_tricks_are_left() -> None:
    # One card: seat 1 needs the trick, the others need to lose it. All are equal.
    sheet = played(rules([1]), 3, {"bids": [1, 0, 0]})
    first, *others = shares(sheet)

    # Seat 0 made: 11 against 10 and 10. Missed: the two others share it, or one of them alone where the other has it.
    spread = banks.bank(3, 1, hook=False)
    assert spread is not None
    made = [one.tricks_after(bid, 0)[bid] for one, bid in ((spread, 1), (spread, 0))]
    wins = made[0] * made[1] ** 2
    loses = (1 - made[0]) * 2 * (1 - made[1]) * made[1]
    assert first == pytest.approx(wins / (wins + loses))
    assert others == pytest.approx([(1 - first) / 2] * 2)


def test_low_totals_win_where_the_rules_say_so() -> None:
    low = rules([1] * 6, scoring="negative")
    sheet = played(low, 4, {"bids": [0, 0, 0, 1], "tricks": [1, 0, 0, 0]})

    chances = shares(sheet)

    assert chances[1] > chances[0]
    assert chances[1] > chances[3]


def test_what_breaks_a_tie_counts() -> None:
    # All level on points: seat 0 by two bids made, the others by one.
    scoring = {
        "cases": [
            {"when": {"made": True, "bid": 0}, "points": {"const": 5}},
            {"when": {"made": True}, "points": {"const": 10}},
            {"when": {}, "points": {"const": 0}},
        ]
    }
    hands = [
        {"bids": [0, 1, 1], "tricks": [0, 1, 0]},
        {"bids": [0, 1, 1], "tricks": [0, 0, 1]},
    ]
    shared = shares(played(rules([1, 1, 1], scoring=scoring), 3, *hands))
    by_made = shares(played(rules([1, 1, 1], scoring=scoring, tie="most_made_bids"), 3, *hands))

    assert by_made[0] > shared[0]
    assert by_made[1] < shared[1]


def test_points_with_halves_and_points_by_trump_or_by_the_sum_of_bids_are_foreseen() -> None:
    for formula in ("trick_half", "israeli_whist"):
        for hands in (2, 6):
            shares(played(rules([2] * hands, scoring=formula), 4))


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        (played(rules([1]), 4, {"bids": [1, 0, 1, 0], "tricks": [1, 0, 0, 0]}), "it is over"),
        (played(rules([1, 2]), 4).apply(Entry("e", Ended())), "the table ended it"),
        (played(rules([1], end={"kind": "open"}), 4), "its end is open"),
        (played(rules([1], scoring="binary_halving"), 4), "points hang on totals"),
        (played(rules([1], scoring="wager_square"), 4), "points hang on stakes"),
        (played(rules([1]), 9), "nobody has played it with nine"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_where_it_cannot_be_said_there_is_no_chance(sheet: Sheet, why: str) -> None:
    assert chances_to_win(sheet, Random(1)) is None, why


@pytest.mark.parametrize("hands", [1, 6])
def test_a_bid_that_an_undo_left_above_its_hands_cards_is_no_reason_to_fail(hands: int) -> None:
    sheet = played(rules([2] * hands), 3).written_on(Entry("c", HandWritten.of(1, cards=4)))
    sheet = sheet.written_on(Entry("b", HandWritten.of(1, bids={0: 4, 1: 0, 2: 1})))
    assert sum(shares(sheet)) == pytest.approx(1)

    sheet = sheet.written_on(Entry("u", Undone("c")))

    assert [fault.code for fault in sheet.faults] == ["bid_range"]
    assert chances_to_win(sheet, Random(1)) is None


def test_where_all_sit_out_there_is_no_chance() -> None:
    sheet = played(rules([1, 1]), 3).apply(Entry("a", HandWritten.of(1, absent=dict.fromkeys(range(3), True))))

    assert chances_to_win(sheet, Random(1)) is None


def test_chances_with_all_bids_in_add_up_however_unlikely_some_shares_are() -> None:
    shares(played(rules([10]), 5, {"bids": [5, 5, 4, 4, 4]}))


def test_a_plan_of_very_many_hands_is_not_added_up() -> None:
    sheet = played(rules([1]), 3)
    longest = sheet.written_on(Entry("p", PlanChanged(1, (1,) * MOST_TO_COME)))
    longer = sheet.written_on(Entry("p", PlanChanged(1, (1,) * (MOST_TO_COME + 1))))

    assert shares(longest) == pytest.approx([1 / 3] * 3)
    assert chances_to_win(longer, Random(1)) is None


@pytest.mark.parametrize("players", [2, 3, 5, 6, 7])
def test_chances_add_up_for_every_number_of_players(players: int) -> None:
    one = rules([5, 4, 3, 2, 1])
    shares(played(one, players))
    shares(played(one, players, {"bids": [1] * players}))


def test_who_sits_out_the_hands_to_come_keeps_a_total_that_may_win() -> None:
    sheet = played(rules([1, 1]), 4, {"bids": [1, 1, 1, 1], "tricks": [1, 0, 0, 0]})
    sheet = sheet.apply(Entry("a", HandWritten.of(2, absent={0: True})))

    assert 0 < shares(sheet)[0] < 1


def test_tied_wins_are_shared_exactly() -> None:
    level: Spread = {0: 1.0}

    for players in range(2, 8):
        assert win_shares([level] * players) == pytest.approx([1 / players] * players)
    assert win_shares([{0: 0.5, 1: 0.5}, {0: 1.0}]) == pytest.approx([0.75, 0.25])
    assert sum(weight for _, weight in GAUSS) == pytest.approx(1)


@pytest.mark.parametrize("players", banks.PLAYERS)
def test_every_bank_holds_whole_hands(players: int) -> None:
    for hook in (False, True):
        for cards in range(1, banks.most_cards(players) + 1):
            one = banks.bank(players, cards, hook=hook)
            assert one is not None
            assert len(one.hands) == banks.HANDS
            assert all(sum(tricks) == cards for _, tricks in one.hands)
            assert all(max(bids) <= cards for bids, _ in one.hands)
            assert not hook or all(sum(bids) != cards for bids, _ in one.hands)
            assert sum(one.tricks_after(0, -5)) == pytest.approx(1)
    assert banks.bank(players, banks.most_cards(players) + 1, hook=True) is None


def test_the_same_sheet_has_the_same_chances() -> None:
    sheet = played(rules([3, 2, 1]), 4, {"bids": [1, 1, 1, 1], "tricks": [1, 1, 1, 0]})

    assert chances_to_win(sheet, Random(3)) == chances_to_win(replace(sheet), Random(3))
