"""The origin-tester: where it comes from. Evidence in, vote out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.evidence import Evidence
from malafide.opinion import Abstention, Vote
from malafide.panel.agent import voter
from malafide.panel.ballot import cast

TOOLS: Final = {"origin": 1.0, "everyday": 1.0, "claims": 0.4}


@voter("origin-tester")
def origin_tester(evidence: Sequence[Evidence]) -> Vote | Abstention:
    return cast("origin-tester", evidence, "where the conversation comes from", TOOLS)
