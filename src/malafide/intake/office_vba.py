"""The macros of an office file in, the lines in which they reach out of the document out.

Their source lies packed in streams of an OLE file [MS-OVBA 2.4.1]. It is unpacked within limits and never run.
"""

from __future__ import annotations

import io
from typing import Final

from malafide.intake.ole import BROKEN

_MOST_SOURCE: Final = 1_000_000  # bytes of all macros together
_MOST_STREAMS: Final = 200
_MOST_LINES: Final = 10
_LONGEST: Final = 300
_MARK: Final = b"\0Attribut"  # how every packed source begins, after its three bytes of signature and header
# Names that an office program calls by itself.
_BY_ITSELF: Final = (
    "autoopen", "auto_open", "autoexec", "autoclose", "auto_close", "autonew", "document_open", "document_close",
    "document_new", "workbook_open", "workbook_activate", "workbook_beforeclose", "worksheet_activate",
    "documentopen", "_layout(", "_painted(", "_gotfocus(",
)  # fmt: skip
# By which a macro starts a program, fetches a file or hides what it does.
REACHES: Final = (
    "shell(", 'shell "', "shellexecute", "wscript.shell", "shell.application", "powershell", "cmd.exe", "cmd /c",
    "mshta", "rundll32", "regsvr32", "certutil", "bitsadmin", "urldownloadtofile", "xmlhttp", "winhttp",
    "adodb.stream", "win32_process", "virtualalloc", "createthread", "callbyname", "environ(",
)  # fmt: skip
_HIDES: Final = ("strreverse(", "chrw(", "chr(", "frombase64", "xor ")


def macro_lines(project: bytes) -> tuple[list[str], bool]:
    """The telling lines of the macros in an OLE file, and whether one of them runs by itself."""
    sources = _sources(project)
    telling: list[str] = []
    runs = False
    for source in sources:
        for raw in source.split("\n"):
            line = " ".join(raw.split())[:_LONGEST]
            low = line.lower()
            if low.startswith(("'", "rem ", "attribute ")) or not low:
                continue
            named = low.startswith(("sub ", "private sub ", "public sub ", "function ", "private function "))
            by_itself = named and any(name in low for name in _BY_ITSELF)
            runs = runs or by_itself
            hides = sum(low.count(word) for word in _HIDES) > 3
            if (by_itself or hides or any(word in low for word in REACHES)) and len(telling) < _MOST_LINES:
                telling.append(line)
    if not telling:
        telling = [
            line
            for source in sources
            for line in map(_flat, source.split("\n"))
            if line.lower().startswith("sub ")
        ][:1]
    return telling or ["vbaProject.bin"], runs


def _flat(line: str) -> str:
    return " ".join(line.split())[:_LONGEST]


def _sources(project: bytes) -> list[str]:
    from olefile import OleFileIO  # type: ignore[import-untyped]

    found: list[str] = []
    left = _MOST_SOURCE
    try:
        with OleFileIO(io.BytesIO(project)) as file:
            for path in file.listdir()[:_MOST_STREAMS]:
                if file.get_size(path) > len(project):
                    continue
                data = file.openstream(path).read(_MOST_SOURCE)
                at = data.find(_MARK)
                if at >= 3 and left > 0:
                    source = unpacked(data[at - 3 :], left)
                    left -= len(source)
                    found.append(source.decode("latin-1").replace("\r", "\n").replace("\0", ""))
    except BROKEN:
        return found
    return found


def unpacked(data: bytes, most: int) -> bytes:
    """A packed container: a signature, then chunks of 4,096 bytes of letters and of copies of earlier letters."""
    out = bytearray()
    position = 1
    while position + 2 <= len(data) and len(out) < most:
        header = int.from_bytes(data[position : position + 2], "little")
        end = min(position + (header & 0x0FFF) + 3, len(data))
        position += 2
        if not header & 0x8000:
            out += data[position : position + 4096]
            position = end
            continue
        start = len(out)
        while position < end:
            flags = data[position]
            position += 1
            for bit in range(8):
                if position >= end:
                    break
                if not flags >> bit & 1:
                    out.append(data[position])
                    position += 1
                    continue
                token = int.from_bytes(data[position : position + 2], "little")
                position += 2
                if not _copy(out, token, start):
                    return bytes(out)
    return bytes(out[:most])


def _copy(out: bytearray, token: int, start: int) -> bool:
    """How many of the sixteen bits say where and how many say how much depends on how far the chunk has come."""
    bits = max(4, (max(1, len(out) - start) - 1).bit_length())
    length = (token & (0xFFFF >> bits)) + 3
    offset = (token >> (16 - bits)) + 1
    if offset > len(out) - start or len(out) - start > 4096:
        return False
    for _ in range(length):
        out.append(out[-offset])
    return True
