"""A post's verdict in, what its reports show out: the evidence of all signals under numbers, and the score in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from malafide.render.view import Numbered
from malafide.render.visible import one_line
from malafide.render.words import harmless

if TYPE_CHECKING:
    from malafide.benches.post import PostVerdict

_MOST: Final = 40
SIGNAL_WIDTH: Final = 80


def numbered_evidence(verdict: PostVerdict) -> list[Numbered]:
    """What decided the signals, strongest first; the same words found for the same reason stand once."""
    found = {
        (e.kind, e.part, e.start): e
        for signal in verdict.signals
        if signal.name
        != "extracted_claim"  # shown among the signals; it speaks for nothing and against nothing
        for e in signal.evidence
    }
    ranked = sorted(found.values(), key=lambda e: (-e.strength, e.part, e.start, e.kind))
    return [Numbered(i, e, True) for i, e in enumerate(ranked[:_MOST], start=1)]


def headline(verdict: PostVerdict) -> str:
    """The answer in one sentence. A score in the middle is said to be open."""
    score = verdict.decision.score
    if verdict.answer == "satire":
        return "This is satire: made up to be laughed at, neither true nor false."
    lean = "little" if score < 0.4 else "much" if score >= 0.6 else "neither much nor little"
    checked = {
        "supported": " A fact-check supports its claim.",
        "contradicted": " A fact-check contradicts its claim.",
    }.get(verdict.answer, " Its claim is unverified, which does not make it false.")
    return f"There is {lean} that speaks for this post.{checked}"


def tone(verdict: PostVerdict) -> str:
    """The colour class of the report: that of bad, good or open answers."""
    score = verdict.decision.score
    if verdict.answer == "satire" or 0.4 <= score < 0.6:
        return "uncertain"
    return "spam" if score < 0.4 else "ham"


def post_line(verdict: PostVerdict) -> str:
    """The whole answer on one line, in columns that stand under each other over a batch."""
    decision = verdict.decision
    head = f"{decision.score:.4f}  {decision.agreement:.4f} {verdict.band:<6}  {verdict.answer:<12}"
    name, text = harmless(verdict.post.post_id), harmless(verdict.post.case.reading)
    return f"{head}  {one_line(name, 40):<16}  {one_line(text, 80)}"


def failed_line(name: str, reason: str) -> str:
    return f"{'-':<6}  {'-':<13}  {'ERROR':<12}  {one_line(harmless(name), 40):<16}  {one_line(harmless(reason), 200)}"
