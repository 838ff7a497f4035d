"""A message in, what leads to a person or to money out: accounts, payment names, links, phones, handles, wallets.

Each is given in one plain spelling (`value`) with the place where it stands; the words at that place are as they were
written, however disguised. Checksums are verified where there is one, and the words around a number say what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import re2

from malafide.knowledge.addresses import Found, addresses
from malafide.knowledge.digits import Run, plain_digits, runs
from malafide.knowledge.numbers import extract
from malafide.knowledge.scripts import searchable

IdentifierKind = Literal[
    "bank_account", "upi", "link", "phone", "foreign_phone", "email", "ifsc", "iban", "card", "wallet", "aadhaar",
    "telegram", "whatsapp", "handle",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Identifier:
    """Something at text[start:end] that leads to somebody, in its plain spelling."""

    kind: IdentifierKind
    value: str
    start: int
    end: int


_IFSC: Final = re2.compile(r"\b[A-Za-z]{4} ?0[ ]?[A-Za-z0-9]{6}\b")
_CUES: Final = {
    "phone": re2.compile(
        r"(?i)\b(?:call(?:ing|back)?|phone|ph|mobile|mob|cell|contact|whats ?app|wa|tele?|telephone|helpline|dial|"
        r"ring|text|sms|reach|toll.?free|landline|fone|phone ?pe|gpay|paytm no|hotline|desk|anruf|handy|appel\w*|"
        r"llam\w*|ligue|chiama\w*)\b"
    ),
    "account": re2.compile(
        r"(?i)\b(?:account|accounts|a/c|acct?|acc|khata|khaata|khate|beneficiary|ifsc|deposit|neft|imps|rtgs|savings|"
        r"konto\w*|cuenta|conta|compte|conto|rekening|routing|bank)\b"
    ),
    "card": re2.compile(r"(?i)\b(?:card|visa|mastercard|rupay|debit|credit)\b"),
    "aadhaar": re2.compile(r"(?i)\b(?:aadhaa?r|adhaa?r|uidai)\b"),
    "reference": re2.compile(
        r"(?i)\b(?:order|tracking|awb|ref|reference|case|complaint|ticket|docket|badge|employee|id|invoice|utr|txn|"
        r"transaction|policy|consignment|licen[sc]e|registration|otp|code|pin|fir|warrant|cif|crn|booking|pnr|gstin?|"
        r"serial|imei|challan|file|customer|claim|parcel|shipment|meter|consumer|loan|folio)\b"
    ),
}  # fmt: skip
# What is said of money that goes to an account, where the account itself is not announced.
_PAID: Final = re2.compile(
    r"(?i)\b(?:transfer|send|pay|deposit|remit|account|a/c|bank|bhej\w*|beneficiary|ifsc)\b"
)
_BEFORE: Final = 60
_AFTER: Final = 34
_MOST_CHARS: Final = 20_000
_MOST: Final = 200


@lru_cache(maxsize=20_000)
def identifiers(text: str) -> tuple[Identifier, ...]:
    """Everything in the text that leads to somebody, in order of place, each stretch of text once."""
    text = plain_digits(searchable(text[:_MOST_CHARS]))
    found: list[Identifier] = []
    masked = text
    for one in addresses(text):
        found.append(_from_address(one))
        masked = _mask(masked, one.start, one.end)
    for number in extract(masked, ("wallet", "iban")):
        found.append(
            Identifier(
                "wallet" if number.kind == "wallet" else "iban", number.value, number.start, number.end
            )
        )
        masked = _mask(masked, number.start, number.end)
    for match in _IFSC.finditer(masked):
        value = match.group().replace(" ", "")
        if value.isupper() or _nearest(masked, match.start(), match.end())[0] == "account":
            found.append(Identifier("ifsc", value.upper(), *match.span()))
            masked = _mask(masked, *match.span())
    found.extend(_numbers(masked))
    return tuple(sorted(found, key=lambda one: one.start)[:_MOST])


def _from_address(one: Found) -> Identifier:
    return Identifier(one.kind, one.value, one.start, one.end)


def _mask(text: str, start: int, end: int) -> str:
    # A letter, so that digits before and after do not join.
    return text[:start] + "x" * (end - start) + text[end:]


def _numbers(text: str) -> Iterator[Identifier]:
    for run in runs(text):
        before, after = text[max(0, run.start - 1) : run.start], text[run.end : run.end + 1]
        if before.isalnum() or after.isalnum() or before in ("_", "#", "₹", "$", "€", "£", "@"):
            continue
        if _part_of_a_name(text, run.start) or (run.commas and not run.plus):
            continue
        found = _meaning(run, text)
        if found is not None:
            yield Identifier(found[0], found[1], run.start, run.end)


def _part_of_a_name(text: str, start: int) -> bool:
    """SBI-12345..., AMZ/2026/...: digits that go on from letters are somebody's reference."""
    head = text[max(0, start - 2) : start]
    money = text[max(0, start - 4) : start].lower().strip(" .")
    return (len(head) == 2 and head[0].isalpha() and head[1] in "-/_#") or money in ("rs", "inr", "usd")


