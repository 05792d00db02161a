"""The sheet: what events add up to, what is refused, and what is only reported."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.engine.catalog import presets
from scorekeeper.engine.events import Ended, Event, HandWritten, PlanChanged, TableChanged, Undone
from scorekeeper.engine.faults import Fault, RuleError, say
from scorekeeper.engine.sheet import Sheet
from tests.games import after, bids, listed, new_sheet, played, refused, rules_with, tricks, unchecked

HOOK = {"hook": "always"}
PLAYED = played(1, [0, 0, 0], [1, 0, 0])


def test_an_empty_sheet_has_its_plan_and_nothing_else() -> None:
    sheet = new_sheet(listed(1, 2, 3))

    assert [hand.cards for hand in sheet.hands] == [1, 2, 3]
    assert sheet.planned == 3
    assert sheet.totals == {0: 0, 1: 0, 2: 0}
    assert (sheet.written, sheet.played, sheet.faults, sheet.last, sheet.over) == (0, (), (), None, False)
    assert sheet.current == sheet.hand(1)


def test_a_hand_goes_from_bidding_to_playing_to_finished() -> None:
    sheet = new_sheet(listed(3))
    phases = []
    for event in (bids(1, 1, 1), bids(1, 1, 1, 2), tricks(1, 1), HandWritten.of(1, tricks={1: 1, 2: 1})):
        sheet = after(sheet, event)
        phases.append((sheet.hand(1).phase, sheet.hand(1).over_by))

    assert phases == [("bidding", None), ("playing", 1), ("playing", 1), ("finished", 1)]
    assert sheet.hand(1).points == {0: 11, 1: 11, 2: 0}


def test_fields_that_are_not_named_keep_what_they_had_and_none_rubs_out() -> None:
    sheet = after(new_sheet(listed(3, 3)), bids(1, 1, 1, 2), HandWritten.of(1, bids={1: None}, trump="S"))

    assert sheet.hand(1).bids == {0: 1, 1: None, 2: 2}
    assert sheet.cells(1) == {("bids", 0): 1, ("bids", 2): 2, ("trump", None): "S"}


@pytest.mark.parametrize("number", [0, -1, 4, 400])
def test_there_is_no_such_hand(number: int) -> None:
    fault = refused(new_sheet(listed(1, 2, 3)), bids(number, 0))

    assert (fault.code, fault.numbers) == ("no_hand", {"hand": number})


def test_a_hand_waits_for_the_one_before_it() -> None:
    fault = refused(after(new_sheet(listed(1, 2)), bids(1, 0, 0, 0)), bids(2, 0))

    assert (fault.code, fault.hand, fault.numbers) == ("hand", 2, {"hand": 2, "current": 1})


@pytest.mark.parametrize(
    "cells", [{"bids": {3: 0}}, {"tricks": {7: 0}}, {"absent": {3: True}}, {"dealer": 3}, {"first_bidder": 9}]
)
def test_who_is_not_at_the_table_has_nothing_to_write(cells: dict[str, Any]) -> None:
    assert refused(new_sheet(listed(1)), HandWritten.of(1, **cells)).code == "seat"


def test_who_sits_out_has_no_bid_no_tricks_and_no_points_and_the_total_stands() -> None:
    sheet = after(
        new_sheet(listed(1, 2), 4), played(1, [1, 0, 0, 0], [1, 0, 0, 0]), HandWritten.of(2, absent={0: True})
    )

    assert refused(sheet, HandWritten.of(2, bids={0: 0})).code == "absent"
    sheet = after(sheet, HandWritten.of(2, bids={1: 1, 2: 1, 3: 1}, tricks={1: 1, 2: 1, 3: 0}))
    assert sheet.hand(2).points == {0: None, 1: 11, 2: 11, 3: 0}
    assert sheet.totals == {0: 11, 1: 21, 2: 21, 3: 10}
    assert sheet.faults == ()


def test_a_dealer_who_sits_out_stays_the_dealer() -> None:
    sheet = after(new_sheet(listed(1, 2), 4), HandWritten.of(1, absent={3: True}))

    assert (sheet.hand(1).dealer, sheet.hand(1).last_bidder, sheet.hand(2).dealer) == (3, 2, 0)


def test_a_dealer_may_be_named_and_the_deal_passes_on_from_there() -> None:
    sheet = after(new_sheet(listed(1, 1, 1)), HandWritten.of(1, dealer=1))

    assert [hand.dealer for hand in sheet.hands] == [1, 2, 0]


def test_a_void_hand_is_dealt_again_by_the_same_dealer_with_the_same_cards() -> None:
    sheet = after(
        new_sheet(listed(1, 2, 3)), PLAYED, bids(2, 1, 0, 0), HandWritten.of(2, outcome="void", adjust={1: -4})
    )

    assert [(hand.cards, hand.dealer) for hand in sheet.hands] == [(1, 2), (2, 0), (2, 0), (3, 1)]
    assert sheet.hand(2).phase == "finished"
    assert sheet.hand(2).points == {0: None, 1: -4, 2: None}
    assert sheet.current == sheet.hand(3)
    assert sheet.hand(4).last


def test_a_hand_found_void_later_leaves_the_later_hands_their_sizes_and_dealers() -> None:
    sheet = after(
        new_sheet(listed(1, 2, 3)), PLAYED, played(2, (1, 0, 0), (1, 1, 0)), HandWritten.of(1, outcome="void")
    )

    assert [(hand.cards, hand.dealer) for hand in sheet.hands] == [(1, 2), (2, 0), (3, 1)]
    assert sheet.hand(1).points == {0: None, 1: None, 2: None}


def test_a_later_hand_can_be_corrected_while_an_earlier_one_is_rubbed_out() -> None:
    sheet = after(
        new_sheet(listed(1, 2, 3)),
        PLAYED,
        played(2, (1, 0, 0), (1, 1, 0)),
        HandWritten.of(1, bids={0: None}, tricks={0: None, 1: None, 2: None}),
        HandWritten.of(2, note="seen"),
    )

    assert sheet.current is not None
    assert sheet.current.number == 1
    assert sheet.hand(2).note == "seen"
    assert refused(sheet, bids(3, 1)).code == "hand"


def test_a_blind_bid_needs_the_distance_to_the_leader_that_the_rules_ask_for() -> None:
    rules = listed(1, 1, bidding={"blind_bids": {"min_points_behind_leader": 10}}, scoring="prospect_blind")
    sheet = after(new_sheet(rules), played(1, (1, 0, 1), (1, 0, 0)))

    assert refused(sheet, HandWritten.of(2, blind={1: True})) == Fault("blind", 2, 1, {"behind": 10})
    sheet.check(HandWritten.of(2, blind={2: True}))


def test_a_void_hand_scores_nobody_as_if_made() -> None:
    sheet = after(new_sheet(listed(1)), HandWritten.of(1, bids={0: 0, 1: 0, 2: 0}, as_bid={0: True}, outcome="void"))

    assert set(sheet.hand(1).points.values()) == {None}


def test_a_skipped_hand_is_not_dealt_and_takes_no_turn_of_the_deal() -> None:
    sheet = after(new_sheet(listed(1, 2, 3)), HandWritten.of(1, outcome="skipped"))

    assert [(hand.cards, hand.dealer, hand.phase) for hand in sheet.hands] == [
        (1, None, "finished"),
        (2, 2, "bidding"),
        (3, 0, "bidding"),
    ]
    assert sheet.current == sheet.hand(2)


def test_with_a_bomb_one_trick_is_won_by_nobody() -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1, 0, outcome="bomb"))

    assert refused(sheet, tricks(1, 1, 1, 1)).numbers == {"total": 3, "cards": 2}
    assert after(sheet, tricks(1, 1, 1, 0)).totals == {0: 11, 1: 11, 2: 10}


def test_scored_as_bid_the_others_have_only_their_adjustment_and_tricks_are_not_checked() -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1, 2), HandWritten.of(1, as_bid={0: True, 1: True}, adjust={2: -4}))

    assert sheet.hand(1).phase == "finished"
    assert sheet.hand(1).points == {0: 11, 1: 11, 2: -4}
    assert sheet.faults == ()


def test_nobody_is_scored_as_bid_without_a_bid() -> None:
    sheet = after(new_sheet(listed(3)), HandWritten.of(1, as_bid={0: True}))

    assert sheet.hand(1).points[0] is None
    assert sheet.hand(1).made(0) is None


def test_adjustments_count_once_the_hand_is_finished() -> None:
    sheet = after(new_sheet(listed(1)), HandWritten.of(1, adjust={0: Fraction(-5, 2)}, adjust_note={0: "late"}))
    assert sheet.totals[0] == 0

    assert after(sheet, PLAYED).totals[0] == Fraction(-5, 2)


def test_half_points_add_up_exactly() -> None:
    sheet = new_sheet(listed(1, 1, scoring="trick_half"))

    sheet = after(sheet, PLAYED)
    assert sheet.totals == {0: -1, 1: Fraction(1, 2), 2: Fraction(1, 2)}
    sheet = after(sheet, played(2, [0, 0, 0], [1, 0, 0]))
    assert sheet.totals == {0: -2, 1: 1, 2: 1}
    assert type(sheet.totals[1]) is int


def test_a_correction_of_an_early_hand_changes_later_totals_and_marks_the_hand() -> None:
    sheet = after(new_sheet(listed(1, 2)), PLAYED, played(2, [1, 1, 0], [1, 1, 0]))
    assert not sheet.hand(1).edited

    sheet = after(sheet, HandWritten.of(1, bids={0: 1}))
    assert sheet.hand(1).edited
    assert sheet.totals == {0: 22, 1: 21, 2: 20}


def test_a_correction_may_leave_a_fault_in_a_later_hand_and_it_shows() -> None:
    rules = listed(1, 1, bidding={"zero_bids_in_a_row_max": 1})
    sheet = after(new_sheet(rules), played(1, [1, 1, 1], [1, 0, 0]), played(2, [0, 1, 1], [0, 1, 0]))
    assert sheet.faults == ()

    sheet = after(sheet, HandWritten.of(1, bids={0: 0}))
    assert [(fault.code, fault.hand, fault.seat) for fault in sheet.faults] == [("zero_bids", 2, 0)]
    # What is faulty already refuses nothing that has to do with something else.
    sheet.check(HandWritten.of(2, note="we know"))


def test_rubbing_out_is_allowed_and_what_is_missing_shows() -> None:
    sheet = after(
        new_sheet(listed(1, 2)), PLAYED, bids(2, 0, 0, 0), HandWritten.of(1, bids={1: None}, tricks={2: None})
    )

    assert [(fault.code, fault.hand, fault.seat) for fault in sheet.faults] == [
        ("bid_missing", 1, 1),
        ("tricks_missing", 1, 2),
    ]
    assert sheet.current == sheet.hand(1)
    assert sheet.totals == {0: 0, 1: 0, 2: 0}


def test_the_last_hand_that_is_begun_is_unfinished_and_no_fault() -> None:
    assert after(new_sheet(listed(1, 2)), PLAYED, bids(2, 0)).faults == ()


# Each fault of a finished sheet by an entry that no check let through.
@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ([played(1, [0, 0, 0], [1, 0, 0], cards=18)], ("deck", 1, None)),
        ([bids(1, 4, 0, 0)], ("bid_range", 1, 0)),
        ([bids(1, 0, -1, 0)], ("bid_range", 1, 1)),
        ([HandWritten.of(1, bids={0: 1}, tricks={0: 3, 1: 0, 2: 0})], ("bid_missing", 1, 1)),
        ([bids(1, 1, 1, 1)], ("hook", 1, 2)),
        ([played(1, [0, 0, 0], [4, 0, -1])], ("tricks_range", 1, 0)),
        ([bids(1, 0, 0, 0), bids(2, 0, 0, 0)], ("tricks_missing", 1, 0)),
        ([played(1, [0, 0, 0], [1, 0, 0])], ("tricks_total", 1, None)),
        ([played(1, [1, 0, 0], [3, 0, 0]), played(2, [0, 0, 0], [3, 0, 0]), bids(3, 0, 0)], ("zero_bids", 2, 1)),
        ([HandWritten.of(1, trump="NT")], ("trump", 1, None)),
        ([TableChanged(1, (0, 1))], ("players", 1, None)),
    ],
)
def test_a_sheet_says_what_is_wrong_with_it(events: list[Event], fault: tuple[str, int, int | None]) -> None:
    rules = listed(3, 3, 3, bidding={**HOOK, "zero_bids_in_a_row_max": 1})
    sheet = unchecked(new_sheet(rules), *events)

    assert fault in [(one.code, one.hand, one.seat) for one in sheet.faults]
    assert all(say(one) for one in sheet.faults)


def test_the_error_says_what_is_wrong_and_the_way_out() -> None:
    sheet = after(new_sheet(listed(5, bidding=HOOK)), bids(1, 2, 1))

    with pytest.raises(RuleError, match=r"^Not 2: the bids would equal the 5 tricks\.$"):
        sheet.check(HandWritten.of(1, bids={2: 2}))


def test_who_joins_brings_points_and_takes_a_place_in_bidding_and_deal() -> None:
    sheet = after(new_sheet(listed(1, 2, 2, 2)), PLAYED, TableChanged(2, (0, 3, 1, 2), ((3, 5),)))

    assert sheet.hand(2).order == (3, 1, 2, 0)
    assert [hand.dealer for hand in sheet.hands] == [2, 0, 3, 1]
    assert sheet.totals == {0: 0, 1: 10, 2: 10, 3: 0}  # not before their first hand
    sheet = after(sheet, played(2, [1, 0, 0, 0], [1, 0, 0, 1]))
    assert sheet.totals == {0: 11, 1: 20, 2: 20, 3: 5}
    assert sheet.hand(2).points[3] == 0


def test_who_leaves_keeps_the_total_and_deals_no_more() -> None:
    sheet = after(new_sheet(listed(1, 1, 1), 4), played(1, [1, 0, 0, 0], [1, 0, 0, 0]), TableChanged(2, (1, 2, 3)))

    assert [hand.dealer for hand in sheet.hands] == [3, 1, 2]
    assert sheet.hand(2).bids == {2: None, 3: None, 1: None}
    sheet = after(sheet, HandWritten.of(2, bids={1: 0, 2: 0, 3: 0}, tricks={1: 1, 2: 0, 3: 0}))
    assert sheet.totals == {0: 11, 1: 10, 2: 20, 3: 20}
    assert 0 not in sheet.hand(2).points


def test_the_deal_passes_on_from_the_old_place_of_a_dealer_who_left() -> None:
    sheet = after(
        new_sheet(listed(1, 1, 1), 4, first_dealer=1), played(1, [1, 0, 0, 0], [1, 0, 0, 0]), TableChanged(2, (0, 3, 2))
    )

    assert [hand.dealer for hand in sheet.hands] == [1, 2, 0]


def test_with_nobody_left_of_the_old_table_the_first_of_the_new_one_deals() -> None:
    sheet = after(new_sheet(listed(1, 1)), PLAYED, TableChanged(2, (3, 4, 5)))

    assert sheet.hand(2).dealer == 3


def test_of_two_changes_for_one_hand_the_later_written_counts() -> None:
    sheet = after(new_sheet(listed(1, 2)), TableChanged(2, (0, 2, 1)), TableChanged(2, (2, 1, 0)))

    assert sheet.hand(1).table == (0, 1, 2)
    assert sheet.hand(2).table == (2, 1, 0)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (TableChanged(1, (2, 1, 0)), "started"),
        (TableChanged(2, (0, 1)), "players"),
        (TableChanged(2, (0, 1, 2, 3, 4)), "players"),
        (TableChanged(2, (0, 1, 1)), "players"),
        (TableChanged(2, (0, 1, 2, 4)), "seat"),
        (TableChanged(2, (0, 2, 1), ((1, 100),)), "seat"),  # only who joins brings points
        (TableChanged(2, (0, 2, 1), ((3, 100),)), "seat"),
        (TableChanged(9, (0, 2, 1)), "no_hand"),
        (PlanChanged(9, (1,)), "no_hand"),
        (PlanChanged(2, (1, 18)), "deck"),
        (PlanChanged(1, ()), "no_hand"),
        (Undone("none"), "entry"),
    ],
)
def test_what_the_table_cannot_do(event: Event, code: str) -> None:
    assert refused(after(new_sheet(listed(1, 2)), PLAYED), event).code == code


@pytest.mark.parametrize("event", [Ended(), bids(2, 0), TableChanged(2, (0, 2, 1)), PlanChanged(2, (1,))])
def test_after_the_end_nothing_is_begun(event: Event) -> None:
    sheet = after(new_sheet(listed(1, 2)), PLAYED, Ended())

    assert refused(sheet, event).code == "over"
    sheet.check(HandWritten.of(1, tricks={0: 0, 1: 1}))


def test_a_seat_that_was_undone_is_not_given_to_another() -> None:
    sheet = after(new_sheet(listed(1, 2)), TableChanged(2, (0, 1, 2, 3)), Undone("0"))

    sheet = after(sheet, TableChanged(2, (0, 1, 2, 4)))
    assert sheet.hand(2).table == (0, 1, 2, 4)


def test_a_new_plan_moves_only_hands_that_are_not_written() -> None:
    sheet = after(new_sheet(listed(1, 2, 3)), PLAYED, PlanChanged(1, (5, 4, 3, 2)))

    assert [hand.cards for hand in sheet.hands] == [1, 4, 3, 2]


def test_the_last_hand_and_the_largest_stay_what_they_were_when_written() -> None:
    rules = listed(2, 2, scoring="variable_bonus")
    sheet = after(new_sheet(rules), played(1, [1, 1, 0], [1, 1, 0]), played(2, [1, 1, 0], [1, 1, 0]))
    before = dict(sheet.totals)
    assert sheet.over

    # The table goes on: undo nothing, but plan more. A game that is over takes no plan, so it is planned before.
    sheet = after(new_sheet(rules), played(1, [1, 1, 0], [1, 1, 0]), bids(2, 1, 1, 0), PlanChanged(3, (7,)))
    sheet = after(sheet, tricks(2, 1, 1, 0))
    assert sheet.totals == before
    assert (sheet.hand(2).last, sheet.hand(2).no_trump) == (True, True)
    assert (sheet.hand(3).cards, sheet.hand(3).max_cards, sheet.hand(3).last) == (7, 2, True)


def test_a_plan_may_end_the_game_sooner() -> None:
    sheet = after(new_sheet(listed(1, 2, 3)), PLAYED, PlanChanged(2, ()))

    assert sheet.over


def test_undo_redo_and_going_on() -> None:
    sheet = after(new_sheet(listed(1, 2)), PLAYED, bids(2, 1, 1, 1))
    assert sheet.last is not None
    assert sheet.last.key == "1"

    undone = after(sheet, Undone("1"))
    assert undone.hand(2).bids == {1: None, 2: None, 0: None}
    assert undone.last is not None
    assert undone.last.key == "0"
    assert after(undone, Undone("1")).hands == undone.hands  # again: the same answer
    redone = after(undone, Undone("2"))
    assert redone.hand(2).bids == {1: 1, 2: 1, 0: 1}
    ended = after(sheet, Ended("late"))
    assert ended.over
    assert not after(ended, Undone("2")).over


def test_an_undo_leaves_what_was_written_before() -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1, 0), HandWritten.of(1, bids={0: 2}), Undone("1"))

    assert sheet.hand(1).bids == {0: 1, 1: 1, 2: 0}


def test_a_sheet_of_no_hands_is_over_and_all_are_at_nothing() -> None:
    sheet = unchecked(new_sheet(listed(1, 2)), PlanChanged(1, ()))

    assert (sheet.hands, sheet.over, sheet.totals) == ((), True, {0: 0, 1: 0, 2: 0})


def test_more_players_than_the_rules_can_deal_to_is_a_fault_and_no_crash() -> None:
    rules = rules_with(schedule={"max": {"kind": "deck"}, "segments": [{"from": "max", "to": 5}]})
    sheet = unchecked(new_sheet(rules, 30), HandWritten.of(1, bids={0: 0}))

    assert "players" in [fault.code for fault in sheet.faults]


def test_points_that_hang_on_a_trump_wait_for_it() -> None:
    sheet = after(new_sheet(listed(2, 2, scoring="spades_double")), played(1, [1, 1, 1], [1, 1, 0]))
    assert sheet.hand(1).points == {0: None, 1: None, 2: None}

    assert after(sheet, HandWritten.of(1, trump="S")).hand(1).points == {0: 22, 1: 22, 2: 0}


def test_running_totals_and_rows_are_worked_out_from_the_hands_before() -> None:
    halving = new_sheet(listed(1, 1, 1, scoring="binary_halving"))
    halving = after(halving, played(1, [0, 0, 1], [0, 0, 1]), played(2, [0, 1, 0], [0, 0, 1]))
    assert halving.totals == {0: 16, 1: 4, 2: 4}

    streak = new_sheet(presets()["romanian_whist_streak"].rules, 3)
    for number in range(1, 9):
        cards = streak.hand(number).cards
        others = {1: cards, 2: 1} if cards > 1 else {1: 1, 2: 1}
        event = HandWritten.of(number, bids={0: 0, **others}, tricks={0: 0, 1: cards, 2: 0})
        streak = after(streak, event)
    # Three one-card hands, then 2, 3, 4, 5 and 6 cards: the fifth made of these has the prize.
    assert [hand.points[0] for hand in streak.hands[:8]] == [5, 5, 5, 5, 5, 5, 5, 10]


def test_the_same_log_is_the_same_sheet() -> None:
    sheet = after(new_sheet(listed(1, 2)), PLAYED, bids(2, 1, 1, 1))

    assert Sheet(sheet.rules, sheet.table, sheet.first_dealer, sheet.entries) == sheet


def test_a_sheet_grown_entry_by_entry_is_the_sheet_of_its_log() -> None:
    sheet = new_sheet(listed(2, 1, 2))
    events: list[Event] = [
        bids(1, 1, 0, 0),
        tricks(1, 1, 1, 0),
        bids(2, 0, 0, 0),
        HandWritten.of(1, dealer=0),
        tricks(2, 0, 1, 0),
        tricks(1, 0, 2, 0),
        Undone("1"),
        HandWritten.of(2, outcome="void"),
    ]

    for event in events:
        sheet = unchecked(sheet, event)
        anew = replace(sheet, known=())

        assert anew.hands == sheet.hands
        assert [hand.totals for hand in sheet.hands] == [hand.totals for hand in anew.hands]
        assert [hand.order for hand in sheet.hands] == [hand.order for hand in anew.hands]


def test_hands_that_an_entry_leaves_as_they_were_are_not_worked_out_again() -> None:
    sheet = after(new_sheet(listed(1, 2)), bids(1, 0, 0, 0), tricks(1, 1, 0, 0), bids(2, 0))

    grown = after(sheet, bids(2, 0, 0))

    assert grown.hands[0].totals is sheet.hands[0].totals
