"""An address in, connections out: the few things in which SQLite and PostgreSQL differ stand here."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import unquote, urlsplit

from malafide.errors import BadSetting, BrokenStore, MissingExtra
from malafide.home import home

if TYPE_CHECKING:
    import psycopg

FILE_NAME: Final = "service.sqlite"
SCHEMA: Final = "malafide"  # of our tables in PostgreSQL, beside those of others
_PATIENCE: Final = 30.0  # seconds a writer waits for a writer of another process
_CONNECT_SECONDS: Final = 10
_FORMS: Final = "sqlite:///FILE (sqlite:////FILE from the root) or postgresql://USER@HOST/DATABASE"


class Rows(Protocol):
    """What a statement gave back."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """One connection. Statements are written with `?`, for either database."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Rows: ...
    def close(self) -> None: ...


class Dialect(Protocol):
    """A database of one kind at one address."""

    name: Literal["sqlite", "postgresql"]
    shown: str  # the address without its password
    begin: str  # of a transaction that writes
    begin_reading: str  # of one that sees one state throughout
    skip_locked: str  # at the end of a SELECT whose rows only this transaction may take
    has_table: str  # a SELECT that gives a row if the table of that name is there
    has_words: str  # a condition on `cases c` with one value, made by `begins_with`
    one_writer: bool  # a database that lets one write at a time: writers then share a commit

    def connect(self) -> Connection: ...
    def lock_schema(self, connection: Connection) -> None: ...
    def tidy(self, connection: Connection) -> None: ...
    def size(self, connection: Connection) -> int: ...
    def statements(self, script: str) -> Iterator[str]: ...
    def begins_with(self, words: Sequence[str]) -> str: ...
    def named_errors(self) -> AbstractContextManager[None]: ...


def dialect(url: str) -> Dialect:
    """The database of that address; the file in the home folder when it is empty."""
    if not url:
        return Sqlite(home() / FILE_NAME)
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return Sqlite(Path(unquote(rest[1:])))
    if scheme in ("postgresql", "postgres"):
        return Postgresql(url)
    raise BadSetting(f"{_without_password(url)!r} is no address of a database; expected {_FORMS}")


class Sqlite:
    """A file of our own, for one machine."""

    name: Literal["sqlite", "postgresql"] = "sqlite"
    begin = "BEGIN IMMEDIATE"
    begin_reading = "BEGIN DEFERRED"
    skip_locked = ""
    has_table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    has_words = "c.number IN (SELECT rowid FROM case_words WHERE case_words MATCH ?)"
    one_writer = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self.shown = str(path)

    def connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Made here, since SQLite would make it readable by others; its two helper files take over this mode.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
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

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise BrokenStore(
                f"the database {self.shown!r} cannot be used ({error}): check that it can be written"
            ) from error


class Postgresql:
    """A server, for a team."""

    name: Literal["sqlite", "postgresql"] = "postgresql"
    begin = "BEGIN"
    begin_reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    skip_locked = "FOR UPDATE SKIP LOCKED"
    has_table = "SELECT 1 FROM pg_class WHERE oid = to_regclass(?)"
    has_words = "c.words @@ to_tsquery('simple', ?)"
    one_writer = False
    _SCHEMA_LOCK: Final = 0x6D616C61666964  # any number that nobody else uses
    _TYPES: Final = (
        ("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
        ("INTEGER PRIMARY KEY", "BIGINT PRIMARY KEY"),
        ("BLOB", "BYTEA"),
    )

    def __init__(self, url: str) -> None:
        self._url = url
        self.shown = _without_password(url)

    def connect(self) -> Connection:
        try:
            import psycopg
        except ImportError:
            raise MissingExtra("PostgreSQL needs an extra part: pip install 'malafide[postgres]'") from None
        with self.named_errors():
            made = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
            connection = _Psycopg(made)
            connection.execute(f"SET search_path TO {SCHEMA}")
            return connection

    def lock_schema(self, connection: Connection) -> None:
        connection.execute("SELECT pg_advisory_xact_lock(?)", (self._SCHEMA_LOCK,))
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")

    def tidy(self, connection: Connection) -> None:
        """Gives the space of what was deleted back to its tables, at once instead of some time soon."""
        connection.execute("VACUUM (ANALYZE) cases, contents, rulings, labels, sessions, deliveries, batches")

    def size(self, connection: Connection) -> int:
        """Bytes on disk."""
        row = connection.execute(
            "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = to_regnamespace(?)",
            (SCHEMA,),
        ).fetchone()
        return int(row[0])

    def statements(self, script: str) -> Iterator[str]:
        for here, there in self._TYPES:
            script = script.replace(here, there)
        yield script

    def begins_with(self, words: Sequence[str]) -> str:
        """As in SQLite. They hold letters and digits only."""
        return " & ".join(f"'{word}':*" for word in words)

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            reason = " ".join(str(error).split())[:300]
            raise BrokenStore(f"the database {self.shown!r} cannot be used: {reason}") from error


class _Psycopg:
    """A psycopg connection that takes statements with `?`."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        # Without values psycopg looks for no placeholders, and takes several statements at once.
        return (
            self._connection.execute(_percent(sql), values)
            if values
            else self._connection.execute(sql.encode())
        )

    def close(self) -> None:
        self._connection.close()


@lru_cache(maxsize=512)
def _percent(sql: str) -> bytes:
    """Bytes, since psycopg's types take only literal text; the text here is ours alone."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _without_password(url: str) -> str:
    try:
        parts = urlsplit(url)
        password = parts.password
    except ValueError:
        return url.partition("://")[0] + "://..."
    shown = url.replace(f":{password}@", ":...@") if password else url
    return shown.partition("?")[0]
