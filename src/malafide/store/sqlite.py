"""SQLite: one file on one machine, shared by threads and processes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from malafide.errors import BrokenStore
from malafide.store.dialect import Connection

_PATIENCE: Final = 30.0  # seconds a writer waits for a writer of another process


class Sqlite:
    """A file of our own, for one machine."""

    name: Literal["sqlite", "postgresql"] = "sqlite"
    begin = "BEGIN IMMEDIATE"
    begin_reading = "BEGIN DEFERRED"
    skip_locked = ""
    has_table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    # The plus keeps SQLite from sorting all that were found.
    has_words = "+c.number IN (SELECT rowid FROM case_words WHERE case_words MATCH ?)"
    one_writer = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self.shown = str(path)

    def connect(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Made here, since SQLite would make it readable by others; its two helper files take over this mode.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise BrokenStore(f"the database {self.shown!r} cannot be opened: {error.strerror}") from None
        connection = sqlite3.connect(
            self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # takes hold in a new file only
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")  # accepted is accepted, though the power fails
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")  # what was purged is overwritten
        return connection

    def lock_schema(self, connection: Connection) -> None:
        """BEGIN IMMEDIATE has locked the file already."""

    def count_on(self, connection: Connection, table: str, key: str) -> None:
        """SQLite goes on after the largest number by itself."""

    def tidy(self, connection: Connection) -> None:
        """Drops the words of what was deleted from the index, and gives the space back."""
        connection.execute("INSERT INTO case_words (case_words) VALUES ('optimize')")
        connection.execute("PRAGMA incremental_vacuum").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def size(self, connection: Connection) -> int:  # noqa: ARG002
        """Bytes on disk."""
        beside = (self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm")))
        return sum(path.stat().st_size for path in beside if path.exists())

    def statements(self, script: str) -> Iterator[str]:
        """One by one: a script run as a whole would end the transaction it stands in."""
        held = ""
        for line in script.splitlines(keepends=True):
            held += line
            if sqlite3.complete_statement(held):
                yield held
                held = ""

    def begins_with(self, words: Sequence[str]) -> str:
        """A search for rows with a word that begins with each of these. They hold letters and digits only."""
        return " ".join(f'"{word}"*' for word in words)

    def lost(self) -> tuple[type[Exception], ...]:
        """A file does not go away."""
        return ()

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise BrokenStore(
                f"the database {self.shown!r} cannot be used ({error}): check that it can be written"
            ) from error
