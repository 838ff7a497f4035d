"""The knowledge base: labelled earlier cases, stored, found again by likeness, and taken back exactly.

One SQLite file, safe for several processes. A search joins two ways of finding, by vector and by the rarest
words, and then measures what was found. Only data sets and people label; malafide's own verdicts may be kept
for review, and no search returns them. Imports numpy, so import it late.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from malafide.errors import UnreadableInput
from malafide.home import home
from malafide.knowledge import facts, precedent_rows
from malafide.knowledge.precedent_file import PrecedentFile
from malafide.knowledge.precedent_record import Neighbour, Precedent, Stats
from malafide.knowledge.precedent_search import Question, Searcher

_BATCH: Final = 500  # rows per transaction: another writer waits at most for as long as these take
_FIELDS: Final = ("case_id", "label", "text", "how", "source", "when", "panel")


def default_path() -> Path:
    return home() / "precedents.sqlite"


class Precedents:
    """The precedents in one file. Reading where there is no file finds nothing and makes none."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = PrecedentFile(path or default_path())
        self._searcher = Searcher(self._file)

    def close(self) -> None:
        self._file.close()

    def store(self, precedent: Precedent) -> bool:
        """Whether it was new. A newer label of a case counts instead of the older, until it is forgotten."""
        return self.store_many((precedent,)) == 1

    def store_many(self, precedents: Iterable[Precedent]) -> int:
        """How many were new. Written in batches; stopped halfway, the same call again stores the rest."""
        stored, source = 0, iter(precedents)
        while batch := [precedent_rows.derive(one) for one in islice(source, _BATCH)]:
            with self._file.writing() as connection:
                precedent_rows.renew(connection)
                stored += sum(precedent_rows.add(connection, row) for row in batch)
        return stored

    def forget(self, case_id: str, panel: str = "spam") -> Precedent | None:
        """Take back the newest label of a case (without one, the verdict kept for review); None if unknown.

        Everything is then as before that label was stored: an older label counts again.
        """
        if not self._file.path.exists():
            return None
        with self._file.writing() as connection:
            precedent_rows.renew(connection)
            return precedent_rows.take_back(connection, panel, case_id)

    def labels(self, case_id: str, panel: str = "spam") -> list[Precedent]:
        """What was stored about a case, oldest first."""
        with self._file.reading() as connection:
            return precedent_rows.labels(connection, panel, case_id) if connection else []

    def relabel(
        self, case_id: str, gone: Sequence[Precedent], given: Iterable[Precedent], panel: str = "spam"
    ) -> None:
        """Take some labels off a case and lay others, given by people, over the rest; oldest first.

        All of it is written, or nothing. With no labels and nothing stored, no file is made.
        """
        rows = [precedent_rows.derive(one) for one in given]
        if not rows and not self._file.path.exists():
            return
        with self._file.writing() as connection:
            precedent_rows.renew(connection)
            precedent_rows.relabel(connection, panel, case_id, gone, rows)

    def search(
        self, text: str, k: int = 10, *, panel: str = "spam", leave_out: str = "", least: float = 0.0
    ) -> list[Neighbour]:
        """The labelled cases most like a text, most alike first. The case `leave_out` is not looked at.

        With a `least` similarity, what is less alike is left out, and the search is several times as fast.
        """
        return self._searcher.search(Question(text, panel, leave_out, least), k)

    def drop_verdict(self, case_id: str, panel: str) -> bool:
        """Take back a verdict of malafide's own that was kept; labels stay. Whether there was one."""
        if not self._file.path.exists():
            return False
        with self._file.writing() as connection:
            return precedent_rows.drop_verdict(connection, panel, case_id)

    @property
    def labelled(self) -> bool:
        """Whether anybody labelled anything."""
        with self._file.reading() as connection:
            return bool(connection and connection.execute("SELECT 1 FROM sketch LIMIT 1").fetchone())

    def text_of(self, case_id: str, panel: str = "spam") -> str:
        """The text a case is remembered by; empty when it is not known."""
        with self._file.reading() as connection:
            return precedent_rows.text_of(connection, panel, case_id) if connection else ""

    def unlabelled(self, panel: str = "spam") -> list[Precedent]:
        """The cases kept for review that nobody has labelled, oldest first."""
        with self._file.reading() as connection:
            return list(precedent_rows.unlabelled(connection, panel)) if connection else []

    def stats(self, panel: str = "spam") -> Stats:
        with self._file.reading() as connection:
            if connection is None:
                return Stats({}, {}, 0, 0, 0.0)
            counts = precedent_rows.counts(connection, panel)
        files = self._file.path.parent.glob(self._file.path.name + "*")
        return Stats(*counts, megabytes=sum(path.stat().st_size for path in files) / 1e6)

    def export(self) -> Iterator[str]:
        """Everything that is known, one JSON object a line; the same knowledge gives the same lines.

        One consistent view of the file: write nothing through this object before the last line is taken.
        """
        with self._file.reading() as connection:
            if connection is None:
                return
            for one in precedent_rows.everything(connection):
                where = one.provenance
                values = (one.case_id, one.label, one.text, where.how, where.source, where.when, one.panel)
                yield json.dumps(dict(zip(_FIELDS, values, strict=True)))

    def import_(self, lines: Iterable[str]) -> int:
        """Store exported lines and fact-checks; how many were new. A line that is none is refused by its number."""
        return self.store_many(_parsed(lines))


def _parsed(lines: Iterable[str]) -> Iterator[Precedent]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            if isinstance(fields, dict) and facts.is_fact(fields):
                yield facts.fact(fields)
                continue
            if not isinstance(fields, dict) or set(fields) != set(_FIELDS):
                raise ValueError(f"it must have the fields {', '.join(_FIELDS)} and no others")
            for name in _FIELDS:
                if not isinstance(fields[name], str) and not (name == "label" and fields[name] is None):
                    raise ValueError(f"{name} must be a string")
            label, how, source, when = fields["label"], fields["how"], fields["source"], fields["when"]
            provenance = precedent_rows.provenance_of(how, source, when)
            yield Precedent(fields["case_id"], label, fields["text"], provenance, fields["panel"])
        except (ValueError, RecursionError) as error:
            raise UnreadableInput(f"line {number} is not a precedent: {error}") from error
