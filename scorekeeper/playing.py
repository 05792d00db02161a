"""The commands that play cards."""

import argparse
import json
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from scorekeeper.engine.bots import BOTS
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.selfplay import HANDS, ROUNDS, SEED, learn_tables
from scorekeeper.engine.simulate import GameResult, Tally, play_game, result_of
from scorekeeper.engine.tables import packed

BAR = 30  # characters of the progress bar


class UnusableError(Exception):
    """The call cannot be carried out; its text is the one line to say."""


def simulate(call: argparse.Namespace, rules: Rules) -> int:
    """Plays `call.games` games and prints what they add up to; Ctrl-C prints those that are done."""
    names = _bots(call.bots, call.players)
    tally, status = Tally.empty(call.players), 0
    one = partial(_game, rules, call.players, names, call.seed)
    with closing(_results(one, call.games, call.jobs)) as results:
        try:
            for result in results:
                tally = tally.add(result)
                _show_progress(tally.games, call.games)
        except KeyboardInterrupt:
            status = 130
    if call.json:
        print(json.dumps(tally.to_data(names), ensure_ascii=False, indent=1))
    else:
        _print_tally(tally, names)
    return status


def learn(file: Path) -> int:
    """Writes the tables that the bots' self-play gives; the same on every machine."""

    def tell(done: int) -> None:
        print(f"{done} of {ROUNDS} rounds of self-play", file=sys.stderr, flush=True)

    file.write_bytes(packed(learn_tables(ROUNDS, HANDS, SEED, tell)))
    return 0


def _bots(text: str, players: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in BOTS:
            raise UnusableError(f"there is no bot {name!r}; the bots are {', '.join(BOTS)}")
    if len(names) not in (1, players):
        raise UnusableError(f"--bots names {len(names)} bots for {players} players; give one for all or one for each")
    return names * players if len(names) == 1 else names


def _game(rules: Rules, players: int, names: Sequence[str], seed: str, number: int) -> GameResult:
    return result_of(play_game(rules, players, names, f"{seed} {number}"))


def _results(one: "partial[GameResult]", games: int, jobs: int) -> Generator[GameResult]:
    """The results in order of games, whoever plays them."""
    if jobs == 1:
        yield from map(one, range(games))
        return
    with get_context("spawn").Pool(min(jobs, games), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(one, range(games), chunksize=max(1, min(20, games // (4 * jobs))))


def _show_progress(done: int, games: int) -> None:
    if sys.stderr.isatty():
        full = BAR * done // games
        end = "\n" if done == games else ""
        print(f"\r[{'#' * full}{'.' * (BAR - full)}] {done} of {games} games", end=end, file=sys.stderr, flush=True)


def _print_tally(tally: Tally, names: Sequence[str]) -> None:
    data = tally.to_data(names)
    print(f"{tally.games} games; {tally.exact:.1%} of the bids made")
    print(f"\n{'cards':>6}{'bids':>9}{'made':>8}")
    for line in data["hands"]:
        print(f"{line['cards']:>6}{line['bids']:>9}{line['exact']:>8.1%}")
    print(f"\n{'seat':>6}  {'bot':12}{'points':>9}{'spread':>9}{'wins':>8}")
    for line in data["seats"]:
        print(
            f"{line['seat'] + 1:>6}  {line['bot']:12}{line['points']:>9.1f}{line['spread']:>9.1f}{line['wins']:>8.1%}"
        )
