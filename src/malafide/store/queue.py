"""Waiting cases in, each in the hands of one worker out; a ruling comes back once, whoever dies on the way."""

from __future__ import annotations

from typing import Final

from malafide.judging import Ruling
from malafide.store import packing
from malafide.store.cases import ruling_document, ruling_values
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Claimed

MOST_ATTEMPTS: Final = 3  # a message that ends worker after worker must not do so for ever
_SECOND: Final = 1_000_000  # microseconds
_GAVE_UP: Final = f"given up: {MOST_ATTEMPTS} workers took it and none came back"


class Queue:
    """The part of the store that hands out work."""

    _database: Database

    def claim(self, worker: str, lease_seconds: float, most: int = 1) -> list[Claimed]:
        """Up to so many cases that wait, or whose worker did not come back in time; nobody else gets them meanwhile."""
        lease = int(lease_seconds * _SECOND)
        return self._database.write(lambda connection: self._claim(connection, worker, lease, most))

    def renew(self, worker: str, lease_seconds: float) -> int:
        """Holds on to everything the worker has, from now; how many cases that is."""
        until = packing.now() + int(lease_seconds * _SECOND)
        sql = "UPDATE cases SET lease_until = ? WHERE state = 'claimed' AND worker = ?"
        return self._database.write(
            lambda connection: connection.execute(sql, (until, _name(worker))).rowcount
        )

    def release(self, worker: str) -> int:
        """Gives back everything the worker has, as if it had not taken it; how many cases that is."""
        sql = (
            "UPDATE cases SET state = 'waiting', worker = '', lease_until = 0, attempt = attempt - 1"
            " WHERE state = 'claimed' AND worker = ?"
        )
        return self._database.write(lambda connection: connection.execute(sql, (_name(worker),)).rowcount)

    def settle(self, id: str, worker: str, ruling: Ruling) -> bool:
        """Keeps the ruling. False when the case went to another worker meanwhile: then nothing is kept."""
        document, values = ruling_document(ruling), ruling_values(ruling)

        def work(connection: Connection) -> bool:
            row = connection.execute(
                "UPDATE cases SET state = 'judged', worker = '', lease_until = 0, error = '', case_id = ?,"
                " judged_at = ?, answer = ?, score = ?, confidence = ?, agreement = ?, is_open = ?, subject = ?,"
                " summary = ?, elapsed_ms = ?, money = ?"
                " WHERE id = ? AND worker = ? AND state = 'claimed' RETURNING number",
                (ruling.case_id, packing.now(), *values, _name(id), _name(worker)),
            ).fetchone()
            if row is None:
                return False
            connection.execute("INSERT INTO rulings (number, document) VALUES (?, ?)", (row[0], document))
            return True

        return self._database.write(work)

    def fail(self, id: str, worker: str, error: str, *, final: bool) -> bool:
        """Notes why there is no ruling; unless final, others may try. False as in `settle`."""
        sql = (
            "UPDATE cases SET state = CASE WHEN ? = 1 OR attempt >= ? THEN 'failed' ELSE 'waiting' END,"
            " worker = '', lease_until = 0, error = ? WHERE id = ? AND worker = ? AND state = 'claimed'"
        )
        values = (int(final), MOST_ATTEMPTS, packing.text(error, packing.LINE), _name(id), _name(worker))
        return self._database.write(lambda connection: connection.execute(sql, values).rowcount == 1)

    def _claim(self, connection: Connection, worker: str, lease: int, most: int) -> list[Claimed]:
        now = packing.now()
        connection.execute(
            "UPDATE cases SET state = 'failed', worker = '', lease_until = 0, error = ?"
            " WHERE state = 'claimed' AND lease_until < ? AND attempt >= ?",
            (_GAVE_UP, now, MOST_ATTEMPTS),
        )
        taken: list[Claimed] = []
        for waiting, given in (
            ("state = 'claimed' AND lease_until < ? ORDER BY lease_until", (now,)),
            ("state = 'waiting' ORDER BY number", ()),
        ):
            if len(taken) < most:
                values = (*given, most - len(taken), _name(worker), now + lease)
                taken += _take(connection, f"{waiting} LIMIT ? {self._database.dialect.skip_locked}", values)
        return taken


def _take(connection: Connection, chosen: str, values: tuple[object, ...]) -> list[Claimed]:
    rows = connection.execute(
        f"WITH chosen AS MATERIALIZED (SELECT number FROM cases WHERE {chosen})"
        " UPDATE cases SET state = 'claimed', attempt = attempt + 1, worker = ?, lease_until = ?"
        " WHERE number IN (SELECT number FROM chosen) RETURNING number, id, panel, name, size, attempt",
        values,
    ).fetchall()
    claimed = []
    for number, id, panel, name, size, attempt in sorted(rows):
        how, body = connection.execute(
            "SELECT packing, body FROM contents WHERE number = ?", (number,)
        ).fetchone()
        claimed.append(Claimed(id, panel, name, packing.unpack(how, body, size), attempt))
    return claimed


def _name(text: str) -> str:
    return packing.text(text, packing.WHO)
