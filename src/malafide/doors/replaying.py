"""A record in, the result it leads to out: the same panel, with recorded answers in place of models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.settings import Caps, Escalate, Settings, Share

if TYPE_CHECKING:
    from malafide.record.decisions import Decision


class Recalled:
    """The precedents as they spoke then."""

    name = "precedents"

    def __init__(self, said: Sequence[Evidence]) -> None:
        self._said = said

    def __call__(self, case: Case, evidence: Sequence[Evidence]) -> list[Evidence]:  # noqa: ARG002
        return list(self._said)


def again(recorded: Decision) -> dict[str, Any]:
    from malafide.benches.spam import SpamClassifier
    from malafide.contracts.spam import spam_contract
    from malafide.intake import read_bytes, read_text
    from malafide.knowledge.catalog import load
    from malafide.knowledge.remembered import Knowledge
    from malafide.panel.council import Council

    council = None
    if recorded.exchanges is not None:
        from malafide.minds.replay import ReplayMind

        # Caps cut the questions short then; what was asked is in the record, and nothing more is to be cut.
        settings = Settings(share=cast(Share, recorded.share), cache=False, case=Caps())
        mind = ReplayMind(recorded.exchanges)
        council = Council(settings, minds=dict.fromkeys({e.agent for e in recorded.exchanges}, mind))
    catalog = load(recorded.catalog, "the record's catalog") if recorded.catalog is not None else None
    classifier = SpamClassifier(
        knowledge=Knowledge(catalog), model=council, escalate=cast(Escalate, recorded.escalate)
    )
    classifier.add_witness(Recalled(recorded.recalled))
    if recorded.is_text:
        case = read_text(recorded.message.decode("utf-8", "surrogatepass"), recorded.source)
    else:
        case = read_bytes(recorded.message, recorded.source)
    contract: dict[str, Any] = dict(spam_contract(classifier.judge(case)))
    classifier.close()
    # As JSON has it: what was printed and recorded went through it too.
    given = recorded.result.get("malafide", {})
    file = {"file": given["file"]} if "file" in given else {}
    contract["malafide"] = {**file, **contract["malafide"]}
    return cast(dict[str, Any], json.loads(json.dumps(contract)))
