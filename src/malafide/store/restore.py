"""A backup in, the store and what was learned as they were; what stood there before is kept aside."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from malafide.errors import Busy, UnreadableInput, UnwritableOutput
from malafide.home import home
from malafide.learning.lock import changing
from malafide.store import archive, tables
from malafide.store.address import dialect
from malafide.store.audit import write_down
from malafide.store.backup import learned
from malafide.store.database import Database
from malafide.store.dialect import Connection, Dialect
from malafide.store.postgresql import SCHEMA
from malafide.store.schema import climb, newest, version
from malafide.store.sqlite import Sqlite

_HELPERS: Final = ("-wal", "-shm")  # of SQLite, beside a database


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back, and where the former stands."""

    cases: int
    files: tuple[str, ...]
    aside: tuple[str, ...]


def restore(url: str, path: Path, who: str, *, force: bool) -> Restored:
    """Nothing is touched before all of the backup was verified; what is replaced is moved, and not deleted."""
    target, stamp = dialect(url), f"{datetime.now(UTC):%Y%m%d_%H%M%S}"
    with archive.reading(path) as whole:
        names = _checked(whole, path)

        def fill(connection: Connection) -> int:
            climb(connection, target, newest())
            for table in tables.TABLES:
                tables.fill(connection, target, table, whole.lines(f"store/{table}.jsonl"))
            write_down(connection, who, "restore", "", f"a backup of {whole.about['written']}")
            return int(connection.execute("SELECT COUNT(*) FROM cases").fetchone()[0])

        with changing("restoring"):
            there = _is_used(target)
            if not force and (there or learned()):
                what = f"the database {target.shown!r}" if there else f"the home folder {str(home())!r}"
                raise UnwritableOutput(
                    f"{what} holds something already; to put the backup in its place, and keep what is there "
                    "aside, use --force"
                )
            if isinstance(target, Sqlite):
                cases, aside = _into_file(target, fill, stamp)
            else:
                cases, aside = _into_server(target, fill, stamp)
            return Restored(cases, tuple(names), (*aside, *_home(whole, names, stamp)))


def _checked(whole: archive.Archive, path: Path) -> list[str]:
    """The files of the home folder in it; refuses a backup that is not for this malafide."""
    if whole.about["schema"] > newest():
        raise UnreadableInput(
            f"{str(path)!r} has version {whole.about['schema']} of the tables, and this malafide knows {newest()}: "
            "use a later malafide"
        )
    names = whole.names("home")
    if any(".." in PurePosixPath(name).parts or name.startswith("/") or "\\" in name for name in names):
        raise UnreadableInput(
            f"{str(path)!r} names files outside of the home folder, and is no backup of malafide"
        )
    return names


def _is_used(target: Dialect) -> bool:
    """Whether anything is there: rows, or tables of a later version."""
    if isinstance(target, Sqlite) and not target.path.exists():
        return False
    database = Database(target)
    try:
        return database.read(
            lambda connection: (
                version(connection, target) > newest() or not tables.is_empty(connection, target)
            )
        )
    finally:
        database.close()


def _into_file(target: Sqlite, fill: Callable[[Connection], int], stamp: str) -> tuple[int, list[str]]:
    """Written beside, then put in its place: whoever is stopped in between has the old one still."""
    place = target.path
    new = Sqlite(place.with_name(f"{place.name}.restoring"))
    _remove(new.path)
    database = Database(new)
    try:
        cases = database.alone(fill)
        database.bare(lambda connection: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
    finally:
        database.close()
    aside = []
    if place.exists():
        _alone_with(place)
        kept = place.with_name(f"{place.name}.before_{stamp}")
        place.replace(kept)
        aside.append(str(kept))
    new.path.replace(place)
    _remove(new.path)
    return cases, aside


def _alone_with(place: Path) -> None:
    """Makes the file complete in itself; SQLite refuses that while anybody else has it open."""
    try:
        with closing(sqlite3.connect(place, timeout=1.0, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise Busy(
            f"the database {str(place)!r} is in use ({error}): stop the service and its workers, then restore"
        ) from None
    except sqlite3.DatabaseError:
        return  # no database at all: it is kept aside as it is


def _remove(path: Path) -> None:
    for end in ("", *_HELPERS):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _into_server(target: Dialect, fill: Callable[[Connection], int], stamp: str) -> tuple[int, list[str]]:
    """In one transaction: whoever looks sees the old or the new."""
    database = Database(target)
    aside: list[str] = []

    def work(connection: Connection) -> int:
        if version(connection, target):
            connection.execute(f"ALTER SCHEMA {SCHEMA} RENAME TO {SCHEMA}_before_{stamp}")
            aside.append(f"the schema {SCHEMA}_before_{stamp} in {target.shown}")
        return fill(connection)

    try:
        return database.alone(work), aside
    finally:
        database.close()


def _home(whole: archive.Archive, names: list[str], stamp: str) -> list[str]:
    """Puts the files into the home folder, those of before into one of their own."""
    kept = home() / f"before_restore_{stamp}"
    old = [path for name in learned() for path in _with_helpers(home() / name)]
    try:
        for path in old:
            beside = kept / path.relative_to(home())
            beside.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.replace(beside)
        for name in names:
            place = home() / name
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                whole.copy(f"home/{name}", file)
    except OSError as error:
        raise UnwritableOutput(
            f"cannot write in {str(home())!r}: {error.strerror or error}; what was there stands in {str(kept)!r}"
        ) from None
    return [str(kept)] if old else []


def _with_helpers(path: Path) -> list[Path]:
    beside = (path.with_name(path.name + end) for end in ("", *_HELPERS))
    return [one for one in beside if one.exists()]
