"""A score sheet as a file: what is read, what is reported, what is refused."""

import json
from typing import Any

import pytest

from scorekeeper.engine.events import Ended, HandWritten, TableChanged, Undone
from scorekeeper.engine.scorefile import FileError, document, read, report
from tests.games import after, bids, listed, new_sheet, played, times

SHEET = {
    "format": "scorekeeper/1",
    "rules": "oh_hell_hook",
    "players": ["Ann", "Bob", "Cy", "Di"],
    "first_dealer": "Ann",
    "cards": [1, 2, 3],
    "hands": [
        {"bids": [0, 1, 0, 0], "tricks": [0, 1, 0, 0]},
        {"bids": [1, 0, 2, 0], "tricks": [1, 0, 1, 0], "trump": "S"},
    ],
}


def codes(data: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(fault["code"], fault["hand"]) for fault in report(read(data))["faults"]]


def test_the_report_of_a_sheet() -> None:
    reported = report(read(SHEET))

    assert reported["hands"] == [
        {
            "number": 1,
            "cards": 1,
            "dealer": "Ann",
            "first_bidder": "Bob",
            "no_trump": False,
            "forbidden": 0,
            "points": [10, 11, 10, 10],
            "totals": [10, 11, 10, 10],
        },
        {
            "number": 2,
            "cards": 2,
            "dealer": "Bob",
            "first_bidder": "Cy",
            "no_trump": False,
            "forbidden": None,
            "points": [11, 10, 0, 10],
            "totals": [21, 21, 10, 20],
        },
    ]
    assert reported["standings"] == [
        {"place": 1, "player": "Ann", "total": 21, "made": 2, "hands": 2},
        {"place": 1, "player": "Bob", "total": 21, "made": 2, "hands": 2},
        {"place": 3, "player": "Di", "total": 20, "made": 2, "hands": 2},
        {"place": 4, "player": "Cy", "total": 10, "made": 1, "hands": 2},
    ]
    assert reported["faults"] == [
        {"hand": 1, "player": "Ann", "code": "hook", "message": "Not 0: the bids would equal the 1 trick."}
    ]


def test_the_last_player_deals_first_unless_it_says_otherwise() -> None:
    assert report(read({**SHEET, "first_dealer": None}))["hands"][0]["dealer"] == "Di"


def test_half_points_are_numbers() -> None:
    rules = {"scoring": "trick_half"}
    reported = report(
        read({"rules": rules, "players": ["A", "B", "C"], "hands": [{"bids": [0, 0, 0], "tricks": [1, 0, 0]}]})
    )

    assert json.dumps(reported["hands"][0]["points"]) == "[-1, 0.5, 0.5]"


def test_rules_and_a_formula_may_be_written_out() -> None:
    formula = {
        "direction": "high",
        "cases": [{"when": {"made": True}, "points": {"const": 3}}, {"when": {}, "points": {}}],
    }
    sheet = {
        "rules": {"scoring": formula},
        "players": ["A", "B", "C"],
        "hands": [{"bids": [0, 0, 0], "tricks": [1, 0, 0]}],
    }

    assert report(read(sheet))["hands"][0]["points"] == [0, 3, 3]


def hands_with(**first: Any) -> dict[str, Any]:
    """A sheet of one hand of three cards in which all bid 0 and the last took all, but for this."""
    hand = {"bids": [0, 0, 0], "tricks": [0, 0, 3], **first}
    return {"rules": "oh_hell", "players": ["A", "B", "C"], "cards": [3, 1], "hands": [hand]}


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ({"absent": ["B"], "bids": [0, None, 0], "tricks": [0, None, 3]}, [10, None, 0]),
        ({"outcome": "void"}, [None, None, None]),
        ({"outcome": "bomb", "tricks": [0, 0, 2]}, [10, 10, 0]),
        ({"as_bid": ["C"], "tricks": [None, None, None]}, [None, None, 10]),
        ({"adjust": {"A": -4, "B": "1/2", "C": 0.5}}, [6, 10.5, 0.5]),
        ({"tricks": [0, 0, None]}, [10, 10, None]),
        ({"cards": 4, "tricks": [0, 0, 4]}, [10, 10, 0]),
        ({"trump": "S", "note": "x", "dealer": "A", "first_bidder": "C", "blind": ["A"]}, [10, 10, 0]),
    ],
)
def test_what_a_hand_may_say(hand: dict[str, Any], points: list[Any]) -> None:
    reported = report(read(hands_with(**hand)))

    assert reported["hands"][0]["points"] == points
    assert reported["faults"] == []


