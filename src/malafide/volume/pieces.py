"""What goes from the process that leads to those that judge: where cases stand, mostly without their bodies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, NamedTuple, Protocol

from malafide.intake.labelled_files import Layout
from malafide.judging import PanelName

# Cases to a chunk: so few that a kill costs little work, so many that leading takes 1 % of the time of judging
# (benchmarks.volume million).
CHUNK: Final = 64

Label = Literal["spam", "ham"]
Kind = Literal["mail", "csv", "json", "cells"]


class Piece(NamedTuple):
    """One case: its name and where its bytes are, or what it says where that cannot be read again."""

    name: str
    file: str = ""
    start: int = 0
    end: int = -1  # -1: to the end of the file
    label: Label | None = None
    cells: Mapping[str, Any] | None = None  # of a row that is sent along
    trouble: str = ""  # why there is nothing to read


@dataclass(frozen=True, slots=True)
class Mark:
    """A place between two cases of an input, from which reading can go on."""

    cases: int = 0  # that lie before it
    files: int = 0  # that were read to their end
    offset: int = 0  # in the file that comes next; rows of a table that has no offsets
    number: int = 0  # of cases in that file before the place
    seen: str = ""  # a digest of the files before it: names, sizes and times

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Cases that stand one after the other, and the place behind them."""

    number: int
    pieces: tuple[Piece, ...]
    after: Mark


@dataclass(frozen=True, slots=True)
class Form:
    """How the bytes of a piece become something to judge."""

    panel: PanelName
    kind: Kind = "mail"
    text: str | None = None  # the column of the text; None: the row as a whole is a case
    subject: str | None = None
    label: str | None = None
    layout: Layout | None = None


class Source(Protocol):
    """An input. Read twice, it gives the same chunks."""

    form: Form

    def state(self) -> dict[str, Any]:
        """What tells whether it changed."""
        ...

    def chunks(self, after: Mark) -> Iterator[Chunk]:
        """All that lies behind a mark."""
        ...

    def share(self, mark: Mark) -> float:
        """How much of the input lies before a mark, from 0 to 1."""
        ...


def chunked(placed: Iterable[tuple[Piece, Mark]], after: Mark, limit: int | None) -> Iterator[Chunk]:
    """Pieces, each with the mark behind it, in chunks. The bounds depend on the input alone, not on `after`."""
    pieces: list[Piece] = []
    cases, mark = after.cases, after
    if limit is not None and cases >= limit:
        return
    for piece, mark in placed:
        pieces.append(piece)
        cases += 1
        last = limit is not None and cases >= limit
        if cases % CHUNK == 0 or last:
            yield Chunk((cases - 1) // CHUNK, tuple(pieces), replace(mark, cases=cases))
            pieces = []
        if last:
            return
    if pieces:
        yield Chunk((cases - 1) // CHUNK, tuple(pieces), replace(mark, cases=cases))
