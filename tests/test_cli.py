"""The terminal, as a person at it meets it: what is printed, the exit status, one clear line where a call is wrong."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli import main

SHEET: dict[str, Any] = {
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


def run_json(capsys: pytest.CaptureFixture[str], *call: str) -> Any:
    main([*call, "--json"])
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], *call: str) -> str:
    """The one line that a call which cannot be carried out leaves on stderr."""
    assert main(call) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    return captured.err


def write(tmp_path: Path, data: Any, name: str = "sheet.json") -> str:
    file = tmp_path / name
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return str(file)


def test_rules_lists_the_presets_with_oh_hell_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("oh_hell ")
    assert any(line.startswith("wizard ") for line in lines)


def test_rules_finds_a_preset_by_alias_and_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "blackout"]) == 0

    told = capsys.readouterr().out
    assert told.startswith("Oh Hell\n")
    assert "Bid made: 10 + tricks" in told
    assert "Source: the base article" in told


def test_a_preset_as_data_is_itself_a_rules_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = run_json(capsys, "rules", "wizard")
    file = write(tmp_path, data, "rules.json")

    assert data["scoring"] == "wizard"
    assert run_json(capsys, "schedule", "--rules", file, "--players", "6")["cards"] == list(range(1, 11))


def test_a_rules_file_may_be_toml(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write(tmp_path, 'scoring = "wizard"\n[bidding]\nhook = "always"\n', "rules.toml")

    assert run_json(capsys, "points", "--rules", file, "--cards", "3", "--bid", "2", "--tricks", "2") == {"points": 40}


def test_schedule_gives_the_hand_sizes_and_which_have_no_trump(capsys: pytest.CaptureFixture[str]) -> None:
    data = run_json(capsys, "schedule", "--rules", "oh_hell", "--players", "7")

    assert data == {"cards": [1, 2, 3, 4, 5, 6, 7], "no_trump": [False] * 6 + [True]}


@pytest.mark.parametrize(
    ("call", "points"),
    [
        (("--rules", "oh_hell", "--cards", "4", "--bid", "4", "--tricks", "4"), 14),
        (("--rules", "oh_hell", "--cards", "4", "--bid", "3", "--tricks", "4"), 0),
        (("--formula", "wizard", "--cards", "5", "--bid", "3", "--tricks", "1"), -20),
        (("--formula", "trick_half", "--cards", "6", "--bid", "0", "--tricks", "0"), 0.5),
        (("--formula", "basas", "--cards", "13", "--bid", "0", "--tricks", "0", "--players", "4"), 35),
        (("--formula", "spades_double", "--cards", "6", "--bid", "3", "--tricks", "3", "--trump", "S"), 26),
        (("--formula", "binary_halving", "--cards", "6", "--bid", "2", "--tricks", "1", "--total-before", "21"), -10),
    ],
)
def test_points(capsys: pytest.CaptureFixture[str], call: tuple[str, ...], points: float) -> None:
    assert run_json(capsys, "points", *call) == {"points": points}


def test_check_prints_the_report_of_the_format(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = run_json(capsys, "check", write(tmp_path, SHEET))

    assert report["hands"] == [
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
    assert [(line["place"], line["player"], line["total"]) for line in report["standings"]] == [
        (1, "Ann", 21),
        (1, "Bob", 21),
        (3, "Di", 20),
        (4, "Cy", 10),
    ]
    assert [(fault["hand"], fault["player"], fault["code"]) for fault in report["faults"]] == [(1, "Ann", "hook")]


def test_check_ends_with_1_where_it_found_a_fault_and_0_where_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sound = {**SHEET, "rules": "oh_hell"}

    assert main(["check", write(tmp_path, SHEET)]) == 1
    assert "hand 1, Ann — Not 0: the bids would equal the 1 trick." in capsys.readouterr().out
    assert main(["check", write(tmp_path, sound)]) == 0
    assert "No faults." in capsys.readouterr().out


def test_check_finds_the_misprint_in_a_published_wizard_sheet(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # Source: the report of the German Wizard final of 2019 prints 10 for an exact zero, which is worth 20.
    sheet = {
        "rules": "wizard",
        "players": ["A", "B", "C", "D"],
        "cards": [1, 3, 5],
        "hands": [
            {"bids": [0, 0, 0, 1], "tricks": [1, 0, 0, 0]},
            {"bids": [2, 1, 1, 0], "tricks": [3, 0, 0, 0]},
            {"bids": [1, 2, 3, 0], "tricks": [1, 2, 2, 0]},
        ],
        "points": [[-10, 20, 20, -10], [-10, -10, -10, 10], [30, 40, -10, 20]],
    }

    report = run_json(capsys, "check", write(tmp_path, sheet))

    assert [{key: fault[key] for key in fault if key != "message"} for fault in report["faults"]] == [
        {"hand": 2, "player": "D", "code": "points", "written": 10, "computed": 20}
    ]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("nonsense",), "invalid choice"),
        (("points", "--cards", "1"), "required"),
        (("points", "--rules", "no_such", "--cards", "1", "--bid", "0", "--tricks", "0"), "no preset and no file"),
        (("points", "--formula", "no_such", "--cards", "1", "--bid", "0", "--tricks", "0"), "no formula and no file"),
        (("points", "--rules", "oh_hell", "--cards", "3", "--bid", "4", "--tricks", "0"), "0 to the 3 cards"),
        (("points", "--rules", "oh_hell", "--cards", "0", "--bid", "0", "--tricks", "0"), "at least one"),
        (
            ("points", "--rules", "oh_hell", "--cards", "3", "--bid", "\uff11", "--tricks", "0"),
            "not a whole number",
        ),
        (("points", "--rules", "oh_hell", "--cards", "3", "--bid", "1e9", "--tricks", "0"), "not a whole number"),
        (("points", "--rules", "oh_hell", "--cards", "3", "--bid", "-1", "--tricks", "0"), "not a whole number"),
        (("points", "--formula", "binary_nil", "--cards", "3", "--bid", "0", "--tricks", "0"), "--players"),
        (("points", "--formula", "basas", "--cards", "3", "--bid", "0", "--tricks", "0"), "--players"),
        (("schedule", "--rules", "oh_hell", "--players", "8"), "3 to 7 players"),
        (("schedule", "--rules", "oh_hell"), "--players"),
        (("rules", "no_such"), "no preset and no file"),
        (("rules", "n" * 300), "no preset and no file"),
        (("points", "--formula", "n" * 300, "--cards", "1", "--bid", "0", "--tricks", "0"), "no formula and no file"),
        (("check", "no/such/file.json"), "cannot be read"),
        (("run", "--port", "0"), "from 1 to 65535"),
        (("pen", "--book", "x"), "not a whole number"),
        (("pen", "--url", f"https://table.example/{'n' * 3000}"), "at most"),
    ],
)
def test_a_wrong_call_is_one_clear_line(capsys: pytest.CaptureFixture[str], call: tuple[str, ...], said: str) -> None:
    assert said in refused(capsys, *call)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "neither JSON nor TOML"),
        ("{", "neither JSON nor TOML"),
        ("[" * 100_000, "neither JSON nor TOML"),
        ("[]", "with rules, players and hands"),
        ('{"rules": "oh_hell", "players": ["A", "B", "C"]}', "hands is missing"),
        ('{"rules": "oh_hell", "players": [], "hands": []}', "must not be empty"),
        ('{"rules": "oh_hell", "players": "ABC", "hands": []}', "players: must be a list"),
        ('{"rules": "no_such", "players": ["A", "B", "C"], "hands": []}', "no preset 'no_such'"),
        ('{"rules": {"deck": "tarot"}, "players": ["A", "B", "C"], "hands": []}', "deck: must be one of"),
        ('{"rules": 7, "players": ["A", "B", "C"], "hands": []}', "must be a table"),
        ('{"rules": "oh_hell", "cards": [0], "players": ["A", "B", "C"], "hands": []}', "cards[0]"),
    ],
)
def test_a_file_that_is_no_sheet_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str
) -> None:
    assert said in refused(capsys, "check", write(tmp_path, text))


def test_a_file_that_is_too_large_is_refused_unread(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "too large" in refused(capsys, "check", write(tmp_path, " " * (4 * 1024 * 1024 + 1)))


def test_the_hand_size_that_the_pack_cannot_deal_is_a_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sheet = {"rules": "oh_hell", "players": ["A", "B", "C", "D", "E"], "cards": [13], "hands": []}

    report = run_json(capsys, "check", write(tmp_path, sheet))

    assert [(fault["hand"], fault["code"]) for fault in report["faults"]] == [(1, "deck")]


def test_names_of_a_file_do_not_reach_the_terminal_as_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sheet = {**SHEET, "players": ["Ann\x1b[2J", "Bob\n", "Cy", "Di"], "first_dealer": None}

    main(["check", write(tmp_path, sheet)])

    assert "\x1b" not in (told := capsys.readouterr().out)
    assert "Ann?[2J" in told


def scorekeeper(*call: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scorekeeper", *call], capture_output=True, text=True, timeout=60, env=environment
    )


def test_a_full_disk_for_the_output_is_one_clear_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scorekeeper", "rules", "--json"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip

    assert done.returncode == 2
    assert done.stderr == "scorekeeper: the output cannot be written: No space left on device\n"


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = scorekeeper(
            "run", "--host", "127.0.0.1", "--port", port, SCOREKEEPER_DATABASE_URL=f"sqlite:///{tmp_path}/book.sqlite"
        )

    assert done.returncode == 2
    assert done.stderr.startswith(f"scorekeeper: cannot listen on 127.0.0.1, port {port}:")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("call", [("run", "--host", "127.0.0.1"), ("pen",)])
def test_a_database_that_cannot_be_opened_is_one_clear_line(tmp_path: Path, call: tuple[str, ...]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    port_option = ("--port", port) if call[0] == "run" else ()
    url = f"sqlite:///{tmp_path}/no/such/folder/book.sqlite"

    done = scorekeeper(*call, *port_option, SCOREKEEPER_DATABASE_URL=url)

    assert done.returncode == 2
    assert done.stderr.startswith("scorekeeper: the database cannot be used:")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("PROXY", "x", "SCOREKEEPER_PROXY must be a number"),
        ("PROXY", "-1", "SCOREKEEPER_PROXY must be a number"),
        ("HOUSE", "nein", "SCOREKEEPER_HOUSE must be on or off"),
        ("DATABASE_URL", "foo", "the settings cannot be used"),
        ("DATABASE_URL", "mysql://localhost/book", "the settings cannot be used"),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_clear_line(setting: str, value: str, said: str) -> None:
    done = scorekeeper("pen", **{f"SCOREKEEPER_{setting}": value})

    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_address_that_phones_reach_can_be_set(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/book.sqlite"

    done = scorekeeper("pen", "--json", SCOREKEEPER_DATABASE_URL=url, SCOREKEEPER_URL="https://table.example")

    assert json.loads(done.stdout)["link"].startswith("https://table.example/pen/")


def test_an_address_that_this_machine_does_not_have_is_one_clear_line(tmp_path: Path) -> None:
    done = scorekeeper("run", "--host", "%%", SCOREKEEPER_DATABASE_URL=f"sqlite:///{tmp_path}/book.sqlite")

    assert done.returncode == 2
    assert done.stderr.startswith("scorekeeper: cannot listen on %%, port 8000:")
    assert done.stderr.count("\n") == 1


def test_pen_prints_a_fresh_link_each_time(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/book.sqlite"

    links = {
        json.loads(
            scorekeeper("pen", "--json", "--url", "https://table.example/", SCOREKEEPER_DATABASE_URL=url).stdout
        )["link"]
        for _ in range(2)
    }

    assert len(links) == 2
    assert all(link.startswith("https://table.example/pen/") for link in links)


def test_pen_for_a_book_that_does_not_exist_is_one_clear_line(tmp_path: Path) -> None:
    done = scorekeeper("pen", "--book", "99", SCOREKEEPER_DATABASE_URL=f"sqlite:///{tmp_path}/book.sqlite")

    assert done.returncode == 2
    assert done.stderr == "scorekeeper: there is no book 99\n"


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("run",),
        ("rules",),
        ("schedule",),
        ("points",),
        ("check",),
        ("pen",),
        ("backup",),
        ("restore",),
        ("upgrade",),
    ],
)
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command, "--help"])

    assert end.value.code == 0
    assert "usage: scorekeeper" in capsys.readouterr().out
