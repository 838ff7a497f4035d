"""A case and the evidence of its account in, the message as the page shows it out: what deceives is marked in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from malafide.case import Case, HiddenReason, Role
from malafide.render.view import Depth, Numbered, Passage, part_label, passages
from malafide.render.visible import one_line
from malafide.service.page.account import Entry

# The page has room: a whole mail of usual size is shown, and of a long one what stands around the marks.
_DEPTH: Final = Depth(context=2_500, opening=6_000, evidence=200)
_ROLES: Final[tuple[Role, ...]] = ("subject", "body", "message", "hidden", "attachment", "nested", "links")
_MOST_MESSAGES: Final = 400  # of a longer conversation those with marks are shown
_HIDDEN_BY: Final[dict[HiddenReason, str]] = {
    "display": "not displayed",
    "size": "in tiny letters",
    "colour": "in the colour of its ground",
    "offscreen": "placed off the screen",
    "zero-width": "in characters without width",
    "comment": "in a comment",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """The message, ready to be drawn."""

    heads: tuple[Passage, ...]
    blocks: tuple[Passage, ...]
    placed: frozenset[int]  # numbers of the evidence that is marked
    labels: Mapping[int, str]  # where each piece of evidence stands, in words
    left_out: int = 0  # messages of a long conversation
    turns: Mapping[str, str] | None = None  # side of each message of a conversation, by its part


def shown(case: Case | None, entries: Sequence[Entry]) -> Shown:
    """The parts of the message with their marks. Evidence that no longer fits the text gets no mark."""
    if case is None:
        return Shown((), (), frozenset(), {e.number: e.evidence.part for e in entries})
    fitting = [e for e in entries if e.evidence.holds_in(case)]
    numbered = [Numbered(e.number, e.evidence, e.key) for e in fitting]
    found = [_labelled(case, passage) for passage in passages(case, numbered, _DEPTH, _ROLES)]
    left_out = 0
    if case.chat is not None and len(found) > _MOST_MESSAGES:
        marked = {e.evidence.part for e in fitting}
        kept = [p for p in found if p.part in marked][:_MOST_MESSAGES]
        found, left_out = kept, len(found) - len(kept)
    heads = tuple(p for p in found if p.role in ("header", "subject"))
    return Shown(
        heads=heads,
        blocks=tuple(p for p in found if p.role not in ("header", "subject")),
        placed=frozenset(e.number for e in fitting),
        labels={e.number: part_label(case, e.evidence.part) for e in entries},
        left_out=left_out,
        turns={m.part: m.side for m in case.chat.messages} if case.chat else None,
    )


def _labelled(case: Case, passage: Passage) -> Passage:
    if passage.role == "hidden" and case.mail and case.mail.html:
        ways = sorted({_HIDDEN_BY[h.reason] for h in case.mail.html.hidden if h.at.part == passage.part})
        if ways:
            return replace(passage, label=f"{passage.label}: {', '.join(ways)}")
    if passage.role == "message" and case.chat is not None:
        number = int(passage.part.rpartition("/")[2])
        message = next((m for m in case.chat.messages if m.number == number), None)
        if message is not None:
            when = f", {message.time:%Y-%m-%d %H:%M}" if message.time else ""
            return replace(passage, label=f"{number}. {one_line(message.sender, 40)}{when}")
    return passage
