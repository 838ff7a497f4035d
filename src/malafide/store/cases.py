"""Messages in, stored cases out: submitting, looking one up, listing."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final

from malafide.case import case_id
from malafide.errors import BadSetting
from malafide.judging import PANELS, Ruling
from malafide.store import packing
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.labels import labels_of
from malafide.store.nouns import CaseFilter, CaseLine, NewCase, OpenCase, Page, StoredCase
from malafide.store.searching import condition, cursor

LINE: Final = (
    "c.id, c.case_id, c.batch, c.panel, c.name, c.who, c.state, c.submitted_at, c.judged_at, c.attempt, c.error,"
    " c.answer, c.score, c.confidence, c.agreement, c.is_open, c.subject, c.summary, c.elapsed_ms, c.money,"
    " c.size, c.label"
)
_INSERT: Final = (
    "INSERT INTO cases (id, case_id, batch, panel, name, who, size, submitted_at, state)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting') RETURNING number"
)
_INSERT_JUDGED: Final = (
    "INSERT INTO cases (id, case_id, batch, panel, name, who, size, submitted_at, state, attempt, judged_at,"
    " answer, score, confidence, agreement, is_open, subject, summary, elapsed_ms, money)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'judged', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number"
)
MOST_LISTED: Final = 1_000


class Cases:
    """The part of the store that keeps cases."""

    _database: Database

    def submit(self, new: NewCase) -> str:
        """The id of a case that now waits for a worker. It is on disk when this returns."""
        return self.submit_many((new,))[0]

    def submit_many(self, news: Sequence[NewCase]) -> list[str]:
        """The same for several in one commit: all are kept, or none."""
        rows = [_Row(new) for new in news]
        return self._database.write(lambda connection: [row.insert(connection) for row in rows])

    def submit_judged(self, new: NewCase, ruling: Ruling) -> str:
        """The id of a case that was judged at once."""
        return self.submit_many_judged(((new, ruling),))[0]

    def submit_many_judged(self, pairs: Sequence[tuple[NewCase, Ruling]]) -> list[str]:
        """The same for several in one commit: all are kept, or none."""
        rows = [_Row(new, ruling) for new, ruling in pairs]
        return self._database.write(lambda connection: [row.insert(connection) for row in rows])

    def case(self, id: str) -> StoredCase | None:
        """Everything about one case."""
        return self._database.read(lambda connection: _case(connection, id))

    def cases(self, chosen: CaseFilter = CaseFilter()) -> Page[CaseLine]:  # noqa: B008 - frozen
        """A page of cases, newest first."""
        most = max(1, min(chosen.most, MOST_LISTED))
        where, values = condition(chosen, self._database.dialect)
        rows = self._database.read(
            lambda connection: connection.execute(
                f"SELECT c.number, {LINE} FROM cases c WHERE {where}"
                " ORDER BY c.submitted_at DESC, c.number DESC LIMIT ?",
                (*values, most + 1),
            ).fetchall()
        )
        lines = tuple(line_of(row[1:]) for row in rows[:most])
        last = cursor(rows[most - 1][0], lines[-1].submitted_at) if len(rows) > most else ""
        return Page(lines, last)

    def open_cases(self, most: int = 500) -> list[OpenCase]:
        """What the panel left open and nobody labelled, newest first; the same message once."""
        rows = self._database.read(
            lambda connection: connection.execute(
                f"SELECT r.document, {LINE} FROM cases c JOIN rulings r ON r.number = c.number"
                " WHERE c.is_open = 1 AND c.state = 'judged' AND NOT EXISTS (SELECT 1 FROM cases o"
                "  WHERE o.case_id = c.case_id AND o.panel = c.panel AND (o.label <> ''"
                "  OR o.number > c.number AND o.state = 'judged'))"
                " ORDER BY c.submitted_at DESC, c.number DESC LIMIT ?",
                (most,),
            ).fetchall()
        )
        return [OpenCase(line_of(row[1:]), packing.waiting_of(_document(row[0])["waiting"])) for row in rows]


class _Row:
    """A case made ready to be written: what takes time is done before the database is locked."""

    def __init__(self, new: NewCase, ruling: Ruling | None = None) -> None:
        if new.panel not in PANELS:
            raise BadSetting(f"there is no panel {new.panel!r}; there are: {', '.join(PANELS)}")
        self.id = "c" + secrets.token_hex(10)
        self._content = packing.pack(new.content)
        self._ruling = None if ruling is None else ruling_document(ruling)
        self._values: tuple[Any, ...] = (
            self.id,
            case_id(new.content) if ruling is None else ruling.case_id,
            packing.text(new.batch, packing.WHO),
            new.panel,
            packing.text(new.name, packing.NAME),
            packing.text(new.who, packing.WHO),
            len(new.content),
        )
        self._ruled = () if ruling is None else ruling_values(ruling)

    def insert(self, connection: Connection) -> str:
        moment = packing.now()
        if self._ruling is None:
            number = connection.execute(_INSERT, (*self._values, moment)).fetchone()[0]
        else:
            values = (*self._values, moment, moment, *self._ruled)
            number = connection.execute(_INSERT_JUDGED, values).fetchone()[0]
            connection.execute("INSERT INTO rulings (number, document) VALUES (?, ?)", (number, self._ruling))
        connection.execute(
            "INSERT INTO contents (number, packing, body) VALUES (?, ?, ?)", (number, *self._content)
        )
        return self.id


def ruling_document(ruling: Ruling) -> bytes:
    """What of a ruling is kept whole."""
    waiting = packing.waiting_entry(ruling.waiting)
    return packing.pack_json({"contract": ruling.contract, "usage": dict(ruling.usage), "waiting": waiting})


def ruling_values(ruling: Ruling) -> tuple[Any, ...]:
    """What of a ruling is listed and searched: answer, score, confidence, agreement, is_open, subject, summary,
    elapsed_ms and money."""
    return (
        packing.text(ruling.answer, packing.WHO),
        ruling.score,
        ruling.confidence,
        ruling.agreement,
        int(ruling.is_open),
        packing.text(ruling.subject, packing.LINE),
        packing.text(ruling.summary, packing.LINE),
        ruling.elapsed_ms,
        float(ruling.usage.get("money", 0.0)),
    )


def line_of(row: Sequence[Any]) -> CaseLine:
    """A row of the columns in LINE."""
    values = list(row)
    values[7] = packing.moment(values[7])
    values[8] = packing.moment_or_none(values[8])
    values[15] = bool(values[15])
    return CaseLine(*values)


def _document(body: bytes | None) -> dict[str, Any]:
    if body is None:
        return {"contract": {}, "usage": {}, "waiting": None}
    return packing.unpack_json(body)


def contract_of(body: bytes | None) -> dict[str, Any]:
    contract: dict[str, Any] = _document(body)["contract"]
    return contract


def _case(connection: Connection, id: str) -> StoredCase | None:
    row = connection.execute(
        f"SELECT c.number, b.packing, b.body, r.document, {LINE} FROM cases c"
        " JOIN contents b ON b.number = c.number LEFT JOIN rulings r ON r.number = c.number WHERE c.id = ?",
        (packing.text(id, packing.WHO),),
    ).fetchone()
    if row is None:
        return None
    number, how, body, ruled = row[:4]
    line, document = line_of(row[4:]), _document(ruled)
    return StoredCase(
        line=line,
        content=packing.unpack(how, body, line.size),
        contract=document["contract"],
        usage=document["usage"],
        waiting=packing.waiting_of(document["waiting"]),
        labels=tuple(labels_of(connection, number, line.id)),
    )
