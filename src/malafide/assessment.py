"""The assessment: what the document panel concluded, what it did, and every step on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.exchange import Exchange
from malafide.opinion import Failure, Step

Answer = Literal["scam", "not_scam", "suspicious"]
Route = Literal["fast_scam", "fast_legitimate", "full_analysis", "deep_analysis"]
TrailStatus = Literal["done", "failed", "skipped"]
ReceiptStatus = Literal["done", "rehearsed", "failed", "skipped", "undone"]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What labelled earlier cases say. Nothing alike is a confidence of 0 and a probability of 50."""

    average_confidence_level: float = 0.0  # 0 to 1
    average_scam_probability: float = 50.0  # 0 to 100
    labelled: int = 0  # precedents alike that people or data sets labelled
    strangers: tuple[str, ...] = ()  # places the case leads to and none of the nearest precedents does
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the ANALYST computed. No classification."""

    scam_probability: float  # 0 to 100
    confidence_level: float  # 0 to 1
    words: str


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One line of the decision trail."""

    at: float  # seconds after the beginning
    seconds: float
    actor: str  # an agent or a tool, by its contract name
    status: TrailStatus
    says: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave, under its contract name."""

    tool: str
    output: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an action did, or would do. `undo` is all that is needed to take it back."""

    action: str
    status: ReceiptStatus
    says: str
    undo: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the panel concluded about one case. The amounts of the steps add up to the log-odds of the probability."""

    workflow_id: str
    started: datetime
    case: Case
    answer: Answer
    probability: float  # 0 to 100
    confidence: float
    explanation: str
    reason: str  # why this answer, in one sentence
    route: Route
    route_reason: str
    evidence: tuple[Evidence, ...]
    steps: tuple[Step, ...]
    tool_results: tuple[ToolResult, ...]
    agents: tuple[str, ...]
    errors: tuple[Failure, ...]
    trail: tuple[TrailStep, ...]
    total_time: float
    receipts: tuple[Receipt, ...] = ()
    exchanges: tuple[Exchange, ...] | None = (
        None  # what models were asked and answered; None: there is no model
    )
