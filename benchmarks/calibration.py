"""Fits the built-in calibration on the development mail and prints how honest it is, on the half not fitted on.

python -m benchmarks.calibration
"""

from __future__ import annotations

from benchmarks.corpora import MAIL_SETS, mail_set
from malafide import Knowledge, MalafideError, SpamClassifier
from malafide.consensus.calibration import Calibration, fit

SPAM_SETS = {"spamassassin/spam", "phishing_pot"}


def scored() -> list[tuple[float, bool]]:
    classifier = SpamClassifier(knowledge=Knowledge())
    pairs = []
    for name in (*MAIL_SETS, "transactional"):
        for _, message in mail_set(name):
            try:
                pairs.append((classifier.classify(message).final_score, name in SPAM_SETS))
            except MalafideError:
                continue
    return pairs


def expected_error(calibration: Calibration, pairs: list[tuple[float, bool]]) -> float:
    """ECE in ten bins of equal width, of the side each score leans to, both classes counting alike."""
    spam = sum(1 for _, s in pairs if s)
    weight = {True: 0.5 / spam, False: 0.5 / (len(pairs) - spam)}
    bins = [[0.0, 0.0, 0.0] for _ in range(10)]
    for score, is_spam in pairs:
        p = calibration.spam_probability(score)
        claim, right = max(p, 1 - p), (p >= 0.5) == is_spam
        entry = bins[min(int(claim * 10), 9)]
        entry[0] += weight[is_spam]
        entry[1] += weight[is_spam] * claim
        entry[2] += weight[is_spam] * right
    return sum(abs(c - r) for _, c, r in bins)


def main() -> None:
    pairs = scored()
    even, odd = pairs[::2], pairs[1::2]
    half = fit(even, "one half")
    print(
        f"half: slope {half.slope}, offset {half.offset}, ECE on the other half {expected_error(half, odd):.4f}"
    )
    whole = fit(pairs, "all")
    print(f"all:  slope {whole.slope}, offset {whole.offset}, cases {whole.cases}")


if __name__ == "__main__":
    main()
