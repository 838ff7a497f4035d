"""A panel's contract in, what the page tells about a case out: one shape for all panels.

The templates know these classes and no contract. Text is kept as it is here; the templates make it harmless.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from malafide.evidence import Evidence

Tone = Literal["spam", "ham", "uncertain"]
Standing = Literal["answered", "abstained", "failed"]

SHAPES: Final[dict[Tone, str]] = {"spam": "✖", "ham": "✔", "uncertain": "▲"}
MOST_EVIDENCE: Final = 200  # pieces with a number and a mark; the rest stand in the JSON

# Every answer of every panel: its tone, and the word on the badge.
ANSWERS: Final[dict[str, tuple[Tone, str]]] = {
    "SPAM": ("spam", "SPAM"),
    "HAM": ("ham", "HAM"),
    "UNCERTAIN": ("uncertain", "UNCERTAIN"),
    "scam": ("spam", "SCAM"),
    "not_scam": ("ham", "NO SCAM"),
    "suspicious": ("uncertain", "SUSPICIOUS"),
    "not_credible": ("spam", "NOT CREDIBLE"),
    "credible": ("ham", "CREDIBLE"),
    "unclear": ("uncertain", "UNCLEAR"),
}


@dataclass(frozen=True, slots=True)
class Use:
    """That an agent weighed a piece of evidence, and how much it moved it (log-odds; above zero: deceptive)."""

    agent: str
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A piece of evidence under its number on the page."""

    number: int
    evidence: Evidence
    key: bool
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an agent's arithmetic. `entry` is the number of the evidence it rests on."""

    label: str
    amount: float
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """An agent: what it holds, and the arithmetic behind it."""

    name: str
    standing: Standing
    tone: Tone | None = None
    badge: str = ""
    score: float | None = None
    score_name: str = "score"
    second: tuple[str, float] | None = None  # another measure from 0 to 1 with its name: confidence, weight
    analysis: str = ""
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of the waterfall: a stretch between two points of 0 to 1."""

    label: str
    formula: str
    start: float
    end: float
    amount: str
    tone: Tone
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Waterfall:
    """The sum behind the score. `limits` are the points where the answer turns."""

    bars: tuple[Bar, ...]
    total: Bar
    limits: tuple[float, ...]
    caption: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title. A cell is text; what stands in the message is quoted as it is."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One step on the way to the answer."""

    says: str
    actor: str = ""
    status: str = ""
    at: float | None = None  # seconds


@dataclass(frozen=True, slots=True)
class Account:
    """All that the page tells about one case."""

    answer: str
    headline: str
    facts: tuple[tuple[str, str], ...]
    leaning: Literal["deceptive", "genuine"]  # what confirming an open case says
    cards: tuple[Card, ...] = ()
    entries: tuple[Entry, ...] = ()
    unlisted: int = 0  # pieces of evidence that stand in the JSON alone
    waterfall: Waterfall | None = None
    tables: tuple[Table, ...] = ()
    reasoning: str = ""
    advice: str = ""  # words for a lay reader beside the headline
    trail: tuple[TrailLine, ...] = ()
    notes: tuple[str, ...] = ()
    sides: Mapping[str, str] | None = None  # of a conversation: who is who

    @property
    def tone(self) -> Tone:
        return ANSWERS[self.answer][0]

    @property
    def badge(self) -> str:
        return badge(self.answer)


def badge(answer: str) -> str:
    """The answer by shape and word; colour only repeats it."""
    tone, word = ANSWERS[answer]
    return f"{SHAPES[tone]} {word}"


_EVIDENCE: Final = tuple(field.name for field in fields(Evidence))


def evidence_of(rows: Iterable[Mapping[str, Any]]) -> list[Evidence]:
    """The evidence of a contract, in its order."""
    return [Evidence(**{name: row[name] for name in _EVIDENCE}) for row in rows]


def numbers(found: Sequence[Evidence], keys: frozenset[int] = frozenset()) -> dict[int, int]:
    """The number on the page of each piece of evidence, by its place in the contract: key evidence comes first."""
    order = [*sorted(keys), *(i for i in range(len(found)) if i not in keys)]
    return {place: number for number, place in enumerate(order[:MOST_EVIDENCE], start=1)}


def entries_of(
    found: Sequence[Evidence], number: Mapping[int, int], keys: frozenset[int], uses: Mapping[int, list[Use]]
) -> tuple[Entry, ...]:
    """The evidence under its numbers, each with the agents that weighed it."""
    listed = sorted(number.items(), key=lambda item: item[1])
    return tuple(Entry(n, found[i], i in keys, tuple(uses.get(i, ()))) for i, n in listed)


def lines_of(
    steps: Iterable[Mapping[str, Any]], found: Sequence[Evidence], number: Mapping[int, int]
) -> tuple[Line, ...]:
    """An agent's arithmetic: what a step rests on is said by the evidence's own sentence."""
    return tuple(
        Line(
            step["label"] if step["evidence"] is None else found[step["evidence"]].sentence,
            float(step["log_odds"]),
            None if step["evidence"] is None else number.get(step["evidence"]),
        )
        for step in steps
    )


def uses_of(by_agent: Iterable[tuple[str, Iterable[Mapping[str, Any]]]]) -> dict[int, list[Use]]:
    """Which agents weighed each piece of evidence, by its place in the contract."""
    uses: dict[int, list[Use]] = {}
    for agent, steps in by_agent:
        for step in steps:
            if step["evidence"] is not None:
                uses.setdefault(step["evidence"], []).append(Use(agent, float(step["log_odds"])))
    return uses


def log_odds_waterfall(lines: Sequence[Line], total: str, limits: Sequence[float], caption: str) -> Waterfall:
    """Log-odds added one after the other, drawn on a scale that holds all they pass through."""
    points = [0.0]
    for line in lines:
        points.append(points[-1] + line.amount)
    least, most = min(points), max(points)
    least, most = min([least, *limits]) - 0.5, max([most, *limits]) + 0.5

    def at(value: float) -> float:
        return (value - least) / (most - least)

    bars = tuple(
        Bar(
            line.label,
            "",
            at(min(before, after)),
            at(max(before, after)),
            f"{line.amount:+.2f}",
            "spam" if line.amount > 0 else "ham",
            line.entry,
        )
        for line, before, after in zip(lines, points, points[1:], strict=False)
    )
    end = points[-1]
    whole = Bar("together", "", at(min(0.0, end)), at(max(0.0, end)), total, "spam" if end > 0 else "ham")
    return Waterfall(bars, whole, tuple(at(limit) for limit in limits), caption)
