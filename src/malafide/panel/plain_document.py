"""What the tools did not find in a document: read in full, in a language the rules speak, it wants nothing.

The same weak witness as for mail, with two more conditions: the document does nothing by itself, and it leads nowhere,
or only to places that nothing was found against.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

from malafide.case import Case, Span
from malafide.evidence import Evidence, observe
from malafide.knowledge.languages import identify
from malafide.rules.rulebook import Language

_FEWEST_CHARACTERS: Final = 120
_QUOTE: Final = 80


class PlainDocument:
    """The witness that speaks when no tool found anything against a document it could fully read."""

    name = "absence"

    def __call__(self, case: Case, evidence: Sequence[Evidence]) -> list[Evidence]:
        document = case.document
        if document is None or any(e.direction == "deceptive" for e in evidence) or case.limitations:
            return []
        if any(act.does != "load-picture" for act in document.acts):
            return []
        if document.read < document.pages or document.pictured:
            return []
        part = next((p for p in case.of_role("body") if p.text.strip()), None)
        text = case.reading
        if (
            part is None
            or len(text.strip()) < _FEWEST_CHARACTERS
            or identify(text)[0] not in get_args(Language)
        ):
            return []
        start = len(part.text) - len(part.text.lstrip())
        line_end = part.text.find("\n", start)
        end = min(start + _QUOTE, len(part.text) if line_end < 0 else line_end)
        sentence = "Nothing in the whole document presses, promises, hides, pretends or asks for anything."
        return [
            observe(
                case, Span(part.name, start, end), "absence.nothing-wrong", "conversation", "weak", sentence,
                direction="genuine", tool=self.name,
            )
        ]  # fmt: skip
