"""Labelled messages in, samples out: what the learner needs of each mail, taken once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from malafide.benches.spam import WITNESSES
from malafide.case import Case
from malafide.errors import MalafideError
from malafide.evidence import Evidence
from malafide.intake import read_bytes, read_text
from malafide.intake.datasets import Labelled
from malafide.knowledge.document_precedents import wording
from malafide.knowledge.precedent_record import TaughtPanel
from malafide.knowledge.testimony import Phrases, phrases_of
from malafide.panel.hearing import examine
from malafide.tools import tools

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled mail as the learner sees it."""

    case_id: str
    spam: bool
    text: str
    sender: str  # the sender's domain, or the case's own id where there is none
    phrases: Phrases
    evidence: tuple[Evidence, ...]
    panel: TaughtPanel = "spam"

    @property
    def headed(self) -> bool:
        """Whether it was mail with a sender, and not text alone."""
        return self.sender != self.case_id


def gather(items: Iterable[Labelled], progress: Progress | None = None) -> list[Sample]:
    """The samples of a data set. A message that cannot be read is left out."""
    samples = []
    for number, item in enumerate(items, 1):
        try:
            case = read_text(item.message) if isinstance(item.message, str) else read_bytes(item.message)
        except MalafideError:
            continue
        samples.append(sample_of(case, spam=item.label == "spam"))
        if progress is not None:
            progress(number)
    return samples


def sample_of(case: Case, *, spam: bool) -> Sample:
    """What the learner needs of one case."""
    evidence = examine(case, tools, WITNESSES).evidence
    sender = case.mail.sender.domain if case.mail and case.mail.sender else ""
    phrases = phrases_of(case.reading, (e.kind for e in evidence))
    return Sample(case.id, spam, case.reading, sender or case.id, phrases, evidence)


def precedent_sample(case: Case, panel: TaughtPanel, *, spam: bool) -> Sample:
    """A labelled case as its panel learns from it."""
    if panel == "spam":
        return sample_of(case, spam=spam)
    text = wording(case) if panel == "document" else case.reading
    return Sample(case.id, spam, text, case.id, phrases_of("", ()), (), panel)
