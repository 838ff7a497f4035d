"""The verdict in words: key evidence, one sentence, the whole reasoning. Numbers come from the decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from malafide.consensus.weighted import Decision
from malafide.evidence import Evidence, Topic
from malafide.opinion import Abstention, Failure, Opinion, Outcome

_KEY_MOST = 5

_ABOUT: dict[Topic, str] = {
    "pressure": "it presses the reader",
    "offer": "it promises too much",
    "request": "it asks for what an honest sender would not",
    "family": "it follows a known script",
    "impersonation": "it pretends to be someone else",
    "link": "its links are not what they seem",
    "sender": "the sender's addresses do not fit together",
    "authentication": "the sender's domain does not vouch for it",
    "route": "it was made and sent the way bulk senders do",
    "structure": "it is built to hide or to mislead",
    "attachment": "what is attached is dangerous",
    "language": "its language does not fit",
    "number": "the numbers in it belong to fraud",
    "judge": "it tries to talk to whoever judges it",
    "marketing": "it has the habits of unsolicited bulk mail",
    "conversation": "it reads like people who write to each other",
    "transaction": "it concerns specific business with the reader",
    "subscription": "it comes through a list that can be left",
    "learned-content": "its words are those of mail labelled so before",
    "learned-intent": "it puts things the way mail labelled so before does",
    "learned-structure": "it is built like mail labelled so before",
    "precedent": "it is like earlier mail labelled so",
    "testimony": "a language model that was asked says so, with words from the message",
}
_LEARNED: frozenset[Topic] = frozenset(
    ("learned-content", "learned-intent", "learned-structure", "precedent")
)
_GENUINE: dict[Topic, str] = {
    "authentication": "the sender's domain vouches for it",
    "link": "its links lead where they say",
    "sender": "the sender's addresses fit together",
    "route": "it was made and sent as people's mail is",
    "structure": "it is built plainly",
}


def key_evidence(opinions: Sequence[Opinion], decision: Decision) -> tuple[Evidence, ...]:
    """The three to five pieces that moved the score most: on the answer's side, or on both when it is open."""
    # By identity: agents are shown the same pieces, and to compute the hash of one takes longer than all else here.
    pieces: dict[int, Evidence] = {}
    moved: defaultdict[int, float] = defaultdict(float)
    weight = {c.agent: c.weight * c.confidence for c in decision.contributions}
    for opinion in opinions:
        for step in opinion.steps:
            if step.evidence is not None:
                pieces[id(step.evidence)] = step.evidence
                moved[id(step.evidence)] += weight.get(opinion.agent, 0.0) * step.amount
    ranked = sorted(pieces.values(), key=lambda e: (-abs(moved[id(e)]), e.kind))
    if decision.classification != "UNCERTAIN":
        wanted = "deceptive" if decision.classification == "SPAM" else "genuine"
        ranked = [e for e in ranked if e.direction == wanted] + [e for e in ranked if e.direction != wanted][
            :1
        ]
    return tuple(_varied(ranked))


def _varied(ranked: Sequence[Evidence]) -> list[Evidence]:
    """The first few, with no more than two of one topic before every topic had its turn."""
    chosen: list[Evidence] = []
    for most in (2, _KEY_MOST):
        for e in ranked:
            if len(chosen) == _KEY_MOST:
                return chosen
            same = sum(1 for c in chosen if c.topic == e.topic)
            said = any(c.sentence == e.sentence for c in chosen)
            if e not in chosen and same < most and not said:
                chosen.append(e)
    return chosen


def summarise(decision: Decision, key: Sequence[Evidence]) -> str:
    """One sentence: the answer and the reasons, in plain words."""
    if decision.classification == "UNCERTAIN":
        return f"A person should look at this: {decision.uncertainty_reason}"
    side = "deceptive" if decision.classification == "SPAM" else "genuine"
    reasons: dict[str, None] = {}
    for e in key:
        if e.direction == side:
            reasons.setdefault((_GENUINE if side == "genuine" else {}).get(e.topic, _ABOUT[e.topic]))
    because = _and(list(reasons)[:3])
    if decision.classification == "SPAM":
        return f"This message is deceptive or unwanted, because {because}."
    return f"This message looks genuine, because {because}." if because else "This message looks genuine."


def narrate(outcomes: Sequence[Outcome], decision: Decision, confidence: float) -> str:
    """What each agent found, how it fits together, why the answer follows, how certain it is."""
    lines = [_agent_line(outcome) for outcome in outcomes]
    shares = " + ".join(f"{c.amount:.3f}" for c in decision.contributions)
    if shares:
        lines.append(
            f"Together: weighted by each agent's weight and confidence the scores come to {shares} = "
            f"{decision.score:.3f}, with an agreement of {decision.agreement:.2f}."
        )
    learned = {
        e.sentence: None
        for o in outcomes
        if isinstance(o, Opinion)
        for e in o.evidence
        if e.topic in _LEARNED
    }
    lines.append("Learned patterns: " + (" ".join(list(learned)[:4]) if learned else "none matched."))
    lines.append(_therefore(decision))
    lines.append(_certainty(decision, confidence))
    return "\n".join(lines)


def _agent_line(outcome: Outcome) -> str:
    if isinstance(outcome, Opinion):
        return (
            f"{outcome.agent} ({outcome.score:.2f}, confidence {outcome.confidence:.2f}, "
            f"{outcome.recommendation}): {outcome.analysis}"
        )
    if isinstance(outcome, Abstention):
        return f"{outcome.agent} abstains: {outcome.reason}"
    return f"{outcome.agent} failed and was left out: {outcome.reason}"


def _therefore(decision: Decision) -> str:
    if decision.classification == "SPAM":
        return "So it is SPAM: the score is at least 0.70 and the agents agree to at least 0.70."
    if decision.classification == "HAM":
        return "So it is HAM: the score is at most 0.30 and the agents agree to at least 0.70."
    return f"So it is UNCERTAIN: {decision.uncertainty_reason}"


def _certainty(decision: Decision, confidence: float) -> str:
    if decision.classification == "UNCERTAIN":
        side = "unwanted" if decision.score >= 0.5 else "genuine"
        return f"If forced to choose it would be {side}, and right in about {confidence:.0%} of such cases."
    return f"Answers like this are right in about {confidence:.0%} of cases."


def _and(items: Sequence[str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def trace_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """One line per agent for the trace."""
    lines = []
    for outcome in outcomes:
        if isinstance(outcome, Opinion):
            lines.append(f"{outcome.agent}: score {outcome.score:.4f}, confidence {outcome.confidence:.4f}")
        else:
            verb = "failed" if isinstance(outcome, Failure) else "abstained"
            lines.append(f"{outcome.agent}: {verb}: {outcome.reason}")
    return lines
