"""A database of any earlier version in, one of this version out."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from malafide.errors import BrokenStore
from malafide.store.database import Database
from malafide.store.dialect import Connection, Dialect
from malafide.store.packing import now

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL, applied_at BIGINT NOT NULL)"
)


def steps(dialect: str) -> dict[int, str]:
    """The script of each version, for that database: `0002_search.sql`, or `0002_search.sqlite.sql` for one alone."""
    found = {}
    for file in files("malafide.store.migrations").iterdir():
        number, _, rest = file.name.partition("_")
        kind = rest.removesuffix(".sql").partition(".")[2]
        if file.name.endswith(".sql") and kind in ("", dialect):
            found[int(number)] = file.read_text(encoding="utf-8")
    return dict(sorted(found.items()))


def newest() -> int:
    """The version of the tables that this malafide writes."""
    return max(steps("sqlite"))


def migrate(database: Database) -> None:
    """Brings the tables to this version; refuses those of a later malafide."""
    last = newest()
    found = database.bare(lambda connection: version(connection, database.dialect))
    if found < last:
        database.alone(lambda connection: climb(connection, database.dialect, last))
    elif found > last:
        raise BrokenStore(
            f"the database {database.dialect.shown!r} has version {found}, and this malafide knows {last}: "
            "use the malafide that wrote it, or a later one"
        )


def climb(connection: Connection, dialect: Dialect, last: int) -> None:
    """Takes the steps that are missing, inside the transaction that is under way."""
    dialect.lock_schema(connection)
    connection.execute(_TABLE)
    done = version(connection, dialect)  # again: another process may have come first
    for number, script in steps(dialect.name).items():
        if done < number <= last:
            for statement in dialect.statements(script):
                connection.execute(statement)
            connection.execute("INSERT INTO schema_version VALUES (?, ?)", (number, now()))


def version(connection: Connection, dialect: Dialect) -> int:
    """0 where there are no tables yet."""
    known = connection.execute(dialect.has_table, ("schema_version",)).fetchone()
    if known is None:
        return 0
    return int(connection.execute("SELECT COALESCE(MAX(version), 0) FROM schema_version").fetchone()[0])
