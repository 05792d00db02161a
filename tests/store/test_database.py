"""How the database is opened, brought up to date and written to."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, event, inspect, select, text, update
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.orm import Session

from scorekeeper import books, database, models, pens, store
from scorekeeper.database import database_url, db, guard, prepare, writing
from tests.store.evening import Evening, new_game


@pytest.fixture
def sqlite_engine(sqlite_url: str) -> Iterator[Engine]:
    """With one connection, so that a test can set something on it."""
    engine = create_engine(sqlite_url, pool_size=1, max_overflow=0)
    guard(engine)
    yield engine
    engine.dispose()


# ---- up to date ----


def test_an_upgrade_from_nothing_makes_the_tables_of_the_models(bare_app: Any, empty_url: str) -> None:
    app = bare_app(empty_url)

    prepare(app)
    prepare(app)

    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, models.Base.metadata) == []
        assert {*inspect(connection).get_table_names()} == {*models.Base.metadata.tables, "alembic_version"}
        house = next(one for one in inspect(connection).get_indexes("book") if one["name"] == "uq_book_house")
        assert house["unique"]
        assert any("house" in str(where) for where in house["dialect_options"].values())


def test_the_first_migration_can_be_taken_back(bare_app: Any, empty_url: str) -> None:
    from alembic import command

    app = bare_app(empty_url)
    prepare(app)

    with app.app_context():
        command.downgrade(app.extensions["migrate"].migrate.get_config(), "base")

        assert inspect(db.engine).get_table_names() == ["alembic_version"]


def test_a_game_from_an_empty_folder(bare_app: Any, tmp_path: Path) -> None:
    app = bare_app(None)

    prepare(app)

    with app.app_context():
        phone = pens.phone_with(db.session(), "phone")
        code = books.start_game(db.session(), phone, new_game(), house=True)
        assert store.load(db.session(), code).names == ("Ann", "Bob", "Cy", "Di")
    assert (tmp_path / "instance" / "scorekeeper.sqlite").is_file()


FIRST_START = """
import sys
from flask import Flask
from sqlalchemy.orm import Session
from scorekeeper.database import connect, db, prepare
from scorekeeper.pens import house_book, invitation
app = Flask("scorekeeper")
app.config["DATABASE_URL"] = sys.argv[1]
connect(app)
prepare(app)
with app.app_context():
    for _ in range(5):
        invitation(db.session(), house_book(db.session()))
