"""Recorded hands through the engine: 270 by open_spiel, a playthrough it prints, and records that are wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli import main
from scorekeeper.engine import catalog
from scorekeeper.engine.replay import RecordError, differences, read_record

HANDS = Path(__file__).parent / "cases" / "openspiel_hands.jsonl"
RULES = {preset: catalog.presets()[preset].rules for preset in ("open_spiel", "pocha", "wizard", "oh_hell")}
# open_spiel's own playthrough (integration_tests/playthroughs/oh_hell.txt).
PLAYTHROUGH: dict[str, Any] = {
    "n": 3,
    "k": 2,
    "dealer": 2,
    "hands": [["7C", "6H"], ["5C", "8S"], ["9C", "9H"]],
    "turnup": "2H",
    "trump": "H",
    "bids": [{"player": 0, "bid": 1}, {"player": 1, "bid": 2}, {"player": 2, "bid": 1}],
    "plays": [
        {"player": 0, "card": "6H"},
        {"player": 1, "card": "5C"},
        {"player": 2, "card": "9H"},
        {"player": 2, "card": "9C"},
        {"player": 0, "card": "7C"},
        {"player": 1, "card": "8S"},
    ],
    "trick_winners": [2, 2],
    "tricks_by_player": [0, 0, 2],
    "openspiel_returns": [0, 0, 2],
}


def recorded(**changes: Any) -> dict[str, Any]:
    return {**PLAYTHROUGH, **changes}


def found(record: dict[str, Any], rules: str = "open_spiel") -> list[tuple[str, Any, Any]]:
    return [(one.what, one.recorded, one.engine) for one in differences(read_record(record), RULES[rules])]


def test_no_difference_in_270_hands_of_open_spiel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(HANDS)]) == 0

    assert capsys.readouterr().out == "270 hands, 0 differences\n"


def test_no_difference_in_open_spiels_playthrough() -> None:
    assert found(PLAYTHROUGH) == []


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"trick_winners": [2, 1]}, ("trick winners", [2, 1], [2, 2])),
        ({"tricks_by_player": [1, 0, 1]}, ("tricks by player", [1, 0, 1], [0, 0, 2])),
        ({"openspiel_returns": [0, 0, 12]}, ("openspiel_returns", [0, 0, 12], [0, 0, 2])),
        ({"openspiel_returns_penalty": [0, 0, 0.5]}, ("openspiel_returns_penalty", [0, 0, 0.5], [-1, -2, -1])),
        ({"points": [0, 0, 1]}, ("points", [0, 0, 1], [0, 0, 2])),
        ({"bid_by_player": [1, 2, 0]}, ("bids by player", [1, 2, 0], [1, 2, 1])),
        ({"dealer": 1}, ("who bids", 0, 2)),
        ({"plays": PLAYTHROUGH["plays"][:4]}, ("cards played", 4, 6)),
        ({"plays": [*PLAYTHROUGH["plays"][:3], {"player": 0, "card": "7C"}]}, ("card 4: whose turn", 0, 2)),
        (
            {"plays": [{"player": 0, "card": "7C"}, {"player": 1, "card": "8S", "legal": ["5C", "8S"]}]},
            ("card 2: legal cards of player 1", ["5C", "8S"], ["5C"]),
        ),
        (
            {"plays": [{"player": 0, "card": "7C"}, {"player": 1, "card": "8S"}]},
            ("card 2: played by player 1", "8S", ["5C"]),
        ),
        (
            {"bids": [{"player": 0, "bid": 1}, {"player": 1, "bid": 0}, {"player": 2, "bid": 1}]},
            ("bid of player 2", 1, [0, 2]),
        ),
        (
            {"bids": [{"player": 0, "bid": 1, "legal": [0, 1]}, *PLAYTHROUGH["bids"][1:]]},
            ("legal bids of player 0", [0, 1], [0, 1, 2]),
        ),
    ],
)
def test_a_difference_says_what_was_recorded_and_what_the_engine_has(
    changes: dict[str, Any], difference: tuple[str, Any, Any]
) -> None:
    assert difference in found(recorded(**changes))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"n": None}, "n: must be a whole number"),
        ({"surprise": 1}, "surprise: is not a known key"),
        ({"hands": [["7C", "6H"], ["5C"], ["9C", "9H"]]}, "hands: must be 3 lists of 2 cards"),
        ({"hands": [["7C", "6H"], ["5C", "6H"], ["9C", "9H"]]}, "6H is there twice"),
        ({"hands": [["7C", "6H"], ["5C", "1S"], ["9C", "9H"]]}, "'1S' is no card of this pack"),
        ({"turnup": "9H"}, "9H is there twice"),
        ({"dealer": 3}, "dealer: must be one of the 3 players"),
        ({"plays": [{"player": 0, "card": "7X"}]}, "card 1: '7X' is no card"),
        ({"tricks_by_player": [0, 2]}, "tricks_by_player: must be a list of 3"),
        ({"bids": [{"player": 0, "bid": 1}, {"player": 0, "bid": 1}]}, "bids: must hold one bid of each player"),
    ],
)
def test_a_record_that_cannot_be_played_is_refused_with_the_reason(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=says.replace("'", ".")):
        found(recorded(**changes))


def test_a_card_that_its_player_does_not_have_is_a_difference() -> None:
    assert found(recorded(plays=[{"player": 0, "card": "KS"}])) == [("card 1: played by player 0", "KS", ["7C", "6H"])]


def test_the_duty_to_head_the_trick_is_that_of_the_rules_in_force() -> None:
    record = {
        "n": 4,
        "k": 2,
        "dealer": 3,
        "hands": [["2C", "2S"], ["5C", "AC"], ["4D", "4S"], ["6D", "6S"]],
        "turnup": "KH",
        "trump": "H",
        # The Spanish play to the right: after player 2 comes player 1.
        "plays": [{"player": 2, "card": "4D"}, {"player": 1, "card": "5C"}],
    }

    assert found(record, "pocha") == [("cards played", 2, 8)]
    trick = [{"player": 2, "card": "4D"}, {"player": 1, "card": "5C"}, {"player": 0, "card": "2C"}]
    assert found({**record, "plays": [*trick, {"player": 3, "card": "6S", "legal": ["6D"]}]}, "pocha")[-1] == (
        "card 4: played by player 3",
        "6S",
        ["6D"],
    )


def test_wizards_and_jesters_are_replayed() -> None:
    record = {
        "n": 3,
        "k": 2,
        "dealer": 2,
        "hands": [["XC", "2C"], ["WH", "3C"], ["AC", "4S"]],
        "turnup": "XS",
        "trump": "NT",
        "plays": [
            {"player": 0, "card": "XC", "legal": ["XC", "2C"]},
            {"player": 1, "card": "3C", "legal": ["3C", "WH"]},
            {"player": 2, "card": "AC", "legal": ["AC"]},
            {"player": 2, "card": "4S"},
            {"player": 0, "card": "2C"},
            {"player": 1, "card": "WH"},
        ],
        "trick_winners": [2, 1],
    }

    assert found(record, "wizard") == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2: Expecting"),
        ("[]", "line 2: must be a table"),
        ("[" * 100_000, "line 2"),
        (json.dumps(recorded(n=2.5)), "line 2: n: must be a whole number"),
    ],
)
def test_the_terminal_names_a_broken_line_by_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f"{json.dumps(PLAYTHROUGH)}\n{line}\n")

    assert main(["replay", str(file)]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert says in said.err
    assert said.err.count("\n") == 1


def test_the_terminal_lists_differences_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f"{json.dumps(PLAYTHROUGH)}\n\n{json.dumps(recorded(trick_winners=[2, 1]))}\n")

    assert main(["replay", str(file)]) == 1
    assert capsys.readouterr().out == (
        "line 3, trick winners: recorded 2 1, the engine has 2 2\n2 hands, 1 differences\n"
    )
    assert main(["replay", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "hands": 2,
        "differences": [{"line": 3, "what": "trick winners", "recorded": [2, 1], "engine": [2, 2]}],
    }


def test_the_terminal_says_what_a_file_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")

    assert main(["replay", str(tmp_path / "binary")]) == 2
    assert "is no text in UTF-8" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
