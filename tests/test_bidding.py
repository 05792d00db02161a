"""Who bids when, and which bids are legal."""

from typing import Any

import pytest

from scorekeeper.engine.bidding import evening_bid, legal, next_seat
from scorekeeper.engine.events import HandWritten
from tests.games import after, bids, cases, listed, new_sheet, played, refused, tricks

HOOK = {"hook": "always"}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("hook")])
def test_hook_from_elsewhere(case: dict[str, Any]) -> None:
    players = len(case["earlier_bids"]) + 1
    sheet = after(new_sheet(listed(case["cards"], bidding=HOOK), players), bids(1, *case["earlier_bids"]))
    hand = sheet.hand(1)

    assert hand.last_bidder == players - 1
    assert hand.forbidden == case["forbidden_last_bid"]
    assert list(hand.legal_bids(players - 1)) == case["legal_last_bids"]


@pytest.mark.parametrize(
    ("others", "bid"), [([2, 1], 2), ([0, 0], 5), ([5, 0], 0), ([5, 1], None), ([None, 1], None), ([], 5)]
)
def test_the_one_bid_that_would_even_them_out(others: list[int | None], bid: int | None) -> None:
    assert evening_bid(5, others) == bid


def test_no_zero_at_the_limit_unless_nothing_else_is_left() -> None:
    assert legal(2, None, zeros_used_up=True) == (1, 2)
    assert legal(2, 1, zeros_used_up=True) == (2,)
    assert legal(1, 1, zeros_used_up=True) == (0,)


def test_going_round_the_table() -> None:
    assert next_seat((0, 3, 1, 2), 3, 1, {0, 1, 2, 3}) == 1
    assert next_seat((0, 3, 1, 2), 3, -1, {0, 1, 2, 3}) == 0
    assert next_seat((0, 3, 1, 2), 2, 1, {1, 2}) == 1
    assert next_seat((0, 3, 1, 2), 2, 1, {2}) == 2
    assert next_seat((0, 3, 1, 2), 2, 1, set()) is None


# Four at the table, seat 0 deals.
@pytest.mark.parametrize(
    ("direction", "first", "order"),
    [
        ("clockwise", "left_of_dealer", (1, 2, 3, 0)),
        ("clockwise", "dealer", (0, 1, 2, 3)),
        ("clockwise", "right_of_dealer", (3, 0, 1, 2)),
        ("clockwise", "trump_maker", (1, 2, 3, 0)),
        ("anticlockwise", "right_of_dealer", (3, 2, 1, 0)),
        ("anticlockwise", "dealer", (0, 3, 2, 1)),
    ],
)
def test_order_of_bidding(direction: str, first: str, order: tuple[int, ...]) -> None:
    sheet = new_sheet(listed(5, direction=direction, bidding={"first": first}), 4, first_dealer=0)

    assert sheet.hand(1).order == order


def test_a_hand_may_name_who_bids_first() -> None:
    sheet = after(new_sheet(listed(5, bidding=HOOK), 4), HandWritten.of(1, first_bidder=2))

    assert sheet.hand(1).order == (2, 3, 0, 1)
    assert sheet.hand(1).last_bidder == 1


# Bids 1, 1 and an open third in hands of 2, 4 and 2 cards; the windows of the hook.
@pytest.mark.parametrize(
    ("axes", "forbidden"),
    [
        ({"hook": "never"}, [None, None, None]),
        ({"hook": "always"}, [0, 2, 0]),
        ({"hook": "always", "hook_min_cards": 4}, [None, 2, None]),
        ({"hook": "always", "hook_not_in_first_hand": True}, [None, 2, 0]),
        ({"hook": "always", "hook_not_in_last_hand": True}, [0, 2, None]),
        ({"hook": "always", "mode": "simultaneous"}, [None, None, None]),
    ],
)
def test_windows_of_the_hook(axes: dict[str, Any], forbidden: list[int | None]) -> None:
    sheet = new_sheet(listed(2, 4, 2, bidding=axes))
    found = []
    for number, cards in enumerate((2, 4, 2), 1):
        last = sheet.hand(number).last_bidder
        assert last is not None
        sheet = after(sheet, HandWritten.of(number, bids={seat: 1 for seat in range(3) if seat != last}))
        found.append(sheet.hand(number).forbidden)
        taken = dict.fromkeys(range(3), 0) | {last: cards}
        sheet = after(sheet, HandWritten.of(number, bids={last: 1}, tricks=taken))

    assert found == forbidden


def test_the_leading_dealer_alone_is_bound_and_may_even_the_bids_with_zero() -> None:
    rules = listed(2, 2, 2, 2, bidding={"hook": "dealer_leading_and_nonzero"})
    sheet = new_sheet(rules)
    # In the first hand nobody leads: seat 2 may even the bids.
    sheet = after(sheet, played(1, [1, 0, 1], [1, 0, 1]))
    assert sheet.totals == {0: 11, 1: 10, 2: 11}

    # Seat 0 deals, but does not lead alone: tied leaders do not count as leading.
    sheet = after(sheet, played(2, [0, 1, 1], [0, 1, 1]))
    assert sheet.totals == {0: 21, 1: 21, 2: 22}

    sheet = after(sheet, played(3, [1, 0, 1], [1, 1, 0]))
    assert sheet.totals == {0: 32, 1: 21, 2: 22}
    # Seat 2 deals hand 4, far behind; named dealer instead, the leader is bound.
    sheet = after(sheet, HandWritten.of(4, dealer=0, bids={1: 1, 2: 0}))
    assert sheet.hand(4).forbidden == 1
    fault = refused(sheet, HandWritten.of(4, bids={0: 1}))
    assert (fault.code, fault.seat, fault.numbers["bid"]) == ("hook", 0, 1)

    # Two bid by the others leaves zero to even them, which is allowed.
    sheet = after(sheet, HandWritten.of(4, bids={2: 1}))
    assert sheet.hand(4).forbidden is None
    sheet.check(HandWritten.of(4, bids={0: 0}))


