"""Bytes in, a ruling out: every panel behind one face, for the doors that serve them all (batch, service, worker).

A bench is made once and judges many; it keeps what it loaded. The contract of a ruling is what the command line prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from malafide.errors import UnknownName
from malafide.judging.recognition import case_of, panel_of
from malafide.judging.ruling import PANELS, Bench, PanelName, Ruling, Step, Tell
from malafide.settings import Settings

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge

__all__ = ["PANELS", "Bench", "PanelName", "Ruling", "Step", "Tell", "bench", "case_of", "panel_of"]


def bench(panel: str, settings: Settings | None = None, knowledge: Knowledge | None = None) -> Bench:
    """The panel of that name. With no settings no model is asked, with no knowledge the home folder's is used."""
    from malafide.knowledge.remembered import remembered

    chosen, learned = settings or Settings(), knowledge if knowledge is not None else remembered()
    if panel == "spam":
        from malafide.judging.mail import SpamBench

        return SpamBench(chosen, learned)
    if panel == "document":
        from malafide.judging.document import DocumentBench

        return DocumentBench(chosen, learned)
    if panel == "conversation":
        from malafide.judging.conversation import ConversationBench

        return ConversationBench(learned)
    if panel == "post":
        from malafide.judging.posts import PostBench

        return PostBench()
    if panel == "credibility":
        from malafide.judging.posts import CredibilityBench

        return CredibilityBench()
    raise UnknownName(f"there is no panel {panel!r}; there are: {', '.join(PANELS)}")
