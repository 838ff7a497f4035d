"""The offline panel as a witness: whether what models said may clear a message, and what a conflict is called.

Pure functions over decisions and reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from malafide.consensus.weighted import Decision
from malafide.evidence import Evidence
from malafide.minds.reports import Report
from malafide.opinion import Recommendation

# From here on evidence against a message cannot be talked away.
STRONG: Final = 0.7
_ORDER: Final = {"HAM": 0, "UNCERTAIN": 1, "SPAM": 2}


def orders_to_the_judge(evidence: Sequence[Evidence]) -> Evidence | None:
    """The clearest words that address whoever decides about the message: such a message is shown to no model."""
    found = [e for e in evidence if e.topic == "judge" and e.direction == "deceptive"]
    return max(found, key=lambda e: e.strength, default=None)


def strong_against(evidence: Sequence[Evidence]) -> Evidence | None:
    """The strongest grounded evidence against the message, if it is strong."""
    found = [
        e for e in evidence if e.direction == "deceptive" and e.topic != "testimony" and e.strength >= STRONG
    ]
    return max(found, key=lambda e: e.strength, default=None)


def may_clear(said: Sequence[Recommendation], complete: bool, chair: Report | None) -> bool:
    """Models make a message look safer only together, and with the one who has not read it."""
    return complete and all(r == "HAM" for r in said) and chair is not None and chair.recommendation == "HAM"


def ordered(decision: Decision, order: Evidence) -> Decision:
    """The decision on a message that gives orders to its judge: whatever it is, it is not safe."""
    if decision.classification != "HAM":
        return decision
    return _open(
        decision, f'It speaks to whoever judges it, which no honest message does: "{_short(order.quote)}"'
    )


def unanswered(decision: Decision) -> Decision:
    """The decision on a message that made every model stray from the question: a failure never reads as safe."""
    if decision.classification != "HAM":
        return decision
    return _open(
        decision, "The language models that were shown it answered something else than they were asked."
    )


def settle(offline: Decision, heard: Decision, *, talked: bool, strong: Evidence | None) -> Decision:
    """The decision with models heard, to one step at most.

    `talked`: the one who has not read the message holds it for unwanted, so it is not safe, whatever its readers say.
    `strong`: the models cleared it against this evidence.
    """
    if strong is not None:
        said = "The language models call it safe, but strong evidence stands against that:"
        return _open(heard, f'{said} {strong.sentence} "{_short(strong.quote)}"')
    if talked and heard.classification == "HAM":
        return _open(
            heard, "The findings alone look unwanted to the language model that did not read the message."
        )
    if abs(_ORDER[heard.classification] - _ORDER[offline.classification]) > 1:
        return _open(
            heard,
            f"The language models and the rules contradict each other: {offline.classification} without, "
            f"{heard.classification} with them.",
        )
    return heard


def _open(decision: Decision, reason: str) -> Decision:
    return replace(decision, classification="UNCERTAIN", uncertainty_reason=reason)


def _short(quote: str) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= 100 else flat[:97] + "..."
