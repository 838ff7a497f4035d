"""Keeps an assessed case for review, without a label: what malafide concluded alone is never a precedent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from malafide.actions.action import STORE
from malafide.assessment import Assessment, Receipt
from malafide.home import home
from malafide.knowledge.document_precedents import PANEL, own_verdict


class StoreUnlabelled:
    """The precedent store of the home folder, or another."""

    name = STORE

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or home() / "precedents.sqlite"

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:
        if rehearse:
            return Receipt(self.name, "rehearsed", "kept for review, without a label")
        from malafide.knowledge.precedents import Precedents

        store = Precedents(self._path)
        try:
            new = store.store(own_verdict(assessment.case, assessment.started.isoformat()))
        finally:
            store.close()
        if not new:
            return Receipt(self.name, "skipped", "it is kept for review already")
        how = {"by": "store", "path": str(self._path), "case_id": assessment.case.id, "panel": PANEL}
        return Receipt(self.name, "done", "kept for review, without a label", how)


def undo_store(how: dict[str, Any]) -> str:
    from malafide.knowledge.precedents import Precedents

    store = Precedents(Path(how["path"]))
    try:
        gone = store.drop_verdict(how["case_id"], how["panel"])
    finally:
        store.close()
    return "taken out of the store" if gone else "it was no longer in the store"
