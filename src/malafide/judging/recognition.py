"""Bytes in, the panel they are for out, and the case as that panel reads it."""

from __future__ import annotations

from malafide.case import Case
from malafide.errors import InputTooLarge, MalafideError, UnreadableInput
from malafide.judging.content import bounded, json_object
from malafide.judging.ruling import PanelName


def case_of(panel: PanelName, content: bytes, name: str = "") -> Case:
    """The case as a panel reads it, without judging it."""
    if panel == "conversation":
        from malafide.intake.conversation import read_conversation

        return read_conversation(bounded(content), name)[0]
    if panel == "document":
        from malafide.intake.documents import from_bytes

        return from_bytes(content, name)
    from malafide.intake import read_bytes

    return read_bytes(content, name)


def panel_of(content: bytes, name: str = "") -> PanelName:
    """Which panel a dropped file is for, by what it holds; mail where nothing else fits."""
    from malafide.intake.attachments import examine
    from malafide.intake.conversation import read_conversation
    from malafide.intake.reading import looks_like_mail

    found = examine(content).real_type
    if found not in ("", "ole", "msg", "html"):
        return "document"
    start = content[:20_000].decode("utf-8", "replace")
    if found in ("ole", "msg") or looks_like_mail(start) or not content.strip():
        return "spam"
    if start.lstrip().startswith("{"):
        try:
            keys = set(json_object(content))
        except (UnreadableInput, InputTooLarge):
            keys = set()
        if "messages" not in keys and keys & {"account", "post_id", "nlp_signals"}:
            return "post" if keys & {"text", "account"} else "credibility"
    try:
        case, _ = read_conversation(bounded(content), name)
    except MalafideError:
        return "spam"
    return "conversation" if case.chat is not None and len(case.chat.messages) > 1 else "spam"
