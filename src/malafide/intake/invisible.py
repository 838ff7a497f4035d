"""Text in, the places out where characters of no width stand that no script or emoji needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from malafide.folding import ZERO_WIDTH

_RUN: Final = re.compile("[" + "".join(sorted(ZERO_WIDTH)) + "]+")
_MAX_RUNS: Final = 500


def find_invisible(text: str) -> Iterator[tuple[int, int]]:
    """Runs of zero-width characters, save where they shape the letters or pictures around them."""
    if text.isascii():
        return
    for number, match in enumerate(_RUN.finditer(text)):
        if number == _MAX_RUNS:
            return
        start, end = match.span()
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        # Emoji, Arabic, Indic scripts: there joiners and direction marks are spelling.
        if before > "\u02ff" and (end - start == 1 or after > "\u02ff" or match[0][0] in "\ufe0e\ufe0f"):
            continue
        yield start, end
