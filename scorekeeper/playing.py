"""The commands about cards on the table: deal, replay, advise."""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from scorekeeper.calls import CallError, check_players, print_json, rules_named
from scorekeeper.engine import replay
from scorekeeper.engine.advice import Advice, AdviceError, advise, first_hand
from scorekeeper.engine.cards import CardError, Pack, members, pack_of
from scorekeeper.engine.deal import Deal, deal
from scorekeeper.engine.faults import RuleError

LONGEST_LINE = 64 * 1024  # a record of fifty players stays below
BAR = 40  # characters of a certain chance
PICTURES = str.maketrans("CDHS", "♣♦♥♠")


def show_deals(call: argparse.Namespace) -> int:
    """`scorekeeper deal`: hands, turn-up and trump."""
    rules = rules_named(call.rules)
    check_players(rules, call.players)
    rng = Random(call.seed)
    fixed = first_hand(rules, call.players, call.cards).fixed_trump
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
