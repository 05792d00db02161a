"""The bench: its table, the loads that it puts on a server, and that it leaves none behind."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.bench import servers, table, web
from scorekeeper.bench.phones import Phone
from scorekeeper.bench.servers import HOST, ServerError, serving
from scorekeeper.bench.table import Row
from scorekeeper.bench.web import HELLO, Games, Load, Watch, evening
from scorekeeper.cli import main
from scorekeeper.engine.catalog import presets
from tests.games import after, listed, new_sheet

T = TypeVar("T")
TINY = Load(
    rounds=1,
    hellos=3,
    pages=1,
    unchanged=2,
    entries=2,
    writers=2,
    written=3,
    watchers=3,
    poll=0.2,
    taps=2,
    slow=2,
    slow_seconds=0.3,
)


def apart(call: Callable[[], T]) -> T:
    """Calls it where no event loop runs: in the main thread the browser of other tests keeps one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call).result()


def awaited(call: Coroutine[Any, Any, T]) -> T:
    return apart(lambda: asyncio.run(call))


# ---- the table ----


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (Row("cost", 8, 8), True),
        (Row("cost", 8.01, 8), False),
        (Row("speed", 0.5, 0.5, "at least"), True),
        (Row("speed", 0.49, 0.5, "at least"), False),
        (Row("only told", 1e9), True),
    ],
)
def test_a_bar_is_met_from_its_own_side(row: Row, met: bool) -> None:
    assert row.met is met


def test_the_table_says_what_it_ran_on_and_which_bar_was_missed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        Row("page / hello", 9.5, 8, unit="×"),
        Row("writers", 1.5, 0.5, "at least", "×"),
        Row("hello", 0.25, unit="ms"),
    ]

    assert table.report(rows, as_json=False) is False

    first, *lines = capsys.readouterr().out.splitlines()
    assert f"Python {sys.version.split()[0]}" in first
    assert "SQLite 3." in first
    assert [line.split() for line in lines] == [
        ["page", "/", "hello", "9.5", "×", "at", "most", "8", "missed"],
        ["writers", "1.5", "×", "at", "least", "0.5"],
        ["hello", "0.25", "ms"],
    ]


def test_the_figures_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.report([Row("writers", 1.5, 0.5, "at least", "×")], as_json=True) is True

    data = json.loads(capsys.readouterr().out)
    assert set(data) == {"machine", "rows"}
    assert data["rows"] == [
        {"name": "writers", "value": 1.5, "bar": 0.5, "better": "at least", "unit": "×", "met": True}
    ]


# ---- the command ----


@pytest.mark.parametrize(("value", "status"), [(1.0, 0), (3.0, 1)])
def test_the_status_says_whether_every_bar_was_met(monkeypatch: pytest.MonkeyPatch, value: float, status: int) -> None:
    monkeypatch.setattr(web, "rows", lambda: iter([Row("cost", value, 2)]))  # the real ones take a minute

    assert main(["bench", "--web"]) == status
    assert main(["bench", "--web", "--json"]) == status


