"""Case in, evidence out: signs of a letter one person wrote to another. All of it speaks for the mail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Mail, Part, Span
from malafide.evidence import Evidence
from malafide.folding import fold
from malafide.knowledge.languages import identify
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "personal"
_note: Final = noting(_TOOL, "conversation", "genuine")
# Whatever a stranger may want: a note with one of these is not called plain. Folded, seven languages.
_WANTS: Final = (
    "$", "€", "£", "http", "www.", "click", "account", "password", "bank", "payment", "invoice",
    "million", "urgent", "fund", "investment", "offer", "free", "winner", "prize", "lottery", "loan",
    "credit", "verify", "bitcoin", "crypto", "wallet", "gift card", "whatsapp", "telegram", "unsubscribe",
    "guarantee", "money", "transfer", "beneficiary", "deal", "usd", "dollar", "konto", "passwort",
    "zahlung", "compte", "mot de passe", "cuenta", "pago", "conta", "senha", "pagamento", "rekening",
    "betaling", "order now", "price", "sale", "discount", "partner", "profit", "income", "earn", "viagra",
    "pharmacy", "weight", "mortgage", "casino", "sex", "dating", "remove", "mailing", "confidential",
    "proposal", "attached", "attachment", "reply to this", "business", "ceo", "are you available",
    "are you at", "quick task", "favor", "favour", "phone number", "text me", "call me",
)  # fmt: skip
_GREETINGS: Final = (
    "hi ",
    "hello ",
    "hey ",
    "dear ",
    "hallo ",
    "liebe ",
    "lieber ",
    "bonjour ",
    "hola ",
    "ciao ",
    "olá ",
)


@tool(_TOOL)
def personal(case: Case) -> list[Evidence]:
    """Signs of a letter from one person to another: plain, short, by name, wanting nothing."""
    body = next(case.of_role("body"), None)
    if body is None or not body.text.strip():
        return []
    found: list[Evidence] = []
    if case.mail is not None and case.mail.headers:
        found.extend(_by_name(case, case.mail, body))
        found.extend(_signature(case, body))
    found.extend(_plain_note(case, body))
    return found


def _by_name(case: Case, mail: Mail, body: Part) -> Iterator[Evidence]:
    head = body.text[:300]
    low = head.lower()
    for reader in mail.recipients[:3]:
        words = [w for w in reader.name.replace(",", " ").split() if w.isalpha() and len(w) > 2]
        # The name must not be the address itself: that every mass mailer knows.
        for word in words[:3]:
            if word.lower() in reader.local and len(words) == 1:
                continue
            for greeting in _GREETINGS:
                start = low.find(greeting + word.lower())
                if start >= 0 and (start == 0 or low[start - 1].isspace()):
                    end = start + len(greeting) + len(word)
                    yield from _note(
                        case,
                        Span(body.name, start, end),
                        "by-name",
                        "slight",
                        "It greets the reader by name.",
                    )
                    return


def _signature(case: Case, body: Part) -> Iterator[Evidence]:
    start = body.text.rfind("\n-- \n")
    if start < 0 or len(body.text) - start > 600:
        return
    line = body.text[start + 5 :].partition("\n")[0][:100]
    if line.strip():
        yield from _note(
            case, Span(body.name, start + 5, start + 5 + len(line)), "signature", "weak",
            "It ends in a signature set off the way people's mail programs do it.",
        )  # fmt: skip


def _plain_note(case: Case, body: Part) -> Iterator[Evidence]:
    """Plain prose that wants nothing: no link, no file, no money, no request."""
    mail = case.mail
    if mail is None or mail.links or mail.attachments or mail.html is not None:
        return
    text = body.text.strip()
    if not 40 <= len(text) <= 6_000 or text.count("!") > 3:
        return
    folded = fold(text).text
    if any(want in folded for want in _WANTS) or not identify(body.text)[0]:
        return
    line = text.partition("\n")[0][:120]
    start = body.text.find(line)
    yield from _note(
        case, Span(body.name, start, start + len(line)), "plain-note", "weak",
        "It is plain text with no link, no file and nothing it wants from the reader.",
    )  # fmt: skip
