"""Token probabilities in, a spam probability out: how likely the model's own answer was SPAM against HAM.

A number that a model writes is one of a handful it likes; this is a real scale. Neither makes a small model wise:
benchmarks/models.py measures both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def spam_probability(tokens: object, field: str) -> float | None:
    """From the `logprobs.content` of an OpenAI-compatible response; None where it does not say."""
    if not isinstance(tokens, list):
        return None
    at = _answer_token(tokens, field)
    if at is None:
        return None
    shares = {"SPAM": 0.0, "HAM": 0.0}
    least = 1.0
    alternatives = tokens[at].get("top_logprobs")
    for entry in alternatives if isinstance(alternatives, list) else ():
        logprob = entry.get("logprob") if isinstance(entry, dict) else None
        if not isinstance(logprob, int | float) or not math.isfinite(logprob):
            continue
        share = math.exp(min(logprob, 0.0))
        least = min(least, share)
        if (answer := _answer(entry.get("token"))) in shares:
            shares[answer] += share
    if not any(shares.values()):
        return None
    # An answer that is not listed is at most as likely as the last that is, and no more likely than what is left over.
    bound = min(least, max(0.0, 1.0 - sum(shares.values())))
    spam, ham = shares["SPAM"] or bound, shares["HAM"] or bound
    return round(spam / (spam + ham), 6)


def _answer(token: object) -> str | None:
    """The answer that a token begins, as in ` "SP`, or None."""
    if not isinstance(token, str) or not (letters := token.strip(' "\n:').upper()):
        return None
    return next((a for a in ("SPAM", "HAM", "UNCERTAIN") if a.startswith(letters)), None)


def _answer_token(tokens: Sequence[Any], field: str) -> int | None:
    """The number of the token with which the value of the field begins."""
    text = ""
    key = f'"{field}"'
    value_from: int | None = None
    for number, token in enumerate(tokens):
        piece = token.get("token") if isinstance(token, dict) else None
        if not isinstance(piece, str):
            return None
        start = len(text)
        text += piece
        if value_from is None and key in text:
            value_from = text.index(key) + len(key)
        if value_from is not None:
            # Past the key: the first token with a letter of the value in it.
            own = piece[max(0, value_from - start) :]
            if any(c.isalpha() for c in own):
                return number
    return None
