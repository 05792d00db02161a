"""Rules in words: every preset can be told, and the words say what the data say."""

from fractions import Fraction

import pytest

from scorekeeper.engine import catalog, words
from scorekeeper.engine.rules import read_rules


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (12, "12"),
        (-12, "−12"),
        (Fraction(1, 2), "½"),
        (Fraction(11, 2), "5½"),
        (Fraction(-3, 2), "−1½"),
        (Fraction(1, 3), "1/3"),
    ],
)
def test_numbers_are_written_as_on_paper(number: int | Fraction, text: str) -> None:
    assert words.exact_text(number) == text


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ((("const", 10), ("tricks", 1)), "10 + tricks"),
        ((("const", 10), ("tricks", 3)), "10 + 3 × tricks"),
        ((("diff", -1),), "−difference"),
        ((("bid", -1), ("diff", -10)), "−bid − 10 × difference"),
        ((("const", 0),), "0"),
        ((), "0"),
        ((("const", Fraction(1, 2)),), "½"),
    ],
)
def test_points_are_a_sum_of_named_terms(points: tuple[tuple[str, int | Fraction], ...], text: str) -> None:
    assert words.expression(points) == text


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ((1, 2, 3), "1→3"),
        ((1, 2, 3, 2, 1), "1→3→1"),
        ((1, 2, 3, 3, 2, 1), "1→3×2→1"),
        ((1, 1, 1, 2, 3, 3, 3, 2, 1, 1, 1), "1×3→3×3→1×3"),
        ((7, 5, 3, 1, 2, 4, 6), "7, 5, 3, 1, 2, 4, 6"),
        ((13,), "13"),
        ((5, 5), "5×2"),
    ],
)
def test_hand_sizes_are_told_by_their_shape(cards: tuple[int, ...], text: str) -> None:
    assert words.shape(cards) == text


@pytest.mark.parametrize("preset", catalog.presets().values(), ids=lambda preset: preset.id)
def test_every_preset_can_be_told(preset: catalog.Preset) -> None:
    told = words.paragraphs(preset.rules)
    table = words.worked_table(preset.rules, 3)

    assert [heading for heading, _ in told] == ["Players and cards", "Trump", "Bidding", "Play", "Points"]
    assert all(sentence and "%(" not in sentence for _, sentences in told for sentence in sentences)
    assert [len(row) for row in table] == [4, 4, 4, 4]


def test_the_summary_names_what_a_table_wants_to_know() -> None:
    rules = catalog.presets()["oh_hell_hook"].rules

    assert words.summary(rules, 4) == (
        "1→13 (13 hands) · hook on · bid made: 10 + tricks · otherwise: 0 · no trump in the last hand"
    )


def test_axes_without_a_preset_are_told_too() -> None:
    rules = read_rules(
        {
            "direction": "anticlockwise",
            "bidding": {"hook": "always", "hook_not_in_first_hand": True, "hook_not_in_last_hand": True},
            "play": {"must_overtrump": True, "trump_lead": "not_while_other_suit", "first_lead": "dealer"},
            "end": {"kind": "target", "target": 77},
            "tie": "most_tricks",
        },
        {},
    )

    told = [sentence for _, sentences in words.paragraphs(rules) for sentence in sentences]

    assert {
        "Dealing, bidding and play go anticlockwise.",
        "It does not hold in the first hand.",
        "It does not hold in the last hand.",
        "A trump must beat those already played, if it can.",
        "Trump may not be led while another suit is held.",
        "The game ends when a total reaches 77.",
        "Of equal totals the one with more tricks is ahead.",
    } <= set(told)
