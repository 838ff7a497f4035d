"""Case in, evidence out: signs of a list that was joined and can be left. All of it speaks for the mail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Mail
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.domains import registrable
from malafide.knowledge.headers import names, place
from malafide.tools import tool

_TOOL: Final = "subscription"
_LIST_SERVERS: Final = (
    "x-mailman-version",
    "x-beenthere",
    "mailing-list",
    "x-listserver",
    "list-archive",
    "list-post",
)


@tool(_TOOL)
def subscription(case: Case) -> list[Evidence]:
    """Signs of a list or newsletter that can be left."""
    mail = case.mail
    if mail is None or not mail.headers:
        return []
    return [*_discussion(case, mail), *_newsletter(case, mail)]


def _note(case: Case, header: str, name: str, strength: Strength, sentence: str) -> Iterator[Evidence]:
    at = place(case, header)
    if at is not None:
        yield observe(
            case, at, f"{_TOOL}.{name}", "subscription", strength, sentence, direction="genuine", tool=_TOOL
        )


def _discussion(case: Case, mail: Mail) -> Iterator[Evidence]:
    """A list people write to. Spam reaches lists too, so this stays weak; writing the headers is easy."""
    has = names(mail)
    server = next((h for h in _LIST_SERVERS if h in has), None)
    if server is not None and ("list-id" in has or "list-unsubscribe" in has):
        shown = "list-id" if "list-id" in has else server
        yield from _note(
            case, shown, "discussion-list", "weak", "It came through a mailing list that people write to."
        )


def _newsletter(case: Case, mail: Mail) -> Iterator[Evidence]:
    has = names(mail)
    leave = mail.header("list-unsubscribe")
    if leave is None or any(h in has for h in _LIST_SERVERS):
        return
    own = mail.sender is not None and registrable(mail.sender.domain) in leave.lower()
    if "list-unsubscribe-post" in has and own:
        yield from _note(
            case,
            "list-unsubscribe",
            "one-click",
            "weak",
            "One click leaves this list, at the sender's own address.",
        )
    else:
        yield from _note(
            case, "list-unsubscribe", "can-be-left", "slight", "It names a way to leave the list."
        )
