"""Plain data into frozen values: what is read, and where what is wrong is found."""

from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.engine.plain import Problem, each, exact_number, plain, whole
from scorekeeper.engine.rules import BlindBids, RulesError, read_rules
from tests.games import rules_with


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        (-3, -3),
        ("3", 3),
        ("-1/2", Fraction(-1, 2)),
        ("4/2", 2),
        (0.5, Fraction(1, 2)),
        (2.0, 2),
        (0.1, Fraction(1, 10)),
        ("0.25", Fraction(1, 4)),
        (Fraction(3, 2), Fraction(3, 2)),
    ],
)
def test_a_number_is_exact(value: object, number: int | Fraction) -> None:
    assert exact_number(value) == number
    assert type(exact_number(value)) is type(number)


@pytest.mark.parametrize(
    "value",
    [
        *(
            None,
            True,
            "",
            "x",
            "1/0",
            "½",
            "\uff11",
            " 3",
            "1_000",
            "3" * 31,
            [3],
            {"1": 2},
            float("inf"),
            float("nan"),
        ),
        "1e5",
        "1e999999999",  # would be worked out digit by digit
    ],
)
def test_what_is_no_number(value: object) -> None:
    assert exact_number(value) is None


@pytest.mark.parametrize("value", [None, True, 2.0, "2", 0, 8, [2]])
def test_a_whole_number_in_its_range_and_nothing_else(value: object) -> None:
    problems: list[Problem] = []

    whole(1, 7)(value, "hand", problems)

    assert problems == [Problem("hand", "must be a whole number from 1 to 7")]


def test_each_problem_of_a_list_has_its_place() -> None:
    problems: list[Problem] = []

    each(whole(1, 7), 5)([1, 9, 2, "x"], "cards", problems)

    assert [problem.path for problem in problems] == ["cards[1]", "cards[3]"]


def test_a_list_has_an_end() -> None:
    problems: list[Problem] = []

    each(whole(1, 7), 3)([1, 1, 1, 1], "cards", problems)

    assert [problem.path for problem in problems] == ["cards"]


def test_plain_data_leave_out_what_is_not_set() -> None:
    assert plain({"half": Fraction(1, 2), "sizes": (1, (2, 3)), 3: True}) == {
        "half": "1/2",
        "sizes": [1, [2, 3]],
        "3": True,
    }
    assert plain(BlindBids(20, 1)) == {"min_points_behind_leader": 20, "dealer_off_hook_adds": 1}


MADE = {"when": {}, "points": {"const": 1}}


