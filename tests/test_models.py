"""What the tables themselves hold to."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import create_engine, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.database import guard
from scorekeeper.models import Base, Book, Entry, Game, Line, Pen, Phone, Player, Result, Seat


@pytest.fixture
def session(database_url: str) -> Iterator[Session]:
    engine = create_engine(database_url)
    guard(engine)
    with Session(engine) as session:
        yield session
    engine.dispose()


def game(**more: Any) -> Game:
    facts: dict[str, Any] = {"code": "0000000000", "book_id": 1, "rules": {}, "first_seats": 3, "first_dealer": 0}
    return Game(**(facts | more))


def entry(**more: Any) -> Entry:
    facts: dict[str, Any] = {"game_id": 1, "seq": 1, "key": "a", "base": 0, "kind": "ended", "data": {}}
    return Entry(**(facts | more))


def player(**more: Any) -> Player:
    return Player(**({"id": 1, "book_id": 1, "name": "Ann", "folded": "ann", "colour": 1} | more))


def test_nothing_is_deleted_by_cascade() -> None:
    keys = [key for table in Base.metadata.tables.values() for key in table.foreign_keys]

    assert len(keys) > 10
    assert {key.ondelete for key in keys} == {None}


def test_every_constraint_has_a_name_that_a_migration_can_find() -> None:
    constraints = [one for table in Base.metadata.tables.values() for one in table.constraints]

    assert [one for one in constraints if not one.name] == []


@pytest.mark.parametrize(
    "twin",
    [
        lambda: Book(id=2, house=True),
        lambda: Phone(id=2, hash="a"),
        lambda: Pen(id=2, book_id=1, phone_id=1),
        lambda: player(id=2),
        lambda: game(id=2),
        lambda: game(id=2, code="1111111111", key="a"),
        lambda: entry(key="b"),
        lambda: entry(seq=2),
        lambda: Seat(game_id=1, seat=1, player_id=1),
    ],
)
def test_what_there_is_once_is_there_once(session: Session, twin: Any) -> None:
    session.add_all([Book(id=1, house=True), Book(id=3), Book(id=4), Phone(id=1, hash="a")])
    session.flush()
    session.add_all([Pen(id=1, book_id=1, phone_id=1), player(), game(id=1, key="a")])
    session.flush()
    session.add_all([entry(), Seat(game_id=1, seat=0, player_id=1)])
    session.commit()

    session.add(twin())
    with pytest.raises(IntegrityError):
        session.commit()


@pytest.mark.parametrize(
    "orphan",
    [
        lambda: Pen(book_id=1, phone_id=1),
        lambda: player(),
        lambda: game(),
        lambda: entry(),
        lambda: Seat(game_id=1, seat=0, player_id=1),
        lambda: Line(game_id=1, hand=1, seat=0, cards=1, points_doubled=0),
        lambda: Result(game_id=1, seat=0, total_doubled=0, place=1, made=0, hands=0),
    ],
)
def test_no_row_without_the_one_it_belongs_to(session: Session, orphan: Any) -> None:
    session.add(orphan())

    with pytest.raises(IntegrityError):
        session.commit()


def test_what_others_belong_to_cannot_be_deleted(session: Session) -> None:
    session.add(Book(id=1))
    session.flush()
    session.add(game())
    session.commit()

    with pytest.raises(IntegrityError):
        session.execute(text("DELETE FROM book"))


def test_times_are_utc_and_know_it(session: Session) -> None:
    summer = datetime(2024, 7, 1, 20, 30, tzinfo=timezone(timedelta(hours=2)))
    session.add(Book(created=summer))
    session.commit()

    read = session.scalars(select(Book.created)).one()

    assert read == datetime(2024, 7, 1, 18, 30, tzinfo=UTC)
    assert read.tzinfo is UTC
