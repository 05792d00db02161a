"""The nine switches of the base article, and the two of the house, on every preset."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.engine.catalog import formulas, presets
from scorekeeper.engine.house import Switches, largest_hand, switches, turned, turned_from
from scorekeeper.engine.rules import Rules, read_rules
from scorekeeper.engine.scoring import Facts, points

FLAGS = ("hook", "at_once", "must_trump", "miss_scores_tricks", "zero_scores_cards", "no_trump_in_last")


def rules_of(preset: str) -> Rules:
    return presets()[preset].rules


@pytest.mark.parametrize("preset", presets())
def test_switches_left_alone_change_no_preset(preset: str) -> None:
    rules = rules_of(preset)

    assert turned(rules, switches(rules)) == rules


@pytest.mark.parametrize(
    ("schedule", "cards"),
    [
        ("up", (1, 2, 3, 4, 5, 6, 7)),
        ("down", (7, 6, 5, 4, 3, 2, 1)),
        ("up_down", (1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1)),
        ("down_up", (7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)),
    ],
)
def test_four_schedules(schedule: str, cards: tuple[int, ...]) -> None:
    rules = turned(rules_of("oh_hell"), replace(switches(rules_of("oh_hell")), schedule=schedule))

    assert rules.sizes(7) == cards
    assert switches(rules).schedule == schedule


@pytest.mark.parametrize(
    ("miss", "zero", "formula"),
    [
        (False, False, "exact"),
        (True, False, "trick_per_miss"),
        (False, True, "exact_zero"),
        (True, True, "trick_per_miss_zero"),
    ],
)
@pytest.mark.parametrize("start", ["exact", "trick_per_miss", "exact_zero", "trick_per_miss_zero"])
def test_the_two_scoring_switches_give_the_four_formulas_of_the_article(
    start: str, miss: bool, zero: bool, formula: str
) -> None:
    rules = replace(rules_of("oh_hell"), scoring=formulas()[start])
    wanted = replace(switches(rules), miss_scores_tricks=miss, zero_scores_cards=zero)

    assert turned(rules, wanted).scoring == formulas()[formula]


def flipped(stands: Switches, *names: str) -> Switches:
    flags: dict[str, Any] = {name: not getattr(stands, name) for name in names}
    return replace(stands, **flags)


@pytest.mark.parametrize("preset", presets())
def test_every_switch_turns_on_every_preset(preset: str) -> None:
    rules = rules_of(preset)

    for name in FLAGS:
        wanted = flipped(switches(rules), name)
        assert switches(turned(rules, wanted)) == wanted


@pytest.mark.parametrize("preset", presets())
def test_all_switches_together_are_rules_that_can_be_kept(preset: str) -> None:
    rules = turned(rules_of(preset), replace(flipped(switches(rules_of(preset)), *FLAGS), schedule="up"))

    assert read_rules(rules.to_data(), formulas()) == rules


def test_on_top_of_another_formula_a_miss_scores_its_tricks_and_a_made_bid_as_before() -> None:
    wizard = rules_of("wizard")
    rules = turned(wizard, replace(switches(wizard), miss_scores_tricks=True))

    assert points(rules.scoring, Facts(5, 3, 1)) == 1
    assert points(rules.scoring, Facts(5, 3, 3)) == 50


def test_the_hook_ends_the_rule_that_bids_must_add_up() -> None:
    rules = rules_of("oh_hell")
    rules = replace(rules, bidding=replace(rules.bidding, total_must_equal=True))

    hooked = turned(rules, replace(switches(rules), hook=True))

    assert hooked.bidding.hook == "always"
    assert not hooked.bidding.total_must_equal


@pytest.mark.parametrize(
    ("preset", "players", "most", "largest"),
    [
        ("oh_hell", 4, 5, 5),  # a table
        ("oh_hell", 7, 10, 7),
        ("vanishing_bridge", 4, 6, 6),  # the whole pack
        ("up_and_down_the_river", 4, 6, 6),  # the pack less a turn-up
        ("blob", 4, 3, 3),  # a cap
        ("oh_hell_guardian", 4, 5, 5),  # fixed
    ],
)
def test_a_shorter_maximum(preset: str, players: int, most: int, largest: int) -> None:
    rules = rules_of(preset)

    assert largest_hand(turned(rules, replace(switches(rules), most_cards=most)), players) == largest


@pytest.mark.parametrize("most", [None, 1, 9, 14])
def test_the_switches_of_a_game_are_found_again(most: int | None) -> None:
    base = rules_of("oh_hell")
    wanted = replace(switches(base), schedule="down_up", hook=True, zero_scores_cards=True, most_cards=most)

    assert turned_from(base, turned(base, wanted)) == wanted


def test_rules_that_no_switch_makes_have_none() -> None:
    assert turned_from(rules_of("oh_hell"), rules_of("wizard")) is None
