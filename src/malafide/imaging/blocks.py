"""Arithmetic the traces share: 8x8 transforms, sums over windows, robust spread."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from malafide.imaging.decode import Plane

Map = NDArray[np.float64]

_K: Final = np.arange(8)
DCT: Final[Plane] = (
    np.sqrt(np.where(_K == 0, 1, 2) / 8)[:, None] * np.cos((2 * _K[None, :] + 1) * _K[:, None] * np.pi / 16)
).astype(np.float32)


def tiles(plane: Plane, top: int = 0, left: int = 0, size: int = 8) -> Plane:
    """The plane cut into size x size tiles from an origin: rows x columns x size x size."""
    rows, columns = (plane.shape[0] - top) // size, (plane.shape[1] - left) // size
    part = plane[top : top + rows * size, left : left + columns * size]
    return part.reshape(rows, size, columns, size).swapaxes(1, 2)


def transformed(plane: Plane, top: int = 0, left: int = 0) -> Plane:
    """The 8x8 cosine transform of every tile."""
    result: Plane = DCT @ (tiles(plane, top, left) - np.float32(128)) @ DCT.T
    return result


def window_sums(values: Map, height: int, width: int) -> Map:
    """The sum of every height x width window, by differences of running sums."""
    total = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    np.cumsum(np.cumsum(values, axis=0), axis=1, out=total[1:, 1:])
    sums: Map = (
        total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
    )
    return sums


def middle_and_spread(values: Map) -> tuple[float, float]:
    """Median, and the standard deviation a normal distribution of that median deviation would have."""
    middle = float(np.median(values))
    return middle, float(1.4826 * np.median(np.abs(values - middle)))
