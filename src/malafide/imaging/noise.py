"""Pixels in, two traces out: places whose noise or compression error does not fit the rest of the picture.

Both compare like with like: a block is measured against blocks of the same texture, so that edges and writing do
not alarm. Even so they are weak (docs/decisions/image-tampering.md), and only the patch of one exact colour in a
picture that is noisy everywhere else may alarm alone: that is what painting over leaves.
"""

from __future__ import annotations

import io
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from malafide.imaging.blocks import Map, middle_and_spread, tiles, window_sums
from malafide.imaging.decode import Picture, Plane
from malafide.imaging.findings import Finding, NoJudgement, Peak, squashed, strongest_window

_FLAT: Final = 0.4  # standard deviation of a block of one colour, after rounding
_FLAT_SHARE: Final = 0.03  # of the picture; a drawing or a coarsely saved sky has more
_FLAT_FEWEST: Final = 10  # blocks in a window for a patch
_PAINTED: Final = (
    "One part is of a single exact colour while the rest of the picture has a camera's noise, as if it had been "
    "painted over."
)
_QUALITY: Final = 90  # with which the picture is saved again
_BINS: Final = 24
# The strongest window of an untouched picture lies 2.3 to 8.1 spreads out (median 5), of a forged one 3.4 to 9:
# alone the two hardly tell them apart (AUC 0.48 and 0.53), so they may support another trace and never alarm.
_THRESHOLD: Final = 9.0
_WIDTH: Final = 0.5
_CEILING: Final = 0.3


def painted(picture: Picture) -> Finding | NoJudgement:
    """A patch of one exact colour where everything else has noise; else windows of odd noise."""
    blocks = tiles(picture.luma)
    deviation = blocks.std(axis=(2, 3))
    mean = blocks.mean(axis=(2, 3))
    inside = (tiles(picture.pixels.min(axis=2)).min(axis=(2, 3)) > 2) & (
        tiles(picture.pixels.max(axis=2)).max(axis=(2, 3)) < 253
    )
    flat = (deviation < _FLAT) & inside
    if min(flat.shape) < 16:
        return NoJudgement("The picture is too small to compare its noise.")
    patch = _patch(flat, mean)
    rest = np.ones(flat.shape, dtype=bool)
    if patch is not None:
        top, left = max(patch.top - patch.height, 0), max(patch.left - patch.width, 0)
        rest[top : patch.top + 2 * patch.height, left : patch.left + 2 * patch.width] = False
    if float((deviation < _FLAT)[rest].mean()) > _FLAT_SHARE:
        return NoJudgement(
            "Much of the picture is of one exact colour, as in drawings and screenshots; noise cannot be judged."
        )
    if patch is None:
        return _odd(_noise_level(picture.luma), deviation, inside, "noise")
    score = squashed(patch.value, _FLAT_FEWEST, 2.0)
    return Finding("noise", score, _PAINTED, patch.box(8), flat.astype(np.float64))


def error_level(picture: Picture) -> Finding | NoJudgement:
    """What saving the picture again changes: a part with another history changes more or less than its like."""
    from PIL import Image

    blocks = tiles(picture.luma)
    if min(blocks.shape[:2]) < 16:
        return NoJudgement("The picture is too small for error level analysis.")
    if not picture.lossy:
        return NoJudgement(
            "The file is not saved with losses, so error level analysis says nothing about it."
        )
    buffer = io.BytesIO()
    Image.fromarray(picture.pixels).save(buffer, "JPEG", quality=_QUALITY)
    again = np.asarray(Image.open(buffer, formats=("JPEG",)).convert("RGB"), dtype=np.float32)
    error = tiles(np.abs(again - picture.pixels).mean(axis=2)).mean(axis=(2, 3))
    mean, deviation = blocks.mean(axis=(2, 3)), blocks.std(axis=(2, 3))
    usable = (mean > 6) & (mean < 249) & (deviation > _FLAT)
    return _odd(error, deviation, usable, "error-level")


