"""What a book holds: its games, started and followed by others, and its players."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from scorekeeper import models
from scorekeeper.database import writing
from scorekeeper.engine.events import Entry, HandWritten, TableChanged
from scorekeeper.engine.faults import Fault, RuleError
from scorekeeper.engine.rules import Rules
from scorekeeper.engine.sheet import Sheet
from scorekeeper.names import BadNameError, clean, clean_title, folded
from scorekeeper.pens import book_to_start_in, house_book
from scorekeeper.store import Game, LimitError, load, next_code, open_to_write, write_on

MOST_GAMES = 5_000  # in a book: a game an evening for thirteen years
MOST_PLAYERS = 500  # in a book: a club, its guests and their misspellings


class NotOverError(ValueError):
    """The game is still on, so no other follows it."""


class SameNameError(ValueError):
    """Two `seats` have one name."""

    def __init__(self, name: str, seats: tuple[int, int]) -> None:
        super().__init__(f"seats {seats[0] + 1} and {seats[1] + 1} are both {name}")
        self.name = name
        self.seats = seats


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a game starts with: names as typed, clockwise, and the seat of the first dealer."""

    players: tuple[str, ...]
    rules: Rules
    preset: str | None
    first_dealer: int
    title: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class TableOf:
    """Who sits clockwise from `hand` on, as typed; `carry` has the points that some bring, by place in `names`."""

    hand: int
    names: tuple[str, ...]
    carry: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Player:
    """A person in a book."""

    id: int
    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list of its book. Names are by seat; `ended` is None and `winners` empty while it is on."""

    code: str
    title: str
    started: datetime
    ended: datetime | None
    players: tuple[str, ...]
    winners: tuple[str, ...]
    next_code: str | None


# ---- starting ----


def start_game(session: Session, phone: int, new: NewGame, *, house: bool) -> str:
    """Starts a game where this phone may: in its book, or where `house` in the house's while nobody has its pen.

    Otherwise in a book of its own. The phone has the pen of that book afterwards; the same `key` again gives the same
    game. Raises BadNameError, SameNameError, LimitError, or RuleError where the rules do not fit the players.
    """
    if house:
        house_book(session)
    with writing(session):
        return _start(session, book_to_start_in(session, phone, house=house), new)


def rematch(session: Session, code: str, phone: int | None) -> str:
    """The code of the game that follows this one, made where there is none: same players and rules, the deal passed on.

    Raises UnknownGameError, NoPenError, or NotOverError while the game is on.
    """
    with writing(session):
        game = open_to_write(session, code, phone)
        if game.next_code:
            return game.next_code
        if not game.sheet.over:
            raise NotOverError
        table, dealer = _next_deal(game.sheet)
        again = NewGame(
            players=tuple(game.names[seat] for seat in table),
            rules=game.rules,
            preset=game.preset,
            first_dealer=table.index(dealer),
            title=game.title,
        )
        following = _start(session, game.book, again)
        new = select(models.Game.id).where(models.Game.code == following).scalar_subquery()
        session.execute(update(models.Game).where(models.Game.id == game.id).values(next_game_id=new))
        return following


def change_table(session: Session, code: str, phone: int | None, change: TableOf, key: str, base: int) -> Game:
    """Seats these people from a hand on, whoever is new in the game on a new seat, and gives the game after it.

    Raises BadNameError and SameNameError with places in `change.names`, and what `write` raises.
    """
    with writing(session):
        game = open_to_write(session, code, phone)
        names = _told_apart(change.names)
        taken = {folded(seat.name): seat.number for seat in game.seats}
        new = [place for place, name in enumerate(names) if folded(name) not in taken]
        if new:
            session.execute(select(models.Book.id).where(models.Book.id == game.book).with_for_update())
            people = _people(session, game.book, names)
            taken |= {folded(names[place]): seat for seat, place in enumerate(new, len(game.seats))}
            seats = [{"game_id": game.id, "seat": taken[folded(names[one])], "player_id": people[one]} for one in new]
            session.execute(insert(models.Seat), seats)
            game = load(session, code)
        table = tuple(taken[folded(name)] for name in names)
        carry = tuple((table[place], points) for place, points in change.carry.items())
        return write_on(session, game, phone, TableChanged(change.hand, table, carry), key, base)


def change(session: Session, book: int, name: str, *, estimates: bool) -> None:
    """Gives the book a name, or none, and says whether its games show each player's chance to win.

    Raises BadNameError.
    """
    changed = {"name": clean_title(name), "estimates": estimates, "version": models.Book.version + 1}
    with writing(session):
        session.execute(update(models.Book).where(models.Book.id == book).values(changed))


def name_of(session: Session, book: int) -> str:
    """The name of a book, empty where it has none."""
    return session.scalar(select(models.Book.name).where(models.Book.id == book)) or ""


def shows_estimates(session: Session, book: int) -> bool:
    """Whether the scores of a book's games have each player's chance to win."""
    return bool(session.scalar(select(models.Book.estimates).where(models.Book.id == book)))


def _next_deal(sheet: Sheet) -> tuple[tuple[int, ...], int]:
    """The table and the dealer of the hand that would come after the last one played."""
    number = max((hand.number for hand in sheet.played), default=0) + 1
    if number > len(sheet.hands):
        # A hand that is written on is there, whatever the rules say about the end.
        sheet = sheet.apply(Entry("", HandWritten.of(number, note="next")))
    hand = sheet.hand(number)
    return hand.table, hand.table[0] if hand.dealer is None else hand.dealer


def _start(session: Session, book: int, new: NewGame) -> str:
    session.execute(select(models.Book.id).where(models.Book.id == book).with_for_update())
    started = new.key and session.scalar(
        select(models.Game.code).where(models.Game.book_id == book, models.Game.key == new.key)
    )
    if started:
        return started
    names = _told_apart(new.players)
    low, high = new.rules.players
    if not low <= len(new.players) <= high:
        raise RuleError(Fault("players", None, None, {"low": low, "high": high, "players": len(new.players)}))
    if not 0 <= new.first_dealer < len(new.players):
        raise RuleError(Fault("seat", 1, new.first_dealer))
    count = session.scalar(select(func.count()).where(models.Game.book_id == book))
    if count is not None and count >= MOST_GAMES:
        raise LimitError("games", MOST_GAMES)
    game = models.Game(
        code="".join(secrets.choice(models.CROCKFORD) for _ in range(models.CODE_LENGTH)),
        book_id=book,
        title=clean_title(new.title),
        preset=new.preset,
        rules=new.rules.to_data(),
        first_seats=len(new.players),
        first_dealer=new.first_dealer,
        key=new.key,
    )
    session.add(game)
    session.flush()
    people = _people(session, book, names)
    session.execute(
        insert(models.Seat),
        [{"game_id": game.id, "seat": seat, "player_id": player} for seat, player in enumerate(people)],
    )
    return game.code


def _told_apart(typed: Sequence[str]) -> list[str]:
    """Clean names by seat. Raises BadNameError or SameNameError."""
    names: list[str] = []
    for seat, text in enumerate(typed):
        try:
            names.append(clean(text))
        except BadNameError as error:
            raise BadNameError(error.code, seat) from None
    seats: dict[str, int] = {}
    for seat, name in enumerate(names):
        first = seats.setdefault(folded(name), seat)
        if first != seat:
            raise SameNameError(name, (first, seat))
    return names


def _people(session: Session, book: int, names: Sequence[str]) -> list[int]:
    """The players of these names, the unknown ones added to the book."""
    known = {one.folded: one for one in session.scalars(select(models.Player).where(models.Player.book_id == book))}
    at_table = {known[folded(name)].colour for name in names if folded(name) in known}
    used = Counter(one.colour for one in known.values())
    new = [name for name in names if folded(name) not in known]
    if len(known) + len(new) > MOST_PLAYERS:
        raise LimitError("players", MOST_PLAYERS)
    for name in new:
        # A colour that nobody else at this table has, if there is one, and then one that few in the book have.
        colour = min(range(1, models.COLOURS + 1), key=lambda one: (one in at_table, used[one], one))
        at_table.add(colour)
        used[colour] += 1
        known[folded(name)] = models.Player(book_id=book, name=name, folded=folded(name), colour=colour)
        session.add(known[folded(name)])
    if new:
        session.execute(update(models.Book).where(models.Book.id == book).values(version=models.Book.version + 1))
    session.flush()
    return [known[folded(name)].id for name in names]


# ---- lists ----


def games(session: Session, book: int) -> tuple[GameLine, ...]:
    """The games of a book, the newest first."""
    seats: dict[int, list[tuple[str, bool]]] = {}
    for game, name, place in session.execute(
        select(models.Seat.game_id, models.Player.name, models.Result.place)
        .join(models.Player, models.Player.id == models.Seat.player_id)
        .outerjoin(
            models.Result, (models.Result.game_id == models.Seat.game_id) & (models.Result.seat == models.Seat.seat)
        )
        .where(models.Player.book_id == book)
        .order_by(models.Seat.game_id, models.Seat.seat)
    ):
        seats.setdefault(game, []).append((name, place == 1))
    rows = session.execute(
        select(models.Game.id, models.Game.code, models.Game.title, models.Game.started, models.Game.ended, next_code)
        .where(models.Game.book_id == book)
        .order_by(models.Game.id.desc())
    )
    return tuple(
        GameLine(
            code,
            title,
            started,
            ended,
            players=tuple(name for name, _ in seats[game]),
            winners=tuple(name for name, won in seats[game] if won),
            next_code=following,
        )
        for game, code, title, started, ended, following in rows
    )


def players(session: Session, book: int) -> tuple[Player, ...]:
    """The players of a book; who played last comes first."""
    last = func.coalesce(func.max(models.Seat.game_id), 0)
    rows = session.execute(
        select(models.Player.id, models.Player.name, models.Player.colour)
        .outerjoin(models.Seat, models.Seat.player_id == models.Player.id)
        .where(models.Player.book_id == book)
        .group_by(models.Player.id, models.Player.name, models.Player.colour)
        .order_by(last.desc(), models.Player.folded)
    )
    return tuple(Player(*row) for row in rows)
