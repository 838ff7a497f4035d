"""A spam verdict in, the contract's fields out: exactly these, and everything beyond them under `malafide`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Annotated, Any

from annotated_types import MaxLen
from typing_extensions import TypedDict

from malafide.contracts import Unit
from malafide.evidence import Evidence
from malafide.exchange import usage_of
from malafide.opinion import Opinion, Outcome, Recommendation
from malafide.verdict import Classification, Contribution, Verdict
from malafide.version import VERSION


class AgentScores(TypedDict):
    """Each agent's spam score; null when it abstained or failed, which `malafide.agents` explains."""

    content_analyzer: Unit | None
    pattern_recognizer: Unit | None
    intent_analyzer: Unit | None


class AgentRecommendations(TypedDict):
    """Each agent's recommendation; UNCERTAIN when it abstained or failed."""

    content_analyzer: Recommendation
    pattern_recognizer: Recommendation
    intent_analyzer: Recommendation


class SpamContract(TypedDict):
    """What the spam panel answers. `final_score` is the spam score, for HAM too."""

    final_classification: Classification
    final_score: Unit
    confidence: Unit
    agent_agreement: Unit
    summary: str
    detailed_reasoning: str
    agent_scores: AgentScores
    agent_recommendations: AgentRecommendations
    key_evidence: Annotated[list[str], MaxLen(5)]
    uncertainty_flag: bool
    uncertainty_reason: str | None
    malafide: dict[str, Any]


def spam_contract(verdict: Verdict) -> SpamContract:
    """The verdict as the contract's fields."""
    by_agent = {outcome.agent.replace("-", "_"): outcome for outcome in verdict.outcomes}
    scores = {name: o.score if isinstance(o, Opinion) else None for name, o in by_agent.items()}
    recommendations: dict[str, Recommendation] = {
        name: o.recommendation if isinstance(o, Opinion) else "UNCERTAIN" for name, o in by_agent.items()
    }
    return SpamContract(
        final_classification=verdict.classification,
        final_score=verdict.score,
        confidence=verdict.confidence,
        agent_agreement=verdict.agreement,
        summary=verdict.summary,
        detailed_reasoning=verdict.reasoning,
        agent_scores=AgentScores(**scores),  # type: ignore[typeddict-item]
        agent_recommendations=AgentRecommendations(**recommendations),  # type: ignore[typeddict-item]
        key_evidence=[evidence_line(e) for e in verdict.key_evidence],
        uncertainty_flag=verdict.uncertainty_reason is not None,
        uncertainty_reason=verdict.uncertainty_reason,
        malafide=details(verdict),
    )


def evidence_line(evidence: Evidence) -> str:
    """One piece of evidence as a line: the sentence, then the words and where they stand."""
    return f'{evidence.sentence} "{_one_line(evidence.quote)}" ({evidence.part}, {evidence.start}-{evidence.end})'


def _one_line(quote: str) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= 120 else flat[:117] + "..."


def details(verdict: Verdict) -> dict[str, Any]:
    """What stands under `malafide`: the arithmetic, every piece of evidence, every agent, the trace."""
    numbers = {e: i for i, e in enumerate(verdict.evidence)}
    return {
        "version": VERSION,
        "case_id": verdict.case.id,
        "contributions": flat(verdict.contributions),
        "evidence": flat(verdict.evidence),
        "agents": [_details(outcome, numbers) for outcome in verdict.outcomes],
        "limitations": list(verdict.case.limitations),
        "trace": list(verdict.trace),
        **({"usage": asdict(usage_of(verdict.exchanges))} if verdict.exchanges is not None else {}),
    }


def flat(rows: Sequence[Contribution] | Sequence[Evidence]) -> list[dict[str, Any]]:
    """What `asdict` makes of objects that hold nothing but text and numbers, in a tenth of the time."""
    if not rows:
        return []
    names = [field.name for field in fields(rows[0])]
    return [{name: getattr(row, name) for name in names} for row in rows]


def outcome_details(outcome: Outcome, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """An agent's own report; each step of its arithmetic names its evidence by number in the list of evidence."""
    return _details(outcome, {e: i for i, e in enumerate(evidence)})


def _details(outcome: Outcome, numbers: Mapping[Evidence, int]) -> dict[str, Any]:
    if not isinstance(outcome, Opinion):
        return {"agent": outcome.agent, "status": type(outcome).__name__.lower(), "reason": outcome.reason}
    return {
        "agent": outcome.agent,
        "status": "opinion",
        "spam_score": outcome.score,
        "confidence": outcome.confidence,
        "recommendation": outcome.recommendation,
        "analysis": outcome.analysis,
        **outcome.report,
        "steps": [
            {"label": s.label, "log_odds": s.amount, "evidence": numbers[s.evidence] if s.evidence else None}
            for s in outcome.steps
        ],
    }


CONTRACT = SpamContract
