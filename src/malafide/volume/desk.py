"""Pieces in, rows out: what a process does that judges. Everything it needs is loaded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from malafide.benches.side_by_side import in_order
from malafide.errors import MalafideError
from malafide.judging import Bench, Ruling, bench
from malafide.settings import Settings
from malafide.volume.pieces import Form, Piece
from malafide.volume.reading import Read, Reader
from malafide.volume.rows import Format, Tally, encode, failure_row, row_of

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge


@dataclass(frozen=True, slots=True)
class Orders:
    """How to judge, the same for every process of a run but for its share of what models may cost."""

    form: Form
    output: Format
    settings: Settings = field(default_factory=Settings)
    catalog: Path | None = None

    def with_settings(self, settings: Settings) -> Orders:
        return replace(self, settings=settings)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of some pieces: their rows as bytes, and what was answered."""

    rows: bytes
    tally: Tally = field(default_factory=Tally)


_MAIL: Final = (
    b"From: A <a@example.com>\r\nTo: b@example.com\r\nSubject: Your account\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>Call +1 202 555 0143 or see "
    b"<a href='http://login.example.net/a'>www.example.com</a> within 24 hours, account 12345678.</p>\r\n"
)
_ANYTHING: Final = {
    "conversation": b"Ann: Hello, is this still for sale?\nBen: It is, call me.\n",
    "post": b'{"post_id": "1", "text": "See http://example.com today", "account": {"followers": 3}}',
    "credibility": b'{"post_id": "1", "nlp_signals": {}, "source_signals": {}}',
}

Outcome = tuple[Piece, Read | None, Ruling | MalafideError]


class Desk:
    def __init__(self, orders: Orders, knowledge: Knowledge | None = None) -> None:
        from malafide.knowledge.remembered import remembered

        self._orders = orders
        self._reader = Reader(orders.form)
        learned = knowledge if knowledge is not None else remembered(orders.catalog)
        self._bench: Bench = bench(orders.form.panel, orders.settings, learned)
        self._threads = orders.settings.concurrency if orders.settings.thinks else 1

    def judge(self, pieces: Sequence[Piece]) -> Done:
        """All of them, in order; what cannot be judged is a row as well."""
        rows: list[dict[str, Any]] = []
        tally = Tally()
        for piece, read, ruling in in_order(map(self._job, pieces), self._threads, _nothing):
            if isinstance(ruling, MalafideError):
                rows.append(failure_row(piece.name, self._orders.form.panel, str(ruling), read))
                tally.failed += 1
            else:
                rows.append(row_of(piece.name, read[1] if read else None, ruling))
                tally.count(ruling)
        self._reader.close()
        return Done(encode(rows, self._orders.output), tally)

    def _job(self, piece: Piece) -> Callable[[], Outcome]:
        """Reads now; judging may wait for its turn."""
        try:
            read = self._reader.read(piece)
        except MalafideError as error:
            refused = error
            return lambda: (piece, None, refused)
        return lambda: self._judged(piece, read)

    def _judged(self, piece: Piece, read: Read) -> Outcome:
        try:
            return piece, read, self._bench.judge(read[0], piece.name)
        except MalafideError as error:
            return piece, read, error

    def warm(self) -> None:
        """Judges something, so that everything is loaded that is loaded when first needed."""
        with suppress(MalafideError):
            self._bench.judge(_ANYTHING.get(self._orders.form.panel, _MAIL), "")

    def close(self) -> None:
        self._bench.close()


def _nothing() -> None:
    return


def lost(piece: Piece, orders: Orders, why: str) -> Done:
    """The row of a case that ended the process that judged it."""
    row = failure_row(piece.name, orders.form.panel, why)
    return Done(encode([{**row, "label": piece.label}], orders.output), Tally(failed=1))
