"""Open verdicts in, cases that wait for a person out: one small file each under the home folder.

Nothing here labels: a case that waits is no precedent and changes no catalog until a person says what it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from malafide.evidence import Evidence
from malafide.home import home
from malafide.verdict import Verdict

MOST_WAITING: Final = 500  # the oldest go
_SLACK: Final = 50  # so many more before the folder is looked through again
MOST_CHARACTERS: Final = 4_000  # of a message; as much as learning and precedents look at
_EXCERPT: Final = 200
# Who speaks from what was learned. What they say, and what models say, is no property of the mail to learn from.
_LEARNED: Final = ("catalog", "precedents")
_MODEL: Final = " (model)"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A case the panel left open, with what a person needs to decide and the learner to learn from it."""

    case_id: str
    text: str
    subject: str
    sender: str  # the sender's domain, or the case's own id where there is none
    score: float
    confidence: float
    agreement: float
    summary: str
    when: str  # ISO 8601
    evidence: tuple[Evidence, ...]  # what the tools found: kind, topic, direction and strength only

    @property
    def excerpt(self) -> str:
        """How the message goes on after its subject, on one line."""
        return " ".join(self.text.removeprefix(self.subject)[: _EXCERPT * 4].split())[:_EXCERPT]


def waiting(verdict: Verdict, moment: datetime) -> Waiting:
    case = verdict.case
    sender = case.mail.sender.domain if case.mail and case.mail.sender else ""
    return Waiting(
        case_id=case.id,
        text=case.reading[:MOST_CHARACTERS],
        subject=case.part("subject").text[:_EXCERPT] if case.has("subject") else "",
        sender=sender or case.id,
        score=verdict.score,
        confidence=verdict.confidence,
        agreement=verdict.agreement,
        summary=verdict.summary,
        when=moment.astimezone(UTC).isoformat(timespec="seconds"),
        evidence=tuple(
            e for e in verdict.evidence if e.found_by not in _LEARNED and not e.found_by.endswith(_MODEL)
        ),
    )


class ReviewShelf:
    """The cases of one home folder that wait."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home() / "review"
        self._room: int | None = None  # how many may still come before the folder is looked through

    def keep(self, verdict: Verdict) -> None:
        """Keeps an open verdict for review, and no other. Raises OSError when the folder cannot be written."""
        if verdict.classification == "UNCERTAIN":
            self.put(waiting(verdict, datetime.now(UTC)))

    def put(self, one: Waiting) -> None:
        """Keeps a case that waits. Raises OSError when the folder cannot be written."""
        if self._room is None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self._room:
            self._room = self._make_room()
        self._room -= 1
        _write(self._path(one.case_id), json.dumps(_entry(one)))

    def _make_room(self) -> int:
        """Drops the oldest over the bound; how many may come until the next look."""
        held = sorted(self.folder.glob("*.json"), key=_age)
        for path in held[: max(0, len(held) - MOST_WAITING)]:
            path.unlink(missing_ok=True)
        return max(0, MOST_WAITING - len(held)) + _SLACK

    def get(self, case_id: str) -> Waiting | None:
        if not case_id.isalnum():  # a path, and no id
            return None
        return _read(self._path(case_id))

    def all(self) -> list[Waiting]:
        """Those that wait, oldest first; files that are none of ours are passed over."""
        found = [w for path in self.folder.glob("*.json") if (w := _read(path)) is not None]
        return sorted(found, key=lambda w: (w.when, w.case_id))[-MOST_WAITING:]

    def _path(self, case_id: str) -> Path:
        return self.folder / f"{case_id}.json"


def _write(path: Path, text: str) -> None:
    """Whole or not at all; readable by its owner alone, since it holds the message."""
    beside = f"{path}.{os.getpid()}.new"
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)
    os.replace(beside, path)  # noqa: PTH105 - three times as fast as a Path, on the way of every mail


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _entry(one: Waiting) -> dict[str, Any]:
    return {
        "case_id": one.case_id,
        "subject": one.subject,
        "score": one.score,
        "confidence": one.confidence,
        "agreement": one.agreement,
        "summary": one.summary,
        "when": one.when,
        "sender": one.sender,
        "evidence": evidence_entries(one.evidence),
        "text": one.text,
    }


def _read(path: Path) -> Waiting | None:
    try:
        entry = json.loads(path.read_bytes())
        return Waiting(
            case_id=str(entry["case_id"]),
            text=str(entry["text"]),
            subject=str(entry["subject"]),
            sender=str(entry["sender"]),
            score=float(entry["score"]),
            confidence=float(entry["confidence"]),
            agreement=float(entry["agreement"]),
            summary=str(entry["summary"]),
            when=str(entry["when"]),
            evidence=tuple(evidence_of(entry["evidence"])),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def evidence_entries(evidence: tuple[Evidence, ...]) -> list[list[Any]]:
    """What learning needs of evidence; its quotes point into a message that is not kept whole."""
    return [[e.kind, e.topic, e.direction, e.strength] for e in evidence]


def evidence_of(entries: list[list[Any]]) -> Iterator[Evidence]:
    for kind, topic, direction, strength in entries:
        yield Evidence(kind, topic, direction, strength, "", 0, 0, "", "", "")
