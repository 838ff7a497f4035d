"""Verdict in, what a report shows out: numbers for the evidence, passages of the message, the sum.

The terminal and the HTML report draw the same view; they differ in how much text they ask for around a mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from malafide.case import Case, Part, Role
from malafide.evidence import Direction, Evidence
from malafide.opinion import Abstention, Opinion, Outcome, Recommendation
from malafide.render.defang import defanging
from malafide.render.marking import Elision, Mark, Segment, cut, excerpt
from malafide.render.visible import visible
from malafide.verdict import Verdict

Standing = Literal["answered", "abstained", "failed"]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A piece of evidence under the number it carries in this report."""

    number: int
    evidence: Evidence
    key: bool


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a passage, ready for a screen: harmless text, or how much was left out."""

    text: str
    direction: Direction | None = None
    marks: tuple[Mark, ...] = ()
    opens: tuple[Mark, ...] = ()
    closes: tuple[Mark, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """What is shown of one part."""

    label: str
    role: str
    runs: tuple[Run, ...]
    part: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """One agent of the panel, as a row or card shows it."""

    name: str
    standing: Standing
    score: float | None
    confidence: float | None
    recommendation: Recommendation | None
    point: str  # its main point, one sentence
    analysis: str


@dataclass(frozen=True, slots=True)
class Depth:
    """How much of a verdict to show."""

    context: int  # characters of unmarked text kept on either side of a mark
    opening: int  # characters of the body's beginning that are always shown
    evidence: int  # how many pieces of evidence get a number and a mark


def number_evidence(verdict: Verdict, most: int) -> list[Numbered]:
    """The key evidence first, then the rest by strength, as the verdict orders it."""
    numbered = [Numbered(i, e, True) for i, e in enumerate(verdict.key_evidence, start=1)]
    keys = set(verdict.key_evidence)
    for evidence in verdict.evidence:
        if len(numbered) >= most:
            break
        if evidence not in keys:
            numbered.append(Numbered(len(numbered) + 1, evidence, False))
    return numbered


_SHOWN: Final[tuple[Role, ...]] = ("subject", "body", "message")


def passages(
    case: Case, numbered: Sequence[Numbered], depth: Depth, roles: Sequence[Role] = _SHOWN
) -> Iterator[Passage]:
    """The parts worth showing: who wrote, those of the roles, and whatever else carries a mark."""
    by_part: dict[str, list[Mark]] = {}
    for item in numbered:
        e = item.evidence
        by_part.setdefault(e.part, []).append(Mark(item.number, e.start, e.end, e.direction))
    always = {case.mail.sender.at.part} if case.mail and case.mail.sender else set()
    for part in sorted(case.parts, key=_order):
        marks = by_part.get(part.name, [])
        if part.text and (marks or part.name in always or part.role in roles):
            yield Passage(part_label(case, part.name), part.role, tuple(_runs(part, marks, depth)), part.name)


def _order(part: Part) -> int:
    """The head of a mail stands over its body, and who wrote it over everything."""
    if part.name == "header/from":
        return 0
    return {"subject": 1, "header": 2}.get(part.role, 3)


def _runs(part: Part, marks: list[Mark], depth: Depth) -> Iterator[Run]:
    text = part.text
    opening = (
        depth.opening if part.role in ("subject", "body") or part.name == "header/from" else depth.context
    )
    edits: dict[int, str] | None = None
    for piece in excerpt(text, cut(len(text), marks), depth.context, opening):
        if isinstance(piece, Elision):
            yield Run("", left_out=piece.end - piece.start)
            continue
        if edits is None:
            edits = defanging(text)
        shown = _shown(text, piece, edits)
        if any(mark in piece.closes for mark in piece.opens) and not shown.strip():
            shown = "(invisible characters)"
        yield Run(shown, piece.direction, piece.marks, piece.opens, piece.closes)


def _shown(text: str, piece: Segment, edits: dict[int, str]) -> str:
    if not edits:
        return visible(text[piece.start : piece.end])
    return visible("".join(edits.get(i, text[i]) for i in range(piece.start, piece.end)))


_ROLES = {
    "header": "Header",
    "subject": "Subject",
    "body": "Message",
    "alternative": "Text not shown to the reader",
    "hidden": "Hidden from the reader",
    "links": "Links",
    "attachment": "Attachment",
    "nested": "Message inside the message",
    "message": "Message",
}


def part_label(case: Case, name: str) -> str:
    """What people call the part."""
    if not case.has(name):
        return name
    part = case.part(name)
    if part.role == "header":
        return part.name.rpartition("/")[2].title() or _ROLES["header"]
    if part.name.startswith("page/"):
        return f"Page {part.name.rpartition('/')[2]}"
    if part.role == "message":
        return f"Message {part.name.rpartition('/')[2]}"
    return _ROLES[part.role]


def seats(outcomes: Sequence[Outcome]) -> list[Seat]:
    return [seat(outcome) for outcome in outcomes]


def seat(outcome: Outcome) -> Seat:
    if isinstance(outcome, Opinion):
        return Seat(
            outcome.agent, "answered", outcome.score, outcome.confidence, outcome.recommendation,
            main_point(outcome), outcome.analysis,
        )  # fmt: skip
    standing: Standing = "abstained" if isinstance(outcome, Abstention) else "failed"
    return Seat(outcome.agent, standing, None, None, None, outcome.reason, outcome.reason)


def main_point(opinion: Opinion) -> str:
    """The evidence that moved the agent most in the direction it ended in; if none did, in the other.

    What its craft makes it weigh more than its face value comes first, so that three agents have three points.
    """
    sign = 1.0 if opinion.score >= 0.5 else -1.0
    moves = [
        (s.amount * sign > 0, s.amount**2 / s.evidence.strength, s.evidence)
        for s in opinion.steps
        if s.evidence is not None
    ]
    if not moves:
        return opinion.analysis.partition("\n")[0]
    return max(moves, key=lambda m: m[:2])[2].sentence


@dataclass(frozen=True, slots=True)
class Share:
    """One line of the sum, with its amount rounded so that the printed lines add up to the printed score."""

    agent: str
    weight: float
    confidence: float
    score: float
    amount: float


PLACES = 4


def shares(verdict: Verdict) -> list[Share]:
    """The contributions; what rounding leaves over goes to the line that was rounded most."""
    unit = 10**PLACES
    exact = [c.amount * unit for c in verdict.contributions]
    units = [round(amount) for amount in exact]
    missing = round(verdict.score * unit) - sum(units)
    step = 1 if missing > 0 else -1
    by_error = sorted(range(len(units)), key=lambda i: step * (units[i] - exact[i]))
    for i in by_error[: min(abs(missing), len(units))]:
        units[i] += step
    return [
        Share(c.agent, c.weight, c.confidence, c.score, u / unit)
        for c, u in zip(verdict.contributions, units, strict=True)
    ]


def divisor(parts: Sequence[Share]) -> float:
    """What every line of the sum is divided by: all the weights, each times its agent's confidence."""
    return sum(p.weight * p.confidence for p in parts)