"""


def test_eight_processes_may_start_first(empty_url: str) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", FIRST_START, empty_url], stderr=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    errors = [process.communicate(timeout=120)[1] for process in started]

    assert [(process.returncode, error) for process, error in zip(started, errors, strict=True)] == [(0, "")] * 8
    engine = create_engine(database_url(empty_url))
    with Session(engine) as session:
        assert len(session.scalars(select(models.Book.id)).all()) == 1
        assert len(session.scalars(select(models.Invitation.id)).all()) == 40
    engine.dispose()


def test_a_migration_that_would_leave_orphans_is_taken_back(bare_app: Any, tmp_path: Path) -> None:
    app = bare_app(f"sqlite:///{tmp_path / 'damaged.sqlite'}")
    prepare(app)
    with app.app_context():
        connection = db.engine.raw_connection()
        connection.cursor().execute("PRAGMA foreign_keys=OFF")
        connection.cursor().execute("INSERT INTO pen VALUES (1, 7, 7, '2024-01-01')")
        connection.cursor().execute("PRAGMA foreign_keys=ON")
        connection.close()

    with pytest.raises(RuntimeError, match="2 rows without the row they belong to"):
        prepare(app)


# ---- connections ----


@pytest.mark.parametrize("url", ["postgres://host/name", "postgresql://host/name", "postgresql+psycopg://host/name"])
def test_postgres_goes_by_the_names_that_hosts_give_it(url: str) -> None:
    assert str(database_url(url)) == "postgresql+psycopg://host/name"


def test_every_connection_to_sqlite_is_set_up_to_lose_nothing(bare_app: Any, tmp_path: Path) -> None:
    app = bare_app(f"sqlite:///{tmp_path / 'new.sqlite'}")
    prepare(app)
    wanted = {
        "journal_mode": "wal",
        "busy_timeout": 20_000,
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
    }

    with app.app_context():
        # All at once, the pool's own and those beyond: among them the one that migrated.
        connections = [db.engine.connect() for _ in range(15)]
        found = [{name: one.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted} for one in connections]
        for one in connections:
            one.close()

    assert found == [wanted] * 15


def test_the_lock_file_guards_writers_where_sqlite_has_the_fault(
    sqlite_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening.begin(sqlite_engine)
    path = Path(f"{sqlite_engine.url.database}-lock")
    path.unlink(missing_ok=True)
    monkeypatch.setattr(database, "WAL_IS_SOUND", True)
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    assert not path.exists()

    monkeypatch.setattr(database, "WAL_IS_SOUND", False)
    evening.hand(evening.left, "b", 1, 1, bids={1: 1})

    assert path.exists()


# ---- writing ----


def test_a_writer_sees_what_others_committed_since_its_last_look(evening: Evening) -> None:
    with Session(evening.engine) as session:
        assert session.scalar(select(models.Book.name)) == ""
        with Session(evening.engine) as other, writing(other):
            other.execute(update(models.Book).values(name="new"))

        with writing(session):
            assert session.scalar(select(models.Book.name)) == "new"


def test_the_write_lock_is_taken_before_the_first_select(evening: Evening) -> None:
    statements: list[str] = []
    event.listen(evening.engine, "before_cursor_execute", lambda _1, _2, text, *_: statements.append(text))

    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    if evening.engine.dialect.name == "sqlite":
        assert statements[0] == "BEGIN IMMEDIATE"
        assert statements.count("BEGIN IMMEDIATE") == 1
    else:
        assert statements[0].endswith("FOR UPDATE")


def test_readers_take_no_lock(evening: Evening) -> None:
    with Session(evening.engine) as writer, writing(writer):
        writer.execute(update(models.Book).values(name="new"))

        assert evening.load().seq == 0


def test_an_error_takes_all_of_a_write_back(evening: Evening) -> None:
    def break_off(session: Session) -> None:
        with writing(session):
            session.execute(update(models.Book).values(name="new"))
            raise ZeroDivisionError

    with Session(evening.engine) as session:
        with pytest.raises(ZeroDivisionError):
            break_off(session)

        assert session.scalar(select(models.Book.name)) == ""
    evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    assert evening.load().seq == 1


# ---- a database that cannot be written ----


def test_a_database_that_only_reads_says_so_and_works_again(evening: Evening) -> None:
    sqlite = evening.engine.dialect.name == "sqlite"

    def read_only(connection: Any, *_: Any) -> None:
        on = "PRAGMA query_only=ON" if sqlite else "SET default_transaction_read_only = on; COMMIT"
        connection.cursor().execute(on)

    event.listen(evening.engine, "connect", read_only)
    evening.engine.dispose()
    with pytest.raises(OperationalError if sqlite else InternalError, match=r"read-?only"):
        evening.hand(evening.left, "a", 1, 0, bids={0: 1})
    assert evening.load().seq == 0
    event.remove(evening.engine, "connect", read_only)
    evening.engine.dispose()

    evening.hand(evening.left, "a", 1, 0, bids={0: 1})

    assert evening.bids()[0] == 1


def test_a_disk_that_is_full_says_so_and_nothing_is_half_written(sqlite_engine: Engine) -> None:
    evening = Evening.begin(sqlite_engine)
    with sqlite_engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    answered: list[int] = []

    def fill() -> None:
        for seq in range(1, 4_000):
            evening.hand(evening.left, f"tap-{seq}", 1, seq - 1, note=f"{seq:0200}")
            answered.append(seq)

    with pytest.raises(OperationalError, match="full"):
        fill()

    seq = evening.load().seq
    assert answered == list(range(1, seq + 1))
    assert seq > 0
    with sqlite_engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    assert evening.hand(evening.left, "again", 1, seq, note="room again").seq == seq + 1


@pytest.mark.parametrize("name", ["no folder/scorekeeper.sqlite", "folder"])
def test_a_file_that_cannot_be_opened_is_an_operational_error(bare_app: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    app = bare_app(f"sqlite:///{tmp_path / name}")

    with pytest.raises(OperationalError):
        prepare(app)
    with app.app_context(), pytest.raises(OperationalError):
        pens.house_book(db.session())


def test_what_is_not_migrated_is_not_written(bare_app: Any, tmp_path: Path) -> None:
    app = bare_app(f"sqlite:///{tmp_path / 'empty.sqlite'}")

    with app.app_context(), pytest.raises(OperationalError, match="no such table"):
        pens.house_book(db.session())

    with app.app_context(), db.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM sqlite_master")).scalar() == 0
