"""Work in, done in a transaction or not at all: the connections of one process, shared by its threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeVar, cast

from malafide.errors import BrokenStore, MalafideError
from malafide.store.dialect import Connection, Dialect

T = TypeVar("T")
_MOST_CONNECTIONS: Final = 16
# What a piece of work may raise; each is then done again by itself, so that nobody gets another's error.
_GOES_WRONG: Final = (MalafideError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class _Piece(Generic[T]):
    """Work that waits for its turn to write."""

    def __init__(self, work: Callable[[Connection], T]) -> None:
        self.work = work
        self.result: T | None = None
        self.done = False
        self.tried = False  # together with others, in vain


class Database:
    """Reads run side by side. Writes do too on a server; on SQLite, those that come together share a commit."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self._free: list[Connection] = []
        self._inherited: list[Connection] = []
        self._process = os.getpid()
        self._waiting: list[_Piece[Any]] = []
        self._turn = threading.Lock()
        self._closed = False

    def read(self, work: Callable[[Connection], T]) -> T:
        """The result of work that changes nothing; it sees one state throughout."""
        with self._transaction(self.dialect.begin_reading) as connection:
            return work(connection)

    def write(self, work: Callable[[Connection], T]) -> T:
        """The result of work that is on disk when this returns, whole; an error undoes all of it.

        The work may be done a second time, after its first was undone.
        """
        if not self.dialect.one_writer:
            return self.alone(work)
        piece = _Piece(work)
        with self._lock:
            self._waiting.append(piece)
        with self._turn:
            # Done already, if whoever had the turn before took it along.
            if not piece.done and not self._together(piece):
                return self.alone(work)
        return cast(T, piece.result)

    def alone(self, work: Callable[[Connection], T]) -> T:
        """Like `write`, in a commit of its own."""
        with self._transaction(self.dialect.begin) as connection:
            return work(connection)

    def bare(self, work: Callable[[Connection], T]) -> T:
        """Work outside of any transaction, for what a database refuses inside of one."""
        with self._connection() as connection:
            return work(connection)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
        if self._process == os.getpid():
            for connection in free:
                connection.close()

    def _together(self, own: _Piece[Any]) -> bool:
        """Does all that waits in one commit; whether that worked. If not, each is done alone by whoever brought it."""
        if own.tried:
            return False
        with self._lock:
            pieces, self._waiting = self._waiting, []
        if len(pieces) == 1:
            return False
        for piece in pieces:
            piece.tried = True
        try:
            with self._transaction(self.dialect.begin) as connection:
                results = [piece.work(connection) for piece in pieces]
        except _GOES_WRONG:
            return False
        for piece, result in zip(pieces, results, strict=True):
            piece.result, piece.done = result, True
        return True

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Connection]:
        with self._connection(begin) as connection:
            try:
                yield connection
            except MalafideError:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def _connection(self, begin: str = "") -> Iterator[Connection]:
        with self._places, self.dialect.named_errors():
            connection, sound = self._ready(begin), False
            try:
                yield connection
                sound = True
            except MalafideError:  # a refusal of ours, and the transaction was rolled back
                sound = True
                raise
            finally:
                self._give_back(connection, sound)

    def _ready(self, begin: str) -> Connection:
        """A connection in which a transaction began."""
        connection = self._take()
        if connection is not None:
            try:
                connection.execute(begin or "SELECT 1")
                return connection
            except self.dialect.lost():  # a server that was started anew meanwhile
                self._give_back(connection, sound=False)
        connection = self.dialect.connect()
        if begin:
            connection.execute(begin)
        return connection

    def _take(self) -> Connection | None:
        """A connection that was used before."""
        with self._lock:
            if self._closed:
                raise BrokenStore(f"the database {self.dialect.shown!r} was closed")
            if self._process != os.getpid():
                # A connection belongs to the process that opened it; closing it here would break it there.
                self._inherited, self._free, self._process = self._free, [], os.getpid()
            return self._free.pop() if self._free else None

    def _give_back(self, connection: Connection, sound: bool) -> None:
        """Keeps a connection for the next. After an error none is kept: a server that went away took them all."""
        with self._lock:
            if sound and not self._closed:
                self._free.append(connection)
                return
            closing, self._free = [connection, *self._free], []
        for one in closing:
            one.close()
