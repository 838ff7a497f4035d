"""Verdicts in, lines of the classification log out, and back: what `malafide monitor` reads.

JSON Lines under the home folder, one line per verdict, nothing of the message in it. Several processes may
write at once: a line is one write to a file opened for appending, which the system does not interleave.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from malafide.home import home
from malafide.opinion import Opinion
from malafide.verdict import Classification, Verdict

MAX_BYTES: Final = 50_000_000  # about 150,000 verdicts; then the file is set aside
KEPT: Final = 4  # files set aside, the oldest goes
_LONGEST_LINE: Final = 65_536
_STALE_SECONDS: Final = 60
_ANSWERS: Final[dict[object, Classification]] = {"SPAM": "SPAM", "HAM": "HAM", "UNCERTAIN": "UNCERTAIN"}


@dataclass(frozen=True, slots=True)
class Logged:
    """One verdict as logged. `score` and `agreement` are None in lines that another program wrote."""

    timestamp: datetime
    email_id: str
    classification: Classification
    confidence: float
    agent_scores: dict[str, float | None]
    processing_time_ms: float
    score: float | None = None
    agreement: float | None = None

    def line(self) -> str:
        """The line of the log: the contract's fields, and ours under `malafide`."""
        return json.dumps(
            {
                "timestamp": self.timestamp.astimezone(UTC).isoformat(timespec="milliseconds"),
                "email_id": self.email_id,
                "classification": self.classification,
                "confidence": self.confidence,
                "agent_scores": self.agent_scores,
                "processing_time_ms": round(self.processing_time_ms, 3),
                "malafide": {"final_score": self.score, "agent_agreement": self.agreement},
            }
        )


def logged(verdict: Verdict, moment: datetime) -> Logged:
    return Logged(
        timestamp=moment,
        email_id=verdict.case.id,
        classification=verdict.classification,
        confidence=verdict.confidence,
        agent_scores={
            o.agent.replace("-", "_"): o.score if isinstance(o, Opinion) else None for o in verdict.outcomes
        },
        processing_time_ms=verdict.elapsed_ms,
        score=verdict.score,
        agreement=verdict.agreement,
    )


class ClassificationLog:
    """The log of one home folder."""

    def __init__(self, path: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        self.path = path or home() / "logs" / "classifications.jsonl"
        self._max_bytes = max_bytes

    def record(self, verdict: Verdict) -> None:
        """Appends the verdict. Raises OSError when the folder cannot be written."""
        self.append(logged(verdict, datetime.now(UTC)))

    def append(self, entry: Logged) -> None:
        line = entry.line().encode() + b"\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._rotate(len(line))
        # Readable by its owner alone: who got mail when is nobody else's business.
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, b"\n" + line if _torn(handle) else line)
        finally:
            os.close(handle)

    def _rotate(self, coming: int) -> None:
        """Sets a full file aside. One process does it; others go on with the full file meanwhile."""
        if not self._full(coming):
            return
        lock = self.path.with_name(f"{self.path.name}.lock")
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            _remove_if_stale(lock)
            return
        try:
            if self._full(coming):
                self._shift()
        finally:
            lock.unlink(missing_ok=True)

    def _full(self, coming: int) -> bool:
        try:
            return self.path.stat().st_size + coming > self._max_bytes
        except FileNotFoundError:
            return False

    def _shift(self) -> None:
        try:
            self._aside(KEPT).unlink(missing_ok=True)
            for number in range(KEPT - 1, 0, -1):
                if self._aside(number).exists():
                    self._aside(number).replace(self._aside(number + 1))
            self.path.replace(self._aside(1))
        except FileNotFoundError:
            return

    def _aside(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")

    def read(self, since: datetime | None = None) -> Iterator[Logged]:
        """The entries from `since` on, oldest file first. Torn and foreign lines are passed over."""
        for path in (*(self._aside(number) for number in range(KEPT, 0, -1)), self.path):
            try:
                with path.open("rb") as handle:
                    while line := handle.readline(_LONGEST_LINE):
                        entry = parse(line)
                        if entry is not None and (since is None or entry.timestamp >= since):
                            yield entry
            except FileNotFoundError:
                continue


def _torn(handle: int) -> bool:
    """Whether a writer died in the middle of the last line: the next one must not grow onto it."""
    if os.lseek(handle, 0, os.SEEK_END) == 0:
        return False
    os.lseek(handle, -1, os.SEEK_END)
    return os.read(handle, 1) != b"\n"


def _remove_if_stale(lock: Path) -> None:
    """Shifting takes milliseconds: a lock of a minute ago belongs to a process that died."""
    try:
        if time.time() - lock.stat().st_mtime > _STALE_SECONDS:
            lock.unlink(missing_ok=True)
    except FileNotFoundError:
        return


def parse(line: bytes) -> Logged | None:
    """An entry, or None for what is not a whole line of the log."""
    try:
        raw = json.loads(line)
        moment = datetime.fromisoformat(raw["timestamp"])
        scores = raw["agent_scores"]
        extra = raw.get("malafide") or {}
        return Logged(
            timestamp=moment if moment.tzinfo else moment.replace(tzinfo=UTC),
            email_id=str(raw["email_id"]),
            classification=_ANSWERS[raw["classification"]],
            confidence=_share(raw["confidence"]),
            agent_scores={str(k): None if v is None else _share(v) for k, v in scores.items()},
            processing_time_ms=max(0.0, float(raw["processing_time_ms"])),
            score=None if extra.get("final_score") is None else _share(extra["final_score"]),
            agreement=None if extra.get("agent_agreement") is None else _share(extra["agent_agreement"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return None


def _share(value: Any) -> float:
    number = float(value)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{value!r} is not between 0 and 1")
    return number


def record(verdict: Verdict) -> None:
    """Appends the verdict to the log of the home folder."""
    ClassificationLog().record(verdict)
