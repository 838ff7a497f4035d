"""The verdict: the finished document, complete. Renderers choose how much of it to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.exchange import Exchange
from malafide.opinion import Outcome

Classification = Literal["SPAM", "HAM", "UNCERTAIN"]


@dataclass(frozen=True, slots=True)
class Contribution:
    """One agent's share of the final score: weight*confidence*score over the sum of weight*confidence."""

    agent: str
    weight: float  # after renormalisation over the agents that answered
    confidence: float
    score: float
    amount: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the panel concluded about one case. The amounts of the contributions add up to the score."""

    case: Case
    classification: Classification
    score: float
    confidence: float  # calibrated probability that the classification is right
    agreement: float
    summary: str
    reasoning: str
    outcomes: tuple[Outcome, ...]
    contributions: tuple[Contribution, ...]
    evidence: tuple[Evidence, ...]  # everything found, strongest first
    key_evidence: tuple[Evidence, ...]
    uncertainty_reason: str | None
    trace: tuple[str, ...]  # what happened on the way, one line each: drops, failures, caps
    elapsed_ms: float
    # What models were asked and answered; None: there is no model.
    exchanges: tuple[Exchange, ...] | None = None
    model_notes: tuple[str, ...] = ()  # what is to be said about the models, of the trace's lines
