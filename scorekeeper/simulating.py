"""The commands that let bots play among themselves: simulate, and learn, which makes what is shipped of such games."""

import argparse
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from scorekeeper.calls import CallError, check_players, print_json, rules_named
from scorekeeper.engine import banks, lab
from scorekeeper.engine.bots import BOTS
from scorekeeper.engine.cards import CardError
from scorekeeper.engine.catalog import find, presets
from scorekeeper.engine.lab import MOST_PLAYERS, Bids, GameResult, Results, Tally, hook_switched, result_of
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.selfplay import HANDS, ROUNDS, SEED, learn_tables, play_banks
from scorekeeper.engine.simulate import is_fast, play_game, play_games
from scorekeeper.engine.tables import packed

PROGRESS = 30  # characters of the progress bar


def simulate(call: argparse.Namespace) -> int:
    """Plays `call.games` games and prints what they add up to; Ctrl-C prints those that are done."""
    rules = rules_named(call.rules)
    check_players(rules, call.players)
    names = _bots(call.bots, call.players)
    if call.html:
        _write(call.html, b"")  # better told before a long run than after it
    tally, switched, status = Tally(), Tally(), 0
    try:
        _play(tally, rules, names, call, call.games)
        if call.html and (other := hook_switched(rules)):
            _play(switched, other, names, call, max(call.games // QUARTER, 1))
    except CardError as error:
        raise CallError(str(error)) from None
    except KeyboardInterrupt:
        status = 130
    if not tally.games:
        return status
    results = tally.results(switched)
    if call.json:
        print_json(_data(results, names))
    else:
        _print(results, names)
    if call.html:
        _write_page(call, rules, results)
    return status


def _play(tally: Tally, rules: Rules, names: Sequence[str], call: argparse.Namespace, games: int) -> None:
    """Adds so many games to a tally. Raises CardError."""
    one = partial(_game, rules, call.players, names, call.seed)
    with closing(_results(one, games, call.jobs)) as results:
        for result in results:
            tally.add(result)
            _show_progress(tally.games, games)


def _write_page(call: argparse.Namespace, rules: Rules, results: Results) -> None:
    # The command needs no Flask but for this.
    from scorekeeper.web.lab import Sample, as_file

    preset = find(call.rules)
    name = preset.name if preset else Path(call.rules).name
    _write(call.html, as_file(Sample(name, rules, results)).encode())


def _write(path: Path, content: bytes) -> None:
    """Raises CallError."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise CallError(f"{path} cannot be written: {error.strerror}") from None


def learn(call: argparse.Namespace) -> int:
    """`scorekeeper learn`: writes what self-play gives; the same on every machine."""
    folder: Path = call.folder
    if not folder.is_dir():
        raise CallError(f"there is no folder {folder}")
    for name, content in LEARNT[call.what]():
        _write(folder / name, content)
        print(folder / name)
    return 0


def _tables() -> Iterator[tuple[str, bytes]]:
    def tell(done: int) -> None:
        print(f"{done} of {ROUNDS} rounds of self-play", file=sys.stderr, flush=True)

    yield "play.bin", packed(learn_tables(ROUNDS, HANDS, SEED, tell))


def _banks() -> Iterator[tuple[str, bytes]]:
    for players in banks.PLAYERS:
        yield banks.file_name(players), banks.packed(play_banks(players))


# Games of each preset and number of players, compiled and card by card. The standard error of a half is 1.6 % and 3.2 %
# of these games, and of the bids in hands of one size, with three players, 0.9 % and 1.8 %.
FAST_GAMES, SLOW_GAMES = 1000, 250
QUARTER = 4  # one in so many games more is played with the hook switched: its bids are enough


def _lab() -> Iterator[tuple[str, bytes]]:
    yield lab.FILE, lab.packed(_all_results())


def _all_results() -> Iterator[tuple[str, Results]]:
    for preset in presets().values():
        low, high = preset.rules.players
        for players in range(low, min(high, MOST_PLAYERS) + 1):
            try:
                yield preset.id, _results_of(preset.rules, players)
            except CardError as error:
                print(f"{preset.id}, {players} players: {error}", file=sys.stderr)
            else:
                print(f"{preset.id}, {players} players", file=sys.stderr, flush=True)


def _results_of(rules: Rules, players: int) -> Results:
    games = FAST_GAMES if is_fast(rules, players) else SLOW_GAMES
    tallies = []
    for ours, count in ((rules, games), (hook_switched(rules), games // QUARTER)):
        tally = Tally()
        for sheet in play_games(ours, players, count, "lab") if ours else ():
            tally.add(result_of(sheet))
        tallies.append(tally)
    return tallies[0].results(tallies[1])


LEARNT: Mapping[str, Callable[[], Iterator[tuple[str, bytes]]]] = {"bots": _tables, "hands": _banks, "lab": _lab}


def _bots(text: str, players: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in BOTS:
            raise CallError(f"there is no bot {name!r}; the bots are {', '.join(BOTS)}")
    if len(names) not in (1, players):
        raise CallError(f"--bots names {len(names)} bots for {players} players; give one for all or one for each")
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
        full = PROGRESS * done // games
        end = "\n" if done == games else ""
        print(
            f"\r[{'#' * full}{'.' * (PROGRESS - full)}] {done} of {games} games", end=end, file=sys.stderr, flush=True
        )


def _data(results: Results, names: Sequence[str]) -> dict[str, Any]:
    """Plain data; shares are from 0 to 1, `spread` is the standard deviation of a seat's final total."""
    return {
        "games": results.games,
        "exact": round(results.made.rate, 4),
        "hands": [{"cards": cards, **_bids(one)} for cards, one in results.by_cards.items()],
        "seats": [
            {"seat": seat, "bot": name, "points": one.points, "spread": one.spread, "wins": one.wins}
            for seat, (name, one) in enumerate(zip(names, results.seats, strict=True))
        ],
        "bids": [{"bid": bid, **_bids(one)} for bid, one in results.by_bid.items()],
        "places": [{"place": place, **_bids(one)} for place, one in enumerate(results.by_place)],
        "leader_wins": results.leads,
        "tied": results.tied,
    }


def _bids(one: Bids) -> dict[str, float]:
    return {"bids": one.count, "exact": round(one.rate, 4), "points": one.points}


def _print(results: Results, names: Sequence[str]) -> None:
    print(f"{results.games} games; {results.made.rate:.1%} of the bids made")
    print(f"\n{'cards':>6}{'bids':>9}{'made':>8}")
    for cards, one in results.by_cards.items():
        print(f"{cards:>6}{one.count:>9}{one.rate:>8.1%}")
    print(f"\n{'seat':>6}  {'bot':12}{'points':>9}{'spread':>9}{'wins':>8}")
    for number, (name, seat) in enumerate(zip(names, results.seats, strict=True), 1):
        print(f"{number:>6}  {name:12}{seat.points:>9.1f}{seat.spread:>9.1f}{seat.wins:>8.1%}")
