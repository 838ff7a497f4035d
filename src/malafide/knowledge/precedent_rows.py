"""Precedents as rows of the file: added, taken back and read inside a transaction that the caller holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from malafide.knowledge.embedding import MOST_CHARACTERS, NAME, embed, masked, words
from malafide.knowledge.precedent_likeness import packed, runs, sketch
from malafide.knowledge.precedent_record import How, Precedent, Provenance

COLUMNS = "case_id, label, text, how, source, at, panel"


@dataclass(frozen=True, slots=True)
class Derived:
    """A precedent with what is computed from its text."""

    precedent: Precedent
    vector: bytes
    bits: bytes
    runs: bytes


def derive(precedent: Precedent) -> Derived:
    kept = storable(precedent)
    found = words(kept.text)
    vector = embed(found)
    return Derived(kept, packed(vector), sketch(vector), runs(masked(found)).tobytes())


def storable(precedent: Precedent) -> Precedent:
    """Cuts the text to what is looked at; a character that no file can hold is replaced."""
    text = precedent.text[:MOST_CHARACTERS].encode("utf-8", "replace").decode()
    return replace(precedent, text=text)


def add(connection: sqlite3.Connection, row: Derived) -> bool:
    """Whether it was new. The same label from the same source again is not, nor is a second verdict."""
    new = row.precedent
    known = [old for _, old in _of_case(connection, new.panel, new.case_id)]
    if new in known:
        return False
    if new.label is None:
        if any(old.label is None for old in known):
            return False
        _insert(connection, row, current=False)
        return True
    newest = next((old for old in reversed(known) if old.label is not None), None)
    if newest and replace(new, provenance=replace(new.provenance, when=newest.provenance.when)) == newest:
        return False
    _hide(connection, new.panel, new.case_id)
    _insert(connection, row, current=True)
    return True


def take_back(connection: sqlite3.Connection, panel: str, case_id: str) -> Precedent | None:
    """Remove the newest label of a case (without one, the verdict); the one before it counts again."""
    rows = _of_case(connection, panel, case_id)
    if not rows:
        return None
    labelled = [row for row in rows if row[1].label is not None]
    identifier, gone = labelled.pop() if labelled else rows.pop()
    _hide(connection, panel, case_id)
    connection.execute("DELETE FROM precedent WHERE id=?", (identifier,))
    if labelled:
        identifier, again = labelled[-1]
        connection.execute("DELETE FROM precedent WHERE id=?", (identifier,))
        _insert(connection, derive(again), current=True)
    return gone


def relabel(
    connection: sqlite3.Connection,
    panel: str,
    case_id: str,
    gone: Sequence[Precedent],
    rows: Sequence[Derived],
) -> None:
    """Take some labels off a case and lay these labels of people over the rest."""
    for row in rows:
        if row.precedent.provenance.how != "person" or row.precedent.case_id != case_id:
            raise ValueError(f"only labels that people gave {case_id!r} can be laid over those it has")
    known = labels(connection, panel, case_id)
    away = [storable(one) for one in gone]
    rest = [old for old in known if old not in away]
    if known == [*rest, *(row.precedent for row in rows)]:
        return
    _hide(connection, panel, case_id)
    connection.execute("DELETE FROM precedent WHERE panel=? AND case_id=?", (panel, case_id))
    for row in (*map(derive, rest), *rows):
        add(connection, row)


def labels(connection: sqlite3.Connection, panel: str, case_id: str) -> list[Precedent]:
    return [one for _, one in _of_case(connection, panel, case_id)]


def up_to_date(connection: sqlite3.Connection) -> bool:
    """Whether the vectors come from this version's embedding."""
    return bool(connection.execute("SELECT value FROM meta WHERE key='embedding'").fetchone()[0] == NAME)


def renew(connection: sqlite3.Connection) -> None:
    """Compute vectors anew when they come from another embedding than this version's."""
    if up_to_date(connection):
        return
    for identifier in [row[0] for row in connection.execute("SELECT id FROM sketch").fetchall()]:
        row = connection.execute(f"SELECT {COLUMNS} FROM precedent WHERE id=?", (identifier,)).fetchone()
        new = derive(precedent_of(row))
        connection.execute("UPDATE sketch SET bits=? WHERE id=?", (new.bits, identifier))
        connection.execute(
            "UPDATE measure SET vector=?, runs=? WHERE id=?", (new.vector, new.runs, identifier)
        )
    connection.execute("UPDATE meta SET value=? WHERE key='embedding'", (NAME,))


