"""A picture and its signals in, a PNG out on which the suspicious place is marked."""

from __future__ import annotations

import io
from typing import Final

import numpy as np

from malafide.imaging.decode import decode
from malafide.imaging.signals import ImageSignals

_LONGEST: Final = 1_200  # pixels of the drawing's longer side
_RED: Final = (214, 40, 40)


def marked_png(data: bytes, signals: ImageSignals) -> bytes:
    """The upright picture, the heat map laid over it in red and the strongest region framed."""
    from PIL import Image, ImageDraw

    image = Image.fromarray(decode(data).upright())
    scale = min(1.0, _LONGEST / max(image.size))
    size = (max(round(image.width * scale), 1), max(round(image.height * scale), 1))
    image = image.resize(size)
    if signals.heat_map is not None and signals.heat_map.width:
        heat = np.asarray(signals.heat_map.rows, dtype=np.float64)
        veil = Image.fromarray((np.clip(heat, 0, 1) * 140).astype(np.uint8)).resize(size)
        image.paste(Image.new("RGB", size, _RED), mask=veil)
    region = signals.region
    if region is not None:
        left, top = round(region.left * scale), round(region.top * scale)
        right = max(round((region.left + region.width) * scale) - 1, left + 1)
        bottom = max(round((region.top + region.height) * scale) - 1, top + 1)
        ImageDraw.Draw(image).rectangle((left, top, right, bottom), outline=_RED, width=3)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
