"""A job for the judges: the bytes of a case in, the message with its marks out. The web loop reads no message."""

from __future__ import annotations

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
