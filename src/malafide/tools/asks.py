"""Case in, evidence out: what the stranger in a conversation asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Span
from malafide.evidence import Evidence, observe
from malafide.tools import tool
from malafide.tools._chat import follows_a_script, payees, rule_evidence, said_by

_TOOL: Final = "asks"
_ENOUGH: Final = 4  # messages of the stranger in which a demand would have come


@tool(_TOOL)
def asks(case: Case) -> list[Evidence]:
    """What the stranger in a conversation asks for: money, codes, data, documents, access, another place."""
    found = rule_evidence(case, _TOOL)
    found.extend(_payee(case))
    messages = list(said_by(case, "stranger"))
    if len(messages) >= _ENOUGH and not found and not follows_a_script(case):
        message, text = max(messages, key=lambda pair: len(pair[1]))
        if text.strip():
            sentence = f"In {len(messages)} messages nothing is asked for: no money, code, data or access."
            at = Span(message.part, 0, min(len(text), 160))
            found.append(
                observe(
                    case,
                    at,
                    "asks.nothing",
                    "conversation",
                    "moderate",
                    sentence,
                    direction="genuine",
                    tool=_TOOL,
                )
            )
    return found


def _payee(case: Case) -> Iterator[Evidence]:
    """Where money is to go, named by the stranger: needs no words, and so no language."""
    for message, one in payees(case):
        wallet = one.kind == "wallet"
        sentence = (
            "A crypto wallet is named to pay to, from which nothing comes back."
            if wallet
            else "The stranger names an account or payment name for money to go to."
        )
        at = Span(message.part, one.start, one.end)
        yield observe(
            case, at, "asks.payee", "number", "strong" if wallet else "moderate", sentence, tool=_TOOL
        )
        return
