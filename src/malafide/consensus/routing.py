"""What the precedents say in, a route out: the rules of SPEC section 3.4, and what bars the fast ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from malafide.assessment import Retrieval, Route
from malafide.evidence import Evidence

SURE: Final = 0.9
UNSURE: Final = 0.5
LIKELY: Final = 80.0
UNLIKELY: Final = 20.0
# Evidence from here on is strong: nothing that precedents say can be trusted to have weighed it.
STRONG: Final = 0.7


@dataclass(frozen=True, slots=True)
class Routing:
    route: Route
    reason: str


def by_rules(confidence: float, probability: float) -> Routing:
    """The four routes, by the numbers alone."""
    numbers = f"precedents: confidence {confidence:.2f}, scam probability {probability:.0f}"
    if confidence > SURE and probability > LIKELY:
        return Routing("fast_scam", f"Nearly the same cases were labelled scams ({numbers}).")
    if confidence > SURE and probability < UNLIKELY:
        return Routing("fast_legitimate", f"Nearly the same cases were labelled legitimate ({numbers}).")
    if confidence < UNSURE:
        return Routing("deep_analysis", f"Earlier cases say little about this one ({numbers}).")
    return Routing("full_analysis", f"Earlier cases help but do not settle it ({numbers}).")


def barred(
    routing: Routing, retrieval: Retrieval, evidence: Sequence[Evidence], failed: Sequence[str]
) -> str | None:
    """Why a fast route may not be taken; None when it may."""
    if not routing.route.startswith("fast"):
        return None
    if retrieval.labelled < 1:
        return "no person and no data set labelled the precedents"
    if failed:
        return f"{', '.join(failed)} failed, so not everything was looked at"
    against = "deceptive" if routing.route == "fast_legitimate" else "genuine"
    new = next((e for e in evidence if e.direction == against and e.strength >= STRONG), None)
    if new is not None:
        return f"the case holds strong evidence that the precedents lack: {new.sentence}"
    if routing.route == "fast_legitimate" and retrieval.strangers:
        return f"it leads to {retrieval.strangers[0]}, where the precedents do not lead"
    return None


def settle(
    routing: Routing, retrieval: Retrieval, evidence: Sequence[Evidence], failed: Sequence[str]
) -> Routing:
    """The route, with a barred fast one turned into a full analysis."""
    why = barred(routing, retrieval, evidence, failed)
    if why is None:
        return routing
    return Routing("full_analysis", f"The fast route is barred: {why}.")
