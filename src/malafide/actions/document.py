"""What a user has, in; the contract's answer out: the document panel with its record and its actions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from malafide.actions.action import Action
from malafide.actions.executer import Executer
from malafide.actions.mailbox import FileSorter, maildir_of
from malafide.actions.report import FileReport
from malafide.actions.store import StoreUnlabelled
from malafide.assessment import Assessment, Route
from malafide.benches.document import Budget, DocumentPanel
from malafide.benches.document_minds import DocumentCouncil
from malafide.contracts.document import DocumentContract, document_contract
from malafide.errors import UnwritableOutput
from malafide.intake.documents import Given, read_document
from malafide.record.assessment_log import AssessmentLog
from malafide.settings import Settings


class AssessmentResult(dict[str, Any]):
    """The contract's fields by key and by attribute; `assessment` is the whole document behind them."""

    assessment: Assessment

    def __init__(self, assessment: Assessment) -> None:
        contract: DocumentContract = document_contract(assessment)
        super().__init__(contract)
        self.__dict__["assessment"] = assessment

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"an assessment has no field {name!r}; it has {', '.join(self)}") from None


@dataclass(frozen=True, slots=True)
class Acting:
    """What is done after an answer. By default nothing: the answer is returned and nothing is written."""

    actions: Sequence[Action] = ()
    rehearse: bool = False
    log: AssessmentLog | None = None


def local_actions(path: Path | None, *, move: bool = False) -> tuple[Action, ...]:
    """Report, store, and for mail in a Maildir (or any file, if asked) the mailbox."""
    sorter: tuple[Action, ...] = ()
    if path is not None and (move or maildir_of(path.absolute()) is not None):
        sorter = (FileSorter(path),)
    return (FileReport(), StoreUnlabelled(), *sorter)


@dataclass(frozen=True, slots=True)
class DocumentAssessor:
    """Assesses one document after the other."""

    panel: DocumentPanel = field(default_factory=DocumentPanel)
    acting: Acting = Acting()

    def assess(self, given: Given, *, route: Route | None = None, source: str = "") -> AssessmentResult:
        case = read_document(given, source)
        acting = self.acting
        # A little less than the panel waits, so that the receipts of what was done come in time.
        seconds = 0.9 * self.panel.budget.action_seconds
        executer = Executer(acting.actions, acting.rehearse, seconds=seconds) if acting.actions else None
        assessment = self.panel.assess(case, route=route, executer=executer)
        if acting.log is not None:
            try:
                acting.log.write(assessment)
            except (OSError, UnwritableOutput) as error:
                limits = (*case.limitations, f"The assessment could not be logged: {error}")
                assessment = replace(assessment, case=replace(case, limitations=limits))
        return AssessmentResult(assessment)


def assess_document(
    given: Given,
    *,
    route: Route | None = None,
    budget: Budget | None = None,
    acting: Acting | None = None,
    model: str | Settings | None = None,
) -> AssessmentResult:
    """Whether a document or mail is a scam: a path, bytes, text, or a mail as a dict of its pieces.

    Nothing is written or moved unless `acting` says so, and nothing leaves the machine unless `model` names one.
    """
    settings = Settings(model=model) if isinstance(model, str) else model
    council = DocumentCouncil(settings) if settings is not None and settings.thinks else None
    panel = DocumentPanel(budget=budget or Budget(), council=council)
    try:
        return DocumentAssessor(panel, acting or Acting()).assess(given, route=route)
    finally:
        if council is not None:
            council.close()


async def assess_document_async(
    given: Given,
    *,
    route: Route | None = None,
    budget: Budget | None = None,
    acting: Acting | None = None,
    model: str | Settings | None = None,
) -> AssessmentResult:
    """The same without blocking the event loop."""
    return await asyncio.to_thread(
        assess_document, given, route=route, budget=budget, acting=acting, model=model
    )
