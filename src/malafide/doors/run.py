"""Sources in, verdicts to the sinks: the loop behind `malafide classify`, for one mail and for a million."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from malafide.benches.side_by_side import in_order
from malafide.benches.spam import SpamClassifier
from malafide.doors.inputs import Source
from malafide.doors.sinks import Sink
from malafide.doors.streams import Progress
from malafide.doors.tally import Tally
from malafide.errors import MalafideError
from malafide.verdict import Verdict

_BETWEEN_UPDATES = 0.1  # seconds


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
