"""How good the chances to win are: estimates in games that no bank has seen, against who won them.

Games up and down with the hook, between bots that bid by table. The calibration error is the mean distance between
what was said and what came, in ten bins of what was said; the Brier score is the mean square of the distance, beside
that of saying that the leader wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import process_time

from scorekeeper.bench.table import Row
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.events import Entry, HandWritten
from scorekeeper.engine.house import switches, turned
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.selfplay import NO_TRUMP, TURN_UP, self_play
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.standings import winners
from scorekeeper.engine.winning import chances_to_win

AFTER = (5, 10, 15)  # hands
BINS = 10
SEED = 2**40  # far from those of the banks


@dataclass(frozen=True)
class Load:
    """How much is measured; what stands here is the bench."""

    players: Sequence[int] = (3, 4, 5, 6, 7)
    games: int = 1000


@dataclass(frozen=True, slots=True)
class Told:
    """A seat's chance to win as it was told, its share of the lead then, and the share that it won in the end."""

    chance: float
    leads: float
    won: float


def rows(load: Load | None = None) -> Iterator[Row]:
    """The figures, each number of players' when it is measured."""
    load = load or Load()
    most = 0.0
    for players in load.players:
        told, seconds = _told(players, load.games)
        most = max(most, seconds)
        for after, all_told in told.items():
            name = f"chance to win, {players} players, after {after} hands"
            yield Row(f"{name}: calibration error", calibration_error(all_told), 0.02)
            leader = sum((one.leads - one.won) ** 2 for one in all_told)
            yield Row(
                f"{name}: Brier score / that of the leader",
                sum((one.chance - one.won) ** 2 for one in all_told) / leader,
                1,
                unit="×",
            )
    yield Row("chance to win: CPU of the slowest", 1000 * most, 50, unit="ms")


def calibration_error(told: Sequence[Told]) -> float:
    """The mean over all that was told of how far its bin's mean is from what came."""
    bins: dict[int, list[Told]] = {}
    for one in told:
        bins.setdefault(min(int(one.chance * BINS), BINS - 1), []).append(one)
    return sum(abs(sum(one.chance - one.won for one in kept)) for kept in bins.values()) / len(told)


def _rules() -> Rules:
    base = presets()["oh_hell"].rules
    return turned(base, replace(switches(base), schedule="up_down", hook=True, no_trump_in_last=False))


def _told(players: int, games: int) -> tuple[Mapping[int, list[Told]], float]:
    """By hands played, what was told and what came; with the seconds of the slowest."""
    rules = _rules()
    sizes = rules.sizes(players)
    played = [_hands(players, cards, games, SEED + number) for number, cards in enumerate(sizes)]
    told: dict[int, list[Told]] = {after: [] for after in AFTER if after < len(sizes)}
    slowest = 0.0
    for game in range(games):
        sheet, chances, leads = Sheet(rules, tuple(range(players)), players - 1), {}, {}
        for number, hands in enumerate(played, 1):
            order = sheet.hand(number).order
            bids, tricks = hands[game]
            written = HandWritten.of(
                number, bids=dict(zip(order, bids, strict=True)), tricks=dict(zip(order, tricks, strict=True))
            )
            sheet = sheet.apply(Entry(str(number), written))
            if number in told:
                began = process_time()
                chances[number] = chances_to_win(sheet, Random(0)) or {}
                slowest = max(slowest, process_time() - began)
                leads[number] = winners(sheet)
        won = winners(sheet)
        for after in told:
            told[after] += [
                Told(
                    chances[after][seat],
                    (seat in leads[after]) / len(leads[after]),
                    (seat in won) / len(won),
                )
                for seat in sheet.seats
            ]
    return told, slowest


def _hands(players: int, cards: int, games: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """For each game the bids and the tricks of a hand, by place."""
    trump = NO_TRUMP if players * cards == 52 else TURN_UP
    bids, tricks = ([int(one) for one in all_] for all_ in self_play(players, cards, games, seed, trump=trump))
    rows_ = (slice(start, start + players) for start in range(0, games * players, players))
    return [(bids[row], tricks[row]) for row in rows_]
