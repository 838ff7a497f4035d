"""What people say about cases: kept with who and when, and taken back without a trace being lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from malafide.errors import BadSetting, UnknownName
from malafide.store import packing
from malafide.store.audit import write_down
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Label, Said

_COLUMNS = "l.id, c.id, l.who, l.label, l.note, l.at, l.overruled, l.undone_at, l.undone_by"


class Labels:
    """The part of the store that keeps labels. Every change is audited in the same commit."""

    _database: Database

    def label(self, id: str, who: str, label: Said, note: str = "") -> int:
        """A person says what a case is; the id of what was said. The last label that stands counts."""
        if label not in get_args(Said):
            raise BadSetting(f"{label!r} is no label; there are: {', '.join(get_args(Said))}")
        return self._database.write(lambda connection: _label(connection, id, (who, label, note)))

    def unlabel(self, label_id: int, who: str) -> Label:
        """Takes a label back; an older one that stands counts again."""
        return self._database.write(lambda connection: _unlabel(connection, label_id, who))

    def labels(self, id: str) -> list[Label]:
        """What was said of a case, oldest first, what was taken back among it."""

        def work(connection: Connection) -> list[Label]:
            sql = "SELECT number FROM cases WHERE id = ?"
            row = connection.execute(sql, (packing.text(id, packing.WHO),)).fetchone()
            if row is None:
                raise _unknown(id)
            return labels_of(connection, row[0], id)

        return self._database.read(work)


def labels_of(connection: Connection, number: int, id: str) -> list[Label]:
    rows = connection.execute(
        "SELECT id, who, label, note, at, overruled, undone_at, undone_by FROM labels WHERE number = ? ORDER BY id",
        (number,),
    ).fetchall()
    return [_of((row[0], id, *row[1:])) for row in rows]


def _of(row: Sequence[Any]) -> Label:
    id, case, who, said, remark, at, overruled, undone_at, undone_by = row
    return Label(
        id, case, who, said, remark, packing.moment(at), bool(overruled),
        packing.moment_or_none(undone_at), undone_by,
    )  # fmt: skip


def _unknown(id: str) -> UnknownName:
    return UnknownName(f"there is no case {id[:40]!r}; it may have been purged")


def _label(connection: Connection, id: str, said: tuple[str, Said, str]) -> int:
    who, label, remark = said
    # Changes nothing, but holds the row: who labels the same case meanwhile waits, and sees this label then.
    held = connection.execute(
        "UPDATE cases SET label = label WHERE id = ? RETURNING number, state, score, is_open",
        (packing.text(id, packing.WHO),),
    ).fetchone()
    if held is None:
        raise _unknown(id)
    number, state, score, is_open = held
    overruled = state == "judged" and not is_open and (score >= 0.5) != (label == "deceptive")
    given = (packing.text(who, packing.WHO), label, packing.text(remark, packing.NOTE))
    made: int = connection.execute(
        "INSERT INTO labels (number, who, label, note, at, overruled) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (number, *given, packing.now(), int(overruled)),
    ).fetchone()[0]
    _refresh(connection, number)
    write_down(connection, who, "label", id, f"{label}{', overruling the panel' if overruled else ''}")
    return made


def _unlabel(connection: Connection, label_id: int, who: str) -> Label:
    row = None
    if 0 < label_id <= packing.LARGEST:
        connection.execute(
            "UPDATE cases SET label = label WHERE number = (SELECT number FROM labels WHERE id = ?)",
            (label_id,),
        )
        row = connection.execute(
            "UPDATE labels SET undone_at = ?, undone_by = ? WHERE id = ? AND undone_at IS NULL RETURNING number",
            (packing.now(), packing.text(who, packing.WHO), label_id),
        ).fetchone()
    if row is None:
        raise UnknownName(f"there is no label {label_id!r} that stands; it may have been taken back already")
    _refresh(connection, row[0])
    sql = f"SELECT {_COLUMNS} FROM labels l JOIN cases c ON c.number = l.number WHERE l.id = ?"
    gone = _of(connection.execute(sql, (label_id,)).fetchone())
    write_down(connection, who, "unlabel", gone.case, f"{gone.label} of {gone.who}")
    return gone


def _refresh(connection: Connection, number: int) -> None:
    """Writes to the case what was said last and stands."""
    row = connection.execute(
        "SELECT label, overruled FROM labels WHERE number = ? AND undone_at IS NULL ORDER BY id DESC LIMIT 1",
        (number,),
    ).fetchone()
    connection.execute(
        "UPDATE cases SET label = ?, overruled = ? WHERE number = ?", (*(row or ("", 0)), number)
    )
