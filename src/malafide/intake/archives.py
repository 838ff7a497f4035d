"""The bytes of an archive in, the names of what is in it out, those in archives inside it too.

Nothing is unpacked but the little that a list of names needs: an inner archive, the start of a packed tar file.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from malafide.intake.charset import decode
from malafide.intake.zips import Entry, entries, unpack
from malafide.limits import MAX_ARCHIVE_NAMES

_MOST_INNER: Final = 3  # archives within an archive that are looked into
_MOST_UNPACKED: Final = 2_000_000  # bytes, of each of them
_BLOCK: Final = 512  # bytes of a line in a tar file
_MOST_HEADERS: Final = 3_000
_LONGEST: Final = 500
_RAR4, _RAR5 = b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00"


@dataclass(frozen=True, slots=True)
class Listing:
    """The names in an archive. `unread` when there is a list that could not be read."""

    names: tuple[str, ...] = ()
    encrypted: bool = False
    unread: bool = False


def list_names(data: bytes, kind: str) -> Listing:
    """What is in a tar, gz, rar or 7z file."""
    if kind == "tar":
        return Listing(tuple(_tar(data)))
    if kind == "gz":
        return _gzip(data)
    if kind == "rar":
        return _rar(data)
    return Listing(unread=True)


def inner_names(data: bytes, found: list[Entry]) -> Iterator[tuple[str, bool]]:
    """Names in zip files inside a zip file, and whether they are locked."""
    inner = [entry for entry in found if entry.name.lower().endswith(".zip") and not entry.encrypted]
    for outer in inner[:_MOST_INNER]:
        for entry in entries(unpack(data, outer, _MOST_UNPACKED) or b"")[:MAX_ARCHIVE_NAMES]:
            yield f"{outer.name}/{entry.name}"[:_LONGEST], entry.encrypted


def is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def _tar(data: bytes) -> list[str]:
    names: list[str] = []
    position = 0
    for _ in range(_MOST_HEADERS):
        head = data[position : position + _BLOCK]
        if len(head) < _BLOCK or not head[0] or len(names) == MAX_ARCHIVE_NAMES:
            break
        try:
            size = int(head[124:136].strip(b"\0 ") or b"0", 8)
        except ValueError:
            break
        if head[156:157] in (b"0", b"\0", b""):
            names.append(_name(head[:100].partition(b"\0")[0]))
        position += _BLOCK + -(-size // _BLOCK) * _BLOCK
    return names


def _gzip(data: bytes) -> Listing:
    try:
        content = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, _MOST_UNPACKED)
    except zlib.error:
        return Listing(unread=True)
    if is_tar(content):
        return Listing(tuple(_tar(content)))
    if len(data) > 10 and data[3] & 8 and not data[3] & 4:
        return Listing((_name(data[10 : 10 + _LONGEST].partition(b"\0")[0]),))
    return Listing()


def _rar(data: bytes) -> Listing:
    if data.startswith(_RAR5):
        return _rar5(data, len(_RAR5))
    return _rar4(data, len(_RAR4)) if data.startswith(_RAR4) else Listing(unread=True)


def _rar4(data: bytes, position: int) -> Listing:
    """Blocks of checksum, type, flags and size; those of files name them [unrar technote]."""
    names: list[str] = []
    locked = False
    for _ in range(_MOST_HEADERS):
        if position + 7 > len(data) or len(names) == MAX_ARCHIVE_NAMES:
            break
        kind, flags, size = struct.unpack_from("<BHH", data, position + 2)
        if kind == 0x73 and flags & 0x80:  # the list itself is locked
            return Listing(encrypted=True, unread=True)
        more = (
            struct.unpack_from("<I", data, position + 7)[0]
            if flags & 0x8000 and position + 11 <= len(data)
            else 0
        )
        if kind == 0x74 and position + 32 <= len(data):
            (length,) = struct.unpack_from("<H", data, position + 26)
            start = position + (40 if flags & 0x100 else 32)
            names.append(_name(data[start : start + min(length, _LONGEST)].partition(b"\0")[0]))
            locked = locked or bool(flags & 4)
        if size < 7 or kind == 0x7B:
            break
        position += size + more
    return Listing(tuple(names), locked)


def _rar5(data: bytes, position: int) -> Listing:
    """Blocks of checksum and numbers of seven bits a byte; those of type 2 name a file."""
    names: list[str] = []
    locked = False
    try:
        for _ in range(_MOST_HEADERS):
            size, start = _number(data, position + 4)
            kind, at = _number(data, start)
            flags, at = _number(data, at)
            if kind == 4:
                return Listing(encrypted=True, unread=True)
            extra, at = _number(data, at) if flags & 1 else (0, at)
            more, at = _number(data, at) if flags & 2 else (0, at)
            if kind == 2 and len(names) < MAX_ARCHIVE_NAMES:
                names.append(_rar5_name(data, at))
                locked = locked or b"\x01" in data[start + size - extra : start + size - extra + 2][1:2]
            if kind == 5 or size <= 0:
                break
            position = start + size + more
    except IndexError:
        return Listing(tuple(names), locked)
    return Listing(tuple(names), locked)


def _rar5_name(data: bytes, at: int) -> str:
    flags, at = _number(data, at)
    for _ in range(2):  # size unpacked, attributes
        _, at = _number(data, at)
    at += (4 if flags & 2 else 0) + (4 if flags & 4 else 0)  # time, checksum
    for _ in range(2):  # packing, system
        _, at = _number(data, at)
    length, at = _number(data, at)
    return _name(data[at : at + min(length, _LONGEST)])


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, at


def _name(raw: bytes) -> str:
    return " ".join(decode(raw[:_LONGEST], "utf-8").split())
