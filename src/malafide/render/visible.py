"""Message text on its way to a screen: what could steer a terminal or turn the reading order goes.

Every character stays one character or goes away, so that marks keep their place.
"""

from __future__ import annotations

import unicodedata
from typing import Final

# Joiners and emoji selectors are part of honest writing in many scripts and can steer nothing.
_KEPT: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
_REPLACEMENT: Final = "\ufffd"


def _shown(character: str) -> str:
    if character == "\n" or character in _KEPT:
        return character
    if character in "\t\v\f\x85\xa0":
        return " "
    if character in "\u2028\u2029":
        return "\n"
    if character == "\r":
        return ""
    category = unicodedata.category(character)
    if category == "Cc":
        code = ord(character)
        # The symbols for C0 controls are printable: a reader sees that there was an escape character.
        return chr(0x2400 + code) if code < 0x20 else _REPLACEMENT
    if category == "Cs":
        return _REPLACEMENT
    return "" if category == "Cf" else character


class _Table(dict[int, str]):
    """A translation table that learns each character the first time it is met."""

    def __missing__(self, code: int) -> str:
        shown = _shown(chr(code))
        self[code] = shown
        return shown


_table = _Table()


def visible(text: str) -> str:
    """The text with nothing in it that acts instead of being read."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_table)


def one_line(text: str, most: int) -> str:
    """The text on one line of at most that many characters."""
    # White space is folded on a bounded stretch: a quote or name may be as long as a message.
    line = " ".join(visible(text[: most * 4]).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
