"""What the three analysts share: weighing under a lens, a recommendation, and sentences about both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from malafide.evidence import Evidence
from malafide.minds.offline import Lens, Weighing, weigh
from malafide.opinion import Abstention, Opinion, Recommendation, Step

SPAM_FROM = 0.7
HAM_UP_TO = 0.3

Report = Callable[[Weighing], dict[str, object]]


def recommend(score: float) -> Recommendation:
    if score >= SPAM_FROM:
        return "SPAM"
    return "HAM" if score <= HAM_UP_TO else "UNCERTAIN"


def reason(
    agent: str, evidence: Sequence[Evidence], lens: Lens, focus: str, report: Report
) -> Opinion | Abstention:
    """An agent's whole offline reasoning: weigh, recommend, put into words, fill its own report."""
    weighing = weigh(evidence, lens)
    if not weighing.steps:
        return Abstention(agent, f"Nothing in this message speaks to {focus}.")
    return Opinion(
        agent=agent,
        score=weighing.score,
        confidence=weighing.confidence,
        recommendation=recommend(weighing.score),
        analysis=_analysis(weighing, focus),
        steps=weighing.steps,
        report=report(weighing),
    )


def sentences(steps: Sequence[Step], most: int) -> list[str]:
    """The evidence's own sentences, heaviest first, each once."""
    found: dict[str, None] = {}
    for step in steps:
        if step.evidence is not None:
            found.setdefault(step.evidence.sentence)
    return list(found)[:most]


def _analysis(weighing: Weighing, focus: str) -> str:
    against, for_ = weighing.side("deceptive"), weighing.side("genuine")
    lines = [f"Looked at {focus}."]
    if against:
        lines.append("Against the message: " + " ".join(sentences(against, 3)))
    if for_:
        lines.append("In its favour: " + " ".join(sentences(for_, 2)))
    if weighing.set_aside:
        lines.append(
            "Signs of trust were set aside, because the message asks for something only a deceiver needs "
            "or claims to be someone it is not."
        )
    if against and for_ and weighing.confidence < 0.5:
        lines.append("The two sides nearly balance, so this is held with little confidence.")
    elif weighing.confidence < 0.4:
        lines.append("There is little to go on.")
    return " ".join(lines)
