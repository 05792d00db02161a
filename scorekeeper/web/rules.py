"""`/rules`: every preset in words, with its worked table, its hands, and a blank sheet to print."""

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import get_translations

from scorekeeper.engine.catalog import Preset, presets
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.words import paragraphs, worked_table
from scorekeeper.names import BadNameError, clean

pages = Blueprint("rules", __name__)

TABLE_CARDS = 5  # a worked table of 6 by 6 fits the width of a phone


@pages.get("/rules")
def catalogue() -> ResponseReturnValue:
    """Every preset, or those whose name or alias holds `?q=`."""
    words = request.args.get("q", "").strip()[:60]
    found = [preset for preset in presets().values() if _is_called(preset, words)]
    return render_template("rules/all.html", presets=found, q=words)


@pages.get("/rules/<preset_id>")
def preset(preset_id: str) -> ResponseReturnValue:
    """One preset: words, source, worked table, and its hands for each number of players."""
    chosen = _preset(preset_id)
    low, high = chosen.rules.players
    return render_template(
        "rules/one.html",
        preset=chosen,
        words=paragraphs(chosen.rules, get_translations()),
        cards=TABLE_CARDS,
        worked=worked_table(chosen.rules, TABLE_CARDS),
        plans=[(players, _sheet(chosen, players).hands) for players in range(low, high + 1)],
    )


@pages.get("/rules/<preset_id>/blank")
def blank(preset_id: str) -> ResponseReturnValue:
    """A sheet to fill by hand, for `?players=` with `?names=` (with commas) where they are given."""
    chosen = _preset(preset_id)
    low, high = chosen.rules.players
    names = _names(request.args.get("names", ""))
    players = request.args.get("players", type=int) or max(low, len(names))
    players = min(max(players, low), high)
    return render_template(
        "rules/blank.html",
        preset=chosen,
        players=players,
        names=(names + [""] * players)[:players],
        hands=_sheet(chosen, players).hands,
    )


def _preset(preset_id: str) -> Preset:
    chosen = presets().get(preset_id)
    if chosen is None:
        abort(404)
    return chosen


def _is_called(preset: Preset, words: str) -> bool:
    return any(words.casefold() in name.casefold() for name in (preset.id, preset.name, *preset.aliases))


def _sheet(preset: Preset, players: int) -> Sheet:
    """An empty sheet; the last player deals first, so that the first column bids first."""
    return Sheet(preset.rules, tuple(range(players)), players - 1)


def _names(text: str) -> list[str]:
    names = []
    for part in text[:1000].split(","):
        try:
            names.append(clean(part))
        except BadNameError:
            continue
    return names
