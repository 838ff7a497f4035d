"""What happened in numbers, as Prometheus reads them: requests, rulings, judges, memory."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from malafide.judging import Ruling
from malafide.version import VERSION

if TYPE_CHECKING:
    from malafide.service.judges import Judges

BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
Labels = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Histogram:
    """How many took how long."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Metrics:
    """The counters of one service. Belongs to the web loop."""

    def __init__(self) -> None:
        self._started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._durations: dict[str, Histogram] = {}
        self._rulings: Counter[tuple[str, str]] = Counter()
        self._judging: dict[str, Histogram] = {}
        self._money = 0.0
        self._refused: Counter[str] = Counter()

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests[(method, route, status)] += 1
        self._durations.setdefault(route, Histogram()).add(seconds)

    def judged(self, ruling: Ruling) -> None:
        self._rulings[(ruling.panel, ruling.answer)] += 1
        self._judging.setdefault(ruling.panel, Histogram()).add(ruling.elapsed_ms / 1000.0)
        self._money += float(ruling.usage.get("money", 0.0))

    def refused(self, kind: str) -> None:
        self._refused[kind] += 1

    def text(self, judges: Judges) -> str:
        """All of it, in the text format."""
        return "".join(f"{line}\n" for line in self._lines(judges))

    def _lines(self, judges: Judges) -> Iterator[str]:
        yield from _metric("malafide_info", "gauge", "What runs.", [((("version", VERSION),), 1)])
        started = [((), round(self._started, 3))]
        yield from _metric("malafide_start_time_seconds", "gauge", "When it began.", started)
        requests = [
            ((("method", m), ("route", r), ("status", str(s))), n) for (m, r, s), n in self._requests.items()
        ]
        yield from _metric("malafide_requests_total", "counter", "Requests answered.", requests)
        seconds = "malafide_request_seconds"
        yield from _histograms(seconds, "How long requests took.", "route", self._durations)
        rulings = [((("panel", p), ("answer", a)), n) for (p, a), n in self._rulings.items()]
        yield from _metric("malafide_rulings_total", "counter", "Cases judged.", rulings)
        yield from _histograms("malafide_judging_seconds", "How long judging took.", "panel", self._judging)
        refused = [((("reason", reason),), n) for reason, n in self._refused.items()]
        yield from _metric("malafide_refusals_total", "counter", "Requests refused.", refused)
        money = [((), round(self._money, 6))]
        yield from _metric("malafide_model_dollars_total", "counter", "What models cost.", money)
        for name, value, sentence in (
            ("malafide_judges", judges.processes, "Judge processes."),
            ("malafide_judges_busy", judges.busy, "Judge processes at work."),
            ("malafide_jobs_waiting", judges.waiting, "Jobs that wait for a judge."),
        ):
            yield from _metric(name, "gauge", sentence, [((), value)])
        replaced = [((), judges.replaced)]
        yield from _metric("malafide_judges_replaced_total", "counter", "Judges that died.", replaced)
        if (memory := resident()) is not None:
            yield from _metric(
                "process_resident_memory_bytes", "gauge", "Memory of this process.", [((), memory)]
            )


def _metric(name: str, kind: str, sentence: str, rows: Iterable[tuple[Labels, float]]) -> Iterator[str]:
    yield f"# HELP {name} {sentence}"
    yield f"# TYPE {name} {kind}"
    for labels, value in sorted(rows):
        yield f"{name}{_labels(labels)} {value}"


def _histograms(name: str, sentence: str, label: str, found: dict[str, Histogram]) -> Iterator[str]:
    yield f"# HELP {name} {sentence}"
    yield f"# TYPE {name} histogram"
    for value, one in sorted(found.items()):
        running = 0
        for bound, number in zip((*map(str, BOUNDS), "+Inf"), one.counts, strict=True):
            running += number
            yield f"{name}_bucket{_labels(((label, value), ('le', bound)))} {running}"
        yield f"{name}_sum{_labels(((label, value),))} {one.total:.6f}"
        yield f"{name}_count{_labels(((label, value),))} {running}"


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    inner = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return "{" + inner + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def resident() -> int | None:
    """Bytes of memory in use, where the system tells."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - not a file to have a path of
            pages = int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    import resource

    return pages * resource.getpagesize()
