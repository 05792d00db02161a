"""The server is killed, the disk fills up, the database only reads, taps come twice: what was answered is kept."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.orm import Session

from scorekeeper import models, store
from scorekeeper.database import db, guard
from scorekeeper.engine.events import HandWritten
from tests.faults.scenarios import double_taps, games
from tests.faults.server import GUNICORN, Phone, serving
from tests.store.evening import Evening

CYCLES = 5
CLIENTS = 8


def write_until_killed(phone: Phone, cycle: int, answered: list[str]) -> None:
    """Writes note after note, and keeps the keys of those that were answered."""
    number = 0
    while True:
        key = f"{cycle}-{number}"
        try:
            status, _ = phone.note(key, key)
        except (OSError, HTTPException):  # half an answer is none
            return
        assert status == 303
        answered.append(key)
        number += 1


def test_what_was_answered_survives_kill_9(sqlite_url: str) -> None:
    engine = create_engine(sqlite_url)
    guard(engine)
    players = games(engine, CLIENTS)
    answered: dict[str, list[str]] = {code: [] for _, code in players}
    chance = random.Random(7)

    for cycle in range(CYCLES):
        engine.dispose()
        with serving(sqlite_url) as server:
            writers = [
                Thread(target=write_until_killed, args=(Phone(server.port, secret, code), cycle, answered[code]))
                for secret, code in players
            ]
            for writer in writers:
                writer.start()
            time.sleep(chance.uniform(0.3, 1.3))
            server.kill()
            for writer in writers:
                writer.join()

        with closing(sqlite3.connect(engine.url.database or "")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        with Session(engine) as session:
            stored = {code: {row.key for row in store.load(session, code).log} for code in answered}
        assert {code: set(keys) - stored[code] for code, keys in answered.items()} == {code: set() for code in answered}
    engine.dispose()

    assert sum(map(len, answered.values())) > CYCLES * CLIENTS


def test_a_hundred_double_taps_through_four_workers_are_a_hundred_entries(database_url: str) -> None:
    engine = create_engine(database_url)
    guard(engine)
    ((secret, code),) = games(engine, 1)

    with serving(database_url, GUNICORN) as server:
        lost = double_taps(engine, code, Phone(server.port, secret, code).note, 100)
    engine.dispose()

    assert lost == []


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ("PRAGMA query_only=1", "PRAGMA query_only=0"),
        ("PRAGMA max_page_count=1", "PRAGMA max_page_count=1073741823"),  # never below the pages there are
    ],
)
def test_a_disk_that_takes_nothing_acknowledges_nothing_and_works_again(app: Flask, broken: str, mended: str) -> None:
    state = mended

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(state)

    with app.app_context():
        engine = db.engine
    ((secret, code),) = games(engine, 1)
    event.listen(engine, "begin", begin)
    phone = app.test_client()
    phone.set_cookie("phone", secret)

    def note(number: int) -> int:
        form = {"note": f"{number:0200}", "key": f"key-{number}", "base": "0"}
        answer = phone.post(f"/games/{code}/hands/1", data=form, headers={"Sec-Fetch-Site": "same-origin"})
        return answer.status_code

    def stored() -> list[str]:
        with Session(engine) as session:
            return [row.key for row in store.load(session, code).log]

    state = broken
    statuses: list[int] = []
    while not statuses or statuses[-1] == 303:
        statuses.append(note(len(statuses)))
    refused = len(statuses) - 1
    assert statuses[-1] == 503
    assert stored() == [f"key-{number}" for number in range(refused)]
    state = mended

    assert note(refused) == 303
    assert stored()[-1] == f"key-{refused}"


READ_ONLY_FOLDER = """
import sys
from pathlib import Path
from scorekeeper import create_app
path, secret, code = Path(sys.argv[1]), *sys.argv[2:]
app = create_app({"DATABASE_URL": f"sqlite:///{path}"})
phone = app.test_client()
phone.set_cookie("phone", secret)
def note():
    form = {"note": "x", "key": "key", "base": "0"}
    answer = phone.post(f"/games/{code}/hands/1", data=form, headers={"Sec-Fetch-Site": "same-origin"})
    print(answer.status_code)
files = list(path.parent.iterdir())
for file in (*files, path.parent):
    file.chmod(0o500 if file.is_dir() else 0o400)
note()
for file in (path.parent, *files):
    file.chmod(0o700)
note()
"""
# Root may write everywhere, but for a root without this capability.
AS_ANYBODY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


def test_a_folder_without_write_permission_acknowledges_nothing_and_works_again(
    migrated_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "book.sqlite"
    path.write_bytes(migrated_file.read_bytes())
    engine = create_engine(f"sqlite:///{path}")
    guard(engine)
    ((secret, code),) = games(engine, 1)
    engine.dispose()

    done = subprocess.run(
        [*AS_ANYBODY, sys.executable, "-c", READ_ONLY_FOLDER, path, secret, code], capture_output=True, text=True
    )

    assert (done.stdout.split(), done.stderr) == (["503", "303"], "")


def test_a_clock_that_is_set_back_changes_nothing(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = create_engine(sqlite_url)
    guard(engine)
    evening = Evening.begin(engine)
    start = models.now()
    for number in range(1, 5):
        monkeypatch.setattr(models, "now", partial(start.replace, year=start.year - number))
        evening.write(evening.left, f"key-{number}", HandWritten.of(1, note=f"note {number}"), 0)

    game = evening.load()
    engine.dispose()

    assert [row.key for row in game.log] == ["key-1", "key-2", "key-3", "key-4"]
    assert game.sheet.hand(1).note == "note 4"
    assert game.log[-1].time < game.log[0].time


EIGHT_AT_ONCE = """
import os, sys
from flask import Flask
from scorekeeper.database import connect, prepare
for number in range(int(sys.argv[2])):
    children = []
    for _ in range(8):
        child = os.fork()
        if not child:
            app = Flask("scorekeeper", instance_path=sys.argv[1])
            app.config["DATABASE_URL"] = f"sqlite:///{sys.argv[1]}/{number}.sqlite"
            connect(app)
            prepare(app)
            os._exit(0)
        children.append(child)
    print([os.waitpid(child, 0)[1] for child in children])
"""


def test_eight_processes_may_start_first_again_and_again(tmp_path: Path) -> None:
    rounds = 10

    done = subprocess.run(
        [sys.executable, "-c", EIGHT_AT_ONCE, tmp_path, str(rounds)], capture_output=True, text=True, timeout=120
    )

    assert (done.stdout.splitlines(), done.stderr) == ([str([0] * 8)] * rounds, "")
