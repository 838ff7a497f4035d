"""The content analyzer: what the words do to the reader. Evidence in, opinion with `red_flags` out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.evidence import Evidence
from malafide.minds.offline import Lens, Weighing
from malafide.opinion import Abstention, Opinion
from malafide.panel.agent import agent
from malafide.panel.reasoning import reason, sentences

LENS: Final[Lens] = {
    "pressure": 1.0,
    "offer": 1.0,
    "request": 1.0,
    "language": 1.0,
    "judge": 1.0,
    "family": 1.0,
    "marketing": 0.9,
    "conversation": 1.0,
    "transaction": 1.0,
    "subscription": 0.8,
    "learned-content": 1.0,
    "learned-intent": 0.9,
    "learned-structure": 0.9,
    "precedent": 1.0,
    # Seen on the way, not this agent's craft.
    "impersonation": 0.7,
    "structure": 0.6,
    "number": 0.6,
    "attachment": 0.6,
    "link": 0.5,
    "sender": 0.5,
    "route": 0.4,
    "authentication": 0.4,
}


@agent("content-analyzer")
def content_analyzer(evidence: Sequence[Evidence]) -> Opinion | Abstention:
    focus = "the language, the pressure, the promises and what is asked of the reader"
    return reason("content-analyzer", evidence, LENS, focus, _report)


def _report(weighing: Weighing) -> dict[str, object]:
    return {"red_flags": sentences(weighing.side("deceptive"), 10)}
