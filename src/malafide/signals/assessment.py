"""The claim and the words of a post in, how credible its content is out: by fact-checks, what was learned, and style.

Unverified is not false, and satire is neither. Fact-checks decide where they speak; what was learned from labelled
posts comes next; style alone moves the score only a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from malafide.case import Case, Part, Span
from malafide.evidence import Direction, Evidence, Strength, observe
from malafide.knowledge.facts import Answer, Finding, check
from malafide.knowledge.post_catalog import PostCatalog, Testified
from malafide.knowledge.precedent_record import Neighbour
from malafide.minds.offline import logistic
from malafide.signals.bait import amount, found_by_rules
from malafide.signals.outlets import Outlet
from malafide.signals.signal import Signal, unknown

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents

Risk = Literal["low", "medium", "high", "satire", "unknown"]
_NAME: Final = "content_credibility_score"
_SUPPORTED: Final = 0.9
_CONTRADICTED: Final = 0.1
_SEEN_BEFORE: Final = 0.8  # how far a nearly identical labelled post lies from its label's end: 0.8 and 0.2
_STYLE_REACH: Final = 0.2  # the furthest that style alone goes from the middle
_HIGH_BELOW: Final = 0.35
_LOW_FROM: Final = 0.65


@dataclass(frozen=True, slots=True)
class Assessment:
    """How credible the content is, and on what grounds. `cited` are the fact-checks and labelled posts it rests on."""

    answer: Answer
    credibility: Signal
    risk: Signal
    cited: tuple[Neighbour, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an assessment may rest on."""

    precedents: Precedents | None = None
    learned: PostCatalog | None = None


def assess(case: Case, claim: Signal, places: Sequence[tuple[Outlet, Span]], grounds: Grounds) -> Assessment:
    """Satire first, then fact-checks, then a labelled post that is nearly the same, then learned words, then style."""
    satire = next(((place, at) for place, at in places if place.place == "satire"), None)
    if satire is not None:
        return _satire(satire[0].sentence, (_place_evidence(case, satire[1], satire[0].sentence),), ())
    part = next((p for p in case.of_role("body") if p.text.strip()), None)
    if part is None:
        return _open("unverified", "There is no text to judge.")
    finding = _checked(claim, grounds)
    if finding is not None and finding.answer != "unverified":
        evidence = _claim_evidence(case, claim, finding)
        if finding.answer == "satire":
            return _satire(finding.sentence, evidence, finding.cited)
        value = _SUPPORTED if finding.answer == "supported" else _CONTRADICTED
        return _closed(finding.answer, value, "fact-checks", finding.sentence, evidence, finding.cited)
    known = _seen_before(part, grounds)
    if known is not None:
        value = _SEEN_BEFORE if known.label == "real" else 1.0 - _SEEN_BEFORE
        said = f'It is nearly the same as a post labelled {known.label} ({known.provenance.source}): "{known.excerpt}".'
        return _closed("unverified", value, "labelled posts", said, (), (known,))
    return _by_words(case, part, finding, grounds)


def _checked(claim: Signal, grounds: Grounds) -> Finding | None:
    if grounds.precedents is None or not isinstance(claim.value, str):
        return None
    return check(grounds.precedents, claim.value)


def _seen_before(part: Part, grounds: Grounds) -> Neighbour | None:
    if grounds.precedents is None:
        return None
    nearest = grounds.precedents.search(part.text, 1, panel="post")
    return nearest[0] if nearest and nearest[0].near_duplicate else None


def _by_words(case: Case, part: Part, finding: Finding | None, grounds: Grounds) -> Assessment:
    cited = finding.cited if finding else ()
    note = finding.sentence if finding else "There are no fact-checks to hold the claim against."
    told = grounds.learned.speak(part) if grounds.learned is not None else None
    if told is not None:
        value = round(logistic(-told.odds), 4)
        said = f"{note} {told.known} learned phrases say {value:.2f}."
        return _closed("unverified", value, "learned words", said, _learned_evidence(case, told), cited)
    style = tuple(e for p in case.of_role("body") for e in found_by_rules(case, p, "style"))
    if not style:
        return _open("unverified", f"{note} Its style says nothing either way.", cited)
    value = round(0.5 + _STYLE_REACH * (1.0 - 2.0 * logistic(sum(map(amount, style)))), 4)
    said = f"{note} Its style alone says {value:.2f}."
    return _closed("unverified", value, "style rules", said, style, cited)


def _learned_evidence(case: Case, told: Testified) -> tuple[Evidence, ...]:
    direction: Direction = "deceptive" if told.odds > 0 else "genuine"
    strength: Strength = "moderate" if abs(told.odds) > 1.5 else "weak"
    side = "fake" if told.odds > 0 else "real"
    return tuple(
        observe(
            case, span, f"learned.{side}", "claim", strength, f"“{phrase}” stood mostly in posts labelled {side}.",
            direction=direction, tool="post-catalog",
        )
        for phrase, span in told.words
    )  # fmt: skip


def _claim_evidence(case: Case, claim: Signal, finding: Finding) -> tuple[Evidence, ...]:
    direction: Direction = "genuine" if finding.answer == "supported" else "deceptive"
    if not claim.evidence:
        return ()
    kind = f"claim.{finding.answer}"
    sentence = " ".join(finding.sentence.split()).rstrip(".") + "."
    span = claim.evidence[0].span
    return (
        observe(case, span, kind, "claim", "decisive", sentence, direction=direction, tool="fact-checks"),
    )


def _place_evidence(case: Case, at: Span, sentence: str) -> Evidence:
    return observe(case, at, "claim.satire", "claim", "strong", sentence, tool="source")


def risk_of(value: float | None) -> Risk:
    if value is None:
        return "unknown"
    return "high" if value < _HIGH_BELOW else "low" if value >= _LOW_FROM else "medium"


def _risk(risk: Risk, by: str, because: str) -> Signal:
    if risk == "unknown":
        return unknown("misinformation_assessment", "risk_category", by, because)
    return Signal("misinformation_assessment", "risk_category", risk, "measured", by, because)


def _closed(
    answer: Answer,
    value: float,
    by: str,
    said: str,
    evidence: tuple[Evidence, ...],
    cited: tuple[Neighbour, ...],
) -> Assessment:
    signal = Signal("misinformation_assessment", _NAME, value, "measured", by, said, evidence)
    return Assessment(answer, signal, _risk(risk_of(value), by, f"It follows from {_NAME}."), cited)


def _open(answer: Answer, because: str, cited: tuple[Neighbour, ...] = ()) -> Assessment:
    signal = unknown("misinformation_assessment", _NAME, "content assessment", because)
    return Assessment(answer, signal, _risk("unknown", "content assessment", because), cited)


def _satire(because: str, evidence: tuple[Evidence, ...], cited: tuple[Neighbour, ...]) -> Assessment:
    said = f"{because} Satire is neither true nor false, so it gets no credibility of its own."
    signal = Signal("misinformation_assessment", _NAME, None, "unknown", "satire", said, evidence)
    return Assessment("satire", signal, _risk("satire", "satire", because), cited)
