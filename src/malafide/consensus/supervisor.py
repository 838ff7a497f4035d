"""The document panel's ruling: a probability and the evidence in, one of three answers out. Pure functions.

With no evidence, with something broken, or between the bounds the answer is "suspicious", never a guess. The deep route
is stricter: its middle is wider, a scam needs two kinds of evidence, and what could not be read bars "not_scam".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from malafide.assessment import Analysis, Answer, Route
from malafide.evidence import Evidence

# Probabilities from which on it is a scam, and up to which it is none.
BOUNDS: Final[dict[Route, tuple[float, float]]] = {
    "full_analysis": (30.0, 70.0),
    "deep_analysis": (20.0, 80.0),
    "fast_scam": (20.0, 80.0),
    "fast_legitimate": (20.0, 80.0),
}
_STRONG: Final = 0.7
_DECISIVE: Final = 1.0


@dataclass(frozen=True, slots=True)
class Ruling:
    answer: Answer
    reason: str
    words: str = ""  # a model's explanation, where there is one that does not contradict the answer


def rule(
    analysis: Analysis | None,
    evidence: Sequence[Evidence],
    route: Route,
    failed: Sequence[str],
    unread: Sequence[str],
) -> Ruling:
    """The answer. `failed` names tools and agents that broke, `unread` what of the case could not be read."""
    if analysis is None:
        return Ruling("suspicious", "The weighing of the evidence failed, so nothing can be ruled out.")
    if not evidence:
        return Ruling("suspicious", _nothing(failed))
    safe, scam = BOUNDS[route]
    probability = analysis.scam_probability
    if probability >= scam:
        return _scam(evidence, route)
    if probability > safe:
        return Ruling(
            "suspicious",
            f"The evidence does not decide: {probability:.0f} lies between {safe:g} and {scam:g}.",
        )
    return _not_scam(evidence, route, failed, unread)


def _scam(evidence: Sequence[Evidence], route: Route) -> Ruling:
    against = [e for e in evidence if e.direction == "deceptive"]
    kinds = {e.kind for e in against}
    if route == "deep_analysis" and len(kinds) < 2 and not any(e.strength >= _DECISIVE for e in against):
        return Ruling(
            "suspicious",
            "Only one thing speaks against it, which is not enough where precedents are missing.",
        )
    return Ruling("scam", "What speaks against it clearly outweighs what speaks for it.")


def _not_scam(
    evidence: Sequence[Evidence], route: Route, failed: Sequence[str], unread: Sequence[str]
) -> Ruling:
    if failed:
        return Ruling("suspicious", f"{_listed(failed)} failed, so it cannot be called safe.")
    if unread and route == "deep_analysis":
        return Ruling("suspicious", f"It could not be read in full, so it cannot be called safe: {unread[0]}")
    strong = next((e for e in evidence if e.direction == "deceptive" and e.strength >= _STRONG), None)
    if strong is not None:
        return Ruling(
            "suspicious", f"Much speaks for it, but one strong sign against it remains: {strong.sentence}"
        )
    if not any(e.direction == "genuine" for e in evidence):
        return Ruling("suspicious", "Nothing speaks for it; little against it is not enough to call it safe.")
    return Ruling("not_scam", "What speaks for it clearly outweighs what speaks against it.")


def _nothing(failed: Sequence[str]) -> str:
    if failed:
        return f"{_listed(failed)} failed and no evidence was found, so nothing can be ruled out."
    return "No evidence was found either way, so nothing can be ruled out."


def _listed(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " and " + unique[-1]
