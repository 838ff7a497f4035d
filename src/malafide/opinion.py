"""Opinions: what one agent holds about a case, or why it holds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from malafide.evidence import Evidence

Recommendation = Literal["SPAM", "HAM", "UNCERTAIN"]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of an agent's arithmetic: what was added to the log-odds, and for which evidence."""

    label: str
    amount: float
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one agent holds. `steps` are the log-odds whose sum, through the logistic function, is `score`."""

    agent: str
    score: float
    confidence: float
    recommendation: Recommendation
    analysis: str
    steps: tuple[Step, ...]
    report: dict[str, object]  # the agent's own fields of the contract, e.g. red_flags

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(step.evidence for step in self.steps if step.evidence is not None)


@dataclass(frozen=True, slots=True)
class Vote:
    """What one voter of a panel that counts votes holds. `steps` are log-odds, as in an Opinion."""

    agent: str
    scam: bool
    confidence: float
    scam_type: str  # "safe" when it is none
    score: float
    analysis: str
    steps: tuple[Step, ...]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(step.evidence for step in self.steps if step.evidence is not None)


@dataclass(frozen=True, slots=True)
class Abstention:
    """The agent looked and has nothing to go on."""

    agent: str
    reason: str


@dataclass(frozen=True, slots=True)
class Failure:
    """The agent or tool broke. Never read as safe: it is named in the verdict."""

    agent: str
    reason: str


Outcome = Opinion | Abstention | Failure
Ballot = Vote | Abstention | Failure
