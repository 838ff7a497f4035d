"""A model's report on top of an agent's offline opinion: bounded log-odds, carried by quotes that stand in the case.

Code decides, models testify. The offline opinion stays as it is, step for step; what the model says is added as steps
of its own, so the arithmetic still adds up. It can add no more than RAISE and take away no more than LOWER, which moves
a verdict by one step at most: what is SPAM offline can never become HAM by a model's word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.minds.citation import Cited
from malafide.minds.offline import PRIOR, SCALE, confidence_of, logistic
from malafide.minds.reports import FORMS, INTENTS, Report
from malafide.opinion import Abstention, Failure, Opinion, Outcome, Step
from malafide.panel.agents.pattern_recognizer import risk_level
from malafide.panel.reasoning import HAM_UP_TO, recommend

# As much as one strong piece of evidence against a message counts offline (0.7 * SCALE * CAUTION = 1.82), and just not
# more: an order to the judge, which keeps models out, must weigh at least what a model could have said instead.
RAISE: Final = 1.8
# Less than the width of UNCERTAIN (2 * logit(0.7) = 1.69): no model takes a message from SPAM to HAM.
LOWER: Final = 1.6
_HONEST_INTENTS: Final = frozenset(INTENTS[:4])


@dataclass(frozen=True, slots=True)
class Testimony:
    """What one agent's model said, in log-odds, with the evidence it rests on."""

    agent: str
    model: str
    report: Report
    amount: float
    evidence: tuple[Evidence, ...]
    notes: tuple[str, ...]


def testify(case: Case, agent: str, model: str, report: Report, against: Sequence[Cited], favour: Sequence[Cited],
            share: float) -> Testimony:  # fmt: skip
    """The weight of a report: its own leaning, lowered by quotes that were not found, borne by those that were."""
    amount = _leaning(report) * report.confidence * share
    amount = max(-LOWER, min(RAISE, amount))
    bearing = against if amount > 0 else favour
    notes: list[str] = []
    if amount and not bearing:
        notes.append(
            f"{agent}: the model's answer rests on no words of the message on its side; it is not counted"
        )
        amount = 0.0
    evidence = (
        tuple(_evidence(case, agent, cited, amount, len(bearing)) for cited in bearing) if amount else ()
    )
    return Testimony(agent, model, report, round(amount, 4), evidence, tuple(notes))


def _leaning(report: Report) -> float:
    if report.recommendation == "UNCERTAIN":
        return 0.0
    score = min(max(report.score, 0.02), 0.98)
    return math.log(score / (1.0 - score))


def _evidence(case: Case, agent: str, cited: Cited, amount: float, of: int) -> Evidence:
    return Evidence(
        kind=f"model.{agent}",
        topic="testimony",
        direction="deceptive" if amount > 0 else "genuine",
        strength=round(min(1.0, max(0.01, abs(amount) / of / SCALE)), 4),
        part=cited.at.part,
        start=cited.at.start,
        end=cited.at.end,
        quote=case.quote(cited.at),
        found_by=f"{agent} (model)",
        sentence=cited.why,
    )


def without_clearing(testimony: Testimony) -> Testimony:
    """The same with nothing in it that makes a message look safer."""
    return replace(testimony, amount=0.0, evidence=()) if testimony.amount < 0 else testimony


def opinion_with(offline: Outcome, testimony: Testimony) -> Outcome:
    """The agent's opinion with its model heard; the offline outcome itself where the model added nothing."""
    if isinstance(offline, Failure) or not testimony.evidence:
        return offline
    return _raised(offline, testimony, f"The model ({testimony.model}) adds: {testimony.report.words}")


def opinion_on_order(offline: Outcome, order: Evidence) -> Outcome:
    """The agent's opinion on a message that gives orders to its judge, and so is shown to no model.

    The order counts as much as any model could have said against the message, so that giving it gains nothing.
    """
    if isinstance(offline, Failure):
        return offline
    steps = offline.steps if isinstance(offline, Opinion) else ()
    known = math.fsum(s.amount for s in steps if s.evidence is not None and s.evidence.topic == order.topic)
    if known >= RAISE:
        return offline
    report = Report("SPAM", 1.0, 1.0, order.sentence)
    rest = Testimony(offline.agent, "", report, round(RAISE - known, 4), (order,), ())
    return _raised(
        offline, rest, "It speaks to its judge, which counts as much as a model could say against it."
    )


def _raised(offline: Opinion | Abstention, testimony: Testimony, adds: str) -> Opinion:
    steps = offline.steps if isinstance(offline, Opinion) else (Step("prior", PRIOR),)
    each = testimony.amount / len(testimony.evidence)
    steps += tuple(Step(e.kind, round(each, 6), e) for e in testimony.evidence)
    total = math.fsum(s.amount for s in steps)
    mass = math.fsum(abs(s.amount) for s in steps if s.evidence is not None)
    score = round(logistic(total), 4)
    before = offline.analysis if isinstance(offline, Opinion) else _nothing(offline)
    return Opinion(
        agent=offline.agent,
        score=score,
        confidence=confidence_of(total - PRIOR, mass),
        recommendation=recommend(score),
        analysis=f"{before} {adds}",
        steps=steps,
        report=_report(offline, testimony, score),
    )


def _nothing(offline: Abstention) -> str:
    return offline.reason


def _report(offline: Opinion | Abstention, testimony: Testimony, score: float) -> dict[str, object]:
    """The agent's own fields: the model's claims that stood, then the offline ones. Numbers are ours."""
    form = FORMS[testimony.agent]
    own: dict[str, object] = dict(offline.report) if isinstance(offline, Opinion) else {}
    lists = {form.against: "deceptive", form.favour: "genuine"}
    for name, side in lists.items():
        said = [f'{e.sentence} "{e.quote}"' for e in testimony.evidence if e.direction == side]
        known = own.get(name)
        own[name] = [*said, *(known if isinstance(known, list) else [])][:15]
    if form.against == "patterns_found":
        own["risk_level"] = risk_level(score)
    if form.intent:
        own.setdefault("secondary_intents", [])
        own.setdefault("legitimacy_score", round(1.0 - score, 4))
        named = testimony.report.intent
        if named is not None and (named in _HONEST_INTENTS) == (score <= HAM_UP_TO):
            own["primary_intent"] = named
        own.setdefault("primary_intent", "INFORMATIONAL")
    if form.favour == "in_favour" and not own["in_favour"]:
        del own["in_favour"]
    return own
