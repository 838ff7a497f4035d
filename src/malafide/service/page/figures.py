"""Figures in, drawings as SVG out: bars and lines that need no script, each with a table that says the same.

Only shapes are drawn; words stand beside them as HTML, so that they keep their size on a narrow screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

WIDTH: Final = 600.0
HEIGHT: Final = 120.0


def stretch(start: float, end: float, tone: str = "", limits: Sequence[float] = ()) -> Markup:
    """A stretch from 0 to 1 with a part of it filled, and lines where something turns."""
    lines = Markup("").join(
        Markup('<line class="limit" x1="{0}" x2="{0}" y1="0" y2="10"/>').format(f"{_unit(x) * 100:.2f}")
        for x in limits
    )
    left, right = _unit(min(start, end)), _unit(max(start, end))
    return Markup(
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        '<rect class="track" width="100" height="10"/>'
        '<rect class="fill {tone}" x="{x}" width="{width}" height="10"/>{lines}</svg>'
    ).format(tone=tone, x=f"{left * 100:.2f}", width=f"{max(0.6, (right - left) * 100):.2f}", lines=lines)


def columns(stacks: Sequence[Sequence[tuple[str, float]]], label: str) -> Markup:
    """Columns side by side, each a pile of (class, amount), from the ground up."""
    most = max((sum(amount for _, amount in stack) for stack in stacks), default=0.0)
    if most <= 0:
        return Markup("")
    step = WIDTH / len(stacks)
    gap = min(4.0, step * 0.2)
    drawn = Markup("")
    for i, stack in enumerate(stacks):
        y = HEIGHT
        for kind, amount in stack:
            height = amount / most * HEIGHT
            if height <= 0:
                continue
            y -= height
            drawn += Markup('<rect class="fill {}" x="{}" y="{}" width="{}" height="{}"/>').format(
                kind, f"{i * step + gap / 2:.2f}", f"{y:.2f}", f"{step - gap:.2f}", f"{height:.2f}"
            )
    return _drawing(drawn, label)


def line(values: Sequence[float | None], most: float, label: str, kind: str = "") -> Markup:
    """A line through the values, broken where there is none; a single value is a dot."""
    if most <= 0 or all(value is None for value in values):
        return Markup("")
    step = WIDTH / max(len(values), 1)
    runs: list[list[tuple[float, float]]] = [[]]
    for i, value in enumerate(values):
        if value is None:
            runs.append([])
            continue
        runs[-1].append(((i + 0.5) * step, HEIGHT - min(1.0, max(0.0, value / most)) * (HEIGHT - 4) - 2))
    drawn = Markup("")
    for run in runs:
        if len(run) == 1:
            run = [(run[0][0] - step * 0.3, run[0][1]), (run[0][0] + step * 0.3, run[0][1])]
        if run:
            points = " ".join(f"{x:.2f},{y:.2f}" for x, y in run)
            drawn += Markup('<polyline class="stroke {}" points="{}"/>').format(kind, points)
    return _drawing(drawn, label)


def _drawing(inside: Markup, label: str) -> Markup:
    return Markup(
        '<svg class="chart" viewBox="0 0 {w:g} {h:g}" preserveAspectRatio="none" role="img" aria-label="{label}" '
        'focusable="false"><line class="ground" x1="0" x2="{w:g}" y1="{h:g}" y2="{h:g}"/>{inside}</svg>'
    ).format(w=WIDTH, h=HEIGHT, label=escape(label), inside=inside)


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
