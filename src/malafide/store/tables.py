"""The rows of every table as lines of JSON, and back: the same for each database, so one can follow the other."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from malafide.errors import UnreadableInput
from malafide.store.dialect import Connection, Dialect

_AT_ONCE: Final = 200  # rows read in one go
# Each table with its columns, in an order in which they can be filled; the first column tells rows apart.
TABLES: Final[dict[str, tuple[str, ...]]] = {
    "cases": tuple(
        "number id case_id batch panel name who size submitted_at state attempt worker lease_until error judged_at"
        " answer score confidence agreement is_open subject summary elapsed_ms money label overruled".split()
    ),
    "contents": ("number", "packing", "body"),
    "rulings": ("number", "document"),
    "labels": ("id", "number", "who", "label", "note", "at", "overruled", "undone_at", "undone_by"),
    "audit": ("id", "at", "who", "action", "subject", "detail"),
    "batches": ("id", "panel", "name", "who", "total", "created_at"),
    "sessions": ("id", "who", "state", "turns", "is_over", "created_at", "updated_at", "version"),
    "deliveries": ("id", "session", "url", "body", "state", "attempts", "due_at", "error", "created_at"),
    "tokens": ("id", "name", "digest", "scopes", "per_minute", "created_at", "revoked_at"),
}


def is_empty(connection: Connection, dialect: Dialect) -> bool:
    """Whether nothing is kept here. What was done alone does not count: a purge may have removed all else."""
    return all(
        connection.execute(dialect.has_table, (table,)).fetchone() is None
        or connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is None
        for table in TABLES
        if table != "audit"
    )


def lines(connection: Connection, table: str) -> Iterator[bytes]:
    """The names of the columns, then each row."""
    columns = TABLES[table]
    yield _line(columns)
    key, first = columns[0], "''" if table in ("batches", "sessions", "tokens") else "-1"
    start = f"SELECT {', '.join(columns)} FROM {table} WHERE {key} > "
    rows = connection.execute(f"{start}{first} ORDER BY {key} LIMIT {_AT_ONCE}").fetchall()
    while rows:
        yield from map(_line, rows)
        rows = connection.execute(f"{start}? ORDER BY {key} LIMIT {_AT_ONCE}", (rows[-1][0],)).fetchall()


def fill(connection: Connection, dialect: Dialect, table: str, given: Iterable[bytes]) -> int:
    """Puts the rows in; how many. Columns that an older malafide did not know take what the tables say."""
    source = iter(given)
    columns = json.loads(next(source, b"[]"))
    if not columns or not set(columns) <= set(TABLES[table]):
        raise UnreadableInput(
            f"the backup has columns of {table!r} that this malafide does not know: {columns!r}"
        )
    marks = ", ".join("?" * len(columns))
    insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
    number = 0
    for number, line in enumerate(source, 1):  # noqa: B007 - how many there were
        connection.execute(insert, [_value(value) for value in json.loads(line)])
    dialect.count_on(connection, table, TABLES[table][0])
    return number


def _line(row: Iterable[Any]) -> bytes:
    return json.dumps(list(row), separators=(",", ":"), default=_encoded).encode() + b"\n"


def _encoded(value: Any) -> dict[str, str]:
    return {"base64": base64.b64encode(value).decode("ascii")}


def _value(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