def test_an_override_stands_instead_of_a_fault() -> None:
    sheet = {**hands_with(bids=[1, 1, 1]), "rules": "oh_hell_hook"}

    assert codes(sheet) == [("hook", 1)]
    assert codes({**sheet, "hands": [{**sheet["hands"][0], "override": True}]}) == []


def test_who_joins_has_a_place_in_later_lists_and_brings_points() -> None:
    hands = [
        {"bids": [0, 0, 0], "tricks": [0, 0, 1]},
        {"table": ["A", "D", "B", "C"], "carry": {"D": 5}, "bids": [0, 0, 0, 1], "tricks": [0, 0, 0, 2]},
    ]
    reported = report(read({"rules": "oh_hell", "players": ["A", "B", "C"], "cards": [1, 2], "hands": hands}))

    assert [hand["totals"] for hand in reported["hands"]] == [[10, 10, 0, 0], [20, 20, 10, 5]]
    assert reported["hands"][1]["points"] == [10, 10, 10, 0]
    assert reported["hands"][1]["first_bidder"] == "D"
    assert reported["faults"] == []


# One sheet for each code of a fault.
@pytest.mark.parametrize(
    ("change", "code", "hand"),
    [
        ({"players": ["A", "B"], "hands": []}, "players", 1),
        ({"cards": [3, 18]}, "deck", 2),
        (hands_with(bids=[0, 4, 0]), "bid_range", 1),
        (hands_with(bids=[0, None, 0]), "bid_missing", 1),
        ({**hands_with(bids=[1, 1, 1]), "rules": "oh_hell_hook"}, "hook", 1),
        (hands_with(tricks=[-1, 1, 3]), "tricks_range", 1),
        ({"hands": [{"bids": [0, 0, 0], "tricks": [0, 0, None]}, {"bids": [0, 0, 0]}]}, "tricks_missing", 1),
        (hands_with(tricks=[0, 0, 2]), "tricks_total", 1),
        (
            {
                "rules": {"bidding": {"zero_bids_in_a_row_max": 1}},
                "hands": [{"bids": [0, 1, 1], "tricks": [0, 0, 3]}, {"bids": [0, 1, 1], "tricks": [0, 0, 1]}],
            },
            "zero_bids",
            2,
        ),
        (hands_with(trump="NT"), "trump", 1),
        ({"points": [[10, 10, 1]]}, "points", 1),
    ],
)
def test_every_code_of_a_fault(change: dict[str, Any], code: str, hand: int) -> None:
    assert (code, hand) in codes({**hands_with(), **change})


