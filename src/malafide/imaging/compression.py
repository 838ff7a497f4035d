"""Pixels in, one trace out: stretches that lack the JPEG history the rest of the picture has.

Saving as JPEG rounds each frequency of each 8x8 block to multiples of a step. Saved once more with finer
steps, or as PNG, the first rounding still shows as gaps in how often each value occurs. What was put in
afterwards, or moved off the 8x8 grid, has values in the gaps. For every frequency the first step is found by
likelihood: the values without any first rounding are those of the same picture cut four pixels off the grid,
and each candidate step is applied to them. Text and texture are in both hypotheses alike, so they do not alarm.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from malafide.imaging.blocks import DCT, Map, middle_and_spread, tiles, transformed
from malafide.imaging.decode import Picture, Plane
from malafide.imaging.findings import Finding, NoJudgement, largest_sum, squashed, strongest_window

# The twenty lowest frequencies save the mean: higher ones are mostly zero.
_FREQUENCIES: Final = sorted(((i, j) for i in range(8) for j in range(8) if 0 < i + j <= 6), key=sum)[:20]
_MOST_STEPS: Final = 64
_LEVELS: Final = {True: 60, False: 150}  # values told apart, of a JPEG file and of any other
_FEWEST: Final = 150  # values of a frequency that say something
_GAIN: Final = 0.02  # nats per value by which a first rounding must explain a frequency better
_HISTORY: Final = 0.25  # nats per block over all frequencies; pictures saved once reach 0.2
_STANDARD: Final = 0.7  # share of the free fit that a standard table must reach
_CLIPPED: Final = 4  # pixels of a block at black or white, which no longer tell how they were rounded
# Means of log-likelihood over a window: 3 of 160 untouched pictures of the tuning seeds came to 3.4 to 4.1.
_THRESHOLD: Final = 4.2
_WIDTH: Final = 0.7
# Where the history is beyond doubt, sums over larger windows count too, in spreads of the blocks: untouched
# pictures stay below 2.7, while below this gain what the model does not explain reaches 20.
_FIRM: Final = 1.0
_BROAD_THRESHOLD: Final = 4.5
_BROAD_WIDTH: Final = 0.8
_PUT_IN: Final = (
    "The picture was saved as JPEG before, and one part lacks the marks of it, as if it had been put in or moved "
    "later."
)
_ALL_ALIKE: Final = "The picture was saved as JPEG before, and all of it shows the same marks of it."
_SPREAD: Final = np.array([-0.75, -0.45, -0.15, 0.15, 0.45, 0.75])  # what rounding to pixels adds
_SPREAD_WEIGHT: Final = np.exp(-(_SPREAD**2) / (2 * 0.35**2)) / np.exp(-(_SPREAD**2) / (2 * 0.35**2)).sum()
_GRID_LEAD: Final = 2.0  # by how many spreads the found grid must lead the next one

Counts = NDArray[np.float64]


def history(picture: Picture) -> Finding | NoJudgement:
    """Where the picture lacks the compression history that the rest of it has."""
    is_jpeg = bool(picture.tables)
    origin: tuple[int, int] | None = (0, 0) if is_jpeg else grid_origin(picture.luma)
    if min(picture.luma.shape) < 96:
        return NoJudgement("The picture is too small to compare its parts.")
    if origin is None:
        return NoJudgement(
            "The picture has no JPEG history, as screenshots and drawings have none; "
            "double compression cannot be judged."
        )
    steps = picture.tables[0] if is_jpeg else np.ones((8, 8), dtype=np.int32)
    evidence = _likelihoods(picture, steps, origin, _LEVELS[is_jpeg])
    if evidence.gain < _HISTORY:
        return NoJudgement(
            "The picture was saved as JPEG only once or too coarsely to tell; no double compression."
        )
    peak = strongest_window(evidence.ratio, evidence.judged)
    if peak is None:
        return NoJudgement("Too little of the picture could be compared for double compression.")
    score = squashed(peak.value, _THRESHOLD, _WIDTH)
    if evidence.gain >= _FIRM:
        broad = largest_sum(evidence.ratio, evidence.judged)
        broad_score = squashed(broad.value, _BROAD_THRESHOLD, _BROAD_WIDTH)
        if broad_score > score:
            score, peak = broad_score, broad
    return Finding(
        name="double-compression" if is_jpeg else "block-grid",
        score=score,
        sentence=_PUT_IN if score >= 0.5 else _ALL_ALIKE,
        region=peak.box(8, *origin),
        heat=np.where(evidence.judged > 0, 1 / (1 + np.exp(np.clip(-evidence.ratio, -30, 30))), 0.0),
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Evidence:
    ratio: Map  # per block: log of "no first rounding" against "first rounding"
    judged: Map  # 1 where anything could be said
    gain: float


def _likelihoods(
    picture: Picture, steps: NDArray[np.int32], origin: tuple[int, int], levels: int
) -> _Evidence:
    top, left = origin
    values = transformed(picture.luma, top, left)
    shifted = transformed(picture.luma, (top + 4) % 8, (left + 4) % 8)
    usable = _unclipped(picture, origin)
    frequencies = []
    for i, j in _FREQUENCIES:
        step = float(steps[i, j])
        level = np.abs(np.rint(values[:, :, i, j] / step)).astype(np.int64)
        ok = usable & (level > 0) & (level < levels)
        if int(ok.sum()) >= _FEWEST:
            frequencies.append(
                _frequency((i, j), level * ok, np.abs(shifted[:, :, i, j]).ravel(), step, levels)
            )
    ratio = np.zeros(usable.shape)
    judged = np.zeros(usable.shape)
    chosen = _first_steps(frequencies)
    gain = sum(f.gains[first] for f, first in zip(frequencies, chosen, strict=True))
    for frequency, first in zip(frequencies, chosen, strict=True):
        if frequency.gains[first] > 0:
            ratio += frequency.table(first)[frequency.level]
            judged[frequency.level > 0] = 1
    return _Evidence(ratio, judged, float(gain))


@dataclass(frozen=True, eq=False, slots=True)
class _Frequency:
    """What one frequency says about each possible first step: nats per value gained by assuming it."""

    place: tuple[int, int]
    level: NDArray[np.int64]  # per block; 0 where nothing is to be said
    gains: Map
    once: Counts
    models: dict[int, Counts]

    def table(self, first: int) -> Map:
        return np.concatenate([[0.0], np.clip(np.log(self.once / self.models[first]), -3, 3)])


def _frequency(
    place: tuple[int, int], level: NDArray[np.int64], shifted: Plane, step: float, levels: int
) -> _Frequency:
    seen = np.bincount(level.ravel(), minlength=levels)[1:levels]
    size = int(levels * step * 2 + 40)
    fine = np.bincount(np.minimum(shifted * 2, size).astype(np.int64), minlength=size + 1).astype(np.float64)
    fine = np.convolve(fine, [0.25, 0.5, 0.25], "same")
    once = _expected(fine, 0, step, levels)
    gains, models = np.zeros(_MOST_STEPS + 1), {}
    for first in range(2, min(_MOST_STEPS, int(step * levels / 2)) + 1):
        if first != step:
            models[first] = 0.85 * _expected(fine, first, step, levels) + 0.15 * once
            gains[first] = float((seen * np.log(models[first] / once)).sum()) / seen.sum()
    return _Frequency(place, level, gains, once, models)


def _first_steps(frequencies: list[_Frequency]) -> list[int]:
    """The first step of each frequency: those of one standard table when they explain nearly as much, as they
    cannot be fitted to chance; else each frequency's own best, when it is clearly better than none."""
    own = [int(f.gains.argmax()) for f in frequencies]
    own = [first if f.gains[first] >= _GAIN else 0 for f, first in zip(frequencies, own, strict=True)]
    most = sum(f.gains[first] for f, first in zip(frequencies, own, strict=True))
    tables = [[min(int(table[f.place]), _MOST_STEPS) for f in frequencies] for table in _standard_tables()]
    totals = [sum(f.gains[first] for f, first in zip(frequencies, table, strict=True)) for table in tables]
    best = int(np.argmax(totals))
    return tables[best] if totals[best] >= _STANDARD * most else own


