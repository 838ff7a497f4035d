"""Samples in, a catalog out: weights of phrases, and a scale and calibration fitted on mail that was held out.

Each mail of the data is judged once by weights that were learned without it (five folds), through the same panel
and consensus as any mail. From these held-out verdicts come the caution of the whole and the calibration, so that
what the catalog promises has been kept once already. Imports numpy: import it late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from malafide.consensus.calibration import fit
from malafide.consensus.weighted import Decision
from malafide.errors import UnreadableInput
from malafide.knowledge.catalog import FAMILIES, Catalog, Counts, Familiar, Family, Scale
from malafide.learning.matrix import Matrix
from malafide.learning.patterns import few_shot, group
from malafide.learning.refining import known_phrases, partial_sums, refine
from malafide.learning.rehearsal import Rehearsal
from malafide.learning.samples import Sample
from malafide.minds.offline import CAUTION, PRIOR

FOLDS: Final = 5
_FEWEST: Final = 5  # mails of each class
# As many false alarms as may happen on held-out ham (in a small sample: so many mails, whatever share that is); under
# that, the fewest mails left open or missed.
_MOST_ALARMS: Final = 0.005
_FEW_ALARMS: Final = 2
# What a miss and a false alarm cost beside a mail left open. With few mails a single alarm would steer everything.
_MISS: Final = 1.5
_ALARM: Final = 5.0
_ENOUGH: Final = 300
_GAINS: Final = (3.0, 6.0, 9.0, 13.0)
# Where the answer may turn from HAM to SPAM: at these shares of the held-out ham and spam, by their log-odds.
_TURNS: Final = (
    (0.8, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.996, 1.0),
    (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3),
)
# The log-odds at which the panel, which starts from its prior and weighs accusations lightly, is in the middle.
_MIDDLE: Final = -PRIOR / CAUTION


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What weights learned without it say about one mail."""

    rehearsal: Rehearsal
    odds: Mapping[Family, float]
    known_share: float
    spam: bool
    headed: bool


def learn(samples: Sequence[Sample], sources: Sequence[str]) -> Catalog:
    """The catalog of some labelled mail."""
    cases = Counts(sum(s.spam for s in samples), sum(not s.spam for s in samples))
    if min(cases.spam, cases.ham) < _FEWEST:
        raise UnreadableInput(
            f"there are {cases.spam} spam and {cases.ham} ham mails to learn from; "
            f"at least {_FEWEST} of each are needed"
        )
    matrix = Matrix(samples)
    held_out = _held_out(matrix)
    familiar = _familiar(held_out)
    scale, scored = _settle(held_out, familiar)
    calibration = fit(scored, "held-out folds of the learned mail", balanced=False)
    weights = refine(matrix, np.ones(len(samples), bool))
    patterns = group(samples, known_phrases(matrix, weights))
    return Catalog(
        cases=cases,
        sources=tuple(sources),
        patterns=patterns,
        bias=round(weights.bias, 4),
        unit=round(weights.unit, 4),
        scale=scale,
        familiar=familiar,
        calibration={"slope": calibration.slope, "offset": calibration.offset, "cases": float(len(scored))},
        few_shot=few_shot(samples, patterns),
    )


def _held_out(matrix: Matrix) -> list[HeldOut]:
    found: list[HeldOut] = []
    fold_of = np.array([int(s.case_id[:8], 16) % FOLDS for s in matrix.samples])
    for fold in range(FOLDS):
        out = fold_of == fold
        sums, spoken = partial_sums(matrix, refine(matrix, ~out), len(FAMILIES))
        for number in map(int, np.flatnonzero(out)):
            sample = matrix.samples[number]
            odds = {f: float(sums[number, i]) for i, f in enumerate(FAMILIES) if spoken[number, i]}
            words = max(1, len(sample.phrases.content))
            share = float(spoken[number, FAMILIES.index("content")]) / words
            found.append(HeldOut(Rehearsal(sample.evidence), odds, share, sample.spam, sample.headed))
    return found


def _familiar(held_out: Sequence[HeldOut]) -> Familiar:
    """Shares of known words, against the usual one: below a tenth the catalog is silent, from a third on it speaks."""
    shares = sorted(h.known_share for h in held_out)
    usual = shares[len(shares) // 2]
    headed = sum(h.headed for h in held_out) / len(held_out)
    return Familiar(round(usual / 10, 4), round(usual / 3, 4), round(headed, 4))


def _settle(held_out: Sequence[HeldOut], familiar: Familiar) -> tuple[Scale, list[tuple[float, bool]]]:
    """The gain and shift that answer most held-out mails rightly with few false alarms, and the scores they give."""
    turns = sorted({turn for spam in (False, True) for turn in _quantiles(held_out, spam)})
    # Where several serve as well, the one in the middle: data that parts cleanly says nothing about the room between.
    middle = (_median(held_out, spam=False) + _median(held_out, spam=True)) / 2
    turn = min(
        turns, key=lambda t: (sum((sum(h.odds.values()) > t) != h.spam for h in held_out), abs(t - middle))
    )
    settings = [
        (Scale(turn, gain, round(_MIDDLE - gain * (t - turn), 2)), t) for gain, t in product(_GAINS, turns)
    ]
    best, _ = min(settings, key=lambda s: (*_cost(held_out, s[0], familiar), abs(s[1] - middle), s[0].gain))
    return best, [(_score(h, best, familiar).score, h.spam) for h in held_out]


def _median(held_out: Sequence[HeldOut], *, spam: bool) -> float:
    odds = sorted(sum(h.odds.values()) for h in held_out if h.spam == spam)
    return odds[len(odds) // 2]


def _quantiles(held_out: Sequence[HeldOut], spam: bool) -> list[float]:
    odds = sorted(sum(h.odds.values()) for h in held_out if h.spam == spam)
    return [round(odds[min(int(share * len(odds)), len(odds) - 1)], 2) for share in _TURNS[spam]]


def _cost(held_out: Sequence[HeldOut], scale: Scale, familiar: Familiar) -> tuple[float, float]:
    """The share of false alarms beyond what may happen, then what the mails not answered rightly cost."""
    alarms = ham = 0
    wrong = 0.0
    alarm = _ALARM if len(held_out) >= _ENOUGH else _MISS
    for h in held_out:
        answer = _score(h, scale, familiar).classification
        ham += not h.spam
        if answer == "UNCERTAIN":
            wrong += 1
        elif h.spam != (answer == "SPAM"):
            alarms += not h.spam
            wrong += _MISS if h.spam else alarm
    return max(0.0, alarms / max(1, ham) - max(_MOST_ALARMS, _FEW_ALARMS / max(1, ham))), wrong


def _score(h: HeldOut, scale: Scale, familiar: Familiar) -> Decision:
    trust = familiar.trust(h.known_share, headed=h.headed)
    return h.rehearsal.judge(scale.shared(h.odds, trust))
