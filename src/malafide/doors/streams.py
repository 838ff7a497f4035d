"""Standard output and error as they really are: any encoding, a terminal or a file."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console

# One character for one, so that columns stay under each other on a terminal that lacks the sign.
_STAND_INS: Final = {
    "✖": "!", "✔": "+", "▲": "?", "‹": "<", "›": ">", "×": "x", "·": "-", "…": "~", "“": '"', "”": '"',
    "–": "-", "’": "'", "─": "-", "│": "|",
}  # fmt: skip
_WIDTH_OF_FILES: Final = 100


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_STAND_INS.get(character, "?") for character in lost), error.end


def prepare() -> None:
    """Makes printing safe whatever the encoding; what it lacks is written by a stand-in."""
    codecs.register_error("malafide", _stand_in)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="malafide")


def console() -> Console:
    """Standard output for reports. In a file or pipe they are as wide as a page, unless COLUMNS says so."""
    from rich.console import Console

    fixed = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(
        file=sys.stdout, width=_WIDTH_OF_FILES if fixed else None, highlight=False, markup=False, emoji=False
    )


def say(line: str) -> None:
    """A line for the person, on standard error."""
    print(line, file=sys.stderr, flush=True)


def print_json(value: Any, *, pretty: bool) -> None:
    """The value as JSON, on one line or indented. Any reader gets back the very same characters."""
    from malafide.render.json_text import json_text

    print(json_text(value, pretty=pretty, plain=not _speaks_utf8()))


def _speaks_utf8() -> bool:
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").replace("_", "").startswith("utf")


class Progress:
    """One line on standard error that counts mails, when somebody is there to see it."""

    def __init__(self) -> None:
        self._shown = False
        self._seen_by_someone = sys.stderr.isatty()

    def show(self, line: str) -> None:
        if self._seen_by_someone:
            sys.stderr.write(f"\r\x1b[2K{line}")
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        """Takes the line away, so that output may go to the same terminal."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._shown = False
