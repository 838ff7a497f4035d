"""Names of speakers in, sides out: who is the user and who the stranger, where the names alone tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.case import Side

# What programs and transcripts call the one who is written to.
_USER: Final = frozenset(
    """user victim me you receiver customer recipient honeypot target human client self myself callee consumer
    callee patient buyer ich moi yo eu io ik main mein honeypot-agent decoy bait persona
    """.split()
)
# ... and the one who writes to them.
_STRANGER: Final = frozenset(
    """scammer stranger caller attacker suspect fraudster unknown sender other agent them officer executive support
    suspected adversary spammer impostor contact bot assistant representative seller spoofer suspected-scammer
    bank courier company service
    """.split()
)


def name_sides(senders: Sequence[str], owner: str = "") -> tuple[list[Side], str]:
    """The side of every message, and how it was told. "unknown" for all where the names do not tell."""
    names = list(dict.fromkeys(senders))
    told: dict[str, Side] = {}
    for name in names:
        plain = _plain(name)
        if (owner and name == owner) or plain in _USER:
            told[name] = "user"
        elif plain in _STRANGER:
            told[name] = "stranger"
    if len(names) == 1:
        told.setdefault(names[0], "stranger")
    elif "user" in told.values():
        told = {name: told.get(name, "stranger") for name in names}
    elif "stranger" in told.values():
        told = {name: told.get(name, "user") for name in names}
    elif len([name for name in names if _is_number(name)]) == 1 and len(names) == 2:
        # A number where the other has a name: the one who is in nobody's address book.
        told = {name: "stranger" if _is_number(name) else "user" for name in names}
        return [told[name] for name in senders], "one writes from a number that has no name"
    if len(told) < len(names):
        return ["unknown"] * len(senders), ""
    if "stranger" not in told.values():
        return ["unknown"] * len(senders), ""
    return [told[name] for name in senders], "the names of the speakers"


def is_role(name: str) -> bool:
    """Whether a name is what programs and transcripts call one of the two sides."""
    return _plain(name) in _USER | _STRANGER


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "-").rstrip("0123456789 :")


def _is_number(name: str) -> bool:
    digits = sum(c.isdigit() for c in name)
    return digits >= 7 and not any(c.isalpha() for c in name)
