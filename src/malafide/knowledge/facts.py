"""Fact-checks as precedents: an entry in, a precedent of the panel "fact" out; and a claim held against those found.

An entry is a JSON object: {"claim": "...", "rating": "false", "source": "Example Checks", "url": "...", "date": "..."}.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from malafide.folding import fold
from malafide.knowledge.precedent_record import Neighbour, Precedent, Provenance

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents

PANEL: Final = "fact"
Label = Literal["supported", "contradicted", "disputed", "satire"]
Answer = Literal["supported", "contradicted", "unverified", "satire"]

_RATINGS: Final[Mapping[Label, str]] = {
    "supported": "true mostly-true correct accurate supported confirmed real verified legit yes",
    "contradicted": "false mostly-false fake incorrect inaccurate contradicted hoax untrue pants-fire barely-true no "
    "fabricated debunked wrong scam refuted altered miscaptioned",
    "disputed": "half-true mixture mixed unproven misleading disputed unverified partly-true partly-false outdated "
    "missing-context lacks-context research-in-progress",
    "satire": "satire parody labeled-satire originated-as-satire",
}
_LABEL_OF: Final[Mapping[str, Label]] = {
    word: label for label, words in _RATINGS.items() for word in words.split()
}

# A claim is the one of the fact-check when their vectors are this near and this share of their words is common.
# On claims made up for the tests, paraphrases lie above both and other claims on the same topic below one.
_LEAST_LIKENESS: Final = 0.35
_LEAST_SHARED: Final = 0.7  # of the fact-check's words
_LEAST_COVERED: Final = 0.4  # of the claim's words: a post may say more than the fact-check
_ASKED: Final = 8
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_STEM: Final = 6  # letters of a word that are compared: cures, cured
_LITTLE: Final = frozenset(
    "the and that this with from for are was were has have had been will would can could does did not its his her "
    "their they them than then into onto over under about after before says said say der die das und ist dass von mit "
    "den dem ein eine les des est que une pour dans los las por una con del para che per della sono het een van".split()
)
_AGAINST: Final = frozenset(
    "not no never none false fake hoax myth untrue debunked isn't aren't doesn't don't didn't won't can't cannot "
    "wasn't weren't nicht kein keine keinen falsch pas aucun faux nao falso non niet geen nunca jamais mai".split()
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What fact-checks say about a claim. `cited` are those that speak of it, nearest first."""

    answer: Answer
    sentence: str
    cited: tuple[Neighbour, ...]


def is_fact(fields: Mapping[str, Any]) -> bool:
    return "claim" in fields and ("rating" in fields or "verdict" in fields)


def fact(fields: Mapping[str, Any]) -> Precedent:
    """The precedent of a fact-check entry. Raises ValueError with what is wrong with it."""
    claim, rating = fields["claim"], fields.get("rating", fields.get("verdict"))
    if not isinstance(claim, str) or not claim.strip():
        raise ValueError("claim must be text")
    word = "-".join(fold(str(rating)).text.replace("_", " ").replace("-", " ").split())
    if word not in _LABEL_OF:
        raise ValueError(f"rating is {rating!r}; known are {', '.join(_LABEL_OF)}")
    named = [str(fields[key]).strip() for key in ("source", "url") if fields.get(key)]
    if not named:
        raise ValueError("a fact-check needs a source or a url, so that it can be cited")
    source = " ".join(named)
    digest = hashlib.sha256(f"{claim}\n{source}".encode("utf-8", "replace")).hexdigest()[:16]
    when = str(fields.get("date") or "")
    return Precedent(digest, _LABEL_OF[word], claim, Provenance("dataset", source, when), PANEL)


def check(store: Precedents, claim: str) -> Finding:
    """The claim against all fact-checks that are stored."""
    alike = [one for one in store.search(claim, _ASKED, panel=PANEL) if _same_claim(claim, one)]
    if not alike:
        return Finding(
            "unverified", "No stored fact-check is about this claim; that does not make it false.", ()
        )
    turned = [one for one in alike if _denied(claim) != _denied(one.excerpt)]
    speaking = [one for one in alike if one not in turned]
    if not speaking:
        sentence = "A stored fact-check is about the opposite of this claim, so it decides nothing."
        return Finding("unverified", f"{sentence} {_cite(turned[0])}", tuple(turned))
    labels = {one.label for one in speaking}
    if len(labels) > 1:
        return Finding("unverified", f"Stored fact-checks disagree. {_cite(speaking[0])}", tuple(speaking))
    label = speaking[0].label
    cited = tuple(speaking)
    if label == "supported":
        return Finding("supported", f"A stored fact-check supports it. {_cite(cited[0])}", cited)
    if label == "contradicted":
        return Finding("contradicted", f"A stored fact-check contradicts it. {_cite(cited[0])}", cited)
    if label == "satire":
        return Finding("satire", f"It is known as satire. {_cite(cited[0])}", cited)
    return Finding("unverified", f"A stored fact-check leaves it open. {_cite(cited[0])}", cited)


def _cite(one: Neighbour) -> str:
    when = f", {one.provenance.when}" if one.provenance.when else ""
    return f'"{one.excerpt}": {one.label} ({one.provenance.source}{when})'


def _same_claim(claim: str, one: Neighbour) -> bool:
    mine, theirs = _content(claim), _content(one.excerpt)
    if not mine or not theirs or one.likeness < _LEAST_LIKENESS:
        return False
    numbers = {w for w in mine if w.isdigit()}, {w for w in theirs if w.isdigit()}
    if all(numbers) and numbers[0] != numbers[1]:
        return False  # 12 deaths and 1,200 deaths are different claims
    shared = len(mine & theirs)
    return shared >= 2 and shared >= _LEAST_SHARED * len(theirs) and shared >= _LEAST_COVERED * len(mine)


def _tokens(text: str) -> Sequence[str]:
    return _WORD.findall(fold(text).text)


def _content(text: str) -> set[str]:
    """The words that carry a claim, by their first letters."""
    return {
        word if word.isdigit() else word.rstrip("s")[:_STEM]
        for word in _tokens(text)
        if (len(word) > 2 or any(map(str.isdigit, word))) and word not in _LITTLE and word not in _AGAINST
    }


def _denied(text: str) -> bool:
    """Whether a claim is turned round by an odd number of negations."""
    return sum(word in _AGAINST for word in _tokens(text)) % 2 == 1
