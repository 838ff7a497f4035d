"""Assessments in, two files each out: a log for people and JSON for programs; found again by their workflow id.

`assessment_YYYYMMDD_HHMMSS_WORKFLOWID.log` and `.json` under the home folder, readable by their owner alone.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from malafide.assessment import Assessment, Receipt
from malafide.contracts.document import document_contract
from malafide.errors import UnknownName, UnreadableInput
from malafide.files import write_atomically
from malafide.home import home

_ID: Final = 12  # hexadecimal digits
_HEX: Final = frozenset("0123456789abcdef")


class AssessmentLog:
    """The assessments of one home folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home() / "assessments"

    def write(self, assessment: Assessment) -> Path:
        """The path of the JSON file. Raises OSError or UnwritableOutput when the folder cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        stamp = assessment.started.strftime("%Y%m%d_%H%M%S")
        stem = self.folder / f"assessment_{stamp}_{assessment.workflow_id}"
        contract = document_contract(assessment)
        _write(stem.with_suffix(".json"), json.dumps(contract, indent=1, ensure_ascii=True) + "\n")
        _write(stem.with_suffix(".log"), "\n".join(log_lines(assessment)) + "\n")
        return stem.with_suffix(".json")

    def find(self, workflow_id: str) -> Path:
        if not workflow_id or len(workflow_id) > _ID or not _HEX.issuperset(workflow_id):
            raise UnknownName(
                f"{workflow_id!r} is no workflow id; it is {_ID} digits, as `malafide assess` prints it"
            )
        found = sorted(self.folder.glob(f"assessment_*_{workflow_id}*.json"))
        if not found:
            raise UnknownName(f"no assessment {workflow_id!r} in {str(self.folder)!r}")
        if len(found) > 1:
            raise UnknownName(f"{len(found)} assessments begin with {workflow_id!r}; give more digits")
        return found[0]

    def read(self, workflow_id: str) -> dict[str, Any]:
        """The contract as it was written."""
        path = self.find(workflow_id)
        try:
            document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UnreadableInput(f"cannot read {str(path)!r}: {error}") from None
        return document

    def receipts(self, workflow_id: str) -> list[Receipt]:
        return [Receipt(**entry) for entry in self.read(workflow_id)["malafide"]["receipts"]]

    def note_undone(self, workflow_id: str, undone: list[Receipt]) -> None:
        """Adds what was taken back; a receipt that was undone is not undone again."""
        document = self.read(workflow_id)
        path = self.find(workflow_id)
        ways = [receipt.undo for receipt in undone if receipt.status == "undone"]
        for entry in document["malafide"]["receipts"]:
            if entry["status"] == "done" and entry["undo"] in ways:
                entry["status"] = "undone"
        document["malafide"].setdefault("undone", []).extend(asdict(receipt) for receipt in undone)
        _write(path, json.dumps(document, indent=1, ensure_ascii=True) + "\n")
        with path.with_suffix(".log").open("a", encoding="utf-8") as log:
            log.writelines(f"undo: {r.action}: {r.status}, {_flat(r.says)}\n" for r in undone)


def _write(path: Path, text: str) -> None:
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    write_atomically(path, text)
    path.chmod(0o600)


def log_lines(assessment: Assessment) -> list[str]:
    """The log: every step with its time; on the deep route every piece of evidence and its weight too."""
    lines = [
        f"workflow {assessment.workflow_id} of {assessment.started.isoformat(timespec='seconds')}",
        f"case {assessment.case.id} ({assessment.case.kind}) {_flat(assessment.case.source)}".rstrip(),
    ]
    for step in assessment.trail:
        lines.append(
            f"{step.at:9.4f} s  {step.status:7}  {step.actor}: {_flat(step.says)}"
            + (f" [{step.seconds * 1000:.1f} ms]" if step.seconds else "")
        )
    if assessment.route == "deep_analysis":
        weights = {s.evidence: s.amount for s in assessment.steps if s.evidence is not None}
        for e in assessment.evidence:
            weight = f"{weights[e]:+.2f}" if e in weights else "not counted"
            lines.append(
                f"evidence {e.kind} ({weight}) {e.part} {e.start}-{e.end}: {_flat(e.sentence)} {_flat(e.quote)!r}"
            )
    lines.append(
        f"answer {assessment.answer}, scam probability {assessment.probability:.1f}, route {assessment.route}"
    )
    lines.append(f"total {assessment.total_time:.4f} s, {len(assessment.errors)} errors")
    return lines


def _flat(text: str) -> str:
    """On one line, with nothing that acts on a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:600]
