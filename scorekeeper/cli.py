"""The terminal: serves the app, explains rules, works out points, checks score sheets.

Exit status: 0 done, 1 faults were found, 2 the call or its input cannot be used, said in one line on stderr.
"""

import argparse
import json
import os
import socket
import sqlite3
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

from scorekeeper.engine import catalog, scorefile, trumps, words
from scorekeeper.engine.events import MOST_CARDS, MOST_SEATS
from scorekeeper.engine.plain import Problem
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.scorefile import FileError, json_number
from scorekeeper.engine.scoring import WORDS, Facts, Formula, UnknownFact, points, read_formula

PORT = 8000
LONGEST_URL = 500  # with a QR code that a terminal can show
MINUTE = 60
LARGEST_FILE = 4 * 1024 * 1024  # a game's log stays far below


class CallError(Exception):
    """The call cannot be carried out; its text is the one line to say."""


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
    parser.set_defaults(command=run)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, does: Any, summary: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=summary, description=summary)
        one.set_defaults(command=does)
        return one

    _address(command("run", run, "Serve the app, and print its address and a link that gives a phone the pen."))

    one = command("rules", show_rules, "List the presets, or tell one in words with its worked table.")
    one.add_argument("id", nargs="?", metavar="ID", help="a preset's id, name or alias, or a file with a set of rules")
    _json(one)

    one = command("schedule", schedule, "The hand sizes of a game.")
    one.add_argument("--rules", required=True, metavar="ID")
    one.add_argument("--players", required=True, type=_whole(1, MOST_SEATS), metavar="N")
    _json(one)

    one = command("points", show_points, "The points of one bid and its tricks.")
    source = one.add_mutually_exclusive_group(required=True)
    source.add_argument("--rules", metavar="ID")
    source.add_argument("--formula", metavar="FORMULA", help="a formula's id, or a file with one")
    for name in ("cards", "bid", "tricks"):
        one.add_argument(f"--{name}", required=True, type=_whole(0, MOST_CARDS), metavar=name[0].upper())
    more = one.add_argument_group("where the formula asks for it")
    more.add_argument("--players", type=_whole(1, MOST_SEATS), metavar="N")
    more.add_argument("--trump", choices=WORDS["trump"])
    more.add_argument("--bids-total", choices=WORDS["bids_total"], help="the bids of all against the tricks")
    more.add_argument("--max-cards", type=_whole(1, MOST_CARDS), metavar="C", help="the game's largest hand")
    more.add_argument("--total-before", type=_whole(-100_000, 100_000), metavar="P", help="the total before the hand")
    more.add_argument("--wager", type=_whole(0, 999), default=0, metavar="W", help="the stake on the bid")
    more.add_argument("--side", type=_whole(0, 999), default=0, metavar="S", help="the count taken beside the tricks")
    more.add_argument("--blind", action="store_true", help="bid before looking")
    more.add_argument("--last-hand", action="store_true", help="in the last hand of the game")
    _json(one)

    one = command("check", check, "Recompute a score sheet (JSON or TOML) and list its faults.")
    one.add_argument("file", type=Path, metavar="FILE")
    _json(one)

    one = command("backup", backup, "Copy the SQLite database, while it is in use or not, and prove the copy.")
    one.add_argument("file", type=Path, metavar="FILE", help="where the copy goes; an earlier copy there is replaced")

    one = command("restore", restore, "Put a copy in the place of the SQLite database, which is kept beside it.")
    one.add_argument("file", type=Path, metavar="FILE", help="a copy that `scorekeeper backup` made")

    command("upgrade", upgrade, "Bring the database up to date, after a copy where it is an SQLite file.")

    one = command("pen", pen, "Print a fresh link and QR code that give a phone the pen.")
    one.add_argument("--new", action="store_true", help="first end all earlier invitations")
    one.add_argument("--book", type=_whole(1, 2**31), metavar="NUMBER", help="another book than the house's")
    one.add_argument(
        "--url", type=_link, help="the app's address as phones reach it (default: this machine's, port 8000)"
    )
    _json(one)
    return parser


