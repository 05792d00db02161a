"""The catalog: named rules and formulas as data, each with its source."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from scorekeeper.engine.plain import Problem
from scorekeeper.engine.rules import Rules, RulesError, read_rules
from scorekeeper.engine.scoring import Formula, read_formula

_SECTIONS = ("schedule", "trump", "bidding", "play", "end")


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of rules. `common_form` marks one of which not everything was seen in a source; `note` says what."""

    id: str
    name: str
    rules: Rules
    data: Mapping[str, Any]  # its full plain data, the formula by its id
    source: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    about: str = ""
    note: str = ""
    common_form: bool = False


@cache
def formulas() -> Mapping[str, Formula]:
    """Every formula by its id, in the order a reader looks for them."""
    problems: list[Problem] = []
    read = [
        read_formula(data, f"formula[{index}]", problems)
        for index, data in enumerate(_file("formulas.toml")["formula"])
    ]
    if problems:
        raise RulesError(problems)
    return {formula.id: formula for formula in read}


@cache
def presets() -> Mapping[str, Preset]:
    """Every preset by its id: Oh Hell first, then its near variants, then by country."""
    data = _file("presets.toml")
    return {one["id"]: _preset(data["defaults"], one) for one in data["preset"]}


def _file(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


def _preset(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> Preset:
    data = {**defaults, **own} | {key: {**defaults[key], **own.get(key, {})} for key in _SECTIONS}
    return Preset(
        id=own["id"],
        name=own["name"],
        rules=read_rules(data, formulas()),
        data=data,
        source=tuple(own["source"]),
        aliases=tuple(own.get("aliases", ())),
        about=own.get("about", ""),
        note=own.get("note", ""),
        common_form=own.get("common_form", False),
    )


def find(words: str) -> Preset | None:
    """The preset that `words` names: by id, else by name, else by alias; capitals do not matter."""
    wanted = words.strip().casefold()
    everything = presets().values()
    named = [preset for preset in everything if wanted in (preset.id, preset.name.casefold())]
    by_alias = [preset for preset in everything if wanted in (alias.casefold() for alias in preset.aliases)]
    return next(iter(named + by_alias), None)
