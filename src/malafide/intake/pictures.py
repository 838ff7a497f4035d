"""The bytes of a picture that came with a mail in, what a phone's camera would read from it out.

A code in a picture is a link that no filter of words sees. Pictures are read within one budget per mail, so that
a mail full of them costs no more than a second.
"""

from __future__ import annotations

from typing import Final

from malafide.errors import InputTooLarge, MalafideError

PICTURES: Final = frozenset(("png", "jpg", "gif", "bmp", "tiff", "riff"))
MAX_CODE_PIXELS: Final = 4_000_000  # of all pictures of one mail; reading as much noise takes 0.9 s
_SMALLEST: Final = 100  # bytes; a picture with a code in it has more
_MOST_CHARACTERS: Final = 2_000


class CodeReader:
    """Reads codes until the budget of one mail is spent."""

    def __init__(self) -> None:
        self._left = MAX_CODE_PIXELS
        self.unread = 0

    def texts(self, data: bytes) -> list[str]:
        """What the codes in the picture say; nothing for what is no picture."""
        if len(data) < _SMALLEST:
            return []
        from malafide.imaging.codes import read_codes
        from malafide.imaging.decode import decode_grey

        try:
            grey = decode_grey(data, self._left)
        except InputTooLarge:
            self.unread += 1
            return []
        except MalafideError:
            return []
        self._left -= grey.size
        return [" ".join(code.text[:_MOST_CHARACTERS].split()) for code in read_codes(grey)]
