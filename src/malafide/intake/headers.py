"""Raw header text in, decoded words and parameters out, in time that grows no faster than the header."""

from __future__ import annotations

import binascii
import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import unquote_to_bytes

from malafide.intake.charset import decode
from malafide.limits import MAX_HEADER_CHARS

_WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_PARAMETER: Final = re.compile(r';\s*([^\s=;"]{1,80})\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)')
_PROSE: Final = re.compile(rb"\n[^\n \t]{0,100}[ \t]{1,100}[^\s]")
_MAX_RAW: Final = 3 * MAX_HEADER_CHARS  # encoded text is up to three times as long as its meaning
_MAX_PARAMETER_CHARS: Final = 4_000


def decode_words(raw: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of a header, and the stretches that came from encoded words (no syntax there)."""
    if "=?" not in raw:
        return raw[:MAX_HEADER_CHARS], []
    raw = raw[:_MAX_RAW]
    pieces: list[str] = []
    encoded: list[tuple[int, int]] = []
    length = position = 0
    waiting, waiting_charset = b"", ""

    def put(text: str, was_encoded: bool) -> None:
        nonlocal length
        if text:
            pieces.append(text)
            if was_encoded:
                encoded.append((length, length + len(text)))
            length += len(text)

    for match in _WORD.finditer(raw):
        charset = match[1].partition("*")[0].lower()
        between = raw[position : match.start()]
        # White space between two encoded words is no text, and a character may be cut in two by them.
        if position and not between.strip():
            between = ""
        if between or charset != waiting_charset:
            put(_one_line(decode(waiting, waiting_charset)), True)
            waiting = b""
            put(between, False)
        waiting += _word_bytes(match[3], match[2])
        waiting_charset = charset
        position = match.end()
    put(_one_line(decode(waiting, waiting_charset)), True)
    put(raw[position:], False)
    return "".join(pieces)[:MAX_HEADER_CHARS], encoded


def _word_bytes(text: str, encoding: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "bB":
        return from_base64(raw)
    return binascii.a2b_qp(raw, header=True)


def from_base64(data: bytes) -> bytes:
    """What can be decoded; a broken tail is dropped, and so is plain text that a list added at the end."""
    padding = data.find(b"=")
    if 0 <= padding < len(data) - 4:
        data = data[: padding + 2]
    if b" " in data and (prose := _PROSE.search(data)):
        data = data[: prose.start()]
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        pass
    kept = data.translate(None, delete=_NOT_BASE64)
    kept = kept[: len(kept) // 4 * 4 + (len(kept) % 4 if len(kept) % 4 > 1 else 0)]
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))


_NOT_BASE64: Final = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
)


def _one_line(text: str) -> str:
    """Line ends smuggled in by an encoded word would make other headers of it."""
    return text if text.isprintable() else " ".join(text.splitlines())


def parameters(raw: str) -> tuple[str, dict[str, str]]:
    """ "text/html; charset=x" as ("text/html", {"charset": "x"}), with RFC 2231 pieces put together."""
    value, semicolon, _ = raw[:_MAX_PARAMETER_CHARS].partition(";")
    found: dict[str, str] = {}
    if semicolon:
        for match in _PARAMETER.finditer(raw[:_MAX_PARAMETER_CHARS]):
            text = match[2].strip()
            if text[:1] == '"':
                text = text.strip('"').replace('\\"', '"')
            found.setdefault(match[1].lower(), text)
        if any("*" in name for name in found):
            found = _join_continued(found)
    return value.strip().lower(), found


def _join_continued(found: dict[str, str]) -> dict[str, str]:
    whole: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for name, text in found.items():
        base, star, rest = name.partition("*")
        if not star:
            whole.setdefault(base, text)
            continue
        number = rest.rstrip("*")
        order = int(number) if number.isdecimal() and len(number) < 4 else 0
        pieces.setdefault(base, []).append((order, name.endswith("*"), text))
    for base, several in pieces.items():
        several.sort(key=lambda piece: piece[0])
        charset = ""
        if several[0][1] and several[0][2].count("'") >= 2:
            charset, _, first = several[0][2].split("'", 2)
            several[0] = (0, True, first)
        data = b"".join(
            unquote_to_bytes(text) if percent else text.encode("utf-8", "replace")
            for _, percent, text in several
        )
        whole[base] = decode(data, charset)
    return whole


def parse_date(raw: str) -> datetime | None:
    try:
        return parsedate_to_datetime(raw[:100])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
