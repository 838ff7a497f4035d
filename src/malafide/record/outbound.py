"""Every text that leaves for a model, written down before it goes: JSON Lines under the home folder.

The system prompts are the same for every message; each is kept once, in a file named by its digest.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from malafide.home import home


@dataclass(frozen=True, slots=True)
class Outbound:
    """One text about to be sent."""

    case_id: str
    agent: str
    attempt: int
    model: str
    address: str
    system: str
    user: str


class OutboundLog:
    """The log of one home folder. Raises OSError when it cannot be written: then nothing may be sent."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home() / "logs"

    def write(self, text: Outbound) -> None:
        prompts = self.folder / "prompts"
        prompts.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(text.system.encode("utf-8", "replace")).hexdigest()[:16]
        kept = prompts / f"{digest}.txt"
        if not kept.exists():
            _append(kept, text.system.encode("utf-8", "replace"))
        line = json.dumps(
            {
                "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "case_id": text.case_id,
                "agent": text.agent,
                "attempt": text.attempt,
                "model": text.model,
                "address": text.address,
                "system": f"prompts/{digest}.txt",
                "user": text.user,
            }
        )
        _append(self.folder / "outbound.jsonl", line.encode() + b"\n")


def _append(path: Path, data: bytes) -> None:
    """One write, readable by the owner alone."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, data)
    finally:
        os.close(handle)
