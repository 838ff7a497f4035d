"""The script-matcher: what it resembles. Evidence in, vote out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.evidence import Evidence
from malafide.opinion import Abstention, Vote
from malafide.panel.agent import voter
from malafide.panel.ballot import cast

TOOLS: Final = {"scripts": 1.0, "precedents": 1.0}


@voter("script-matcher")
def script_matcher(evidence: Sequence[Evidence]) -> Vote | Abstention:
    return cast("script-matcher", evidence, "which known script it follows", TOOLS)
