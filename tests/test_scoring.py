"""Points: every formula against worked examples from elsewhere, and what a formula may ask."""

from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.plain import Problem
from scorekeeper.engine.scoring import Facts, Streak, UnknownFact, points, prizes, read_formula, table
from tests.games import cases


def facts_of(case: dict[str, Any]) -> Facts:
    context = {name: value for name, value in case.get("context", {}).items() if name != "adjustment"}
    return Facts(case["cards"], case["bid"], case["tricks"], **context)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("scoring")])
def test_worked_example(case: dict[str, Any]) -> None:
    adjustment = case.get("context", {}).get("adjustment", 0)

    assert points(formulas()[case["formula"]], facts_of(case)) + adjustment == case["points"]


@pytest.mark.parametrize("bid", [1, 2, 3])
@pytest.mark.parametrize("name", ["binary_halving", "basas", "variable_bonus"])
def test_a_made_bid_needs_no_more_than_the_formula_asks(name: str, bid: int) -> None:
    formula = formulas()[name]

    # What the case that decides does not ask need not be known, unless its points hang on it.
    if name == "variable_bonus":
        with pytest.raises(UnknownFact, match="max_cards"):
            points(formula, Facts(5, bid, bid))
    else:
        assert points(formula, Facts(5, bid, bid)) == {"binary_halving": 8, "basas": 10 + bid * bid}[name]


@pytest.mark.parametrize(
    ("name", "facts", "fact"),
    [
        ("binary_halving", Facts(5, 1, 2), "total_before"),
        ("basas", Facts(5, 0, 0), "no_card_left"),
        ("israeli_whist", Facts(13, 0, 0), "bids_total"),
        ("binary_nil", Facts(5, 0, 0), "players"),
        ("wager_square", Facts(5, 0, 0), "players"),
        ("spades_double", Facts(5, 1, 1), "trump"),
    ],
)
def test_what_is_needed_and_not_known_is_an_error_and_not_false(name: str, facts: Facts, fact: str) -> None:
    with pytest.raises(UnknownFact) as caught:
        points(formulas()[name], facts)

    assert caught.value.fact == fact


def test_half_points_stay_exact_and_whole_ones_are_whole() -> None:
    formula = formulas()["trick_half"]

    assert points(formula, Facts(6, 0, 0)) == Fraction(1, 2)
    assert type(points(formula, Facts(6, 3, 3))) is int


# Source: the same text; a total of 0 or below is not halved.
@pytest.mark.parametrize(("total", "lost"), [(21, -10), (20, -10), (1, 0), (0, 0), (-7, 0)])
def test_halving_rounds_what_stays_up(total: int, lost: int) -> None:
    assert points(formulas()["binary_halving"], Facts(6, 2, 1, total_before=total)) == lost


def test_the_table_has_a_row_for_each_bid_and_a_column_for_each_number_of_tricks() -> None:
    assert table(formulas()["trick_per_miss"], Facts(2, 0, 0)) == ((10, 1, 2), (0, 11, 2), (0, 1, 12))


def formula_of(**parts: Any) -> Any:
    problems: list[Problem] = []
    formula = read_formula({"cases": [{"when": {}, "points": {"tricks": 1}}], **parts}, "", problems)
    assert problems == []
    return formula


def test_first_the_case_then_all_bonuses_then_all_factors() -> None:
    formula = formula_of(
        bonuses=[
            {"when": {"all_tricks": True}, "points": {"const": 5}},
            {"when": {"tricks": "2.."}, "points": {"const": 1}},
        ],
        multiply=[{"when": {"trump": "S"}, "by": 2}, {"when": {"last_hand": True}, "by": "3/2"}],
    )

    assert points(formula, Facts(3, 0, 3, trump="S", last_hand=True)) == (3 + 5 + 1) * 3
    assert points(formula, Facts(3, 0, 1, trump="H", last_hand=True)) == Fraction(3, 2)


@pytest.mark.parametrize(
    ("span", "holds"),
    [(2, {2}), ("2..", {2, 3, 4}), ("..2", {0, 1, 2}), ("1..2", {1, 2}), ([1, 3], {1, 2, 3}), ([None, 1], {0, 1})],
)
def test_a_number_or_a_span_in_a_condition(span: object, holds: set[int]) -> None:
    formula = formula_of(cases=[{"when": {"bid": span}, "points": {"const": 1}}, {"when": {}, "points": {}}])

    assert {bid for bid in range(5) if points(formula, Facts(4, bid, 0))} == holds


@pytest.mark.parametrize("name", formulas())
def test_a_formula_written_out_reads_back_as_itself(name: str) -> None:
    problems: list[Problem] = []

    assert read_formula(formulas()[name].to_data(), "scoring", problems) == formulas()[name]
    assert problems == []


ROW = Streak(length=3, made=5, missed=-5, min_cards=2)


# Each hand as cards and whether the bid was made; source: tests of a tracker for Romanian Whist.
@pytest.mark.parametrize(
    ("results", "given"),
    [
        ([(2, True)] * 6, [0, 0, 5, 0, 0, 5]),
        ([(2, False)] * 3, [0, 0, -5]),
        ([(2, True), (2, True), (2, False), (2, True)], [0, 0, 0, 0]),
        ([(2, True), (2, True), (1, True), (2, True), (2, True), (2, True)], [0, 0, 0, 0, 0, 5]),  # one card: anew
        ([(2, True), (2, None), (2, True), (2, True)], [0, 0, 0, 5]),  # sat out
        ([(1, True)] * 4, [0, 0, 0, 0]),
    ],
)
def test_every_third_in_a_row_has_its_prize(results: list[tuple[int, bool | None]], given: list[int]) -> None:
    assert prizes(ROW, results) == given


def test_a_bonus_by_a_rule_needs_what_the_rule_needs() -> None:
    problems: list[Problem] = []
    bonus = {"when": {"made": False}, "rule": "halve_total_round_up"}
    formula = read_formula({"cases": [{"when": {}, "points": {"tricks": 1}}], "bonuses": [bonus]}, "", problems)

    assert problems == []
    assert "total_before" in formula.needs
