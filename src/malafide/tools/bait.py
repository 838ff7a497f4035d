"""Case in, evidence out: words of the bulk trade, spelled so that people read them and filters do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from string import ascii_lowercase
from typing import Final

import re2

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, observe
from malafide.folding import fold
from malafide.tools import tool

# Words nobody disguises in honest mail, however they are cut up (V-i-a-gra), doubled (viaggra) or dotted.
_GOODS: Final = (
    "viagra cialis levitra xanax valium vicodin phentermine ambien tramadol pharmacy pharmacies prescription "
    "prescriptions medication medications painkillers penis enlargement erection erections ejaculation sexual "
    "mortgage refinance refinancing rolex replicas"
).split()
# Words that are disguised too, but are also cut by a hyphen at the end of a line: only odd signs count.
_OTHERS: Final = (
    "drugs meds porn pussy horny naked interest insurance software discount guaranteed cheapest lowest "
    "investment lottery bitcoin casino winner approved click remove order money price prices offer credit "
    "diploma password account payment verify wallet"
).split()

_MOST_CHARS: Final = 4_000  # bait is laid early; all of a long newsletter would cost 400 us
_LEET: Final = str.maketrans("0134578@$!|l", "oieastbasiii", ".,_*~^-'`()+=#:;/\\\"[]<>{}?%&")
_EDGE: Final = ".,_*~^-'`()+=#:;/\\\"[]<>{}?%&!|$"
_DOUBLED: Final = [(letter * 2, letter) for letter in ascii_lowercase]
_ODD: Final = frozenset("0134578@$!|_*~^+=#\\")
_APART = re2.compile(
    r"(?:^|[^a-z0-9])([a-z0-9@$!|](?:[^a-z0-9@$!|\n]{1,3}[a-z0-9@$!|]){3,24})(?:[^a-z0-9]|$)"
)


def _canonical(words: str) -> str:
    """One spelling for all disguises; white space stays."""
    words = words.translate(_LEET)
    # 20 us for 2 kB; an expression that finds repeated letters took 60.
    for twice, once in _DOUBLED:
        while twice in words:
            words = words.replace(twice, once)
    return words


_PLAIN: Final = {_canonical(word): word for word in (*_GOODS, *_OTHERS)}
# Words known to be no disguise. Hostile mail must not make it grow without end.
_harmless: set[str] = set()
_MOST_LEARNED: Final = 30_000
_LONGEST_LEARNED: Final = 20


@tool("bait")
def bait(case: Case) -> list[Evidence]:
    """Words of the bulk trade in disguise, such as V1agra or m.o.r.t.g.a.g.e."""
    for part in case.of_role("subject", "body"):
        for start, end, word in islice(_disguised(part), 1):
            return [
                observe(
                    case, Span(part.name, start, end), "bait.disguised", "marketing", "strong",
                    f"The word '{word}' is spelled so that filters do not recognise it.", tool="bait",
                )
            ]  # fmt: skip
    return []


def _disguised(part: Part) -> Iterator[tuple[int, int, str]]:
    """Where disguised words stand, and what they say."""
    folded = fold(part.text)
    plain = folded.text[:_MOST_CHARS]
    tokens = plain.split()
    odd = set(tokens) - _harmless
    if odd and (odd := _learn(list(odd))):
        for token in filter(odd.__contains__, dict.fromkeys(tokens)):
            at = plain.index(token)
            yield (*folded.span(at, at + len(token)), _PLAIN[_canonical(token)])
    for match in islice(_APART.finditer(plain.encode() if plain.isascii() else plain), 20):
        start, end = match.span(1)
        word = _PLAIN.get(_canonical(plain[start:end].replace(" ", "").replace("\n", "")))
        if word is not None and len(word) > 4:
            yield (*folded.span(start, end), word)


def _learn(tokens: list[str]) -> set[str]:
    """Those of the words that are disguises; the others are remembered, since mail has few words that are new."""
    spellings = _canonical("\n".join(tokens)).split("\n")  # all at once takes a tenth of the time
    found = {
        token
        for token, canonical in zip(tokens, spellings, strict=True)
        if canonical in _PLAIN and _is_disguise(token, _PLAIN[canonical])
    }
    if len(_harmless) < _MOST_LEARNED:
        _harmless.update(token for token in tokens if token not in found and len(token) <= _LONGEST_LEARNED)
    return found


def _is_disguise(token: str, word: str) -> bool:
    core = token.strip(_EDGE)
    unnumbered = core.lstrip("0123456789")
    if unnumbered[:1] in (".", ")", ":"):  # "5.Order" is an entry of a list
        core = unnumbered.lstrip(_EDGE)
    if core.isalpha():
        return word in _GOODS and len(core) > len(word) and core not in (word + "s", word + word[-1])
    if word in _GOODS:
        cut = core.count("-") == 1 and len(word) > 7 and core.replace("-", "") == word  # at the end of a line
        return not cut and "/" not in core and "'" not in core
    return not _ODD.isdisjoint(core)
