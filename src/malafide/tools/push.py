"""Case in, evidence out: how the stranger in a conversation pushes, and whether it grows from turn to turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from malafide.case import Case, Span
from malafide.evidence import Evidence, observe
from malafide.folding import fold
from malafide.rules.chat import chat_hits
from malafide.tools import tool
from malafide.tools._chat import first_hits, rule_evidence, strength_of

_TOOL: Final = "push"
# How people say no, or that they doubt: plain pieces of folded text, each rare in agreement.
_DOUBTS: Final = (
    "not comfortable", "why do you need", "i don't think", "not sure", "i'd rather not", "i would rather not",
    "suspicious",
    "how do i know", "sounds like a scam", "is this a scam", "don't want to", "i won't", "i will not", "not going to",
    "can't you just", "i refuse", "let me check with", "i'll call the bank", "i will call the bank",
    "doesn't sound right",
    "does not sound right", "seems strange", "that's strange", "kyu chahiye", "kyun chahiye", "nahi dunga",
    "nahi bataunga",
    "fraud lag", "bharosa nahi", "prove it", "i need proof", "verify this", "verify that you",
)  # fmt: skip


@tool(_TOOL)
def push(case: Case) -> list[Evidence]:
    """How the stranger in a conversation pushes: haste, threats, secrecy, guilt, and demands that come again."""
    found = rule_evidence(case, _TOOL)
    found.extend(_insists(case))
    found.extend(_escalates(case))
    return found


def _insists(case: Case) -> Iterator[Evidence]:
    """The same is asked for again after the user doubted or refused."""
    if case.chat is None:
        return
    asked: set[str] = set()
    doubted = False
    for message in case.chat.messages:
        text = case.part(message.part).text
        if message.side == "user":
            doubted = doubted or (bool(asked) and _doubts(text))
            continue
        for rule, reporter, start, end in chat_hits(text):
            if reporter != "asks" or rule.direction != "deceptive" or strength_of(rule) < 0.2:
                continue
            if doubted and rule.id in asked:
                yield observe(
                    case, Span(message.part, start, end), "push.insists", "pressure", "moderate",
                    "The user doubted or refused, and the same is asked for again.", tool=_TOOL,
                )  # fmt: skip
                return
            asked.add(rule.id)


@lru_cache(maxsize=20_000)
def _doubts(text: str) -> bool:
    plain = fold(text).text
    return any(doubt in plain for doubt in _DOUBTS)


def _escalates(case: Case) -> Iterator[Evidence]:
    """New levers keep coming: three or more kinds of pressure, in three or more messages."""
    hits = sorted(
        (hit for hit in first_hits(case).get(_TOOL, ()) if strength_of(hit[0]) >= 0.2),
        key=lambda hit: hit[1].number,
    )
    numbers = sorted({hit[1].number for hit in hits})
    if len(hits) >= 3 and len(numbers) >= 3:
        last = hits[-1]
        sentence = (
            f"The pressure grows: {len(hits)} kinds of it, one after another, up to message {last[1].number}."
        )
        yield observe(case, last[2], "push.escalates", "pressure", "moderate", sentence, tool=_TOOL)
