"""Cases that were submitted together: how far they are, and their rows in the order they came."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final

from malafide.judging import PanelName
from malafide.store import packing
from malafide.store.cases import LINE, contract_of, line_of
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Batch, BatchRow

_COLUMNS: Final = "id, panel, name, who, total, created_at"
_AT_ONCE: Final = 200  # rows that are read in one go: a batch of any size is told in the same memory


class Batches:
    """The part of the store that keeps batches. Cases join one by NewCase.batch."""

    _database: Database

    def new_batch(self, panel: PanelName, name: str, who: str, total: int) -> str:
        """The id of a batch that is to have so many cases."""
        id = "b" + secrets.token_hex(10)
        values = (
            id,
            panel,
            packing.text(name, packing.NAME),
            packing.text(who, packing.WHO),
            total,
            packing.now(),
        )
        sql = f"INSERT INTO batches ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
        self._database.write(lambda connection: connection.execute(sql, values).rowcount)
        return id

    def batch(self, id: str) -> Batch | None:
        def work(connection: Connection) -> Batch | None:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM batches WHERE id = ?", (packing.text(id, packing.WHO),)
            ).fetchone()
            return None if row is None else _with_progress(connection, row)

        return self._database.read(work)

    def batches(self, most: int = 100) -> list[Batch]:
        """The newest first."""

        def work(connection: Connection) -> list[Batch]:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM batches ORDER BY created_at DESC, id LIMIT ?", (most,)
            ).fetchall()
            return [_with_progress(connection, row) for row in rows]

        return self._database.read(work)

    def batch_rows(self, id: str) -> Iterator[BatchRow]:
        """Every case of a batch with what was found, in the order of submission."""
        after, key = 0, packing.text(id, packing.WHO)
        while rows := self._rows_after(key, after):
            for row in rows:
                yield BatchRow(line_of(row[2:]), contract_of(row[1]))
            after = rows[-1][0]

    def _rows_after(self, id: str, after: int) -> list[Any]:
        sql = (
            f"SELECT c.number, r.document, {LINE} FROM cases c LEFT JOIN rulings r ON r.number = c.number"
            " WHERE c.batch = ? AND c.batch <> '' AND c.number > ? ORDER BY c.number LIMIT ?"
        )
        return self._database.read(
            lambda connection: connection.execute(sql, (id, after, _AT_ONCE)).fetchall()
        )


def _with_progress(connection: Connection, row: Sequence[Any]) -> Batch:
    id, panel, name, who, total, created = row
    states: dict[str, int] = {}
    answers: dict[str, int] = {}
    for state, answer, number in connection.execute(
        "SELECT state, answer, COUNT(*) FROM cases WHERE batch = ? AND batch <> '' GROUP BY state, answer",
        (id,),
    ).fetchall():
        states[state] = states.get(state, 0) + number
        if answer:
            answers[answer] = number
    return Batch(
        id=id,
        panel=panel,
        name=name,
        who=who,
        total=total,
        created_at=packing.moment(created),
        submitted=sum(states.values()),
        judged=states.get("judged", 0),
        failed=states.get("failed", 0),
        answers=dict(sorted(answers.items())),
    )
