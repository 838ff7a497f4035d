"""The honeypot panel's consensus: votes and origin in, whether it is a scam, how sure, and of which type, out.

Pure functions, one per rule of the contract. Votes made elsewhere go through the same ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from malafide.evidence import Evidence
from malafide.folding import fold
from malafide.opinion import Vote

Answer = Literal["scam", "not_scam", "suspicious"]
LEAST_SCAM_VOTES: Final = 2
NOT_SCAM_UP_TO: Final = 0.2
MOST_KEYWORDS: Final = 7
SAFE: Final = "safe"
# What a stranger may not ask for and still be called safe by origin: principle 8.
_DEMAND: Final = 0.4
# Asked for so often in honest chats that it does not undo a clear origin alone.
_ORDINARY: Final = frozenset(
    {"asks.click-link", "asks.personal-data", "asks.verify-you", "asks.other-channel"}
)


@dataclass(frozen=True, slots=True)
class Majority:
    """What the votes come to. `answer` is the three-way answer; `overruled` says why scam votes did not count."""

    scam: bool
    confidence: float
    scam_type: str
    answer: Answer
    reason: str
    overruled: str | None = None


def count(
    votes: Sequence[Vote], *, safe_by_origin: str | None = None, failed: Sequence[str] = ()
) -> Majority:
    """The decision over votes. `safe_by_origin` is why the origin is safe; `failed` names who broke."""
    majority = is_scam(votes)
    if majority and safe_by_origin:
        return Majority(False, not_scam_confidence(votes), SAFE, "not_scam", safe_by_origin, safe_by_origin)
    if majority:
        return Majority(True, scam_confidence(votes), common_type(votes), "scam", _tally(votes))
    answer, reason = _short_of_scam(votes, safe_by_origin, failed)
    return Majority(False, not_scam_confidence(votes), SAFE, answer, reason)


def is_scam(votes: Sequence[Vote]) -> bool:
    """More than half vote scam, and at least two do. A tie is no."""
    scam = sum(vote.scam for vote in votes)
    return scam >= LEAST_SCAM_VOTES and 2 * scam > len(votes)


def scam_confidence(votes: Sequence[Vote]) -> float:
    """The mean confidence of those who voted scam."""
    held = [vote.confidence for vote in votes if vote.scam]
    return round(math.fsum(held) / len(held), 4) if held else 0.0


def not_scam_confidence(votes: Sequence[Vote]) -> float:
    """Between 0 and 0.2: the share of confidence that lies with scam votes all the same."""
    held = math.fsum(vote.confidence for vote in votes if vote.scam)
    return round(NOT_SCAM_UP_TO * min(1.0, held / len(votes)), 4) if votes else 0.0


def common_type(votes: Sequence[Vote]) -> str:
    """The type most scam voters name; of several named as often, the one held with more confidence."""
    named = Counter(vote.scam_type for vote in votes if vote.scam)
    weight = {
        name: math.fsum(v.confidence for v in votes if v.scam and v.scam_type == name) for name in named
    }
    return min(named, key=lambda name: (-named[name], -weight[name], name)) if named else SAFE


def _tally(votes: Sequence[Vote]) -> str:
    scam = sum(vote.scam for vote in votes)
    return f"{scam} of {len(votes)} votes say scam."


def _short_of_scam(
    votes: Sequence[Vote], safe_by_origin: str | None, failed: Sequence[str]
) -> tuple[Answer, str]:
    scam = sum(vote.scam for vote in votes)
    if safe_by_origin:
        return "not_scam", safe_by_origin
    if failed:
        return "suspicious", f"{', '.join(failed)} failed, so the conversation cannot be called safe."
    if not votes:
        return "suspicious", "No voter found anything to go on, so nothing can be said for or against it."
    if scam:
        return "suspicious", f"{scam} of {len(votes)} votes say scam, which is not enough to call it one."
    if len(votes) < LEAST_SCAM_VOTES:
        return "suspicious", f"Only the {votes[0].agent} had something to go on; one vote is not a panel."
    return "not_scam", f"None of {len(votes)} votes says scam."


def safe_origin(evidence: Iterable[Evidence]) -> str | None:
    """Why the three tests of origin find it safe, or None.

    (1) The user asked first, or the platform vouches for the sender; (2) no link or handle is a look-alike; (3) nothing
    is destroyed or threatened. And, since trust is no bypass, nothing asks for money, credentials, codes or access.
    """
    found = list(evidence)
    kinds = {e.kind for e in found}
    asked = kinds & {"users.asks-about-own-business", "users.asks-for-code"}
    vouched = "claims.verified" in kinds
    if not asked and not vouched:
        return None
    if any(e.kind.startswith("asks.") and e.direction == "deceptive" and e.strength >= _DEMAND
           and e.kind not in _ORDINARY for e in found):  # fmt: skip
        return None
    if any(e.topic == "request" and e.direction == "deceptive" and e.strength > _DEMAND for e in found):
        return None
    if kinds & {"claims.look-alike", "claims.ip-link", "claims.abused-ending", "push.arrest-or-law", "push.secrecy",
                "scripts.code-by-mistake", "scripts.blackmail"}:  # fmt: skip
        return None
    if any(kind.startswith("judge.") for kind in kinds):
        return None
    who = "The user asked first and the answer fits" if asked else "The platform vouches for the sender"
    return f"{who}, no link is a look-alike, and nothing is demanded."


def fold_keywords(words: Iterable[str], most: int = MOST_KEYWORDS) -> list[str]:
    """At most seven different words; of those that are nearly the same the shortest stays, where it first stood."""
    kept: list[str] = []
    for word in words:
        near = [i for i, other in enumerate(kept) if _nearly(word, other)]
        if not near:
            kept.append(word)
            continue
        first = near[0]
        shortest = min([*(kept[i] for i in near), word], key=len)
        kept[first] = shortest
        kept = [other for i, other in enumerate(kept) if i == first or i not in near]
    return kept[:most]


def _nearly(left: str, right: str) -> bool:
    """Whether two keywords are one: the same but for case, one inside the other, or of one stem."""
    a, b = sorted((fold(left).text, fold(right).text), key=len)
    if a == b or a in b.split() or f" {a} " in f" {b} ":
        return True
    if " " in a or " " in b:
        return a in b and len(a) >= 4
    stem = 0
    while stem < len(a) and a[stem] == b[stem]:
        stem += 1
    return stem >= 4 and (stem == len(a) or (stem >= 5 and len(a) - stem <= 2))
