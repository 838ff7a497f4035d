"""Pixels in, a short fingerprint out that stays nearly the same when a picture is scaled, saved again or tinted."""

from __future__ import annotations

from typing import Final

import numpy as np

from malafide.errors import BadSetting
from malafide.imaging.decode import Plane

# Two pictures whose fingerprints differ in at most this many of 64 bits are taken for the same picture.
SAME_PICTURE: Final = 8
_SIDE: Final = 32


def perceptual_hash(luma: Plane) -> str:
    """64 bits as 16 hexadecimal digits: which low frequencies of the 32x32 picture lie above their median."""
    small = _shrunk(luma)
    k = np.arange(_SIDE)
    basis = np.cos((2 * k[None, :] + 1) * np.arange(1, 9)[:, None] * np.pi / (2 * _SIDE))
    frequencies = basis @ small @ basis.T
    bits = frequencies > np.median(frequencies)
    return f"{int(''.join('1' if bit else '0' for bit in bits.ravel()), 2):016x}"


def distance(first: str, second: str) -> int:
    """In how many of 64 bits two fingerprints differ."""
    try:
        return (int(first, 16) ^ int(second, 16)).bit_count()
    except ValueError:
        raise BadSetting(f"{first!r} and {second!r} must both be 16 hexadecimal digits") from None


def _shrunk(luma: Plane) -> Plane:
    """The mean of each of 32x32 cells."""
    for axis in (0, 1):
        edges = np.linspace(0, luma.shape[axis], _SIDE + 1)[:-1].astype(int)
        if luma.shape[axis] < _SIDE:
            luma = np.take(luma, edges, axis=axis)
            continue
        sizes = np.diff(np.append(edges, luma.shape[axis]))
        shape = (-1, 1) if axis == 0 else (1, -1)
        luma = (np.add.reduceat(luma, edges, axis=axis) / sizes.reshape(shape)).astype(np.float32)
    return luma
