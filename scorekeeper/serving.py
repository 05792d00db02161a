"""The commands that need the app and its database: run, backup, restore, upgrade, pen."""

import argparse
import json
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import segno
import waitress
from flask import Flask
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from scorekeeper import backups, create_app, database, models, pens
from scorekeeper.calls import CallError

PORT = 8000
MINUTE = 60


def _app() -> Flask:
    """The app with the settings of the environment. Raises CallError where they cannot be used."""
    try:
        return create_app()
    except (ValueError, ArgumentError, ModuleNotFoundError) as error:
        raise CallError(f"the settings cannot be used: {error}") from None


def run(call: argparse.Namespace) -> int:
    """Brings the database up to date and serves; the port is taken before that, so that nothing is done in vain."""
    host, port = getattr(call, "host", "0.0.0.0"), getattr(call, "port", PORT)  # noqa: S104 - the table's phones
    app = _app()
    with _database_in_words():
        database.check(app)
    try:
        server = listen(app, host, port)
    except (OSError, ValueError) as error:  # waitress makes a ValueError of a host that is not found
        raise CallError(f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}") from None
    with _database_in_words():
        # Whoever asks during the upgrade is told to wait; the main thread stays free, so that Ctrl-C reaches it.
        serving = Thread(target=server.run, daemon=True)
        serving.start()
        try:
            database.upgrade(app)
            url = app.config.get("URL") or _url(host, port)
            print(f"Scorekeeper is at {url}")
            _print_invitation(_invite(app, None, new=False), url)
            sys.stdout.flush()
            while serving.is_alive():
                _copy_of_the_day(app)
                time.sleep(MINUTE)
        finally:
            server.task_dispatcher.shutdown()  # answers what has come in
    return 0


class _Task(WSGITask):  # type: ignore[misc] # waitress has no types
    """Keeps the connection open after a 304, which most looks of a watcher get; waitress closes it with no length."""

    def set_close_on_finish(self) -> None:
        asked = self.request.headers.get("CONNECTION", "").lower()
        if self.has_body or self.version != "1.1" or asked == "close":
            super().set_close_on_finish()


def listen(app: Flask, host: str, port: int) -> Any:
    """A waitress with our settings that has the port, to be run. Raises OSError or ValueError if it cannot."""
    HTTPChannel.task_class = _Task
    return waitress.create_server(
        app,
        host=host,
        port=port,
        threads=8,
        connection_limit=1000,  # every phone keeps some open; 100, the default, is soon reached
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"],
        channel_timeout=30,
        ident="",
        clear_untrusted_proxy_headers=False,  # the app believes as many proxies as SCOREKEEPER_PROXY says
    )


def _copy_of_the_day(app: Flask) -> None:
    """Copies the default database, once a day; a failure is told, and the game goes on."""
    if app.config.get("DATABASE_URL"):
        return
    try:
        backups.copy_of_the_day(_sqlite_file(app))
    except (backups.UnfitError, sqlite3.Error, OSError) as error:
        print(f"scorekeeper: no copy of the day: {error}", file=sys.stderr, flush=True)


def backup(call: argparse.Namespace) -> int:
    with _database_in_words():
        path = _sqlite_file(_app())
        if not path.exists():
            raise CallError(f"there is no database at {path} yet")
        if call.file.exists() and (call.file.samefile(path) or not backups.is_ours(call.file)):
            raise CallError(f"{call.file} is no earlier copy: give another name")
        rows = backups.copy(path, call.file)
    print(f"{call.file}: {rows['book']} books, {rows['game']} games, {rows['entry']} entries, proven.")
    return 0


def restore(call: argparse.Namespace) -> int:
    app = _app()
    with _database_in_words():
        path = _sqlite_file(app)
        if not call.file.is_file():
            raise CallError(f"there is no file {call.file}")
        if path.exists() and call.file.samefile(path):
            raise CallError(f"{call.file} is the database itself")
        away = backups.restore(call.file, path, database.revisions())
    print(f"{path} is now what {call.file} holds.")
    if away:
        print(f"What was there before is kept as {away}.")
    return 0


def upgrade(_: argparse.Namespace) -> int:
    app = _app()
    with _database_in_words():
        database.check(app)
        copy = database.upgrade(app)
    if copy:
        print(f"A copy of before is at {copy}.")
    print("The database is up to date.")
    return 0


def _sqlite_file(app: Flask) -> Path:
    """Where the database is kept. Raises CallError where it is no file."""
    with app.app_context():
        path = database.file_of(database.db.engine)
    if path is None:
        raise CallError("this is for SQLite; for PostgreSQL use pg_dump and pg_restore, which do the same")
    return path


def pen(call: argparse.Namespace) -> int:
    app = _app()
    with _database_in_words():
        database.prepare(app)
        secret = _invite(app, call.book, new=call.new)
    url = (call.url or app.config.get("URL") or _url("0.0.0.0", PORT)).rstrip("/")  # noqa: S104 - "any address" is asked for this machine's
    if call.json:
        print(json.dumps({"link": f"{url}/pen/{secret}"}))
        return 0
    _print_invitation(secret, url)
    return 0


@contextmanager
def _database_in_words() -> Iterator[None]:
    """Makes what is wrong with the database a CallError."""
    try:
        yield
    except backups.DamagedError as error:
        raise CallError(backups.way_out(error)) from None
    except backups.UnfitError as error:
        raise CallError(str(error)) from None
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise CallError(f"the database cannot be used: {getattr(error, 'orig', None) or error}") from None


def _invite(app: Flask, book: int | None, *, new: bool) -> str:
    with app.app_context():
        session = database.db.session()
        if book is None:
            book = pens.house_book(session)
        elif session.get(models.Book, book) is None:
            raise CallError(f"there is no book {book}")
        if new:
            pens.end_invitations(session, book)
        return pens.invitation(session, book)


def _print_invitation(secret: str, url: str) -> None:
    link = f"{url}/pen/{secret}"
    print(f"A phone that opens this link may write: {link}")
    segno.make(link).terminal(out=sys.stdout, compact=True)


def _url(host: str, port: int) -> str:
    """The address that a phone on this network can open."""
    name = host
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                # Nothing is sent: this only asks which of our addresses the way out would have.
                probe.connect(("192.0.2.1", 9))
                name = probe.getsockname()[0]
            except OSError:
                name = "127.0.0.1"
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
