"""Case in, evidence out: the three tests of where a conversation comes from.

(1) Did the user ask for it, and does the answer fit? (2) Is the link the official one, the handle verified? (3) Is the
urgency logical, or does it destroy? What the first finds speaks for the stranger only as long as nothing is demanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.tools import tool
from malafide.tools._chat import (
    FirstHit,
    demands,
    first_hits,
    follows_a_script,
    payees,
    rule_evidence,
    said_by,
    strength_of,
)

_TOOL: Final = "origin"
_DESTROYING: Final = frozenset(
    ("push.loss-of-access", "push.arrest-or-law", "push.secrecy", "push.refuses-proof", "push.deadline")
)
_DISGUISES: Final = frozenset(
    ("claims.government", "claims.bank", "claims.tech-support", "claims.company-department", "claims.new-number",
     "claims.far-away-persona")
)  # fmt: skip
_ENOUGH: Final = 4


@tool(_TOOL)
def origin(case: Case) -> list[Evidence]:
    """Where a conversation comes from: who asked first, whether places are official, whether the urgency is logical."""
    if case.chat is None:
        return []
    wanted = demands(case)
    asked = _asked_first(case)
    found = [e for e in rule_evidence(case, _TOOL) if asked is not None or e.topic == "conversation"]
    found.extend(_demanded(case, wanted, asked))
    if not wanted and not _claimed(case) and not follows_a_script(case) and next(payees(case), None) is None:
        found.extend(_harmless(case))
    return found


def _asked_first(case: Case) -> FirstHit | None:
    """The user's own question, if it came before the stranger asked for or claimed anything."""
    asked = [hit for hit in first_hits(case).get(_TOOL, ()) if hit[0].topic == "transaction"]
    if not asked:
        return None
    first = min(asked, key=lambda hit: hit[1].number)
    loud = [
        hit[1].number
        for name in ("asks", "scripts", "push", "claims")
        for hit in first_hits(case).get(name, ())
        if strength_of(hit[0]) >= 0.4
    ]
    return first if first[1].number < min(loud, default=first[1].number + 1) else None


def _claimed(case: Case) -> list[FirstHit]:
    return [hit for hit in first_hits(case).get("claims", ()) if hit[0].id in _DISGUISES]


def _demanded(case: Case, wanted: list[FirstHit], asked: FirstHit | None) -> Iterator[Evidence]:
    if not wanted:
        return

    def note(hit: FirstHit, name: str, strength: Strength, sentence: str) -> Evidence:
        return observe(case, hit[2], f"{_TOOL}.{name}", "impersonation", strength, sentence, tool=_TOOL)

    for claim in _claimed(case):
        later = next((hit for hit in wanted if hit[1].number >= claim[1].number), None)
        if later is not None:
            yield note(
                later,
                "claim-then-demand",
                "strong" if asked is None else "moderate",
                "First a claim to be somebody official or known, then a demand no such person makes in a chat.",
            )
            break
    threat = next((hit for hit in first_hits(case).get("push", ()) if hit[0].id in _DESTROYING), None)
    if threat is not None:
        yield note(
            threat,
            "threat-with-demand",
            "moderate",
            "A loss is threatened, and complying is said to be the only way out: honest urgency is not like that.",
        )
    if asked is None and _stranger_first(case):
        grave = max(wanted, key=lambda hit: strength_of(hit[0]))
        several = len({hit[0].id for hit in wanted if hit[0].id.startswith("asks.")}) > 1
        heavy = strength_of(grave[0]) >= 0.7 or several or next(payees(case), None) is not None
        strength: Strength = "moderate" if heavy else "weak"
        yield note(
            grave,
            "unasked-demand",
            strength,
            "The stranger made contact, and the user had asked for nothing.",
        )


def _stranger_first(case: Case) -> bool:
    return case.chat is not None and case.chat.messages[0].side != "user"


def _harmless(case: Case) -> Iterator[Evidence]:
    messages = list(said_by(case, "stranger"))
    if len(messages) < _ENOUGH or demands(case, 0.2):
        return
    message, text = max(messages, key=lambda pair: len(pair[1]))
    if text.strip():
        at = Span(message.part, 0, min(len(text), 160))
        sentence = "Nobody poses as anybody and nothing is wanted of the user."
        yield observe(
            case,
            at,
            "origin.nothing-wanted",
            "conversation",
            "moderate",
            sentence,
            direction="genuine",
            tool=_TOOL,
        )
