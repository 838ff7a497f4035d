"""Writes the report on an assessment as two files, HTML for people and JSON for programs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from malafide.actions.action import REPORT
from malafide.actions.made import make, remove_if_empty
from malafide.assessment import Assessment, Receipt
from malafide.contracts.document import document_contract
from malafide.files import write_atomically
from malafide.home import home
from malafide.render.assessment_html import assessment_page


class FileReport:
    """Reports in one folder, named after the workflow."""

    name = REPORT

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or home() / "reports"

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:
        stem = self._folder / f"report_{assessment.workflow_id}"
        says = f"report in {stem}.html and .json"
        if rehearse:
            return Receipt(self.name, "rehearsed", says)
        make(self._folder)
        contract = document_contract(assessment)
        texts = {
            ".html": assessment_page(assessment),
            ".json": json.dumps(contract, indent=1, ensure_ascii=True) + "\n",
        }
        for ending, text in texts.items():
            write_atomically(stem.with_name(stem.name + ending), text)
        digests = {
            str(stem.with_name(stem.name + ending)): hashlib.sha256(text.encode()).hexdigest()
            for ending, text in texts.items()
        }
        return Receipt(self.name, "done", says, {"by": "report", "files": digests})


def undo_report(how: dict[str, Any]) -> str:
    """Removes the files, unless somebody changed them since."""
    kept = 0
    for name, digest in how["files"].items():
        path = Path(name)
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            path.unlink()
        else:
            kept += path.is_file()
    remove_if_empty(*{Path(name).parent for name in how["files"]})
    return "report removed" if not kept else f"{kept} report files were changed since and stay"
