"""What the tools did not find: a mail that was read in full, in a language the rules speak, and wants nothing.

Absence is a weak witness, but it is one: of 2,464 wanted mails of 2002 one in five has no sign of anything at all.
It says nothing where little could be seen: no headers, hardly any text, an unknown language, parts not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

from malafide.case import Case, Span
from malafide.evidence import Evidence, observe
from malafide.knowledge.languages import identify
from malafide.rules.rulebook import Language

# Shorter texts do not say enough to be cleared by silence.
_FEWEST_CHARACTERS: Final = 60
_QUOTE: Final = 80


class NothingWrong:
    """The witness that speaks when no tool found anything against a mail it could fully read."""

    name = "absence"

    def __call__(self, case: Case, evidence: Sequence[Evidence]) -> list[Evidence]:
        if any(e.direction == "deceptive" for e in evidence) or case.limitations:
            return []
        if case.mail is None or case.mail.sender is None:
            return []
        text = case.part("body").text if case.has("body") else ""
        start = len(text) - len(text.lstrip())
        if len(text.strip()) < _FEWEST_CHARACTERS or identify(text)[0] not in get_args(Language):
            return []
        line_end = text.find("\n", start)
        end = min(start + _QUOTE, len(text) if line_end < 0 else line_end)
        sentence = "Nothing in the whole mail presses, promises, hides, pretends or asks for anything."
        span = Span("body", start, end)
        kind = "absence.nothing-wrong"
        return [
            observe(case, span, kind, "conversation", "slight", sentence, direction="genuine", tool=self.name)
        ]