def _meaning(run: Run, text: str) -> tuple[IdentifierKind, str] | None:
    digits = run.digits
    cue, distance = _nearest(text, run.start, run.end)
    if run.plus or (digits.startswith("00") and 12 <= len(digits) <= 16 and cue in ("phone", None)):
        abroad = _international(digits.removeprefix("00"))
        if run.plus or abroad:
            return abroad
    if len(digits) == 10 and digits[0] in "6789":
        if cue == "account" and distance < 25 and not _grouped_as_phone(run):
            return "bank_account", digits
        if cue == "reference" and distance < 14:
            return None
        return ("foreign_phone", digits) if "(" in text[run.start - 1 : run.end] else ("phone", digits)
    if len(digits) == 11 and digits[0] == "0" and digits[1] in "6789" and cue != "account":
        return "phone", digits[1:]
    if (
        len(digits) == 12
        and cue != "account"
        and digits.startswith("91")
        and digits[2] in "6789"
        and cue != "aadhaar"
    ):
        return "phone", "+" + digits
    if len(digits) == 12 and (cue == "aadhaar" or (run.groups == [4, 4, 4] and cue is None)):
        return ("aadhaar", digits) if cue == "aadhaar" or _is_aadhaar(digits) else None
    if _is_card(digits) and (cue == "card" or (cue is None and not _PAID.search(text))):
        return "card", digits
    if cue == "phone":
        return _announced(digits)
    if 9 <= len(digits) <= 18 and (
        cue == "account" or (cue is None and len(digits) > 10 and _PAID.search(text))
    ):
        return "bank_account", digits
    return None


def _announced(digits: str) -> tuple[IdentifierKind, str] | None:
    """A number that is said to be called, and is no Indian mobile."""
    if len(digits) == 11 and digits[0] == "0" and digits[1] in "12345":
        return "phone", digits[1:]  # an Indian landline with its area code
    return ("foreign_phone", digits) if 10 <= len(digits) <= 13 else None


def _grouped_as_phone(run: Run) -> bool:
    return run.groups == [5, 5]


def _international(digits: str) -> tuple[IdentifierKind, str] | None:
    if digits.startswith("91") and len(digits) == 12:
        return "phone", "+" + digits
    if digits.startswith("910") and len(digits) == 13:  # +91 (0) 98...
        return "phone", "+91" + digits[3:]
    return ("foreign_phone", "+" + digits) if extract("+" + digits, ("phone",)) else None


def _nearest(text: str, start: int, end: int) -> tuple[str | None, int]:
    """Which kind of word stands nearest to a number, before it or else close behind, and how far off."""
    before = text[max(0, start - _BEFORE) : start]
    best: tuple[int, str] | None = None
    for kind, expression in _CUES.items():
        for match in expression.finditer(before):
            if best is None or match.end() >= best[0]:
                best = (match.end(), kind)
    if best is not None:
        return best[1], len(before) - best[0]
    after = text[end : end + _AFTER].partition("\n")[0]
    first: tuple[int, str] | None = None
    for kind, expression in _CUES.items():
        match = expression.search(after)
        if match is not None and (first is None or match.start() < first[0]):
            first = (match.start(), kind)
    return (first[1], first[0]) if first else (None, 0)


def _is_card(digits: str) -> bool:
    """Whether length, first digits and checksum are those of a card; one account in ten has the checksum too."""
    fits = len(digits) == 16 or (len(digits), digits[:2]) in (
        (15, "34"),
        (15, "37"),
        (14, "36"),
        (14, "38"),
        (14, "30"),
    )
    return fits and any(number.kind == "card" for number in extract(digits, ("card",)))


def _is_aadhaar(digits: str) -> bool:
    from stdnum.in_ import aadhaar

    return bool(aadhaar.is_valid(digits))
