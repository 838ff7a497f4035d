"""A decoded address header in, mailboxes with their spans out; bounded, and deaf to syntax inside quotes."""

from __future__ import annotations

from typing import Final

from malafide.case import Address, Span
from malafide.limits import MAX_ADDRESSES

_MAX_NAME: Final = 500  # longer, and a list of words with no address in it would take quadratic time


def parse_addresses(
    text: str, encoded: list[tuple[int, int]], part: str, offset: int = 0
) -> tuple[Address, ...]:
    """The mailboxes in a header value that stands at `offset` in `part`."""
    shape = _shape(text, encoded)
    found: list[Address] = []
    for start, end in _elements(shape):
        address = _mailbox(text, shape, start, end)
        if address is not None:
            name, mailbox = address
            found.append(Address(name, mailbox, Span(part, offset + start, offset + end)))
            if len(found) == MAX_ADDRESSES:
                break
    return tuple(found)


def _shape(text: str, encoded: list[tuple[int, int]]) -> str:
    """`text` with everything that is no syntax (encoded words, quoted strings, comments) made "x"."""
    shape = text
    for start, end in encoded:
        shape = shape[:start] + "x" * (min(end, len(text)) - start) + shape[end:]
    if '"' in shape:
        shape = _mask(shape, '"', '"')
    if "(" in shape:
        shape = _mask(shape, "(", ")")
    return shape


def _mask(shape: str, opening: str, closing: str) -> str:
    pieces: list[str] = []
    position = 0
    while (start := shape.find(opening, position)) >= 0:
        end = shape.find(closing, start + 1)
        while end > 0 and closing == '"' and shape[end - 1] == "\\":
            end = shape.find(closing, end + 1)
        if end < 0:
            break
        pieces += (shape[position : start + 1], "x" * (end - start - 1), closing)
        position = end + 1
    return "".join(pieces) + shape[position:]


def _elements(shape: str) -> list[tuple[int, int]]:
    """Where each mailbox stands. In `Doe, John <j@example.com>` the piece with no @ belongs to the next."""
    elements: list[tuple[int, int]] = []
    start = position = 0
    for piece in shape.replace(";", ",").split(","):
        end = position + len(piece)
        position = end + 1
        colon = piece.find(":")
        if colon >= 0 and "@" not in piece[:colon] and "<" not in piece[:colon]:
            start = end - len(piece) + colon + 1  # the name of a group
        whole = shape[start:end]
        if "@" not in whole and "<" not in whole and end < len(shape) and len(whole) < _MAX_NAME:
            continue
        lead = len(whole) - len(whole.lstrip())
        if whole.strip():
            elements.append((start + lead, start + len(whole.rstrip())))
        start = position
        if len(elements) == MAX_ADDRESSES:
            break
    return elements


def _mailbox(text: str, shape: str, start: int, end: int) -> tuple[str, str] | None:
    opening = shape.rfind("<", start, end)
    if opening >= 0:
        closing = shape.find(">", opening, end)
        mailbox = text[opening + 1 : closing if closing >= 0 else end]
        name = text[start:opening].strip() or text[closing + 1 : end].strip(" ()")
        mailbox = mailbox.strip()
        return (_unquote(name), mailbox.lower()) if name or mailbox else None
    if "@" not in shape[start:end]:
        name = _unquote(text[start:end])
        return (name, "") if name.strip(";, ") else None
    position = start
    for token in shape[start:end].split(" "):
        if "@" in token:
            mailbox = text[position : position + len(token)]
            name = (text[start:position] + text[position + len(token) : end]).strip().strip("()")
            return _unquote(name), mailbox.strip("()[]<>").lower()
        position += len(token) + 1
    return None


def _unquote(name: str) -> str:
    name = name.strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1].replace('\\"', '"').replace("\\\\", "\\").strip()
    return name
