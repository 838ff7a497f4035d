"""Documents and mails in, rulings of the document panel out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from malafide.assessment import TrailStep
from malafide.benches.document import DocumentPanel
from malafide.benches.document_minds import DocumentCouncil
from malafide.contracts.document import document_contract
from malafide.intake import read_text
from malafide.intake.documents import from_bytes
from malafide.judging.content import one_line, subject_of
from malafide.judging.ruling import Ruling, Step, Tell
from malafide.settings import Settings

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge


class DocumentBench:
    """Documents and mails, with the document panel. Nothing is moved, written or stored."""

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._council = DocumentCouncil(settings) if settings.thinks else None

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        def step(one: TrailStep) -> None:
            if tell is not None:
                tell(Step(one.actor, "failed" if one.status == "failed" else "done", one.says))

        case = read_text(content, name) if isinstance(content, str) else from_bytes(content, name)
        found = DocumentPanel(knowledge=self._knowledge, council=self._council, tell=step).assess(case)
        contract = document_contract(found)
        return Ruling(
            case_id=case.id,
            panel="document",
            answer=found.answer,
            score=found.probability / 100.0,
            confidence=found.confidence,
            agreement=1.0,
            is_open=found.answer == "suspicious",
            summary=one_line(found.reason),
            contract=contract,
            elapsed_ms=found.total_time * 1000.0,
            usage=contract["malafide"].get("usage") or {},
            subject=subject_of(case),
        )

    def close(self) -> None:
        if self._council is not None:
            self._council.close()
