"""The commands that let bots play among themselves: their figures, their page, what is learned, and bad calls."""

import json
import os
import pty
import signal
import subprocess
import sys
import zlib
from importlib.resources import files
from pathlib import Path

import pytest

from scorekeeper import simulating
from scorekeeper.cli import main
from scorekeeper.engine import banks
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.tables import learned

SIMULATE = ["simulate", "--rules", "oh_hell_hook", "--players", "3"]


def test_simulate_tells_bids_points_and_wins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--players", "4", "--games", "3", "--bots", "table,random,random,random"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 games; ")
    assert lines[2].split() == ["cards", "bids", "made"]
    assert [line.split()[:2] for line in lines[3:16]] == [[str(cards), "12"] for cards in range(1, 14)]
    assert lines[17].split() == ["seat", "bot", "points", "spread", "wins"]
    assert [line.split()[:2] for line in lines[18:]] == [
        ["1", "table"],
        ["2", "random"],
        ["3", "random"],
        ["4", "random"],
    ]
    points = [float(line.split()[2]) for line in lines[18:]]
    assert points[0] > max(points[1:])


def test_simulate_gives_the_same_with_more_jobs_and_other_games_with_another_seed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def played(*more: str) -> str:
        assert main([*SIMULATE, "--games", "3", "--bots", "random", "--json", *more]) == 0
        return capsys.readouterr().out

    alone, together, other = played(), played("--jobs", "2"), played("--seed", "2")

    assert alone == together != other
    data = json.loads(alone)
    assert data["games"] == 3
    assert sum(line["bids"] for line in data["hands"]) == 3 * 15 * 3
    assert sum(seat["wins"] for seat in data["seats"]) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["--games", "1", "--bots", "clever"], "there is no bot 'clever'; the bots are random, table, montecarlo"),
        (["--games", "1", "--bots", "table,table"], "--bots names 2 bots for 3 players"),
        (["--games", "1000000000"], "'1000000000' is not a whole number from 1 to 1000000"),
        (["--games", "0"], "'0' is not a whole number"),
        (["--games", "1", "--players", "9"], "these rules are for 3 to 7 players, not 9"),
        (["--games", "1", "--rules", "nothing"], "there is no preset and no file 'nothing'"),
        (["--games", "1", "--rules", "skull_king_score"], "the cards of the deck 'other' are not known here"),
        (["--games", "1", "--rules", "basas", "--players", "4"], "the trump of these rules (auction) cannot be dealt"),
    ],
)
def test_what_cannot_be_simulated_is_said_in_one_line(
    call: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SIMULATE, *call]) == 2

    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_what_is_done_and_a_terminal_sees_progress(jobs: str) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scorekeeper", *SIMULATE, "--games", "100000", "--bots", "random", "--jobs", jobs]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, cwd=Path(__file__).parent.parent
    )
    os.close(theirs)
    seen = b""
    while b" of 100000 games" not in seen:
        seen += os.read(ours, 1000)

    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)

    assert process.returncode == 130
    assert " games; " in out.splitlines()[0]
    assert "wins" in out
    os.close(ours)


def test_a_pipe_sees_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--games", "1", "--bots", "random"]) == 0

    assert capsys.readouterr().err == ""


def test_simulate_tells_bids_places_and_the_leader_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--games", "4", "--bots", "random", "--json"]) == 0

    data = json.loads(capsys.readouterr().out)
    assert [line["place"] for line in data["places"]] == [0, 1, 2]
    assert sum(line["bids"] for line in data["places"]) == sum(line["bids"] for line in data["bids"]) == 4 * 15 * 3
    assert 0 <= data["leader_wins"] <= 1
    assert data["tied"] in {0, 0.25, 0.5, 0.75, 1}


RULES = """
players = [3, 4]
schedule = { max = { kind = "fixed", cards = 3 }, segments = [{ from = 3, to = 1 }] }
"""


def test_simulate_writes_a_page_of_rules_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, page = tmp_path / "ours.toml", tmp_path / "lab.html"
    rules.write_text(RULES, "utf-8")

    assert main(["simulate", "--rules", str(rules), "--players", "4", "--games", "8", "--html", str(page)]) == 0

    text = page.read_text("utf-8")
    assert capsys.readouterr().out.startswith("8 games; ")
    assert "<bdi>ours.toml</bdi>" in text
    assert "8 games" in text
    assert "What the hook costs" in text  # from games with the hook switched
    assert text.rstrip().endswith("</html>")


def test_a_page_that_cannot_be_written_is_said_before_the_games_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "nowhere" / "lab.html"

    assert main([*SIMULATE, "--games", "1000000", "--html", str(page)]) == 2

    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == f"scorekeeper: {page} cannot be written: No such file or directory\n"


def test_learn_writes_the_games_of_the_lab(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    some = {name: presets()[name] for name in ("oh_hell_guardian", "skull_king_score", "plump")}
    monkeypatch.setattr(simulating, "presets", lambda: some)
    monkeypatch.setattr(simulating, "FAST_GAMES", 8)
    monkeypatch.setattr(simulating, "SLOW_GAMES", 4)

    assert main(["learn", "lab", str(tmp_path)]) == 0

    data = json.loads(zlib.decompress((tmp_path / "lab.z").read_bytes()))
    assert {name: [one["games"] for one in rows] for name, rows in data.items()} == {
        "oh_hell_guardian": [8] * 5,
        "plump": [4] * 3,
    }
    shown = capsys.readouterr()
    assert shown.out == f"{tmp_path / 'lab.z'}\n"
    assert "skull_king_score, 3 players: the cards of the deck 'other' are not known here" in shown.err


def test_learn_writes_tables_of_the_shape_of_those_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "ROUNDS", 0)  # what the player thinks before it has learned anything

    assert main(["learn", "bots", str(tmp_path)]) == 0

    assert len(zlib.decompress((tmp_path / "play.bin").read_bytes())) == len(learned())


def test_learn_asks_for_its_folder_before_it_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "bots", str(tmp_path / "nowhere")]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"scorekeeper: there is no folder {tmp_path / 'nowhere'}\n"


def test_learn_writes_the_hands_that_are_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(banks, "PLAYERS", (7,))

    assert main(["learn", "hands", str(tmp_path)]) == 0

    shipped = files("scorekeeper.engine").joinpath("tables", "hands-7.z").read_bytes()
    assert zlib.decompress((tmp_path / "hands-7.z").read_bytes()) == zlib.decompress(shipped)
    assert capsys.readouterr().out == f"{tmp_path / 'hands-7.z'}\n"
