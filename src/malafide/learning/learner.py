"""Samples in, a catalog out: counts of phrases, scales and calibration fitted on mail that was held out.

Each mail of the data is judged once by counts that do not include it (five folds), through the same panel and
consensus as any mail. From these held-out verdicts come the scale of each family, the caution of the whole, and the
calibration, so that what the catalog promises has been kept once already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from malafide.consensus.calibration import fit, fit_line
from malafide.errors import UnreadableInput
from malafide.knowledge.catalog import FAMILIES, Catalog, Counts, Family, Scale
from malafide.knowledge.testimony import log_odds_of, mean_weight, trust_of
from malafide.learning.counting import Table, count, trusted
from malafide.learning.patterns import few_shot, group
from malafide.learning.rehearsal import Rehearsal
from malafide.learning.samples import Sample

FOLDS: Final = 5
_FEWEST: Final = 5  # mails of each class
# What a held-out mistake costs: a false alarm, a spam called ham, an open answer.
_COSTS: Final = (15.0, 2.0, 1.0)
_GAINS: Final = (0.6, 0.8, 1.0, 1.3, 1.7, 2.2)
_SHIFTS: Final = (-2.0, -1.5, -1.0, -0.7, -0.4, -0.2, 0.0, 0.2, 0.4, 0.7, 1.0)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What the others' counts say about one mail."""

    sample: Sample
    means: dict[Family, float | None]  # None: no phrase of the family is known
    known_share: float


def learn(samples: Sequence[Sample], sources: Sequence[str]) -> Catalog:
    """The catalog of some labelled mail."""
    cases = Counts(sum(s.spam for s in samples), sum(not s.spam for s in samples))
    if min(cases.spam, cases.ham) < _FEWEST:
        raise UnreadableInput(
            f"there are {cases.spam} spam and {cases.ham} ham mails to learn from; "
            f"at least {_FEWEST} of each are needed"
        )
    only = trusted(samples)
    table = count(samples, only)
    held_out = _held_out(samples, table, only)
    scales = {family: _scale(held_out, family) for family in FAMILIES}
    familiar = _familiar(held_out)
    scales, scored = _settle(held_out, scales, familiar)
    calibration = fit(scored, "held-out folds of the learned mail", balanced=False)
    patterns = group(samples, table)
    return Catalog(
        cases=cases,
        sources=tuple(sources),
        patterns=patterns,
        scales=scales,
        familiar=familiar,
        calibration={"slope": calibration.slope, "offset": calibration.offset, "cases": float(len(scored))},
        few_shot=few_shot(samples, patterns),
    )


def _held_out(samples: Sequence[Sample], table: Table, only: dict[Family, frozenset[str]]) -> list[HeldOut]:
    found = []
    for fold in range(FOLDS):
        mails = [s for s in samples if int(s.case_id[:8], 16) % FOLDS == fold]
        out = count(mails, only)
        for sample in mails:
            means: dict[Family, float | None] = {}
            known = 0
            for family in FAMILIES:
                weights = [table.weight(family, p, out) for p in sample.phrases.of(family)]
                spoken = [w for w in weights if w]
                means[family] = mean_weight(spoken) if spoken else None
                if family == "content":
                    known = len(spoken)
            found.append(HeldOut(sample, means, known / max(1, len(sample.phrases.content))))
    return found


def _scale(held_out: Sequence[HeldOut], family: Family) -> Scale:
    points = [(m, h.sample.spam) for h in held_out if (m := h.means[family]) is not None]
    return Scale(*fit_line(points, balanced=True))


def _familiar(held_out: Sequence[HeldOut]) -> tuple[float, float]:
    """From half the share of known words that one mail in a hundred falls below, to what one in ten does."""
    shares = sorted(h.known_share for h in held_out)
    return round(shares[len(shares) // 100] * 0.8, 4), round(shares[len(shares) // 10], 4)


def _settle(
    held_out: Sequence[HeldOut], scales: dict[Family, Scale], familiar: tuple[float, float]
) -> tuple[dict[Family, Scale], list[tuple[float, bool]]]:
    """The gain and shift of all families under which the held-out mistakes cost least, and the scores they give."""
    rehearsals = []
    for h in held_out:
        trust = trust_of(h.known_share, familiar)
        odds = {f: (m, trust) for f, m in h.means.items() if m is not None}
        rehearsals.append((Rehearsal(h.sample.evidence), odds, h.sample.spam))
    best = min(
        product(_GAINS, _SHIFTS),
        key=lambda setting: (_cost(rehearsals, scales, *setting), abs(setting[0] - 1.0), abs(setting[1])),
    )
    chosen = {
        f: Scale(round(s.slope * best[0], 4), round(s.offset * best[0] + best[1], 4))
        for f, s in scales.items()
    }
    scored = [(r.judge(_learned(odds, chosen)).score, spam) for r, odds, spam in rehearsals]
    return chosen, scored


Odds = dict[Family, tuple[float, float]]


def _cost(
    rehearsals: Sequence[tuple[Rehearsal, Odds, bool]], scales: dict[Family, Scale], gain: float, shift: float
) -> float:
    tried = {f: Scale(s.slope * gain, s.offset * gain + shift) for f, s in scales.items()}
    alarm, miss, undecided = _COSTS
    cost = 0.0
    for rehearsal, odds, spam in rehearsals:
        answer = rehearsal.judge(_learned(odds, tried)).classification
        if answer == "UNCERTAIN":
            cost += undecided
        elif spam != (answer == "SPAM"):
            cost += miss if spam else alarm
    return cost


def _learned(odds: Odds, scales: dict[Family, Scale]) -> dict[Family, float]:
    return {f: trust * log_odds_of(mean, scales[f]) for f, (mean, trust) in odds.items()}
