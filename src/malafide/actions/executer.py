"""The EXECUTER: an assessment in, the receipts of what the answer calls for out. Only actions on the list are taken."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from malafide.actions.action import ALLOWED, CLASSIFY, REPORT, STORE, Action, Undo
from malafide.actions.mailbox import undo_mailbox
from malafide.actions.report import undo_report
from malafide.actions.store import undo_store
from malafide.assessment import Answer, Assessment, Receipt, ReceiptStatus
from malafide.errors import BadSetting, MalafideError
from malafide.opinion import Failure
from malafide.panel.hearing import hear_within

# What each answer calls for, in order. The mailbox comes last: a report and a record exist before anything moves.
BY_ANSWER: Final[dict[Answer, tuple[str, ...]]] = {
    "scam": (REPORT, STORE, CLASSIFY),
    "not_scam": (REPORT, STORE),
    "suspicious": (REPORT, STORE),
}


@dataclass(frozen=True, slots=True)
class Executer:
    """Takes the actions it was given. `rehearse` changes nothing."""

    actions: Sequence[Action]
    rehearse: bool = False
    allow: Sequence[str] = ALLOWED
    seconds: float = 50.0  # of all actions together

    def __post_init__(self) -> None:
        if unknown := set(self.allow) - set(ALLOWED):
            raise BadSetting(f"unknown actions {sorted(unknown)}; there are {', '.join(ALLOWED)}")

    def __call__(self, assessment: Assessment) -> list[Receipt]:
        called_for = [
            action
            for name in BY_ANSWER[assessment.answer]
            for action in self.actions
            if action.name == name and name in self.allow
        ]
        ends = time.monotonic() + self.seconds
        receipts = []
        for number, action in enumerate(called_for, start=1):
            left = ends - time.monotonic()
            receipts.append(self._take(action, assessment, left if number == len(called_for) else left / 2))
        return receipts

    def _take(self, action: Action, assessment: Assessment, seconds: float) -> Receipt:
        """A failure is a receipt too, and the rest goes on: what was done before can still be undone."""

        def act() -> Receipt:
            try:
                said = action(assessment, rehearse=self.rehearse)
            except (OSError, MalafideError) as error:
                return Receipt(action.name, "failed", str(error))
            if not isinstance(said, Receipt) or said.status not in get_args(ReceiptStatus):
                raise ValueError(f"it answered with rubbish: {ascii(said)[:80]}")
            return said

        said = hear_within(action.name, act, seconds)
        if isinstance(said, Failure):
            return Receipt(action.name, "failed", f"{said.reason}; see whether it was done nevertheless")
        return said


def _undo_imap(how: dict[str, Any]) -> str:
    from malafide.actions.imap import undo_imap  # needs the extra `imap`

    return undo_imap(how)


def _undo_gmail(how: dict[str, Any]) -> str:
    from malafide.actions.gmail import undo_gmail  # needs the extra `google`

    return undo_gmail(how)


def _undo_drive(how: dict[str, Any]) -> str:
    from malafide.actions.drive import undo_drive  # needs the extra `google`

    return undo_drive(how)


UNDO: Final[dict[str, Undo]] = {
    "report": undo_report,
    "mailbox": undo_mailbox,
    "store": undo_store,
    "imap": _undo_imap,
    "gmail": _undo_gmail,
    "drive": _undo_drive,
}


def undo(receipts: Iterable[Receipt]) -> list[Receipt]:
    """Takes everything back that was done, last first. What cannot be is told and the rest goes on.

    Each answer holds the way back it took, so that one can tell which receipt it is about.
    """
    return [
        _undone(receipt) for receipt in reversed(list(receipts)) if receipt.status == "done" and receipt.undo
    ]


def _undone(receipt: Receipt) -> Receipt:
    try:
        return Receipt(receipt.action, "undone", UNDO[receipt.undo["by"]](receipt.undo), receipt.undo)
    except (OSError, MalafideError, KeyError) as error:
        return Receipt(receipt.action, "failed", f"could not be undone: {error}", receipt.undo)
