"""One judged, labelled case as the measures need it: what was true, what was answered, what it cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypedDict

from malafide.consensus.weighted import AGREEMENT_FROM
from malafide.evidence import Direction
from malafide.exchange import usage_of
from malafide.opinion import Opinion, Recommendation
from malafide.verdict import Classification, Verdict

Label = Literal["spam", "ham"]


class Spent(TypedDict, total=False):
    calls: int
    tokens: int
    money: float


class Seen(NamedTuple):
    """A kind of evidence that was found in the case, and what it speaks for."""

    kind: str
    direction: Direction


class Vote(NamedTuple):
    """One agent's part. `score` and `confidence` are None when it abstained or failed."""

    agent: str
    score: float | None
    confidence: float | None
    recommendation: Recommendation


@dataclass(frozen=True, slots=True)
class Row:
    """One case."""

    name: str
    label: Label
    classification: Classification
    score: float
    confidence: float
    agreement: float
    votes: tuple[Vote, ...] = ()
    seen: frozenset[Seen] = frozenset()
    elapsed_ms: float = 0.0
    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    @property
    def is_spam(self) -> bool:
        return self.label == "spam"

    @property
    def decided(self) -> bool:
        return self.classification != "UNCERTAIN"

    @property
    def right(self) -> bool:
        """Whether the answer is the label. UNCERTAIN is never right."""
        return self.classification == self.label.upper()

    @property
    def leans_spam(self) -> bool:
        """The side `confidence` speaks of: the answer, or for UNCERTAIN the side its score is on."""
        return self.classification == "SPAM" or (self.classification == "UNCERTAIN" and self.score >= 0.5)

    @property
    def leans_right(self) -> bool:
        return self.leans_spam == self.is_spam

    @property
    def spam_probability(self) -> float:
        return self.confidence if self.leans_spam else 1.0 - self.confidence

    @property
    def opinions(self) -> int:
        return sum(1 for vote in self.votes if vote.score is not None)

    @property
    def consensus(self) -> bool:
        """Whether the agents agreed: at least two spoke, and their scores lie within 0.3."""
        return self.opinions >= 2 and self.agreement >= AGREEMENT_FROM


def row_of(verdict: Verdict, name: str, label: Label) -> Row:
    """The row of a verdict on a case whose label is known."""
    return Row(
        name=name,
        label=label,
        classification=verdict.classification,
        score=verdict.score,
        confidence=verdict.confidence,
        agreement=verdict.agreement,
        votes=tuple(
            Vote(o.agent, o.score, o.confidence, o.recommendation)
            if isinstance(o, Opinion)
            else Vote(o.agent, None, None, "UNCERTAIN")
            for o in verdict.outcomes
        ),
        seen=frozenset(Seen(e.kind, e.direction) for e in verdict.evidence),
        elapsed_ms=verdict.elapsed_ms,
        **_spent(verdict),
    )


def _spent(verdict: Verdict) -> Spent:
    """What models cost for this case; answers that were remembered count as when they were given."""
    if not verdict.exchanges:
        return {}
    paid = usage_of(replace(e, reply=replace(e.reply, remembered=False)) for e in verdict.exchanges)
    return {"calls": paid.calls, "tokens": paid.tokens, "money": paid.money}
