"""Cases that wait for a person in, lines out. All that comes from the message is made harmless."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from malafide.learning.inquiry import Question
from malafide.learning.labels import Label
from malafide.render.visible import one_line
from malafide.render.words import harmless


def question_line(question: Question) -> str:
    """One case on one line, its columns apart by two spaces."""
    case = question.case
    columns = (
        case.case_id,
        f"{case.score:.2f}",
        f"{case.agreement:.2f}",
        f"{question.likes:>3}",
        f"{_text(case.subject, 50):<30}",
        _text(case.excerpt, 80),
    )
    return "  ".join(columns)


def question_lines(question: Question) -> Iterator[str]:
    """One case as a person is asked about it."""
    case = question.case
    likes = {0: "no other waiting mail is like it", 1: "1 other waiting mail is like it"}.get(
        question.likes, f"{question.likes} other waiting mails are like it"
    )
    yield f"case {case.case_id}, spam score {case.score:.2f}, agreement {case.agreement:.2f}; {likes}"
    yield f"  {_text(case.summary, 300)}"
    yield f"  Subject: {_text(case.subject, 100)}"
    yield f"  {_text(case.excerpt, 200)}"


def question_entry(question: Question) -> dict[str, Any]:
    case = question.case
    return {
        "case_id": case.case_id,
        "doubt": question.doubt,
        "likes": question.likes,
        "score": case.score,
        "confidence": case.confidence,
        "agreement": case.agreement,
        "summary": case.summary,
        "when": case.when,
        "subject": case.subject,
        "text": case.text,
    }


def held_line(label: Label) -> str:
    """A held label on one line: who, when, what, about which mail."""
    said = f"{_text(label.source, 30):<16}  {label.when}  {label.side:<4}  {label.case_id}"
    return f"{said}  {_text(label.text, 80)}"


def held_entry(label: Label) -> dict[str, Any]:
    return {
        "case_id": label.case_id,
        "label": label.side,
        "source": label.source,
        "when": label.when,
        "text": label.text,
    }


def _text(words: str, most: int) -> str:
    return one_line(harmless(words[: most * 4]), most)
