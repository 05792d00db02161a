"""The catalog against the variant survey it was made from, and how a preset is found."""

import pytest

from scorekeeper.engine.catalog import Preset, find, formulas, presets
from scorekeeper.engine.plain import Problem
from scorekeeper.engine.rules import read_rules
from scorekeeper.engine.scoring import Formula, read_formula
from tests.games import cases, rules_with

# It needs everybody's totals at once; its one source does not say how a hand with several misses is settled.
LEFT_OUT = {"stackpot"}
# What the survey's own words say, and its data do not.
SAID_OTHERWISE = {"bondebridge": {"deal_passes": "worst_miss"}}


@pytest.mark.parametrize("name", sorted(set(cases("formulas")) - LEFT_OUT))
def test_formula_scores_as_surveyed(name: str) -> None:
    problems: list[Problem] = []
    surveyed = read_formula(cases("formulas")[name], "", problems)
    formula = formulas()[name]

    assert problems == []
    assert (formula.cases, formula.bonuses, formula.multiply) == (surveyed.cases, surveyed.bonuses, surveyed.multiply)
    assert formula.direction == surveyed.direction


@pytest.mark.parametrize("name", cases("presets"))
def test_preset_plays_as_surveyed(name: str) -> None:
    surveyed = rules_with(
        **{"cards_in_deck": 52, "scoring": "exact", **cases("presets")[name], **SAID_OTHERWISE.get(name, {})}
    )

    assert presets()[name].rules == surveyed


def test_the_catalog_begins_with_the_base_game() -> None:
    assert next(iter(presets())) == "oh_hell"
    assert next(iter(formulas())) == "exact"


@pytest.mark.parametrize("name", presets())
def test_preset_reads_back_as_itself(name: str) -> None:
    rules = presets()[name].rules

    assert read_rules(rules.to_data(), {}) == rules


@pytest.mark.parametrize("preset", [pytest.param(preset, id=name) for name, preset in presets().items()])
def test_preset_has_a_source_and_says_what_was_not_seen(preset: Preset) -> None:
    assert all(preset.source)
    assert preset.about
    assert bool(preset.note) or not preset.common_form


@pytest.mark.parametrize("formula", [pytest.param(formula, id=name) for name, formula in formulas().items()])
def test_formula_has_a_source_and_says_what_was_not_seen(formula: Formula) -> None:
    assert all(formula.source)
    assert bool(formula.note) or not formula.common_form


@pytest.mark.parametrize("preset", [pytest.param(preset, id=name) for name, preset in presets().items()])
def test_a_preset_is_found_by_each_of_its_names(preset: Preset) -> None:
    assert {name for name in (preset.id, preset.name, *preset.aliases) if find(name) != preset} == set()


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("oh_hell", "oh_hell"),
        ("Blackout", "oh_hell"),
        (" oh PSHAW ", "oh_hell"),
        ("La Podrida", "la_podrida"),
        ("Wizard", "wizard"),
    ],
)
def test_a_preset_is_found_by_id_name_and_alias(words: str, name: str) -> None:
    found = find(words)

    assert found is not None
    assert found.id == name


@pytest.mark.parametrize("words", ["", "no such game"])
def test_what_is_no_preset_is_not_found(words: str) -> None:
    assert find(words) is None
