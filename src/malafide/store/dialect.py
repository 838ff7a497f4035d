"""What a database must be able to do for the store: the few things in which SQLite and PostgreSQL differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol


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
    def count_on(self, connection: Connection, table: str, key: str) -> None: ...
    def tidy(self, connection: Connection) -> None: ...
    def size(self, connection: Connection) -> int: ...
    def statements(self, script: str) -> Iterator[str]: ...
    def begins_with(self, words: Sequence[str]) -> str: ...
    def named_errors(self) -> AbstractContextManager[None]: ...
