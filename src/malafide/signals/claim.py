"""Text in, the sentence most worth checking out, word for word; and a name for what the text looks like."""

from __future__ import annotations

import hashlib
import re
from typing import Final

import re2

from malafide.case import Case, Part, Span
from malafide.evidence import observe
from malafide.folding import fold
from malafide.intake.weblinks import find_urls
from malafide.signals.signal import Signal, unknown

_BY: Final = "claim finder"
# Where a sentence ends: a line, or a mark followed by space and not inside a number or initials. One class a step.
_END: Final = re.compile(r"[.!?…。！？]+[\"'”’)]*(?=\s)|\n+")
_MOST_SENTENCES: Final = 60
_LEAST_WORDS: Final = 3
_INITIAL: Final = re.compile(r"(?:^|\s)(?:[^\W\d_]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|ca|bzw|Nr|Sr|Jr)\.$")

# What makes a sentence a checkable statement: figures, causes, comparisons, records, reported acts. English and the
# marks that all languages share; in other languages figures and names decide alone.
_FIGURE: Final = re2.compile(r"\d|%|\b(percent|million|billion|thousand|half|double|twice|hundreds)\b")
_ASSERTS: Final = re2.compile(
    r"\b(is|are|was|were|has|have|had|will|causes?|caused|cures?|kills?|killed|died|dies|shows?|showed|found|proves?|"
    r"proved|confirmed|announced|approved|banned|signed|voted|won|lost|increased|decreased|rose|fell|reported|"
    r"discovered|contains?|prevents?|first|largest|highest|lowest|never|every|all|only|more than|less than|"
    r"ist|sind|hat|haben|war|wurde|wurden|est|sont|a ete|ont|es|son|fue|han|foi|sao|e stato|sono|zijn|heeft|werd)\b"
)
_OPINION: Final = re2.compile(
    r"\b(i think|i believe|i feel|imo|in my opinion|i hope|i wish|maybe|perhaps|should|would|could|please|thanks|"
    r"thank you|lol|omg|ich glaube|ich finde|je pense|creo que|acho que|penso che|ik denk)\b"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, without the white space around them."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and _INITIAL.search(text[max(0, match.end() - 8) : match.end()]):
            continue
        _add(spans, text, start, match.end())
        start = match.end()
        if len(spans) >= _MOST_SENTENCES:
            return spans
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end:
        spans.append((start, end))


def worth(sentence: str) -> float:
    """How much a sentence is a statement that could be checked; 0 or less is none."""
    plain = fold(sentence).text
    words = plain.split()
    if len(words) < _LEAST_WORDS:
        return 0.0
    names = sum(1 for w in sentence.split()[1:] if w[:1].isupper() and w[1:2].islower())
    value = 1.0 * bool(_ASSERTS.search(plain)) + 1.0 * bool(_FIGURE.search(plain)) + min(1.0, names * 0.4)
    value -= 1.5 * plain.endswith("?") + 0.8 * bool(_OPINION.search(plain))
    return value + min(0.3, len(words) / 60)


def extracted_claim(case: Case) -> Signal:
    """The sentence most worth checking; the first of equals."""
    for part in case.of_role("body"):
        best = _best(part)
        if best is not None:
            evidence = observe(
                case, best, "claim.checkable", "claim", "slight", "This sentence states something that can be checked.",
                tool="claim",
            )  # fmt: skip
            why = "It is the sentence that states most that can be checked."
            return Signal(
                "nlp_signals", "extracted_claim", case.quote(best), "measured", _BY, why, (evidence,)
            )
    return unknown("nlp_signals", "extracted_claim", _BY, "No sentence states something that can be checked.")


def _best(part: Part) -> Span | None:
    addresses = list(find_urls(part.text))
    best: tuple[float, Span] | None = None
    for start, end in sentences(part.text):
        for first, last in addresses:  # a link at the end is no part of the claim
            if start < first < end <= last + 2:
                end = first
        end = start + len(part.text[start:end].rstrip())
        value = worth(part.text[start:end])
        if value > 0.5 and (best is None or value > best[0] + 1e-9):
            best = value, Span(part.name, start, end)
    return best[1] if best else None


def embedding_id(case: Case) -> Signal:
    """A name for the text's vector: the same for the same words, whatever their dress."""
    from malafide.knowledge.embedding import NAME, embed, words

    found = words(case.reading)
    if not found:
        return unknown("nlp_signals", "text_embedding_id", NAME, "There is no text.")
    # The signs alone: the last digits of a float may differ between machines.
    digest = hashlib.sha256((embed(found) > 0).tobytes()).hexdigest()[:16]
    why = "It names the vector the precedents are searched with."
    return Signal("nlp_signals", "text_embedding_id", f"{NAME}:{digest}", "measured", "embedding", why)
