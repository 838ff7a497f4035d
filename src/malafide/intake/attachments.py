"""The bytes of an attachment in, what it really is out.

Nothing is unpacked: an archive is read by its table of contents.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from malafide.intake.charset import decode
from malafide.limits import MAX_ARCHIVE_NAMES

_MAGIC: Final = (
    (b"%PDF", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"MZ", "exe"),
    (b"\x7fELF", "elf"),
    (b"\xca\xfe\xba\xbe", "class"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\x89PNG\n\x1a\n", "png"),  # sent as text, its line ends made plain
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"RIFF", "riff"),
    (b"Rar!\x1a\x07", "rar"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"MSCF", "cab"),
    (b"ITSF", "chm"),
    (b"{\\rtf", "rtf"),
    (b"L\0\0\0\x01\x14\x02\0", "lnk"),
    (b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", "one"),
    (b'x\x9f>"', "tnef"),
    (b"ID3", "mp3"),
    (b"BEGIN:VCALENDAR", "ics"),
    (b"BEGIN:VCARD", "vcf"),
)
_LOOSE: Final = frozenset(("exe", "bmp"))  # two letters that text may begin with too
_HTML_STARTS: Final = (
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<body",
    b"<script",
    b"<meta",
    b"<form",
    b"<table",
)
_OFFICE: Final = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"))
_VBA_MARKS: Final = ("_VBA_PROJECT", "VBA", "Macros")
_MAX_ENTRIES: Final = 3_000
_MAX_COMMENT: Final = 66_000  # bytes after the table of contents of a zip file


@dataclass(frozen=True, slots=True)
class Contents:
    """What the first bytes and the table of contents say."""

    real_type: str
    inside: tuple[str, ...] = ()
    encrypted: bool = False
    macros: bool = False


def sniff(data: bytes) -> str:
    """The type of a file from its bytes; "" when they are not known."""
    for magic, name in _MAGIC:
        if data.startswith(magic):
            if name in _LOOSE and b"\0" not in data[:200]:
                continue
            return name
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(_HTML_STARTS):
        return "html"
    if start.startswith(b"<svg") or (start.startswith(b"<?xml") and b"<svg" in start):
        return "svg"
    if data[32769:32774] == b"CD001":
        return "iso"
    if b"%PDF-" in data[:1024]:
        return "pdf"
    return ""


def examine(data: bytes) -> Contents:
    kind = sniff(data)
    if kind == "zip":
        return _zip(data)
    if kind == "ole":
        return Contents("ole", macros=_ole_macros(data), encrypted=_utf16("EncryptedPackage") in data)
    if kind == "pdf":
        return Contents("pdf", encrypted=b"/Encrypt" in data[-4096:])
    return Contents(kind)


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


def _ole_macros(data: bytes) -> bool:
    """The names of storages stand in the file as UTF-16, ended by a zero."""
    return any(_utf16(mark) + b"\0\0" in data for mark in _VBA_MARKS)


def _zip(data: bytes) -> Contents:
    names: list[str] = []
    encrypted = macros = False
    kind = "zip"
    for name, flags in _directory(data):
        encrypted = encrypted or bool(flags & 1)
        macros = macros or name.lower().endswith("vbaproject.bin")
        if kind == "zip":
            kind = next((office for folder, office in _OFFICE if name.startswith(folder)), kind)
        if len(names) < MAX_ARCHIVE_NAMES:
            names.append(name)
    if kind == "zip" and "META-INF/MANIFEST.MF" in names:
        kind = "jar"
    return Contents(kind, tuple(names), encrypted, macros)


def _directory(data: bytes) -> list[tuple[str, int]]:
    """Names and flags in the central directory; our own reading, since it can stop after so many."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - _MAX_COMMENT))
    if end < 0 or end + 22 > len(data):
        return []
    size, position = struct.unpack_from("<II", data, end + 12)
    if data[position : position + 4] != b"PK\x01\x02":
        position = max(0, end - size)  # something stands before the archive
    entries: list[tuple[str, int]] = []
    while len(entries) < _MAX_ENTRIES and data[position : position + 4] == b"PK\x01\x02":
        if position + 46 > len(data):
            break
        (flags,) = struct.unpack_from("<H", data, position + 8)
        name, extra, comment = struct.unpack_from("<HHH", data, position + 28)
        raw = data[position + 46 : position + 46 + name][:500]
        entries.append((" ".join(decode(raw, "utf-8" if flags & 0x800 else "cp437").split()), flags))
        position += 46 + name + extra + comment
    return entries
