"""Text in, the numbers that mean something out: phones, accounts, cards, wallets, payment names, sums.

`extract` says what stands in a text and where, and judges nothing. Checksums are verified where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, Literal

import re2

from malafide.knowledge import wallets
from malafide.knowledge.scripts import found, searchable

NumberKind = Literal["phone", "iban", "card", "upi", "wallet", "amount"]

_MOST_CHARS: Final = 60_000
_MOST_OF_ONE_KIND: Final = 100


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands at text[start:end]. `value` is its plain spelling: digits, no blanks."""

    kind: NumberKind
    value: str
    start: int
    end: int


# Runs of digits with the usual separators between; the checks below say what they are.
_DIGITS: Final = r"(?:\+ ?|\b00)?\(?\d[\d ()./\x{00a0}\x{2011}\x{2013}\-]{6,26}\d"
_IBAN: Final = r"\b[A-Z]{2}\d{2}(?:[ \x{00a0}]?[A-Z0-9]{4}){2,7}(?:[ \x{00a0}]?[A-Z0-9]{1,3})?\b"
_UPI: Final = r"[\w.\-]{2,64}@[A-Za-z]{2,32}\b"
_CODES: Final = r"usd|eur|euro|gbp|chf|inr|rs\.?|cad|aud|usdt|btc|eth|ngn|brl|mxn"
_SUM: Final = r"\d[\d.,']{0,24}"
_SCALE_WORDS: Final = "thousand|million|billion|lakhs?|crores?|millionen|millones|milhões|milioni|miljoen"
_SCALE: Final = rf"(?: ?(?:k|m|mm|mio|bn|{_SCALE_WORDS})\b)?"
_NAMES: Final = (
    r"(?:us |u\.s\. |united states )?dollars?|euros?|pounds?|rupees|usd|eur|gbp|chf|inr|usdt|btc|eth"
)
_AMOUNT: Final = (
    rf"(?i)(?:(?:us|u\.s\. ?|au|ca|hk|r)?[$€£¥₹]|\b(?:{_CODES}) ?) ?{_SUM}{_SCALE}"
    rf"|\b{_SUM}{_SCALE} ?(?:[$€£¥₹]|(?:{_NAMES})\b)"
)
# Toll-free and shared-cost area codes of the North American plan.
TOLL_FREE: Final = frozenset({"800", "822", "833", "844", "855", "866", "877", "888"})


@cache
def _compiled(pattern: str) -> Any:
    return re2.compile(pattern)


def extract(text: str, kinds: tuple[NumberKind, ...] = ()) -> list[Number]:
    """Every number in the text, in order of place; only of the kinds asked for, if any are."""
    text = searchable(text[:_MOST_CHARS])
    finders: dict[NumberKind, Callable[[str], Iterator[Number]]] = {
        "wallet": _wallets,
        "iban": _ibans,
        "upi": _upis,
        "amount": _amounts,
        "card": _cards,
        "phone": _phones,
    }
    numbers: list[Number] = []
    for kind, finder in finders.items():
        if kinds and kind not in kinds:
            continue
        for number in _first(finder(text)):
            # What is a card or an account is no phone as well: the first kind that fits keeps its place.
            if not any(number.start < other.end and other.start < number.end for other in numbers):
                numbers.append(number)
    return sorted(numbers, key=lambda number: number.start)


def _first(numbers: Iterator[Number]) -> list[Number]:
    return list(islice(numbers, _MOST_OF_ONE_KIND))


def _wallets(text: str) -> Iterator[Number]:
    for start, end in wallets.find(text):
        yield Number("wallet", text[start:end], start, end)


def _ibans(text: str) -> Iterator[Number]:
    for start, end in found(_compiled(_IBAN), text):
        words = text[start:end].replace("\xa0", " ").split(" ")
        # Words after the account may look like one more group: try without them.
        for count in range(len(words), 0, -1):
            written = " ".join(words[:count])
            value = written.replace(" ", "")
            if len(value) >= 15 and _is_iban(value):
                yield Number("iban", value, start, start + len(written))
                break


def _is_iban(value: str) -> bool:
    from stdnum import iban

    return bool(iban.is_valid(value, check_country=False))


def _upis(text: str) -> Iterator[Number]:
    if "@" not in text:
        return
    for start, end in found(_compiled(_UPI), text):
        after = text[end : end + 2]
        # With a dot and a letter behind it, it is an e-mail address; a dot alone ends a sentence.
        if after[:1] in ("-", "@", "_") or (after[:1] == "." and after[1:].isalnum()):
            continue
        value = text[start:end].lstrip(".-_")
        yield Number("upi", value, end - len(value), end)


def _amounts(text: str) -> Iterator[Number]:
    for start, end in found(_compiled(_AMOUNT), text):
        written = text[start:end].rstrip(".,' ")
        yield Number("amount", " ".join(written.split()), start, start + len(written))


_CARD_SIGNS: Final = frozenset("0123456789 -\xa0")