def _odd(
    values: Plane, texture: Plane, usable: NDArray[np.bool_], name: Literal["noise", "error-level"]
) -> Finding | NoJudgement:
    """The window whose blocks differ most from blocks of the same texture, in either direction."""
    what = "noise" if name == "noise" else "compression error"
    if int(usable.sum()) < 400:
        return NoJudgement(f"Too little of the picture has texture to compare its {what}.")
    level = _beyond_like(values, texture, usable)
    judged = usable.astype(np.float64)
    peaks = []
    for sign in (1, -1):
        smooth = sign * level
        peak = strongest_window(smooth, judged)
        if peak is not None:
            middle, spread = _windows(smooth, judged, peak)
            peaks.append((float((peak.value - middle) / (spread + 0.08)), peak, smooth))
    if not peaks:
        return NoJudgement(f"Too little of the picture has texture to compare its {what}.")
    value, peak, smooth = max(peaks, key=lambda entry: entry[0])
    score = _CEILING * squashed(value, _THRESHOLD, _WIDTH)
    says = f"The {what} of one part differs from that of parts with the same texture."
    if score < _CEILING / 2:
        says = f"The {what} is what it would be in an untouched picture."
    heat = np.clip(smooth / 4, 0, 1) * judged
    return Finding(name, score, says, peak.box(8), heat)


def _windows(values: Map, judged: Map, peak: Peak) -> tuple[float, float]:
    """Middle and spread of all windows of the same shape, on the scale of the peak's value."""
    count = window_sums(judged, peak.height, peak.width)
    mean = window_sums(values * judged, peak.height, peak.width) / np.maximum(count, 1)
    kept = mean[count >= 0.5 * peak.height * peak.width] * (peak.height * peak.width / 16) ** 0.25
    return middle_and_spread(kept)


def _beyond_like(values: Plane, texture: Plane, usable: NDArray[np.bool_]) -> Map:
    """Each block's value in spreads from the middle of blocks with about the same texture."""
    logs = np.log(values.astype(np.float64) + 0.05)
    edges = np.quantile(texture[usable], np.linspace(0, 1, _BINS + 1))
    group = np.clip(np.searchsorted(edges, texture) - 1, 0, _BINS - 1)
    result = np.zeros(logs.shape)
    for number in range(_BINS):
        members = group == number
        if int((members & usable).sum()) >= 8:
            middle, spread = middle_and_spread(logs[members & usable])
            result[members] = (logs[members] - middle) / (spread + 0.1)
    return np.clip(result, -4, 4)


def _noise_level(luma: Plane) -> Plane:
    """The median size of what a plane fitted around each pixel does not explain, per block."""
    rest = np.zeros_like(luma)
    rest[1:-1, 1:-1] = (
        4 * luma[1:-1, 1:-1]
        - 2 * (luma[:-2, 1:-1] + luma[2:, 1:-1] + luma[1:-1, :-2] + luma[1:-1, 2:])
        + luma[:-2, :-2] + luma[:-2, 2:] + luma[2:, :-2] + luma[2:, 2:]
    )  # fmt: skip
    blocks = tiles(np.abs(rest))
    level: Plane = np.median(blocks.reshape(*blocks.shape[:2], 64), axis=2) / (6 * 0.6745)
    return level


def _patch(flat: NDArray[np.bool_], mean: Plane) -> Peak | None:
    """The window with most flat blocks that share their colour with the flat block beside them."""
    alike = np.zeros(flat.shape)
    alike[:, 1:] = flat[:, 1:] & flat[:, :-1] & (np.abs(np.diff(mean, axis=1)) < 0.3)
    best: Peak | None = None
    for height, width in ((3, 8), (4, 12), (6, 6)):
        if height > flat.shape[0] or width > flat.shape[1]:
            continue
        counts = window_sums(alike, height, width)
        top, left = np.unravel_index(int(counts.argmax()), counts.shape)
        value = float(counts[top, left]) * 24 / (height * width)
        if value >= _FLAT_FEWEST - 4 and (best is None or value > best.value):
            best = Peak(value, int(top), int(left), height, width)
    return best
