"""Figures in, pictures out: SVG drawn here, that needs no library and no script.

Colour comes from the page's style sheet by class names (`measure.css`), so a picture is readable on light and
dark ground; each has a title and a text alternative that says what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from malafide.consensus.weighted import HAM_UP_TO, SPAM_FROM
from malafide.measure.metrics import ANSWERS, LABELS, Confusion
from malafide.measure.reliability import Bin, RiskPoint
from malafide.measure.rows import Row

_WIDTH: Final = 460
_HEIGHT: Final = 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 14, 46
_HISTOGRAM_BINS: Final = 20


@dataclass(frozen=True, slots=True)
class Frame:
    """The plane of a picture: values in, points out. Both axes begin at 0."""

    x_most: float = 1.0
    y_most: float = 1.0
    width: int = _WIDTH
    height: int = _HEIGHT

    def x(self, value: float) -> float:
        return round(_LEFT + value / self.x_most * (self.width - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        return round(self.height - _BOTTOM - value / self.y_most * (self.height - _TOP - _BOTTOM), 1)

    def axes(self, x_label: str, y_label: str, x_ticks: Sequence[tuple[float, str]]) -> str:
        parts = []
        for value in ticks(self.y_most):
            parts.append(_line(self.x(0), self.y(value), self.x(self.x_most), self.y(value), "grid"))
            parts.append(text(_LEFT - 7, self.y(value) + 4, number(value), "tick end"))
        for value, words in x_ticks:
            parts.append(text(self.x(value), self.height - _BOTTOM + 17, words, "tick middle"))
        parts.append(_line(self.x(0), self.y(0), self.x(self.x_most), self.y(0), "axis"))
        if x_label:
            parts.append(text(self.x(self.x_most / 2), self.height - 8, x_label, "label middle"))
        if y_label:
            middle = (self.y(0) + self.y(self.y_most)) / 2
            turned = f'transform="translate(13 {middle:.0f}) rotate(-90)"'
            parts.append(f'<text class="label middle" {turned}>{escape(y_label)}</text>')
        return "".join(parts)


_SHARES: Final = [(v / 5, f"{v / 5:.1f}") for v in range(6)]


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def _rect(x: float, y: float, width: float, height: float, kind: str, told: str = "") -> str:
    title = f"<title>{escape(told)}</title>" if told else ""
    shape = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect class="{kind}" {shape}>{title}</rect>'


def picture(title: str, alternative: str, body: str, width: int = _WIDTH, height: int = _HEIGHT) -> str:
    """The finished SVG with its name and what it shows in words."""
    name = escape(f"{title}. {alternative}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{name}"><title>{escape(title)}</title><desc>{escape(alternative)}</desc>{body}</svg>'
    )


def ticks(most: float) -> list[float]:
    """Round steps from 0 to the top, four to six of them."""
    if most <= 0:
        return [0.0]
    step = 10.0**-9
    while most / step > 6:
        for factor in (2, 2.5, 2):  # 1, 2, 5, 10
            step *= factor
            if most / step <= 6:
                break
    return [round(i * step, 10) for i in range(int(most / step + 1e-9) + 1)]


def number(value: float) -> str:
    """A number as short as it can be said."""
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def confusion_matrix(matrix: Confusion) -> str:
    """What was true against what was answered; the stronger the colour, the more of its row."""
    cells, said = [], []
    width, height, left, top = 118, 104, 96, 44
    for column, answer in enumerate(ANSWERS):
        cells.append(text(left + (column + 0.5) * width, top - 14, f"called {answer}", "label middle"))
    for row, label in enumerate(LABELS):
        of_label = matrix.of(label)
        cells.append(text(left - 12, top + (row + 0.5) * height + 5, f"was {label}", "label end"))
        for column, answer in enumerate(ANSWERS):
            count = matrix.of(label, answer)
            share = count / of_label if of_label else 0.0
            x, y = left + column * width, top + row * height
            tone = "open" if answer == "UNCERTAIN" else ("good" if answer == label.upper() else "bad")
            shade = f'<g opacity="{0.1 + 0.38 * share:.2f}">'
            cells.append(f"{shade}{_rect(x + 2, y + 2, width - 4, height - 4, f'cell {tone}')}</g>")
            cells.append(text(x + width / 2, y + height / 2 + 1, f"{count:,}", "figure middle"))
            cells.append(
                text(x + width / 2, y + height / 2 + 21, f"{share:.1%} of {label}", "cell-note middle")
            )
            said.append(f"{count} {label} called {answer}")
    return picture("Confusion matrix", "; ".join(said) + ".", "".join(cells), _WIDTH, 264)


def reliability_diagram(bins: Sequence[Bin]) -> str:
    """Promised against kept: on the diagonal, confidence is exactly right. Numbers are cases."""
    frame = Frame()
    parts = [frame.axes("confidence promised", "share that was right", _SHARES)]
    most = max((b.cases for b in bins), default=1)
    for b in bins:
        told = f"{b.cases} cases, promised {b.confidence:.3f}, right {b.right:.3f}"
        x, width = frame.x(b.low), frame.x(b.high) - frame.x(b.low)
        parts.append(_rect(x + 1, frame.y(b.right), width - 2, frame.y(0) - frame.y(b.right), "bar", told))
    parts.append(_line(frame.x(0), frame.y(0), frame.x(1), frame.y(1), "ideal"))
    for b in bins:
        radius = 3 + 5 * (b.cases / most) ** 0.5
        parts.append(
            f'<circle class="dot" cx="{frame.x(b.confidence)}" cy="{frame.y(b.right)}" r="{radius:.1f}"/>'
        )
        middle = (frame.x(b.low) + frame.x(b.high)) / 2
        parts.append(text(middle, frame.y(0) - 6, f"{b.cases:,}", "count middle"))
    said = "; ".join(f"at {b.confidence:.2f} {b.right:.2f} of {b.cases} right" for b in bins)
    return picture("Reliability diagram", f"{said or 'no cases'}.", "".join(parts))


def risk_coverage_curve(points: Sequence[RiskPoint], answered: float, wrong: float | None) -> str:
    """How many answers would be wrong if only the surest were given; the ring is where the panel stands."""
    most = max([0.02, *(p.risk for p in points), wrong or 0.0]) * 1.1
    frame = Frame(y_most=most)
    parts = [frame.axes("share of cases answered, surest first", "share of answers wrong", _SHARES)]
    if points:
        steps = [f"{frame.x(p.coverage)},{frame.y(p.risk)}" for p in points]
        steps.insert(0, f"{frame.x(0)},{frame.y(points[0].risk)}")
        parts.append(f'<polyline class="curve" points="{" ".join(steps)}"/>')
    said = f"Answering all, {points[-1].risk:.1%} would be wrong" if points else "No cases"
    if wrong is not None:
        told = f"the panel answers {answered:.1%}, of which {wrong:.2%} are wrong"
        at = f'cx="{frame.x(answered)}" cy="{frame.y(wrong)}" r="6"'
        parts.append(f'<circle class="ring" {at}><title>{told}</title></circle>')
        said += f"; {told}"
    return picture("Risk-coverage curve", f"{said}.", "".join(parts))


def score_histogram(rows: Sequence[Row]) -> str:
    """Scores of spam upward and of ham downward, each as shares of its class, with the two thresholds."""
    shares = {}
    for is_spam in (True, False):
        scores = [row.score for row in rows if row.is_spam == is_spam]
        counts = [0] * _HISTOGRAM_BINS
        for score in scores:
            counts[min(int(score * _HISTOGRAM_BINS), _HISTOGRAM_BINS - 1)] += 1
        shares[is_spam] = [count / len(scores) if scores else 0.0 for count in counts]
    top = max(*shares[True], *shares[False], 0.01)
    frame = Frame(x_most=1.0, y_most=2 * top)
    width = frame.x(1 / _HISTOGRAM_BINS) - frame.x(0) - 1.5
    parts = []
    for i in range(_HISTOGRAM_BINS):
        x = frame.x(i / _HISTOGRAM_BINS) + 0.75
        span = f"score {i / _HISTOGRAM_BINS:.2f} to {(i + 1) / _HISTOGRAM_BINS:.2f}"
        up, down = shares[True][i], shares[False][i]
        high = frame.y(top) - frame.y(top + up)
        parts.append(_rect(x, frame.y(top + up), width, high, "spam-bar", f"{span}: {up:.1%} of spam"))
        low = frame.y(top - down) - frame.y(top)
        parts.append(_rect(x, frame.y(top), width, low, "ham-bar", f"{span}: {down:.1%} of ham"))
    for threshold in (HAM_UP_TO, SPAM_FROM):
        parts.append(_line(frame.x(threshold), frame.y(0), frame.x(threshold), frame.y(2 * top), "limit"))
    parts.append(_line(frame.x(0), frame.y(top), frame.x(1), frame.y(top), "axis"))
    for value in ticks(top)[1:]:
        for at in (top + value, top - value):
            parts.append(text(_LEFT - 7, frame.y(at) + 4, f"{value:.0%}", "tick end"))
    parts += [text(frame.x(v), frame.height - _BOTTOM + 17, words, "tick middle") for v, words in _SHARES]
    parts.append(text(frame.x(0.5), frame.height - 8, "spam score", "label middle"))
    parts.append(text(frame.x(0.5), frame.y(2 * top) + 12, "spam", "label middle spam-text"))
    parts.append(text(frame.x(0.5), frame.y(0) - 6, "ham", "label middle ham-text"))
    said = [
        f"{sum(shares[True][14:]):.0%} of spam scores 0.7 or more",
        f"{sum(shares[False][:6]):.0%} of ham below 0.3",
    ]
    return picture("Scores by class", ", ".join(said) + ".", "".join(parts))
