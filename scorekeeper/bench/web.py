"""What the web app costs and how many it serves, as ratios: to the least that a web app can do, or to itself at rest.

CPU time is that of the server's process. Contenders take turns, so that whatever else the machine does meets all.
"""

import asyncio
import random
import secrets
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from flask import Flask
from sqlalchemy import event

from scorekeeper import books, create_app, database, pens, store
from scorekeeper.bench.phones import Answer, Phone
from scorekeeper.bench.servers import HOST, Server, ServerError, serving
from scorekeeper.bench.table import Row
from scorekeeper.engine.catalog import formulas, presets
from scorekeeper.engine.events import Entry, HandWritten
from scorekeeper.engine.rules import Rules, read_rules
from scorekeeper.engine.sheet import Sheet

APP = ("scorekeeper", "run", "--host", HOST, "--port")
HELLO = ("scorekeeper.bench.hello",)
NAMES = ("Ann", "Bob", "Cy", "Di", "Eva", "Finn", "Gus")
JITTER = 0.1  # of the poll interval, as the pages' script has it
BETWEEN_TAPS = 1.0  # seconds: bids called out quickly

Form = tuple[str, Mapping[str, object]]  # the address and the fields of an entry


@dataclass(frozen=True)
class Load:
    """How much is asked of the server; what stands here is the bench."""

    rounds: int = 5
    hellos: int = 500  # in a round
    pages: int = 60
    unchanged: int = 250
    entries: int = 60
    writers: int = 32
    written: int = 15  # entries of each writer
    watchers: int = 400
    poll: float = 2.0  # seconds between two looks of a watcher
    taps: int = 18  # while they watch, and before that alone
    slow: int = 40  # connections that send a byte a second
    slow_seconds: float = 6


