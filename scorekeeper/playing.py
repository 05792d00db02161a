"""The commands that play cards: deal, replay, advise, simulate, learn."""

import argparse
import json
import re
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from scorekeeper.calls import CallError, check_players, print_json, rules_named
from scorekeeper.engine import banks, lab, replay
from scorekeeper.engine.advice import Advice, AdviceError, advise
from scorekeeper.engine.bots import BOTS
from scorekeeper.engine.cards import CardError, Pack, members, pack_of
from scorekeeper.engine.catalog import find, presets
from scorekeeper.engine.deal import Deal, deal
from scorekeeper.engine.faults import RuleError
from scorekeeper.engine.lab import Bids, GameResult, Results, Tally, hook_switched, result_of
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.selfplay import HANDS, ROUNDS, SEED, learn_tables, play_banks
from scorekeeper.engine.sheet import Sheet
from scorekeeper.engine.simulate import is_fast, play_game, play_games
from scorekeeper.engine.tables import packed

LONGEST_LINE = 64 * 1024  # a record of fifty players stays below
BAR = 40  # characters of a certain chance
PROGRESS = 30  # characters of the progress bar
PICTURES = str.maketrans("CDHS", "♣♦♥♠")


def show_deals(call: argparse.Namespace) -> int:
    """`scorekeeper deal`: hands, turn-up and trump."""
    rules = rules_named(call.rules)
    check_players(rules, call.players)
    rng = Random(call.seed)
    fixed = _fixed_trump(rules, call.players, call.cards)
    try:
        deals = [deal(rules, call.players, call.cards, rng, fixed) for _ in range(call.count)]
    except CardError as error:
        raise CallError(str(error)) from None
    if call.json:
        return print_json([_deal_data(one) for one in deals])
    for number, one in enumerate(deals, 1):
        print(f"Deal {number}" if call.count > 1 else "From the dealer’s left; the last one deals")
        for place, cards in enumerate(one.holdings, 1):
            print(f"{place:3}. {_spread(one.pack, cards)}")
        turned = f"turned up {_pretty(one.pack.name(one.turned))}, " if one.turned is not None else ""
        trump = {None: "the trump is for a player to name", "NT": "no trump"}
        print(f"     {turned}{trump.get(one.trump) or f'trump {_pretty(str(one.trump))}'}")
    return 0


def _fixed_trump(rules: Rules, players: int, cards: int) -> str | None:
    """The trump that the rules give the first hand of this size, else the first hand."""
    hands = Sheet(rules, tuple(range(players)), players - 1).hands
    return next((hand for hand in hands if hand.cards == cards), hands[0]).fixed_trump


def _deal_data(one: Deal) -> dict[str, Any]:
    return {
        "hands": [[one.pack.name(card) for card in cards] for cards in one.dealt],
        "turnup": None if one.turned is None else one.pack.name(one.turned),
        "trump": one.trump,
    }


def _spread(pack: Pack, cards: int) -> str:
    """A hand as a player holds it: by suit, the highest first."""
    suits: dict[str, list[str]] = {}
    for card in reversed(list(members(cards))):
        name = pack.name(card)
        suits.setdefault(name[1], []).append(name[0])
    return "  ".join(_pretty(suit) + " ".join(ranks) for suit, ranks in suits.items())


def _pretty(name: str) -> str:
    return name[:-1] + name[-1:].translate(PICTURES)


def replay_file(call: argparse.Namespace) -> int:
    """`scorekeeper replay`: every difference between recorded hands and the engine, by line."""
    rules = rules_named(call.rules)
    hands, differences = 0, []
    for number, line in _lines(call.file):
        try:
            found = replay.differences(replay.read_record(json.loads(line)), rules)
        except (ValueError, RecursionError) as error:  # JSON's errors and RecordError are ValueErrors
            raise CallError(f"{call.file}, line {number}: {error}") from None
        hands += 1
        differences += [(number, one) for one in found]
    if call.json:
        listed = [
            {"line": number, "what": one.what, "recorded": one.recorded, "engine": one.engine}
            for number, one in differences
        ]
        print_json({"hands": hands, "differences": listed})
    else:
        for number, one in differences:
            print(f"line {number}, {one.what}: recorded {_plain(one.recorded)}, the engine has {_plain(one.engine)}")
        print(f"{hands} hands, {len(differences)} differences")
    return 1 if differences else 0


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that hold something, with their numbers. Raises CallError."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE:
                    raise CallError(f"{path}, line {number}: is longer than {LONGEST_LINE // 1024} kB")
                if line.strip():
                    yield number, line
    except OSError as error:
        raise CallError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CallError(f"{path} is no text in UTF-8") from None


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def show_advice(call: argparse.Namespace) -> int:
    """`scorekeeper advise`: the chance of each number of tricks, and what each legal bid may bring."""
    rules = rules_named(call.rules)
    check_players(rules, call.players)
    names = re.split(r"[\s,]+", call.cards.strip())
    try:
        pack = pack_of(rules, call.players)
        held, shown = pack.read_all([filter(None, names), [call.turned] if call.turned else []])
        advice = advise(
            rules,
            call.players,
            held,
            Random(call.seed),
            trump=call.trump,
            turned=shown.bit_length() - 1 if shown else None,
            earlier=call.earlier,
            place=None if call.place is None else call.place - 1,
        )
    except (AdviceError, CardError, RuleError) as error:
        raise CallError(str(error)) from None
    if call.json:
        return print_json(_advice_data(advice))
    trump = "no trump" if advice.trump == "NT" else f"trump {_pretty(advice.trump)}"
    print(f"{_spread(pack, held)}; {trump}; {call.players} players, you bid as number {advice.place + 1}")
    print(f"\nThe best bid: {advice.best.bid}\n")
    print("tricks  chance")
    for tricks, chance in enumerate(advice.best.chances):
        print(f"{tricks:6}{chance:8.1%}  {'#' * round(BAR * chance)}".rstrip())
    print("\n   bid    made  points   ±")
    choices = {choice.bid: choice for choice in advice.choices}
    for bid in range(advice.cards + 1):
        if one := choices.get(bid):
            mark = "  best" if one == advice.best else ""
            print(f"{bid:6}{one.made:8.1%}{one.points:z8.2f}{one.error:6.2f}{mark}")
        else:
            why = "the bids would equal the tricks" if bid == advice.forbidden else "these rules do not allow it"
            print(f"{bid:6}  forbidden: {why}")
    print(f"\nFrom {advice.playouts} hands played out, {advice.best.playouts} of them with the best bid;")
    print("± is the standard error of the points.")
    return 0


def _advice_data(advice: Advice) -> dict[str, Any]:
    return {
        "cards": advice.cards,
        "place": advice.place + 1,
        "trump": advice.trump,
        "forbidden": advice.forbidden,
        "best": advice.best.bid,
        "chances": advice.best.chances,
        "playouts": advice.playouts,
        "bids": [
            {
                "bid": one.bid,
                "points": one.points,
                "error": one.error,
                "made": one.made,
                "chances": one.chances,
                "playouts": one.playouts,
            }
            for one in advice.choices
        ],
    }


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
MOST_PLAYERS = 7


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
