"""The bytes of an attachment in, what it really is out.

An archive is read by its table of contents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from malafide.intake.archives import inner_names, is_tar, list_names
from malafide.intake.zips import entries
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
_OPEN: Final = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}
_ARCHIVES: Final = frozenset(("tar", "gz", "rar", "7z", "cab", "bz2", "xz"))
_LIBRARIES: Final = ("-lb.xml", "-lc.xml")  # lists of macros, present without any
_OLE_STREAMS: Final = (
    ("__properties_version1.0", "msg"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
_VBA_MARKS: Final = ("_VBA_PROJECT", "VBA", "Macros")


@dataclass(frozen=True, slots=True)
class Contents:
    """What the first bytes and the table of contents say."""

    real_type: str
    inside: tuple[str, ...] = ()
    encrypted: bool = False
    macros: bool = False
    unlisted: bool = False  # an archive whose list of files could not be read


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
    return "tar" if is_tar(data) else ""


def examine(data: bytes) -> Contents:
    kind = sniff(data)
    if kind == "zip":
        return _zip(data)
    if kind == "ole":
        return Contents(_ole(data), macros=has_macros(data), encrypted=_utf16("EncryptedPackage") in data)
    if kind == "pdf":
        return Contents("pdf", encrypted=b"/Encrypt" in data[-4096:])
    if kind in _ARCHIVES:
        listing = list_names(data, kind)
        return Contents(kind, listing.names, listing.encrypted, unlisted=listing.unread)
    return Contents(kind)


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


def _ole(data: bytes) -> str:
    """Which program an OLE file belongs to, by the name of its main stream; "ole" when none is known."""
    return next((kind for stream, kind in _OLE_STREAMS if _utf16(stream) + b"\0\0" in data), "ole")


def has_macros(data: bytes) -> bool:
    """The names of storages stand in an OLE file as UTF-16, ended by a zero."""
    return any(_utf16(mark) + b"\0\0" in data for mark in _VBA_MARKS)


def _zip(data: bytes) -> Contents:
    names: list[str] = []
    encrypted = macros = False
    kind = "zip"
    listed = entries(data)
    for entry in listed:
        name = entry.name
        encrypted = encrypted or entry.encrypted
        macros = macros or name.lower().endswith("vbaproject.bin") or name.startswith("xl/macrosheets/")
        if kind == "zip":
            kind = next((office for folder, office in _OFFICE if name.startswith(folder)), kind)
        if len(names) < MAX_ARCHIVE_NAMES:
            names.append(name)
    if names[:1] == ["mimetype"]:  # first and not packed, so that it stands in the open
        kind = next((k for mime, k in _OPEN.items() if data[38 : 38 + len(mime)] == mime), kind)
    elif kind == "zip" and "META-INF/MANIFEST.MF" in names:
        kind = "jar"
    if kind in _OPEN.values():
        macros = any(name.startswith("Basic/") and not name.endswith(_LIBRARIES) for name in names)
    if kind == "zip":
        for name, locked in inner_names(data, listed):
            names.append(name)
            encrypted = encrypted or locked
    return Contents(kind, tuple(names[: 2 * MAX_ARCHIVE_NAMES]), encrypted, macros)