def rows(load: Load | None = None) -> Iterator[Row]:
    """The figures, each as it is measured. Raises ServerError where a server cannot be started or stops answering."""
    load = load or Load()
    with tempfile.TemporaryDirectory(prefix="scorekeeper-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'bench.sqlite'}"
        games = Games(create_app({"DATABASE_URL": url, "HOUSE": True, "PROXY": 0, "TRUSTED_HOSTS": None}))
        with (
            serving(APP, "/healthz", folder, SCOREKEEPER_DATABASE_URL=url) as app,
            serving(HELLO, "/", folder) as hello,
        ):
            yield from asyncio.run(_costs(app, hello, games, load))
            yield _statements(games)
            yield from asyncio.run(_writers(app, games, load))
            yield from asyncio.run(_watchers(app, games, load))
            yield asyncio.run(_slow(app, games, load))


# ---- games ----


def evening(rules: Rules, players: int) -> Iterator[HandWritten]:
    """A whole game, entry by entry as it is tapped: each bid by itself, then the tricks of all."""
    sheet = Sheet(rules, tuple(range(players)), players - 1)
    for number in count():
        hand = sheet.current
        if hand is None:
            return
        seat = next((seat for seat, bid in hand.bids.items() if bid is None), None)
        if seat is not None:
            legal = hand.legal_bids(seat)
            entry = HandWritten.of(hand.number, bids={seat: legal[seat % len(legal) % 3]})
        else:
            left, tricks = hand.cards, dict.fromkeys(hand.bids, 0)
            for one, bid in hand.bids.items():
                tricks[one] = min(bid or 0, left)
                left -= tricks[one]
            tricks[hand.order[0]] += left
            entry = HandWritten.of(hand.number, tricks=tricks)
        yield entry
        sheet = sheet.apply(Entry(str(number), entry))


def forms(code: str, entries: Iterable[HandWritten], base: int = 0) -> Iterator[Form]:
    """The entries as the phone sends them, one after another; `base` of the game's are written already."""
    for seen, entry in enumerate(entries, base):
        cells = {f"{name}-{seat}": value for (name, seat), value in entry.cells}
        yield f"/games/{code}/hands/{entry.hand}", cells | {"key": secrets.token_hex(16), "base": seen}


@dataclass
class Games:
    """A fresh database of `app`, the phone with this secret that has the pen, and the games that it starts."""

    app: Flask
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    def __post_init__(self) -> None:
        database.prepare(self.app)

    def start(self, rules: Rules, players: int, written: int = 0) -> tuple[str, Iterator[Form]]:
        """A new game with the first of its entries written: its code, and the entries that follow."""
        with self.app.app_context():
            session = database.db.session()
            phone = pens.phone_with(session, self.secret)
            new = books.NewGame(NAMES[:players], rules, None, players - 1)
            code = books.start_game(session, phone, new, house=True)
            entries = evening(rules, players)
            for seq, entry in enumerate(islice(entries, written)):
                store.write(session, code, phone, entry, str(seq), seq)
        return code, forms(code, entries, written)

    def fresh(self, games: int) -> Iterator[Form]:
        """The entries of as many games, each of four players, thirteen hands and 65 entries."""
        return (form for _ in range(games) for form in self.start(_usual(), 4)[1])


def _usual() -> Rules:
    return presets()["oh_hell_hook"].rules


def _rules(*sizes: tuple[int, int]) -> Rules:
    """The base game with hands of these sizes, each pair from one size to another."""
    segments = [{"from": first, "to": last} for first, last in sizes]
    return read_rules({"schedule": {"max": {"kind": "fixed", "cards": 7}, "segments": segments}}, formulas())


# ---- what a request costs ----

Ask = Callable[[], Awaitable[Answer]]


async def _costs(app: Server, hello: Server, games: Games, load: Load) -> list[Row]:
    usual, _ = games.start(_usual(), 4, 32)  # two bids into hand 7 of 13
    long, short = _rules((1, 7), (7, 1), (2, 7)), _rules((1, 5))  # 20 hands and 5
    long_new, short_new = games.start(long, 7)[0], games.start(short, 3)[0]
    long_last, short_last = games.start(long, 7, 19 * 8)[0], games.start(short, 3, 4 * 4)[0]
    hosts = count()
    entries, tapped = games.fresh(load.rounds), games.fresh(load.rounds)
    async with (
        Phone(hello.port) as visitor,
        Phone(app.port, games.secret) as scorer,
        Phone(app.port) as reader,
    ):
        tag = (await reader.get(f"/games/{usual}")).headers["etag"]

        def page(code: str) -> Ask:
            return lambda: _expect(200, scorer.get(f"/games/{code}"))

        def board(code: str) -> Ask:
            # Readers share what was drawn for one of them. Under another host name it is drawn anew.
            return lambda: _expect(200, reader.get(f"/games/{code}", Host=f"host-{next(hosts)}"))

        async def entry_and_page() -> Answer:
            address, _ = form = next(tapped)
            await tap(scorer, form)
            return await _expect(200, scorer.get(address.partition("/hands")[0]))

        contenders: dict[str, tuple[Server, int, Ask]] = {
            "hello": (hello, load.hellos, lambda: _expect(200, visitor.get("/"))),
            "page": (app, load.pages, page(usual)),
            "board": (app, load.pages, board(usual)),
            "304": (app, load.unchanged, lambda: _expect(304, reader.get(f"/games/{usual}", If_None_Match=tag))),
            "entry": (app, load.entries, lambda: tap(scorer, next(entries))),
            "tap": (app, load.entries, entry_and_page),
            "long page": (app, load.pages, page(long_new)),
            "short page": (app, load.pages, page(short_new)),
            "long board": (app, load.pages, board(long_last)),
            "short board": (app, load.pages, board(short_last)),
        }
        for _, _, ask in contenders.values():
            await ask()  # templates are read, connections opened
        spent = dict.fromkeys(contenders, 0.0)
        for _ in range(load.rounds):
            for name, (server, times, ask) in contenders.items():
                spent[name] += await _cpu(server, times, ask)
    each = {name: seconds / load.rounds for name, seconds in spent.items()}

    def ratio(name: str, one: str, other: str, bar: float) -> Row:
        return Row(name, each[one] / each[other], bar, unit="×")

    return [
        Row("hello: CPU of a request", 1000 * each["hello"], unit="ms"),
        ratio("page of the hand for the scorer (4 players, hand 7 of 13) / hello", "page", "hello", 8),
        ratio("board of the same game drawn anew for a reader / hello", "board", "hello", 8),
        ratio("304 / hello", "304", "hello", 3.5),
        ratio("an entry (POST, on the disk) / hello", "entry", "hello", 10),
        ratio("an entry and the page after it / hello", "tap", "hello", 18),
        ratio("page of the hand: 20 hands to come, 7 players / 5 hands, 3 players", "long page", "short page", 6),
        ratio("board: 20 hands, 7 players / 5 hands, 3 players", "long board", "short board", 6),
    ]


async def _cpu(server: Server, times: int, ask: Ask) -> float:
    """The seconds of CPU time that one of so many requests costs the server."""
    before = server.cpu()
    for _ in range(times):
        await ask()
    return (server.cpu() - before) / times


async def _expect(status: int, asked: Awaitable[Answer]) -> Answer:
    return _checked(status, await asked)


def _checked(status: int, answer: Answer) -> Answer:
    if answer.status != status:
        raise ServerError(f"the server answered {answer.status} where {status} was due")
    return answer


async def tap(scorer: Phone, form: Form) -> Answer:
    """Writes an entry. Raises ServerError where it is not written."""
    return await _expect(303, scorer.post(*form))


def _statements(games: Games) -> Row:
    """The statements of pages whose game is not in memory, as after a start or another process's entry."""
    codes = [games.start(_usual(), 4)[0] for _ in range(2)]
    phone = games.app.test_client(use_cookies=False)
    phone.get("/")  # whether the database is current is asked once a process
    cookies: tuple[dict[str, str], ...] = ({"Cookie": f"phone={games.secret}"}, {})
    with games.app.app_context():
        engine = database.db.engine
    most = 0
    for code, cookie in zip(codes, cookies, strict=True):
        said: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any, said: list[str] = said) -> None:
            said.append(statement)

        event.listen(engine, "before_cursor_execute", note)
        phone.get(f"/games/{code}", headers=cookie)
        event.remove(engine, "before_cursor_execute", note)
        most = max(most, sum(statement != "BEGIN" for statement in said))
    return Row("SQL statements of a page, its game not in memory: the most", most, 4)