def _address(parser: argparse.ArgumentParser) -> None:
    # SUPPRESS: `run` must not put its defaults over what stood before it.
    parser.add_argument("--host", default=argparse.SUPPRESS, help="address to listen on (default 0.0.0.0)")
    parser.add_argument(
        "--port", type=_whole(1, 65535), default=argparse.SUPPRESS, help=f"port to listen on (default {PORT})"
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the data as JSON")


def _whole(low: int, high: int) -> Any:
    def read(text: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 12 and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def _link(text: str) -> str:
    if len(text) > LONGEST_URL:
        raise argparse.ArgumentTypeError(f"an address has at most {LONGEST_URL} characters")
    return text


def _print_json(data: Any) -> int:
    print(json.dumps(data, ensure_ascii=False, indent=1))
    return 0


def _load(path: Path) -> Any:
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


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # no file can have such a name
        return False


def _rules(name: str) -> Rules:
    """The rules that a preset's id, name or alias, or a file, stands for. Raises CallError or FileError."""
    if preset := catalog.find(name):
        return preset.rules
    if not _is_file(name):
        raise CallError(f"there is no preset and no file {name!r}; `scorekeeper rules` lists the presets")
    return scorefile.rules_of(_load(Path(name)))


def _formula(name: str) -> Formula:
    if name in catalog.formulas():
        return catalog.formulas()[name]
    if not _is_file(name):
        known = ", ".join(catalog.formulas())
        raise CallError(f"there is no formula and no file {name!r}; the formulas are {known}")
    problems: list[Problem] = []
    formula = read_formula(_load(Path(name)), "", problems)
    if problems:
        raise CallError(f"{name} is no formula: {'; '.join(map(str, problems))}")
    return formula


def show_rules(call: argparse.Namespace) -> int:
    if call.id is None:
        return _list_rules(call.json)
    preset = catalog.find(call.id)
    rules = _rules(call.id)
    if call.json:
        return _print_json({**preset.data, "formula": rules.scoring.to_data()} if preset else rules.to_data())
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
        return _print_json(
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


def _players_of(rules: Rules, players: int) -> None:
    low, high = rules.players
    if not low <= players <= high:
        raise CallError(f"these rules are for {low} to {high} players, not {players}")


def schedule(call: argparse.Namespace) -> int:
    rules = _rules(call.rules)
    _players_of(rules, call.players)
    cards, none = rules.sizes(call.players), trumps.no_trump(rules, call.players)
    if call.json:
        return _print_json({"cards": cards, "no_trump": none})
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
    rules = _rules(call.rules) if call.rules else None
    if rules and call.players:
        _players_of(rules, call.players)
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
        return _print_json({"points": json_number(result)})
    print(words.exact_text(result))
    return 0


def check(call: argparse.Namespace) -> int:
    report = scorefile.report(scorefile.read(_load(call.file)))
    if call.json:
        _print_json(report)
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


def _app() -> Any:
    """The app with the settings of the environment. Raises CallError where they cannot be used."""
    from sqlalchemy.exc import ArgumentError

    from scorekeeper import create_app

    try:
        return create_app()
    except (ValueError, ArgumentError, ModuleNotFoundError) as error:
        raise CallError(f"the settings cannot be used: {error}") from None


def run(call: argparse.Namespace) -> int:
    """Brings the database up to date and serves; the port is taken before that, so that nothing is done in vain."""
    import waitress

    from scorekeeper import database

    host, port = getattr(call, "host", "0.0.0.0"), getattr(call, "port", PORT)  # noqa: S104 - the table's phones
    app = _app()
    with _database_in_words():
        database.check(app)
    try:
        server = waitress.create_server(
            app,
            host=host,
            port=port,
            threads=8,
            connection_limit=1000,  # every phone keeps some open; 100, the default, is soon reached
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"],
            channel_timeout=30,
            ident="",
            clear_untrusted_proxy_headers=False,  # the app believes as many proxies as SCOREKEEPER_PROXY says
        )
    except (OSError, ValueError) as error:  # waitress makes a ValueError of a host that is not found
        raise CallError(f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}") from None
    with _database_in_words():
        # Whoever asks during the upgrade is told to wait; the main thread stays free, so that Ctrl-C reaches it.
        serving = Thread(target=server.run, daemon=True)
        serving.start()
        try:
            database.upgrade(app)
            url = app.config.get("URL") or _url(host, port)
            print(f"Scorekeeper is at {url}")
            _print_invitation(_invite(app, None, new=False), url)
            sys.stdout.flush()
            while serving.is_alive():
                _copy_of_the_day(app)
                time.sleep(MINUTE)
        finally:
            server.task_dispatcher.shutdown()  # answers what has come in
    return 0


def _copy_of_the_day(app: Any) -> None:
    """Copies the default database, once a day; a failure is told, and the game goes on."""
    from scorekeeper import backups

    if app.config.get("DATABASE_URL"):
        return
    try:
        backups.copy_of_the_day(_sqlite_file(app))
    except (backups.UnfitError, sqlite3.Error, OSError) as error:
        print(f"scorekeeper: no copy of the day: {error}", file=sys.stderr, flush=True)


def backup(call: argparse.Namespace) -> int:
    from scorekeeper import backups

    with _database_in_words():
        path = _sqlite_file(_app())
        if not path.exists():
            raise CallError(f"there is no database at {path} yet")
        if call.file.exists() and (call.file.samefile(path) or not backups.is_ours(call.file)):
            raise CallError(f"{call.file} is no earlier copy: give another name")
        rows = backups.copy(path, call.file)
    print(f"{call.file}: {rows['book']} books, {rows['game']} games, {rows['entry']} entries, proven.")
    return 0


def restore(call: argparse.Namespace) -> int:
    from scorekeeper import backups, database

    app = _app()
    with _database_in_words():
        path = _sqlite_file(app)
        if not call.file.is_file():
            raise CallError(f"there is no file {call.file}")
        if path.exists() and call.file.samefile(path):
            raise CallError(f"{call.file} is the database itself")
        away = backups.restore(call.file, path, database.revisions())
    print(f"{path} is now what {call.file} holds.")
    if away:
        print(f"What was there before is kept as {away}.")
    return 0


def upgrade(_: argparse.Namespace) -> int:
    from scorekeeper import database

    app = _app()
    with _database_in_words():
        database.check(app)
        copy = database.upgrade(app)
    if copy:
        print(f"A copy of before is at {copy}.")
    print("The database is up to date.")
    return 0


def _sqlite_file(app: Any) -> Path:
    """Where the database is kept. Raises CallError where it is no file."""
    from scorekeeper import database

    with app.app_context():
        path = database.file_of(database.db.engine)
    if path is None:
        raise CallError("this is for SQLite; for PostgreSQL use pg_dump and pg_restore, which do the same")
    return path


def pen(call: argparse.Namespace) -> int:
    from scorekeeper import database

    app = _app()
    with _database_in_words():
        database.prepare(app)
        secret = _invite(app, call.book, new=call.new)
    url = (call.url or app.config.get("URL") or _url("0.0.0.0", PORT)).rstrip("/")  # noqa: S104 - "any address" is asked for this machine's
    if call.json:
        return _print_json({"link": f"{url}/pen/{secret}"})
    _print_invitation(secret, url)
    return 0


@contextmanager
def _database_in_words() -> Iterator[None]:
    """Makes what is wrong with the database a CallError."""
    from sqlalchemy.exc import SQLAlchemyError

    from scorekeeper import backups

    try:
        yield
    except backups.DamagedError as error:
        good = backups.newest_good(error.path)
        way_out = (
            f"`scorekeeper restore {good}` puts the newest good backup back"
            if good
            else f"there is no good backup in {error.path.parent / backups.FOLDER}"
        )
        raise CallError(f"{error} and is not used; {way_out}") from None
    except backups.UnfitError as error:
        raise CallError(str(error)) from None
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise CallError(f"the database cannot be used: {getattr(error, 'orig', None) or error}") from None


def _invite(app: Any, book: int | None, *, new: bool) -> str:
    from scorekeeper import models, pens
    from scorekeeper.database import db

    with app.app_context():
        session = db.session()
        if book is None:
            book = pens.house_book(session)
        elif session.get(models.Book, book) is None:
            raise CallError(f"there is no book {book}")
        if new:
            pens.end_invitations(session, book)
        return pens.invitation(session, book)


def _print_invitation(secret: str, url: str) -> None:
    import segno

    link = f"{url}/pen/{secret}"
    print(f"A phone that opens this link may write: {link}")
    segno.make(link).terminal(out=sys.stdout, compact=True)


def _url(host: str, port: int) -> str:
    """The address that a phone on this network can open."""
    name = host
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                # Nothing is sent: this only asks which of our addresses the way out would have.
                probe.connect(("192.0.2.1", 9))
                name = probe.getsockname()[0]
            except OSError:
                name = "127.0.0.1"
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
