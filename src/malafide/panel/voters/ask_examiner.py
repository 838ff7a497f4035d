"""The ask-examiner: what is asked. Evidence in, vote out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.evidence import Evidence
from malafide.opinion import Abstention, Vote
from malafide.panel.agent import voter
from malafide.panel.ballot import cast

TOOLS: Final = {"asks": 1.0}


@voter("ask-examiner")
def ask_examiner(evidence: Sequence[Evidence]) -> Vote | Abstention:
    return cast("ask-examiner", evidence, "what is asked of the user", TOOLS)
