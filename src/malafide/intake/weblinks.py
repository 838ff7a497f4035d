"""Plain text in, the addresses written out in it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_URL: Final = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"]{2,4000}", re.IGNORECASE)
_TRAILING: Final = ".,;:!?'*_|`´’”»…\\"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


def find_urls(text: str) -> Iterator[tuple[int, int]]:
    """Where addresses stand, without the punctuation of the sentence around them."""
    if "://" not in text and "www." not in text and "WWW." not in text:
        return
    for match in _URL.finditer(text):
        start, end = match.span()
        if start and text[start].lower() == "w" and (text[start - 1].isalnum() or text[start - 1] in "@./-_"):
            continue  # the middle of something else
        end = start + len(_trim(text[start:end]))
        if end - start > 8 or "." in text[start + 4 : end]:
            yield start, end


def _trim(url: str) -> str:
    while url:
        last = url[-1]
        if last in _TRAILING or (last in _BRACKETS and url.count(last) > url.count(_BRACKETS[last])):
            url = url[:-1]
        else:
            break
    return url
