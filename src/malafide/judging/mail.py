"""Mail in, rulings of the spam panel out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from malafide.benches.spam import SpamClassifier
from malafide.contracts.spam import spam_contract
from malafide.intake import read_bytes, read_text
from malafide.judging.content import subject_of
from malafide.judging.ruling import Ruling, Step, Tell
from malafide.opinion import Failure, Opinion, Outcome
from malafide.record.review import waiting
from malafide.settings import Settings

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge


class SpamBench:
    """Mail."""

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        council = None
        if settings.thinks:
            from malafide.panel.council import Council  # imports the clients of models

            council = Council(settings, knowledge.catalog)
        self._classifier = SpamClassifier(knowledge=knowledge, model=council, escalate=settings.escalate)

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        def heard(outcome: Outcome) -> None:
            if tell is None:
                return
            if isinstance(outcome, Opinion):
                tell(Step(outcome.agent, "done", outcome.analysis, outcome.score))
            else:
                broke = isinstance(outcome, Failure)
                tell(Step(outcome.agent, "failed" if broke else "abstained", outcome.reason))

        case = read_text(content, name) if isinstance(content, str) else read_bytes(content, name)
        if tell is not None:
            tell(Step("intake", "done", f"{len(case.parts)} parts were read"))
        verdict = self._classifier.judge(case, heard)
        contract = spam_contract(verdict)
        is_open = verdict.classification == "UNCERTAIN"
        return Ruling(
            case_id=case.id,
            panel="spam",
            answer=verdict.classification,
            score=verdict.score,
            confidence=verdict.confidence,
            agreement=verdict.agreement,
            is_open=is_open,
            summary=verdict.summary,
            contract=contract,
            elapsed_ms=verdict.elapsed_ms,
            usage=contract["malafide"].get("usage", {}),
            waiting=waiting(verdict, datetime.now(UTC)) if is_open else None,
            subject=subject_of(case),
        )

    def close(self) -> None:
        self._classifier.close()
