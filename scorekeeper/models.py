"""The tables: books and their players, phones and pens, games, and the log of what was written on each sheet.

Nothing is deleted by cascade: what goes is named by whoever deletes it. Times are for people to read; the order of
things is that of their numbers, so that a clock that jumps changes nothing.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    MetaData,
    String,
    UniqueConstraint,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, registry
from sqlalchemy.types import TypeDecorator

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: nothing to misread or to be offended by
CODE_LENGTH = 10  # of those: 50 bits, and tries at unknown codes are limited
LONGEST_KEY = 64  # a UUID has 36, a SHA-256 in hexadecimal 64
COLOURS = 10  # that people can tell apart, with a colour-blind eye too


def now() -> datetime:
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A time in UTC that knows so, on databases that keep no time zone too."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - its form
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - its form
        if value is None or value.tzinfo:
            return value and value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """What all tables share: names for their constraints, by which a migration can find them."""

    registry = registry(
        metadata=MetaData(
            naming_convention={
                "ix": "ix_%(table_name)s_%(column_0_N_name)s",
                "uq": "uq_%(table_name)s_%(column_0_N_name)s",
                "ck": "ck_%(table_name)s_%(constraint_name)s",
                "fk": "fk_%(table_name)s_%(column_0_N_name)s",
                "pk": "pk_%(table_name)s",
            }
        ),
        type_annotation_map={dict[str, Any]: JSON, datetime: Moment},
    )


class Book(Base):
    """A group's score book. `version` counts what changes on its pages beside the games: names, colours, switches."""

    __tablename__ = "book"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(default="")
    house: Mapped[bool] = mapped_column(default=False)
    version: Mapped[int] = mapped_column(default=1)
    created: Mapped[datetime] = mapped_column(default=now)
    estimates: Mapped[bool] = mapped_column(default=True, server_default=true())  # show each player's chance to win


# One house has one book, whoever makes it first.
Index("uq_book_house", Book.house, unique=True, sqlite_where=Book.house, postgresql_where=Book.house)


class Phone(Base):
    """A phone, known by the SHA-256 of the secret in its cookie."""

    __tablename__ = "phone"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)


class Pen(Base):
    """A phone's right to write in a book. The pen that a phone took last has the highest `id`."""

    __tablename__ = "pen"
    __table_args__ = (UniqueConstraint("book_id", "phone_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("book.id"))
    phone_id: Mapped[int] = mapped_column(ForeignKey("phone.id"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)


class Invitation(Base):
    """A link that gives a phone a pen for a book, known by the SHA-256 of its secret."""

    __tablename__ = "invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("book.id"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(default=now)


class Player(Base):
    """A person in a book. Two names whose `folded` is equal are one name."""

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("book_id", "folded"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("book.id"))
    name: Mapped[str]
    folded: Mapped[str]
    colour: Mapped[int]  # 1 to COLOURS


class Game(Base):
    """One evening's game: its rules in full, and what was settled before the first deal.

    At first the seats 0 to `first_seats` - 1 sit clockwise. `preset` only says where the rules came from. `ended` is
    when the game became over as far as its log goes; it belongs to the projection, as do `line` and `result`.
    """

    __tablename__ = "game"
    __table_args__ = (UniqueConstraint("book_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(CODE_LENGTH), unique=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("book.id"))
    title: Mapped[str] = mapped_column(default="")
    preset: Mapped[str | None]
    rules: Mapped[dict[str, Any]]
    first_seats: Mapped[int]
    first_dealer: Mapped[int]
    key: Mapped[str | None] = mapped_column(String(LONGEST_KEY))
    started: Mapped[datetime] = mapped_column(default=now)
    ended: Mapped[datetime | None]
    next_game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), unique=True)


class Seat(Base):
    """Who sits on a seat of a game."""

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)


class Entry(Base):
    """One thing written on a sheet; never changed. `base` is the last `seq` that its writer had seen."""

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("game_id", "key"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(String(LONGEST_KEY))
    phone_id: Mapped[int | None] = mapped_column(ForeignKey("phone.id"), index=True)
    base: Mapped[int]
    time: Mapped[datetime] = mapped_column(default=now)
    kind: Mapped[str] = mapped_column(String(16))
    data: Mapped[dict[str, Any]]


class Line(Base):
    """Projection of a game that is over: a seat in a hand. Points are doubled, so that halves are whole."""

    __tablename__ = "line"
    __table_args__ = (ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),)

    game_id: Mapped[int] = mapped_column(primary_key=True)
    hand: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cards: Mapped[int]
    bid: Mapped[int | None]
    tricks: Mapped[int | None]
    points_doubled: Mapped[int]


class Result(Base):
    """Projection of a game that is over: a seat at its end. The total is doubled, so that halves are whole."""

    __tablename__ = "result"
    __table_args__ = (ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),)

    game_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    total_doubled: Mapped[int]
    place: Mapped[int]
    made: Mapped[int]
    hands: Mapped[int]
