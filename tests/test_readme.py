"""The README stays true: its examples, its commands, its settings and its links."""

import json
import re
from pathlib import Path

import pytest

from scorekeeper.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found
    return found[1]


def test_the_example_of_a_sheet_has_the_misprint_that_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "sheet.json"
    file.write_text(block("json"), "utf-8")

    assert main(["check", str(file), "--json"]) == 1

    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["code"], fault["player"], fault["computed"]) == ("points", "Di", 0)


def test_the_example_of_rules_is_a_rules_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(block("toml"), "utf-8")

    assert main(["schedule", "--rules", str(file), "--players", "4", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["cards"] == [8, 7, 6, 5, 4, 3, 2, 1]


def test_every_command_is_in_the_table_and_every_row_is_a_command() -> None:
    rows = set(re.findall(r"^\| .*?`scorekeeper ([a-z]+)", README, re.MULTILINE))

    with pytest.raises(SystemExit):
        main(["--help"])
    for command in rows:
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert end.value.code == 0
    assert {"run", "rules", "schedule", "points", "check", "pen"} <= rows


def test_every_setting_that_is_told_is_one() -> None:
    told = set(re.findall(r"`SCOREKEEPER_([A-Z_]+)`", README))
    code = "".join(path.read_text("utf-8") for path in (ROOT / "scorekeeper").glob("*.py"))

    assert told == {"DATABASE_URL", "HOUSE", "PROXY", "TRUSTED_HOSTS", "URL"}
    assert all(f'"{setting}"' in code or f"{setting}=" in code for setting in told)


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_two_lines_are_one_line_each() -> None:
    play, test = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)[:2]

    assert (play.count("\n"), test.count("\n")) == (1, 1)
    assert play.endswith("&& .venv/bin/scorekeeper\n")
    assert test.endswith("&& .venv/bin/pytest\n")
