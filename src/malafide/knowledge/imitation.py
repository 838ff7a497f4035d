"""Hosts in, imitated organisations out: names made to be taken for another's at a glance.

What counts was measured on the 10,000 most visited domains (where nearly every hit is a false alarm) and on
addresses of known phishing pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

import ahocorasick_rs

from malafide.folding import fold
from malafide.knowledge.brands import Brand, directory, owners
from malafide.knowledge.domains import label, readable, registrable
from malafide.knowledge.hosts import kinds, often_abused

Manner = Literal[
    "letters",  # other letters that look the same: paypa1, pаypal
    "spelling",  # one slip of the pen: paypall, payapl
    "address",  # the whole address of the other in front of one's own: paypal.com.evil.test
    "bait",  # the name with a word for signing in or helping: paypal-login
    "lure",  # the name with another word that fits: paypal-shop
    "addition",  # the name with something else: paypal-xq7
    "ending",  # the name under an ending it does not use: paypal.support
    "subdomain",  # the name in front of an unrelated domain: paypal.evil.test
]


@dataclass(frozen=True, slots=True)
class Imitation:
    """That `piece` of a host (as a reader sees it) passes for a brand, and how."""

    brand: Brand
    manner: Manner
    piece: str


_SHORTEST: Final = 5  # letters of a name that is looked for inside longer ones
_SHORTEST_MISSPELT: Final = 6  # at 5, "apply", "chess" and hundreds of others are one letter from a brand
_SWAPS: Final = (
    ("rn", "m"),
    ("vv", "w"),
    ("cl", "d"),
    ("0", "o"),
    ("1", "l"),
    ("i", "l"),
    ("3", "e"),
    ("5", "s"),
)
_BAIT: Final = (
    "acces", "account", "acesso", "acceso", "alert", "anmeld", "auth", "billing", "client", "compte",
    "confirm", "conferm", "connexion", "cuenta", "customer", "help", "identi", "inloggen", "konto",
    "kunde", "limited", "locked", "login", "logon", "password", "protect", "recover", "redeliver",
    "refund", "rekening", "restor", "secur", "seguranca", "seguridad", "seguro", "sicher", "signin",
    "support", "suspen", "unlock", "unusual", "update", "valid", "veilig", "verif", "warning",
)  # fmt: skip
_LURES: Final = (
    "activ", "app", "assist", "bank", "bonus", "card", "care", "center", "centre", "claim", "deliver",
    "gift", "invoice", "id", "live", "member", "notic", "notif", "order", "parcel", "paket", "pay",
    "portal", "prize", "promo", "review", "reward", "servi", "session", "shipping", "sign", "survey",
    "tax", "team", "track", "user", "wallet", "web", "www",
)  # fmt: skip


def skeleton(name: str) -> str:
    """One spelling for all that look the same at a glance."""
    for look, plain in _SWAPS:
        name = name.replace(look, plain)
    return name


class _Index:
    """The names worth imitating, made ready for comparison."""

    def __init__(self) -> None:
        listed = directory()
        self.words: dict[str, Brand] = {}  # names that mean the organisation wherever they stand
        self.ordinary: dict[str, Brand] = {}  # names that are words too, and mean it only beside a plain bait
        for brand in listed.brands:
            for name in map(_plain, brand.names):
                word = "".join(c for c in name if c.isalnum())
                if len(word) >= 3 and not word.isdigit():
                    (self.ordinary if name in listed.common else self.words).setdefault(word, brand)
        for brand in listed.brands:
            for held in (*brand.labels, *map(label, brand.domains)):
                if len(held) >= 8 and any(name in held for name in self._certain(brand)):
                    self.words.setdefault(held, brand)
        self.long = [word for word in self.words if len(word) >= _SHORTEST and word not in listed.near_words]
        self.automaton = ahocorasick_rs.AhoCorasick(
            self.long, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest
        )
        self.skeletons = {skeleton(word): word for word in self.long}
        self.shortened: defaultdict[str, list[str]] = defaultdict(list)
        for word in self.long:
            if len(word) >= _SHORTEST_MISSPELT:
                for variant in _shortened(word):
                    self.shortened[variant].append(word)

    def _certain(self, brand: Brand) -> list[str]:
        return [word for word in map(_plain, brand.names) if len(word) >= 4 and word in self.words]


def _plain(name: str) -> str:
    return fold(name).text


def _shortened(word: str) -> Iterator[str]:
    """The word, and the word without each of its letters: two words one slip apart share one of these."""
    yield word
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]


@cache
def _index() -> _Index:
    return _Index()


@lru_cache(maxsize=8192)
def imitates(host: str) -> Imitation | None:
    """The organisation a host passes for without being its, or None."""
    if "." not in host or host[-1].isdigit() or owners(host):
        return None
    owner = registrable(host)
    before = host[: -len(owner)].rstrip(".")
    places = kinds(host)
    if before and (found := _whole_address(before)):
        return found
    found = _in_label(fold(readable(label(owner))).text, readable(label(owner)), owner)
    if found or not before or not places.isdisjoint(("trackers", "wrappers", "free_mail")):
        return found
    for piece in before.split(".")[-4:]:
        shown = readable(piece)
        found = _in_label(fold(shown).text, shown, "")
        if found:
            return found
    return None


def _whole_address(before: str) -> Imitation | None:
    pieces = before.split(".")[:12]
    for i in range(len(pieces) - 1):
        for j in (i + 2, i + 3):
            candidate = ".".join(pieces[i:j])
            if j > len(pieces) or pieces[j - 1] in directory().by_label:
                continue  # www.citi of www.citi.example is no address
            if (found := owners(candidate)) and registrable(candidate) == candidate:
                return Imitation(found[0], "address", candidate)
    return None


def _in_label(plain: str, shown: str, owner: str) -> Imitation | None:
    """A brand in one label of a host. `owner` is the registered domain if the label is its name, else ""."""
    index = _index()
    tokens = [token for token in plain.replace("_", "-").split("-") if token][:12]
    for token in tokens:
        brand = index.words.get(token)
        if brand is not None:
            return _exact(brand, token, plain, shown, owner)
        if token in index.ordinary and any(other.startswith(_BAIT) for other in tokens if other != token):
            return Imitation(index.ordinary[token], "lure", shown)
    joined = "".join(tokens)
    if len(tokens) > 1 and joined in index.words and len(joined) >= _SHORTEST:
        return Imitation(index.words[joined], "spelling", shown)
    for token in (*tokens, joined) if len(tokens) > 1 else tokens:
        if found := _disguised(token, shown):
            return found
    return _embedded(joined, shown)


def _exact(brand: Brand, token: str, plain: str, shown: str, owner: str) -> Imitation | None:
    if token != plain:
        rest = [piece for piece in plain.replace("_", "-").split("-") if piece != token]
        if any(piece.startswith(_BAIT) for piece in rest):
            return Imitation(brand, "bait", shown)
        if any(piece.startswith(_LURES) for piece in rest):
            return Imitation(brand, "lure", shown)
        return Imitation(brand, "addition", shown) if len(token) >= _SHORTEST else None
    if shown.lower() != plain:
        return Imitation(brand, "letters", shown)
    if not owner:
        return Imitation(brand, "subdomain", shown) if len(token) >= _SHORTEST else None
    return Imitation(brand, "ending", owner) if len(token) >= _SHORTEST and _odd_ending(owner) else None


def _odd_ending(owner: str) -> bool:
    suffix = owner.partition(".")[2]
    return often_abused(owner) or (
        len(suffix) > 2 and "." not in suffix and suffix not in ("com", "net", "org")
    )


def _disguised(token: str, shown: str) -> Imitation | None:
    index = _index()
    if len(token) < _SHORTEST or len(token) > 40:
        return None
    word = index.skeletons.get(skeleton(token))
    if word is not None and word != token:
        return Imitation(index.words[word], "letters", shown)
    if len(token) < _SHORTEST_MISSPELT - 1:
        return None
    for variant in _shortened(token):
        for candidate in index.shortened.get(variant, ()):
            if token[0] == candidate[0] and _one_slip(token, candidate):
                return Imitation(index.words[candidate], "spelling", shown)
    return None


def _one_slip(token: str, word: str) -> bool:
    from rapidfuzz.distance import OSA

    return OSA.distance(token, word, score_cutoff=1) == 1


def _embedded(joined: str, shown: str) -> Imitation | None:
    index = _index()
    for number, start, end in index.automaton.find_matches_as_indexes(joined[:80]):
        before, after = joined[:start], joined[end:]
        brand = index.words[index.long[number]]
        rest = [piece for piece in (before, after) if piece]
        if any(piece.startswith(_BAIT) or piece.endswith(_BAIT) for piece in rest):
            return Imitation(brand, "bait", shown)
        if any(piece.startswith(_LURES) or piece.endswith(_LURES) for piece in rest):
            return Imitation(brand, "lure", shown)
        if end - start >= _SHORTEST_MISSPELT:
            return Imitation(brand, "addition", shown)
    return None
