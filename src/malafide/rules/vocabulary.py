"""Words of a text in, out the few phrases that can match it and the places where they can.

Every phrase names the words it cannot do without. The rarest of them, the anchor, is looked for in the text with
all anchors at once; where one stands, the words around it tell whether the rest of the phrase can be there too.
Of 3,000 phrases 60 are left to be tried on a newsletter of 7 kB, 13 on a mail of 1 kB, each in one or two places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

import ahocorasick_rs

from malafide.rules.lookup import Lookup

# No phrase reaches further than this from its anchor, in bytes. The longest match in 5,000 mails was 123 long;
# with ten times the reach no more was found, in twice the time.
_REACH: Final = 220
# The words around anchors are collected for stretches of this length; shorter ones overlap more.
_STEP: Final = 512
# Everything RE2 does not take for part of a word becomes a space.
_SEPARATE: Final = bytes(c if chr(c).isalnum() or c == 95 else 32 for c in range(128)) + b" " * 128

Place = tuple[int, int]


class Vocabulary:
    """Which phrases a text can match, by the words they need."""

    def __init__(self, phrases: Iterable[Lookup]) -> None:
        self._always: list[int] = []
        self._lookups: list[Lookup] = []
        self._others: dict[int, list[frozenset[bytes]]] = {}  # made when first asked for
        by_pattern: defaultdict[bytes, list[int]] = defaultdict(list)
        for number, lookup in enumerate(phrases):
            self._lookups.append(lookup)
            for pattern in lookup.anchors:
                by_pattern[pattern.encode()].append(number)
            if not lookup.anchors:
                self._always.append(number)
        signs = {word for row in self._lookups for need in row.others for word in need if word[0] == "="}
        self._signs = [sign.encode() for sign in sorted(signs)]
        self._by_pattern = list(by_pattern.values())
        self._automaton = ahocorasick_rs.BytesAhoCorasick(list(by_pattern))

    def possible(self, plain: bytes) -> list[tuple[int, list[Place]]]:
        """The numbers of the phrases that may match the folded text, in order, and where."""
        separated = b" " + plain.translate(_SEPARATE) + b" "
        signs = {sign for sign in self._signs if sign[1:] in plain}
        around: dict[int, set[bytes]] = {}
        anchors: defaultdict[int, list[int]] = defaultdict(list)
        for pattern, at, _ in self._automaton.find_matches_as_indexes(separated, overlapping=True):
            words = around.get(at // _STEP)
            if words is None:
                start = at - at % _STEP
                words = signs.union(separated[max(0, start - _REACH) : start + _STEP + _REACH].split())
                around[at // _STEP] = words
            for number in self._by_pattern[pattern]:
                others = self._others.get(number)
                if others is None:
                    others = [frozenset(map(str.encode, need)) for need in self._lookups[number].others]
                    self._others[number] = others
                if not any(map(words.isdisjoint, others)):
                    anchors[number].append(at)
        found = [(number, list(_places(at, len(plain)))) for number, at in anchors.items()]
        found.extend((number, [(0, len(plain))]) for number in self._always)
        return sorted(found)


def _places(anchors: list[int], length: int) -> Iterator[Place]:
    """The surroundings of the anchors, those that touch made one."""
    start, end = max(0, anchors[0] - _REACH), anchors[0] + _REACH
    for at in anchors[1:]:
        if at - _REACH > end:
            yield start, min(end, length)
            start = at - _REACH
        end = at + _REACH
    yield start, min(end, length)
