"""Log-odds in, weights out: phrases that say the same share their weight, so that nothing is counted twice.

Counting alone treats "click" and "click here" as two proofs. A logistic regression that starts from the log-odds, and
is held close to them, shares the weight out. On held-out Enron mail this found 98 % of the spam at 0.5 % false alarms
where the log-odds alone found 94 %. The result is one printed number per phrase, as before. Imports numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from malafide.knowledge.catalog import FAMILIES, Counts, Family, Known
from malafide.knowledge.testimony import FEW
from malafide.learning.matrix import Floats, Matrix

LEAST_LEAN: Final = 0.5  # log-odds below which a phrase says too little to keep
_STEPS: Final = 150
_RATE: Final = 0.05
_PULL: Final = 3e-3  # toward zero, divided by the number of mails: few mails must not speak too firmly


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight for every phrase (0: says nothing) and what is added for every mail."""

    phrases: Floats
    bias: float
    unit: float  # how much weight one unit of log-odds became, for corrections that come later


def refine(matrix: Matrix, mails: NDArray[np.bool_]) -> Weights:
    """The weights under which the labels of some mails are likeliest, both classes counting alike."""
    lean = matrix.log_odds(mails)
    lean[np.abs(lean) < LEAST_LEAN] = 0.0
    used = mails[matrix.row] & (lean[matrix.column] != 0.0)
    row, column = matrix.row[used], matrix.column[used]
    height = len(matrix.samples)
    value = np.abs(lean[column]) / (np.bincount(row, minlength=height) + FEW)[row]
    label = matrix.spam.astype(float)
    cases = matrix.cases(mails)
    share = np.where(matrix.spam, 0.5 / max(cases.spam, 1), 0.5 / max(cases.ham, 1)) * mails
    pull = _PULL / max(1, cases.spam + cases.ham)
    weight, bias = np.zeros(len(lean)), 0.0
    mean, spread = np.zeros(len(lean) + 1), np.zeros(len(lean) + 1)
    for step in range(1, _STEPS + 1):
        sums = np.bincount(row, weights=value * weight[column], minlength=height) + bias
        error = share * (1.0 / (1.0 + np.exp(-np.clip(sums, -60, 60))) - label)
        slope = np.bincount(column, weights=value * error[row], minlength=len(lean)) + pull * weight
        gradient = np.append(slope, error.sum())
        mean, spread = 0.9 * mean + 0.1 * gradient, 0.999 * spread + 0.001 * gradient**2
        move = _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
        weight, bias = weight - move[:-1], bias - move[-1]
    final = weight * np.abs(lean)
    told = np.abs(lean) > 0
    unit = float(np.abs(final[told]).sum() / max(np.abs(lean[told]).sum(), 1e-9))
    return Weights(final, float(bias), unit)


def partial_sums(matrix: Matrix, weights: Weights, families: int) -> tuple[Floats, Floats]:
    """For every mail and family: the log-odds its phrases come to, and how many phrases spoke."""
    used = weights.phrases[matrix.column] != 0.0
    row, column = matrix.row[used], matrix.column[used]
    cell = row * families + matrix.family[column]
    size = len(matrix.samples) * families
    spoken = np.bincount(cell, minlength=size).reshape(-1, families).astype(float)
    sums = np.bincount(cell, weights=weights.phrases[column], minlength=size).reshape(-1, families)
    total = spoken.sum(axis=1, keepdims=True)
    return sums / (total + FEW) + weights.bias * spoken / np.maximum(total, 1.0), spoken


def known_phrases(matrix: Matrix, weights: Weights) -> dict[Family, dict[str, Known]]:
    """Every phrase that says something, with its counts over all mails, as the catalog keeps it."""
    spam, ham = matrix.counts(np.ones(len(matrix.samples), bool))
    found: dict[Family, dict[str, Known]] = {f: {} for f in FAMILIES}
    for number, (family, phrase) in enumerate(matrix.phrases):
        if weights.phrases[number]:
            counts = Counts(int(spam[number]), int(ham[number]))
            found[family][phrase] = Known(counts, round(float(weights.phrases[number]), 2))
    return found
