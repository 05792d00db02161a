"""Hand sizes out of segments, and the trump that the rules alone give a hand."""

from typing import Any

import pytest

from scorekeeper.engine.catalog import presets
from scorekeeper.engine.events import MOST_HANDS
from scorekeeper.engine.rules import RulesError
from scorekeeper.engine.schedule import Schedule
from scorekeeper.engine.trumps import no_trump
from tests.games import cases, listed, rules_with


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("schedules")])
def test_schedule_from_elsewhere(case: dict[str, Any]) -> None:
    players = case["players"]
    rules = rules_with(players=[players, players], cards_in_deck=case["deck"], schedule=case["schedule"])

    assert list(rules.sizes(players)) == case["expected_cards"]


@pytest.mark.parametrize(("players", "hands"), [(3, 15), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_hand_h_deals_h_cards_up_to_the_table(players: int, hands: int) -> None:
    assert presets()["oh_hell"].rules.sizes(players) == tuple(range(1, hands + 1))


def test_a_table_goes_on_with_its_largest_entry_as_far_as_the_pack_reaches() -> None:
    rules = presets()["oh_hell"].rules

    assert rules.largest(2) == 15
    assert rules.largest(8) == 6


SPAN = {"max": {"kind": "fixed", "cards": 5}}


@pytest.mark.parametrize(
    ("segments", "cards"),
    [
        ([{"from": "max-3", "to": "max"}], (2, 3, 4, 5)),
        ([{"from": 1, "to": 7, "step": 3}], (1, 4, 7)),
        ([{"from": 7, "to": 1, "step": 3}], (7, 4, 1)),
        ([{"from": 2, "to": 2, "each": 3}, {"from": 3, "to": 3, "each": "players"}], (2, 2, 2, 3, 3, 3)),
        ([{"from": 6, "to": "max"}, {"from": 1, "to": 1}], (1,)),  # its start lies past its end
        ([{"from": "max-5", "to": 2}, {"from": 1, "to": 1}], (1,)),
    ],
)
def test_segments(segments: list[dict[str, Any]], cards: tuple[int, ...]) -> None:
    assert rules_with(players=[3, 3], schedule={**SPAN, "segments": segments}).sizes(3) == cards


def test_turnup_keeps_a_card_for_the_trump_where_the_pack_divides_exactly() -> None:
    rules = rules_with(
        players=[3, 4],
        schedule={
            "max": {"kind": "deck"},
            "segments": [{"from": "max", "to": "max"}, {"from": "turnup", "to": "turnup"}],
        },
    )

    assert rules.sizes(4) == (13, 12)
    assert rules.sizes(3) == (17, 17)


def test_a_list_is_dealt_as_it_stands() -> None:
    assert Schedule.listed([4, 5, 13, 13]).sizes(4, 52) == (4, 5, 13, 13)


def test_a_schedule_of_more_hands_than_a_sheet_has_is_refused_at_once() -> None:
    segments = [{"from": 1, "to": 10, "each": 60}] * 400

    with pytest.raises(RulesError, match="hands"):
        rules_with(schedule={**SPAN, "segments": segments})
    assert len(rules_with(players=[3, 3]).sizes(3)) <= MOST_HANDS


def without_trump(cards: list[int], players: int = 4, **axes: Any) -> list[int]:
    """The numbers of the hands that the rules alone give no trump."""
    flags = no_trump(listed(*cards, players=[players, players], **axes), players)
    return [number for number, none in enumerate(flags, 1) if none]


UP = list(range(1, 14))
DOWN = UP[::-1]
UP_DOWN = UP + DOWN[1:]
DOWN_UP = DOWN + UP[1:]


@pytest.mark.parametrize(
    ("cards", "hands"),
    [(UP, [13]), (DOWN, [1, 13]), (UP_DOWN, [13, 25]), (DOWN_UP, [1, 25]), ([13, 5, 13, 2, 3], [1, 3, 5])],
)
def test_four_times_thirteen_has_no_trump_wherever_it_stands_nor_has_the_last_hand(
    cards: list[int], hands: list[int]
) -> None:
    assert without_trump(cards) == hands


@pytest.mark.parametrize(("players", "most"), [(5, 10), (6, 8), (7, 7)])
def test_the_last_hand_has_no_trump_though_cards_are_left(players: int, most: int) -> None:
    assert without_trump(list(range(1, most + 1)), players) == [most]


@pytest.mark.parametrize(
    ("on", "hands"),
    [
        ([], []),
        (["first_hand"], [1]),
        (["last_hand"], [5]),
        (["largest_hands"], [2, 3]),
        (["second_largest_in_a_row"], [3]),
        (["last_hand", "largest_hands"], [2, 3, 5]),
    ],
)
def test_no_trump_where_the_rules_say(on: list[str], hands: list[int]) -> None:
    assert without_trump([1, 4, 4, 2, 1], trump={"no_trump_on": on}) == hands


def test_with_the_whole_pack_dealt_another_way_may_find_a_trump() -> None:
    trump = {"no_trump_on": [], "when_no_card_left": "dealer_last_card"}

    assert without_trump([12, 13], trump=trump) == []


def test_a_fixed_trump_needs_no_card_to_turn() -> None:
    assert without_trump([12, 13], trump={"method": "fixed", "suit": "S", "no_trump_on": []}) == []


def test_no_trump_in_the_whole_game() -> None:
    assert without_trump([1, 2, 3], trump={"method": "none", "no_trump_on": []}) == [1, 2, 3]


def test_a_rotation_may_have_a_place_without_trump() -> None:
    trump = {"method": "rotation", "order": ["S", "H", "NT"], "no_trump_on": []}

    assert without_trump([1, 2, 3, 4, 5, 6], trump=trump) == [3, 6]


def test_where_the_end_is_open_no_hand_is_the_last() -> None:
    assert without_trump([1, 2], end={"kind": "open"}) == []