def test_whichever_entry_makes_the_bids_add_up_is_refused_and_names_the_last_bidder() -> None:
    sheet = after(new_sheet(listed(5, bidding=HOOK)), bids(1, None, 2, 1))

    fault = refused(sheet, HandWritten.of(1, bids={0: 2}))

    assert (fault.code, fault.hand, fault.seat) == ("hook", 1, 2)
    assert sheet.hand(1).legal_bids(0) == (0, 1, 3, 4, 5)


def test_the_hook_holds_on_corrections_from_the_bids_of_the_others() -> None:
    sheet = after(new_sheet(listed(5, bidding=HOOK)), bids(1, 2, 2, 2), tricks(1, 2, 2, 1))

    assert sheet.hand(1).forbidden == 1  # whatever seat 2 has bid
    assert refused(sheet, HandWritten.of(1, bids={2: 1})).code == "hook"
    assert refused(sheet, HandWritten.of(1, bids={0: 1})).seat == 2
    sheet.check(HandWritten.of(1, bids={0: 0}))


def test_the_hook_binds_whoever_bids_last_among_those_present() -> None:
    sheet = after(new_sheet(listed(4, bidding=HOOK), 4), HandWritten.of(1, absent={3: True}, bids={0: 2, 1: 1}))

    assert sheet.hand(1).dealer == 3
    assert sheet.hand(1).order == (0, 1, 2)
    assert refused(sheet, HandWritten.of(1, bids={2: 1})).seat == 2


def test_the_table_may_let_a_forbidden_bid_stand() -> None:
    sheet = after(new_sheet(listed(5, bidding=HOOK)), bids(1, 2, 2))

    sheet = after(sheet, HandWritten.of(1, bids={2: 1}, override=True, note="too late"))

    assert sheet.hand(1).override
    assert sheet.hand(1).note == "too late"
    assert sheet.faults == ()
    assert refused(sheet, HandWritten.of(1, override=None)).code == "hook"


def test_bids_made_at_once_are_hidden_and_the_table_settles_an_even_total() -> None:
    sheet = after(new_sheet(listed(5, bidding={**HOOK, "mode": "simultaneous"})), bids(1, 2, None, 1))

    assert sheet.hand(1).hidden
    fault = refused(sheet, HandWritten.of(1, bids={1: 2}))
    assert (fault.code, fault.seat, str(fault)) == ("hook", None, "The bids equal the 5 tricks.")
    sheet = after(sheet, HandWritten.of(1, bids={1: 2}, override=True))
    assert not sheet.hand(1).hidden


def zeros(hands: int) -> Any:
    """A game of one-card hands in which seat 0 has bid zero `hands` times; more than two may not in a row."""
    rules = listed(*[1] * 6, bidding={**HOOK, "zero_bids_in_a_row_max": {"max": 2, "if_players_over": 2}})
    sheet = new_sheet(rules)
    for number in range(1, hands + 1):
        # One bid of 1 too many or too few keeps clear of the hook.
        sheet = after(sheet, played(number, [0, 1, 1], [0, 1, 0]))
    return sheet


def test_no_third_zero_in_a_row() -> None:
    sheet = zeros(2)

    fault = refused(sheet, bids(3, 0))
    assert (fault.code, fault.seat) == ("zero_bids", 0)
    assert sheet.hand(3).legal_bids(0) == (1,)
    assert str(fault) == "Not 0 again: 2 zero bids in a row is the most."


def test_the_limit_yields_where_the_hook_leaves_only_zero() -> None:
    sheet = after(zeros(2), HandWritten.of(3, dealer=0, bids={1: 0, 2: 0}))

    assert sheet.hand(3).legal_bids(0) == (0,)
    sheet.check(HandWritten.of(3, bids={0: 0}))
    assert refused(sheet, HandWritten.of(3, bids={0: 1})).code == "hook"


def test_another_bid_starts_the_count_anew_and_a_void_hand_does_not_count() -> None:
    sheet = after(zeros(1), played(2, [0, 1, 1], [0, 1, 0], outcome="void"))

    after(sheet, played(3, [0, 1, 1], [0, 1, 0]))
    sheet = after(zeros(2), played(3, [1, 1, 0], [0, 1, 0]))
    sheet.check(HandWritten.of(4, bids={0: 0}))


def test_the_limit_is_for_more_players_than_it_says() -> None:
    rules = listed(*[1] * 4, bidding={"zero_bids_in_a_row_max": {"max": 1, "if_players_over": 3}})
    sheet = after(new_sheet(rules), played(1, [0, 0, 1], [0, 0, 1]))

    sheet.check(bids(2, 0, 0, 0))


def test_where_the_bids_must_add_up_the_last_one_has_no_choice() -> None:
    rules = listed(3, 3, bidding={"total_must_equal": True, "zero_bids_in_a_row_max": 1})
    sheet = after(new_sheet(rules), bids(1, 2, 1))

    assert sheet.hand(1).legal_bids(2) == (0,)
    assert refused(sheet, HandWritten.of(1, bids={2: 1})).numbers["said"] == "must_equal"
    sheet = after(sheet, HandWritten.of(1, bids={2: 0}), tricks(1, 2, 1, 0))
    # At the limit of zeros as well.
    sheet = after(sheet, HandWritten.of(2, bids={0: 2, 1: 1}))
    after(sheet, HandWritten.of(2, bids={2: 0}))
