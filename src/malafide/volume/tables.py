"""A CSV, JSON Lines or Parquet file in, the places of its rows out; columns are found as for labelled tables."""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from malafide.errors import MissingExtra, UnreadableInput
from malafide.intake.labelled_files import Row, layout_of, table_rows
from malafide.intake.labelled_tables import Columns, text_columns
from malafide.limits import MAX_INPUT_BYTES
from malafide.volume.files import Placed, file_state
from malafide.volume.pieces import CHUNK, Chunk, Form, Mark, Piece, chunked
from malafide.volume.reading import csv_reader

if TYPE_CHECKING:
    import pyarrow.parquet as parquet

_LOOKED_AT: Final = 300
_MARK: Final = b"\xef\xbb\xbf"


class _Table(ABC):
    """A file with one case after another, which is gone on with at an offset."""

    def __init__(self, path: Path, limit: int | None) -> None:
        self._path, self._limit = path, limit
        self._size = path.stat().st_size

    def state(self) -> dict[str, Any]:
        return file_state(self._path)

    def share(self, mark: Mark) -> float:
        return 1.0 if mark.files else mark.offset / (self._size or 1)

    def chunks(self, after: Mark) -> Iterator[Chunk]:
        return chunked(self._placed(after), after, self._limit)

    @abstractmethod
    def _placed(self, after: Mark) -> Iterator[Placed]:
        """Where each case behind a mark stands."""


class Lines(_Table):
    """JSON Lines. A line that is too long is never held whole."""

    def __init__(
        self, path: Path, form: Form, columns: Columns, limit: int | None, *, labelled: bool
    ) -> None:
        super().__init__(path, limit)
        table = table_rows(path)
        head = list(islice(table.rows, _LOOKED_AT))
        whole = form.panel == "conversation" and any("messages" in row.cells for row in head)
        form = replace(form, kind="json")
        self.form = form if whole else with_columns(form, path.name, table.header, head, columns, labelled)

    def _placed(self, after: Mark) -> Iterator[Placed]:
        if after.files:
            return
        name, file = self._path.name, str(self._path)
        number, end = after.number, after.offset
        with self._path.open("rb") as stream:
            stream.seek(end)
            while line := stream.readline(MAX_INPUT_BYTES + 1):
                start, end = end, end + len(line)
                if len(line) > MAX_INPUT_BYTES and not line.endswith(b"\n"):
                    end += _rest_of_line(stream)
                if line.isspace():
                    continue
                number += 1
                yield Piece(f"{name}:{number}", file, start, end), Mark(offset=end, number=number)


def _rest_of_line(stream: IO[bytes]) -> int:
    """Passes over the rest of a line, in parts; how many bytes that was."""
    passed = 0
    while part := stream.readline(1_000_000):
        passed += len(part)
        if part.endswith(b"\n"):
            break
    return passed


class Cells(_Table):
    """CSV and TSV: the quotes are followed here, since they may hold lines; cells are read where they are judged."""

    def __init__(
        self, path: Path, form: Form, columns: Columns, limit: int | None, *, labelled: bool
    ) -> None:
        super().__init__(path, limit)
        layout = layout_of(path)
        head = list(islice(table_rows(path).rows, _LOOKED_AT))
        form = replace(form, kind="csv", layout=layout)
        self.form = with_columns(form, path.name, layout.header, head, columns, labelled)
        self._layout = layout

    def _placed(self, after: Mark) -> Iterator[Placed]:
        name, file = self._path.name, str(self._path)
        number, start = after.number, after.offset
        skip = self._layout.headed and not start
        with self._path.open("rb") as stream:
            stream.seek(start)
            rows = _Rows(stream, self._layout.delimiter, plain=self._layout.plain)
            for filled, trouble in rows:
                end = after.offset + rows.read
                if filled and skip:
                    skip = False
                elif filled:
                    number += 1
                    piece = Piece(f"{name}:{number}", file, start, end, trouble=trouble)
                    yield piece, Mark(offset=end, number=number)
                start = end


