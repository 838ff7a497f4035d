"""Rulings in, rows of the output out: one shape for every panel, the same bytes whenever the same case is judged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from malafide.case import case_id
from malafide.judging import PanelName, Ruling
from malafide.volume.pieces import Label
from malafide.volume.reading import Read

Format = Literal["jsonl", "parquet"]
# What differs from run to run has no place in rows that are to be the same: clocks and random names.
_PASSING: Final = {
    "processing_metadata": ("total_time", "workflow_id"),
    "malafide": ("started", "trace", "receipts", "elapsed_ms"),
}


@dataclass(slots=True)
class Tally:
    """What was answered so far, and what models cost."""

    answers: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    asked: int = 0  # cases that were put to a model
    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    @property
    def cases(self) -> int:
        return self.answers.total() + self.failed

    def add(self, other: Tally) -> None:
        self.answers.update(other.answers)
        self.failed += other.failed
        self.asked += other.asked
        self.calls += other.calls
        self.tokens += other.tokens
        self.money += other.money

    def count(self, ruling: Ruling) -> None:
        self.answers[ruling.answer] += 1
        calls = int(ruling.usage.get("calls", 0))
        self.asked += bool(calls or ruling.usage.get("remembered", 0))
        self.calls += calls
        self.tokens += int(ruling.usage.get("input_tokens", 0) + ruling.usage.get("output_tokens", 0))
        self.money += float(ruling.usage.get("money", 0.0))

    def as_json(self) -> dict[str, Any]:
        return {
            "answers": dict(self.answers),
            "failed": self.failed,
            "asked": self.asked,
            "calls": self.calls,
            "tokens": self.tokens,
            "money": round(self.money, 6),
        }

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Tally:
        return cls(**{**raw, "answers": Counter(raw["answers"])})


def row_of(name: str, label: Label | None, ruling: Ruling) -> dict[str, Any]:
    return {
        "name": name,
        "case_id": ruling.case_id,
        "panel": ruling.panel,
        "answer": ruling.answer,
        "score": ruling.score,
        "confidence": ruling.confidence,
        "agreement": ruling.agreement,
        "open": ruling.is_open,
        "summary": ruling.summary,
        "label": label,
        "error": None,
        "contract": lasting(ruling.contract, ruling.panel),
    }


def failure_row(name: str, panel: PanelName, error: str, read: Read | None = None) -> dict[str, Any]:
    """The row of a case that could not be judged; `read` where it could at least be read."""
    content, label = read or (None, None)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return {
        "name": name,
        "case_id": case_id(data) if data is not None else None,
        "panel": panel,
        **dict.fromkeys(("answer", "score", "confidence", "agreement", "open", "summary")),
        "label": label,
        "error": error,
        "contract": None,
    }


def lasting(contract: Mapping[str, Any], panel: PanelName) -> Mapping[str, Any]:
    """The contract without what differs from run to run. The mail's holds nothing of the kind."""
    if panel != "document":
        return contract
    return {
        key: {k: v for k, v in value.items() if k not in _PASSING[key]} if key in _PASSING else value
        for key, value in contract.items()
    }


def encode(rows: Sequence[dict[str, Any]], form: Format) -> bytes:
    """The rows as bytes that can be put one after the other."""
    return b"".join(map(_line, rows)) if form == "jsonl" else _arrow(rows)


def _line(row: dict[str, Any]) -> bytes:
    try:
        return json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half a character, which JSON can write and UTF-8 cannot
        return json.dumps(row).encode("ascii") + b"\n"


def schema() -> Any:
    """The columns of Parquet; the contract is JSON, since its fields differ between panels."""
    import pyarrow as pa

    text, number = pa.string(), pa.float64()
    columns = {
        "name": text, "case_id": text, "panel": text, "answer": text, "score": number, "confidence": number,
        "agreement": number, "open": pa.bool_(), "summary": text, "label": text, "error": text, "contract": text,
    }  # fmt: skip
    return pa.schema(list(columns.items()))


def _arrow(rows: Sequence[dict[str, Any]]) -> bytes:
    """One stream of Arrow's own, whole in itself."""
    import pyarrow as pa

    def plain(value: Any) -> Any:
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value

    written = [
        {
            **{key: plain(value) for key, value in row.items()},
            "contract": None if row["contract"] is None else json.dumps(row["contract"]),
        }
        for row in rows
    ]
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, schema(), options=options) as writer:
        writer.write_batch(pa.RecordBatch.from_pylist(written, schema=schema()))
    data: bytes = sink.getvalue().to_pybytes()
    return data
