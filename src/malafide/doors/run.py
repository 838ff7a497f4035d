"""Sources in, verdicts to the sinks: the loop behind `malafide classify`, for one mail and for a million."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from malafide.benches.spam import SpamClassifier
from malafide.doors.inputs import Source
from malafide.doors.sinks import Sink
from malafide.doors.streams import Progress
from malafide.errors import MalafideError

_BETWEEN_UPDATES = 0.1  # seconds


@dataclass(slots=True)
class Tally:
    """How a batch went."""

    answers: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    seconds: float = 0.0

    @property
    def mails(self) -> int:
        return self.answers.total() + self.failed

    def line(self) -> str:
        rate = self.mails / self.seconds if self.seconds else 0.0
        counts = ", ".join(f"{self.answers[answer]:,} {answer}" for answer in ("SPAM", "HAM", "UNCERTAIN"))
        mails = "1 mail" if self.mails == 1 else f"{self.mails:,} mails"
        return f"{mails}: {counts}, {self.failed:,} failed; {rate:,.0f} mails per second"


def judge_one(source: Source, classifier: SpamClassifier, sinks: Sequence[Sink]) -> None:
    """One mail; if it cannot be read the refusal is the caller's."""
    verdict = classifier.judge(source.load_alone())
    for sink in sinks:
        sink.judged(source, verdict)
    for sink in sinks:
        sink.finish()


def judge_all(sources: Iterable[Source], classifier: SpamClassifier, sinks: Sequence[Sink]) -> Tally:
    """Every mail in order. One that cannot be read is a row in the output and the rest goes on."""
    progress = Progress()
    tally = Tally()
    started = shown = time.monotonic()
    for source in sources:
        try:
            verdict = classifier.judge(source.load())
        except MalafideError as error:
            tally.failed += 1
            progress.clear()
            for sink in sinks:
                sink.failed(source, error)
        else:
            tally.answers[verdict.classification] += 1
            progress.clear()
            for sink in sinks:
                sink.judged(source, verdict)
        now = time.monotonic()
        tally.seconds = now - started
        if now - shown >= _BETWEEN_UPDATES:
            shown = now
            progress.show(tally.line())
    progress.clear()
    for sink in sinks:
        sink.finish()
    return tally
