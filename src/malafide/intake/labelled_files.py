"""A CSV, TSV, JSON Lines or JSON file in, its rows as text out: the first step of a labelled table."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final, TextIO

from malafide.errors import UnreadableInput
from malafide.limits import MAX_INPUT_BYTES

_DELIMITERS: Final = ",\t;|"
_HEAD_BYTES: Final = 65_536
_MAX_JSON_BYTES: Final = 1_000_000_000  # a JSON list is read whole; JSON Lines has no limit


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: every cell as text. `trouble` says why it could not be read."""

    number: int
    place: str
    cells: dict[str, str] = field(default_factory=dict)
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table's columns and its rows, read as they are asked for."""

    header: tuple[str, ...]
    rows: Iterator[Row]


def table_rows(path: Path) -> Table:
    """A CSV, TSV, JSON Lines or JSON file as a table. The kind is known by its content, not its name."""
    with path.open("rb") as handle:
        head = handle.read(_HEAD_BYTES)
    encoding = _encoding(head)
    opening = head.decode(encoding, "replace").lstrip("\ufeff").lstrip()
    if not opening:
        raise UnreadableInput(
            f"{path.name!r} is empty; give a CSV, TSV, JSON Lines or JSON file of labelled mail"
        )
    if opening.startswith("["):
        return _json_list(path, encoding)
    if opening.startswith("{"):
        return _json_lines(path, encoding)
    if b"\0" in head and not encoding.startswith("utf-16"):
        raise UnreadableInput(
            f"{path.name!r} is not text; give a CSV, TSV, JSON Lines or JSON file of labelled mail"
        )
    return _delimited(path, encoding, opening)


