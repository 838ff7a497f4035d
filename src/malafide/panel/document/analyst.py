"""The ANALYST offline: evidence in, a probability and a confidence with their arithmetic out. It does not classify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

from malafide.assessment import Analysis
from malafide.evidence import Evidence, Topic
from malafide.minds.offline import Lens, Weighing, weigh
from malafide.opinion import Step

# One analyst hears everything, each topic at its face value.
LENS: Final[Lens] = dict.fromkeys(get_args(Topic), 1.0)


def analyse(evidence: Sequence[Evidence]) -> tuple[Analysis, tuple[Step, ...]]:
    weighing = weigh(evidence, LENS)
    analysis = Analysis(round(100 * weighing.score, 2), weighing.confidence, _words(weighing))
    return analysis, weighing.steps


def _words(weighing: Weighing) -> str:
    if not weighing.steps:
        return "There is nothing to weigh."
    against, favour = weighing.side("deceptive"), weighing.side("genuine")
    lines = [f"{len(against)} things speak against it and {len(favour)} for it."]
    if against and against[0].evidence:
        lines.append(f"Most weight against it: {against[0].evidence.sentence}")
    if favour and favour[0].evidence:
        lines.append(f"Most weight for it: {favour[0].evidence.sentence}")
    if weighing.set_aside:
        lines.append("Signs of trust were set aside, because it asks for something only a deceiver needs.")
    return " ".join(lines)