class _Rows:
    """The rows of a CSV stream as (whether there is anything in it, what is wrong with it), counting bytes."""

    def __init__(self, stream: IO[bytes], delimiter: str, *, plain: bool) -> None:
        self.read = 0
        self._reader = csv_reader(self._lines(stream), delimiter, plain=plain)

    def _lines(self, stream: IO[bytes]) -> Iterator[str]:
        # One character for each byte: quotes and commas are ASCII, whatever the letters between them are.
        while line := stream.readline(MAX_INPUT_BYTES):
            self.read += len(line)
            yield (line.removeprefix(_MARK) if self.read == len(line) else line).decode("latin-1")

    def __iter__(self) -> Iterator[tuple[bool, str]]:
        while True:
            try:
                yield any(cell.strip() for cell in next(self._reader)), ""
            except StopIteration:
                return
            except csv.Error as error:
                yield True, f"the row cannot be read: {error}"


class Columnar:
    """Parquet. A row has no place of its own in the file, so that rows are sent along."""

    def __init__(
        self, path: Path, form: Form, columns: Columns, limit: int | None, *, labelled: bool
    ) -> None:
        self._path, self._limit = path, limit
        with _parquet(path) as file:
            self._rows = file.metadata.num_rows
            header = tuple(file.schema_arrow.names)
            first = next(file.iter_batches(batch_size=_LOOKED_AT, use_threads=False), None)
        entries = first.to_pylist() if first is not None else []
        head = [Row(n, f"row {n}", {k: as_text(v) for k, v in e.items()}) for n, e in enumerate(entries, 1)]
        form = replace(form, kind="cells")
        whole = form.panel == "conversation" and "messages" in header
        self.form = form if whole else with_columns(form, path.name, header, head, columns, labelled)

    def state(self) -> dict[str, Any]:
        return file_state(self._path)

    def share(self, mark: Mark) -> float:
        return mark.number / (self._rows or 1)

    def chunks(self, after: Mark) -> Iterator[Chunk]:
        return chunked(self._placed(after), after, self._limit)

    def _placed(self, after: Mark) -> Iterator[Placed]:
        needed = [self.form.text, self.form.subject, self.form.label] if self.form.text else None
        wanted = [column for column in needed if column] if needed else None
        with _parquet(self._path) as file:
            groups, number = _from_row(file, after.number)
            # Without threads: processes may yet be forked.
            batches = file.iter_batches(CHUNK, row_groups=groups, columns=wanted, use_threads=False)
            for batch in batches:
                if number + batch.num_rows <= after.number:
                    number += batch.num_rows
                    continue
                for cells in batch.to_pylist():
                    number += 1
                    if number > after.number:
                        yield Piece(f"{self._path.name}:{number}", cells=cells), Mark(number=number)


def _from_row(file: parquet.ParquetFile, row: int) -> tuple[list[int], int]:
    """The row groups from the one that holds a row, and how many rows lie before them."""
    before = 0
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if before + rows > row:
            return list(range(group, file.num_row_groups)), before
        before += rows
    return [], before


def _parquet(path: Path) -> parquet.ParquetFile:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra(
            "Parquet needs pyarrow; install it with: pip install 'malafide[parquet]'"
        ) from None
    try:
        return parquet.ParquetFile(path, pre_buffer=False)
    except (pyarrow.ArrowException, OSError) as error:
        raise UnreadableInput(f"{path.name!r} is no Parquet that can be read: {str(error)[:200]}") from None


def as_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def with_columns(
    form: Form, name: str, header: Sequence[str], head: Sequence[Row], columns: Columns, labelled: bool
) -> Form:
    """The form with the columns of this table; posts are whole rows."""
    if form.panel in ("post", "credibility"):
        return form
    if not head:
        raise UnreadableInput(f"{name!r} has no rows")
    found = text_columns(name, header, head, columns, labelled=labelled)
    return replace(form, text=found.text, subject=found.subject, label=found.label)
