"""Words of a text in, out the few phrases that can match it and the places where they can.

Every phrase names the words it cannot do without. The rarest of them, the anchor, is looked for in the text with
all anchors at once; where one stands, the words around it tell whether the rest of the phrase can be there too.
docs/decisions/hot-path.md has the figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Final

import ahocorasick_rs

from malafide.folding import single_bytes
from malafide.rules.lookup import MOST_REACH, Lookup

# What a text has is collected by stretches of this length; what stands around an anchor is in its own stretch and the
# two beside it. No word that phrases name is longer than what a stretch takes from the next.
_STRETCH: Final = MOST_REACH
_LONGEST_WORD: Final = 30
# Everything RE2 does not take for part of a word becomes a space.
_SEPARATE: Final = bytes(c if chr(c).isalnum() or c == 95 else 32 for c in range(128)) + b" " * 128

Place = tuple[int, int]


class Vocabulary:
    """Which phrases a text can match, by the words they need.

    Each set of words of which phrases need one is a bit. A word stands for the bits of all the sets it is in, so that
    what a stretch of text has, and whether that is all a phrase needs, are each one operation on large numbers.
    """

    def __init__(self, phrases: Iterable[Lookup]) -> None:
        self._lookups = list(phrases)
        self._opens = [lookup.opens for lookup in self._lookups]
        self._reach = [lookup.reach for lookup in self._lookups]
        self._always = [number for number, lookup in enumerate(self._lookups) if not lookup.anchors]
        by_pattern: defaultdict[bytes, list[int]] = defaultdict(list)
        for number, lookup in enumerate(self._lookups):
            for pattern in lookup.anchors:
                by_pattern[pattern.encode()].append(number)
        self._automaton = ahocorasick_rs.BytesAhoCorasick(list(by_pattern))
        self._numbers = list(by_pattern.values())
        self._word_bits, self._needed = _bits(self._lookups)
        self._all_bits = reduce(or_, self._needed, 0)
        self._signs = [(word[1:], bits) for word, bits in self._word_bits.items() if word[:1] == b"="]

    def possible(self, plain: bytes) -> list[tuple[int, list[int]]]:
        """The numbers of the phrases that may match, in order, and where their anchors stand (nowhere: anywhere).

        The text is in its folded spelling, with one byte for each character.
        """
        separated = b" " + plain.translate(_SEPARATE) + b" "
        everywhere = reduce(or_, (bits for sign, bits in self._signs if sign in plain), 0)
        missing = self._missing(separated, everywhere)
        needed, numbers, opens = self._needed, self._numbers, self._opens
        anchors: defaultdict[int, list[int]] = defaultdict(list)
        for pattern, at, _ in self._automaton.find_matches_as_indexes(separated, overlapping=True):
            around, ahead = missing[at // _STRETCH]
            for number in numbers[pattern]:
                lacks = needed[number] & (ahead if opens[number] else around)
                if not lacks and self._is_near(number, separated, at, everywhere):
                    anchors[number].append(at)
        anchors.update((number, []) for number in self._always)
        return sorted(anchors.items())

    def _missing(self, separated: bytes, everywhere: int) -> list[tuple[int, int]]:
        """For each stretch, the bits of what is neither in it nor beside it, and of what is not in it nor behind it."""
        known = self._word_bits.get
        stretches = (
            separated[at : at + _STRETCH + _LONGEST_WORD] for at in range(0, len(separated), _STRETCH)
        )
        has = [reduce(or_, filter(None, map(known, words.split())), everywhere) for words in stretches]
        ahead = [here | after for here, after in zip(has, (*has[1:], 0), strict=True)]
        whole = self._all_bits
        return [
            (whole ^ (before | here), whole ^ here) for before, here in zip((0, *has), ahead, strict=False)
        ]

    def _is_near(self, number: int, separated: bytes, at: int, everywhere: int) -> bool:
        """Whether what a phrase of limited length needs is as near to its anchor as it reaches."""
        reach, needed = self._reach[number], self._needed[number]
        if not needed or reach == MOST_REACH:
            return True
        start = at if self._opens[number] else max(0, at - reach)
        words = separated[start : at + reach + 2].split()
        return not needed & ~reduce(or_, filter(None, map(self._word_bits.get, words)), everywhere)

    def opens(self, number: int) -> bool:
        """Whether a match of the phrase begins at the start of its place."""
        return self._opens[number]

    def places(self, number: int, anchors: list[int], length: int) -> list[Place]:
        """The surroundings of the anchors of a phrase, as far as it reaches; those that touch made one."""
        if not anchors:
            return [(0, length)]
        anchors.sort()  # they come in the order of their ends
        reach = self._reach[number] + 1
        if self._opens[number]:
            return [(at, min(at + reach, length)) for at in anchors]
        start, end = max(0, anchors[0] - reach), anchors[0] + reach
        found = []
        for at in anchors[1:]:
            if at - reach > end:
                found.append((start, end))
                start = at - reach
            end = at + reach
        found.append((start, min(end, length)))
        return found


def _bits(lookups: list[Lookup]) -> tuple[dict[bytes, int], list[int]]:
    """The bits of every word, and those that each phrase needs.

    Phrases with a short anchor, which are asked about most, have the lowest bits: small numbers are quicker.
    """
    known: dict[tuple[str, ...], int] = {}
    words: defaultdict[str, int] = defaultdict(int)
    needed = [0] * len(lookups)
    for number in sorted(range(len(lookups)), key=lambda n: min(map(len, lookups[n].anchors), default=0)):
        for need in map(tuple, lookups[number].others):
            bit = known.get(need)
            if bit is None:
                bit = known[need] = 1 << len(known)
                for word in need:
                    words[word] |= bit
            needed[number] |= bit
    return {single_bytes(word): bits for word, bits in words.items()}, needed
