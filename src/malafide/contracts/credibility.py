"""A credibility decision in, the contract's fields out: three by default, and the rest under `malafide` when asked."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from malafide.contracts import Unit


class CredibilityDecision(TypedDict):
    """What the credibility panel holds about one post. `malafide` is there only when details are asked for."""

    final_credibility_score: Unit
    agent_agreement_level: Unit
    reasoning_trace: list[str]
    malafide: NotRequired[dict[str, Any]]


class CredibilityError(TypedDict):
    """The row of a post that could not be judged."""

    error: str


CredibilityContract = dict[str, CredibilityDecision | CredibilityError]
"""All posts of a batch, keyed by post_id."""

CONTRACT = CredibilityContract
