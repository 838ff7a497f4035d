"""Samples in, counts out: in how many mails of each class every phrase stood, and which phrases may be trusted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from malafide.knowledge.catalog import FAMILIES, Counts, Family, log_odds
from malafide.learning.samples import Sample

# Weaker phrases only fill the file: without this the catalog was four times as large and no better.
LEAST_WEIGHT: Final = 0.7
_SMALL: Final = 300  # with fewer mails than this, a phrase seen once counts too


@dataclass(frozen=True, slots=True)
class Table:
    """Counts of every phrase, by family, over some mails."""

    cases: Counts
    phrases: Mapping[Family, Mapping[str, Counts]]

    def least_mails(self) -> int:
        return 1 if self.cases.spam + self.cases.ham < _SMALL else 3

    def weight(self, family: Family, phrase: str, without: Table | None = None) -> float:
        """The log-odds of a phrase that may be trusted, else 0; with the mails of `without` not counted."""
        counts, cases = self.phrases[family].get(phrase, _NONE), self.cases
        if without is not None:
            less = without.phrases[family].get(phrase, _NONE)
            counts = Counts(counts.spam - less.spam, counts.ham - less.ham)
            cases = Counts(cases.spam - without.cases.spam, cases.ham - without.cases.ham)
        if counts.spam + counts.ham < self.least_mails():
            return 0.0
        weight = log_odds(counts, cases)
        return weight if abs(weight) >= LEAST_WEIGHT else 0.0


_NONE: Final = Counts(0, 0)


def count(samples: Iterable[Sample], only: Mapping[Family, frozenset[str]] | None = None) -> Table:
    """The table over some samples; `only` names the phrases to count."""
    tallies: dict[Family, defaultdict[str, list[int]]] = {f: defaultdict(lambda: [0, 0]) for f in FAMILIES}
    spam = ham = 0
    for sample in samples:
        side = 0 if sample.spam else 1
        spam, ham = spam + (side == 0), ham + side
        for family in FAMILIES:
            found = sample.phrases.of(family)
            tally = tallies[family]
            for phrase in found if only is None else found & only[family]:
                tally[phrase][side] += 1
    return Table(Counts(spam, ham), {f: {p: Counts(*c) for p, c in tallies[f].items()} for f in FAMILIES})


def trusted(samples: Sequence[Sample]) -> dict[Family, frozenset[str]]:
    """The phrases that do not merely mark where the data came from.

    A phrase of many mails that all come from one sender is that sender's signature, and one whose lean is the other
    way round in the other half of the mails leans by chance.
    """
    halves = count(samples[::2]), count(samples[1::2])
    senders: dict[Family, defaultdict[str, set[str]]] = {f: defaultdict(set) for f in FAMILIES}
    for sample in samples:
        for family in FAMILIES:
            for phrase in sample.phrases.of(family):
                known = senders[family][phrase]
                if len(known) < _FEWEST_SENDERS:
                    known.add(sample.sender)
    return {
        family: frozenset(
            phrase
            for phrase, known in senders[family].items()
            if _stands(family, phrase, halves) and (len(known) >= _FEWEST_SENDERS or len(samples) < _SMALL)
        )
        for family in FAMILIES
    }


_FEWEST_SENDERS: Final = 3


def _stands(family: Family, phrase: str, halves: tuple[Table, Table]) -> bool:
    first, second = (half.phrases[family].get(phrase, _NONE) for half in halves)
    if first.spam + first.ham + second.spam + second.ham < 6:
        return True
    return log_odds(first, halves[0].cases) * log_odds(second, halves[1].cases) > 0
