"""Prints the figures of the spam panel with built-in knowledge only: false alarms, caught, and what was checked.

python -m benchmarks.spam_figures
"""

from __future__ import annotations

import math
import sys
from collections import Counter

from benchmarks.corpora import MAIL_SETS, mail_set
from malafide import Knowledge, MalafideError, SpamClassifier, SpamResult


def sound(result: SpamResult) -> list[str]:
    """What is wrong with a result, by the promises: verbatim evidence, words, and a sum that is the score."""
    verdict = result.verdict
    wrong = [f"not verbatim: {e.kind}" for e in verdict.evidence if not e.holds_in(verdict.case)]
    total = math.fsum(c.amount for c in verdict.contributions)
    if verdict.contributions and abs(total - result.final_score) > 1e-9:
        wrong.append(f"sum {total} is not the score {result.final_score}")
    if not result.detailed_reasoning or not result.summary:
        wrong.append("no reasoning")
    if verdict.evidence and not result.key_evidence:
        wrong.append("no key evidence")
    return wrong


def main() -> None:
    classifier = SpamClassifier(knowledge=Knowledge())
    unsound: Counter[str] = Counter()
    total = refused = 0
    print(f"{'set':24}{'mails':>7}{'SPAM':>8}{'HAM':>8}{'UNCERTAIN':>11}{'agreement>=0.7':>16}")
    for name in (*MAIL_SETS, "transactional", "eml_fixtures"):
        answers: Counter[str] = Counter()
        agreed = 0
        for _, message in mail_set(name):
            try:
                result = classifier.classify(message)
            except MalafideError:
                refused += 1
                continue
            answers[result.final_classification] += 1
            agreed += result.agent_agreement >= 0.7
            unsound.update(sound(result))
        count = sum(answers.values())
        total += count
        shares = "".join(
            f"{answers[a] / count:>{w}.2%}" for a, w in (("SPAM", 8), ("HAM", 8), ("UNCERTAIN", 11))
        )
        print(f"{name:24}{count:>7}{shares}{agreed / count:>16.1%}")
    print(
        f"\n{total} verdicts, {refused} inputs refused with a plain error, unsound: {dict(unsound) or 'none'}"
    )
    if unsound:
        sys.exit(1)


if __name__ == "__main__":
    main()
