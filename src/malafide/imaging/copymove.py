"""Pixels in, one trace out: a part of the picture that stands in it twice.

16x16 squares at every pixel are boiled down to nine rounded numbers; squares with the same numbers vote for the
distance between them. A real copy gives one distance many more votes than any other, while edges, stripes and
repeated letters vote for many. The fine grain at both places must then agree, and only at that distance.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from malafide.imaging.blocks import Map, tiles
from malafide.imaging.decode import Picture, Plane
from malafide.imaging.findings import Finding, NoJudgement, squashed
from malafide.imaging.signals import Box

_SQUARE: Final = 16
_NEAREST: Final = 24  # pixels between the two places
_LONGEST_RUN: Final = 24  # squares with equal numbers; more are a pattern
_NEIGHBOURS: Final = 5
_ROUNDING: Final = 6.0
_LIVELY: Final = 4.0  # contrast below which squares all look alike
_FEWEST_VOTES: Final = 60
_MOST_PIXELS: Final = 500_000  # beyond, the picture is halved: 0.4 s for as many
_FLAT_SHARE: Final = 0.3  # of blocks of one colour; a drawing, screenshot or page has more
_GRAIN: Final = 24  # side of the windows in which the grain is compared
_THRESHOLD: Final = 1.0
_WIDTH: Final = 0.25

Votes = NDArray[np.int64]


def copies(picture: Picture) -> Finding | NoJudgement:
    """Whether a part of the picture was copied to another place in it."""
    luma, scale = _reduced(picture.luma)
    if min(luma.shape) < 4 * _SQUARE:
        return NoJudgement("The picture is too small to look for copied parts.")
    if float((tiles(picture.luma).std(axis=(2, 3)) < 0.4).mean()) > _FLAT_SHARE:
        return NoJudgement(
            "Drawings, screenshots and pages repeat letters and shapes; copied parts cannot be judged."
        )
    offset, votes, lead = _best_offset(luma)
    nothing = Finding("copy-move", 0.0, "No part of the picture was found in it twice.")
    if votes < _FEWEST_VOTES or lead < 1.5:
        return nothing
    grain = _agreement(luma, *offset)
    region = grain > 0.5
    area = float(region.mean())
    if area * luma.size < 600:
        return nothing
    beside = max(
        float(_agreement(luma, offset[0] + dy, offset[1] + dx)[region].mean())
        for dy, dx in ((2, 0), (-2, 0), (0, 2), (0, -2))
    )
    own = float(grain[region].mean())
    sharpness = own - max(beside, 0.0)
    value = sharpness * min(float(np.log2(lead)), 3)
    score = squashed(value, _THRESHOLD, _WIDTH)
    if score < 0.5:
        return Finding(
            "copy-move", score, "Parts of the picture are alike, but not so much as a copy would be."
        )
    box = _extent(region, offset, scale)
    return Finding(
        "copy-move", score,
        "The same part stands in the picture twice, down to its grain: it was copied from one place to another.",
        box, _heat(picture.luma.shape, box),
    )  # fmt: skip


def _reduced(luma: Plane) -> tuple[Plane, int]:
    scale = 1
    while luma.size / scale**2 > _MOST_PIXELS:
        scale += 1
    rows, columns = luma.shape[0] // scale, luma.shape[1] // scale
    if scale == 1:
        return luma, 1
    cut = luma[: rows * scale, : columns * scale].reshape(rows, scale, columns, scale)
    return cut.mean(axis=(1, 3)), scale


def box_mean(plane: Plane, size: int) -> Plane:
    """The mean of the size x size square around each pixel."""
    before, after = size // 2 + 1, size - 1 - size // 2
    total = np.pad(plane, ((before, after), (before, after)), mode="edge").astype(np.float64)
    np.cumsum(total, axis=0, out=total)
    np.cumsum(total, axis=1, out=total)
    sums = total[size:, size:] - total[:-size, size:] - total[size:, :-size] + total[:-size, :-size]
    return (sums / size**2).astype(np.float32)


def _numbers(luma: Plane) -> tuple[Plane, NDArray[np.int64]]:
    """Nine low frequencies of each lively square, and where the squares stand."""
    height, width = luma.shape[0] - _SQUARE, luma.shape[1] - _SQUARE
    cells = box_mean(luma, 4)
    k = np.arange(4)
    basis = np.cos((2 * k[None, :] + 1) * k[:, None] * np.pi / 8) * np.sqrt(0.5)
    basis[0] = 0.5
    low = np.kron(basis, basis)[[1, 4, 2, 8, 5, 3, 12, 6, 9]].astype(np.float32)
    stack = np.stack([
        cells[2 + 4 * i : 2 + 4 * i + height, 2 + 4 * j : 2 + 4 * j + width] for i in range(4) for j in range(4)
    ], axis=-1).reshape(-1, 16)  # fmt: skip
    numbers = stack @ low.T
    contrast = np.sqrt((numbers**2).sum(axis=1) / 16)
    places = np.flatnonzero(contrast > _LIVELY)
    return numbers[places], places


def _best_offset(luma: Plane) -> tuple[tuple[int, int], int, float]:
    """The distance with most votes, how many, and how far it leads every other distance."""
    numbers, places = _numbers(luma)
    width = luma.shape[1] - _SQUARE
    pairs = [_pairs(np.floor(numbers / _ROUNDING + 0.5 * shift), places) for shift in (0, 1)]
    first = np.concatenate([pair[0] for pair in pairs])
    second = np.concatenate([pair[1] for pair in pairs])
    down, right = second // width - first // width, second % width - first % width
    far = (np.abs(down) > _NEAREST) | (np.abs(right) > _NEAREST)
    down, right = down[far], right[far]
    if not len(down):
        return (0, 0), 0, 0.0
    turned = np.where((down < 0) | ((down == 0) & (right < 0)), -1, 1)
    codes, counts = np.unique(down * turned * 65_536 + right * turned + 32_768, return_counts=True)
    dy, dx = codes // 65_536, codes % 65_536 - 32_768
    best = int(counts.argmax())
    others = counts[(np.abs(dy - dy[best]) > 3) | (np.abs(dx - dx[best]) > 3)]
    rival = int(others.max()) if len(others) else 0
    return (int(dy[best]), int(dx[best])), int(counts[best]), float(counts[best] / max(rival, 10))


def _pairs(numbers: Plane, places: Votes) -> tuple[Votes, Votes]:
    """Squares with the same numbers, each with its next few equals."""
    factors = np.power(np.int64(1_000_003), np.arange(numbers.shape[1], dtype=np.int64))
    keys = (numbers.astype(np.int64) * factors).sum(axis=1)
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    starts = (
        np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, int)
    )
    lengths = np.diff(np.append(starts, len(keys)))
    run = np.repeat(lengths, lengths)
    found = [(places[:0], places[:0])]
    for ahead in range(1, _NEIGHBOURS + 1):
        same = (keys[ahead:] == keys[:-ahead]) & (run[ahead:] <= _LONGEST_RUN)
        found.append((places[:-ahead][same], places[ahead:][same]))
    return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])


def _agreement(luma: Plane, down: int, right: int) -> Plane:
    """How well the grain agrees with that at the distance, -1 to 1, away from edges; 0 where there is none."""
    height, width = luma.shape
    grain = luma - box_mean(luma, 5)
    smooth = luma - grain
    slope = np.abs(np.diff(smooth, axis=0, append=smooth[-1:])) + np.abs(
        np.diff(smooth, axis=1, append=smooth[:, -1:])
    )
    here = (
        slice(max(0, -down), min(height, height - down)),
        slice(max(0, -right), min(width, width - right)),
    )
    there = (
        slice(here[0].start + down, here[0].stop + down),
        slice(here[1].start + right, here[1].stop + right),
    )
    calm = ((slope[here] < 8) & (slope[there] < 8)).astype(np.float32)
    a, b = np.clip(grain[here], -8, 8) * calm, np.clip(grain[there], -8, 8) * calm
    ab, aa, bb, n = (box_mean(x, _GRAIN) for x in (a * b, a * a, b * b, calm))
    known = (aa > 0.05 * n) & (bb > 0.05 * n) & (n > 0.3)
    result: Plane = np.zeros(luma.shape, dtype=np.float32)
    result[here] = np.where(known, ab / np.sqrt(aa * bb + 1e-6), 0)
    return result


def _extent(region: NDArray[np.bool_], offset: tuple[int, int], scale: int) -> Box:
    """The second place, as a box in stored pixels; single stray pixels left out."""
    rows = np.flatnonzero(region.sum(axis=1) >= 4)
    columns = np.flatnonzero(region.sum(axis=0) >= 4)
    if not len(rows) or not len(columns):
        rows, columns = np.flatnonzero(region.any(axis=1)), np.flatnonzero(region.any(axis=0))
    top, left = int(rows[0]) + offset[0], int(columns[0]) + offset[1]
    height, width = int(rows[-1] - rows[0]) + 1, int(columns[-1] - columns[0]) + 1
    return Box(left * scale, top * scale, width * scale, height * scale)


def _heat(shape: tuple[int, ...], box: Box) -> Map:
    heat = np.zeros((shape[0] // 8, shape[1] // 8))
    top, left = max(box.top, 0) // 8, max(box.left, 0) // 8
    heat[top : (box.top + box.height) // 8 + 1, left : (box.left + box.width) // 8 + 1] = 1.0
    return heat
