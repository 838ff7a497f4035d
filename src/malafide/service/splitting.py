"""An uploaded file in, the messages in it out, one at a time: a mailbox, a table, JSON Lines, or one message."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final

from malafide.errors import MalafideError, UnreadableInput
from malafide.intake.folders import expand
from malafide.intake.labelled_files import Row, table_rows
from malafide.intake.labelled_tables import Columns, text_columns
from malafide.judging import PanelName
from malafide.limits import MAX_INPUT_BYTES

Part = tuple[str, bytes]
_HEAD: Final = 4_096
_LOOKED_AT: Final = 300  # rows read before deciding which column is the text
_TABLES: Final = (".csv", ".tsv", ".tab")
_WHOLE: Final = ("conversation", "post", "credibility")  # a line of JSON is a message of these panels


def split(path: Path, name: str, panel: PanelName) -> Iterator[Part]:
    """The messages with their names. Refuses a file that is none of these; one bad message ends nothing."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise UnreadableInput("the batch is empty")
    if head.startswith(b"{") and panel in _WHOLE:
        return _lines(path, name)
    if head.startswith(b"{") or Path(name).suffix.lower() in _TABLES:
        return _rows(path, name)
    return _mails(path, name)


def _mails(path: Path, name: str) -> Iterator[Part]:
    for number, (_, content) in enumerate(expand(path), 1):
        if not isinstance(content, MalafideError):
            yield f"{name or 'mail'}#{number}", content


def _lines(path: Path, name: str) -> Iterator[Part]:
    with path.open("rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(MAX_INPUT_BYTES), b""), 1):
            if line.strip():
                yield f"{name or 'line'}#{number}", line.strip()


def _rows(path: Path, name: str) -> Iterator[Part]:
    table = table_rows(path)
    head = list(islice(table.rows, _LOOKED_AT))
    if not head:
        raise UnreadableInput("the batch has no rows")
    columns = text_columns(name or "batch", table.header, head, Columns(), labelled=False)

    def text(row: Row) -> str:
        words = row.cells.get(columns.text, "")
        subject = " ".join(row.cells.get(columns.subject, "").split()) if columns.subject else ""
        return f"Subject: {subject}\n\n{words}" if subject else words

    for row in chain(head, table.rows):
        if not row.trouble and (words := text(row)).strip():
            yield f"{name or 'row'}#{row.number}", words.encode("utf-8", "replace")
