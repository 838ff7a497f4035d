"""The pictures of a PDF in, the codes and, on pages that are nothing else, the writing in them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pypdf.generic import StreamObject

from malafide.intake.pdf_pages import BROKEN, resolved
from malafide.intake.writing import Writing
from malafide.limits import MAX_IMAGE_PIXELS, MAX_READ_PIXELS

_SMALLEST: Final = 40  # pixels of the shorter side that a code for a camera needs
_MOST_READ: Final = 2  # pictures of a page read for writing: 2.4 s each
_STRETCH: Final = 8  # longer pictures are rules and ornaments


def worth_reading(image: StreamObject) -> bool:
    """Whether a picture is large enough to hold a code or a page, and small enough to be unpacked."""
    try:
        width, height = int(resolved(image.get("/Width", 0))), int(resolved(image.get("/Height", 0)))
    except BROKEN:
        return False
    short, long = sorted((width, height))
    return short >= _SMALLEST and long <= _STRETCH * short and width * height <= MAX_IMAGE_PIXELS // 2


def codes_and_text(
    images: Sequence[StreamObject], writing: Writing | None
) -> tuple[list[str], list[str], int]:
    """What the codes say, the lines of writing, and how many pictures could not be looked into."""
    codes: list[str] = []
    lines: list[str] = []
    unread = 0
    for number, image in enumerate(images):
        try:
            pixels = _pixels(image)
            from malafide.imaging.codes import read_codes

            codes.extend(code.text for code in read_codes(pixels.mean(axis=2).astype("uint8")))
            if writing is not None and number < _MOST_READ:
                lines.extend(writing.lines(pixels))
        except BROKEN:
            unread += 1
    return codes, lines, unread


def _pixels(image: StreamObject) -> Any:
    """The picture as RGB. One that was compressed for the open web is decoded by our own decoder, within its limits."""
    import numpy as np

    filters = resolved(image.get("/Filter"))
    names = [str(name) for name in filters] if isinstance(filters, list) else [str(filters)]
    if names == ["/DCTDecode"]:
        from malafide.imaging.decode import decode

        return decode(image.get_data()).upright()
    picture = image.decode_as_image()
    if picture.width * picture.height > 4 * MAX_READ_PIXELS:
        picture.thumbnail((2_000, 2_000))
    return np.asarray(picture.convert("RGB"))
