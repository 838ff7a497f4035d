"""What a trace hands to the fusion: a score with a place, or the reason why it cannot judge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from malafide.imaging.blocks import Map, window_sums
from malafide.imaging.signals import Box, TraceName


@dataclass(frozen=True, eq=False, slots=True)
class Finding:
    """One trace's answer, in stored pixels. `heat` has one value per 8x8 block, 0 to 1."""

    name: TraceName
    score: float
    sentence: str
    region: Box | None = None
    heat: Map | None = None


@dataclass(frozen=True, slots=True)
class NoJudgement:
    """The trace says nothing about this picture, for a reason a reader understands."""

    sentence: str


def squashed(value: float, threshold: float, width: float) -> float:
    """0 to 1, one half at the threshold."""
    return 1 / (1 + math.exp(min(max((threshold - value) / width, -50), 50)))


@dataclass(frozen=True, slots=True)
class Peak:
    value: float
    top: int  # in cells
    left: int
    height: int
    width: int

    def box(self, cell: int, top: int = 0, left: int = 0) -> Box:
        return Box(left + self.left * cell, top + self.top * cell, self.width * cell, self.height * cell)


# Windows in 8x8 blocks, height x width: from a line of writing to a person.
_SHAPES = ((4, 4), (3, 10), (6, 6), (4, 20), (10, 10), (16, 16))


def strongest_window(values: Map, judged: Map) -> Peak | None:
    """Where the mean over judged cells is highest; larger windows count more, since chance averages out."""
    best: Peak | None = None
    for height, width in _SHAPES:
        if height > values.shape[0] or width > values.shape[1]:
            continue
        count = window_sums(judged, height, width)
        mean = window_sums(values * judged, height, width) / np.maximum(count, 1)
        worth = np.where(count >= 0.5 * height * width, mean * (height * width / 16) ** 0.25, -np.inf)
        top, left = np.unravel_index(int(worth.argmax()), worth.shape)
        value = float(worth[top, left])
        if np.isfinite(value) and (best is None or value > best.value):
            best = Peak(value, int(top), int(left), height, width)
    return best


def largest_sum(values: Map, judged: Map) -> Peak:
    """Where the sum is farthest above zero, in spreads of single cells times the root of their number."""
    kept = values[judged > 0]
    spread = float(kept.std()) + 0.05 if kept.size else 1.0
    best = Peak(-math.inf, 0, 0, 1, 1)
    for height, width in (*_SHAPES, (8, 24), (22, 22)):
        if height > values.shape[0] or width > values.shape[1]:
            continue
        count = window_sums(judged, height, width)
        sums = window_sums(values * judged, height, width)
        worth = np.where(
            count >= 0.5 * height * width, sums / np.sqrt(np.maximum(count, 1)) / spread, -np.inf
        )
        top, left = np.unravel_index(int(worth.argmax()), worth.shape)
        if float(worth[top, left]) > best.value:
            best = Peak(float(worth[top, left]), int(top), int(left), height, width)
    return best