def _cards(text: str) -> Iterator[Number]:
    for start, end, digits in _digit_runs(text):
        if (
            13 <= len(digits) <= 19
            and digits[0] in "3456"
            and _CARD_SIGNS.issuperset(text[start:end])
            and _luhn(digits)
        ):
            yield Number("card", digits, start, end)


def _luhn(digits: str) -> bool:
    if len(set(digits)) == 1:
        return False  # a row of one digit is a placeholder
    doubled = (sum(divmod(2 * int(d), 10)) for d in digits[-2::-2])
    return (sum(doubled) + sum(int(d) for d in digits[-1::-2])) % 10 == 0


def _phones(text: str) -> Iterator[Number]:
    for start, end, digits in _digit_runs(text):
        value = _phone(text[start:end], digits, text[max(0, start - 24) : start])
        if value:
            yield Number("phone", value, start, end)


def _digit_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Runs of at least eight digits that are no part of a longer word, an address or a decimal."""
    for start, end in found(_compiled(_DIGITS), text):
        written = text[start:end]
        if written.count(" ") > 4 or sum(c.isdigit() for c in written) > 19:
            yield from _pieces(text, start, end)
            continue
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        if before.isalnum() or before in ("_", "=", "/", "$", "€", "£", "₹", "#", "@", ".", "&", "%"):
            continue
        if after.isalnum() or after in ("_", "@", "%", "=", "&", "€", "$"):
            continue
        digits = "".join(c for c in written if c.isdigit() and c.isascii())
        if len(digits) >= 8:
            yield start, end, digits


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Several numbers one after another, with blanks between: each by itself."""
    for word in text[start:end].split(" "):
        digits = "".join(c for c in word if c.isdigit() and c.isascii())
        if len(digits) >= 8:
            yield start, start + len(word), digits
        start += len(word) + 1


_PHONE_WORDS: Final = (
    "tel", "phone", "call", "mobile", "cell", "whatsapp", "fax", "ring", "dial", "text", "sms", "contact",
    "helpline", "support", "toll", "rufen", "handy", "appel", "llam", "ligue", "chiama", "bel",
)  # fmt: skip


def _phone(written: str, digits: str, before: str) -> str:
    """The number in one spelling if it is a phone number, else ""."""
    if written[0] == "+" or written.startswith("00"):
        return _international(digits.removeprefix("00") if written.startswith("00") else digits)
    separators = {c for c in written if not c.isdigit()}
    announced = any(word in before.lower() for word in _PHONE_WORDS)
    groups = [len(g) for g in "".join(c if c.isdigit() else " " for c in written).split()]
    national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    if len(national) == 10 and national[0] in "23456789" and national[3] in "23456789":
        # 555-012-3456 and its like; ten digits alone need a word that announces them, or start like a mobile.
        if groups[-1:] == [4] and len(groups) in (2, 3, 4) and separators <= set(" ()-.\xa0\u2011\u2013/"):
            return national
        if announced or (len(groups) == 1 and national[0] in "6789"):
            return national
    if len(digits) == 10 and digits[0] in "6789" and (announced or len(groups) <= 2):
        return digits
    if (
        len(digits) == 12
        and digits.startswith("91")
        and digits[2] in "6789"
        and (announced or len(groups) > 1)
    ):
        return "+" + digits
    if 8 <= len(digits) <= 13 and announced and (len(groups) > 1 or digits[0] == "0"):
        return digits
    return ""


def _international(digits: str) -> str:
    if not 8 <= len(digits) <= 15:
        return ""
    import phonenumbers

    try:
        number = phonenumbers.parse("+" + digits, None)
    except phonenumbers.NumberParseException:
        return ""
    return "+" + digits if phonenumbers.is_possible_number(number) else ""


_SCALES: Final = {
    "k": 1e3, "thousand": 1e3, "lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7,
    "m": 1e6, "mm": 1e6, "mio": 1e6, "million": 1e6, "millionen": 1e6, "millones": 1e6, "milhões": 1e6,
    "milioni": 1e6, "miljoen": 1e6, "bn": 1e9, "billion": 1e9,
}  # fmt: skip


def amount_value(written: str) -> float:
    """The sum an amount stands for, whichever way thousands and decimals are written; 0.0 when unclear."""
    digits = "".join(c for c in written if c.isdigit() or c in ".,'").strip(".,'").replace("'", "")
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0 and (len(digits) - last - 1 == 3 or digits.count(digits[last]) > 1):
        last = -1  # the last separator groups thousands
    whole = (digits if last < 0 else digits[:last]).replace(".", "").replace(",", "")
    if not whole.isdigit() or len(whole) > 18:
        return 0.0
    value = float(whole) + (
        float("0." + digits[last + 1 :]) if last >= 0 and digits[last + 1 :].isdigit() else 0
    )
    for word in "".join(c if c.isalpha() else " " for c in written.lower()).split():
        value *= _SCALES.get(word, 1)
    return value
