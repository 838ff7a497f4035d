"""Jobs for the judges, so that the web loop reads no message: drawing marks, and labels that are held.

Judges import this module: nothing of the web framework may come with it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from malafide.judging import Tell
from malafide.service.page.account import Entry
from malafide.service.page.marked import Shown, shown
from malafide.service.page.reread import reread

if TYPE_CHECKING:
    from malafide.service.chambers import Chambers


@dataclass(frozen=True, slots=True)
class Show:
    """Reads a case again and marks in it what the account found."""

    panel: str
    name: str
    content: bytes
    entries: tuple[Entry, ...]

    def do(self, chambers: Chambers, tell: Tell | None) -> Shown:  # noqa: ARG002
        return shown(reread(self.panel, self.content, self.name), self.entries)


@dataclass(frozen=True, slots=True)
class Held:
    """Whose labels are held, and how many."""

    def do(self, chambers: Chambers, tell: Tell | None) -> list[tuple[str, int]]:  # noqa: ARG002
        from malafide.learning.feedback import held

        return sorted(Counter(label.source for label in held()).items())


@dataclass(frozen=True, slots=True)
class Settle:
    """Lets the held labels of somebody count, or drops them; how many."""

    source: str
    count: bool

    def do(self, chambers: Chambers, tell: Tell | None) -> int:  # noqa: ARG002
        from malafide.learning.feedback import confirm, discard

        return (confirm if self.count else discard)(self.source)
