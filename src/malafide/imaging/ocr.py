"""Pixels in, lines of writing out, as they stand: a reader that keeps `paypa1` and does not "correct" it.

The engine and its models come with the extra `ocr`; it is loaded on first use (1 s) and kept.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from malafide.errors import MissingExtra
from malafide.imaging.decode import Pixels
from malafide.imaging.signals import Box, TextLine
from malafide.limits import MAX_READ_PIXELS

if TYPE_CHECKING:
    from rapidocr import RapidOCR

_MOST_LINES: Final = 200
_SURE: Final = 0.5  # lines read with less are left out
_SMALLEST: Final = 12  # pixels of either side
_THREADS: Final = 2
# Pixels of the longer side in which lines are looked for: 640 finds the same lines of 14 point text in a page of
# 1000 pixels as 960 does, for half the time. Lines are read one by one: padding them to a batch cost 15 % more.
_DETECTED: Final = 640


def available() -> bool:
    """Whether the extra is installed; asks without loading it."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read_text(pixels: Pixels) -> tuple[TextLine, ...]:
    """The writing in the upright picture, from top to bottom."""
    engine = _engine()
    if min(pixels.shape[:2]) < _SMALLEST:
        return ()
    small, scale = _reduced(pixels)
    result: Any = engine(small[:, :, ::-1], use_cls=False)
    if result.txts is None or result.boxes is None:
        return ()
    rows = zip(result.txts, result.scores, result.boxes, strict=True)
    return tuple(
        TextLine(str(text), round(float(sure), 4), _box(corners, scale))
        for text, sure, corners in list(rows)[:_MOST_LINES]
        if sure >= _SURE and str(text).strip()
    )


@cache
def _engine() -> RapidOCR:
    if not available():
        raise MissingExtra("reading text in pictures needs the extra 'ocr': pip install 'malafide[ocr]'")
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # upside-down lines: a second model for what mail and posts do not have
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTED,
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _reduced(pixels: Pixels) -> tuple[Pixels, float]:
    """At most a million pixels, and by how much they were made smaller."""
    from PIL import Image

    size = pixels.shape[0] * pixels.shape[1]
    if size <= MAX_READ_PIXELS:
        return pixels, 1.0
    scale = math.sqrt(MAX_READ_PIXELS / size)
    shape = (max(int(pixels.shape[1] * scale), 1), max(int(pixels.shape[0] * scale), 1))
    return np.asarray(Image.fromarray(pixels).resize(shape, Image.Resampling.BOX)), scale


def _box(corners: Any, scale: float) -> Box:
    points = np.asarray(corners, dtype=np.float64) / scale
    left, top = (max(int(v), 0) for v in points.min(axis=0))
    right, bottom = (math.ceil(v) for v in points.max(axis=0))
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))
