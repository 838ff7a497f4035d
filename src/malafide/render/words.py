"""What all renderers share: the shape of an answer, how numbers are written, the answer on one line."""

from __future__ import annotations

from typing import Final

from malafide.exchange import usage_of
from malafide.render.defang import defang
from malafide.render.visible import one_line, visible
from malafide.verdict import Classification, Verdict

# An answer is told by word and shape; colour only repeats it.
SHAPES: Final[dict[Classification, str]] = {"SPAM": "✖", "HAM": "✔", "UNCERTAIN": "▲"}
_STRENGTHS: Final = ((1.0, "decisive"), (0.7, "strong"), (0.4, "moderate"), (0.2, "weak"), (0.0, "slight"))


def harmless(text: str) -> str:
    """Text that may hold words of the message, fit for a screen: nothing in it acts and no link works."""
    return visible(defang(text))


def percent(share: float) -> str:
    """A probability in whole percent; never a certainty that rounding made up."""
    if 0.995 <= share < 1.0:
        return "99 %"
    return f"{share * 100:.0f} %"


def caveats(verdict: Verdict) -> list[str]:
    """What to know beside the summary: why it is uncertain, unless said there, and what was not read."""
    reason = verdict.uncertainty_reason
    return [*([reason] if reason and reason not in verdict.summary else []), *verdict.case.limitations]


def model_lines(verdict: Verdict) -> list[str]:
    """Whether language models were asked, what that cost and what came of it; nothing where there is none.

    Fit for a screen as they are: a note may hold words of the message, but the model's address is the user's own.
    """
    if verdict.exchanges is None:
        return []
    if not verdict.exchanges:
        return [harmless(n) for n in verdict.model_notes] or [
            "not asked: the answer is clear enough without it"
        ]
    usage = usage_of(verdict.exchanges)
    names = ", ".join(sorted({e.reply.model for e in verdict.exchanges}))
    calls = "1 call" if usage.calls == 1 else f"{usage.calls} calls"
    tokens = f"{usage.input_tokens:,} tokens in ({usage.cached_tokens:,} of them cached), {usage.output_tokens:,} out"
    remembered = f"; {usage.remembered} answers were known from before" if usage.remembered else ""
    cost = f"{visible(names)}: {calls}, {tokens}, for {usage.paid}{remembered}"
    return [cost, *(harmless(note) for note in verdict.model_notes)]


def strength_word(strength: float) -> str:
    return next(word for least, word in _STRENGTHS if strength >= least)


def answer_line(verdict: Verdict, name: str) -> str:
    """The whole answer on one line, in columns that stand under each other over a batch."""
    shape = SHAPES[verdict.classification]
    head = f"{shape} {verdict.classification:<9}  {verdict.score:.2f}  {percent(verdict.confidence):>5}"
    return f"{head}  {one_line(name, 200):<24}  {one_line(defang(verdict.summary), 300)}"


def failure_line(name: str, reason: str) -> str:
    """The line of a mail that could not be judged, in the same columns."""
    return f"! {'ERROR':<9}  {'-':>4}  {'-':>5}  {one_line(name, 200):<24}  {one_line(defang(reason), 300)}"
