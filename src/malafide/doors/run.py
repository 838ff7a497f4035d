"""Sources in, verdicts to the sinks: the loop behind `malafide classify`, for one mail and for a million."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from malafide.benches.side_by_side import in_order
from malafide.benches.spam import SpamClassifier
from malafide.doors.inputs import Source
from malafide.doors.sinks import Sink
from malafide.doors.streams import Progress
from malafide.errors import MalafideError
from malafide.exchange import usage_of
from malafide.verdict import Verdict

_BETWEEN_UPDATES = 0.1  # seconds


@dataclass(slots=True)
class Tally:
    """How a batch went."""

    answers: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    seconds: float = 0.0
    asked: int = 0  # mails that were put to a model
    calls: int = 0
    money: float = 0.0
    thinks: bool = False

    @property
    def mails(self) -> int:
        return self.answers.total() + self.failed

    def line(self) -> str:
        rate = self.mails / self.seconds if self.seconds else 0.0
        counts = ", ".join(f"{self.answers[answer]:,} {answer}" for answer in ("SPAM", "HAM", "UNCERTAIN"))
        mails = "1 mail" if self.mails == 1 else f"{self.mails:,} mails"
        line = f"{mails}: {counts}, {self.failed:,} failed; {rate:,.0f} mails per second"
        if self.thinks:
            line += f"; {self.asked:,} put to a model in {self.calls:,} calls for ${self.money:.2f}"
        return line

    def count(self, verdict: Verdict) -> None:
        self.answers[verdict.classification] += 1
        if verdict.exchanges is not None:
            usage = usage_of(verdict.exchanges)
            self.thinks = True
            self.asked += bool(verdict.exchanges)
            self.calls += usage.calls
            self.money += usage.money


def judge_one(source: Source, classifier: SpamClassifier, sinks: Sequence[Sink]) -> None:
    """One mail; if it cannot be read the refusal is the caller's."""
    try:
        verdict = classifier.judge(source.load_alone())
    finally:
        classifier.close()
    for sink in sinks:
        sink.judged(source, verdict)
    for sink in sinks:
        sink.finish()


def judge_all(sources: Iterable[Source], classifier: SpamClassifier, sinks: Sequence[Sink]) -> Tally:
    """Every mail in order. One that cannot be read is a row in the output and the rest goes on."""
    progress = Progress()
    tally = Tally()
    started = shown = time.monotonic()
    jobs = (_begin(source, classifier) for source in sources)
    for source, outcome in in_order(jobs, classifier.workers, classifier.stop):
        progress.clear()
        if isinstance(outcome, MalafideError):
            tally.failed += 1
            for sink in sinks:
                sink.failed(source, outcome)
        else:
            tally.count(outcome)
            for sink in sinks:
                sink.judged(source, outcome)
        now = time.monotonic()
        tally.seconds = now - started
        if now - shown >= _BETWEEN_UPDATES:
            shown = now
            progress.show(tally.line())
    progress.clear()
    classifier.close()
    for sink in sinks:
        sink.finish()
    return tally


Judged = tuple[Source, Verdict | MalafideError]


def _begin(source: Source, classifier: SpamClassifier) -> Callable[[], Judged]:
    """Reads and examines the mail now; what is left to do waits for models, if there are any."""
    try:
        finish = classifier.begin(source.load())
    except MalafideError as error:
        refused = error
        return lambda: (source, refused)
    return lambda: (source, finish())
