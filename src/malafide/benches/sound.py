"""What a tool, an official or an action says, in; whether it is sound, out. Rubbish is a failure where it is heard."""

from __future__ import annotations

import math
from typing import get_args

from malafide.assessment import Analysis, Answer, Receipt, ReceiptStatus, Retrieval, Route
from malafide.benches.assessing import holds
from malafide.case import Case
from malafide.consensus.routing import Routing
from malafide.consensus.supervisor import Ruling
from malafide.evidence import Evidence
from malafide.panel.document.planner import Plan
from malafide.panel.document.toolbox import TOOLBOX


def sound_retrieval(said: object) -> tuple[Retrieval, tuple[Evidence, ...]]:
    if isinstance(said, tuple) and len(said) == 2 and isinstance(said[0], Retrieval):
        r, evidence = said
        numbers = 0.0 <= r.average_confidence_level <= 1.0 and 0.0 <= r.average_scam_probability <= 100.0
        if numbers and all(isinstance(e, Evidence) for e in evidence):
            return r, tuple(evidence)
    raise ValueError(f"it answered with rubbish: {ascii(said)[:80]}")


def wrong_routing(said: object) -> str:
    ok = isinstance(said, Routing) and said.route in get_args(Route) and isinstance(said.reason, str)
    return "" if ok else ascii(said)[:80]


def wrong_plan(said: object) -> str:
    ok = isinstance(said, Plan) and all(name in TOOLBOX for name in said.tools)
    return "" if ok else ascii(said)[:80]


def wrong_analysis(said: object, case: Case) -> str:
    if isinstance(said, tuple) and len(said) == 2 and isinstance(said[0], Analysis):
        p, c = said[0].scam_probability, said[0].confidence_level
        finite = all(isinstance(n, float) and math.isfinite(n) for n in (p, c))
        relied_on = [step.evidence for step in said[1] if step.evidence is not None]
        if finite and 0 <= p <= 100 and 0 <= c <= 1 and all(holds(e, case) for e in relied_on):
            return ""
    return ascii(said)[:80]


def wrong_ruling(said: object) -> str:
    ok = isinstance(said, Ruling) and said.answer in get_args(Answer) and bool(said.reason)
    return "" if ok else ascii(said)[:80]


def sound_receipts(said: object) -> tuple[Receipt, ...]:
    if not isinstance(said, list | tuple) or not all(
        isinstance(r, Receipt) and r.status in get_args(ReceiptStatus) for r in said
    ):
        raise ValueError(f"it answered with rubbish: {ascii(said)[:80]}")
    return tuple(said)