@cache
def _standard_tables() -> tuple[NDArray[np.int64], ...]:
    """The brightness tables of the JPEG standard's annex at qualities 40 to 99, as most programs write them."""
    base = np.array([
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ], dtype=np.int64).reshape(8, 8)  # fmt: skip
    scales = [5000 // quality if quality < 50 else 200 - 2 * quality for quality in range(40, 100)]
    return tuple(np.clip((base * scale + 50) // 100, 1, 255) for scale in scales)


def _expected(fine: Counts, first: int, step: float, levels: int) -> Counts:
    """How often each value but 0 occurs, when `fine` (in halves) is rounded to `first` and then to `step`."""
    at = (np.arange(len(fine)) + 0.5) / 2
    if first:
        at = np.rint(at / first) * first
    level = np.minimum(np.abs(np.rint((at[:, None] + _SPREAD) / step)).astype(np.int64), levels)
    weights = (fine[:, None] * _SPREAD_WEIGHT).ravel()
    counts = np.bincount(level.ravel(), weights=weights, minlength=levels + 1)[1:levels]
    counts = counts + 1e-9 + counts.sum() * 2e-3 / levels
    result: Counts = counts / counts.sum()
    return result


def _unclipped(picture: Picture, origin: tuple[int, int]) -> NDArray[np.bool_]:
    clipped = (picture.pixels.min(axis=2) == 0) | (picture.pixels.max(axis=2) == 255)
    counts = tiles(clipped.astype(np.float32), *origin).sum(axis=(2, 3))
    result: NDArray[np.bool_] = counts <= _CLIPPED
    return result


def grid_origin(luma: Plane) -> tuple[int, int] | None:
    """Where the 8x8 grid of an earlier JPEG lies: cut there, far more frequencies are near zero."""
    height, width = luma.shape
    if min(height, width) < 64:
        return None
    sample = np.random.default_rng(7)
    rows = sample.integers(0, (height - 16) // 8 + 1, 1500) * 8
    columns = sample.integers(0, (width - 16) // 8 + 1, 1500) * 8
    patches = np.lib.stride_tricks.sliding_window_view(luma, (15, 15))[rows, columns]
    lively = (
        (patches.std(axis=(1, 2)) > 0.5) & (patches.min(axis=(1, 2)) > 1) & (patches.max(axis=(1, 2)) < 254)
    )
    patches = patches[lively]
    if len(patches) < 100:
        return None
    near_zero = np.array([
        (np.abs(DCT @ patches[:, i : i + 8, j : j + 8] @ DCT.T) < 0.5).mean() for i in range(8) for j in range(8)
    ])  # fmt: skip
    best = int(near_zero.argmax())
    others = np.delete(near_zero, best)
    _, spread = middle_and_spread(others)
    lead = float(near_zero[best] - others.max()) / (spread + 1e-4)
    return divmod(best, 8) if lead >= _GRID_LEAD else None