# ---- many at once ----


async def _writers(app: Server, games: Games, load: Load) -> list[Row]:
    alone = [form for _ in range(4) for form in islice(games.fresh(1), load.written)]
    queues = [list(islice(games.fresh(1), load.written)) for _ in range(load.writers)]
    failed = 0

    async def write(queue: Sequence[Form]) -> None:
        nonlocal failed
        async with Phone(app.port, games.secret) as scorer:
            for form in queue:
                try:
                    await tap(scorer, form)
                except ServerError:
                    failed += 1

    async def rate(queues: Sequence[Sequence[Form]]) -> float:
        start = time.perf_counter()
        await asyncio.gather(*(write(queue) for queue in queues))
        return sum(map(len, queues)) / (time.perf_counter() - start)

    one, many = await rate([alone]), await rate(queues)
    return [
        Row(f"entries a second: {load.writers} writers / 1 writer", many / one, 0.5, "at least", "×"),
        Row(f"entries of {load.writers} writers that failed", failed, 0),
    ]


@dataclass
class Watch:
    """A game that is watched: when each entry was tapped, by its number in the log, and what became of it."""

    address: str
    poll: float
    tapped: dict[int, float] = field(default_factory=dict)
    seen: list[float] = field(default_factory=list)  # seconds from a tap to a watcher's screen
    failed: int = 0  # polls
    over: bool = False

    async def follow(self, phone: Phone, chance: random.Random) -> None:
        """Looks again and again, as the pages' script does, until it is over."""
        try:
            await asyncio.sleep(self.poll * chance.random())
            tag = (await _expect(200, phone.get(self.address))).headers["etag"]
            while not self.over:
                await asyncio.sleep(self.poll * (1 + JITTER * chance.uniform(-1, 1)))
                answer = await phone.get(self.address, If_None_Match=tag)
                if answer.status == 304:
                    continue
                tag, before = _checked(200, answer).headers["etag"], tag
                now = time.perf_counter()
                self.seen += [now - self.tapped[seq] for seq in range(_seq(before) + 1, _seq(tag) + 1)]
        except ServerError:
            self.failed += 1


