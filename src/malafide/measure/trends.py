"""Figures over time in, lines out, in the manner of `plots`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from malafide.measure.plots import Frame, picture, text


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a trend: one value per moment or None. `tone` is a class of the style sheet."""

    name: str
    values: Sequence[float | None]
    tone: str


_WIDTH, _HEIGHT, _FOR_NAMES = 720, 220, 140
_UNUSED = 22  # room under the axis that a picture without a label there does not need
_LINE = 14


def trend(title: str, moments: Sequence[str], series: Sequence[Series], most: float | None = None) -> str:
    """Lines over time; each is named at its end, so that colour only repeats."""
    known = [v for s in series for v in s.values if v is not None]
    top = most or max([*known, 1e-9]) * 1.1
    # The lines end before the edge, where their names stand.
    frame = Frame(max(len(moments) - 1, 1) * _WIDTH / (_WIDTH - _FOR_NAMES), top, _WIDTH, _HEIGHT)
    every = max(1, -(-len(moments) // 8))
    parts = [frame.axes("", "", [(i, words) for i, words in enumerate(moments) if i % every == 0])]
    for s in series:
        parts += [_drawn(run, s, frame, moments) for run in _runs(s.values)]
    parts.append(_names(series, frame, len(moments)))
    said = [f"{s.name}: last {last:.3g}" for s in series if (last := _last(s)) is not None]
    return picture(title, f"{'; '.join(said) or 'nothing yet'}.", "".join(parts), _WIDTH, _HEIGHT - _UNUSED)


def _drawn(run: Sequence[tuple[int, float]], s: Series, frame: Frame, moments: Sequence[str]) -> str:
    points = " ".join(f"{frame.x(i)},{frame.y(v)}" for i, v in run)
    dots = "".join(
        f'<circle class="point {s.tone}" cx="{frame.x(i)}" cy="{frame.y(v)}" r="2.5">'
        f"<title>{escape(f'{moments[i]}: {s.name} {v:.3g}')}</title></circle>"
        for i, v in run
    )
    return f'<polyline class="trend {s.tone}" points="{points}"/>{dots}'


def _names(series: Sequence[Series], frame: Frame, moments: int) -> str:
    """The names at the ends of the lines, from the top down and never on each other."""
    ends = [(frame.y(last), s, last) for s in series if (last := _last(s)) is not None]
    ends.sort(key=lambda end: end[0])
    parts, below = [], 0.0
    for y, s, last in ends:
        below = max(y + 4, below + _LINE)
        parts.append(
            text(frame.x(moments - 1) + 9, round(below, 1), f"{s.name} {last:.3g}", f"name {s.tone}")
        )
    return "".join(parts)


def _last(s: Series) -> float | None:
    return next((v for v in reversed(s.values) if v is not None), None)


def _runs(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Stretches without gaps."""
    runs: list[list[tuple[int, float]]] = [[]]
    for i, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((i, value))
    return [run for run in runs if run]