# Each broken in one place, in the order of the axes.
@pytest.mark.parametrize(
    ("axes", "path"),
    [
        ({"players": [7, 3]}, "players"),
        ({"players": [3]}, "players"),
        ({"players": "3"}, "players"),
        ({"players": [3, "7"]}, "players"),
        ({"players": [0, 7]}, "players[0]"),
        ({"deck": "tarot"}, "deck"),
        ({"deck": ["french52"]}, "deck"),
        ({"cards_in_deck": 0}, "cards_in_deck"),
        ({"cards_in_deck": {}}, "cards_in_deck"),
        ({"cards_in_deck": {"three": 52}}, "cards_in_deck"),
        ({"cards_in_deck": {"3": "52"}}, "cards_in_deck.3"),
        ({"direction": None}, "direction"),
        ({"deal_passes": "up"}, "deal_passes"),
        ({"schedule": []}, "schedule"),
        ({"schedule": {"max": {"kind": "most"}}}, "schedule.max.kind"),
        ({"schedule": {"max": {"kind": "table"}}}, "schedule.max.table"),
        ({"schedule": {"max": {"kind": "table", "table": {}}}}, "schedule.max.table"),
        ({"schedule": {"max": {"kind": "table", "table": {"3": 0}}}}, "schedule.max.table.3"),
        ({"schedule": {"max": {"kind": "cap"}}}, "schedule.max.cap"),
        ({"schedule": {"max": {"kind": "fixed"}}}, "schedule.max.cards"),
        ({"schedule": {"segments": []}}, "schedule.segments"),
        ({"schedule": {"segments": [{"from": 1}]}}, "schedule.segments[0].to"),
        ({"schedule": {"segments": [{"from": 1, "to": 3}, {"from": "most", "to": 1}]}}, "schedule.segments[1].from"),
        ({"schedule": {"segments": [{"from": 0, "to": 3}]}}, "schedule.segments[0].from"),
        ({"schedule": {"segments": [{"from": 1, "to": 3, "step": 0}]}}, "schedule.segments[0].step"),
        ({"schedule": {"segments": [{"from": 1, "to": 3, "each": "player"}]}}, "schedule.segments[0].each"),
        ({"schedule": {"segments": [{"from": 1, "to": 3, "times": 2}]}}, "schedule.segments[0].times"),
        ({"schedule": {"segments": [{"from": "max-13", "to": "max-14"}]}}, "schedule.segments"),  # nothing to deal
        ({"schedule": {"segments": [{"from": 1, "to": 18}]}}, "schedule"),  # 18 cards for three
        ({"players": [5, 5], "schedule": {"segments": [{"from": 13, "to": 13}]}}, "schedule"),
        ({"trump": {"method": "turn"}}, "trump.method"),
        ({"trump": {"method": "fixed"}}, "trump.suit"),
        ({"trump": {"method": "fixed", "suit": "NT"}}, "trump.suit"),
        ({"trump": {"method": "rotation"}}, "trump.order"),
        ({"trump": {"method": "rotation", "order": ["S", "X"]}}, "trump.order[1]"),
        ({"trump": {"no_trump_on": ["last"]}}, "trump.no_trump_on[0]"),
        ({"bidding": {"hook": True}}, "bidding.hook"),
        ({"bidding": {"hook_min_cards": "4"}}, "bidding.hook_min_cards"),
        ({"bidding": {"one_card_blind": 1}}, "bidding.one_card_blind"),
        ({"bidding": {"hook": "always", "total_must_equal": True}}, "bidding.total_must_equal"),
        ({"bidding": {"zero_bids_in_a_row_max": 0}}, "bidding.zero_bids_in_a_row_max.max"),
        ({"bidding": {"zero_bids_in_a_row_max": {}}}, "bidding.zero_bids_in_a_row_max.max"),
        ({"bidding": {"blind_bids": True}}, "bidding.blind_bids"),
        ({"play": {"must_trump": "yes"}}, "play.must_trump"),
        ({"scoring": "nothing"}, "scoring"),
        ({"scoring": None}, "scoring"),
        ({"scoring": {}}, "scoring.cases"),
        ({"scoring": {"cases": []}}, "scoring.cases"),
        ({"scoring": {"cases": [{"when": {"made": True}, "points": {"const": 1}}]}}, "scoring.cases"),
        ({"scoring": {"cases": [{"when": {}}]}}, "scoring.cases"),
        ({"scoring": {"cases": [{"points": {"const": 1}}]}}, "scoring.cases[0].when"),
        ({"scoring": {"cases": [{"when": {"made": 1}, "points": {}}, MADE]}}, "scoring.cases[0].when.made"),
        ({"scoring": {"cases": [{"when": {"won": True}, "points": {}}, MADE]}}, "scoring.cases[0].when.won"),
        ({"scoring": {"cases": [{"when": {"bid": [1]}, "points": {}}, MADE]}}, "scoring.cases[0].when.bid"),
        ({"scoring": {"cases": [{"when": {"bid": ".."}, "points": {}}, MADE]}}, "scoring.cases[0].when.bid"),
        ({"scoring": {"cases": [{"when": {"trump": "X"}, "points": {}}, MADE]}}, "scoring.cases[0].when.trump"),
        ({"scoring": {"cases": [{"when": {}, "points": {"wins": 1}}]}}, "scoring.cases[0].points.wins"),
        ({"scoring": {"cases": [{"when": {}, "points": {"const": 1001}}]}}, "scoring.cases[0].points.const"),
        ({"scoring": {"cases": [{"when": {}, "points": {"const": "1e9"}}]}}, "scoring.cases[0].points.const"),
        ({"scoring": {"cases": [{"when": {}, "rule": "stackpot"}]}}, "scoring.cases[0].rule"),
        ({"scoring": {"cases": [MADE], "bonuses": [{"when": {}}]}}, "scoring.cases"),
        ({"scoring": {"cases": [MADE], "multiply": [{"when": {}}]}}, "scoring.multiply[0].by"),
        ({"scoring": {"cases": [MADE], "streak": {"length": 1}}}, "scoring.streak.length"),
        ({"scoring": {"cases": [MADE], "tie_break": "cards"}}, "scoring.tie_break"),
        ({"end": {"kind": "target"}}, "end.target"),
        ({"end": {"kind": "never"}}, "end.kind"),
        ({"tie": "cards"}, "tie"),
        ({"hook": "always"}, "hook"),
    ],
)
def test_broken_rules_name_the_field(axes: dict[str, Any], path: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_with(**axes)

    paths = [problem.path for problem in caught.value.problems]
    assert path in paths
    assert all(one.startswith(path) for one in paths)


@pytest.mark.parametrize("data", [None, 3, "oh_hell", [], True])
def test_rules_are_a_table(data: object) -> None:
    with pytest.raises(RulesError) as caught:
        read_rules(data, {})

    assert [problem.path for problem in caught.value.problems] == [""]


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(RulesError) as caught:
        rules_with(players=[7, 3], trump={"method": "turn", "suite": "S"}, tie="cards")

    assert {str(problem.path) for problem in caught.value.problems} == {"players", "trump.method", "trump.suite", "tie"}
    assert "tie: must be one of shared" in str(caught.value)
