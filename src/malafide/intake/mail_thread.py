"""A mail with what it answers, or a mailbox, in; the messages of the thread out, the oldest first."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import re2

from malafide.case import Case
from malafide.errors import UnreadableInput
from malafide.intake.conversation import Said, Session
from malafide.intake.reading import looks_like_mail, read_bytes

_MOST_MAILS: Final = 500
_MOST_ANSWERED: Final = 100
# "On Monday Anna wrote:" and its like; what follows is older and another's.
_ANSWERED: Final = re2.compile(
    r"(?m)^[> ]{0,12}(?:(?:On|Am|Le|El|Em|Il|Op) .{4,140}(?:,|\d|[AP]M) (.{1,80}?) (?:wrote|schrieb|a écrit|"
    r"escribió|escreveu|ha scritto|schreef).{0,20}:"
    r"|(.{1,80}?) (?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef):"
    r"|-{2,} ?(?:Original Message|Ursprüngliche Nachricht|Message d'origine|"
    r"Mensaje original) ?-{2,}\n[> ]{0,12}(?:From|Von|De): (.{1,100}))[ \t]*$"
)
_HEADS: Final = ("from:", "sent:", "to:", "subject:", "date:", "cc:", "von:", "gesendet:", "an:", "betreff:")


def looks_like_thread(data: bytes) -> bool:
    return looks_like_mail(data[:20_000].decode("latin-1"))


def mail_thread(data: bytes) -> Session:
    """The session of one mail with its quotes, or of a mailbox. The user is whom the newest foreign mail is to."""
    mails = [read_bytes(one) for one in _mails(data)]
    if not mails:
        raise UnreadableInput("The mailbox holds no mail.")
    mails.sort(key=_stamp)
    if len(mails) == 1:
        said, owner = _unfold(mails[0])
        return Session(tuple(said), owner=owner)
    said = [Said(_sender(case), _own_words(case), case.mail.date if case.mail else None) for case in mails]
    first = mails[0].mail
    owner = ""
    if first is not None and first.recipients:
        addressed = {address.address for address in first.recipients}
        owner = next((_sender(case) for case in mails if case.mail and case.mail.sender
                      and case.mail.sender.address in addressed), "")  # fmt: skip
    return Session(tuple(said), owner=owner)


def _mails(data: bytes) -> list[bytes]:
    if not data.startswith(b"From "):
        return [data]
    pieces = data.replace(b"\r\n", b"\n").split(b"\n\nFrom ")[:_MOST_MAILS]
    return [piece if i == 0 else b"From " + piece for i, piece in enumerate(pieces)]


def _stamp(case: Case) -> float:
    date: datetime | None = case.mail.date if case.mail else None
    return date.timestamp() if date else 0.0


def _sender(case: Case) -> str:
    sender = case.mail.sender if case.mail else None
    return (sender.name or sender.address) if sender else "unknown"


def _body(case: Case) -> str:
    return "\n".join(part.text for part in case.of_role("body"))


def _own_words(case: Case) -> str:
    """What the mail itself says, without what it quotes."""
    text = _body(case)
    match = _ANSWERED.search(text)
    text = text[: match.start()] if match else text
    return "\n".join(line for line in text.split("\n") if not line.startswith(">")).strip()


def _unfold(case: Case) -> tuple[list[Said], str]:
    """One mail and the mails it quotes, the oldest first; and the name of the user among them."""
    text = _body(case)
    starts = [(m.start(), m.end(), _name(next(filter(None, m.groups()), "")))
              for m, _ in zip(_ANSWERED.finditer(text), range(_MOST_ANSWERED), strict=False)]  # fmt: skip
    sender = _sender(case)
    said = [
        Said(
            sender, _unquoted(text[: starts[0][0]] if starts else text), case.mail.date if case.mail else None
        )
    ]
    ends = [*(at for at, _, _ in starts[1:]), len(text)][: len(starts)]
    for (_, start, name), end in zip(starts, ends, strict=True):
        said.append(Said(name or "unknown", _unquoted(text[start:end])))
    said = [one for one in reversed(said) if one.text]
    others = [one.sender for one in said if one.sender != sender]
    return said, others[0] if others else ""


def _name(written: str) -> str:
    name = written.partition("<")[0].strip(" \"'>")
    return name or written.strip("<> ")


def _unquoted(text: str) -> str:
    lines = [line.lstrip("> ") if line.startswith(">") else line for line in text.split("\n")]
    return "\n".join(line for line in lines if not line.lower().startswith(_HEADS)).strip()