@pytest.mark.parametrize(
    "hand",
    [
        "bids",
        {"bids": [0, 0]},
        {"bids": [0, 0, 0, 0, 0]},
        {"bids": {"A": 0}},
        {"bids": [0, "0", 0]},
        {"bids": [0, 1.5, 0]},
        {"tricks": 3},
        {"absent": ["Z"]},
        {"dealer": "Z"},
        {"dealer": 3},
        {"adjust": {"Z": 1}},
        {"adjust": ["A"]},
        {"adjust": {"A": "many"}},
        {"outcome": "lost"},
        {"trump": "spades"},
        {"cards": 0},
        {"table": ["A", "B", 3]},
        {"table": []},
        {"table": ["Z" * 3, 3], "dealer": "A"},
        {"table": [3], "bids": [0, 0, 0]},
        {"carry": {"A": 1}, "table": ["A", "B", "C"], "score": 3},
    ],
)
def test_what_cannot_be_right_in_a_hand_is_a_fault_of_the_file(hand: Any) -> None:
    assert ("file", 1) in codes({**hands_with(), "hands": [hand]})


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"rules": "oh_hell", "players": ["A", "B", "C"]},
        {**hands_with(), "rules": "no_such_rules"},
        {**hands_with(), "rules": {"tie": "cards"}},
        {**hands_with(), "rules": None},
        {**hands_with(), "players": []},
        {**hands_with(), "players": "A, B, C"},
        {**hands_with(), "players": ["A", 2, "C"]},
        {**hands_with(), "hands": {}},
        {**hands_with(), "hands": [{}] * 401},
        {**hands_with(), "cards": [3, 0]},
        {**hands_with(), "cards": 3},
        {**hands_with(), "log": {}},
        {**hands_with(), "log": [{"kind": "hand", "data": {"hand": 1}}]},
        {**hands_with(), "log": [{"key": "k", "kind": "hand", "data": {"hand": 0}}]},
        {**hands_with(), "log": [{"key": "k", "kind": "ended", "data": {}}] * 2},
    ],
)
def test_what_cannot_be_read_at_all(data: object) -> None:
    with pytest.raises(FileError):
        read(data)


def test_two_players_of_one_name_are_a_fault() -> None:
    assert ("file", None) in codes({**hands_with(), "players": ["A", "A", "C"]})


def test_printed_points_are_compared_and_null_is_not_printed() -> None:
    assert codes({**hands_with(), "points": [[10, None, 0]]}) == []
    reported = report(read({**hands_with(), "points": [[10, 12, 0]]}))
    assert [
        (one["code"], one["hand"], one["player"], one["written"], one["computed"]) for one in reported["faults"]
    ] == [("points", 1, "B", 12, 10)]


NAMES = ("Ann", "Bob", "Cy", "Di", "Ed")


def test_an_export_has_the_whole_history() -> None:
    sheet = after(
        new_sheet(listed(1, 2, 3, players=[3, 5])),
        played(1, [0, 0, 0], [1, 0, 0], note="first"),
        TableChanged(2, (0, 4, 1, 3, 2), ((3, 5), (4, 6))),
        bids(2, 0, 0, 0, 1, 1),
        HandWritten.of(2, bids={0: 2}),
        Undone("3"),
        Ended("late"),
    )

    exported = json.loads(json.dumps(document(sheet, NAMES, times(sheet))))
    file = read(exported)

    assert (file.sheet, file.names, file.faults) == (sheet, NAMES, ())
    assert exported["seats"] == list(NAMES)
    log = [(one["seq"], one["key"], one["time"], one["kind"], one["data"]) for one in exported["log"]]
    assert log[3:] == [
        (4, "3", "2026-01-31T20:00:03+00:00", "hand", {"hand": 2, "bids": {"0": 2}}),
        (5, "4", "2026-01-31T20:00:04+00:00", "undone", {"key": "3"}),
        (6, "5", "2026-01-31T20:00:05+00:00", "ended", {"reason": "late"}),
    ]
    # Two joined at once: without the log, too, everyone has their own numbers.
    bare = report(read({key: value for key, value in exported.items() if key != "log"}))
    assert [hand["totals"] for hand in bare["hands"]] == [[0, 10, 10, 0, 0], [0, 10, 10, 5, 6]]


def test_hands_that_are_not_what_the_log_adds_up_to_are_a_fault() -> None:
    sheet = after(new_sheet(listed(1)), played(1, [0, 0, 0], [1, 0, 0]))
    exported = document(sheet, NAMES[:3], times(sheet))
    exported["hands"][0]["tricks"] = [0, 1, 0]

    assert codes(exported) == [("file", 1)]


def test_a_log_may_name_seats_that_nobody_has() -> None:
    exported = document(new_sheet(listed(1, 2)), NAMES[:3], [])
    log = [{"key": "k", "kind": "table", "data": {"hand": 1, "table": [0, 1, 9]}}]

    assert read({**exported, "log": log}).names[9] == "(10)"
