"""The contracts at the edge: the exact fields each panel gives to the outside, and their JSON Schema.

Everything beyond the contract stands under the one key `malafide`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from malafide.errors import UnknownName
from malafide.opinion import Abstention, Failure, Opinion, Recommendation
from malafide.verdict import Classification, Verdict
from malafide.version import VERSION

# Ranges travel as annotations that only the schema reads; pydantic is imported when one is asked for.
Unit = Annotated[float, "0..1"]


class AgentScores(TypedDict):
    content_analyzer: Unit | None  # None: the agent abstained or failed, see malafide.outcomes
    pattern_recognizer: Unit | None
    intent_analyzer: Unit | None


class AgentRecommendations(TypedDict):
    content_analyzer: Recommendation
    pattern_recognizer: Recommendation
    intent_analyzer: Recommendation


class SpamContract(TypedDict):
    """What the spam panel answers."""

    final_classification: Classification
    final_score: Unit
    confidence: Unit
    agent_agreement: Unit
    summary: str
    detailed_reasoning: str
    agent_scores: AgentScores
    agent_recommendations: AgentRecommendations
    key_evidence: list[str]
    uncertainty_flag: bool
    uncertainty_reason: str | None
    malafide: dict[str, Any]


