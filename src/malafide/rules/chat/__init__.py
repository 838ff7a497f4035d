"""A chat message in, rule matches out: the rules for chats, and those of the mail rule book that hold in chats too.

The rules for chats are files of their own so that mail is not searched for them; notation and tests are the same.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import Final

from malafide.rules.rulebook import Rule, Rulebook, read_rules, rulebook

# Which tool for conversations reports what the mail rules find; mail rules not listed here say nothing about a chat.
_FROM_MAIL: Final = {
    "requests": "asks",
    "pressure": "push",
    "extortion": "push",
    "families": "scripts",
    "phishing": "scripts",
    "judge": "scripts",
}

Hit = tuple[Rule, str, int, int]  # the rule, the tool that reports it, and where it stands


@cache
def chat_rulebook() -> Rulebook:
    """The rules for chats alone."""
    rules: list[Rule] = []
    for entry in sorted(resources.files("malafide.rules.chat").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".yml"):
            rules.extend(read_rules(entry.name.removesuffix(".yml"), entry.read_text(encoding="utf-8")))
    return Rulebook(tuple(rules))


@lru_cache(maxsize=20_000)
def chat_hits(text: str) -> tuple[Hit, ...]:
    """Every rule that matches one message, of both books. Remembered, so that a growing chat is read once."""
    own = [(rule, rule.tool, start, end) for rule, start, end in chat_rulebook().spans(text)]
    mail = [
        (rule, _FROM_MAIL[rule.tool], start, end)
        for rule, start, end in rulebook().spans(text)
        if rule.tool in _FROM_MAIL and rule.direction == "deceptive"
    ]
    return (*own, *mail)
