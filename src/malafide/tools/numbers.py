"""Case in, evidence out: numbers that mean something where they stand; one as such is neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.hosts import is_free_mail
from malafide.knowledge.numbers import TOLL_FREE, Number, NumberKind, amount_value, extract
from malafide.tools import tool

_TOOL: Final = "numbers"
_KINDS: Final[tuple[NumberKind, ...]] = ("wallet", "iban", "upi", "amount", "card")
# Names behind the @ of Indian payment addresses; others could be machine names in technical mail.
_UPI_BANKS: Final = frozenset({
    "okaxis", "okhdfcbank", "okicici", "oksbi", "ybl", "ibl", "axl", "paytm", "ptyes", "ptsbi", "ptaxis",
    "pthdfc", "upi", "apl", "yapl", "fbl", "jupiteraxis", "axisb", "icici", "sbi", "hdfcbank", "axisbank",
    "kotak", "airtel", "jio", "freecharge", "mbk", "postbank", "fam", "barodampay", "idfcbank", "indus",
    "pnb",
})  # fmt: skip
_BILLED: Final = (
    "invoice", "subscription", "renew", "charged", "billed", "auto-debit", "auto debit", "refund",
    "order confirm", "payment", "purchase", "transaction", "rechnung", "abonnement", "factura", "facture",
    "fatura",
)  # fmt: skip
_CALL: Final = (
    "call", "dial", "phone", "helpline", "toll", "contact", "rufen", "appelez", "llame", "ligue", "chiama",
    "bel ",
)  # fmt: skip
_MILLION: Final = 1_000_000


@tool(_TOOL)
def numbers(case: Case) -> list[Evidence]:
    """Wallets, accounts, cards, sums and phone numbers, where they mean something."""
    found: list[Evidence] = []
    for part in case.of_role("body"):
        seen: set[str] = set()
        for number in extract(part.text[:20_000], _KINDS):
            for evidence in _one(case, part, number):
                if evidence.kind not in seen:
                    seen.add(evidence.kind)
                    found.append(evidence)
        found.extend(_call_us(case, part))
    return found


def _note(
    case: Case, part: Part, number: Number, name: str, strength: Strength, sentence: str
) -> Iterator[Evidence]:
    at = Span(part.name, number.start, number.end)
    yield observe(case, at, f"{_TOOL}.{name}", "number", strength, sentence, tool=_TOOL)


def _one(case: Case, part: Part, number: Number) -> Iterator[Evidence]:
    if number.kind == "wallet":
        yield from _note(
            case, part, number, "wallet", "moderate",
            "It names a crypto wallet: what is paid there cannot be called back.",
        )  # fmt: skip
    elif number.kind == "iban":
        yield from _note(case, part, number, "account", "slight", "It names a bank account to pay to.")
    elif number.kind == "card":
        yield from _note(
            case,
            part,
            number,
            "card",
            "weak",
            "It holds a full card number, which nobody should send by mail.",
        )
    elif number.kind == "upi" and number.value.rpartition("@")[2].lower() in _UPI_BANKS:
        yield from _note(case, part, number, "payment-address", "slight", "It names a payment address (UPI).")
    elif number.kind == "amount" and _is_fortune(number.value):
        yield from _note(
            case, part, number, "fortune", "moderate",
            f"A fortune with all its zeros is named: {number.value[:40]}.",
        )  # fmt: skip


def _is_fortune(written: str) -> bool:
    """News write "$25 million"; letters about fortunes write out every zero."""
    return amount_value(written) >= _MILLION and written.count(",000") + written.count(".000") >= 2


def _call_us(case: Case, part: Part) -> Iterator[Evidence]:
    """A bill one did not expect, and a number to call about it: the caller is then talked into paying."""
    text = part.text[:6_000]
    low = text.lower()
    if not any(word in low for word in _CALL) or not any(word in low for word in _BILLED):
        return
    phone = next((n for n in extract(text, ("phone",))), None)
    if phone is None:
        return
    sender = case.mail.sender if case.mail else None
    if sender is not None and is_free_mail(sender.domain):
        yield from _note(
            case, part, phone, "bill-from-free-mailbox", "moderate",
            "A bill with a number to call about it comes from a free mailbox, as no company would send it.",
        )  # fmt: skip
    elif phone.value.removeprefix("+1")[:3] in TOLL_FREE and "http" not in low and len(text) < 2_500:
        yield from _note(
            case, part, phone, "bill-to-call-about", "slight", "A bill, and a free number to call about it."
        )
