"""The pressure-reader: how they push. Evidence in, vote out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.evidence import Evidence
from malafide.opinion import Abstention, Vote
from malafide.panel.agent import voter
from malafide.panel.ballot import cast

TOOLS: Final = {"push": 1.0}


@voter("pressure-reader")
def pressure_reader(evidence: Sequence[Evidence]) -> Vote | Abstention:
    return cast("pressure-reader", evidence, "how the stranger pushes", TOOLS)
