"""What was said so far in, a proposed reply out, without a model: varied, and asking for what is missing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import yaml

from malafide.knowledge.identifiers import identifiers
from malafide.rules.chat import chat_hits

# What the stranger wants, by what the rules find in the last message; the first that fits counts.
_WANTS: Final = (
    ("code", ("asks.code", "asks.password", "asks.card", "requests.hand-over-code", "scripts.code-by-mistake")),
    ("access", ("asks.remote-access", "asks.run-steps", "scripts.infected-computer")),
    ("documents", ("asks.documents", "asks.national-number", "asks.personal-data", "asks.bank-details")),
    ("money", ("asks.send-money", "asks.fee-first", "asks.gift-cards", "asks.crypto", "asks.micro-payment",
               "asks.upi-payment", "asks.scan-to-receive")),
    ("link", ("asks.click-link", "asks.other-channel")),
    ("threat", ("push.arrest-or-law", "push.loss-of-access", "push.secrecy", "push.refuses-proof",
    "scripts.blackmail")),
    ("prize", ("scripts.prize", "scripts.sure-profit", "scripts.easy-job", "scripts.refund-due")),
    ("love", ("scripts.romance-lever", "claims.far-away-persona", "push.guilt")),
)  # fmt: skip
_ODD: Final = (
    "ignore",
    "instruction",
    "system prompt",
    "you are an ai",
    "are you a bot",
    "as an ai",
    "language model",
    "jailbreak",
)
# Which of what investigators need to ask for, in the order a call goes.
_MISSING: Final = ("name", "phone", "bank_account", "upi", "link", "email", "handle")
_HINDI: Final = frozenset(
    "hai hain kya nahi aap aapka aapki mera karo kijiye bhejo bhej jaldi paise ji haan bata bataiye sir".split()
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a reply is proposed from: the stranger's messages so far and the replies given to them."""

    session: str
    strangers: Sequence[str]
    replies: Sequence[str]


@cache
def _lines() -> dict[str, dict[str, Any]]:
    source = resources.files("malafide.decoy").joinpath("lines.yml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, Any]] = yaml.safe_load(source)
    return loaded


def propose(heard: Heard) -> str:
    """A reply to the last message. The same conversation gets the same reply."""
    last = heard.strangers[-1] if heard.strangers else ""
    language = "hi-latn" if _is_hindi(last) else "en"
    lines = _lines()[language]
    want = wants(last, first=not heard.replies)
    said = frozenset(heard.replies)
    line = _choose(lines[want], heard, said)
    if "{ask}" not in line:
        return line
    return line.replace("{ask}", _choose(lines["asks"][_missing(heard)], heard, said)).strip()


def wants(message: str, *, first: bool = False) -> str:
    """What the stranger is after in a message, as the lines are sorted by."""
    low = message.lower()
    if any(word in low for word in _ODD):
        return "odd"
    kinds = {rule.id for rule, _, _, _ in chat_hits(message)}
    for name, listed in _WANTS:
        if not kinds.isdisjoint(listed):
            return name
    return "greeting" if first else "general"


def _missing(heard: Heard) -> str:
    """What has not been given yet; each is asked for in turn, so that nobody is asked the same twice running."""
    given = {one.kind for text in heard.strangers for one in identifiers(text)}
    given |= {"phone"} if given & {"foreign_phone", "whatsapp"} else set()
    given |= {"handle"} if given & {"telegram", "whatsapp", "handle"} else set()
    left = [kind for kind in _MISSING if kind not in given]
    turn = len(heard.replies)
    return left[turn % len(left)] if left and turn % 3 != 2 else "none"


def _choose(lines: Sequence[str], heard: Heard, said: frozenset[str]) -> str:
    """One of the lines, by a digest of the conversation; those used already come last."""
    seed = hashlib.sha256(f"{heard.session}\0{len(heard.replies)}\0{lines[0]}".encode()).digest()
    ranked = sorted(
        range(len(lines)), key=lambda i: (any(_start(lines[i]) in one for one in said), seed[i % 32], i)
    )
    return lines[ranked[0]]


def _start(line: str) -> str:
    return line.partition(" {ask}")[0]


def _is_hindi(text: str) -> bool:
    words = [word.strip(".,!?") for word in text.lower().split()]
    return sum(word in _HINDI for word in words) >= max(2, len(words) // 6)
