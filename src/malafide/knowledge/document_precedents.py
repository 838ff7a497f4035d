"""A case in, what labelled earlier cases say about it out, as the two numbers a router decides by.

`average_confidence_level` is the mean similarity of the nearest precedents, weighted by its fourth power, times how far
their labels agree: precedents of both kinds say nothing. `average_scam_probability` is the share of scams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from malafide.case import Case
from malafide.knowledge.domains import parse, registrable
from malafide.knowledge.precedent_recall import ALIKE
from malafide.knowledge.precedent_record import Neighbour, Precedent, Provenance

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents

PANEL: Final = "document"
SCAM_LABELS: Final = frozenset(("scam", "spam"))
GENUINE_LABELS: Final = frozenset(("not_scam", "ham"))
_NEAREST: Final = 5
_MOST_LINKS: Final = 40


def wording(case: Case) -> str:
    """The text by which a case is remembered: what a reader sees, then where it leads."""
    return "\n".join(filter(None, (case.reading, *places(case))))


def places(case: Case) -> tuple[str, ...]:
    """The registered domains of the links, each once."""
    links = case.mail.links[:_MOST_LINKS] if case.mail is not None else ()
    owners = (registrable(parse(link.target).host) for link in links)
    return tuple(dict.fromkeys(owner for owner in owners if owner))


def nearest(store: Precedents, case: Case) -> list[tuple[str, Neighbour]]:
    """The labelled cases most like this one, of documents and of mail, with the panel each belongs to."""
    found = [
        (panel, one)
        for panel, text in ((PANEL, wording(case)), ("spam", case.reading))
        for one in store.search(text, _NEAREST, panel=panel, least=ALIKE)
        if one.label in SCAM_LABELS | GENUINE_LABELS
    ]
    found.sort(key=lambda pair: (-pair[1].similarity, pair[1].case_id))
    return found[:_NEAREST]


def averages(found: list[Neighbour]) -> tuple[float, float]:
    """(average_confidence_level, average_scam_probability)."""
    weights = [one.similarity**4 for one in found]
    total = sum(weights)
    if not total:
        return 0.0, 50.0
    similarity = sum(w * one.similarity for w, one in zip(weights, found, strict=True)) / total
    scam = sum(w for w, one in zip(weights, found, strict=True) if one.label in SCAM_LABELS) / total
    return round(similarity * abs(2 * scam - 1), 4), round(100 * scam, 2)


def own_verdict(case: Case, when: str) -> Precedent:
    """A case that malafide judged, kept without a label: no search finds it."""
    return Precedent(case.id, None, wording(case), Provenance("verdict", "assess_document", when), PANEL)


def labelled(case: Case, label: str, source: str, when: str) -> Precedent:
    """A case that a person labelled."""
    return Precedent(case.id, label, wording(case), Provenance("person", source, when), PANEL)
