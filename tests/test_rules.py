"""The base rules and their variants, each as a claim about a game in the making."""

from typing import Any

import pytest

from scorekeeper.engine.catalog import presets
from scorekeeper.engine.events import Ended, HandWritten, TableChanged
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import standings, winners
from tests.games import after, bids, listed, new_sheet, played, refused, rules_with, tricks


def base(players: int) -> Sheet:
    return new_sheet(presets()["oh_hell"].rules, players)


def test_three_to_seven_play_the_base_game() -> None:
    assert [base(players).faults for players in range(3, 8)] == [()] * 5
    for players in (2, 8):
        assert [(fault.code, fault.hand) for fault in base(players).faults] == [("players", 1)]


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_the_deal_passes_left_and_bids_start_left_of_the_dealer_who_bids_last(players: int) -> None:
    for hand in base(players).hands:
        dealer = (players - 1 + hand.number - 1) % players
        assert hand.dealer == hand.last_bidder == hand.order[-1] == dealer
        assert hand.first_bidder == hand.leader == (dealer + 1) % players


@pytest.mark.parametrize(("passes", "dealers"), [("left", [2, 0, 1, 2]), ("right", [2, 1, 0, 2])])
def test_the_deal_passes_to_the_side_that_the_rules_say(passes: str, dealers: list[int]) -> None:
    assert [hand.dealer for hand in new_sheet(listed(1, 1, 1, 1, deal_passes=passes)).hands] == dealers


def test_hands_grow_from_one_card_and_the_last_has_no_trump() -> None:
    hands = base(5).hands

    assert [hand.cards for hand in hands] == list(range(1, 11))
    assert [hand.number for hand in hands if hand.no_trump] == [10]
    assert hands[-1].trump == "NT"
    assert hands[0].trump is None


def test_four_times_thirteen_has_no_trump_also_where_a_hand_is_made_larger() -> None:
    sheet = after(base(4), HandWritten.of(1, cards=13))

    assert sheet.hand(1).no_trump
    assert refused(sheet, HandWritten.of(1, trump="S")).code == "trump"
    assert not after(sheet, HandWritten.of(1, cards=12)).hand(1).no_trump


def test_who_sits_out_leaves_cards_to_turn() -> None:
    sheet = after(new_sheet(listed(13, 1), 4), HandWritten.of(1, absent={2: True}))

    assert not sheet.hand(1).no_trump


def test_a_hand_larger_than_the_pack_is_refused() -> None:
    fault = refused(base(5), HandWritten.of(1, cards=11))

    assert (fault.code, fault.numbers) == ("deck", {"players": 5, "cards": 11, "deck": 52})


@pytest.mark.parametrize("bid", [-1, 4])
def test_a_bid_is_from_zero_to_the_cards(bid: int) -> None:
    fault = refused(new_sheet(listed(3)), bids(1, bid))

    assert (fault.code, fault.seat, fault.numbers) == ("bid_range", 0, {"bid": bid, "cards": 3})
    assert new_sheet(listed(3)).hand(1).legal_bids(0) == (0, 1, 2, 3)


def test_everyone_bids_before_tricks_are_written() -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1))

    assert refused(sheet, tricks(1, 1)).code == "bid_missing"


def test_the_total_of_the_bids_is_free_in_the_base_game() -> None:
    for last in range(4):
        after(new_sheet(listed(3)), bids(1, 1, 1, last))


@pytest.mark.parametrize("won", [[1, 1, 0], [1, 1, 2], [3, 1, 0]])
def test_tricks_add_up_to_the_cards(won: list[int]) -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1, 0))

    assert refused(sheet, tricks(1, *won)).code == "tricks_total"


def test_tricks_may_be_written_one_by_one_but_never_too_many() -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1, 0), tricks(1, 1), HandWritten.of(1, tricks={1: 2}))

    assert refused(sheet, HandWritten.of(1, tricks={2: 1})).code == "tricks_total"
    assert after(sheet, HandWritten.of(1, tricks={2: 0})).hand(1).phase == "finished"


@pytest.mark.parametrize("won", [-1, 4])
def test_tricks_are_from_zero_to_the_cards(won: int) -> None:
    sheet = after(new_sheet(listed(3)), bids(1, 1, 1, 0))

    assert refused(sheet, HandWritten.of(1, tricks={0: won})).code == "tricks_range"


