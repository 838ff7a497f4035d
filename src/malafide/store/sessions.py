"""Conversations that the decoy leads, saved after each turn, and their results on the way to the operator's address."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from malafide.errors import UnknownName
from malafide.store import packing
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Delivery, Session

_SESSION: Final = "id, who, state, turns, is_over, created_at, updated_at, version"
_DELIVERY: Final = "id, session, url, body, state, attempts, due_at, error, created_at"
_SECOND: Final = 1_000_000  # microseconds
_URL: Final = 2_000


class Sessions:
    """The part of the store that keeps conversations."""

    _database: Database

    def new_session(self, who: str, state: Mapping[str, Any]) -> Session:
        """A conversation that begins; `state` is what its owner needs to go on."""
        id, moment = "s" + secrets.token_hex(10), packing.now()
        values = (id, packing.text(who, packing.WHO), packing.pack_json(state), 0, 0, moment, moment, 1)
        sql = f"INSERT INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._database.write(lambda connection: connection.execute(sql, values).rowcount)
        return _session(values)

    def session(self, id: str) -> Session | None:
        sql = f"SELECT {_SESSION} FROM sessions WHERE id = ?"
        key = (packing.text(id, packing.WHO),)
        row = self._database.read(lambda connection: connection.execute(sql, key).fetchone())
        return None if row is None else _session(row)

    def sessions(self, most: int = 100) -> list[Session]:
        """Those that were active last come first."""
        sql = f"SELECT {_SESSION} FROM sessions ORDER BY updated_at DESC, id LIMIT ?"
        rows = self._database.read(lambda connection: connection.execute(sql, (most,)).fetchall())
        return [_session(row) for row in rows]

    def save_session(self, old: Session, state: Mapping[str, Any], *, over: bool) -> Session | None:
        """The session one turn later; None when another turn came first, and then nothing is changed."""
        values = (packing.pack_json(state), int(over), packing.now(), old.id, old.version)
        sql = (
            "UPDATE sessions SET state = ?, is_over = ?, updated_at = ?, turns = turns + 1, version = version + 1"
            f" WHERE id = ? AND version = ? RETURNING {_SESSION}"
        )
        row = self._database.write(lambda connection: connection.execute(sql, values).fetchone())
        return None if row is None else _session(row)


class Deliveries:
    """The part of the store that keeps what is still to be posted, though the service ends meanwhile."""

    _database: Database

    def new_delivery(self, session: str, url: str, body: Mapping[str, Any]) -> int:
        """The id of a result that is to be posted; due at once."""
        moment = packing.now()
        values = (session, packing.text(url, _URL), packing.pack_json(body), moment, moment)
        sql = (
            "INSERT INTO deliveries (session, url, body, state, attempts, due_at, error, created_at)"
            " VALUES (?, ?, ?, 'waiting', 0, ?, '', ?) RETURNING id"
        )
        made: int = self._database.write(lambda connection: connection.execute(sql, values).fetchone()[0])
        return made

    def claim_deliveries(self, lease_seconds: float, most: int = 10) -> list[Delivery]:
        """Those that are due. Nobody else gets them before the lease runs out; then they are due again."""
        moment = packing.now()
        values = (moment, most, moment + int(lease_seconds * _SECOND))
        sql = (
            "WITH due AS MATERIALIZED (SELECT id FROM deliveries WHERE state = 'waiting' AND due_at <= ?"
            f" ORDER BY due_at LIMIT ? {self._database.dialect.skip_locked})"
            " UPDATE deliveries SET attempts = attempts + 1, due_at = ? WHERE id IN (SELECT id FROM due)"
            f" RETURNING {_DELIVERY}"
        )
        rows = self._database.write(lambda connection: connection.execute(sql, values).fetchall())
        return [_delivery(row) for row in sorted(rows, key=lambda row: row[0])]

    def delivered(self, id: int) -> None:
        """It arrived."""
        self._end_delivery(id, ("delivered", packing.now(), ""))

    def not_delivered(self, id: int, error: str, again_at: datetime | None) -> None:
        """It did not arrive, and is due again then, or never."""
        state, due = ("failed", packing.now()) if again_at is None else ("waiting", packing.micros(again_at))
        self._end_delivery(id, (state, due, packing.text(error, packing.LINE)))

    def deliveries(self, session: str) -> list[Delivery]:
        """Those of one session, oldest first."""
        sql = f"SELECT {_DELIVERY} FROM deliveries WHERE session = ? ORDER BY id"
        rows = self._database.read(lambda connection: connection.execute(sql, (session,)).fetchall())
        return [_delivery(row) for row in rows]

    def _end_delivery(self, id: int, values: tuple[str, int, str]) -> None:
        def work(connection: Connection) -> None:
            sql = "UPDATE deliveries SET state = ?, due_at = ?, error = ? WHERE id = ? AND state = 'waiting'"
            if not connection.execute(sql, (*values, id)).rowcount:
                raise UnknownName(f"there is no delivery {id!r} under way")

        self._database.write(work)


def _session(row: Sequence[Any]) -> Session:
    id, who, state, turns, over, created, updated, version = row
    return Session(
        id, who, packing.unpack_json(state), turns, bool(over),
        packing.moment(created), packing.moment(updated), version,
    )  # fmt: skip


def _delivery(row: Sequence[Any]) -> Delivery:
    id, session, url, body, state, attempts, due, error, created = row
    return Delivery(
        id, session, url, packing.unpack_json(body), state, attempts,
        packing.moment(due), error, packing.moment(created),
    )  # fmt: skip
