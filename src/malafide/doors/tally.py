"""Verdicts in, the sum of a batch out: how many of which answer, what models cost, where they were not heard."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from malafide.exchange import FaultKind, Usage, unheard, usage_of
from malafide.verdict import Verdict


@dataclass(slots=True)
class Tally:
    """How a batch went."""

    answers: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    seconds: float = 0.0
    asked: int = 0  # mails that were put to a model
    calls: int = 0
    money: float = 0.0
    unpriced: int = 0
    thinks: bool = False
    missed: dict[FaultKind, tuple[int, str]] = field(default_factory=dict)  # mails, and the first words why

    @property
    def mails(self) -> int:
        return self.answers.total() + self.failed

    def line(self) -> str:
        rate = self.mails / self.seconds if self.seconds else 0.0
        counts = ", ".join(f"{self.answers[answer]:,} {answer}" for answer in ("SPAM", "HAM", "UNCERTAIN"))
        mails = "1 mail" if self.mails == 1 else f"{self.mails:,} mails"
        line = f"{mails}: {counts}, {self.failed:,} failed; {rate:,.0f} mails per second"
        if self.thinks:
            line += f"; {self.asked:,} put to a model in {self.calls:,} calls for {self.paid}"
        return line

    @property
    def paid(self) -> str:
        return Usage(self.calls, money=self.money, unpriced=self.unpriced).paid

    def stand_ins(self) -> list[str]:
        """A line for each reason why models were not heard."""
        return [
            f"On {mails:,} of them not every model was heard, and offline opinions stand ({kind}): {words}"
            for kind, (mails, words) in self.missed.items()
        ]

    def count(self, verdict: Verdict) -> None:
        self.answers[verdict.classification] += 1
        if verdict.exchanges is not None:
            usage = usage_of(verdict.exchanges)
            self.thinks = True
            self.asked += bool(verdict.exchanges)
            self.calls += usage.calls
            self.money += usage.money
            self.unpriced += usage.unpriced
            for kind, words in unheard(verdict.exchanges).items():
                mails, first = self.missed.get(kind, (0, words))
                self.missed[kind] = (mails + 1, first)
