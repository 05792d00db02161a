"""A damaged file is never served; a copy is whole or not there; what was put back is what was copied."""

import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine

from scorekeeper import backups, database
from scorekeeper.backups import DamagedError, UnfitError
from scorekeeper.cli import main
from scorekeeper.database import guard
from tests.store.evening import Evening

B_TREE = {2, 5, 10, 13}  # the first byte of such a page. Source: the file format's description, section 1.6
BROKEN = 200  # bytes at the start of the page


@pytest.fixture
def path(sqlite_url: str) -> Path:
    return Path(sqlite_url.removeprefix("sqlite:///"))


@pytest.fixture
def engine(path: Path) -> Iterator[Engine]:
    engine = create_engine(f"sqlite:///{path}")
    guard(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def evening(engine: Engine) -> Evening:
    """With a game that was played to its end."""
    evening = Evening.begin(engine)
    evening.play()
    return evening


def count(path: Path, table: str = "entry") -> int:
    with closing(sqlite3.connect(path)) as connection:
        found: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return found


def refused(capsys: pytest.CaptureFixture[str], *call: str) -> str:
    assert main(call) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_file_with_any_page_damaged_is_refused(
    evening: Evening, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.sqlite"
    backups.copy(path, good)
    evening.engine.dispose()
    sound = good.read_bytes()
    size = int.from_bytes(sound[16:18])
    pages = [at for at in range(0, len(sound), size) if sound[at or 100] in B_TREE]
    book = tmp_path / "folder" / "book.sqlite"
    (book.parent / backups.FOLDER).mkdir(parents=True)
    chance = random.Random(7)

    for at in pages:
        book.write_bytes(sound[:at] + chance.randbytes(BROKEN) + sound[at + BROKEN :])
        with pytest.raises(DamagedError):
            backups.check(book)
    assert len(pages) > 25

    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{book}")
    for call in (("run", "--host", "127.0.0.1", "--port", "18765"), ("upgrade",), ("pen",)):
        assert "there is no good backup in" in refused(capsys, *call)
    older, newer = (book.parent / backups.FOLDER / f"book-2026-01-0{day}.sqlite" for day in (1, 2))
    shutil.copy(good, older)
    shutil.copy(book, newer)
    said = refused(capsys, "upgrade")
    assert f"the database {book} is damaged" in said
    assert f"`scorekeeper restore {older}` puts the newest good backup back" in said

    assert main(["restore", str(older)]) == 0
    assert main(["upgrade"]) == 0
    assert count(book) == 13


def test_a_copy_of_a_live_database_has_what_a_copy_of_its_file_has_not(
    evening: Evening, path: Path, tmp_path: Path
) -> None:
    rows = backups.copy(path, tmp_path / "copy.sqlite")
    shutil.copy(path, tmp_path / "file.sqlite")

    assert rows["entry"] == count(tmp_path / "copy.sqlite") == 13
    assert count(tmp_path / "file.sqlite") < 13
    assert not Path(f"{tmp_path / 'copy.sqlite'}-wal").exists()
    assert evening.load().seq == 13


def test_a_copy_is_whole_or_not_there_whenever_it_is_killed(evening: Evening, path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    evening.engine.dispose()
    with closing(sqlite3.connect(path)) as connection:  # large enough that copying takes a while
        connection.execute("CREATE TABLE weight (x BLOB)")
        connection.execute("INSERT INTO weight SELECT zeroblob(1000000) FROM game, player AS p, player AS q")
        connection.commit()
    began = time.monotonic()
    backups.copy(path, folder / "full.sqlite")
    takes = time.monotonic() - began
    chance = random.Random(7)
    there = []

    for number in range(20):
        target = folder / f"{number}.sqlite"
        child = os.fork()
        if not child:
            try:
                backups.copy(path, target)
            finally:
                os._exit(0)
        time.sleep(chance.uniform(0, 1.2 * takes))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if target.exists():
            backups.check(target)
            there.append(count(target))

    assert set(there) <= {13}
    assert len(there) < 20
    assert {path.name[0] for path in folder.iterdir() if path.suffix != ".sqlite"} == {"."}


def test_a_copy_that_fails_leaves_nothing(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "copies" / "copy.sqlite"
    target.parent.mkdir()
    target.write_bytes(b"what was there")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        backups.copy(path, target)

    assert list(target.parent.iterdir()) == [target]
    assert target.read_bytes() == b"what was there"


def test_what_is_put_back_is_what_was_copied(evening: Evening, path: Path, tmp_path: Path) -> None:
    backups.copy(path, tmp_path / "copy.sqlite")
    before = evening.load()
    evening.hand(evening.left, "after", 1, before.seq, note="after the copy")
    with pytest.raises(UnfitError, match="in use: stop the app first"):
        backups.restore(tmp_path / "copy.sqlite", path, database.revisions())
    assert evening.load().seq == 14
    evening.engine.dispose()

    away = backups.restore(tmp_path / "copy.sqlite", path, database.revisions())

    assert away is not None
    assert count(away) == 14
    assert evening.load() == before


def test_a_restore_that_was_broken_off_is_not_served_and_can_be_repeated(
    evening: Evening, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.sqlite"
    backups.copy(path, copy)
    evening.engine.dispose()
    rename = Path.rename

    def break_off(self: Path, target: Path) -> Path:
        rename(self, target)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", break_off)
        with pytest.raises(KeyboardInterrupt):
            backups.restore(copy, path, database.revisions())
    assert not path.exists()
    with pytest.raises(UnfitError, match="broken off"):
        backups.check(path)

    backups.restore(copy, path, database.revisions())

    backups.check(path)
    assert count(path) == 13


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_bytes(b"not a database" * 1000), "is damaged"),
        (lambda file: file.write_bytes(file.read_bytes()[:20_000]), "is damaged"),
        (lambda file: file.write_bytes(b""), "cannot be read as a database of Scorekeeper"),
        (lambda file: change(file, "DROP TABLE entry"), "cannot be read as a database of Scorekeeper"),
        (lambda file: change(file, "UPDATE alembic_version SET version_num = '9999'"), "made by a later release"),
        (lambda file: change(file, "INSERT INTO pen VALUES (99, 7, 99, '2024-01-01')"), "rows without the row"),
    ],
)
def test_a_broken_or_foreign_file_is_not_put_back(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], object],
    said: str,
) -> None:
    file = tmp_path / "copy.sqlite"
    backups.copy(path, file)
    spoil(file)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{path}")
    before = path.read_bytes()

    assert said in refused(capsys, "restore", str(file))

    assert path.read_bytes() == before
    assert not Path(f"{path}{backups.RESTORING}").exists()


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
