"""The spam panel with models: what the offline panel leaves open is put to the council, and code settles the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from malafide.case import Case
from malafide.consensus.story import contradiction
from malafide.consensus.weighted import Decision
from malafide.consensus.witness import (
    STRONG,
    may_clear,
    ordered,
    orders_to_the_judge,
    settle,
    strong_against,
    unanswered,
)
from malafide.evidence import Evidence
from malafide.exchange import Exchange
from malafide.opinion import Opinion, Outcome
from malafide.panel.asking import strayed
from malafide.panel.council import Council, Heard
from malafide.panel.counsel import opinion_on_order
from malafide.settings import Escalate

# What counts as left open, in calibrated probability that the message is unwanted: anything not called SPAM from the
# first on, and SPAM below the second. On the development mail that is 15 %. Whatever looks worse is asked about too:
# else text that makes a message look a little worse could keep the models from it.
OPEN_FROM: Final = 0.38
SPAM_BELOW: Final = 0.6

Decide = Callable[[Sequence[Outcome]], Decision]


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of asking the models."""

    outcomes: tuple[Outcome, ...]
    decision: Decision
    evidence: tuple[Evidence, ...]  # what models pointed at
    story: str
    notes: tuple[str, ...]
    exchanges: tuple[Exchange, ...]


def is_open(escalate: Escalate, decision: Decision, confidence: float) -> bool:
    """Whether the models are to be asked, by calibrated probability; `confidence` is that the answer is right."""
    if escalate != "uncertain":
        return escalate == "always"
    leans_spam = decision.classification == "SPAM" or (
        decision.classification == "UNCERTAIN" and decision.score >= 0.5
    )
    unwanted = confidence if leans_spam else 1.0 - confidence
    return unwanted < SPAM_BELOW if decision.classification == "SPAM" else unwanted >= OPEN_FROM


def think(
    council: Council, case: Case, found: Sequence[Evidence], offline: tuple[Outcome, ...], decide: Decide
) -> Thought:
    """The panel's outcomes and decision with the models heard."""
    before = decide(offline)
    order = orders_to_the_judge(found)
    if order is not None and order.strength >= STRONG:
        note = f"no model was asked: the message speaks to its judge ({order.kind})"
        outcomes = tuple(opinion_on_order(o, order) for o in offline)
        decision = settle(before, decide(outcomes), talked=False, strong=None)
        return Thought(outcomes, ordered(decision, order), (), "", (note,), ())
    budget = council.case_budget()
    heard = council.hear(case, found, budget, "whole" if order is None else "blind")
    if not heard.testimonies:
        led_astray = any(strayed(e.reply) for e in heard.exchanges)
        decision = unanswered(before) if led_astray else before
        decision = decision if order is None else ordered(decision, order)
        return Thought(offline, decision, (), "", (*heard.missing, *heard.notes), heard.exchanges)
    chaired = council.chair(case, found, _said(heard), budget)
    said = [t.report.recommendation for t in heard.testimonies]
    cleared = order is None and may_clear(said, heard.complete, chaired.report)
    outcomes = heard.outcomes(offline, clearing=cleared)
    talked = chaired.report is not None and chaired.report.recommendation == "SPAM"
    strong = strong_against(found) if cleared else None
    decision = settle(before, decide(outcomes), talked=talked, strong=strong)
    notes = [*heard.missing, *heard.notes, *_held_back(heard, cleared)]
    if order is not None:
        decision = ordered(decision, order)
        notes.append(f"no model was shown the message: it speaks to its judge ({order.kind})")
    story = "" if chaired.report is None else chaired.report.words
    if chaired.report is None:
        notes.append(f"consensus-agent: {chaired.why_not}")
    elif (wrong := contradiction(story, decision.classification, _numbers(decision, outcomes))) is not None:
        notes.append(f"consensus-agent: its account was replaced, because {wrong}")
        story = ""
    return Thought(
        outcomes,
        decision,
        heard.evidence(clearing=cleared),
        story,
        tuple(notes),
        (*heard.exchanges, *chaired.exchanges),
    )


def _said(heard: Heard) -> str:
    said = "; ".join(f"the {t.agent} recommends {t.report.recommendation}" for t in heard.testimonies)
    return f"The analysts: {said}."


def _held_back(heard: Heard, cleared: bool) -> list[str]:
    safer = [t.agent for t in heard.testimonies if t.amount < 0]
    if cleared or not safer:
        return []
    return [
        f"{', '.join(safer)}: the model calls the message safe; not counted, because not all who were asked agree"
    ]


def _numbers(decision: Decision, outcomes: Sequence[Outcome]) -> list[float]:
    scores = [n for o in outcomes if isinstance(o, Opinion) for n in (o.score, o.confidence)]
    return [decision.score, decision.agreement, *scores]
