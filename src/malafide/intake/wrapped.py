"""A part of a mail in, the files wrapped up in it out: uuencoded ones in text, those in Outlook's winmail.dat."""

from __future__ import annotations

import binascii
import re
import struct
from dataclasses import replace
from typing import Final

from malafide.intake.mime import TNEF, Entity
from malafide.limits import MAX_DECODED_BYTES, MAX_PARTS

_BEGIN: Final = re.compile(rb"^begin [0-7]{3,4} ([^\n]{1,200})\n", re.MULTILINE)
_MOST: Final = 20
_RENDERING, _TITLE, _DATA, _BODY, _PROPERTIES = 0x69002, 0x18010, 0x6800F, 0x2800C, 0x69005
_TYPE_TEXT, _TYPE_WIDE = 0x001E, 0x001F


def unwrap(entity: Entity) -> list[Entity]:
    """The part itself, without the files in it, and those files."""
    if entity.payload.startswith(TNEF):
        return _tnef(entity)
    if entity.type == "text/plain" and b"begin " in entity.payload:
        return _uuencoded(entity)
    return [entity]


def _uuencoded(entity: Entity) -> list[Entity]:
    """Text with files written into it, from `begin` to `end`."""
    text = entity.payload
    kept: list[bytes] = []
    files: list[Entity] = []
    position = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < position or len(files) == _MOST:
            continue
        stop = text.find(b"\nend", begin.end() - 1)
        lines = text[begin.end() : len(text) if stop < 0 else stop].split(b"\n")
        content = _decoded(lines)
        if content is None:
            continue
        kept.append(text[position : begin.start()])
        position = len(text) if stop < 0 else stop + 4
        name = " ".join(begin[1].decode("utf-8", "replace").split())
        files.append(replace(entity, type="application/octet-stream", encoding="x-uuencode", disposition="attachment",
                             name=name, payload=content, group=0))  # fmt: skip
    if not files:
        return [entity]
    kept.append(text[position:])
    return [replace(entity, payload=b"".join(kept)), *files]


def _decoded(lines: list[bytes]) -> bytes | None:
    """None for what only looks like it: a sentence that begins with "begin 100 times"."""
    content = bytearray()
    for line in lines:
        if not line.strip():
            continue
        try:
            content += binascii.a2b_uu(line)
        except binascii.Error:
            # Writers pad lines in their own ways: the first byte says how many letters count.
            try:
                content += binascii.a2b_uu(line[: ((line[0] - 32) & 63) * 4 // 3 + 5])
            except binascii.Error:
                return None
    return bytes(content) or None


def _tnef(entity: Entity) -> list[Entity]:
    """Attributes of four bytes of name, four of length and a checksum, one after the other [MS-OXTNEF 2.1.3]."""
    data = entity.payload
    file = replace(entity, type="application/octet-stream", disposition="attachment", name="", payload=b"")
    found: list[Entity] = []
    position = 6
    left = MAX_DECODED_BYTES
    while position + 11 <= len(data) and len(found) < MAX_PARTS:
        name, size = struct.unpack_from("<II", data, position + 1)
        body = data[position + 9 : position + 9 + size]
        position += 9 + size + 2
        if name == _RENDERING:
            found.append(replace(file))
        elif name == _BODY:
            found.append(
                replace(entity, type="text/plain", disposition="inline", name="", payload=body.rstrip(b"\0"))
            )
        elif name == _TITLE and found:
            found[-1].name = found[-1].name or " ".join(
                body.partition(b"\0")[0].decode("cp1252", "replace").split()
            )
        elif name == _DATA and found and left > 0:
            left -= len(body)
            found[-1].payload = body
        elif name == _PROPERTIES and found:
            found[-1].name = _long_name(body) or found[-1].name
    return [entity, *found]


def _long_name(properties: bytes) -> str:
    """The whole name of an attachment; its title is often cut to eight letters and three."""
    for kind, encoding in ((_TYPE_WIDE, "utf-16-le"), (_TYPE_TEXT, "cp1252")):
        at = properties.find(struct.pack("<HHI", kind, 0x3707, 1))
        if at >= 0 and at + 12 <= len(properties):
            (length,) = struct.unpack_from("<I", properties, at + 8)
            raw = properties[at + 12 : at + 12 + min(length, 1_000)]
            return " ".join(raw.decode(encoding, "replace").replace("\0", "").split())[:500]
    return ""
