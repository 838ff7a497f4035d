"""A text in, the precedents most like it out: found by vector and by rare words, then measured exactly."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from heapq import nsmallest
from math import log
from typing import Final

import numpy as np

from malafide.knowledge.embedding import Vector, embed, masked, words
from malafide.knowledge.precedent_file import PrecedentFile
from malafide.knowledge.precedent_index import SketchIndex
from malafide.knowledge.precedent_likeness import cosines, identity, runs, sketch
from malafide.knowledge.precedent_record import Neighbour
from malafide.knowledge.precedent_rows import provenance_of, renew, up_to_date

_BY_VECTOR: Final = 64  # candidates from the sketches
_BY_WORDS: Final = 16  # candidates from the full text
_ASKED: Final = 6  # words searched for: the longest, which in any language are among the rarest
_MOST_COMMON: Final = 60  # a word in more precedents than this says little, and would cost time
_MEASURED: Final = 20  # candidates whose runs of words are compared
_EXCERPT: Final = 160


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    panel: str
    leave_out: str
    least: float = 0.0  # the least similarity that matters


@dataclass(slots=True)
class _Known:
    """What of the file stands in the index of one panel."""

    index: SketchIndex
    last: int = 0
    removals: int = 0


Candidate = tuple[str, int, bytes, bytes]  # case id, row id, vector, runs
_SLACK: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Measured:
    id: int
    similarity: float
    likeness: float
    identity: float
    shared: int


class Searcher:
    def __init__(self, file: PrecedentFile) -> None:
        self._file = file
        self._known: dict[str, _Known] = {}
        self._compared = False  # whether the vectors of the file are known to be of this version's embedding

    def search(self, question: Question, k: int) -> list[Neighbour]:
        found = words(question.text)
        vector = embed(found)
        self._compare()
        with self._file.reading() as connection:
            if connection is None:
                return []
            index = self._refreshed(connection, question.panel)
            ids = set(index.nearest(sketch(vector), max(_BY_VECTOR, k), max(0.0, question.least - _SLACK)))
            # What shares rare words but not the look of the whole is never as alike as a caller with a least asks for.
            if len(ids) < len(index.ids) and not question.least:
                ids.update(_by_words(connection, found, len(index.ids)))
            candidates = _alike_enough(_fetched(connection, ids), vector, question.least) if ids else []
            measured = _measured(candidates, vector, found, max(_MEASURED, k + 1)) if candidates else []
            return _neighbours(
                connection, question, [m for m in measured if m.similarity >= question.least], k
            )

    def _compare(self) -> None:
        """Once per process; only vectors that must be made anew make a reader wait for writers."""
        if self._compared:
            return
        with self._file.reading() as connection:
            if connection is None:
                return
            outdated = not up_to_date(connection)
        if outdated:
            with self._file.writing() as connection:
                renew(connection)
        self._compared = True

    def _refreshed(self, connection: sqlite3.Connection, panel: str) -> SketchIndex:
        """The index of a panel as this transaction sees it: new rows added, removed ones dropped."""
        known = self._known.setdefault(panel, _Known(SketchIndex()))
        removals = connection.execute("SELECT value FROM meta WHERE key='removals'").fetchone()[0]
        last = connection.execute("SELECT max(id) FROM sketch").fetchone()[0] or 0
        if removals != known.removals:
            known.index.keep(
                row[0] for row in connection.execute("SELECT id FROM sketch WHERE panel=?", (panel,))
            )
        if last > known.last:
            fresh = "SELECT id, bits FROM sketch WHERE id>? AND panel=?"
            known.index.add(connection.execute(fresh, (known.last, panel)).fetchall())
        known.last, known.removals = max(last, known.last), removals
        return known.index


def _by_words(connection: sqlite3.Connection, found: list[str], total: int) -> list[int]:
    """Ids of precedents that share the rarest of the words, by the sum of how rare those are.

    FTS5's own ranking reads every matching text again (3.9 ms a search against 0.3).
    """
    asked = sorted(set(found), key=lambda word: (-len(word), word))[:_ASKED]
    rarity: dict[int, float] = {}
    matching = "SELECT rowid FROM fulltext WHERE fulltext MATCH ? LIMIT ?"
    for word in asked:  # a word holds no quotation mark
        ids = connection.execute(matching, (f'"{word}"', _MOST_COMMON + 1)).fetchall()
        if len(ids) <= _MOST_COMMON:
            for (identifier,) in ids:
                rarity[identifier] = rarity.get(identifier, 0.0) + log(1 + total / len(ids))
    return nsmallest(_BY_WORDS, rarity, key=lambda identifier: (-rarity[identifier], identifier))


def _fetched(connection: sqlite3.Connection, ids: set[int]) -> list[Candidate]:
    """Case id, row id, vector and runs of candidates, by case id: the order of storing must not matter."""
    holes = ", ".join("?" * len(ids))
    fetch = f"SELECT case_id, id, vector, runs FROM measure WHERE id IN ({holes})"
    return sorted(connection.execute(fetch, tuple(ids)))


def _alike_enough(candidates: list[Candidate], vector: Vector, least: float) -> list[Candidate]:
    """Those that can still reach the least similarity: words in the same order never outdo the likeness by much."""
    if not least or not candidates:
        return candidates
    cosine = cosines(vector, [stored for _, _, stored, _ in candidates])
    return [c for c, likeness in zip(candidates, cosine, strict=True) if likeness >= least - _SLACK]


def _measured(candidates: list[Candidate], vector: Vector, found: list[str], most: int) -> list[_Measured]:
    """The candidates of nearest vectors, most alike first, else in the order they came."""
    mine = runs(masked(found))
    cosine = cosines(vector, [stored for _, _, stored, _ in candidates])
    measured = []
    for place in sorted(np.argsort(-cosine, kind="stable")[:most]):
        likeness = min(1.0, max(0.0, float(cosine[place])))
        same, shared = identity(mine, np.frombuffer(candidates[place][3], np.uint32))
        measured.append(_Measured(candidates[place][1], (likeness + same) / 2, likeness, same, shared))
    return sorted(measured, key=lambda one: -round(one.similarity, 4))


def _neighbours(
    connection: sqlite3.Connection, question: Question, measured: list[_Measured], k: int
) -> list[Neighbour]:
    """The best k as what the caller sees; only these are read in full."""
    fetch = "SELECT case_id, label, how, source, at, substr(text, 1, ?) FROM precedent WHERE id=? AND panel=?"
    found: list[Neighbour] = []
    for one in measured:
        row = connection.execute(fetch, (4 * _EXCERPT, one.id, question.panel)).fetchone()
        if row is None or row[0] == question.leave_out:
            continue
        neighbour = Neighbour(
            case_id=row[0],
            label=row[1],
            similarity=round(one.similarity, 4),
            likeness=round(one.likeness, 4),
            identity=round(one.identity, 4),
            shared=one.shared,
            excerpt=_one_line(row[5]),
            provenance=provenance_of(*row[2:5]),
        )
        found.append(neighbour)
        if len(found) == k:
            break
    return found


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else line[: _EXCERPT - 1].rstrip() + "…"
