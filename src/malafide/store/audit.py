"""What was done, by whom and when, kept for good. It holds ids and names, and no text of a message."""

from __future__ import annotations

from malafide.errors import BadSetting
from malafide.store import packing
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Audited, AuditFilter, Page

_MOST = 1_000


class Audit:
    """The part of the store that remembers what was done. Labels, tokens, purges and restores note themselves."""

    _database: Database

    def note(self, who: str, action: str, subject: str, detail: str = "") -> None:
        self._database.write(lambda connection: write_down(connection, who, action, subject, detail))

    def audit(self, chosen: AuditFilter = AuditFilter()) -> Page[Audited]:  # noqa: B008 - frozen
        """A page of what was done, newest first."""
        parts: list[str] = ["1 = 1"]
        values: list[str | int] = []
        for column, value in (("who", chosen.who), ("action", chosen.action), ("subject", chosen.subject)):
            if value:
                parts.append(f"{column} = ?")
                values.append(packing.text(value, packing.LINE))
        for part, moment in (("at >= ?", chosen.since), ("at < ?", chosen.until)):
            if moment is not None:
                parts.append(part)
                values.append(packing.micros(moment))
        if chosen.after:
            if not (chosen.after.isascii() and chosen.after.isdigit() and len(chosen.after) < 19):
                raise BadSetting(
                    f"{chosen.after[:40]!r} is no place in a list; give `next` of the page before"
                )
            parts.append("id < ?")
            values.append(int(chosen.after))
        most = max(1, min(chosen.most, _MOST))
        rows = self._database.read(
            lambda connection: connection.execute(
                f"SELECT id, at, who, action, subject, detail FROM audit WHERE {' AND '.join(parts)}"
                " ORDER BY id DESC LIMIT ?",
                (*values, most + 1),
            ).fetchall()
        )
        items = tuple(Audited(row[0], packing.moment(row[1]), *row[2:]) for row in rows[:most])
        return Page(items, str(items[-1].id) if len(rows) > most else "")


def write_down(connection: Connection, who: str, action: str, subject: str, detail: str = "") -> None:
    """Beside the change it tells of, in the same transaction."""
    connection.execute(
        "INSERT INTO audit (at, who, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
        (
            packing.now(),
            packing.text(who, packing.WHO),
            packing.text(action, packing.WHO),
            packing.text(subject, packing.NAME),
            packing.text(detail, packing.LINE),
        ),
    )
