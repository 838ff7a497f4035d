"""An office file of the old kind (.doc, .xls, .ppt) in, its streams, its words and its field codes out.

Only what holds words is read: the pieces of a Word document [MS-DOC 2.4.1], the shared strings of a workbook
[MS-XLS 2.4.265], the text records of a presentation [MS-PPT 2.9.41].
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field
from typing import Any, Final

from malafide.intake.office_words import field_link
from malafide.intake.scroll import Scroll
from malafide.limits import MAX_OFFICE_MEMBER, MAX_TEXT_CHARS

# What reading a hostile file may raise: olefile's own errors are OSError.
BROKEN: Final = (
    OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, OverflowError, struct.error,
    RecursionError, MemoryError,
)  # fmt: skip
_MOST_PIECES: Final = 20_000
_MOST_RECORDS: Final = 200_000
_FIELD_STARTS, _FIELD_RESULT, _FIELD_ENDS = "\x13", "\x14", "\x15"
_SIGNS: Final = str.maketrans(
    {"\r": "\n", "\x07": "\t", "\x0b": "\n", "\x0c": "\n", "\xa0": " ", "\x1e": "-"}
)


@dataclass(slots=True)
class OldFile:
    """What an old office file holds."""

    format: str = ""  # "doc", "xls", "ppt"; "" for something else
    scroll: Scroll = field(default_factory=Scroll)
    codes: list[str] = field(default_factory=list)
    macro_sheet: bool = False
    locked: bool = False
    objects: list[tuple[str, bytes]] = field(default_factory=list)  # files packed into it
    broken: bool = False


def read_ole(data: bytes) -> OldFile:
    """What the file holds, as far as it can be read."""
    from olefile import OleFileIO  # type: ignore[import-untyped]

    out = OldFile()
    try:
        with OleFileIO(io.BytesIO(data)) as file:
            out.objects = _packed(file, len(data))
            for name, kind, read in (
                ("WordDocument", "doc", _word), ("Workbook", "xls", _book), ("Book", "xls", _book),
                ("PowerPoint Document", "ppt", _slides),
            ):  # fmt: skip
                if file.exists(name):
                    out.format = kind
                    read(file, out)
                    break
            else:
                out.locked = file.exists("EncryptedPackage")
    except BROKEN:
        out.broken = True
    return out


def packed_files(data: bytes) -> list[tuple[str, bytes]]:
    """The files packed into an OLE file: name, and content."""
    from olefile import OleFileIO

    try:
        with OleFileIO(io.BytesIO(data)) as file:
            return _packed(file, len(data))
    except BROKEN:
        return []


def _packed(file: Any, size: int) -> list[tuple[str, bytes]]:
    found = []
    for path in file.listdir()[:500]:
        if path[-1].lower() == "\x01ole10native" and file.get_size(path) <= size:
            native = file.openstream(path).read(MAX_OFFICE_MEMBER)
            name, _, rest = native[6:].partition(b"\0")
            found.append((name.decode("latin-1").rpartition("\\")[2][:300] or "unnamed", rest))
    return found[:20]


def _stream(file: Any, name: str) -> bytes:
    data: bytes = file.openstream(name).read(MAX_OFFICE_MEMBER)
    return data


def _word(file: Any, out: OldFile) -> None:
    head = _stream(file, "WordDocument")
    (flags,) = struct.unpack_from("<H", head, 10)
    if flags & 0x0100:
        out.locked = True
        return
    table = _stream(file, "1Table" if flags & 0x0200 else "0Table")
    position, size = struct.unpack_from("<II", head, 0x01A2)
    pieces = table[position : position + size]
    while pieces[:1] == b"\x01":  # formatting before the pieces
        pieces = pieces[3 + struct.unpack_from("<H", pieces, 1)[0] :]
    if pieces[:1] != b"\x02":
        raise ValueError("no table of pieces")
    count = min((struct.unpack_from("<I", pieces, 1)[0] - 4) // 12, _MOST_PIECES)
    ends = struct.unpack_from(f"<{count + 1}I", pieces, 5)
    text: list[str] = []
    left = MAX_TEXT_CHARS
    for number in range(count):
        (where,) = struct.unpack_from("<I", pieces, 5 + 4 * (count + 1) + 8 * number + 2)
        letters = min(max(0, ends[number + 1] - ends[number]), left)
        left -= letters
        if where & 0x40000000:
            start = (where & 0x3FFFFFFF) // 2
            text.append(head[start : start + letters].decode("cp1252", "replace"))
        else:
            text.append(head[where : where + 2 * letters].decode("utf-16-le", "replace"))
    _tell("".join(text), out)


def _tell(text: str, out: OldFile) -> None:
    """Text with its field codes: a code stands between two signs, its result between the second and a third."""
    opened: list[tuple[str, int]] = []
    code = ""
    in_code = False
    for piece in _pieces(text):
        if piece == _FIELD_STARTS:
            in_code, code = True, ""
        elif piece == _FIELD_RESULT:
            in_code = False
            opened.append((code, out.scroll.length))
        elif piece == _FIELD_ENDS:
            done, start = opened.pop() if opened and not in_code else (code, out.scroll.length)
            in_code = False
            target = field_link(done)
            if target:
                out.scroll.link(target, start)
            elif done.strip() and len(out.codes) < 50:
                out.codes.append(" ".join(done.split())[:4_000])
        elif in_code:
            code += piece[:4_000]
        else:
            out.scroll.words(_clean(piece))


def _pieces(text: str) -> list[str]:
    for sign in (_FIELD_STARTS, _FIELD_RESULT, _FIELD_ENDS):
        text = text.replace(sign, f"\0{sign}\0")
    return [piece for piece in text.split("\0") if piece]


def _clean(text: str) -> str:
    text = text.translate(_SIGNS)
    return "".join(c for c in text if c >= " " or c in "\n\t").encode("utf-8", "replace").decode("utf-8")


def _book(file: Any, out: OldFile) -> None:
    data = _stream(file, "Workbook" if file.exists("Workbook") else "Book")
    position = 0
    strings: list[bytes] = []
    before = 0
    for _ in range(_MOST_RECORDS):
        if position + 4 > len(data):
            break
        kind, size = struct.unpack_from("<HH", data, position)
        body = data[position + 4 : position + 4 + size]
        position += 4 + size
        if kind == 0x2F:  # what follows is encrypted
            out.locked = True
            return
        if kind == 0x85 and len(body) > 5 and body[5] == 1:
            out.macro_sheet = True
        if kind == 0xFC or (kind == 0x3C and before == 0xFC):  # the shared strings, and what continues them
            strings.append(body)
            kind = 0xFC
        elif kind == 0x0204 and len(body) > 8:  # a label of the oldest workbooks
            out.scroll.words(_clean(body[8:].decode("cp1252", "replace")))
            out.scroll.line()
        elif kind == 0x01B8:
            _cell_link(body, out)
        elif (
            kind == 0x06 and (at := body.find(b"http")) > 2
        ):  # a formula; its words stand behind their length
            out.scroll.link(body[at : at + body[at - 2]].decode("latin-1"), out.scroll.length)
        before = kind
    for text in _shared(strings):
        out.scroll.words(_clean(text))
        out.scroll.line()


def _cell_link(body: bytes, out: OldFile) -> None:
    at = body.find("http".encode("utf-16-le"))
    if at >= 0:
        target = body[at : at + 4_000].decode("utf-16-le", "replace").partition("\0")[0]
        out.scroll.link(target, out.scroll.length)


def _shared(records: list[bytes]) -> list[str]:
    """The shared strings. Where one goes on in the next record, that begins with a byte of its own."""
    found: list[str] = []
    if not records:
        return found
    record, position = 0, 8
    left = MAX_TEXT_CHARS
    while record < len(records) and left > 0:
        body = records[record]
        if position + 3 > len(body):
            record, position = record + 1, 0
            continue
        letters, flags = struct.unpack_from("<HB", body, position)
        position += 3
        runs = phonetic = 0
        if flags & 8:
            (runs,) = struct.unpack_from("<H", body, position)
            position += 2
        if flags & 4:
            (phonetic,) = struct.unpack_from("<I", body, position)
            position += 4
        text: list[str] = []
        wide = flags & 1
        while letters > 0 and record < len(records):
            body = records[record]
            take = min(letters, (len(body) - position) // (2 if wide else 1))
            size = take * (2 if wide else 1)
            text.append(
                body[position : position + size].decode("utf-16-le" if wide else "latin-1", "replace")
            )
            position += size
            letters -= take
            if letters > 0:
                record, position = record + 1, 1
                wide = records[record][0] & 1 if record < len(records) and records[record] else 0
        position += 4 * runs + phonetic
        found.append("".join(text))
        left -= len(found[-1]) + 1
    return found


def _slides(file: Any, out: OldFile) -> None:
    data = _stream(file, "PowerPoint Document")
    out.locked = file.exists("EncryptedSummary")
    position = 0
    for _ in range(_MOST_RECORDS):
        if position + 8 > len(data):
            break
        version, kind, size = struct.unpack_from("<HHI", data, position)
        position += 8
        if version & 0xF == 0xF:  # holds other records
            continue
        if kind in (0x0FA0, 0x0FA8):
            body = data[position : position + min(size, 2 * MAX_TEXT_CHARS)]
            out.scroll.words(_clean(body.decode("utf-16-le" if kind == 0x0FA0 else "latin-1", "replace")))
            out.scroll.line()
        elif kind == 0x0FBA:
            target = data[position : position + min(size, 4_000)].decode("utf-16-le", "replace").strip("\0")
            if target.startswith(("http:", "https:")):
                out.scroll.link(target, out.scroll.length)
        position += size
