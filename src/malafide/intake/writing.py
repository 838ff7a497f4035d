"""Pictures in, what is written in them out, until the time one message may take is spent.

Reading a picture takes seconds, so only whoever assesses a single message does it; who sorts a stream of mail does not.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from malafide.errors import MalafideError
from malafide.intake.pictures import CodeReader
from malafide.limits import MAX_WRITING_SECONDS

if TYPE_CHECKING:
    from malafide.imaging.decode import Pixels

_NEEDED: Final = "that needs the extra 'ocr' (pip install 'malafide[ocr]')"
_SMALLEST: Final = (40, 8_000)  # pixels of the shorter side, and in all: smaller pictures are icons and logos
MOST_PICTURES: Final = 2  # of a mail; 2.4 s each


class Writing:
    """Reads writing in pictures within the time of one message."""

    def __init__(self) -> None:
        self._left = MAX_WRITING_SECONDS
        self.unread = False  # the time was up before everything was read

    @property
    def missing(self) -> str:
        """Why nothing can be read; "" when it can."""
        from malafide.imaging import ocr

        return "" if ocr.available() else _NEEDED

    def lines(self, pixels: Pixels) -> list[str]:
        """The lines written in a picture."""
        from malafide.imaging import ocr

        if self._left <= 0:
            self.unread = True
            return []
        started = time.monotonic()
        try:
            return [line.text for line in ocr.read_text(pixels)]
        finally:
            self._left -= time.monotonic() - started

    def lines_of(self, data: bytes) -> list[str]:
        """The same for the bytes of a picture; nothing for what cannot be decoded."""
        from malafide.imaging.decode import decode

        try:
            picture = decode(data)
        except MalafideError:
            return []
        return self.lines(picture.upright())


@dataclass(slots=True)
class Eyes:
    """What looks into the pictures of one message and of the documents that came with it: one budget for all."""

    codes: CodeReader = field(default_factory=CodeReader)
    writing: Writing | None = None  # None where there is no time for it


def worth_reading(data: bytes) -> int:
    """The pixels of a picture that may hold a message; 0 for icons, ornaments and what is no picture."""
    from malafide.imaging.decode import open_image

    try:
        width, height = open_image(data).size
    except MalafideError:
        return 0
    fewest, in_all = _SMALLEST
    return width * height if min(width, height) >= fewest and width * height >= in_all else 0
