"""Each guard is taken away in turn: what the suite asserts must then fail, or it would guard nothing."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, bindparam, create_engine, select

from scorekeeper import database, models, store
from scorekeeper.database import db, guard
from scorekeeper.web import doors
from tests.conftest import MakeApp
from tests.faults.scenarios import double_taps, games, other_sites, strangers
from tests.store import test_database, test_store
from tests.store.evening import Evening


@contextmanager
def guarded(url: str) -> Iterator[Engine]:
    """An engine as the app has it, made now, so that what was taken away is away in it."""
    engine = create_engine(url, pool_size=60, max_overflow=0, pool_timeout=60)
    guard(engine)
    yield engine
    engine.dispose()


def taps(app: Flask, count: int) -> list[str]:
    """What double taps lose in this process."""
    with app.app_context():
        engine = db.engine
    ((secret, code),) = games(engine, 1)

    def tap(key: str, note: str) -> tuple[int, str]:
        phone = app.test_client()
        phone.set_cookie("phone", secret)
        form = {"note": note, "key": key, "base": "0"}
        answer = phone.post(f"/games/{code}/hands/1", data=form, headers={"Sec-Fetch-Site": "same-origin"})
        return answer.status_code, answer.location

    return double_taps(engine, code, tap, count)


def test_with_every_guard_nothing_is_lost(make_app: MakeApp, sqlite_url: str) -> None:
    app = make_app(sqlite_url)

    assert (strangers(app), other_sites(make_app(sqlite_url, HOUSE="off")), taps(app, 5)) == ([], [], [])


def test_without_the_key_check_late_repeats_are_lost(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_is_repeat", lambda *_: False)

    assert any("late repeat" in one for one in taps(app, 3))


def test_without_the_pen_check_strangers_write(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    head = store.head
    monkeypatch.setattr(store, "head", lambda *asked: replace(head(*asked), pen=True))
    monkeypatch.setattr(store, "may_write", lambda *_: True)

    assert any("entries were written" in one for one in strangers(app))


def test_without_the_pen_check_of_the_store_the_page_still_refuses(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "may_write", lambda *_: True)

    assert strangers(app) == []


def test_without_the_cross_site_check_other_sites_write(
    make_app: MakeApp, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "refuse_other_sites", lambda: None)

    assert any("entries were written" in one for one in other_sites(make_app(sqlite_url)))


def test_without_the_version_check_a_phone_writes_over_what_it_has_not_seen(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_clashes", lambda *_: iter(()))

    with guarded(sqlite_url) as engine, pytest.raises(AssertionError):
        test_store.test_of_a_hundred_pairs_on_the_same_cell_exactly_one_each_is_a_conflict(engine)


def test_without_the_write_lock_entries_are_lost(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    monkeypatch.setattr(database, "_begin", begin)
    monkeypatch.setattr(database, "lock_file", lambda _: nullcontext())
    monkeypatch.setattr(store, "_LOCK", select(models.Game.id).where(models.Game.code == bindparam("code")))

    with guarded(database_url) as engine, pytest.raises(AssertionError):
        test_store.test_thirty_two_writers_at_once_lose_nothing(Evening.begin(engine))


def test_without_full_syncs_the_settings_of_the_connections_are_wrong(
    bare_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(database.PRAGMAS, "synchronous", "NORMAL")

    with pytest.raises(AssertionError):
        test_database.test_every_connection_to_sqlite_is_set_up_to_lose_nothing(bare_app, tmp_path)
