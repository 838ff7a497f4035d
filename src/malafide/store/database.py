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


class _Piece(Generic[T]):
    """Work that waits for its turn to write."""

    def __init__(self, work: Callable[[Connection], T]) -> None:
        self.work = work
        self.result: T | None = None
        self.refusal: MalafideError | None = BrokenStore(
            "the change was not written: a change beside it broke"
        )
        self.done = False


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
        with self._connection() as connection, self._transaction(connection, self.dialect.begin_reading):
            return work(connection)

    def write(self, work: Callable[[Connection], T]) -> T:
        """The result of work that is on disk when this returns, whole; an error undoes all of it."""
        if not self.dialect.one_writer:
            return self.alone(work)
        piece = _Piece(work)
        with self._lock:
            self._waiting.append(piece)
        with self._turn:
            if not piece.done:  # else whoever had the turn before did it
                self._together()
        if piece.refusal is not None:
            raise piece.refusal
        return cast(T, piece.result)

    def alone(self, work: Callable[[Connection], T]) -> T:
        """Like `write`, in a commit of its own."""
        with self._connection() as connection, self._transaction(connection, self.dialect.begin):
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

    def _together(self) -> None:
        with self._lock:
            pieces, self._waiting = self._waiting, []
        try:
            with self._connection() as connection, self._transaction(connection, self.dialect.begin):
                refusals = [_one_of_many(connection, piece) for piece in pieces]
            for piece, refusal in zip(pieces, refusals, strict=True):
                piece.refusal = refusal
        except MalafideError as error:  # nothing was written: it is everybody's
            for piece in pieces:
                piece.refusal = error
        finally:
            for piece in pieces:
                piece.done = True

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        with self._places, self.dialect.named_errors():
            connection, sound = self._take(), False
            try:
                yield connection
                sound = True
            except MalafideError:  # a refusal of ours, and the transaction was rolled back
                sound = True
                raise
            finally:
                self._give_back(connection, sound)

    def _give_back(self, connection: Connection, sound: bool) -> None:
        """Keeps a connection for the next. After an error none is kept: a server that went away took them all."""
        with self._lock:
            if sound and not self._closed:
                self._free.append(connection)
                return
            closing, self._free = [connection, *self._free], []
        for one in closing:
            one.close()

    @contextmanager
    def _transaction(self, connection: Connection, begin: str) -> Iterator[None]:
        connection.execute(begin)
        try:
            yield
        except MalafideError:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _take(self) -> Connection:
        with self._lock:
            if self._closed:
                raise BrokenStore(f"the database {self.dialect.shown!r} was closed")
            if self._process != os.getpid():
                # A connection belongs to the process that opened it; closing it here would break it there.
                self._inherited, self._free, self._process = self._free, [], os.getpid()
            if self._free:
                return self._free.pop()
        return self.dialect.connect()


def _one_of_many(connection: Connection, piece: _Piece[Any]) -> MalafideError | None:
    """Does a piece beside others; refused, it undoes its own changes and no others'."""
    connection.execute("SAVEPOINT piece")
    try:
        piece.result = piece.work(connection)
    except MalafideError as refusal:
        connection.execute("ROLLBACK TO piece")
        connection.execute("RELEASE piece")
        return refusal
    connection.execute("RELEASE piece")
    return None
