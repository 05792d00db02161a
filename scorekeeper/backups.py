"""Copies of an SQLite database: made while it is in use, proven, kept by the day and the week, and put back."""

import os
import re
import secrets
import sqlite3
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

if sys.platform != "win32":
    import fcntl  # not on Windows

FOLDER = "backups"  # beside the database
DAYS = 7  # copies kept: those of the newest days
WEEKS = 4  # and of the newest weeks the last one each
IN_USE = "-open"  # beside the database: a file locked by every process that has it open
RESTORING = "-restoring"  # beside the database: the copy that is to take its place
PARTS = ("", "-wal", "-shm", "-journal")  # the files that are one SQLite database
STALE = 24 * 3600  # seconds after which a copy that was broken off is swept away
BUSY = 20  # seconds to wait for a lock


class UnfitError(Exception):
    """A database that must not be served, or not be put back; its text is why, and what to do."""


class DamagedError(UnfitError):
    """An SQLite file that is damaged; `path` is where it is."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"the database {path} is damaged ({found})")
        self.path = path


def check(database: Path) -> None:
    """Raises UnfitError for a database that is damaged or only half put back; one that is not there yet is neither."""
    if Path(f"{database}{RESTORING}").exists():
        raise UnfitError(f"putting back {database} was broken off: run `scorekeeper restore` again with the same file")
    if database.exists():
        _quick_check(database)


def copy(database: Path, target: Path) -> dict[str, int]:
    """Copies a database, in use or not, to the file `target`, and gives the number of rows in each table of the copy.

    `target` is a whole and proven copy or what it was before, whenever this is broken off.
    """
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with closing(_read(database)) as live, closing(sqlite3.connect(part)) as new:
            live.execute("BEGIN")  # what is copied and what is counted are one moment's
            live.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # a single file
            wanted = _rows(live)
        _quick_check(part)
        with closing(_read(part)) as new:
            found = _rows(new)
        if found != wanted:
            raise UnfitError(f"the copy of {database} has not all its rows: {found}, not {wanted}")
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(target)
        _sync_folder(target.parent)
    finally:
        for end in PARTS:
            Path(f"{part}{end}").unlink(missing_ok=True)
    return found


def copy_of_the_day(database: Path) -> Path | None:
    """Today's copy, made where there is none yet; then older ones go, but for those of DAYS days and WEEKS weeks."""
    folder = database.parent / FOLDER
    today = dated(database, "")
    if today.exists():
        return None
    folder.mkdir(exist_ok=True)
    copy(database, today)
    days = {day: path for path in folder.iterdir() if (day := _day_of(database, path))}
    for day in days.keys() - _kept(days):
        if days[day] != today:  # after a clock that was set back it may look old
            days[day].unlink()
    for part in folder.glob(".*.part*"):
        if time.time() - part.stat().st_mtime > STALE:
            part.unlink()
    return today


def dated(database: Path, why: str) -> Path:
    """Where a copy of today goes."""
    return database.parent / FOLDER / f"{database.stem}-{datetime.now(UTC).date()}{why}.sqlite"


def newest_good(database: Path) -> Path | None:
    """The newest copy in the backups of this database that is sound."""
    copies = (database.parent / FOLDER).glob(f"{database.stem}-*.sqlite")
    for path in sorted(copies, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            _quick_check(path)
        except (DamagedError, sqlite3.Error):
            continue
        return path
    return None


def way_out(error: DamagedError) -> str:
    """What to do about a damaged database, in a line."""
    good = newest_good(error.path)
    advice = (
        f"`scorekeeper restore {good}` puts the newest good backup back"
        if good
        else f"there is no good backup in {error.path.parent / FOLDER}"
    )
    return f"{error} and is not used; {advice}"


def restore(file: Path, database: Path, revisions: Collection[str]) -> Path | None:
    """Puts a copy in the place of a database, and says where that went, with all its files; None if there was none.

    `revisions` are those that this release can bring up to date. Raises UnfitError, and changes nothing, where the
    copy is damaged or not ours, or the database is open anywhere.
    """
    _check_ours(file, revisions)
    with _alone(database):
        ready = Path(f"{database}{RESTORING}")
        copy(file, ready)
        # From here to the end `check` refuses the database: its log must not meet another's pages.
        away = database.with_name(f"{database.stem}-replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{database.suffix}")
        there = [part for part in PARTS if Path(f"{database}{part}").exists()]
        for part in there:
            Path(f"{database}{part}").rename(f"{away}{part}")
        ready.replace(database)
        _sync_folder(database.parent)
    return away if there else None


def is_ours(file: Path) -> bool:
    """True for a database with a log of entries, sound or not."""
    try:
        with closing(_read(file)) as connection:
            return bool(connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").fetchone())
    except sqlite3.Error:
        return False


def mark_in_use(database: Path) -> int:
    """A file descriptor that keeps `restore` out until it is closed, or its process is gone. Raises OSError."""
    mark = os.open(f"{database}{IN_USE}", os.O_RDWR | os.O_CREAT, 0o666)
    if sys.platform != "win32":
        fcntl.flock(mark, fcntl.LOCK_SH)
    return mark


@contextmanager
def _alone(database: Path) -> Iterator[None]:
    """Raises UnfitError while any process has the database open. Windows itself refuses to move a file in use."""
    with Path(f"{database}{IN_USE}").open("ab") as file:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UnfitError(f"{database} is in use: stop the app first, then restore") from None
        yield


def _read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY, isolation_level=None)


def _quick_check(path: Path) -> None:
    """Raises DamagedError, or sqlite3.OperationalError where the file cannot be read at all."""
    try:
        with closing(_read(path)) as connection:
            connection.execute("PRAGMA cell_size_check=ON")
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise DamagedError(path, " ".join(found.split()))


def _check_ours(file: Path, revisions: Collection[str]) -> None:
    try:
        _quick_check(file)
        with closing(_read(file)) as connection:
            revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            orphans = connection.execute("PRAGMA foreign_key_check").fetchone()
    except DamagedError as error:
        raise UnfitError(f"{error}: nothing was changed") from None
    except sqlite3.Error:
        revision = orphans = None
    if revision is None or not is_ours(file):
        raise UnfitError(f"{file} cannot be read as a database of Scorekeeper: nothing was changed")
    if revision[0] not in revisions:
        raise UnfitError(f"{file} was made by a later release of Scorekeeper: nothing was changed")
    if orphans:
        raise UnfitError(f"{file} has rows without the row they belong to: nothing was changed")


def _rows(connection: sqlite3.Connection) -> dict[str, int]:
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    count = "SELECT count(*) FROM "
    return {name: connection.execute(f'{count}"{name}"').fetchone()[0] for (name,) in tables}


def _day_of(database: Path, path: Path) -> date | None:
    """The day of a daily copy; None for any other file."""
    found = re.fullmatch(rf"{re.escape(database.stem)}-(\d{{4}}-\d\d-\d\d)\.sqlite", path.name)
    try:
        return found and date.fromisoformat(found[1])
    except ValueError:
        return None


def _kept(days: Iterable[date]) -> set[date]:
    """The newest days, and the last day of each of the newest weeks."""
    in_order = sorted(days)
    weeks = {day.isocalendar()[:2]: day for day in in_order}
    return {*in_order[-DAYS:], *sorted(weeks.values())[-WEEKS:]}


def _sync_folder(folder: Path) -> None:
    """Puts a change of names on the disk, where the system lets a folder be synced."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
