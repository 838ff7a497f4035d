"""A person's label in, changed precedents and catalog out; and taken back, everything as it was before.

What labels do follows from the list of labels alone: for each mail they touch, the precedents hold what people said
about it, and the catalog a correction for what was said last. So taking a label off the list undoes it exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from malafide.errors import BadSetting, UnknownName
from malafide.files import write_atomically
from malafide.knowledge.catalog import Catalog, dump
from malafide.knowledge.precedent_record import TaughtPanel
from malafide.knowledge.remembered import catalog_path, read_catalog
from malafide.knowledge.testimony import phrases_of
from malafide.learning.labels import (
    Label,
    effective,
    known_phrases,
    label_of,
    precedents_of_people,
    read_labels,
    write_labels,
)
from malafide.learning.lock import changing
from malafide.learning.samples import Sample
from malafide.record.review import ReviewShelf, Waiting

# More labels than this from one source in this time are a burst: a person who reads what they label takes longer.
BURST_LABELS: Final = 20
BURST_TIME: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a label."""

    label: Label
    held: int  # labels of its source that are held now, this one among them; 0 when none is
    overruled: Label | None  # what was said about the mail before
    catalog: bool  # whether there is a catalog that it changes, once it counts


def give(sample: Sample, source: str, moment: datetime | None = None) -> Receipt:
    """A person says what a mail is. Saying the same again changes nothing."""
    source = " ".join(source.split())
    if not source:
        raise BadSetting("a label needs a source: name who gives it with --source NAME")
    new = label_of(sample, source, moment or datetime.now(UTC))
    with changing("taking a label"):
        old = read_labels()
        before = next((one for one in reversed(old) if one.case == new.case), None)
        if before is not None and (before.side, before.source) == (new.side, source):
            return Receipt(before, _held(old, source), None, catalog_path().exists())
        labels = _restrained([*old, new], new)
        _apply(old, labels)
    return Receipt(labels[-1], _held(labels, source), before, catalog_path().exists())


def take_back(case_id: str, panel: TaughtPanel | None = None) -> Label | None:
    """Takes back what was said last about a case, held or not, to one panel or any; None when nothing was said."""
    with changing("taking a label back"):
        labels = read_labels()
        said = (one for one in reversed(labels) if one.case_id == case_id and panel in (None, one.panel))
        gone = next(said, None)
        if gone is not None:
            _apply(labels, [one for one in labels if one is not gone])
    return gone


def held() -> list[Label]:
    """The labels that wait until somebody confirms or discards them."""
    return [label for label in read_labels() if label.state == "held"]


def confirm(source: str) -> int:
    """Lets the held labels of a source count; how many."""
    with changing("confirming labels"):
        labels = read_labels()
        freed = _held_by(labels, source)
        _apply(labels, [replace(one, state="confirmed") if one in freed else one for one in labels])
    return len(freed)


def discard(source: str) -> int:
    """Takes the held labels of a source off the list; how many."""
    with changing("discarding labels"):
        labels = read_labels()
        gone = _held_by(labels, source)
        _apply(labels, [one for one in labels if one not in gone])
    return len(gone)


def waiting_sample(waiting: Waiting, *, spam: bool) -> Sample:
    """A case that waits for review, labelled."""
    phrases = phrases_of(waiting.text, (e.kind for e in waiting.evidence))
    return Sample(waiting.case_id, spam, waiting.text, waiting.sender, phrases, waiting.evidence)


def known_sample(case_id: str, *, spam: bool) -> Sample | None:
    """The mail of that id if it waits for review or somebody labelled it before."""
    found = ReviewShelf().get(case_id)
    if found is not None:
        return waiting_sample(found, spam=spam)
    labelled = next((one for one in read_labels() if one.case == (case_id, "spam")), None)
    return replace(labelled.sample, spam=spam) if labelled is not None else None


def open_cases() -> list[Waiting]:
    """The cases that wait and that nobody has said anything about."""
    answered = {label.case_id for label in read_labels()}
    return [one for one in ReviewShelf().all() if one.case_id not in answered]


def with_labels(catalog: Catalog, labels: Sequence[Label]) -> Catalog:
    """A catalog that was just learned, with what people said on top."""
    known = known_phrases(catalog)
    last = {label.case_id: label for label in labels if label.state != "held" and label.panel == "spam"}
    for case_id in sorted(last):
        catalog = catalog.corrected(last[case_id].correction(known))
    return catalog


def _restrained(labels: list[Label], new: Label) -> list[Label]:
    """Holds the labels of a source back once they are a burst, the first of them too, and all that follow."""
    start = new.moment - BURST_TIME
    recent = [
        one
        for one in labels
        if one.source == new.source and one.state == "counted" and start <= one.moment <= new.moment
    ]
    if len(recent) > BURST_LABELS:
        return [replace(one, state="held") if one in recent else one for one in labels]
    if _held(labels, new.source):
        return [*labels[:-1], replace(new, state="held")]
    return labels


def _apply(old: Sequence[Label], new: Sequence[Label]) -> None:
    """Writes the new list in the place of the old, and makes precedents and catalog say what it says."""
    from malafide.knowledge.precedents import Precedents  # imports numpy

    path = catalog_path()
    catalog = read_catalog(path) if path.exists() else None
    known = known_phrases(catalog) if catalog is not None else {}
    write_labels(new)
    store = Precedents()
    try:
        for case in sorted({label.case for label in set(old) ^ set(new)}):
            case_id, panel = case
            store.relabel(case_id, precedents_of_people(old, case), precedents_of_people(new, case), panel)
            if catalog is not None and panel == "spam":
                said = effective(new, case)
                catalog = catalog.without(case_id)
                catalog = catalog.corrected(said[-1].correction(known)) if said else catalog
    finally:
        store.close()
    if catalog is not None:
        write_atomically(path, dump(catalog))


def _held(labels: Iterable[Label], source: str) -> int:
    return sum(1 for one in labels if one.source == source and one.state == "held")


def _held_by(labels: Iterable[Label], source: str) -> list[Label]:
    found = [one for one in labels if one.source == source and one.state == "held"]
    if not found:
        names = sorted({one.source for one in labels if one.state == "held"})
        raise UnknownName(
            f"no labels of {source!r} are held; held are those of: {', '.join(names) or 'nobody'}"
        )
    return found
