"""What an action is: done or rehearsed for an assessment, and taken back by its receipt alone."""

from __future__ import annotations

from typing import Any, Final, Protocol

from malafide.assessment import Assessment, Receipt

# The contract's names. What is not here is never done.
CLASSIFY: Final = "gmail-tools.classify_email"
REPORT: Final = "gmail-tools.send_report_to_drive"
STORE: Final = "rag-tools.store_rag"
ALLOWED: Final = (CLASSIFY, REPORT, STORE)
# On the deep route precedents were missing: below this probability a scam is only marked, not moved.
MOVED_FROM: Final = 95.0


class Action(Protocol):
    """`name` is the contract's. With `rehearse` nothing is changed and the receipt says what would be."""

    name: str

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt: ...


class Undo(Protocol):
    """Takes back what a receipt tells of; says in one sentence what it did."""

    def __call__(self, how: dict[str, Any]) -> str: ...


def only_marked(assessment: Assessment) -> bool:
    """Whether the conservative action is taken: a mark instead of a move."""
    return assessment.route == "deep_analysis" and assessment.probability < MOVED_FROM
