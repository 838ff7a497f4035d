"""A finished, labelled output in, a Validation out: what `malafide validate` measures, of a batch."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from malafide.errors import UnreadableInput
from malafide.measure.measures import measure
from malafide.measure.rows import Row, Seen, Vote
from malafide.measure.validation import Failed, Judged, Validation
from malafide.verdict import Classification

_KEPT = 2_000  # characters of the reasoning on a wrong answer


def validation_of(rows: Iterable[Mapping[str, Any]], source: str, mean_ms: float) -> Validation:
    """The figures of an output's labelled rows; rows without a label are counted in a note."""
    judged: list[Judged] = []
    failed: list[Failed] = []
    without = 0
    for row in rows:
        if row["label"] is None:
            without += 1
        elif row["error"] is not None:
            failed.append(Failed(row["name"], row["label"], row["error"]))
        else:
            judged.append(_judged(row, source, mean_ms))
    if not judged:
        raise UnreadableInput(
            "no row has a label, so nothing can be measured: name the column with --label-column, or judge a "
            "folder with folders for spam and ham in it"
        )
    notes = ["Every row counts, duplicates as well. Time per case is the mean of the whole run."]
    if without:
        notes.append(f"{without} rows without a label were left out.")
    measures = measure([j.row for j in judged])
    return Validation(tuple(judged), tuple(failed), measures, tuple(notes))


def _judged(row: Mapping[str, Any], source: str, mean_ms: float) -> Judged:
    contract = row["contract"]
    details = contract.get("malafide") or {}
    measured = Row(
        name=row["name"],
        label=row["label"],
        classification=_classification(row),
        score=row["score"],
        confidence=row["confidence"],
        agreement=row["agreement"],
        votes=tuple(_vote(agent) for agent in details.get("agents", ())),
        seen=frozenset(Seen(sys.intern(e["kind"]), e["direction"]) for e in details.get("evidence", ())),
        elapsed_ms=mean_ms,
        **_spent(details.get("usage") or {}),
    )
    return Judged(
        row=measured,
        case_id=row["case_id"],
        source=source,
        summary=row["summary"],
        reasoning="" if measured.right else str(contract.get("detailed_reasoning", ""))[:_KEPT],
        key_evidence=tuple(contract.get("key_evidence", ())),
        uncertainty_reason=contract.get("uncertainty_reason"),
    )


def _classification(row: Mapping[str, Any]) -> Classification:
    """In the words of the measures, whatever words the panel has."""
    if row["open"]:
        return "UNCERTAIN"
    return "SPAM" if row["score"] >= 0.5 else "HAM"


def _vote(agent: Mapping[str, Any]) -> Vote:
    return Vote(
        sys.intern(agent["agent"]),
        agent.get("spam_score"),
        agent.get("confidence"),
        agent.get("recommendation", "UNCERTAIN"),
    )


def _spent(usage: Mapping[str, Any]) -> dict[str, Any]:
    if not usage:
        return {}
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    return {"calls": usage.get("calls", 0), "tokens": tokens, "money": usage.get("money", 0.0)}
