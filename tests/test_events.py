"""What can be written on a sheet, as plain data and back."""

from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.engine.events import (
    Ended,
    Event,
    EventError,
    HandWritten,
    PlanChanged,
    TableChanged,
    Undone,
    event_data,
    read_event,
)


@pytest.mark.parametrize(
    ("event", "kind", "data"),
    [
        (
            HandWritten.of(
                3, bids={0: 2, 1: None}, trump="S", adjust={2: Fraction(1, 2)}, absent={3: True}, override=None
            ),
            "hand",
            {
                "hand": 3,
                "bids": {"0": 2, "1": None},
                "trump": "S",
                "adjust": {"2": "1/2"},
                "absent": {"3": True},
                "override": None,
            },
        ),
        (TableChanged(2, (0, 2, 1), ((2, 7),)), "table", {"hand": 2, "table": [0, 2, 1], "carry": {"2": 7}}),
        (PlanChanged(4, (3, 2, 1)), "plan", {"hand": 4, "cards": [3, 2, 1]}),
        (Ended("late"), "ended", {"reason": "late"}),
        (Undone("k"), "undone", {"key": "k"}),
    ],
)
def test_an_event_is_plain_data_and_back(event: Event, kind: str, data: dict[str, Any]) -> None:
    assert event_data(event) == (kind, data)
    assert read_event(kind, data) == event


def test_the_order_of_writing_does_not_matter() -> None:
    assert HandWritten.of(1, bids={1: 0, 0: 2}, trump="S") == HandWritten.of(1, trump="S", bids={0: 2, 1: 0})
    assert HandWritten.of(1, {("bids", 0): 2}) == HandWritten.of(1, bids={0: 2})


def test_not_written_is_not_zero() -> None:
    assert HandWritten.of(1, bids={0: None}) != HandWritten.of(1, bids={0: 0})


def test_a_yes_taken_back_is_rubbed_out() -> None:
    assert read_event("hand", {"hand": 1, "override": False}) == HandWritten.of(1, override=None)


@pytest.mark.parametrize(
    ("kind", "data", "path"),
    [
        ("hand", {"bids": {"0": 1}}, "hand"),
        ("hand", {"hand": 0}, "hand"),
        ("hand", {"hand": 401}, "hand"),
        ("hand", {"hand": True}, "hand"),
        ("hand", {"hand": 1, "bids": [1, 2]}, "bids"),
        ("hand", {"hand": 1, "bids": {"0": "1"}}, "bids.0"),
        ("hand", {"hand": 1, "bids": {"0": 1.5}}, "bids.0"),
        ("hand", {"hand": 1, "bids": {"0": 10**9}}, "bids.0"),
        ("hand", {"hand": 1, "bids": {"Ann": 1}}, "bids.Ann"),
        ("hand", {"hand": 1, "bids": {"52": 1}}, "bids.52"),
        ("hand", {"hand": 1, "bids": {"-1": 1}}, "bids.-1"),
        ("hand", {"hand": 1, "bids": {"\uff11": 1}}, "bids.\uff11"),
        ("hand", {"hand": 1, "adjust": {"0": "1e9"}}, "adjust.0"),
        ("hand", {"hand": 1, "adjust": {"0": 10_001}}, "adjust.0"),
        ("hand", {"hand": 1, "trump": "s"}, "trump"),
        ("hand", {"hand": 1, "outcome": "lost"}, "outcome"),
        ("hand", {"hand": 1, "override": 1}, "override"),
        ("hand", {"hand": 1, "note": "x" * 201}, "note"),
        ("hand", {"hand": 1, "score": {"0": 3}}, "score"),
        ("table", {"hand": 1}, "table"),
        ("table", {"hand": 1, "table": []}, "table"),
        ("table", {"hand": 1, "table": [0, 0, 1]}, "table"),
        ("table", {"hand": 1, "table": [0, "1"]}, "table[1]"),
        ("table", {"hand": 1, "table": [0, 1], "carry": {"1": "x"}}, "carry.1"),
        ("table", {"hand": 1, "table": [0, 1], "carry": {"1": None}}, "carry.1"),
        ("plan", {"hand": 1, "cards": [1, 0]}, "cards[1]"),
        ("plan", {"hand": 1, "cards": None}, "cards"),
        ("ended", {"reason": 3}, "reason"),
        ("undone", {}, "key"),
        ("redone", {}, "kind"),
        ("hand", [], ""),
        ("hand", None, ""),
    ],
)
def test_data_that_are_no_event_name_the_field(kind: str, data: object, path: str) -> None:
    with pytest.raises(EventError) as caught:
        read_event(kind, data)

    assert path in [problem.path for problem in caught.value.problems]
