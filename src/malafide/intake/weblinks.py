"""Plain text in, the addresses written out in it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_REST: Final = re.compile(r"[^\s<>\"]{1,4000}")
_SCHEMES: Final = ("https", "http", "ftp")
_WWW: Final = ("www.", "WWW.", "Www.")
_TRAILING: Final = ".,;:!?'*_|`´’”»…\\"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


def find_urls(text: str) -> Iterator[tuple[int, int]]:
    """Where addresses stand, without the punctuation of the sentence around them."""
    reached = 0
    for start in _starts(text):
        if start < reached:
            continue  # inside the address before
        match = _REST.match(text, start)
        if match is None:
            continue
        end = start + len(_trim(match[0]))
        reached = end
        if end - start > 8 or "." in text[start + 4 : end]:
            yield start, end


def _starts(text: str) -> list[int]:
    """Looked for by plain search: a pattern tried at each character took four times as long."""
    starts: list[int] = []
    at = text.find("://")
    while at >= 0:
        before = text[max(0, at - 5) : at].lower()
        scheme = next((name for name in _SCHEMES if before.endswith(name)), "")
        if scheme:
            starts.append(at - len(scheme))
        at = text.find("://", at + 3)
    for mark in _WWW:
        at = text.find(mark)
        while at >= 0:
            before = text[at - 1 : at]
            if not before or not (before.isalnum() or before in "@./-_"):
                starts.append(at)
            at = text.find(mark, at + 4)
    starts.sort()
    return starts


def _trim(url: str) -> str:
    if url[-1] not in _TRAILING and url[-1] not in _BRACKETS:
        return url
    unopened = {closing: url.count(closing) - url.count(opening) for closing, opening in _BRACKETS.items()}
    end = len(url)
    while end:
        last = url[end - 1]
        if last in _BRACKETS and unopened[last] > 0:
            unopened[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return url[:end]
