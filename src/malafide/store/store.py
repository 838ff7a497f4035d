"""The store as doors see it: one object, for any database. Safe in threads, and in several processes at once."""

from __future__ import annotations

from typing import Self

from malafide.store.address import dialect
from malafide.store.audit import Audit
from malafide.store.batches import Batches
from malafide.store.care import Care
from malafide.store.cases import Cases
from malafide.store.dashboard import Dashboard
from malafide.store.database import Database
from malafide.store.labels import Labels
from malafide.store.queue import Queue
from malafide.store.schema import migrate
from malafide.store.sessions import Deliveries, Sessions
from malafide.store.tokens import Tokens


class Store(Cases, Queue, Labels, Batches, Sessions, Deliveries, Tokens, Dashboard, Audit, Care):
    """Everything the service keeps. What a method accepted is on disk when it returns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def address(self) -> str:
        """Where it is, without a password."""
        return self._database.dialect.shown

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(url: str = "") -> Store:
    """The store at an address, its tables brought to this version; the one of the home folder when it is empty."""
    database = Database(dialect(url))
    migrate(database)
    return Store(database)
