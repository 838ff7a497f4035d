"""A PDF in, what it says about itself and whether something was added to it later out."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pypdf import PdfReader

from malafide.intake.pdf_pages import BROKEN

_SAID: Final = ("producer", "creator", "author", "title")


def said_about(reader: PdfReader) -> dict[str, str]:
    """What the file says about itself, on one line each."""
    found: dict[str, str] = {}
    try:
        metadata = reader.metadata
        for name in _SAID if metadata is not None else ():
            value = " ".join(str(getattr(metadata, name) or "").replace("\0", "").split())[:300]
            found[name] = value.encode("utf-8", "replace").decode("utf-8")
    except BROKEN:
        return {}
    return found


def moment(reader: PdfReader, name: str) -> datetime | None:
    try:
        value = getattr(reader.metadata, name, None)
    except BROKEN:
        return None
    return value if isinstance(value, datetime) else None


def later_edits(data: bytes) -> int:
    """Every saving after the first adds an end; one made for the web has two from the start."""
    ends = data.count(b"%%EOF") - (b"/Linearized" in data[:2_048])
    return min(max(0, ends - 1), 1_000)
