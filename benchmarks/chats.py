"""Reads the chats of tests/golden/conversation and writes each down in the form it asks for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent.parent / "tests" / "golden" / "conversation"
Line = tuple[str, str]  # "S" or "U", and the words


@dataclass(frozen=True)
class GoldenChat:
    name: str
    form: str
    names: tuple[str, str]  # of the stranger and of the user
    lines: tuple[Line, ...]
    planted: dict[str, list[str]]
    verified: bool

    def written(self) -> str:
        """The chat in its form, as a file would hold it."""
        return _FORMS[self.form](self)


def golden_chats(group: str) -> list[GoldenChat]:
    """The chats of one group: "scam" or "legitimate"."""
    entries = yaml.safe_load((FOLDER / f"{group}.yml").read_text(encoding="utf-8"))
    return [_chat(entry) for entry in entries]


def _chat(entry: dict[str, Any]) -> GoldenChat:
    lines: list[Line] = []
    for line in entry["chat"].strip().splitlines():
        side, _, words = line.partition(": ")
        lines.append((side, words))
    form = entry.get("form", "json")
    names = entry.get("names") or (["scammer", "user"] if form == "json" else ["Caller", "Me"])
    return GoldenChat(
        entry["name"],
        form,
        (names[0], names[1]),
        tuple(lines),
        entry.get("planted", {}),
        entry.get("verified", False),
    )


def _named(chat: GoldenChat) -> list[Line]:
    return [(chat.names[0] if side == "S" else chat.names[1], words) for side, words in chat.lines]


def _json(chat: GoldenChat) -> str:
    messages = [
        {
            "sender": name,
            "text": words,
            "timestamp": 1_700_000_000_000 + 60_000 * i,
            "verified": chat.verified,
        }
        for i, (name, words) in enumerate(_named(chat))
    ]
    return json.dumps({"sessionId": chat.name, "messages": messages}, ensure_ascii=False)


def _transcript(chat: GoldenChat) -> str:
    return "\n".join(f"{name}: {words}" for name, words in _named(chat))


def _whatsapp(chat: GoldenChat) -> str:
    return "\n".join(
        f"[12/03/24, 9:{10 + i}:02 PM] {name}: {words}" for i, (name, words) in enumerate(_named(chat))
    )


def _telegram(chat: GoldenChat) -> str:
    messages = [
        {"id": i, "type": "message", "date": f"2024-03-12T10:{10 + i}:00", "from": name, "text": [words]}
        for i, (name, words) in enumerate(_named(chat))
    ]
    service = {"id": 99, "type": "service", "action": "create", "text": ""}
    return json.dumps({"name": chat.names[0], "type": "personal_chat", "messages": [service, *messages]})


def _email(chat: GoldenChat) -> str:
    """The newest mail, with all the earlier ones quoted below it, each one deeper."""
    addresses = {"S": "Office <office@company.example>", "U": "Chris Vale <chris@home.example>"}
    body = ""
    for depth, (side, words) in enumerate(reversed(chat.lines)):
        mark = ">" * depth + (" " if depth else "")
        if depth:
            body += f"{mark[1:]}On Tue, 12 Mar 2024, {addresses[side]} wrote:\n"
        body += f"{mark}{words}\n\n"
    return f"From: {addresses['S']}\nTo: {addresses['U']}\nSubject: Re: hello\n\n{body}"


_FORMS = {
    "json": _json,
    "transcript": _transcript,
    "whatsapp": _whatsapp,
    "telegram": _telegram,
    "email": _email,
}
