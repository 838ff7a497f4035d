"""How each phrase of the rule files is looked up, worked out ahead so that a start is quick.

`lookup.json` is made by `python -m malafide.rules.lookup`, and a test fails when it is out of date. A
phrase that is not in it is worked out at the start: a new rule works at once, only slower.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from malafide.rules.phrase import commonness, compile_phrase

_FILE = "lookup.json"


class Lookup(NamedTuple):
    """What must stand in a text before a phrase is worth trying.

    One of the `anchors` (as it shows in text of words and spaces alone; none means: always try), and near it one word
    of each of the `others`. A match ends at most `reach` characters from its anchor; where the anchor `opens` it, it
    begins there.
    """

    anchors: list[str]
    others: list[list[str]]
    reach: int
    opens: bool


# The reach of phrases to whose length there is no end. The longest match in 5,000 mails was 123 long; with ten times
# the reach no more was found, in twice the time.
MOST_REACH: Final = 220


def lookup_of(phrase: str) -> Lookup:
    known = _ahead().get(phrase)
    return _worked_out(phrase) if known is None else Lookup(*known)


def _worked_out(phrase: str) -> Lookup:
    compiled = compile_phrase(phrase)
    chosen, needs = compiled.anchors, compiled.needs[1:]
    # To see whether a phrase begins at a place takes a third of the time that looking for it around there takes.
    opens = bool(chosen and compiled.starts) and commonness(compiled.starts) <= commonness(chosen)
    if opens:
        chosen, needs = (
            compiled.starts,
            tuple(n for n in compiled.needs if not set(n) <= set(compiled.starts)),
        )
    anchors = sorted({pattern for entry in chosen for pattern in _patterns(entry)})
    others = [sorted(set(map(_longest, need))) for need in needs if _checkable(need)]
    return Lookup(anchors, others, min(compiled.longest or MOST_REACH, MOST_REACH), opens)


@cache
def _ahead() -> dict[str, tuple[list[str], list[list[str]], int, bool]]:
    file = resources.files("malafide.rules") / _FILE
    if not file.is_file():
        return {}
    found: dict[str, tuple[list[str], list[list[str]], int, bool]] = json.loads(
        file.read_text(encoding="utf-8")
    )
    return found


def _patterns(entry: str) -> Iterator[str]:
    """How an entry of `Phrase.needs` shows in separated text: of words in a row, the two longest together."""
    words = entry.split()
    first, last = max(pairwise(words), key=_length) if len(words) > 1 else ("", words[0])
    end = "" if last.endswith("*") else " "
    for width in range(1, 4) if first else (0,):
        yield " " + first + " " * width + last.removesuffix("*") + end


def _length(pair: tuple[str, str]) -> int:
    return len(pair[0]) + len(pair[1])


def _checkable(need: tuple[str, ...]) -> bool:
    """Whether a set of whole words tells if one of these is there."""
    return not any(entry.endswith("*") for entry in need)


def _longest(entry: str) -> str:
    return max(entry.split(), key=len)


def document() -> str:
    """The text of `lookup.json` as it should be now."""
    from malafide.rules.rulebook import rulebook

    rows = (row for rule in rulebook().rules for row in (*rule.phrases.values(), rule.unless))
    phrases = sorted({phrase for row in rows for phrase in row})
    lines = (
        f"{json.dumps(p, ensure_ascii=False)}: {json.dumps(_worked_out(p), ensure_ascii=False)}"
        for p in phrases
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    Path(__file__).with_name(_FILE).write_text(document(), encoding="utf-8")