def test_a_server_that_cannot_run_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(web, "APP", ("scorekeeper", "run", "--host", "no such host", "--port"))

    assert main(["bench", "--web", "--json"]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "a server did not start: scorekeeper: cannot listen on no such host" in said.err


def test_help_tells_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--help"])

    assert "--web" in capsys.readouterr().out


# ---- the games ----


def test_an_evening_is_a_whole_legal_game_each_bid_an_entry() -> None:
    sheet = new_sheet(presets()["oh_hell_hook"].rules, 4)

    entries = list(evening(sheet.rules, 4))

    assert len(entries) == 13 * 5
    assert after(sheet, *entries).over


def test_the_entries_are_sent_as_the_page_sends_them(app: Flask, client: FlaskClient) -> None:
    games = Games(app)
    code, forms = games.start(listed(1, 2), 3, written=2)
    client.set_cookie("phone", games.secret)

    for address, fields in forms:
        assert client.post(address, data=fields).status_code == 303

    assert client.get(f"/games/{code}.json").get_json()["hands"][1]["tricks"] != [None, None, None]
    assert len(client.get(f"/games/{code}.json").get_json()["log"]) == 8


# ---- the servers and the loads ----


@pytest.fixture(scope="module")
def run() -> list[Row]:
    """The rows of a bench with little to do."""
    return apart(lambda: list(web.rows(TINY)))


def test_every_figure_is_measured(run: list[Row]) -> None:
    names = [row.name for row in run]

    assert len(set(names)) == len(names) == 16
    for word in (
        "page of the hand for the scorer",
        "board of the same game",
        "304",
        "an entry (POST",
        "p99",
        "writers",
    ):
        assert any(word in name for name in names), word
    assert all(row.value and row.value > 0 for row in run if row.unit)


def test_nothing_fails_under_little_load_and_a_page_asks_four_statements(run: list[Row]) -> None:
    counts = {row.name: row.value for row in run if not row.unit}

    assert counts.pop("SQL statements of a page, its game not in memory: the most") == 4
    assert set(counts.values()) == {0}
    assert len(counts) == 4


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with serving(HELLO, "/", tmp_path) as server:
        yield server.port


def test_a_server_answers_within_the_block_and_is_gone_after_it(tmp_path: Path) -> None:
    with serving(HELLO, "/", tmp_path) as server:
        assert awaited(_statuses(server.port, "/", "/")) == [200, 200]
        assert server.cpu() > 0

    with socket.socket() as probe:
        assert probe.connect_ex((HOST, server.port)) != 0
    with pytest.raises(ServerError):
        server.cpu()


async def _statuses(port: int, *addresses: str) -> list[int]:
    async with Phone(port) as phone:
        return [(await phone.get(address)).status for address in addresses]


def test_a_phone_connects_again_where_the_server_has_closed(port: int) -> None:
    async def ask() -> list[int]:
        async with Phone(port) as phone:
            return [(await phone.get("/", Connection="close")).status, (await phone.get("/")).status]

    assert awaited(ask()) == [200, 200]


def test_a_304_keeps_its_connection_unless_the_phone_wants_to_close(tmp_path: Path) -> None:
    async def ask(port: int) -> list[tuple[int, str | None]]:
        async with Phone(port) as phone:
            tag = (await phone.get("/static/app.css")).headers["etag"]
            kept = await phone.get("/static/app.css", If_None_Match=tag)
            closed = await phone.get("/static/app.css", If_None_Match=tag, Connection="close")
            return [(answer.status, answer.headers.get("connection")) for answer in (kept, closed)]

    url = f"sqlite:///{tmp_path / 'app.sqlite'}"
    with serving(web.APP, "/healthz", tmp_path, SCOREKEEPER_DATABASE_URL=url) as server:
        assert awaited(ask(server.port)) == [(304, None), (304, "close")]


def test_a_tap_that_is_not_written_counts_as_failed(port: int) -> None:
    async def tap() -> None:
        async with Phone(port) as phone:
            await web.tap(phone, ("/games/x/hands/1", {"bids-0": 1}))

    with pytest.raises(ServerError, match="answered 404 where 303 was due"):
        awaited(tap())


def test_a_watcher_whose_poll_fails_counts_it_and_stops(port: int) -> None:
    watch = Watch("/nothing", poll=0.01)

    async def follow() -> None:
        async with Phone(port) as phone:
            await watch.follow(phone, Random(1))

    awaited(follow())

    assert watch.failed == 1


def test_no_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.bench.phones.PATIENCE", 0.1)
    with socket.create_server((HOST, 0)) as silent, pytest.raises(ServerError, match="no answer to GET /"):
        awaited(_statuses(silent.getsockname()[1], "/"))


def test_ctrl_c_leaves_no_server_behind() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(servers.__file__).parents[2])}
    bench = subprocess.Popen(
        [sys.executable, "-m", "scorekeeper", "bench", "--web"],
        stdout=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # only it is interrupted, not its servers
    )
    try:
        while len(started := _children(bench.pid)) < 2:
            assert bench.poll() is None
            time.sleep(0.05)
    finally:
        bench.send_signal(signal.SIGINT)
        status = bench.wait(30)

    assert status == 130
    assert [child for child in started if Path(f"/proc/{child}").exists()] == []


def _children(process: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(fields[1]) == process:
            found.append(int(stat.parent.name))
    return found
