"""The bytes of a zip archive in, its table of contents and single files of it out, within limits.

Our own reading, since it must stop: the standard module reads a table of a million entries before anyone can ask how
long it is, and says only afterwards how large a file became.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final

from malafide.intake.charset import decode

MOST_ENTRIES: Final = 3_000
_MAX_COMMENT: Final = 66_000  # bytes after the table of contents
_STORED, _DEFLATED = 0, 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table of contents."""

    name: str
    flags: int
    method: int
    packed: int
    position: int  # of the file's own header

    @property
    def encrypted(self) -> bool:
        return bool(self.flags & 1)


def entries(data: bytes) -> list[Entry]:
    """The table of contents, up to so many lines; empty for what is no archive."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - _MAX_COMMENT))
    if end < 0 or end + 22 > len(data):
        return []
    size, position = struct.unpack_from("<II", data, end + 12)
    before = 0  # bytes before the archive
    if data[position : position + 4] != b"PK\x01\x02":
        before = max(0, end - size) - position
        position = max(0, end - size)
    found: list[Entry] = []
    while len(found) < MOST_ENTRIES and data[position : position + 4] == b"PK\x01\x02":
        if position + 46 > len(data):
            break
        flags, method = struct.unpack_from("<HH", data, position + 8)
        (packed,) = struct.unpack_from("<I", data, position + 20)
        name, extra, comment = struct.unpack_from("<HHH", data, position + 28)
        (offset,) = struct.unpack_from("<I", data, position + 42)
        raw = data[position + 46 : position + 46 + name][:500]
        shown = " ".join(decode(raw, "utf-8" if flags & 0x800 else "cp437").split())
        found.append(Entry(shown, flags, method, packed, offset + before))
        position += 46 + name + extra + comment
    return found


def unpack(data: bytes, entry: Entry, most: int) -> bytes | None:
    """At most so many bytes of a file; None when it is locked, broken or packed in a way that is not read."""
    at = entry.position
    if entry.encrypted or at < 0 or data[at : at + 4] != b"PK\x03\x04" or at + 30 > len(data):
        return None
    name, extra = struct.unpack_from("<HH", data, at + 26)
    start = at + 30 + name + extra
    if entry.method == _STORED:
        return data[start : start + min(entry.packed, most)]
    if entry.method != _DEFLATED:
        return None
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data[start : start + entry.packed], most)
    except zlib.error:
        return None