def _encoding(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig"


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8 are read as Windows-1252: old CSV files are that, or mix both."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(bytes([b]).decode("cp1252", "replace") for b in wrong), error.end


codecs.register_error("malafide-windows", _as_windows)


def _open(path: Path, encoding: str) -> TextIO:
    errors = "malafide-windows" if encoding == "utf-8-sig" else "replace"
    return path.open(encoding=encoding, errors=errors, newline="")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table of cells is written."""

    header: tuple[str, ...]
    delimiter: str
    plain: bool  # without quotes that mean anything
    headed: bool  # the first line holds the names of the columns


def layout_of(path: Path) -> Layout:
    """The layout of a CSV or TSV file in UTF-8 or Windows-1252."""
    with path.open("rb") as handle:
        head = handle.read(_HEAD_BYTES)
    if _encoding(head) == "utf-16" or b"\0" in head:
        raise UnreadableInput(f"{path.name!r} is no CSV in UTF-8; save it as that")
    opening = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    if not opening:
        raise UnreadableInput(f"{path.name!r} is empty")
    return _layout(path, "utf-8-sig", opening)


def _delimited(path: Path, encoding: str, opening: str) -> Table:
    layout = _layout(path, encoding, opening)
    rows = _csv_rows(path, encoding, layout.delimiter, layout.plain)
    if layout.headed:
        next(rows)
    return Table(layout.header, _celled(layout.header, rows))


def _layout(path: Path, encoding: str, opening: str) -> Layout:
    lines = opening.splitlines()[:200]
    delimiter = max(_DELIMITERS, key=lines[0].count)
    if not lines[0].count(delimiter):
        raise UnreadableInput(
            f"{path.name!r} has one column only (its first line is {lines[0][:60]!r}); "
            "a table needs a column of text and one of labels, divided by commas, tabs or semicolons"
        )
    # Tab-separated files are mostly written without quotes, and a stray one must not swallow the next lines.
    counts = {line.count("\t") for line in lines[:-1] if line}
    plain = delimiter == "\t" and len(counts) <= 1
    rows = _csv_rows(path, encoding, delimiter, plain)
    _, first = next(rows)
    rows.close()
    if _is_data(first):
        return Layout(tuple(f"column {i}" for i in range(1, len(first) + 1)), delimiter, plain, headed=False)
    header = tuple(cell.strip() or f"column {i}" for i, cell in enumerate(first, 1))
    return Layout(header, delimiter, plain, headed=True)


def _csv_rows(path: Path, encoding: str, delimiter: str, plain: bool) -> Generator[tuple[int, list[str]]]:
    csv.field_size_limit(MAX_INPUT_BYTES)
    with _open(path, encoding) as handle:
        reader = (
            csv.reader(handle, delimiter=delimiter, quoting=csv.QUOTE_NONE)
            if plain
            else csv.reader(handle, delimiter=delimiter)
        )
        try:
            for cells in reader:
                if cells:
                    yield reader.line_num, [unquoted(cell) for cell in cells] if plain else cells
        except csv.Error as error:
            raise UnreadableInput(
                f"{path.name!r} cannot be read after line {reader.line_num}: {error}; "
                "look for an unclosed quote there"
            ) from None


def unquoted(cell: str) -> str:
    if len(cell) >= 2 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _is_data(first: list[str]) -> bool:
    """Whether a file has no header: its first row already holds a label and a text."""
    plain = [cell.strip().lower() for cell in first]
    return any(cell in ("spam", "ham") for cell in plain) and any(len(cell.split()) > 3 for cell in plain)


def _celled(header: tuple[str, ...], rows: Iterable[tuple[int, list[str]]]) -> Iterator[Row]:
    # Cells beyond the header mean that a text was cut at a comma: the row would be judged by half a message.
    for number, (line, cells) in enumerate(rows, 1):
        extra = any(cell.strip() for cell in cells[len(header) :])
        trouble = f"it has {len(cells)} cells for {len(header)} columns; is its text quoted?" if extra else ""
        yield Row(number, f"line {line}", dict(zip(header, cells, strict=False)), trouble)


def _json_lines(path: Path, encoding: str) -> Table:
    def rows() -> Iterator[Row]:
        with _open(path, encoding) as handle:
            number = 0
            for line_number, line in enumerate(handle, 1):
                if not line.strip():
                    continue
                number += 1
                place = f"line {line_number}"
                try:
                    yield _json_row(number, place, json.loads(line))
                except (ValueError, RecursionError):
                    yield Row(number, place, trouble="it is not JSON")

    return _with_header(rows())


def _json_list(path: Path, encoding: str) -> Table:
    if path.stat().st_size > _MAX_JSON_BYTES:
        raise UnreadableInput(
            f"{path.name!r} is too large for one JSON list; write one object per line instead"
        )
    try:
        with _open(path, encoding) as handle:
            entries = json.load(handle)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"{path.name!r} is not JSON: {error}; give a list of objects") from None
    rows = (_json_row(i, f"entry {i}", entry) for i, entry in enumerate(entries, 1))
    return _with_header(rows)


def _json_row(number: int, place: str, entry: object) -> Row:
    if not isinstance(entry, dict):
        return Row(number, place, trouble="it is not an object with named fields")
    cells = {str(k): v if isinstance(v, str) else json.dumps(v) for k, v in entry.items() if v is not None}
    return Row(number, place, cells)


def _with_header(rows: Iterator[Row]) -> Table:
    """The columns are the names met in the first rows."""
    head: list[Row] = []
    for row in rows:
        head.append(row)
        if len(head) >= 200:
            break
    header = tuple(dict.fromkeys(name for row in head for name in row.cells))

    def again() -> Iterator[Row]:
        yield from head
        yield from rows

    return Table(header, again())


def plausible(moment: datetime) -> datetime | None:
    """The moment in UTC, or None where no mail was sent then: senders lie about dates."""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not 1980 <= moment.year <= 9000:
        return None
    moment = moment.astimezone(UTC)
    return moment if moment <= datetime.now(UTC) + timedelta(days=2) else None


def mail_date(message: str | bytes) -> datetime | None:
    """The Date header of raw mail, or None. Only the header lines are looked at."""
    opening = message[:20_000]
    if isinstance(opening, bytes):
        opening = opening.decode("latin-1")
    for line in opening.splitlines():
        if not line:
            return None
        if line[:5].lower() == "date:":
            try:
                return plausible(parsedate_to_datetime(line[5:].strip()[:100]))
            except (ValueError, TypeError, IndexError, OverflowError):
                return None
    return None
