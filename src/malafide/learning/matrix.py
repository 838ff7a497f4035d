"""Samples in, a table of mails and phrases out: which phrase stands in which mail, and which may be trusted.

Imports numpy: import it late.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from malafide.knowledge.catalog import FAMILIES, MOST_WEIGHT, PRIOR_MAILS, Counts, Family
from malafide.learning.samples import Sample

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SMALL: Final = 300  # with fewer mails than this a phrase seen once counts, and senders are too few to count
_FEWEST_MAILS: Final = 3
_FEWEST_SENDERS: Final = 3
_ENOUGH: Final = 6  # mails from which on a phrase must lean the same way in both halves of the data


class Matrix:
    """Which trusted phrase (a column) stands in which mail (a row)."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        self.spam: NDArray[np.bool_] = np.array([s.spam for s in samples])
        columns: dict[tuple[Family, str], int] = {}
        rows: list[list[int]] = []
        for sample in samples:
            rows.append(
                [
                    columns.setdefault((f, p), len(columns))
                    for f in FAMILIES
                    for p in sorted(sample.phrases.of(f))
                ]
            )
        self.row: Ints = np.repeat(np.arange(len(rows)), [len(r) for r in rows])
        self.column: Ints = np.array([c for r in rows for c in r], np.int64)
        self.phrases = list(columns)
        self._keep(self._trusted())

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        renumbered = np.cumsum(kept) - 1
        stays = kept[self.column]
        self.row, self.column = self.row[stays], renumbered[self.column[stays]]
        self.phrases = [phrase for phrase, stay in zip(self.phrases, kept, strict=True) if stay]
        self.family: Ints = np.array([FAMILIES.index(f) for f, _ in self.phrases], np.int64)

    def _trusted(self) -> NDArray[np.bool_]:
        """The phrases that do not merely mark where the data came from.

        A phrase that only one or two senders use is their signature, and one that leans the other way in the other
        half of the mails leans by chance.
        """
        every = np.ones(len(self.samples), bool)
        spam, ham = self.counts(every)
        if len(self.samples) < _SMALL:
            return np.ones(len(self.phrases), bool)
        even = np.arange(len(self.samples)) % 2 == 0
        lean = self.log_odds(even) * self.log_odds(~even)
        return (spam + ham >= _FEWEST_MAILS) & ((spam + ham < _ENOUGH) | (lean > 0)) & self._several_senders()

    def _several_senders(self) -> NDArray[np.bool_]:
        numbers = {name: n for n, name in enumerate(dict.fromkeys(s.sender for s in self.samples))}
        sender = np.array([numbers[s.sender] for s in self.samples], np.int64)[self.row]
        pairs = np.unique(self.column * len(numbers) + sender) // max(1, len(numbers))
        several: NDArray[np.bool_] = np.bincount(pairs, minlength=len(self.phrases)) >= _FEWEST_SENDERS
        return several

    def counts(self, mails: NDArray[np.bool_]) -> tuple[Ints, Ints]:
        """In how many of some mails each phrase stands: of spam, of ham."""
        among, is_spam = mails[self.row], self.spam[self.row]
        width = len(self.phrases)
        spam = np.bincount(self.column[among & is_spam], minlength=width)
        ham = np.bincount(self.column[among & ~is_spam], minlength=width)
        return spam.astype(np.int64), ham.astype(np.int64)

    def cases(self, mails: NDArray[np.bool_]) -> Counts:
        spam = int((self.spam & mails).sum())
        return Counts(spam, int(mails.sum()) - spam)

    def log_odds(self, mails: NDArray[np.bool_]) -> Floats:
        """The log-odds of every phrase over some mails; the formula of the catalog, for all at once."""
        spam, ham = self.counts(mails)
        cases = self.cases(mails)
        rate = (spam + ham + 0.5) / (cases.spam + cases.ham + 1.0)
        in_spam = (spam + PRIOR_MAILS * rate) / (cases.spam + PRIOR_MAILS)
        in_ham = (ham + PRIOR_MAILS * rate) / (cases.ham + PRIOR_MAILS)
        odds: Floats = np.clip(np.log(in_spam / in_ham), -MOST_WEIGHT, MOST_WEIGHT)
        return odds
