"""What every tool does with a finding: turn it into evidence, if there are words to show it by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from malafide.case import Case, Span
from malafide.evidence import Direction, Evidence, Strength, Topic, observe

_MOST_QUOTED: Final = 160


class Note(Protocol):
    def __call__(
        self, case: Case, at: Span | None, name: str, strength: Strength, sentence: str
    ) -> Iterator[Evidence]: ...


def noting(tool: str, topic: Topic, direction: Direction = "deceptive") -> Note:
    """A function that makes evidence of one tool and topic: none where nothing can be quoted, and short."""

    def note(case: Case, at: Span | None, name: str, strength: Strength, sentence: str) -> Iterator[Evidence]:
        if at is None:
            return
        at = Span(at.part, at.start, min(at.end, at.start + _MOST_QUOTED))
        if case.quote(at).strip():
            yield observe(
                case, at, f"{tool}.{name}", topic, strength, sentence, direction=direction, tool=tool
            )

    return note
