"""A precedent and what a search finds: the nouns of the knowledge base, free of numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeGuard, get_args

How = Literal["dataset", "person", "verdict"]
# The panels that learn from labels of people. Mail teaches the catalog too; the others have precedents alone.
TaughtPanel = Literal["spam", "document", "conversation"]


def teaches(panel: str) -> TypeGuard[TaughtPanel]:
    """Whether what a person says about a case of that panel is learned from."""
    return panel in get_args(TaughtPanel)


LABELLERS: Final = ("dataset", "person")  # only these may label; a verdict of malafide's own never does

# Two mails are near-duplicates (one campaign) from this similarity on, if they share this many runs of three
# words: a footer or a greeting alone is no campaign.
NEAR_DUPLICATE: Final = 0.7
FEWEST_SHARED: Final = 8


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a label comes from."""

    how: How
    source: str  # the name of the data set or of the person
    when: str  # ISO 8601


@dataclass(frozen=True, slots=True)
class Precedent:
    """An earlier case. `label` is None exactly when it is a "verdict": kept for review, never found."""

    case_id: str
    label: str | None
    text: str
    provenance: Provenance
    panel: str = "spam"

    def __post_init__(self) -> None:
        if (self.label is None) != (self.provenance.how not in LABELLERS):
            raise ValueError(
                f"label {self.label!r} from {self.provenance.how!r}: "
                f"only {' and '.join(LABELLERS)} label, and they always do"
            )
        if not self.case_id or self.label == "":
            raise ValueError("a precedent needs a case id, and its label may not be empty")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A precedent like the case asked about. `similarity` is the mean of `likeness` and `identity`."""

    case_id: str
    label: str
    similarity: float
    likeness: float  # cosine of the vectors, 0 to 1: about the same things in the same words
    identity: float  # estimated share of words that stand in the same order in both, 0 to 1
    shared: int  # runs of three words in both (of the 256 kept of each mail)
    excerpt: str
    provenance: Provenance

    @property
    def near_duplicate(self) -> bool:
        return self.similarity >= NEAR_DUPLICATE and self.shared >= FEWEST_SHARED


@dataclass(frozen=True, slots=True)
class Stats:
    """What the knowledge base of a panel holds."""

    labels: dict[str, int]  # cases by the label that counts now
    sources: dict[str, int]  # the same by "how: source"
    overruled: int  # labels that a later one of the same case overrules
    unlabelled: int  # cases kept for review
    megabytes: float