@pytest.mark.parametrize(
    ("preset", "points"),
    [
        # Bids 3, 0, 2 and 0; tricks 3, 0, 3 and 1 of seven.
        ("oh_hell", [13, 10, 0, 0]),
        ("oh_hell_miss_counts", [13, 10, 3, 1]),
        ("oh_hell_zero", [13, 12, 0, 0]),
    ],
)
def test_base_scoring_and_its_two_variants(preset: str, points: list[int]) -> None:
    rules = presets()[preset].rules
    sheet = after(new_sheet(rules, 4), HandWritten.of(1, cards=7), played(1, [3, 0, 2, 0], [3, 0, 3, 1]))

    assert list(sheet.hand(1).points.values()) == points


def test_both_scoring_variants_together() -> None:
    sheet = after(new_sheet(listed(7, scoring="trick_per_miss_zero")), played(1, [0, 0, 3], [0, 4, 3]))

    assert list(sheet.totals.values()) == [12, 4, 13]


def test_the_highest_total_after_the_last_hand_wins_and_ties_share_the_place() -> None:
    sheet = after(new_sheet(listed(1, 2)), played(1, [1, 0, 0], [1, 0, 0]), played(2, [1, 2, 0], [0, 2, 0]))

    assert sheet.over
    assert [(line.place, line.seat, line.total) for line in standings(sheet)] == [(1, 1, 22), (2, 2, 20), (3, 0, 11)]
    sheet = after(new_sheet(listed(1)), played(1, [0, 0, 0], [0, 0, 1]))
    assert [(line.place, line.seat) for line in standings(sheet)] == [(1, 0), (1, 1), (3, 2)]
    assert winners(sheet) == (0, 1)


@pytest.mark.parametrize(
    ("preset", "cards", "without_trump"),
    [
        ("oh_hell_down", [7, 6, 5, 4, 3, 2, 1], [7]),
        ("oh_hell_up_down", [1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1], [13]),
        ("oh_hell_down_up", [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7], [13]),
    ],
)
def test_the_other_schedules_and_their_last_hand(preset: str, cards: list[int], without_trump: list[int]) -> None:
    hands = new_sheet(presets()[preset].rules, 7).hands

    assert [hand.cards for hand in hands] == cards
    assert [hand.number for hand in hands if hand.no_trump] == without_trump


def test_all_variants_combine() -> None:
    rules = rules_with(
        schedule={"segments": [{"from": "max", "to": 1}, {"from": 2, "to": "max"}]},
        bidding={"hook": "always"},
        play={"must_trump": True},
        scoring="trick_per_miss_zero",
    )
    sheet = after(new_sheet(rules, 7), bids(1, 1, 1, 1, 1, 1, 1))

    assert len(sheet.hands) == 13
    assert sheet.hand(1).forbidden == 1


# What a hand may have for trump; the fault is about what is written against the rules.
@pytest.mark.parametrize(
    ("trump", "right", "wrong"),
    [
        ({}, ["C", "D", "H", "S"], ["NT"]),
        ({"method": "fixed", "suit": "S"}, ["S"], ["H", "NT"]),
        ({"method": "rotation", "order": ["H", "S"]}, ["H"], ["S"]),
        ({"method": "none"}, ["NT"], ["C"]),
        ({"method": "wizard_turn_up"}, ["C", "NT"], []),
        ({"method": "dealer_chooses"}, ["C", "NT"], []),
        ({"method": "highest_bidder"}, ["C"], ["NT"]),
        ({"method": "highest_bidder", "allow_no_trump": True}, ["C", "NT"], []),
        ({"method": "auction", "order": ["S", "H", "D", "C"]}, ["C"], ["NT"]),
        ({"method": "not_modelled"}, ["C", "NT"], []),
    ],
)
def test_a_trump_against_the_rules_is_a_fault(trump: dict[str, Any], right: list[str], wrong: list[str]) -> None:
    sheet = new_sheet(listed(3, 3, trump={**trump, "no_trump_on": []}))

    for suit in right:
        sheet.check(HandWritten.of(1, trump=suit))
    for suit in wrong:
        assert refused(sheet, HandWritten.of(1, trump=suit)).code == "trump"


