"""What the tools for conversations share: whose words are read, and each rule's first hit in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from malafide.case import Case, Message, Side, Span
from malafide.evidence import Evidence, observe
from malafide.intake.conversation import resided
from malafide.knowledge.identifiers import Identifier, identifiers
from malafide.rules.chat import chat_hits
from malafide.rules.rulebook import Rule

# Where money is sent to a phone number.
_PHONE_MONEY = (
    "gpay",
    "google pay",
    "phonepe",
    "phone pe",
    "paytm",
    "bhim",
    "bizum",
    "mpesa",
    "m-pesa",
    "gcash",
)
FirstHit = tuple[Rule, Message, Span]


def said_by(case: Case, side: Side) -> Iterator[tuple[Message, str]]:
    """The messages of one side with their words. Where it is not known whose they are, all are the stranger's."""
    if case.chat is None:
        return
    for message in case.chat.messages:
        if message.side == side or (message.side == "unknown" and side == "stranger"):
            yield message, case.part(message.part).text


@lru_cache(maxsize=4)
def first_hits(case: Case) -> dict[str, list[FirstHit]]:
    """For every tool, each of its rules where the stranger first says it; "origin" reads the user's words."""
    found: defaultdict[str, dict[str, FirstHit]] = defaultdict(dict)
    for side in ("stranger", "user"):
        for message, text in said_by(case, side):
            for rule, tool, start, end in chat_hits(text):
                if (tool == "origin") == (side == "user") and rule.id not in found[tool]:
                    found[tool][rule.id] = (rule, message, Span(message.part, start, end))
    return {tool: list(hits.values()) for tool, hits in found.items()}


def rule_evidence(case: Case, tool: str) -> list[Evidence]:
    """What the rules of one tool find in the conversation."""
    if case.chat is None:
        return []
    return [
        observe(
            case, span, rule.id, rule.topic, rule.strength, rule.says, direction=rule.direction, tool=tool
        )
        for rule, _, span in first_hits(case).get(tool, ())
    ]  # fmt: skip


def strength_of(rule: Rule) -> float:
    from malafide.evidence import STRENGTHS

    return STRENGTHS[rule.strength]


def demands(case: Case, least: float = 0.4) -> list[FirstHit]:
    """What the stranger asks for that weighs at least so much, the earliest first."""
    found = [hit for hit in first_hits(case).get("asks", ()) if strength_of(hit[0]) >= least]
    return sorted(found, key=lambda hit: hit[1].number)


def payees(case: Case) -> Iterator[tuple[Message, Identifier]]:
    """The accounts, payment names and wallets the stranger gives, in order."""
    for message, text in said_by(case, "stranger"):
        for one in identifiers(text):
            by_phone = one.kind == "phone" and any(word in text.lower() for word in _PHONE_MONEY)
            if one.kind in ("bank_account", "upi", "iban", "wallet") or by_phone:
                yield message, one


def follows_a_script(case: Case) -> bool:
    """Whether the stranger says something that is all but proof of a known script."""
    return any(strength_of(hit[0]) >= 0.7 for hit in first_hits(case).get("scripts", ()))


def settle_sides(case: Case) -> Case:
    """The conversation with every message on a side; where names do not tell, whoever asks is the stranger."""
    chat = case.chat
    if chat is None or not any(message.side == "unknown" for message in chat.messages):
        return case
    weight: defaultdict[str, float] = defaultdict(float)
    for message in chat.messages:
        text = case.part(message.part).text
        hits = (rule for rule, tool, _, _ in chat_hits(text) if rule.direction == "deceptive")
        weight[message.sender] += sum(strength_of(rule) for rule in hits) + 0.1 * len(identifiers(text))
    most = max(weight.values())
    told_by = "who asks and pushes"
    if most < 0.2:
        # Nobody does. Whoever wrote first is taken to have made contact.
        strangers = {chat.messages[0].sender}
        told_by = "who wrote first"
    elif len(weight) == 2:
        strangers = {max(weight, key=lambda name: weight[name])}
    else:
        strangers = {name for name, value in weight.items() if value >= most / 2}
    sides = ["stranger" if message.sender in strangers else "user" for message in chat.messages]
    messages = tuple(resided(chat.messages, sides))
    return replace(case, chat=replace(chat, messages=messages, told_by=told_by))
