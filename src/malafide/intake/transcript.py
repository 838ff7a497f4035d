"""Lines of "Name: words" in, messages out; also when all of them stand in one line."""

from __future__ import annotations

from collections import Counter
from typing import Final

import re2

from malafide.intake.conversation import MAX_MESSAGES, Said
from malafide.intake.speakers import is_role

_LABEL: Final = r"[^\s:,.;!?/\\][^:\n,;!?/\\]{0,38}"
_LINE: Final = re2.compile(
    rf"(?m)^[ \t*_>-]{{0,4}}(?:\[[^\]\n]{{1,24}}\] ?)?({_LABEL}?)[*_]{{0,2}} ?:[*_]{{0,2}}(?:[ \t]+|$)"
)
_INLINE: Final = re2.compile(r"(?:^|[\s.!?\"')\]])([A-Za-z][\w .'-]{0,24}?) ?:[ \t\n]")
# Words before a colon that are no names.
_NOT_NAMES: Final = frozenset(
    """http https note ps p.s fwd re subject date to cc from amount account name bank ifsc upi link phone number address
    code id ref reference total price time email mail e-mail website click here warning important step""".split()
)


def transcript(text: str) -> list[Said]:
    """The messages, or nothing when the text is no transcript."""
    text = text.strip()
    starts = [(m.start(), m.end(), m.group(1).strip()) for m in _LINE.finditer(text)]
    starts = [one for one in starts if _is_name(one[2])]
    by_line = _cut(text, starts) if starts and starts[0][0] == 0 else []
    if len(by_line) > 1 and len({one.sender for one in by_line}) > 1:
        return by_line
    inline = _inline(text)
    return inline if len(inline) > len(by_line) else by_line


def _is_name(label: str) -> bool:
    return bool(label) and label.lower() not in _NOT_NAMES and len(label.split()) <= 4


def _inline(text: str) -> list[Said]:
    """caller: Hello? receiver: Yes. caller: ... all in one line: labels that come again, after a sentence."""
    found = [(m.start(1), m.end(), m.group(1)) for m in _INLINE.finditer(text)]
    if not found or found[0][0] != 0:
        return []
    # A label is one word here; what stands before it in the same match is the end of a sentence without a stop.
    words = [(end - len(label.split()[-1]), end, label) for _, end, label in found]
    labels = Counter(label.split()[-1].lower() for _, _, label in found if _is_name(label.split()[-1]))
    speakers = {label for label, count in labels.items() if count > 1 or is_role(label)}
    speakers.add(found[0][2].split()[-1].lower())
    starts = []
    for _, end, label in words:
        word = label.split()[-1]
        if word.lower() in speakers:
            at = text.rindex(word, 0, end)
            starts.append((at, end, word))
    return _cut(text, starts) if len(speakers) > 1 else []


def _cut(text: str, starts: list[tuple[int, int, str]]) -> list[Said]:
    ends = [at for at, _, _ in starts[1:]] + [len(text)]
    pieces = zip(starts, ends, strict=True)
    return [Said(name, text[start:end].strip()) for (_, start, name), end in pieces][:MAX_MESSAGES]
