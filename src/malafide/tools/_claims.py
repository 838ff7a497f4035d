"""A case in, one claim out: who the words of a mail say it is from (signature, copyright, greeting)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Mail, Part, Span
from malafide.evidence import Evidence, observe
from malafide.folding import fold
from malafide.knowledge.brands import Brand, Mention, mentions, owns
from malafide.tools._destinations import by_host, home

_HEAD: Final = 1500  # characters read at the start and at the end of the body
_TAIL: Final = 1200
_MOST_MENTIONS: Final = 40
_MOST_NAMED: Final = 3  # organisations named: more is a newspaper
_SIGNS: Final = (
    "team", "security", "support", "customer service", "customer care", "customer support", "account team",
    "accounts team", "service team", "delivery team", "billing", "fraud", "help desk", "helpdesk",
    "verification", "online banking", "kundenservice", "sicherheitsteam", "service client",
    "servicio al cliente", "atencion al cliente", "equipe", "assistenza clienti", "klantenservice",
)  # fmt: skip
_GREETED: Final = ("customer", "user", "member", "client", "account holder", "cardholder", "kunde", "cliente")
_GREETINGS: Final = (
    "dear ",
    "hello ",
    "hi ",
    "attention ",
    "lieber ",
    "sehr geehrter ",
    "estimado ",
    "cher ",
    "caro ",
)
_BEFORE_SIGN: Final = ("", "the", "your", "from", "-", "regards,", "sincerely,", "thanks,")


def claim_in_text(case: Case) -> Evidence | None:
    """The plainest claim in the words of the mail to be an organisation that did not send it."""
    mail = case.mail
    if mail is None or _discussion(mail):
        return None
    best: tuple[int, str, Part, int, Mention] | None = None
    named: set[str] = set()
    for part, offset, text in _regions(case):
        for mention in mentions(text)[:_MOST_MENTIONS]:
            named.add(mention.brand.name)
            rank, how = _claims(text, mention)
            if rank and (best is None or rank > best[0]):
                best = (rank, how, part, offset, mention)
    if best is None or len(named) > _MOST_NAMED or not _asks_elsewhere(case, best[4].brand):
        return None
    _, how, part, offset, mention = best
    name = mention.brand.name
    says = (
        f"The {how} makes the mail {name}'s, but it comes from {home(case) or 'nowhere'} and leads elsewhere."
    )
    at = Span(part.name, mention.start + offset, mention.end + offset)
    kind = f"organisations.{how}"
    return observe(case, at, kind, "impersonation", "moderate", says, tool="organisations")


def _discussion(mail: Mail) -> bool:
    """A mailing list or an answer: people there speak about organisations."""
    return any(
        mail.header(name) is not None for name in ("list-post", "in-reply-to", "references", "x-mailing-list")
    )


def _regions(case: Case) -> Iterator[tuple[Part, int, str]]:
    body = next(case.of_role("body"), None)
    if body is None:
        return
    if len(body.text) <= _HEAD + _TAIL:
        yield body, 0, body.text
        return
    yield body, 0, body.text[:_HEAD]
    yield body, len(body.text) - _TAIL, body.text[-_TAIL:]


def _claims(text: str, mention: Mention) -> tuple[int, str]:
    """How plainly the words around a name claim to be its own, 0 for not at all, and what they are."""
    before = fold(text[max(0, mention.start - 30) : mention.start]).text
    if any(mark in before for mark in ("©", "(c)", "copyright")):
        return (0, "") if mention.common else (3, "copyright")
    line = before.rpartition("\n")[2]
    after = fold(text[mention.end : mention.end + 40]).text.partition("\n")[0].lstrip(" ,-")
    if line.strip() in _BEFORE_SIGN and after.startswith(_SIGNS) and len(after) < 36:
        return 2, "signature"
    if line.endswith(_GREETINGS) and after.startswith(_GREETED):
        return 1, "greeting"
    return 0, ""


def _asks_elsewhere(case: Case, brand: Brand) -> bool:
    """Whether the mail wants the reader to go somewhere that is not the organisation's."""
    return any(not owns(brand, host) for host in by_host(case))
