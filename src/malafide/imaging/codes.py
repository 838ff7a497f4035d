"""Pixels in, what a phone's camera would read from printed codes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from malafide.imaging.decode import Pixels
from malafide.imaging.signals import Box, Code
from malafide.limits import MAX_READ_PIXELS

if TYPE_CHECKING:
    from zxingcpp import Barcode

_MOST_CODES: Final = 20
_MOST_CHARACTERS: Final = 4_000
_QUIET: Final = 24  # pixels of white around: codes cut to their edge are read only with a quiet zone
_SMALLEST: Final = 21  # modules of the smallest QR code
_MOST_PIXELS: Final = 4_000_000  # a larger picture is read with every second, third, ... pixel


def read_codes(grey: Pixels) -> tuple[Code, ...]:
    """Every code in a picture of one value per pixel: turned, inverted or pale as it may be."""
    if min(grey.shape) < _SMALLEST:
        return ()
    step = 1
    while (grey.shape[0] // step) * (grey.shape[1] // step) > _MOST_PIXELS:
        step += 1
    grey = np.ascontiguousarray(grey[::step, ::step])
    found = _read(grey, step, 0)
    if not found and grey.size <= MAX_READ_PIXELS:
        found = _read(_stretched(grey), step, _QUIET)
    return tuple(found)


def _stretched(grey: Pixels) -> Pixels:
    """Contrast drawn out and a white border added, for pale codes and codes without a quiet zone."""
    low, high = np.percentile(grey[::4, ::4], (1, 99))
    clear = np.clip((grey - low) * (255.0 / max(high - low, 8.0)), 0, 255).astype(np.uint8)
    return np.pad(clear, _QUIET, constant_values=255)


def _read(grey: Pixels, step: int, border: int) -> list[Code]:
    import zxingcpp

    kind = zxingcpp.BarcodeFormat
    formats = (kind.QRCode, kind.MicroQRCode, kind.RMQRCode, kind.Aztec, kind.DataMatrix, kind.PDF417)
    results = zxingcpp.read_barcodes(
        grey, formats=zxingcpp.BarcodeFormats(formats), text_mode=zxingcpp.TextMode.Plain
    )
    return [
        Code(result.text[:_MOST_CHARACTERS], result.format.name, _box(result, step, border))
        for result in results[:_MOST_CODES]
        if result.valid and result.text
    ]


def _box(result: Barcode, step: int, border: int) -> Box:
    where = result.position
    corners = (where.top_left, where.top_right, where.bottom_left, where.bottom_right)
    xs = [max(c.x - border, 0) * step for c in corners]
    ys = [max(c.y - border, 0) * step for c in corners]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
