"""A ruling in, words for a lay reader out: the answer, the reasons in order of weight, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.assessment import Answer
from malafide.consensus.supervisor import Ruling
from malafide.evidence import Evidence, Topic

_OPENINGS: Final[dict[Answer, str]] = {
    "scam": "This is very likely a scam.",
    "not_scam": "Nothing suggests that this is a scam.",
    "suspicious": "Be careful: it is not clear whether this is a scam.",
}
_ADVICE: Final[dict[Topic, str]] = {
    "link": "Do not follow its links; go to the organisation's own site if you need to.",
    "impersonation": "Contact the organisation it names through an address you already know.",
    "number": "Do not call numbers it gives and do not pay to accounts it names.",
    "request": "Do not give passwords, codes, card or account data, and do not send money.",
    "attachment": "Do not open files that came with it.",
    "pressure": "The hurry is made up: there is time to ask someone.",
}
_MOST: Final = 4


def explain(
    ruling: Ruling, evidence: Sequence[Evidence], unread: Sequence[str], failed: Sequence[str]
) -> str:
    """A few plain sentences."""
    against = _sentences(evidence, "deceptive")
    favour = _sentences(evidence, "genuine")
    lines = [_OPENINGS[ruling.answer]]
    if ruling.answer != "not_scam" and against:
        lines.append(f"Why: {' '.join(against)}")
    if ruling.answer == "not_scam" and favour:
        lines.append(f"Why: {' '.join(favour)}")
    if ruling.answer == "suspicious":
        if favour:
            lines.append(f"In its favour: {' '.join(favour[:2])}")
        lines.append(ruling.reason)
    if unread:
        lines.append(f"What could not be read: {' '.join(unread[:3])}")
    if failed and ruling.answer != "suspicious":
        lines.append(f"Not everything worked: {', '.join(dict.fromkeys(failed))} failed.")
    lines.extend(_advice(ruling.answer, evidence))
    if ruling.words:
        lines.append(f"In a model's words: {ruling.words}")
    return " ".join(lines)


def _sentences(evidence: Sequence[Evidence], direction: str) -> list[str]:
    chosen = sorted((e for e in evidence if e.direction == direction), key=lambda e: (-e.strength, e.kind))
    return list(dict.fromkeys(e.sentence for e in chosen))[:_MOST]


def _advice(answer: Answer, evidence: Sequence[Evidence]) -> list[str]:
    if answer == "not_scam":
        return []
    topics = [e.topic for e in sorted(evidence, key=lambda e: -e.strength) if e.direction == "deceptive"]
    advice = list(dict.fromkeys(_ADVICE[topic] for topic in topics if topic in _ADVICE))[:2]
    return advice or ["If in doubt, ask the sender in a way you know to be theirs."]
