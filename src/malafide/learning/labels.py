"""The labels people gave, in order: who said what about which mail and when. Everything they change follows from here.

`labels.jsonl` in the home folder, one label a line, written whole and atomically. A label that is held stands here
and has no effect anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args

from malafide.errors import BrokenStore
from malafide.evidence import Evidence
from malafide.files import write_atomically
from malafide.home import home
from malafide.knowledge.catalog import FAMILIES, Catalog, Correction, Family, Side
from malafide.knowledge.precedent_record import Precedent, Provenance, TaughtPanel
from malafide.knowledge.testimony import phrases_of
from malafide.learning.samples import Sample
from malafide.record.review import MOST_CHARACTERS, evidence_entries, evidence_of

# Confirmed: held once, and let through by a person; it does not count toward the next burst.
State = Literal["counted", "held", "confirmed"]
FILE_NAME: Final = "labels.jsonl"
LabelledCase = tuple[str, TaughtPanel]  # its id, and the panel it was shown to


@dataclass(frozen=True, slots=True)
class Label:
    """What one source said about one mail, and what is kept of the mail."""

    case_id: str
    side: Side
    source: str
    when: str  # ISO 8601
    state: State
    text: str
    sender: str
    evidence: tuple[Evidence, ...]
    panel: TaughtPanel = "spam"

    @property
    def sample(self) -> Sample:
        """The mail as the learner sees it."""
        phrases = phrases_of(self.text, (e.kind for e in self.evidence))
        spam = self.side == "spam"
        return Sample(self.case_id, spam, self.text, self.sender, phrases, self.evidence, self.panel)

    @property
    def case(self) -> LabelledCase:
        return self.case_id, self.panel

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.when)

    @property
    def word(self) -> str:
        """The label in the words of its panel."""
        return self.side if self.panel == "spam" else "scam" if self.side == "spam" else "not_scam"

    def precedent(self) -> Precedent:
        given = Provenance("person", self.source, self.when)
        return Precedent(self.case_id, self.word, self.text, given, self.panel)

    def correction(self, known: Mapping[Family, Set[str]]) -> Correction:
        """What the label adds to a catalog that knows these phrases: those of them that stand in the mail."""
        said = self.sample.phrases
        phrases = {f: tuple(sorted(said.of(f) & known[f])) for f in FAMILIES}
        return Correction(self.case_id, self.side, self.source, self.when, phrases)


def known_phrases(catalog: Catalog) -> dict[Family, set[str]]:
    known: dict[Family, set[str]] = {family: set() for family in FAMILIES}
    for pattern in catalog.patterns:
        known[pattern.family] |= pattern.phrases.keys()
    return known


def labels_path() -> Path:
    return home() / FILE_NAME


def read_labels() -> list[Label]:
    """All labels, oldest first; none where there is no file."""
    path = labels_path()
    if not path.exists():
        return []
    try:
        return [_label(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BrokenStore(
            f"{path} cannot be read: {error}; move it away to go on without those labels"
        ) from None


def write_labels(labels: Sequence[Label]) -> None:
    write_atomically(labels_path(), "".join(f"{json.dumps(_entry(label))}\n" for label in labels))


def label_of(sample: Sample, source: str, moment: datetime) -> Label:
    """What a source says about a mail now."""
    return Label(
        case_id=sample.case_id,
        side="spam" if sample.spam else "ham",
        source=source,
        when=moment.astimezone(UTC).isoformat(timespec="seconds"),
        state="counted",
        text=sample.text[:MOST_CHARACTERS],
        sender=sample.sender,
        evidence=sample.evidence,
        panel=sample.panel,
    )


def effective(labels: Sequence[Label], case: LabelledCase) -> list[Label]:
    """The labels of a case that have an effect, oldest first; the last one counts."""
    return [label for label in labels if label.case == case and label.state != "held"]


def precedents_of_people(labels: Sequence[Label], case: LabelledCase) -> list[Precedent]:
    """The same as precedents."""
    return [label.precedent() for label in effective(labels, case)]


def _entry(label: Label) -> dict[str, Any]:
    return {
        "case_id": label.case_id,
        "label": label.side,
        "source": label.source,
        "when": label.when,
        "state": label.state,
        "sender": label.sender,
        "evidence": evidence_entries(label.evidence),
        "text": label.text,
        **({} if label.panel == "spam" else {"panel": label.panel}),
    }


def _label(entry: dict[str, Any]) -> Label:
    if entry["state"] not in get_args(State) or entry["label"] not in get_args(Side):
        raise ValueError(f"state {entry['state']!r} and label {entry['label']!r} are not known")
    if entry.get("panel", "spam") not in get_args(TaughtPanel):
        raise ValueError(f"panel {entry['panel']!r} is not known")
    datetime.fromisoformat(entry["when"])
    return Label(
        case_id=entry["case_id"],
        side=entry["label"],
        source=entry["source"],
        when=entry["when"],
        state=entry["state"],
        text=entry["text"],
        sender=entry["sender"],
        evidence=tuple(evidence_of(entry["evidence"])),
        panel=entry.get("panel", "spam"),
    )
