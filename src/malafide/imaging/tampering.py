"""A decoded picture in, one judgement out: whether it was tampered with, how sure, where, and what cannot be said.

Each trace looks on its own. The fused score is one less the product of what each leaves open, so that one clear
trace is enough and several faint ones add up slowly; from one half on the picture counts as tampered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from malafide.imaging.blocks import Map
from malafide.imaging.compression import history
from malafide.imaging.copymove import copies
from malafide.imaging.decode import Picture
from malafide.imaging.findings import Finding, NoJudgement
from malafide.imaging.metadata import notes_of_editing
from malafide.imaging.noise import error_level, painted
from malafide.imaging.signals import Box, HeatMap, Trace
from malafide.limits import MAX_FORENSIC_PIXELS

TAMPERED_FROM: Final = 0.5
_TRACES: Final[tuple[Callable[[Picture], Finding | NoJudgement], ...]] = (
    history, copies, painted, error_level, notes_of_editing,
)  # fmt: skip
_MOST_CELLS: Final = 64  # of the heat map along the longer side


@dataclass(frozen=True, slots=True)
class Judgement:
    tampered: bool | None
    score: float | None
    traces: tuple[Trace, ...]
    heat_map: HeatMap | None
    notes: tuple[str, ...]


def judge(picture: Picture) -> Judgement:
    """What all traces together say."""
    part, top, left = _middle(picture)
    answers = [trace(part) for trace in _TRACES]
    findings = sorted((a for a in answers if isinstance(a, Finding)), key=lambda f: -f.score)
    notes = [a.sentence for a in answers if isinstance(a, NoJudgement)]
    if part is not picture:
        notes.append("The picture is very large; only its middle was examined for tampering.")
    score = 1 - math.prod(1 - finding.score for finding in findings)
    # One trace that could look and found nothing is no reason to call a picture untouched.
    judged = sum(finding.name != "metadata" for finding in findings) >= 2 or score >= TAMPERED_FROM
    traces = tuple(
        Trace(f.name, round(f.score, 4), _upright(f.region, picture, top, left), f.sentence) for f in findings
    )
    return Judgement(
        tampered=score >= TAMPERED_FROM if judged else None,
        score=round(score, 2) if judged else None,  # beyond, the faint traces only add chance
        traces=traces,
        heat_map=_heat_map(findings, picture, top, left),
        notes=tuple(notes),
    )


def _middle(picture: Picture) -> tuple[Picture, int, int]:
    """The picture, or of a very large one its middle, cut so that the 8x8 grid stays where it is."""
    height, width = picture.luma.shape
    if height * width <= MAX_FORENSIC_PIXELS:
        return picture, 0, 0
    share = math.sqrt(MAX_FORENSIC_PIXELS / (height * width))
    rows, columns = max(int(height * share), 8), max(int(width * share), 8)
    top, left = (height - rows) // 16 * 8, (width - columns) // 16 * 8
    cut = (slice(top, top + rows), slice(left, left + columns))
    return replace(picture, pixels=picture.pixels[cut], luma=picture.luma[cut]), top, left


def _upright(box: Box | None, picture: Picture, top: int, left: int) -> Box | None:
    """A box of stored pixels as one of the picture as it is shown."""
    if box is None:
        return None
    height, width = picture.luma.shape
    y0, x0 = min(max(box.top + top, 0), height - 1), min(max(box.left + left, 0), width - 1)
    y1, x1 = min(y0 + box.height, height), min(x0 + box.width, width)
    turn = picture.orientation
    if turn >= 5:
        y0, x0, y1, x1, height, width = x0, y0, x1, y1, width, height
    if turn in (2, 3, 6, 7):
        x0, x1 = width - x1, width - x0
    if turn in (3, 4, 7, 8):
        y0, y1 = height - y1, height - y0
    return Box(x0, y0, x1 - x0, y1 - y0)


def _heat_map(findings: list[Finding], picture: Picture, top: int, left: int) -> HeatMap | None:
    """How odd each place looks to the traces that alarm, coarsely; None when none has a place."""
    height, width = picture.luma.shape
    cell = max(16, math.ceil(max(height, width) / _MOST_CELLS / 8) * 8)
    total: Map = np.zeros((math.ceil(height / cell), math.ceil(width / cell)))
    drawn = [f for f in findings if f.heat is not None and f.score >= 0.25]
    for finding in drawn:
        assert finding.heat is not None
        ys = (np.arange(finding.heat.shape[0]) * 8 + top) // cell
        xs = (np.arange(finding.heat.shape[1]) * 8 + left) // cell
        sums, counts = np.zeros(total.shape), np.zeros(total.shape)
        np.add.at(sums, (ys[:, None], xs[None, :]), finding.heat)
        np.add.at(counts, (ys[:, None], xs[None, :]), 1.0)
        total = np.maximum(total, finding.score * sums / np.maximum(counts, 1))
    if not drawn:
        return None
    if picture.orientation >= 5:
        total = total.T
    if picture.orientation in (2, 3, 6, 7):
        total = total[:, ::-1]
    if picture.orientation in (3, 4, 7, 8):
        total = total[::-1]
    return HeatMap(tuple(tuple(round(float(v), 3) for v in row) for row in total))
