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

# Families of bulk mail that sell, beg or entertain: in a chat among people their words are talk, not a scheme.
_SALES: Final = frozenset(
    "families." + name
    for name in """
    stock-disclaimer stock-figures replica-goods cheap-software drug-names pill-shop body-enlargement weight-loss
    miracle-health gummies secret-trick youth-hormone adult adult-sites adult-words dating-bait mortgage-rates
    debt-and-credit bad-credit judgment-money insurance-and-warranty warranty casino diploma-mill cable-descrambler
    own-boss network-marketing riches-words bulk-mail-for-sale contact-lists web-services-pitch sales-call
    search-ranking link-trade manufacturer-pitch predatory-journal toner spy-tools home-improvement-lead scare-goods
    card-processing tobacco phone-rates travel-bait pheromones-and-gadgets faster-computer antivirus-sale greeting-card
    video-bait trade-enquiry real-estate-pitch training-pitch faith-appeal resume-found
    """.split()
)

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
        if rule.tool in _FROM_MAIL and rule.direction == "deceptive" and rule.id not in _SALES
    ]
    return (*own, *mail)
