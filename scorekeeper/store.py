"""Sheets as they are kept: loaded, written on, undone. Session in, engine values out.

A game, a book and a phone are an `int` here, the row's id; pages know a game by its code.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from threading import Lock

from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.orm import Session, aliased

from scorekeeper import models
from scorekeeper.database import writing
from scorekeeper.engine.catalog import formulas
from scorekeeper.engine.events import (
    Cell,
    Ended,
    Entry,
    Event,
    HandWritten,
    PlanChanged,
    TableChanged,
    Undone,
    event_data,
    read_event,
)
from scorekeeper.engine.faults import Fault, RuleError
from scorekeeper.engine.rules import Rules, read_rules
from scorekeeper.engine.sheet import Sheet
from scorekeeper.pens import NoPenError, has_pen, hash_of, may_write
from scorekeeper.projection import over_since, project

MOST_KEPT = 64  # games in memory; one of seven players and twenty hands takes about 300 kB
MOST_ENTRIES = 5_000  # 60 hands of ten players, each cell written and corrected four times


class UnknownGameError(LookupError):
    """There is no game of this code."""


class KeyReusedError(ValueError):
    """Something else was written under this key before."""


class LimitError(ValueError):
    """`code` (entries, games, players) names what there can be no more of than `limit`."""

    def __init__(self, code: str, limit: int) -> None:
        super().__init__(f"there can be at most {limit} {code}")
        self.code = code
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits on seat `number` of a game; `player` is the person in the book."""

    number: int
    player: int
    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry with who wrote it when; `base` is the last `seq` that they had seen."""

    seq: int
    key: str
    phone: int | None
    base: int
    time: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class Game:
    """A game as its log has it now. `version` and `estimates` are its book's; `next_code` is the game that followed."""

    id: int
    code: str
    title: str
    book: int
    version: int
    estimates: bool  # each player's chance to win is shown
    seats: tuple[Seat, ...]
    preset: str | None
    started: datetime
    ended: datetime | None
    next_code: str | None
    sheet: Sheet
    log: tuple[LogRow, ...]

    @property
    def seq(self) -> int:
        """The number of the last entry; 0 while nothing is written."""
        return self.log[-1].seq if self.log else 0

    @property
    def rules(self) -> Rules:
        return self.sheet.rules

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""
        return tuple(seat.name for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Head:
    """What changes on a game's page, for its ETag. `phone` is who asks, None if unknown; `pen`: it may write."""

    code: str
    book: int
    version: int
    seq: int
    next_code: str | None
    phone: int | None
    pen: bool


@dataclass(frozen=True, slots=True)
class Clash:
    """A cell where `mine` was to be written, but another phone wrote `now` in between."""

    cell: Cell
    mine: object
    now: object


class ConflictError(Exception):
    """Another phone wrote the same cells differently since `base`; `game` is what stands now."""

    def __init__(self, game: Game, clashes: tuple[Clash, ...]) -> None:
        super().__init__("another phone wrote something else here")
        self.game = game
        self.clashes = clashes


_Next = aliased(models.Game)
# As a column of a statement on games.
next_code = select(_Next.code).where(_Next.id == models.Game.next_game_id).scalar_subquery()


# Statements are put together once: that costs more than running them.
_CODE = models.Game.code == bindparam("code")
_GAME = (
    select(*models.Game.__table__.columns, models.Book.version, models.Book.estimates, next_code.label("next_code"))
    .join(models.Book, models.Book.id == models.Game.book_id)
    .where(_CODE)
)
_SEATS = (
    select(models.Seat.seat, models.Player.id, models.Player.name, models.Player.colour)
    .join(models.Player, models.Player.id == models.Seat.player_id)
    .where(models.Seat.game_id == bindparam("game"))
    .order_by(models.Seat.seat)
)
_ENTRY = models.Entry.__table__.columns
_LOG = (
    select(_ENTRY.seq, _ENTRY.key, _ENTRY.phone_id, _ENTRY.base, _ENTRY.time, _ENTRY.kind, _ENTRY.data)
    .where(_ENTRY.game_id == bindparam("game"))
    .order_by(_ENTRY.seq)
)
_LOCK = select(models.Game.id).where(_CODE).with_for_update()
_INSERT = insert(models.Entry)
_PHONE = select(models.Phone.id).where(models.Phone.hash == bindparam("hash")).scalar_subquery()
_LAST_SEQ = select(func.max(models.Entry.seq)).where(models.Entry.game_id == models.Game.id).scalar_subquery()
_HEAD = (
    select(
        models.Game.code,
        models.Game.book_id,
        models.Book.version,
        func.coalesce(_LAST_SEQ, 0),
        next_code,
        _PHONE,
        has_pen(_PHONE, models.Game.book_id),
    )
    .join(models.Book, models.Book.id == models.Game.book_id)
    .where(_CODE)
)


def load(session: Session, code: str) -> Game:
    """The game of this code. Raises UnknownGameError."""
    game = session.execute(_GAME, {"code": _sound(code)}).one_or_none()
    if game is None:
        raise UnknownGameError(code)
    seats = session.execute(_SEATS, {"game": game.id})
    rows = session.execute(_LOG, {"game": game.id})
    log = tuple(
        LogRow(row.seq, row.key, row.phone_id, row.base, row.time, read_event(row.kind, row.data)) for row in rows
    )
    return Game(
        id=game.id,
        code=game.code,
        title=game.title,
        book=game.book_id,
        version=game.version,
        estimates=game.estimates,
        seats=tuple(Seat(*seat) for seat in seats),
        preset=game.preset,
        started=game.started,
        ended=game.ended,
        next_code=game.next_code,
        sheet=Sheet(_rules(json.dumps(game.rules)), tuple(range(game.first_seats)), game.first_dealer, _entries(log)),
        log=log,
    )


def _sound(code: str) -> str:
    """The same code. Raises UnknownGameError for what cannot be one: PostgreSQL takes not every text."""
    if not set(code) <= set(models.CROCKFORD):
        raise UnknownGameError(code)
    return code


@lru_cache(maxsize=256)  # they are read with every request, and a game's never change
def _rules(text: str) -> Rules:
    return read_rules(json.loads(text), formulas())


def _entries(rows: Iterable[LogRow]) -> tuple[Entry, ...]:
    return tuple(Entry(row.key, row.event) for row in rows)


def head(session: Session, code: str, secret: str | None) -> Head:
    """What the page of the game depends on for the phone with this secret, in one statement.

    Raises UnknownGameError.
    """
    asked = {"code": _sound(code), "hash": hash_of(secret or "")}
    row = session.connection().execute(_HEAD, asked).one_or_none()  # half the cost of asking the session itself
    if row is None:
        raise UnknownGameError(code)
    return Head(*row)


def read(session: Session, head: Head) -> Game:
    """The game whose head this is, to be looked at: kept from an earlier request while nothing in it has changed."""
    game = _kept.get(head.code)
    if game is None or (game.version, game.seq, game.next_code) != (head.version, head.seq, head.next_code):
        game = load(session, head.code)
        _keep(game)
    return game


_kept: dict[str, Game] = {}  # by code, the last loaded or written last
_keeping = Lock()


def _keep(game: Game) -> None:
    """Keeps a game as the database has it."""
    with _keeping:
        _kept.pop(game.code, None)
        _kept[game.code] = game
        if len(_kept) > MOST_KEPT:
            del _kept[next(iter(_kept))]


def write(session: Session, code: str, phone: int | None, event: Event, key: str, base: int) -> Game:
    """Writes on the sheet what this phone changed of what it saw, the sheet at `base`, and gives the game after it.

    The same key again with the same content gives the game and writes nothing. A phone's own entries after `base`
    count as seen: taps made faster than the network answers, and hours without one, all carry the same base.

    Raises UnknownGameError, NoPenError, KeyReusedError, ConflictError, LimitError, RuleError from the rules, or
    EventError for values that no sheet can hold.
    """
    with writing(session):
        game = write_on(session, open_to_write(session, code, phone), phone, event, key, base)
    _keep(game)  # committed
    return game


def write_on(session: Session, game: Game, phone: int | None, event: Event, key: str, base: int) -> Game:
    """`write` within `writing`, on what `open_to_write` gave."""
    event = read_event(*event_data(event))  # what could not be read again would close the game for good
    if _is_repeat(game, event, key):
        return game
    base = max(0, min(base, game.seq))  # nobody has seen what is not there
    seen = _seen(game, phone, base)
    left = _unwritten(event, seen, game.sheet)
    if left is None:
        return game
    clashes = tuple(_clashes(left, seen, game.sheet))
    if clashes:
        raise ConflictError(game, clashes)
    _check_seats(left, game)
    sheet = game.sheet.written_on(Entry(key, left))
    return _append(session, game, LogRow(game.seq + 1, key, phone, base, models.now(), left), sheet)


def _is_repeat(game: Game, event: Event, key: str) -> bool:
    """True where this was written under its key before. Raises KeyReusedError where something else was."""
    known = next((row for row in game.log if row.key == key), None)
    if known is None:
        return False
    log = game.log[: known.seq - 1]
    before = replace(game, sheet=_sheet(game, log), log=log)
    if _unwritten(event, _seen(before, known.phone, known.base), before.sheet) != known.event:
        raise KeyReusedError(key)
    return True


def undo(session: Session, code: str, phone: int | None, entry: str, key: str, base: int) -> Game:
    """Takes back the entry with the key `entry`, whoever wrote it; where it does not count any more, nothing happens.

    Undoing an undo brings its entry back. Raises as `write` does.
    """
    return write(session, code, phone, Undone(entry), key, base)


def open_to_write(session: Session, code: str, phone: int | None) -> Game:
    """The game, with its row locked, for use within `writing`. Raises UnknownGameError or NoPenError."""
    game = _locked(session, code)
    if not may_write(session, phone, game.book):
        raise NoPenError
    return game


def _locked(session: Session, code: str) -> Game:
    session.connection().execute(_LOCK, {"code": _sound(code)})
    return read(session, head(session, code, None))


def rebuild(session: Session) -> None:
    """Makes the projection of every game anew from its log."""
    for code in session.scalars(select(models.Game.code)).all():
        with writing(session):
            session.execute(_LOCK, {"code": code})
            game = load(session, code)
            project(session, game.id, game.sheet, over_since(game.sheet, [row.time for row in game.log]))


def _append(session: Session, game: Game, row: LogRow, sheet: Sheet) -> Game:
    """Writes a row, after which the game's sheet is `sheet`."""
    if row.seq > MOST_ENTRIES:
        raise LimitError("entries", MOST_ENTRIES)
    kind, data = event_data(row.event)
    session.connection().execute(
        _INSERT,
        {
            "game_id": game.id,
            "seq": row.seq,
            "key": row.key,
            "phone_id": row.phone,
            "base": row.base,
            "time": row.time,
            "kind": kind,
            "data": data,
        },
    )
    ended = (game.ended or row.time) if sheet.over else None
    if game.sheet.over or sheet.over:
        project(session, game.id, sheet, ended)
    return replace(game, sheet=sheet, ended=ended, log=(*game.log, row))


def _sheet(game: Game, rows: Iterable[LogRow]) -> Sheet:
    return replace(game.sheet, entries=_entries(rows))


def _seen(game: Game, phone: int | None, base: int) -> Sheet:
    """The sheet as a phone saw it when it wrote: up to `base`, and its own entries since."""
    if base >= game.seq:
        return game.sheet
    return _sheet(game, (row for row in game.log if row.seq <= base or row.phone == phone))


def _unwritten(event: Event, seen: Sheet, now: Sheet) -> Event | None:
    """What of `event` its writer changed; None if that is nothing, or stands already."""
    match event:
        case HandWritten(hand, cells):
            changed = {cell: value for cell, value in cells if value != seen.cells(hand).get(cell)}
            return HandWritten.of(hand, changed) if changed else None
        case Undone(key):
            known = any(entry.key == key for entry in now.entries)
            return None if known and now.apply(Entry("", event)).counting == now.counting else event
        case Ended():
            return None if now.ended else event
        case TableChanged(hand, table, ()) if table == now.table_at(hand):
            return None
        case PlanChanged(hand, cards) if now.planned is not None and cards == now.sizes_from(hand):
            return None
    return None if _latest(now, event) == event else event


def _clashes(event: Event, seen: Sheet, now: Sheet) -> Iterator[Clash]:
    """Where another phone wrote something else than `event` does, unseen by its writer."""
    match event:
        case HandWritten(hand, cells):
            for cell, mine in cells:
                before, after = seen.cells(hand).get(cell), now.cells(hand).get(cell)
                if after not in (before, mine):
                    yield Clash(cell, mine, after)
        case TableChanged() | PlanChanged():
            if _latest(now, event) != _latest(seen, event):
                yield Clash((event_data(event)[0], None), event, _latest(now, event))


def _latest(sheet: Sheet, event: Event) -> Event | None:
    """The last event of the kind of `event` that counts."""
    return next((entry.event for entry in reversed(sheet.counting) if type(entry.event) is type(event)), None)


def _check_seats(event: Event, game: Game) -> None:
    """Raises RuleError if nobody of the book has a seat that is to join the table."""
    if isinstance(event, TableChanged):
        for seat in event.table:
            if seat >= len(game.seats):
                raise RuleError(Fault("seat", event.hand, seat))