def test_a_rotation_goes_on_by_hands_that_are_played() -> None:
    rules = listed(1, 1, 1, 1, trump={"method": "rotation", "order": ["S", "H", "D", "C"], "no_trump_on": []})
    sheet = after(new_sheet(rules), played(1, [0, 0, 0], [1, 0, 0]), HandWritten.of(2, outcome="skipped"))

    assert [hand.trump for hand in sheet.hands] == ["S", "H", "H", "D"]


MISSES = {"deal_passes": "worst_miss"}


@pytest.mark.parametrize(
    ("bid", "won", "dealer"),
    [
        ([0, 3, 0], [2, 0, 1], 1),
        ([2, 2, 0], [0, 0, 3], 2),
        ([2, 2, 1], [0, 3, 0], 0),
        ([1, 2, 1], [2, 1, 0], 0),  # of several the nearest after the dealer
        ([1, 2, 0], [1, 2, 0], 0),  # nobody missed: it passes on
    ],
)
def test_the_worst_miss_deals_next(bid: list[int], won: list[int], dealer: int) -> None:
    sheet = new_sheet(listed(3, 3, **MISSES))
    assert sheet.hand(2).dealer is None

    assert after(sheet, played(1, bid, won)).hand(2).dealer == dealer


def test_the_highest_bidder_nearest_after_the_dealer_leads() -> None:
    sheet = new_sheet(listed(3, play={"first_lead": "highest_bidder_nearest_after_dealer"}), 4, first_dealer=0)
    assert sheet.hand(1).leader is None

    assert after(sheet, bids(1, 2, 1, 0, 2)).hand(1).leader == 3
    assert after(sheet, bids(1, 2, 1, 0, 1)).hand(1).leader == 0


def target(points: int) -> Rules:
    return listed(1, 2, end={"kind": "target", "target": points})


def test_a_target_ends_the_game_and_until_then_the_plan_repeats() -> None:
    sheet = new_sheet(target(45))
    for number, cards in ((1, 1), (2, 2), (3, 1)):
        hand = sheet.hand(number)
        assert (hand.cards, hand.last, sheet.over) == (cards, False, False)
        sheet = after(sheet, HandWritten.of(number, bids={0: cards, 1: 0, 2: 0}, tricks={0: cards, 1: 0, 2: 0}))

    assert sheet.totals[0] == 34
    sheet = after(sheet, played(4, [1, 0, 0], [1, 1, 0]))
    assert sheet.over
    assert sheet.current is None
    assert refused(sheet, bids(5, 0)).code in ("over", "no_hand")
    # A correction may take the target back, and the game goes on.
    assert after(sheet, HandWritten.of(4, tricks={0: 0, 1: 2})).current is not None


def test_an_open_game_goes_on_until_the_table_ends_it() -> None:
    sheet = new_sheet(listed(2, end={"kind": "open"}))
    for number in (1, 2, 3):
        sheet = after(sheet, played(number, [1, 1, 1], [1, 1, 0]))

    assert sheet.planned is None
    assert sheet.hand(4).cards == 2
    sheet = after(sheet, Ended("bedtime"))
    assert sheet.over
    assert sheet.ended == Ended("bedtime")
    assert winners(sheet) == (0, 1)


def test_extra_hands_of_the_largest_size_until_one_leads() -> None:
    sheet = after(new_sheet(listed(1, 2, 1, tie="extra_max_hands")), played(1, [0, 0, 0], [0, 0, 1]))
    sheet = after(sheet, played(2, [0, 0, 0], [0, 0, 2]), played(3, [0, 0, 0], [0, 0, 1]))

    assert not sheet.over
    assert (sheet.hand(4).cards, sheet.hand(4).last, sheet.hand(4).no_trump) == (2, False, False)
    sheet = after(sheet, played(4, [0, 0, 0], [0, 0, 2]))
    assert sheet.hand(5).cards == 2
    sheet = after(sheet, played(5, [1, 0, 0], [1, 1, 0]))
    assert sheet.over
    assert winners(sheet) == (0,)


def test_after_a_join_the_deck_is_seen_to_be_too_small() -> None:
    sheet = after(new_sheet(rules_with(), 5), TableChanged(10, (0, 1, 2, 3, 4, 5)))

    assert [(fault.code, fault.hand) for fault in sheet.faults] == [("deck", 10)]
