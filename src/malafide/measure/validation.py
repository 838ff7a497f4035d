"""A classifier and labelled mail in, a Validation out: each case judged, each failure named, all measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Protocol

from malafide.benches.side_by_side import in_order
from malafide.case import Case
from malafide.contracts.spam import evidence_line
from malafide.errors import BadSetting, MalafideError
from malafide.intake import read_bytes, read_text
from malafide.intake.datasets import Labelled
from malafide.measure.measures import Measures, as_json, measure
from malafide.measure.rows import Label, Row, row_of
from malafide.verdict import Verdict
from malafide.version import VERSION

_LEAST_BLOCKS: Final = 2


class Judge(Protocol):
    """What is measured: anything that gives a verdict on a case, several side by side where that pays."""

    @property
    def workers(self) -> int: ...

    def begin(self, case: Case) -> Callable[[], Verdict]: ...

    def stop(self) -> None: ...


Progress = Callable[[int, int], None]  # cases done, cases in all


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with its row and the words of its verdict."""

    row: Row
    case_id: str
    source: str
    summary: str
    reasoning: str  # kept for answers that were not right; "" otherwise, to stay small
    key_evidence: tuple[str, ...]
    uncertainty_reason: str | None

    def as_json(self) -> dict[str, Any]:
        """A line of `classifications.jsonl`."""
        row = self.row
        votes = {vote.agent.replace("-", "_"): vote for vote in row.votes}
        return {
            "name": row.name,
            "label": row.label,
            "final_classification": row.classification,
            "final_score": row.score,
            "confidence": row.confidence,
            "agent_agreement": row.agreement,
            "summary": self.summary,
            "agent_scores": {name: vote.score for name, vote in votes.items()},
            "agent_recommendations": {name: vote.recommendation for name, vote in votes.items()},
            "key_evidence": list(self.key_evidence),
            "uncertainty_flag": self.uncertainty_reason is not None,
            "uncertainty_reason": self.uncertainty_reason,
            "malafide": {
                "case_id": self.case_id,
                "source": self.source,
                "right": row.right,
                "processing_time_ms": round(row.elapsed_ms, 3),
                "patterns": sorted({seen.kind for seen in row.seen}),
            },
        }


@dataclass(frozen=True, slots=True)
class Failed:
    """A case that could not be judged, and why."""

    name: str
    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Validation:
    """What a classifier did on labelled mail. `notes` say what it was measured on and how."""

    judged: tuple[Judged, ...]
    failed: tuple[Failed, ...]
    measures: Measures
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> list[Row]:
        return [judged.row for judged in self.judged]

    def metrics(self) -> dict[str, Any]:
        """The content of `performance_metrics.json`."""
        return {
            **as_json(self.measures),
            "failures": [{"name": f.name, "label": f.label, "error": f.reason} for f in self.failed],
            "notes": list(self.notes),
            "malafide": {"version": VERSION},
        }

    def lines(self) -> Iterator[str]:
        """The lines of `classifications.jsonl`: the judged cases in their order, then the failures."""
        for judged in self.judged:
            yield json.dumps(judged.as_json())
        for failed in self.failed:
            yield json.dumps({"name": failed.name, "label": failed.label, "error": failed.reason})

    def worst(self, most: int) -> list[Judged]:
        """The gravest errors first: ham called SPAM, then spam called HAM, the surest first in each."""
        wrong = [j for j in self.judged if j.row.decided and not j.row.right]
        wrong.sort(key=lambda j: (j.row.is_spam, -j.row.confidence, j.row.name))
        alarms = [j for j in wrong if not j.row.is_spam]
        misses = [j for j in wrong if j.row.is_spam]
        shown = alarms[: max(-(-most // 2), most - len(misses))]
        return shown + misses[: most - len(shown)]


def validate(
    classifier: Judge,
    dataset: Sequence[Labelled],
    progress: Progress | None = None,
    notes: Sequence[str] = (),
) -> Validation:
    """Judges every case. One that cannot be read is a failure in the result, and the rest goes on."""
    judged: list[Judged] = []
    failed: list[Failed] = []
    jobs = (_begin(classifier, item) for item in dataset)
    for done, outcome in enumerate(in_order(jobs, classifier.workers, classifier.stop), 1):
        if isinstance(outcome, Judged):
            judged.append(outcome)
        else:
            failed.append(outcome)
        if progress is not None:
            progress(done, len(dataset))
    return _validation(judged, failed, notes)


def chronological(
    dataset: Sequence[Labelled],
    learn: Callable[[Sequence[Labelled]], Judge],
    blocks: int,
    progress: Progress | None = None,
) -> Validation:
    """A replay in order of time: each block is judged by what was learned from all blocks before it.

    The first block is only learned from. `dataset` must be in order of time.
    """
    if not _LEAST_BLOCKS <= blocks <= len(dataset):
        raise BadSetting(
            f"{blocks} blocks of {len(dataset)} messages are not possible; "
            f"give at least {_LEAST_BLOCKS} blocks and a message for each"
        )
    bounds = [round(i * len(dataset) / blocks) for i in range(blocks + 1)]
    judged: list[Judged] = []
    failed: list[Failed] = []
    for start, end in pairwise(bounds[1:]):
        ahead = _shifted(progress, start - bounds[1], len(dataset) - bounds[1])
        part = validate(learn(dataset[:start]), dataset[start:end], ahead)
        judged.extend(part.judged)
        failed.extend(part.failed)
    note = (
        f"Replayed in order of time in {blocks} blocks: each was judged by what came before it; "
        f"the first {bounds[1]} messages were only learned from."
    )
    return _validation(judged, failed, (note,))


def _shifted(progress: Progress | None, by: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(by + done, total)


def _validation(judged: Sequence[Judged], failed: Sequence[Failed], notes: Sequence[str]) -> Validation:
    measures = measure([j.row for j in judged])
    return Validation(tuple(judged), tuple(failed), measures, tuple(notes))


def _begin(classifier: Judge, item: Labelled) -> Callable[[], Judged | Failed]:
    """Reads and examines the mail now; what is left to do waits for models, if there are any."""
    message = item.message
    try:
        case = read_text(message, item.name) if isinstance(message, str) else read_bytes(message, item.name)
        finish = classifier.begin(case)
    except MalafideError as error:
        failed = Failed(item.name, item.label, str(error))
        return lambda: failed
    return lambda: _judged(finish(), item)


def _judged(verdict: Verdict, item: Labelled) -> Judged:
    row = row_of(verdict, item.name, item.label)
    return Judged(
        row=row,
        case_id=verdict.case.id,
        source=item.source,
        summary=verdict.summary,
        reasoning="" if row.right else verdict.reasoning,
        key_evidence=tuple(evidence_line(e) for e in verdict.key_evidence),
        uncertainty_reason=verdict.uncertainty_reason,
    )
