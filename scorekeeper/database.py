"""The database: how it is opened, brought up to date, and written to."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from alembic import command
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, Dialect, Engine, ExceptionContext, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from scorekeeper import backups
from scorekeeper.backups import DamagedError
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
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
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
    """Checks the database and brings it up to date; any number of processes may at once. Raises UnfitError.

    Workers start afterwards.
    """
    check(app)
    upgrade(app)


def check(app: Flask) -> None:
    """Raises UnfitError for an SQLite file that must not be served, OperationalError for one that cannot be read."""
    with app.app_context():
        path = file_of(db.engine)
    try:
        if path:
            backups.check(path)
    except sqlite3.OperationalError as error:
        raise OperationalError("PRAGMA quick_check", None, error) from error


def upgrade(app: Flask) -> Path | None:
    """Brings the database up to date, one process at a time; gives the copy that was made of an SQLite file before.

    Raises UnfitError where a later release has been at it.
    """
    with app.app_context():
        if db.engine.dialect.name != "sqlite":
            _migrate(app)
            return None
        with lock_file(db.engine):
            # Processes that set this at once would lock each other out; and it goes only outside a transaction.
            with db.engine.connect().execution_options(bare=True) as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            copy = _copy_first()
            _migrate(app)
            return copy


def is_current() -> bool:
    """True if the database is as this release needs it, which it is not before and while it is migrated."""
    return _revision() == _script().get_current_head()


def state(app: Flask) -> Literal["ok", "migrating", "damaged"]:
    """Whether the database may be served: "ok" once it was found sound and as this release needs it.

    That is looked at once, whoever serves the app; "damaged" stays until the next start. Raises UnfitError for one
    that is half put back, OperationalError for one that cannot be read.
    """
    if "database" not in app.extensions:
        try:
            if not is_current():
                return "migrating"
            check(app)
        except DamagedError as error:
            give_up(app, error)
        else:
            app.extensions["database"] = "ok"
    found: Literal["ok", "damaged"] = app.extensions["database"]
    return found


def give_up(app: Flask, error: DamagedError) -> None:
    """Ends the serving of a damaged database, and tells whoever reads the app's log what to do."""
    if app.extensions.get("database") != "damaged":
        app.extensions["database"] = "damaged"
        app.logger.critical(backups.way_out(error))


def revisions() -> set[str]:
    """Those of the database that this release can bring up to date."""
    return {one.revision for one in _script().walk_revisions()}


def _copy_first() -> Path | None:
    """A copy of an SQLite file that is about to be migrated."""
    path, head = file_of(db.engine), _script().get_current_head()
    if path is None or _revision() in (None, head):
        return None
    copy = backups.dated(path, f"-before-{head}")
    copy.parent.mkdir(exist_ok=True)
    backups.copy(path, copy)
    return copy


def _migrate(app: Flask) -> None:
    if _revision() not in {None, *revisions()}:
        raise backups.UnfitError("the database was made by a later release of Scorekeeper: install that one")
    command.upgrade(app.extensions["migrate"].migrate.get_config(), "head")


def _revision() -> str | None:
    with db.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


@cache
def _script() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


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
        event.listen(engine, "do_connect", _open)
        event.listen(engine, "close", _closed)
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)
        event.listen(engine, "handle_error", _tell_damage)


def file_of(engine: Engine) -> Path | None:
    """Where an SQLite database is kept; None for one in memory, where nobody else is, and for other databases."""
    name = engine.url.database
    return Path(name) if engine.dialect.name == "sqlite" and name and name != ":memory:" else None


@contextmanager
def lock_file(engine: Engine) -> Iterator[None]:
    """Keeps all others out who take the lock file beside an SQLite database. Raises OperationalError if it cannot."""
    path = file_of(engine)
    if path is None:
        yield
        return
    try:
        file = Path(f"{path}-lock").open("ab")  # noqa: SIM115 - closed below, beyond this except
    except OSError as error:
        raise OperationalError("open the lock file", None, error) from error
    with file:
        if sys.platform == "win32":
            with _ALONE:
                yield
        else:
            fcntl.flock(file, fcntl.LOCK_EX)  # given back when the file is closed, or its process is gone
            yield


def _open(dialect: Dialect, record: ConnectionPoolEntry, arguments: Any, options: Any) -> DBAPIConnection:
    """Connects, with a mark beside the file for as long as the connection is open: nobody may move it away."""
    if arguments[0] in ("", ":memory:"):
        return dialect.connect(*arguments, **options)
    try:
        mark = backups.mark_in_use(Path(arguments[0]))
    except OSError as error:
        raise OperationalError("open the database", None, error) from error
    try:
        connection = dialect.connect(*arguments, **options)
    except BaseException:
        os.close(mark)
        raise
    record.info[_open] = mark
    return connection


def _closed(_: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    if (mark := record.info.pop(_open, None)) is not None:
        os.close(mark)


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # Python's own BEGIN comes too late, after the first SELECT
    cursor = connection.cursor()
    for name, value in PRAGMAS.items():
        cursor.execute(f"PRAGMA {name}={value}")
    cursor.close()


def _tell_damage(context: ExceptionContext) -> None:
    """Raises DamagedError in place of what SQLite says of a damaged file."""
    error, engine = context.original_exception, context.engine
    if engine and getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
        raise DamagedError(Path(engine.url.database or ""), str(error)) from error


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("bare"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("write") else "BEGIN")
