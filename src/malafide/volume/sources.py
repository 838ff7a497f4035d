"""What a user names in, an input to read in chunks out; its kind is known by what it holds."""

from __future__ import annotations

from pathlib import Path

from malafide.errors import UnreadableInput
from malafide.intake.labelled_tables import Columns
from malafide.judging import PanelName
from malafide.volume.files import Files
from malafide.volume.pieces import Form, Source
from malafide.volume.tables import Cells, Columnar, Lines

_TABLES = (".csv", ".tsv", ".tab")


def open_source(
    path: Path, panel: PanelName, columns: Columns, limit: int | None = None, *, labelled: bool = False
) -> Source:
    """A folder, Maildir, mbox, CSV, JSON Lines or Parquet file, or a single message."""
    if path.is_dir():
        return Files(path, Form(panel), limit, labelled=labelled)
    try:
        with path.open("rb") as stream:
            head = stream.read(4096).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise UnreadableInput(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    if head.startswith(b"PAR1"):
        return Columnar(path, Form(panel), columns, limit, labelled=labelled)
    if head.startswith(b"From "):
        return Files(path, Form(panel), limit, labelled=labelled)
    if path.suffix.lower() in _TABLES:
        return Cells(path, Form(panel), columns, limit, labelled=labelled)
    if head.lstrip().startswith(b"{"):
        return Lines(path, Form(panel), columns, limit, labelled=labelled)
    if head.lstrip().startswith(b"[") and path.suffix.lower() == ".json":
        raise UnreadableInput(f"{path.name!r} is one JSON list; write one object per line instead")
    return Files(path, Form(panel), limit, labelled=labelled)
