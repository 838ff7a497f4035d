"""Case in, evidence out: which language the message is in, and whether it is at home there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ahocorasick_rs import AhoCorasick, MatchKind

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence
from malafide.folding import fold
from malafide.knowledge.headers import place
from malafide.knowledge.languages import identify
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "language"
_note: Final = noting(_TOOL, "language")
_SURE: Final = 0.6
# Misspellings and turns that scams of many years share and careful senders do not make.
_SLIPS: Final = (
    "kindly revert", "do the needful", "dear costumer", "costumer service", "costumer care",
    "your acount", "acount has", "recieve", "beneficary", "benificiary", "untill", "sucessful",
    "succesful", "verfy", "verifiy", "informations", "confirmations your", "loose your account",
    "suspicous", "unauthorised activites", "activites", "adress", "pasword", "emial", "imediately",
    "immediatly", "urgentlly", "secureity", "maintainance", "congratulation!", "guarrantee", "garantee",
    "garanteed", "gaurantee", "oppurtunity", "buisness", "bussiness", "transfered", "fund transfered",
    "am barrister", "i am mr ", "i am mrs ", "i am miss ", "my late ", "god bless you", "yours in",
    "good day to you",
)  # fmt: skip
_SLIP: Final = AhoCorasick(_SLIPS, matchkind=MatchKind.LeftmostFirst)
# Charsets made for one language family; mail in English with them was made on a machine set up for another.
_HOME: Final = {
    "ru": ("koi8-r", "windows-1251", "iso-8859-5"),
    "zh": ("gb2312", "gbk", "gb18030", "big5", "hz-gb-2312"),
    "ko": ("euc-kr", "ks_c_5601-1987", "iso-2022-kr"),
    "ja": ("iso-2022-jp", "shift_jis", "euc-jp"),
    "ar": ("windows-1256", "iso-8859-6"),
    "th": ("tis-620", "windows-874"),
    "tr": ("windows-1254", "iso-8859-9"),
}
_FOREIGN: Final = {charset: code for code, charsets in _HOME.items() for charset in charsets}


@tool(_TOOL)
def language(case: Case) -> list[Evidence]:
    """Whether subject, text and charset speak one language, and how well it is written."""
    body = next(case.of_role("body"), None)
    if body is None or len(body.text) < 40:
        return []
    code, sure = identify(body.text)
    evidence = list(_slips(case, body)) if code in ("en", "") else []
    if code and sure >= _SURE:
        evidence.extend(_other_subject(case, code))
        evidence.extend(_charset(case, body, code))
    return evidence


def _other_subject(case: Case, code: str) -> Iterator[Evidence]:
    if not case.has("subject"):
        return
    subject = case.part("subject")
    other, sure = identify(subject.text)
    if other and other != code and sure >= _SURE:
        yield from _note(
            case, Span(subject.name, 0, min(len(subject.text), 160)), "other-subject", "weak",
            "The subject is in another language than the text.",
        )  # fmt: skip


def _charset(case: Case, body: Part, code: str) -> Iterator[Evidence]:
    if case.mail is None or code not in ("en", "de", "fr", "es", "pt", "it", "nl"):
        return
    charset = next((c for c in case.mail.charsets if c in _FOREIGN), None)
    if charset is not None and body.text.isascii():
        at = place(case, "content-type") or Span(body.name, 0, min(len(body.text), 80))
        yield from _note(
            case, at, "foreign-charset", "slight",
            f"The text needs no foreign letters, but was made on a machine set up for them ({charset}).",
        )  # fmt: skip


def _slips(case: Case, body: Part) -> Iterator[Evidence]:
    folded = fold(body.text)
    places = [(start, end) for _, start, end in _SLIP.find_matches_as_indexes(folded.text[:6_000])[:5]]
    if not places:
        return
    begin, end = folded.span(*places[0])
    several = len(places) >= 2
    yield from _note(
        case, Span(body.name, begin, end), "slips" if several else "slip", "weak" if several else "slight",
        "It has mistakes and turns of phrase that are typical of scam letters.",
    )  # fmt: skip
