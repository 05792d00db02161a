"""What the commands share: a call that cannot be carried out, files, rules by name, argument types."""

import argparse
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scorekeeper.engine import catalog, scorefile
from scorekeeper.engine.rules import Rules

LARGEST_FILE = 4 * 1024 * 1024  # a game's log stays far below


class CallError(Exception):
    """The call cannot be carried out; its text is the one line to say."""


def whole(low: int, high: int) -> Callable[[str], int]:
    """An argument's type: a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12 and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def print_json(data: Any) -> int:
    """Prints data as JSON; its status is 0."""
    print(json.dumps(data, ensure_ascii=False, indent=1))
    return 0


def load(path: Path) -> Any:
    """The data of a JSON or TOML file. Raises CallError."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise CallError(f"{path} is too large: at most {LARGEST_FILE // 1024} kB")
        text = path.read_text("utf-8-sig")
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise CallError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CallError(f"{path} is neither JSON nor TOML that can be read: {error}") from None


def is_file(name: str) -> bool:
    """Whether a file has this name."""
    try:
        return Path(name).is_file()
    except OSError:  # no file can have such a name
        return False


def rules_named(name: str) -> Rules:
    """The rules that a preset's id, name or alias, or a file, stands for. Raises CallError or FileError."""
    if preset := catalog.find(name):
        return preset.rules
    if not is_file(name):
        raise CallError(f"there is no preset and no file {name!r}; `scorekeeper rules` lists the presets")
    return scorefile.rules_of(load(Path(name)))


def check_players(rules: Rules, players: int) -> None:
    """Raises CallError where the rules are not for so many players."""
    low, high = rules.players
    if not low <= players <= high:
        raise CallError(f"these rules are for {low} to {high} players, not {players}")
