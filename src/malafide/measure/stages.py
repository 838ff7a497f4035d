"""Mails in, how long each stage of judging them takes out: what `malafide bench` prints, keeps and compares.

Times are CPU seconds of this process, so that other work on the machine shows little. A fixed piece of plain Python is
timed beside them: two runs are compared in that unit, and so can come from different machines.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeVar

from malafide.benches.spam import WITNESSES, SpamClassifier
from malafide.case import Case
from malafide.consensus.narrative import key_evidence, narrate, summarise
from malafide.consensus.weighted import WEIGHTS, decide
from malafide.contracts.spam import spam_contract
from malafide.errors import MalafideError, UnreadableInput
from malafide.intake import read_bytes
from malafide.opinion import Opinion, Outcome
from malafide.panel.agent import agents
from malafide.panel.hearing import convene, examine
from malafide.render.json_text import json_text
from malafide.rules.rulebook import matched
from malafide.tools import tools
from malafide.version import VERSION

T = TypeVar("T")
_WARM: Final = 100  # mails judged before the clock runs
_ROUNDS: Final = 3  # a machine is seldom quiet: of several measures of the same the smallest is the truest
_MOST_REPEATED: Final = 5_000  # mails; more of them even each other out
GROUPS: Final = ("intake", "rules", "tools", "witnesses", "panel", "consensus", "render")


@dataclass(frozen=True, slots=True)
class Bench:
    """What was measured. Stages are named `group` or `group/member`, in microseconds of CPU time per mail."""

    version: str
    input: str  # a digest of the mails: only the same ones can be compared
    mails: int
    size: int  # bytes of the mails, on average
    rate: float  # mails a second on one core
    p50: float  # milliseconds
    p95: float
    p99: float
    memory: float | None  # megabytes at most; None where the system does not say
    yardstick: float  # seconds for a million steps of plain Python
    stages: dict[str, float]

    def group(self, name: str) -> float:
        """The time of a group of stages."""
        return sum(spent for stage, spent in self.stages.items() if stage.partition("/")[0] == name)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def from_json(kept: object) -> Bench:
    """A run that was kept. Raises UnreadableInput for anything else."""
    try:
        if not isinstance(kept, dict):
            raise TypeError("no object")
        bench = Bench(**kept)
        if not all(isinstance(spent, float | int) for spent in (bench.yardstick, *bench.stages.values())):
            raise TypeError("times that are no numbers")
    except (TypeError, AttributeError) as error:
        raise UnreadableInput(f"that is no run of `malafide bench`: {error}; make one with --save") from None
    return bench


def measure(mails: Sequence[bytes]) -> Bench:
    """Judges all mails whole, for rate and latency, and stage by stage; a few times, of which the best counts."""
    from malafide.knowledge.remembered import Knowledge

    classifier = SpamClassifier(knowledge=Knowledge())
    for data in mails[:_WARM]:
        _judge(classifier, data)
    read = [data for data in mails if _judge(classifier, data) is not None]
    if not read:
        raise UnreadableInput("none of the mails could be read; give other ones")
    units, wholes, parted = [yardstick()], [], []
    for _ in range(_ROUNDS if len(read) <= _MOST_REPEATED else 1):
        wholes.append([_judge(classifier, data) or 0.0 for data in read])
        parted.append(_by_stage(classifier, read))
        units.append(yardstick())
    times = sorted(map(min, zip(*wholes, strict=True)))
    stages = {name: sum(map(min, zip(*(r[name] for r in parted), strict=True))) for name in parted[0]}
    return Bench(
        version=VERSION,
        input=hashlib.sha256(b"\0".join(mails)).hexdigest()[:16],
        mails=len(times),
        size=round(statistics.fmean(map(len, read))),
        rate=round(len(times) / sum(times), 1),
        **{f"p{q}": round(_quantile(times, q / 100) * 1e3, 3) for q in (50, 95, 99)},
        memory=peak_memory(),
        yardstick=round(min(units), 4),
        stages={name: round(spent / len(times) * 1e6, 2) for name, spent in stages.items()},
    )


def yardstick() -> float:
    """Seconds for a million steps of plain Python: ten times the quickest tenth."""
    tenths = []
    for _ in range(10):
        started = time.process_time()
        total = 0
        for i in range(100_000):
            total += i * i % 7
        tenths.append(time.process_time() - started)
    return 10 * min(tenths)


def peak_memory() -> float | None:
    """The most memory this process held, in megabytes."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _judge(classifier: SpamClassifier, data: bytes) -> float | None:
    """Seconds from bytes to printed JSON; None when the mail cannot be read."""
    started = time.process_time()
    try:
        json_text(spam_contract(classifier.judge(read_bytes(data))), pretty=False)
    except MalafideError:
        return None
    return time.process_time() - started


def _by_stage(classifier: SpamClassifier, mails: Sequence[bytes]) -> Mapping[str, list[float]]:
    """The seconds of each stage, mail by mail."""
    spent: defaultdict[str, list[float]] = defaultdict(list)

    def timed(stage: str, work: Callable[[], T]) -> T:
        started = time.process_time()
        done = work()
        spent[stage].append(time.process_time() - started)
        return done

    for data in mails:
        case = timed("intake", lambda data=data: read_bytes(data))  # type: ignore[misc]
        _stages_of(case, classifier, timed)
    return spent


def _stages_of(
    case: Case, classifier: SpamClassifier, timed: Callable[[str, Callable[[], Any]], Any]
) -> None:
    timed("rules", lambda: matched(case))
    for tool in tools:
        timed(f"tools/{tool.name}", lambda tool=tool: examine(case, [tool]))  # type: ignore[misc]
    found = examine(case, tools).evidence
    for witness in WITNESSES:
        timed(f"witnesses/{witness.name}", lambda witness=witness: witness(case, found))  # type: ignore[misc]
    examination = examine(case, tools, WITNESSES)
    members = [agents.get(name) for name in WEIGHTS]
    outcomes = [
        timed(f"panel/{member.name}", lambda member=member: convene([member], examination))[0]  # type: ignore[misc]
        for member in members
    ]
    timed("consensus", lambda: _consensus(outcomes))
    verdict = classifier.judge(case)
    timed("render", lambda: json_text(spam_contract(verdict), pretty=False))


def _consensus(outcomes: Sequence[Outcome]) -> tuple[str, str]:
    opinions = [outcome for outcome in outcomes if isinstance(outcome, Opinion)]
    decision = decide(opinions, WEIGHTS)
    return summarise(decision, key_evidence(opinions, decision)), narrate(outcomes, decision, 0.5)
