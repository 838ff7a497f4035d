"""Case in, evidence out: who the mail says it is from, and where answers would go."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import re2

from malafide.case import Address, Case, Mail, Span
from malafide.evidence import Evidence
from malafide.knowledge.domains import known_suffix, registrable
from malafide.knowledge.headers import is_list, names, place_of_missing
from malafide.knowledge.hosts import is_free_mail
from malafide.knowledge.scripts import searchable
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "sender"
_note: Final = noting(_TOOL, "sender")
_NAMED = re2.compile(r"(?i)(?:[a-z0-9._%+\-]{1,64}@)?(?:[a-z0-9\-]{2,63}\.){1,4}[a-z]{2,18}")
_VOWELS: Final = frozenset("aeiouyAEIOUY")


@tool(_TOOL)
def sender(case: Case) -> list[Evidence]:
    """Whether the addresses of a mail fit together: From, its display name, Reply-To."""
    mail = case.mail
    if mail is None or not mail.headers:
        return []
    found = list(_malformed(case, mail))
    if mail.sender is not None:
        found.extend(_display_name(case, mail, mail.sender))
        found.extend(_answers(case, mail, mail.sender))
        found.extend(_bounces(case, mail, mail.sender))
        found.extend(_made_up(case, mail.sender))
        found.extend(_quoted_elsewhere(case, mail, mail.sender))
    return found


def _malformed(case: Case, mail: Mail) -> Iterator[Evidence]:
    if mail.sender is None:
        if "from" not in names(mail):
            yield from _note(
                case, place_of_missing(case), "missing", "moderate", "The mail names no sender at all."
            )
        return
    domain = mail.sender.domain
    if "@" not in mail.sender.address or not mail.sender.local or "." not in domain or ".." in domain:
        yield from _note(
            case, mail.sender.at, "no-address", "moderate", "The sender is not a working e-mail address."
        )
    if len(mail.senders) > 1:
        yield from _note(
            case, mail.senders[1].at, "several", "weak",
            f"The mail names {len(mail.senders)} senders at once; an honest mail has one.",
        )  # fmt: skip


def _display_name(case: Case, mail: Mail, sender: Address) -> Iterator[Evidence]:
    """The display name is free text that mail programs show in place of the address."""
    owner = registrable(sender.domain)
    for match in _NAMED.finditer(searchable(sender.name[:300])):
        named = match.group().lower()
        domain = named.rpartition("@")[2].strip(".-")
        if not known_suffix(domain) or registrable(domain) == owner or domain.partition(".")[0] in owner:
            continue
        at = _within(case, sender.at, match.group())
        if "@" in named:
            yield from _note(
                case, at, "name-is-other-address", "weak" if is_list(mail) else "moderate",
                f"The sender's name shows the address {named}, but the mail is from {sender.domain}.",
            )  # fmt: skip
        else:
            yield from _note(
                case, at, "name-is-other-domain", "slight",
                f"The sender's name shows {domain}, but the mail is from {sender.domain}.",
            )  # fmt: skip
        return
    yield from _name_of_reader(case, mail, sender)


def _name_of_reader(case: Case, mail: Mail, sender: Address) -> Iterator[Evidence]:
    name = sender.name.lower()
    for reader in mail.recipients[:3]:
        label = registrable(reader.domain).partition(".")[0]
        outside = label not in registrable(sender.domain)
        if len(label) >= 4 and outside and label in name.split() and not is_free_mail(reader.domain):
            yield from _note(
                case, sender.at, "name-of-readers-organisation", "moderate",
                f"The sender calls itself {label}, like the reader's own organisation, but writes from "
                f"{sender.domain}.",
            )  # fmt: skip
            return


def _answers(case: Case, mail: Mail, sender: Address) -> Iterator[Evidence]:
    reply = mail.reply_to
    if reply is None or "@" not in reply.address or not sender.domain:
        return
    if registrable(reply.domain) == registrable(sender.domain):
        if is_free_mail(reply.domain) and reply.local != sender.local:
            yield from _note(
                case, reply.at, "reply-to-other-mailbox", "weak",
                "Answers would go to another private mailbox than the one the mail is from.",
            )  # fmt: skip
        return
    # Lists and reply services put themselves there; a person's own second address keeps the name.
    if (
        is_list(mail)
        or reply.local == sender.local
        or any(reply.address == r.address for r in mail.recipients)
    ):
        return
    if is_free_mail(reply.domain):
        yield from _note(
            case, reply.at, "reply-to-free-mailbox", "moderate",
            f"Answers would go to a free mailbox ({reply.address}) and not to {sender.domain}, "
            "where the mail says it is from.",
        )  # fmt: skip
    else:
        yield from _note(
            case, reply.at, "reply-to-elsewhere", "slight",
            f"Answers would go to {reply.domain}, not to {sender.domain}.",
        )  # fmt: skip


def _bounces(case: Case, mail: Mail, sender: Address) -> Iterator[Evidence]:
    """Where failures are reported to. Mailing services name their own address there."""
    back = mail.return_path
    if back is None or "x-forwarded-for" in names(mail) or "=" in back.local or is_list(mail):
        return
    if is_free_mail(back.domain) and not is_free_mail(sender.domain) and sender.domain:
        yield from _note(
            case, back.at, "really-a-free-mailbox", "moderate",
            f"It was really sent by the free mailbox {back.address}, not by {sender.domain}.",
        )  # fmt: skip


def _made_up(case: Case, sender: Address) -> Iterator[Evidence]:
    owner = registrable(sender.domain)
    if looks_random(owner.partition(".")[0]):
        yield from _note(
            case, _within(case, sender.at, owner), "random-domain", "moderate",
            f"The sender's domain {owner} looks like it was typed at random, as throw-away domains are.",
        )  # fmt: skip
    elif looks_random(sender.local):
        yield from _note(
            case, _within(case, sender.at, sender.local), "random-address", "weak",
            "The sender's address looks like it was typed at random.",
        )  # fmt: skip
    elif sum(map(str.isdigit, sender.local)) >= 5 and is_free_mail(sender.domain):
        yield from _note(
            case, _within(case, sender.at, sender.local), "numbered-mailbox", "slight",
            "The sender's free mailbox is one of a numbered row.",
        )  # fmt: skip
    name = sender.name
    if len(name) > 5 and name.isupper() and " " in name:
        yield from _note(
            case, sender.at, "shouted-name", "weak", "The sender's name shouts in capital letters."
        )
    elif any(sign in name for sign in "$!%*~"):
        yield from _note(
            case, sender.at, "name-for-show", "weak", "The sender's name is made to catch the eye."
        )


def _quoted_elsewhere(case: Case, mail: Mail, sender: Address) -> Iterator[Evidence]:
    """In the mail it answers, the sender wrote from another address: how a stranger breaks into a talk."""
    name = sender.name.strip()
    body = next(case.of_role("body"), None)
    if body is None or " " not in name or not 5 <= len(name) <= 60 or is_list(mail):
        return
    if is_free_mail(sender.domain):
        return  # people do answer from their private mailbox
    start = body.text[:20_000].find(f"{name} <")
    address, closed, _ = (
        body.text[start + len(name) + 2 :][:120].partition(">") if start >= 0 else ("", "", "")
    )
    domain = address.removeprefix("mailto:").rpartition("@")[2].lower()
    readers = {registrable(reader.domain) for reader in mail.recipients[:5]}
    if closed and registrable(domain) in readers - {registrable(sender.domain)} and not is_free_mail(domain):
        end = start + len(name) + 2 + len(address)
        yield from _note(
            case, Span(body.name, start, end), "was-a-colleague", "moderate",
            f"In the mail it quotes, {name} wrote from {domain} like the reader; now from {sender.domain}.",
        )  # fmt: skip


def looks_random(word: str) -> bool:
    """Whether a word reads as drawn by lot: letters and digits taking turns, or no vowel for long."""
    word = word.partition("+")[0]
    if not 6 <= len(word) <= 30 or not word.isalnum():
        return False  # with signs inside, it is mostly a return address of a list
    turns = sum(a.isdigit() != b.isdigit() and a.isalnum() and b.isalnum() for a, b in pairwise(word))
    if turns >= 3:
        return True
    without = longest = 0
    for character in word:
        without = without + 1 if character.isalpha() and character not in _VOWELS else 0
        longest = max(longest, without)
    return longest >= 7


def _within(case: Case, at: Span, words: str) -> Span:
    """The span of the words inside another span; all of it when they stand there in another spelling."""
    start = case.part(at.part).text[at.start : at.end].lower().find(words.lower())
    return at if start < 0 else Span(at.part, at.start + start, at.start + start + len(words))
