"""The file of the precedents: its tables, one connection per process, transactions processes can share."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from malafide.errors import BrokenStore

# A case may have been labelled more than once: each label is a row, and the newest one is `current`. Only
# current rows stand in `sketch`, `measure` and `fulltext`. AUTOINCREMENT: an id is never given twice, so a
# reader who knows the largest id and the number of removals knows what it has missed. What is computed stands
# apart from the text: a row longer than a page costs 16 us to fetch, and a search fetches eighty.
_TABLES: Final = """
CREATE TABLE precedent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  panel TEXT NOT NULL,
  case_id TEXT NOT NULL,
  label TEXT,
  how TEXT NOT NULL CHECK (how IN ('dataset', 'person', 'verdict')),
  source TEXT NOT NULL,
  at TEXT NOT NULL,
  current INTEGER NOT NULL,
  text TEXT NOT NULL,
  CHECK ((label IS NULL) = (how = 'verdict')),
  CHECK (label IS NOT NULL OR current = 0)
);
CREATE INDEX precedent_case ON precedent (panel, case_id);
CREATE UNIQUE INDEX precedent_current ON precedent (panel, case_id) WHERE current = 1;
CREATE TABLE sketch (id INTEGER PRIMARY KEY, panel TEXT NOT NULL, bits BLOB NOT NULL);
CREATE TABLE measure (
  id INTEGER PRIMARY KEY, case_id TEXT NOT NULL, vector BLOB NOT NULL, runs BLOB NOT NULL
);
CREATE VIRTUAL TABLE fulltext USING fts5(
  text, content='precedent', content_rowid='id', detail='none', tokenize='unicode61 remove_diacritics 2'
);
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES ('removals', 0), ('embedding', '');
"""
_VERSION: Final = 1  # PRAGMA user_version of these tables
_PATIENCE: Final = 30.0  # seconds a writer waits for another


class PrecedentFile:
    """Opens late: reading where there is no file makes none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0

    def close(self) -> None:
        with self.lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection inside one consistent view of the file, or None when there is no file."""
        with self.lock, self._named_errors():
            if not self.path.exists():
                yield None
                return
            connection = self._open()
            with _transaction(connection, "DEFERRED"):
                yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection inside a transaction: all of it is written, or nothing."""
        with self.lock, self._named_errors():
            connection = self._open()
            with _transaction(connection, "IMMEDIATE"):
                yield connection

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA mmap_size=1073741824")
        self._prepare(connection)
        self._connection, self._process = connection, os.getpid()
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
            return
        with _transaction(connection, "IMMEDIATE"):
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:  # still: two processes may have come at the same time
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={_VERSION}")
            elif version != _VERSION:
                raise BrokenStore(
                    f"precedents at {str(self.path)!r} have version {version}, only {_VERSION} can be read: "
                    "export them with the malafide that wrote them, and import that here"
                )

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise BrokenStore(
                f"precedents at {str(self.path)!r} cannot be used ({error}): "
                "check that the file can be written, or move it away"
            ) from error


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    connection.execute(f"BEGIN {kind}")
    end = "ROLLBACK"
    try:
        yield
        end = "COMMIT"
    finally:
        connection.execute(end)
