"""A mail's verdict under trial settings: the panel's arithmetic with the learned part left open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from malafide.consensus.weighted import WEIGHTS, Decision, decide
from malafide.evidence import Evidence
from malafide.knowledge.catalog import Family
from malafide.knowledge.testimony import FULL, TOPICS
from malafide.minds.offline import CAUTION, PRIOR, SCALE, Lens, confidence_of, logistic, weigh
from malafide.opinion import Opinion
from malafide.panel.agents import content_analyzer, intent_analyzer, pattern_recognizer
from malafide.panel.reasoning import recommend

_LENSES: Mapping[str, Lens] = {
    "content-analyzer": content_analyzer.LENS,
    "pattern-recognizer": pattern_recognizer.LENS,
    "intent-analyzer": intent_analyzer.LENS,
}


class Rehearsal:
    """The evidence of one mail, weighed once; learned log-odds come on top, as one step per family."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._base: dict[str, tuple[float, float]] = {}
        for agent, lens in _LENSES.items():
            steps = weigh(evidence, lens).steps
            amounts = [s.amount for s in steps if s.evidence is not None]
            self._base[agent] = (math.fsum(amounts), math.fsum(map(abs, amounts)))

    def judge(self, learned: Mapping[Family, float]) -> Decision:
        opinions = []
        for agent, (net, mass) in self._base.items():
            for family, odds in learned.items():
                strength = min(1.0, abs(odds) / FULL)
                amount = SCALE * strength * _LENSES[agent][TOPICS[family]] * (CAUTION if odds > 0 else -1.0)
                net, mass = net + amount, mass + abs(amount)
            if mass:
                score = logistic(PRIOR + net)
                opinions.append(Opinion(agent, score, confidence_of(net, mass), recommend(score), "", (), {}))
        return decide(opinions, WEIGHTS)
