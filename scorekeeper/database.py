"""The database: how it is opened, brought up to date, and written to."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock

from alembic import command
from flask import Flask
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from scorekeeper.models import Base

if sys.platform != "win32":
    import fcntl  # not on Windows

DEFAULT_URL = "sqlite:///scorekeeper.sqlite"  # in the instance folder
MIGRATIONS = Path(__file__).parent / "migrations"
PRAGMAS = {
    "busy_timeout": 20_000,  # milliseconds: longer than any queue of writers at a table
    "synchronous": "FULL",  # an answered write survives a power cut
    "foreign_keys": "ON",
    "trusted_schema": "OFF",
    "cell_size_check": "ON",
}
# Before this version two connections that write and checkpoint at once can damage the file.
WAL_IS_SOUND = sqlite3.sqlite_version_info >= (3, 51, 3)
_ALONE = Lock()  # for Windows, which has no flock, and where one process serves

db = SQLAlchemy(model_class=Base)


def connect(app: Flask) -> None:
    """Gives `app` its database: the one that the setting `DATABASE_URL` names, else an SQLite file of its instance."""
    url = database_url(app.config.get("DATABASE_URL") or DEFAULT_URL)
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    # A database server may have been restarted since the last request.
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"pool_pre_ping": url.get_backend_name() != "sqlite"}
    db.init_app(app)
    Migrate(app, db, directory=MIGRATIONS)
    with app.app_context():
        guard(db.engine)


def prepare(app: Flask) -> None:
    """Brings the database up to date. Any number of processes may do so at once; workers start afterwards."""
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            # Processes that set this at once would lock each other out; and it goes only outside a transaction.
            with lock_file(db.engine), db.engine.connect().execution_options(bare=True) as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        command.upgrade(app.extensions["migrate"].migrate.get_config(), "head")


@contextmanager
def writing(session: Session) -> Iterator[None]:
    """The only way to write: the block sees what others committed before it, alone, and is committed when it ends.

    On SQLite no other write runs meanwhile. On PostgreSQL the block locks the row that it works on: its first SELECT
    is `with_for_update`. An error rolls everything back.
    """
    session.rollback()  # a snapshot from before the lock would hide what others wrote
    engine = session.get_bind()
    assert isinstance(engine, Engine)
    sound = engine.dialect.name != "sqlite" or WAL_IS_SOUND
    with nullcontext() if sound else lock_file(engine):
        try:
            session.connection(execution_options={"write": True})
            yield
            session.commit()
        except BaseException:
            session.rollback()
            raise


def database_url(text: str) -> URL:
    """The address of a database as hosts write it, with the driver that we use."""
    url = make_url(text)
    return url.set(drivername="postgresql+psycopg") if url.drivername in {"postgres", "postgresql"} else url


def guard(engine: Engine) -> None:
    """Sets what every connection of `engine` needs so that nothing is lost."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)


@contextmanager
def lock_file(engine: Engine) -> Iterator[None]:
    """Keeps all others out who take the lock file beside an SQLite database. Raises OperationalError if it cannot."""
    if not engine.url.database:  # in memory: nobody else is there
        yield
        return
    try:
        file = Path(f"{engine.url.database}-lock").open("ab")  # noqa: SIM115 - closed below, beyond this except
    except OSError as error:
        raise OperationalError("open the lock file", None, error) from error
    with file:
        if sys.platform == "win32":
            with _ALONE:
                yield
        else:
            fcntl.flock(file, fcntl.LOCK_EX)  # given back when the file is closed, or its process is gone
            yield


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # Python's own BEGIN comes too late, after the first SELECT
    cursor = connection.cursor()
    for name, value in PRAGMAS.items():
        cursor.execute(f"PRAGMA {name}={value}")
    cursor.close()


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("bare"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("write") else "BEGIN")
