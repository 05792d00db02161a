"""The terminal: explains rules, works out points, checks score sheets, and starts what needs the database.

Exit status: 0 done, 1 faults were found, 2 the call or its input cannot be used, said in one line on stderr.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from scorekeeper.calls import CallError, check_players, is_file, load, print_json, rules_named, whole
from scorekeeper.engine import catalog, scorefile, trumps, words
from scorekeeper.engine.events import MOST_CARDS, MOST_SEATS, TRUMPS
from scorekeeper.engine.plain import Problem
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scorefile import FileError, json_number
from scorekeeper.engine.scoring import WORDS, Facts, Formula, UnknownFact, points, read_formula

MOST_GAMES = 1_000_000  # of one simulation: weeks of play
LONGEST_URL = 500  # with a QR code that a terminal can show


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CallError(f"{message} (`{self.prog} --help` tells more)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit status."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal cannot show is no reason to stop
    try:
        call = _parser().parse_args(arguments)
        status: int = call.command(call)
        sys.stdout.flush()
    except (CallError, FileError) as error:
        print(f"scorekeeper: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep Python from trying to flush again at exit.
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        print(f"scorekeeper: the output cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="scorekeeper", description="Keeps the score of Oh Hell. Without a command it serves the app.")
    _address(parser)
    parser.set_defaults(command=_serving("run"))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, does: Any, summary: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=summary, description=summary)
        one.set_defaults(command=does)
        return one

    _address(
        command("run", _serving("run"), "Serve the app, and print its address and a link that gives a phone the pen.")
    )

    one = command("rules", show_rules, "List the presets, or tell one in words with its worked table.")
    one.add_argument("id", nargs="?", metavar="ID", help="a preset's id, name or alias, or a file with a set of rules")
    _json(one)

    one = command("schedule", schedule, "The hand sizes of a game.")
    one.add_argument("--rules", required=True, metavar="ID")
    one.add_argument("--players", required=True, type=whole(1, MOST_SEATS), metavar="N")
    _json(one)

    one = command("points", show_points, "The points of one bid and its tricks.")
    source = one.add_mutually_exclusive_group(required=True)
    source.add_argument("--rules", metavar="ID")
    source.add_argument("--formula", metavar="FORMULA", help="a formula's id, or a file with one")
    for name in ("cards", "bid", "tricks"):
        one.add_argument(f"--{name}", required=True, type=whole(0, MOST_CARDS), metavar=name[0].upper())
    more = one.add_argument_group("where the formula asks for it")
    more.add_argument("--players", type=whole(1, MOST_SEATS), metavar="N")
    more.add_argument("--trump", choices=WORDS["trump"])
    more.add_argument("--bids-total", choices=WORDS["bids_total"], help="the bids of all against the tricks")
    more.add_argument("--max-cards", type=whole(1, MOST_CARDS), metavar="C", help="the game's largest hand")
    more.add_argument("--total-before", type=whole(-100_000, 100_000), metavar="P", help="the total before the hand")
    more.add_argument("--wager", type=whole(0, 999), default=0, metavar="W", help="the stake on the bid")
    more.add_argument("--side", type=whole(0, 999), default=0, metavar="S", help="the count taken beside the tricks")
    more.add_argument("--blind", action="store_true", help="bid before looking")
    more.add_argument("--last-hand", action="store_true", help="in the last hand of the game")
    _json(one)

    one = command("check", check, "Recompute a score sheet (JSON or TOML) and list its faults.")
    one.add_argument("file", type=Path, metavar="FILE")
    _json(one)

    one = command("deal", _lazy("playing", "show_deals"), "Deal hands: who gets which cards, the turn-up, the trump.")
    one.add_argument("--players", required=True, type=whole(1, MOST_SEATS), metavar="N")
    one.add_argument("--cards", required=True, type=whole(1, MOST_CARDS), metavar="K")
    one.add_argument("--rules", default="oh_hell", metavar="ID", help="default oh_hell")
    one.add_argument("--seed", type=whole(0, 2**31), metavar="S", help="the same seed deals the same cards")
    one.add_argument("--count", type=whole(1, 100_000), default=1, metavar="M", help="how many deals")
    _json(one)

    one = command("replay", _lazy("playing", "replay_file"), "Play recorded hands and list where the engine differs.")
    one.add_argument("file", type=Path, metavar="FILE", help="JSON lines, one hand each")
    one.add_argument("--rules", default="open_spiel", metavar="ID", help="default open_spiel")
    _json(one)

    one = command(
        "simulate", _lazy("simulating", "simulate"), "Whole games between bots: how they score, and who wins."
    )
    one.add_argument("--rules", required=True, metavar="ID")
    one.add_argument("--players", required=True, type=whole(1, MOST_SEATS), metavar="N")
    one.add_argument("--games", required=True, type=whole(1, MOST_GAMES), metavar="G")
    one.add_argument("--seed", default="1", metavar="S", help="the same seed, the same games (default 1)")
    one.add_argument(
        "--bots", default="table", metavar="A,B,…", help="by seat, or one for all: random, table, montecarlo"
    )
    one.add_argument("--jobs", type=whole(1, 64), default=1, metavar="J", help="games at the same time (default 1)")
    one.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="write a page with plots too, after a quarter as many games with the hook switched",
    )
    _json(one)

    one = command("learn", _lazy("simulating", "learn"), "Make anew what bots and estimates know, out of self-play.")
    one.add_argument(
        "what",
        choices=("bots", "hands", "lab"),
        help="the tables of the bots, the hands that estimates are drawn from, or the games of the rules lab",
    )
    one.add_argument("folder", type=Path, metavar="FOLDER", help="where it goes; shipped in scorekeeper/engine/tables")

    one = command(
        "advise", _lazy("playing", "show_advice"), "What a hand is worth: chances of tricks, points of each bid."
    )
    one.add_argument("--cards", required=True, metavar="CARDS", help='those held, such as "AS KH 3D"')
    one.add_argument("--players", required=True, type=whole(1, MOST_SEATS), metavar="N")
    one.add_argument("--trump", type=str.upper, choices=TRUMPS, metavar="T", help="C, D, H, S or NT")
    one.add_argument("--turned", metavar="CARD", help="the card turned up, which says the trump too")
    one.add_argument("--earlier", type=_bids, default=(), metavar="B,B,…", help="the bids made before, in order")
    one.add_argument("--place", type=whole(1, MOST_SEATS), metavar="P", help="in the bidding, where all bid at once")
    one.add_argument("--rules", default="oh_hell", metavar="ID", help="default oh_hell")
    one.add_argument("--seed", type=whole(0, 2**31), default=1, metavar="S", help="of the playouts (default 1)")
    _json(one)

    one = command(
        "backup", _serving("backup"), "Copy the SQLite database, while it is in use or not, and prove the copy."
    )
    one.add_argument("file", type=Path, metavar="FILE", help="where the copy goes; an earlier copy there is replaced")

    one = command(
        "restore", _serving("restore"), "Put a copy in the place of the SQLite database, which is kept beside it."
    )
    one.add_argument("file", type=Path, metavar="FILE", help="a copy that `scorekeeper backup` made")

    one = command(
        "bench", show_bench, "How fast the cards are played, and what the web app costs, as ratios with their bars."
    )
    one.add_argument("--cards", action="store_true", help="only this part: hands played at random, beside open_spiel")
    one.add_argument("--estimates", action="store_true", help="only this part: how good the chances to win are")
    one.add_argument("--web", action="store_true", help="only this part: the web app")
    _json(one)

    command("upgrade", _serving("upgrade"), "Bring the database up to date, after a copy where it is an SQLite file.")

    one = command("pen", _serving("pen"), "Print a fresh link and QR code that give a phone the pen.")
    one.add_argument("--new", action="store_true", help="first end all earlier invitations")
    one.add_argument("--book", type=whole(1, 2**31), metavar="NUMBER", help="another book than the house's")
    one.add_argument(
        "--url", type=_link, help="the app's address as phones reach it (default: this machine's, port 8000)"
    )
    _json(one)
    return parser


def _serving(name: str) -> Callable[[argparse.Namespace], int]:
    return _lazy("serving", name)


def _lazy(module: str, name: str) -> Callable[[argparse.Namespace], int]:
    """A command of another module, whose libraries are loaded only when it is called."""

    def command(call: argparse.Namespace) -> int:
        status: int = getattr(import_module(f"scorekeeper.{module}"), name)(call)
        return status

    return command


def show_bench(call: argparse.Namespace) -> int:
    from scorekeeper.bench import cards, estimates, servers, table, web

    parts: dict[str, Callable[[], Iterator[table.Row]]] = {
        "cards": cards.rows,
        "estimates": estimates.rows,
        "web": web.rows,
    }
    wanted = [name for name in parts if getattr(call, name)] or parts
    try:
        met = table.report((row for name in wanted for row in parts[name]()), as_json=call.json)
    except servers.ServerError as error:
        raise CallError(str(error)) from None
    return 0 if met else 1


def _address(parser: argparse.ArgumentParser) -> None:
    # SUPPRESS: `run` must not put its defaults over what stood before it.
    parser.add_argument("--host", default=argparse.SUPPRESS, help="address to listen on (default 0.0.0.0)")
    parser.add_argument(
        "--port", type=whole(1, 65535), default=argparse.SUPPRESS, help="port to listen on (default 8000)"
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the data as JSON")


def _bids(text: str) -> tuple[int, ...]:
    return tuple(whole(0, MOST_CARDS)(part.strip()) for part in text.split(",") if part.strip())


def _link(text: str) -> str:
    if len(text) > LONGEST_URL:
        raise argparse.ArgumentTypeError(f"an address has at most {LONGEST_URL} characters")
    return text


def _formula(name: str) -> Formula:
    if name in catalog.formulas():
        return catalog.formulas()[name]
    if not is_file(name):
        known = ", ".join(catalog.formulas())
        raise CallError(f"there is no formula and no file {name!r}; the formulas are {known}")
    problems: list[Problem] = []
    formula = read_formula(load(Path(name)), "", problems)
    if problems:
        raise CallError(f"{name} is no formula: {'; '.join(map(str, problems))}")
    return formula


def show_rules(call: argparse.Namespace) -> int:
    if call.id is None:
        return _list_rules(call.json)
    preset = catalog.find(call.id)
    rules = rules_named(call.id)
    if call.json:
        return print_json({**preset.data, "formula": rules.scoring.to_data()} if preset else rules.to_data())
    if preset:
        print(preset.name)
        if preset.aliases:
            print(f"Also called {', '.join(preset.aliases)}.")
        print(preset.about)
    for heading, sentences in words.paragraphs(rules):
        print(f"\n{heading}")
        print("\n".join(f"  {sentence}" for sentence in sentences))
    print("\nHands")
    for players in range(rules.players[0], rules.players[1] + 1):
        print(f"  {players} players: {words.shape(rules.sizes(players))}")
    _print_table(rules)
    if preset:
        print(f"\nSource: {'; '.join(preset.source)}")
        if preset.common_form:
            print(f"One common form. {preset.note}")
    return 0


def _print_table(rules: Rules) -> None:
    cards = min(5, rules.largest(rules.players[0]))
    print(f"\nPoints in a hand of {cards}: the bid beside, the tricks above")
    rows = [["", *map(str, range(cards + 1))]]
    rows += [[str(bid), *map(words.exact_text, row)] for bid, row in enumerate(words.worked_table(rules, cards))]
    print("\n".join("  " + "".join(cell.rjust(6) for cell in row) for row in rows))


def _list_rules(as_json: bool) -> int:
    presets = catalog.presets().values()
    if as_json:
        return print_json(
            [
                {"id": one.id, "name": one.name, "aliases": one.aliases, "common_form": one.common_form}
                for one in presets
            ]
        )
    for one in presets:
        low, high = one.rules.players
        players = f"{low}–{high}" if low < high else f"{low}"
        print(f"{one.id:24} {one.name} ({players} players){' *' if one.common_form else ''}")
    print("* one common form: not all of it was seen in a source")
    return 0


def schedule(call: argparse.Namespace) -> int:
    rules = rules_named(call.rules)
    check_players(rules, call.players)
    cards, none = rules.sizes(call.players), trumps.no_trump(rules, call.players)
    if call.json:
        return print_json({"cards": cards, "no_trump": none})
    for number, (size, without) in enumerate(zip(cards, none, strict=True), 1):
        print(f"{number:3}. {size:2} {'no trump' if without else ''}".rstrip())
    return 0


def show_points(call: argparse.Namespace) -> int:
    facts = Facts(
        call.cards,
        call.bid,
        call.tricks,
        players=call.players,
        max_cards=call.max_cards,
        trump=call.trump,
        bids_total=call.bids_total,
        last_hand=call.last_hand,
        blind=call.blind,
        wager=call.wager,
        side=call.side,
        total_before=call.total_before,
    )
    if call.cards < 1 or max(call.bid, call.tricks) > call.cards:
        raise CallError(
            f"bid and tricks go from 0 to the {call.cards} cards of the hand, of which there is at least one"
        )
    rules = rules_named(call.rules) if call.rules else None
    if rules and call.players:
        check_players(rules, call.players)
        dealt_out = call.players * call.cards == rules.cards_in_pack(call.players)
        facts = replace(facts, max_cards=call.max_cards or rules.largest(call.players), no_card_left=dealt_out)
    elif call.players:
        facts = replace(facts, no_card_left=call.players * call.cards == 52)
    try:
        result = points(rules.scoring if rules else _formula(call.formula), facts)
    except UnknownFact as error:
        option = "players" if error.fact == "no_card_left" else error.fact.replace("_", "-")
        raise CallError(f"{error}: give it by --{option}") from None
    if call.json:
        return print_json({"points": json_number(result)})
    print(words.exact_text(result))
    return 0


def check(call: argparse.Namespace) -> int:
    report = scorefile.report(scorefile.read(load(call.file)))
    if call.json:
        print_json(report)
        return 1 if report["faults"] else 0
    for line in report["standings"]:
        name, made = _shown(line["player"]), f"bids made: {line['made']} of {line['hands']}"
        print(f"{line['place']:3}. {name:24} {line['total']:>6}   {made}")
    for fault in report["faults"]:
        where = [f"hand {fault['hand']}"] if fault["hand"] else []
        where += [_shown(fault["player"])] if fault["player"] else []
        print(f"{', '.join(where) or 'file'} — {_shown(fault['message'])}")
    count = len(report["faults"])
    print("No faults." if not count else "1 fault" if count == 1 else f"{count} faults")
    return 1 if report["faults"] else 0


def _shown(text: str) -> str:
    """A text of a file as a terminal may have it, with a question mark for what would be a command to it."""
    return "".join(one if one.isprintable() else "?" for one in text)