def everything(connection: sqlite3.Connection) -> Iterator[Precedent]:
    """All rows, in an order that depends on nothing but them."""
    order = "panel, case_id, label IS NULL, id"
    return map(precedent_of, connection.execute(f"SELECT {COLUMNS} FROM precedent ORDER BY {order}"))


def drop_verdict(connection: sqlite3.Connection, panel: str, case_id: str) -> bool:
    gone = connection.execute(
        "DELETE FROM precedent WHERE panel=? AND case_id=? AND label IS NULL", (panel, case_id)
    )
    return gone.rowcount > 0


def text_of(connection: sqlite3.Connection, panel: str, case_id: str) -> str:
    rows = _of_case(connection, panel, case_id)
    return rows[-1][1].text if rows else ""


def unlabelled(connection: sqlite3.Connection, panel: str) -> Iterator[Precedent]:
    return map(
        precedent_of,
        connection.execute(
            f"SELECT {COLUMNS} FROM precedent AS one WHERE panel=? AND label IS NULL AND NOT EXISTS (SELECT 1"
            " FROM precedent WHERE current=1 AND panel=one.panel AND case_id=one.case_id) ORDER BY id",
            (panel,),
        ),
    )


def counts(connection: sqlite3.Connection, panel: str) -> tuple[dict[str, int], dict[str, int], int, int]:
    """Cases by label, cases by source, labels overruled, cases nobody has labelled."""
    grouped = "SELECT {}, count(*) FROM precedent WHERE panel=? AND current=1 GROUP BY 1 ORDER BY 2 DESC, 1"
    labels = dict(connection.execute(grouped.format("label"), (panel,)).fetchall())
    sources = dict(connection.execute(grouped.format("how || ': ' || source"), (panel,)).fetchall())
    overruled = "SELECT count(*) FROM precedent WHERE panel=? AND current=0 AND label IS NOT NULL"
    waiting = sum(1 for _ in unlabelled(connection, panel))
    return labels, sources, connection.execute(overruled, (panel,)).fetchone()[0], waiting


def precedent_of(row: tuple[str, str | None, str, str, str, str, str]) -> Precedent:
    case_id, label, text, how, source, when, panel = row
    return Precedent(case_id, label, text, provenance_of(how, source, when), panel)


def provenance_of(how: str, source: str, when: str) -> Provenance:
    known = next((allowed for allowed in get_args(How) if allowed == how), None)
    if known is None:
        raise ValueError(f"provenance {how!r} is not allowed: only {', '.join(get_args(How))} are")
    return Provenance(known, source, when)


def _of_case(connection: sqlite3.Connection, panel: str, case_id: str) -> list[tuple[int, Precedent]]:
    found = connection.execute(
        f"SELECT id, {COLUMNS} FROM precedent WHERE panel=? AND case_id=? ORDER BY id", (panel, case_id)
    ).fetchall()
    return [(row[0], precedent_of(row[1:])) for row in found]


def _insert(connection: sqlite3.Connection, row: Derived, *, current: bool) -> None:
    one, given = row.precedent, row.precedent.provenance
    identifier = connection.execute(
        f"INSERT INTO precedent ({COLUMNS}, current) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (one.case_id, one.label, one.text, given.how, given.source, given.when, one.panel, current),
    ).lastrowid
    if current:
        connection.execute("INSERT INTO sketch VALUES (?, ?, ?)", (identifier, one.panel, row.bits))
        connection.execute(
            "INSERT INTO measure VALUES (?, ?, ?, ?)", (identifier, one.case_id, row.vector, row.runs)
        )
        connection.execute("INSERT INTO fulltext (rowid, text) VALUES (?, ?)", (identifier, one.text))


def _hide(connection: sqlite3.Connection, panel: str, case_id: str) -> None:
    """Let the label of a case that counts now count no longer."""
    row = connection.execute(
        "SELECT id, text FROM precedent WHERE panel=? AND case_id=? AND current=1", (panel, case_id)
    ).fetchone()
    if row is None:
        return
    connection.execute("INSERT INTO fulltext (fulltext, rowid, text) VALUES ('delete', ?, ?)", row)
    connection.execute("DELETE FROM sketch WHERE id=?", row[:1])
    connection.execute("DELETE FROM measure WHERE id=?", row[:1])
    connection.execute("UPDATE precedent SET current=0 WHERE id=?", row[:1])
    connection.execute("UPDATE meta SET value=value+1 WHERE key='removals'")
