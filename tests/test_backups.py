"""The commands for copies, and the copies of the day."""

import os
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from scorekeeper import backups
from scorekeeper.cli import main


@pytest.fixture
def book(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database that the settings name."""
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", sqlite_url)
    return Path(sqlite_url.removeprefix("sqlite:///"))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_backup_says_what_the_copy_holds(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "copy.sqlite"

    assert main(["backup", str(target)]) == 0
    assert main(["backup", str(target)]) == 0  # an earlier copy is replaced

    assert capsys.readouterr().out == f"{target}: 0 books, 0 games, 0 entries, proven.\n" * 2
    assert book.exists()


def test_backup_writes_over_nothing_but_an_earlier_copy(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann")

    for file in (letter, book):
        assert main(["backup", str(file)]) == 2
        assert "is no earlier copy" in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "no folder" / "copy.sqlite")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert letter.read_text() == "Dear Ann"


def test_there_is_nothing_to_copy_before_the_first_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{tmp_path}/none.sqlite")

    assert main(["backup", str(tmp_path / "copy.sqlite")]) == 2

    assert "there is no database at" in capsys.readouterr().err
    assert names(tmp_path) == []


def test_restore_into_an_empty_folder(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["backup", str(tmp_path / "copy.sqlite")])
    (tmp_path / "new").mkdir()
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", f"sqlite:///{tmp_path}/new/book.sqlite")

    assert main(["restore", str(tmp_path / "copy.sqlite")]) == 0

    assert (tmp_path / "new" / "book.sqlite").exists()
    assert book.exists()


def test_restore_needs_a_file_that_is_not_the_database(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", str(book)]) == 2
    assert "is the database itself" in capsys.readouterr().err
    assert main(["restore", f"{book}.none"]) == 2
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_for_postgres_there_is_pg_dump(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", "postgresql://nowhere.example/book")

    assert main([command, str(tmp_path / "file")]) == 2

    assert "pg_dump" in capsys.readouterr().err


def test_a_database_of_a_later_release_is_one_clear_line(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(book)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()

    assert main(["upgrade"]) == 2

    assert capsys.readouterr().err == (
        "scorekeeper: the database was made by a later release of Scorekeeper: install that one\n"
    )


# ---- the copies of the day ----


def copies(folder: Path, database: Path, days: list[date]) -> None:
    for day in days:
        (folder / f"{database.stem}-{day}.sqlite").write_bytes(b"a copy of that day")


def test_a_copy_of_the_day_is_made_once(book: Path) -> None:
    made = backups.copy_of_the_day(book)

    assert made is not None
    assert backups.copy_of_the_day(book) is None
    assert names(book.parent / backups.FOLDER) == [made.name]
    assert backups.newest_good(book) == made


def test_seven_days_and_four_weeks_are_kept(book: Path) -> None:
    folder = book.parent / backups.FOLDER
    folder.mkdir()
    today = date.fromisoformat(backups.dated(book, "").stem.removeprefix(f"{book.stem}-"))
    copies(folder, book, [today - timedelta(days) for days in range(1, 60)])
    (folder / "letter.txt").write_text("Dear Ann")
    (folder / f"{book.stem}-2020-01-01-before-0002.sqlite").write_bytes(b"before an upgrade")

    backups.copy_of_the_day(book)

    kept = {today - timedelta(days) for days in range(7)}
    sundays = {today - timedelta(days) for days in range(60) if (today - timedelta(days)).isoweekday() == 7}
    kept |= set(sorted(sundays | {today})[-4:])
    wanted = {f"{book.stem}-{day}.sqlite" for day in kept}
    assert set(names(folder)) == wanted | {"letter.txt", f"{book.stem}-2020-01-01-before-0002.sqlite"}


def test_a_copy_that_fails_costs_no_older_one(book: Path) -> None:
    folder = book.parent / backups.FOLDER
    folder.mkdir()
    copies(folder, book, [date(2024, 1, 1) + timedelta(days) for days in range(60)])
    book.write_bytes(b"no database" * 1000)

    with pytest.raises(sqlite3.DatabaseError):
        backups.copy_of_the_day(book)

    assert len(names(folder)) == 60


def test_a_clock_set_back_does_not_delete_the_copy_just_made(book: Path) -> None:
    folder = book.parent / backups.FOLDER
    folder.mkdir()
    copies(folder, book, [date(2999, 1, 1) + timedelta(days) for days in range(60)])

    made = backups.copy_of_the_day(book)

    assert made is not None
    assert made.exists()


def test_what_a_killed_copy_left_is_swept_away_after_a_day(book: Path) -> None:
    folder = book.parent / backups.FOLDER
    folder.mkdir()
    for name, age in ((".old.part", backups.STALE + 60), (".new.part", 60)):
        (folder / name).write_bytes(b"half")
        stamp = (folder / name).stat().st_mtime - age
        os.utime(folder / name, (stamp, stamp))

    backups.copy_of_the_day(book)

    assert ".new.part" in names(folder)
    assert ".old.part" not in names(folder)
