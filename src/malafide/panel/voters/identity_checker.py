"""The identity-checker: who they claim to be. Evidence in, vote out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.evidence import Evidence
from malafide.opinion import Abstention, Vote
from malafide.panel.agent import voter
from malafide.panel.ballot import cast

TOOLS: Final = {"claims": 1.0, "origin": 0.6}


@voter("identity-checker")
def identity_checker(evidence: Sequence[Evidence]) -> Vote | Abstention:
    return cast("identity-checker", evidence, "who the stranger claims to be", TOOLS)