def _seq(tag: str) -> int:
    """The number of the last entry, which an ETag of a game's page has after the code."""
    return int(tag.split("-")[1])


async def _watchers(app: Server, games: Games, load: Load) -> list[Row]:
    quiet, busy = games.start(_usual(), 4)[1], games.start(_usual(), 4)
    watch = Watch(f"/games/{busy[0]}", load.poll)
    chance = random.Random(1)
    failed, alone, watched = 0, [], []
    async with AsyncExitStack() as phones:
        scorer = await phones.enter_async_context(Phone(app.port, games.secret))
        for form in islice(quiet, load.taps):
            alone.append(await _timed(scorer, form))
            await asyncio.sleep(BETWEEN_TAPS / 10)
        watchers = [await phones.enter_async_context(Phone(app.port)) for _ in range(load.watchers)]
        following = [asyncio.create_task(watch.follow(phone, chance)) for phone in watchers]
        await asyncio.sleep(1.5 * load.poll)
        for seq, form in enumerate(islice(busy[1], load.taps), 1):
            watch.tapped[seq] = time.perf_counter()
            try:
                watched.append(await _timed(scorer, form))
                await _expect(200, scorer.get(watch.address))
            except ServerError:
                failed += 1
            await asyncio.sleep(max(0, watch.tapped[seq] + BETWEEN_TAPS - time.perf_counter()))
        watch.over = True
        await asyncio.gather(*following)
    if len(watch.seen) < 2 or not watched:
        raise ServerError("nothing was written that the watchers could see")
    missed = load.watchers * load.taps - len(watch.seen)
    p99 = quantiles(watch.seen, n=100)[-1]
    return [
        Row(
            f"time of an entry (median): {load.watchers} watchers / nobody",
            median(watched) / median(alone),
            3,
            unit="×",
        ),
        Row(
            f"change seen by {load.watchers} watchers (p99) / poll of {load.poll:g} s", p99 / load.poll, 1.25, unit="×"
        ),
        Row("taps that failed meanwhile", failed, 0),
        Row("polls that failed, changes that a watcher never saw", watch.failed + missed, 0),
    ]


async def _timed(scorer: Phone, form: Form) -> float:
    start = time.perf_counter()
    await tap(scorer, form)
    return time.perf_counter() - start


async def _slow(app: Server, games: Games, load: Load) -> Row:
    code, _ = games.start(_usual(), 4, 5)
    unanswered = 0

    async def trickle() -> None:
        """Sends a request that never ends, a byte a second."""
        async with Phone(app.port) as phone:
            phone.writer.write(b"GET / HTTP/1.1\r\nSlow: ")
            while True:
                phone.writer.write(b"a")
                await asyncio.sleep(1)

    trickling = [asyncio.create_task(trickle()) for _ in range(load.slow)]
    end = time.perf_counter() + load.slow_seconds
    while time.perf_counter() < end:
        try:
            async with Phone(app.port) as visitor:
                await _expect(200, visitor.get(f"/games/{code}"))
        except (ServerError, OSError):
            unanswered += 1
        await asyncio.sleep(0.1)
    for one in trickling:
        one.cancel()
    await asyncio.gather(*trickling, return_exceptions=True)
    return Row(f"probes without an answer beside {load.slow} slow connections", unanswered, 0)
