"""A store and what was learned in, one file out. Both may be in use meanwhile."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from malafide.home import home
from malafide.learning.lock import changing
from malafide.store import archive, tables
from malafide.store.address import dialect
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.schema import migrate, newest
from malafide.version import VERSION

# What people and data sets taught. Settings, logs, caches and reports are left out.
_LEARNED: Final = (
    "*_catalog.json", "labels.jsonl", "*samples.jsonl.gz", "precedents.sqlite", "review/*.json",
)  # fmt: skip


def backup(url: str, path: Path) -> tuple[int, list[str]]:
    """How many cases were written, and which files of the home folder."""
    database = Database(dialect(url))
    try:
        migrate(database)
        with archive.writing(path) as writer, changing("backing up"):
            cases = database.read(lambda connection: _tables(connection, writer))
            names = learned()
            for name in names:
                writer.add(f"home/{name}", _file(home() / name))
            written = datetime.now(UTC).isoformat(timespec="seconds")
            writer.finish({"malafide": VERSION, "schema": newest(), "written": written, "cases": cases})
    finally:
        database.close()
    return cases, names


def learned() -> list[str]:
    """The files of the home folder that a backup holds, by their place in it."""
    found = {file for pattern in _LEARNED for file in home().glob(pattern) if file.is_file()}
    return sorted(file.relative_to(home()).as_posix() for file in found)


def _tables(connection: Connection, writer: archive.ArchiveWriter) -> int:
    for table in tables.TABLES:
        writer.add(f"store/{table}.jsonl", tables.lines(connection, table))
    return int(connection.execute("SELECT COUNT(*) FROM cases").fetchone()[0])


def _file(path: Path) -> Iterator[bytes]:
    if path.suffix != ".sqlite":
        with path.open("rb") as file:
            yield from archive.chunks_of(file)
        return
    # A database in use is more than its file: it is copied as it stands at one moment.
    handle, copy = tempfile.mkstemp(prefix="malafide-", suffix=".sqlite")
    os.close(handle)
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        with Path(copy).open("rb") as file:
            yield from archive.chunks_of(file)
    finally:
        Path(copy).unlink(missing_ok=True)
