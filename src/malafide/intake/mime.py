"""Raw mail in, its MIME parts in reading order out.

Our own walk instead of the standard parser: that one recurses (1,000 nested parts overflow the stack after
0.8 s), reads line by line (0.26 ms per mail of 6 kB against 0.08 here) and cannot be told to stop at a depth.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from typing import Final

from malafide.intake.charset import decode
from malafide.intake.headers import decode_words, from_base64, parameters
from malafide.limits import MAX_DECODED_BYTES, MAX_DEPTH, MAX_HEADERS, MAX_PARTS

TNEF: Final = b'x\x9f>"'  # how Outlook's own wrapping (winmail.dat) begins
RawHeaders = list[tuple[str, str]]  # name in lower case, value unfolded but not decoded

_MAX_HEADER_BLOCK: Final = 1_000_000
_CHARSET: Final = re.compile(rb'charset="?([A-Za-z0-9_.:-]{1,40})')
_NAME: Final = re.compile(r"[!-9;-~]{1,100}[ \t]{0,10}:")


@dataclass(slots=True)
class Entity:
    """One MIME part that is no multipart. `group` numbers the multipart/alternative around it, 0 for none."""

    type: str
    charset: str
    encoding: str
    disposition: str
    name: str
    payload: bytes
    group: int = 0
    message: int = 0  # 0 is the mail itself, n the n-th message inside it


@dataclass(slots=True)
class Dissection:
    """All of a mail, taken apart. `messages` holds the headers of the mail and of every message in it."""

    messages: list[RawHeaders] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    limitations: list[str] = field(default_factory=list)

    def limit(self, sentence: str) -> None:
        if sentence not in self.limitations:
            self.limitations.append(sentence)


@dataclass(slots=True)
class _Stretch:
    """Bytes still to be read as one entity."""

    buffer: bytes
    start: int
    end: int
    depth: int
    group: int
    message: int
    opens_message: bool
    default_type: str = "text/plain"


def dissect(data: bytes) -> Dissection:
    result = Dissection()
    data = unix_lines(data)
    budget = MAX_DECODED_BYTES
    todo = [_Stretch(data, _after_envelope(data), len(data), 0, 0, 0, True)]
    groups = 0
    while todo:
        here = todo.pop()
        if len(result.types) == MAX_PARTS:
            result.limit(f"The message has more than {MAX_PARTS} parts; the rest were not read.")
            break
        headers, body = split_headers(here.buffer, here.start, here.end, result)
        if here.opens_message:
            here.message = len(result.messages)
            result.messages.append(headers)
        kind, values = parameters(_first(headers, "content-type"))
        kind = kind if kind.count("/") == 1 and " " not in kind else here.default_type
        result.types.append(kind)
        if kind.startswith(("multipart/", "message/")) and here.depth >= MAX_DEPTH:
            result.limit(f"Parts nested deeper than {MAX_DEPTH} levels were not read.")
            continue
        if kind.startswith("multipart/"):
            pieces = _pieces(here, body, values.get("boundary", ""))
            if pieces:
                if kind == "multipart/alternative":
                    groups += 1
                group = groups if kind == "multipart/alternative" else here.group
                default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
                inner = (here.buffer, here.depth + 1, group, here.message, default)
                todo.extend(_stretches(pieces, *inner))
                continue
            kind = "text/plain"  # what mail readers show when there is no boundary to split at
        encoding = _first(headers, "content-transfer-encoding").strip().lower()
        payload = transfer_decode(here.buffer[body : here.end], encoding)
        budget -= len(payload)
        if budget < 0:
            result.limit(f"Only the first {MAX_DECODED_BYTES // 1_000_000} MB of decoded parts were read.")
            break
        if kind in ("message/rfc822", "message/global"):
            payload = unix_lines(payload)
            todo.append(_Stretch(payload, _after_envelope(payload), len(payload), here.depth + 1, 0, 0, True))
            continue
        entity = _entity(kind, values, encoding, headers, payload, here)
        if payload.startswith((TNEF, b"begin ")) or (kind == "text/plain" and b"\nbegin " in payload):
            from malafide.intake.wrapped import unwrap  # files wrapped up in a part: few mails have them

            result.entities.extend(unwrap(entity))
        else:
            result.entities.append(entity)
    return result


def _stretches(
    pieces: list[tuple[int, int]], buffer: bytes, depth: int, group: int, message: int, default: str
) -> list[_Stretch]:
    """Last first, since they are taken from the end."""
    return [
        _Stretch(buffer, start, end, depth, group, message, False, default)
        for start, end in reversed(pieces[: MAX_PARTS + 1])
    ]


def _entity(
    kind: str, values: dict[str, str], encoding: str, headers: RawHeaders, payload: bytes, here: _Stretch
) -> Entity:
    disposition, more = parameters(_first(headers, "content-disposition"))
    name = more.get("filename") or values.get("name") or ""
    if "=?" in name:
        name = decode_words(name)[0]
    return Entity(
        type=kind,
        charset=values.get("charset", "").lower()[:80],
        encoding=encoding[:80],
        disposition=disposition,
        name=" ".join(name.split())[:500],
        payload=payload,
        group=here.group,
        message=here.message,
    )


def unix_lines(data: bytes) -> bytes:
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _after_envelope(data: bytes) -> int:
    """Where the headers begin: after a byte-order mark, empty lines and the "From " line of an mbox."""
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while data.startswith(b"\n", start):
        start += 1
    if data.startswith((b"From ", b">From "), start):
        start = data.find(b"\n", start) + 1 or len(data)
    return start


def split_headers(buffer: bytes, start: int, end: int, result: Dissection) -> tuple[RawHeaders, int]:
    """The headers of an entity and where its body begins. A line that is no header ends them."""
    if buffer.startswith(b"\n", start):
        return [], min(start + 1, end)
    stop = buffer.find(b"\n\n", start, end)
    body = end if stop < 0 else stop + 2
    stop = end if stop < 0 else stop
    if stop - start > _MAX_HEADER_BLOCK:
        result.limit("The headers are longer than 1 MB; the rest of them was not read.")
        stop = start + _MAX_HEADER_BLOCK
    block = buffer[start:stop]
    lines = _header_text(block).split("\n")
    headers: list[tuple[str, list[str]]] = []
    for number, line in enumerate(lines):
        if line[:1] in (" ", "\t"):
            if headers and line.strip():
                headers[-1][1].append(line.strip())
            continue
        match = _NAME.match(line)
        if match is None:
            if line.startswith((">From ", "From ")):
                continue
            if line.strip():
                body = _line_start(buffer, start, number)
            break
        if len(headers) == MAX_HEADERS:
            result.limit(f"The message has more than {MAX_HEADERS} headers; the rest were not read.")
            break
        headers.append((match[0][:-1].rstrip().lower(), [line[match.end() :].strip()]))
    return [(name, " ".join(folded) if len(folded) > 1 else folded[0]) for name, folded in headers], body


def _header_text(block: bytes) -> str:
    """Headers should be ASCII; where they are not they are UTF-8, or written in the charset of the body."""
    declared = None if block.isascii() else _CHARSET.search(block.lower())
    if declared is None:
        return decode(block)
    try:
        return block.decode("utf-8").replace("\0", "")
    except UnicodeDecodeError:
        return decode(block, declared[1].decode("ascii"))


def _line_start(buffer: bytes, start: int, number: int) -> int:
    for _ in range(number):
        start = buffer.find(b"\n", start) + 1
    return start


def _first(headers: RawHeaders, name: str) -> str:
    for key, value in headers:
        if key == name:
            return value
    return ""


def _pieces(here: _Stretch, body: int, boundary: str) -> list[tuple[int, int]]:
    """Where the parts of a multipart stand: between lines that are the boundary and nothing else."""
    if not boundary:
        return []
    buffer, end = here.buffer, here.end
    mark = b"--" + boundary.encode("utf-8", "replace")[:200].rstrip()
    pieces: list[tuple[int, int]] = []
    opened = -1
    at = buffer.find(mark, body, end)
    while at >= 0:
        after = buffer.find(b"\n", at, end)
        after = end if after < 0 else after
        rest = buffer[at + len(mark) : min(after, at + len(mark) + 100)].strip()
        if (at == body or buffer[at - 1] == 10) and rest in (b"", b"--"):
            if opened >= 0:
                pieces.append((opened, max(opened, at - 1)))
            opened = min(after + 1, end)
            if rest == b"--" or len(pieces) > MAX_PARTS:
                return pieces
        at = buffer.find(mark, max(after, at + 1), end)
    if 0 <= opened < end:
        pieces.append((opened, end))
    return pieces


def transfer_decode(data: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return from_base64(data)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        return _from_uu(data)
    return data


def _from_uu(data: bytes) -> bytes:
    pieces: list[bytes] = []
    for line in data.split(b"\n"):
        if line.startswith((b"begin ", b"end")) or not line:
            continue
        try:
            pieces.append(binascii.a2b_uu(line))
        except binascii.Error:
            continue
    return b"".join(pieces)
