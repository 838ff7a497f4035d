"""A piece in, its content out: the bytes of a mail, the text of a row, or a whole row as a JSON object."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from malafide.errors import InputTooLarge, UnreadableInput
from malafide.intake.labelled_files import Layout, unquoted
from malafide.intake.labelled_tables import label_of
from malafide.limits import MAX_INPUT_BYTES
from malafide.volume.pieces import Form, Label, Piece

Read = tuple[bytes | str, Label | None]


class Reader:
    """Keeps the file it read last open: neighbours mostly stand in the same."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._file = ""
        self._stream: IO[bytes] | None = None

    def read(self, piece: Piece) -> Read:
        """The content and the label, if there is one. Refuses what cannot be read."""
        if piece.trouble:
            raise UnreadableInput(piece.trouble)
        if self._form.kind == "mail":
            return self._bytes(piece), piece.label
        cells = piece.cells if piece.cells is not None else self._cells(self._bytes(piece))
        label = label_of(_text(cells.get(self._form.label)), self._form.label) if self._form.label else None
        return self._content(cells), label

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._file, self._stream = "", None

    def _bytes(self, piece: Piece) -> bytes:
        size = piece.end - piece.start
        if piece.end >= 0 and size > MAX_INPUT_BYTES:
            raise _too_large(piece.name)
        try:
            if piece.end < 0:
                with open(piece.file, "rb") as stream:  # noqa: PTH123 - on the way of every mail
                    data = stream.read(MAX_INPUT_BYTES + 1)
            else:
                data = self._between(piece.file, piece.start, size)
        except OSError as error:
            self.close()
            raise UnreadableInput(f"{piece.name!r} cannot be read: {error.strerror or error}.") from None
        if len(data) > MAX_INPUT_BYTES:
            raise _too_large(piece.name)
        return data

    def _between(self, file: str, start: int, size: int) -> bytes:
        if self._stream is None or self._file != file:
            self.close()
            self._stream, self._file = open(file, "rb"), file  # noqa: PTH123, SIM115 - closed when another is read
        self._stream.seek(start)
        return self._stream.read(size)

    def _cells(self, data: bytes) -> Mapping[str, Any]:
        if self._form.layout is not None:
            return _row(data, self._form.layout)
        try:
            cells = json.loads(data.decode("utf-8-sig", "malafide-windows"))
        except (ValueError, RecursionError):
            raise UnreadableInput("the line is not JSON") from None
        if not isinstance(cells, dict):
            raise UnreadableInput("the line is not an object with named fields")
        return cells

    def _content(self, cells: Mapping[str, Any]) -> bytes | str:
        form = self._form
        if form.text is None:
            plain = {
                k: v if not isinstance(v, bytes) else _text(v) for k, v in cells.items() if v is not None
            }
            return json.dumps(plain, default=str)
        text = cells.get(form.text)
        subject = " ".join(_text(cells.get(form.subject)).split()) if form.subject else ""
        if isinstance(text, bytes) and not subject:
            return text
        words = _text(text)
        if not words.strip() and not subject:
            raise UnreadableInput("there is no text in the row")
        return f"Subject: {subject}\n\n{words}" if subject else words


def csv_reader(lines: Iterable[str], delimiter: str, *, plain: bool) -> Iterator[list[str]]:
    """The rows of a table of cells; `plain` where quotes mean nothing."""
    csv.field_size_limit(MAX_INPUT_BYTES)
    if plain:
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=delimiter)


def _row(data: bytes, layout: Layout) -> dict[str, str]:
    text = data.decode("utf-8-sig", "malafide-windows")
    reader = csv_reader(io.StringIO(text, newline=""), layout.delimiter, plain=layout.plain)
    try:
        cells = next((row for row in reader if any(cell.strip() for cell in row)), [])
    except csv.Error as error:
        raise UnreadableInput(f"the row cannot be read: {error}") from None
    if any(cell.strip() for cell in cells[len(layout.header) :]):
        raise UnreadableInput(
            f"the row has {len(cells)} cells for {len(layout.header)} columns; is its text quoted?"
        )
    if layout.plain:
        cells = [unquoted(cell) for cell in cells]
    return dict(zip(layout.header, cells, strict=False))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, default=str)


def _too_large(name: str) -> InputTooLarge:
    return InputTooLarge(f"{name!r} has more than {MAX_INPUT_BYTES:,} bytes, the most that is read.")
