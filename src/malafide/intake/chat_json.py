"""JSON in, a session out: our own form, lists of messages, JSON Lines, and the export of Telegram."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from malafide.errors import UnreadableInput
from malafide.intake.conversation import MAX_MESSAGES, Said, Session

_SENDERS: Final = ("sender", "from", "role", "author", "speaker", "name", "actor")
_TEXTS: Final = ("text", "message", "content", "body", "caption")
_TIMES: Final = ("timestamp", "time", "date", "ts", "sent", "date_unixtime")
_LISTS: Final = ("messages", "conversation", "conversationHistory", "conversation_history", "history", "chat")
_DEEPEST: Final = 3  # lists of text pieces inside each other


def looks_like_json(text: str) -> bool:
    start = text.lstrip()[:1]
    if start == "{":
        return True
    # A WhatsApp line begins with a bracket too, but a date follows.
    return start == "[" and text.lstrip()[1:].lstrip()[:1] in ("{", "]")


def from_json(text: str) -> Session:
    """The session of a JSON document."""
    document = _load(text)
    if isinstance(document, list):
        return _session(document, {})
    listed = next((document[key] for key in _LISTS if isinstance(document.get(key), list)), None)
    if listed is None:
        if any(key in document for key in _TEXTS):
            listed = []
        else:
            raise UnreadableInput(
                f"The JSON has no list of messages; expected a key such as 'messages', found {sorted(document)[:8]}."
            )
    if isinstance(document.get("message"), Mapping):  # history and the newest message beside it
        listed = [*listed, document["message"]]
    elif not listed:
        listed = [document]
    return _session(listed, document)


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise UnreadableInput("The JSON is nested too deeply to be a conversation.") from None
    except ValueError as error:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            raise UnreadableInput(f"The input starts like JSON but is not: {str(error)[:120]}.") from None


def _session(listed: list[Any], document: Mapping[str, Any]) -> Session:
    said: list[Said] = []
    left_out = 0
    for number, entry in enumerate(listed, start=1):
        one = said_of(entry, number)
        if one is None:
            continue
        if len(said) < MAX_MESSAGES:
            said.append(one)
        else:
            left_out += 1
    votes = document.get("votes") or document.get("agentVotes") or ()
    if not isinstance(votes, list | tuple):
        raise UnreadableInput(f"'votes' is a list of votes, not {type(votes).__name__}.")
    return Session(
        tuple(said),
        str(document.get("sessionId") or document.get("session_id") or ""),
        tuple(vote for vote in votes if isinstance(vote, Mapping)),
        left_out=left_out,
    )


def said_of(entry: Any, number: int) -> Said | None:
    """One message; None for what is no message (a service line of an export)."""
    if isinstance(entry, str):
        return Said("unknown", entry)
    if not isinstance(entry, Mapping):
        raise UnreadableInput(f"Message {number} is {type(entry).__name__}; expected sender and text.")
    if entry.get("type") in ("service", "system"):
        return None
    text = next((entry[key] for key in _TEXTS if entry.get(key) is not None), None)
    if text is None:
        if entry.get("media_type") or entry.get("photo") or entry.get("file"):
            text = ""
        else:
            raise UnreadableInput(
                f"Message {number} has no text; expected a key 'text', found {sorted(map(str, entry))[:8]}."
            )
    sender = next((entry[key] for key in _SENDERS if entry.get(key)), "unknown")
    time = next((entry[key] for key in _TIMES if entry.get(key) is not None), None)
    return Said(str(sender), _flat(text), moment(time), entry.get("verified") is True)


def _flat(text: Any, depth: int = 0) -> str:
    """Text that may come in pieces, some of them with a type, as Telegram writes links."""
    if isinstance(text, str):
        return text
    if isinstance(text, list) and depth < _DEEPEST:
        return "".join(_flat(piece, depth + 1) for piece in text)
    if isinstance(text, Mapping):
        words = text.get("text", "")
        target = text.get("href")
        shown = words if isinstance(words, str) else ""
        return f"{shown} ({target})" if isinstance(target, str) and target != shown else shown
    return ""


def moment(value: Any) -> datetime | None:
    """A time from seconds or milliseconds since 1970, or in ISO form; None when it is neither."""
    if isinstance(value, str) and value.strip().lstrip("-").isdigit():
        value = int(value.strip()[:16])
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000 if abs(value) > 1e11 else value, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip()[:40])
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
