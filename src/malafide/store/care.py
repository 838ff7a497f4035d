"""Old cases out, and the room they took given back."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from malafide.store import packing
from malafide.store.audit import write_down
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Purged

_AT_ONCE: Final = 500  # cases in one commit: whoever writes meanwhile waits for so many and no more
# A batch goes with its last case.
_EMPTY: Final = (
    "created_at < ? AND NOT EXISTS (SELECT 1 FROM cases c WHERE c.batch = batches.id AND c.batch <> '')"
)


class Care:
    """The part of the store that forgets."""

    _database: Database

    def purgeable(self, older_than: datetime) -> Purged:
        """What `purge` would remove."""
        limit = packing.micros(older_than)
        younger = (
            "(SELECT 1 FROM cases c WHERE c.batch = batches.id AND c.batch <> '' AND c.submitted_at >= ?)"
        )
        return self._database.read(
            lambda connection: Purged(
                _number(connection, "cases WHERE submitted_at < ?", (limit,)),
                _number(connection, "sessions WHERE updated_at < ?", (limit,)),
                _number(connection, f"batches WHERE created_at < ? AND NOT EXISTS {younger}", (limit, limit)),
            )
        )

    def purge(self, older_than: datetime, who: str) -> Purged:
        """Removes what was submitted before: cases with their content, rulings and labels, batches and sessions.

        What was done stays written down, and so does this.
        """
        limit = packing.micros(older_than)
        cases = 0
        while gone := self._database.write(lambda connection: _purge_some(connection, limit)):
            cases += gone

        def rest(connection: Connection) -> Purged:
            connection.execute(
                "DELETE FROM deliveries WHERE session IN (SELECT id FROM sessions WHERE updated_at < ?)",
                (limit,),
            )
            sessions = connection.execute("DELETE FROM sessions WHERE updated_at < ?", (limit,)).rowcount
            batches = connection.execute(f"DELETE FROM batches WHERE {_EMPTY}", (limit,)).rowcount
            purged = Purged(cases, sessions, batches)
            write_down(
                connection, who, "purge", "",
                f"{cases} cases, {sessions} sessions and {batches} batches before {older_than:%Y-%m-%d %H:%M:%S %Z}",
            )  # fmt: skip
            return purged

        purged = self._database.write(rest)
        if purged.cases or purged.sessions:
            self.vacuum()
        return purged

    def vacuum(self) -> None:
        """Gives back the room of what was removed."""
        self._database.bare(self._database.dialect.tidy)

    def size(self) -> int:
        """Bytes on disk."""
        return self._database.bare(self._database.dialect.size)


def _number(connection: Connection, which: str, values: tuple[int, ...]) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {which}", values).fetchone()[0])


def _purge_some(connection: Connection, limit: int) -> int:
    """Content, ruling and labels go with their case: the tables say so."""
    oldest = "SELECT number FROM cases WHERE submitted_at < ? ORDER BY submitted_at, number LIMIT ?"
    return connection.execute(f"DELETE FROM cases WHERE number IN ({oldest})", (limit, _AT_ONCE)).rowcount
