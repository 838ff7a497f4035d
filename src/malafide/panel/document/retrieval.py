"""The precedents and a case in, a Retrieval with its evidence out: `rag-tools.call_rag`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from malafide.assessment import Retrieval
from malafide.case import Case, Span
from malafide.evidence import Direction, Evidence, Strength, observe
from malafide.knowledge.document_precedents import SCAM_LABELS, averages, nearest, places

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents

_QUOTE: Final = 80
# From these on the precedents are evidence, by the two numbers: how alike they are, and how far they agree.
_STRENGTHS: Final[tuple[tuple[float, Strength], ...]] = ((0.9, "strong"), (0.7, "moderate"), (0.5, "weak"))


def retrieve(store: Precedents, case: Case) -> tuple[Retrieval, tuple[Evidence, ...]]:
    """What labelled earlier cases say, as two numbers and, if they say anything, as a piece of evidence."""
    pairs = nearest(store, case)
    found = [one for _, one in pairs]
    confidence, probability = averages(found)
    if not found:
        return Retrieval(sentence="No labelled earlier case is like this one."), ()
    texts = " ".join(
        store.text_of(one.case_id, panel) for panel, one in pairs if one.similarity >= 0.7
    ).lower()
    strangers = tuple(place for place in places(case) if place not in texts and place != proven_home(case))
    scams = sum(one.label in SCAM_LABELS for one in found)
    near = f"nearest {found[0].similarity:.2f}"
    sentence = f"Of the {len(found)} labelled earlier cases most like it, {scams} are scams ({near})."
    retrieval = Retrieval(confidence, probability, len(found), strangers, sentence)
    return retrieval, _evidence(case, retrieval)


def proven_home(case: Case) -> str:
    """The domain a mail comes from, if the receiving server confirmed it."""
    from malafide.knowledge.authentication import aligned

    return (aligned(case.mail) or "") if case.mail is not None and case.mail.headers else ""


def _evidence(case: Case, retrieval: Retrieval) -> tuple[Evidence, ...]:
    part = next((p for p in case.of_role("body", "subject") if p.text.strip()), None)
    level = retrieval.average_confidence_level
    strength = next((name for least, name in _STRENGTHS if level > least), None)
    if part is None or strength is None:
        return ()
    scam = retrieval.average_scam_probability > 50
    start = len(part.text) - len(part.text.lstrip())
    line_end = part.text.find("\n", start)
    at = Span(part.name, start, min(start + _QUOTE, len(part.text) if line_end < 0 else line_end))
    kind = f"precedents.{'scam' if scam else 'genuine'}"
    direction: Direction = "deceptive" if scam else "genuine"
    return (
        observe(
            case, at, kind, "precedent", strength, retrieval.sentence, direction=direction, tool="precedents"
        ),
    )
