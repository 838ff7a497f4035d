"""Silence speaks for a mail only where enough could be seen."""

from __future__ import annotations

import pytest

from malafide.benches.spam import as_case
from malafide.case import Case
from malafide.evidence import observe
from malafide.panel.absence import NothingWrong

TEXT = "The minutes of the meeting are in the usual place, and we meet again on the first of the month as always."
MAIL = f"From: Ada <ada@example.com>\nTo: Bo <bo@example.com>\nSubject: minutes\n\n{TEXT}\n"


def told(case: Case) -> list[str]:
    return [e.kind for e in NothingWrong()(case, ())]


def test_a_plain_mail_is_vouched_for_by_silence() -> None:
    case = as_case(MAIL)
    (found,) = NothingWrong()(case, ())
    assert found.holds_in(case) and found.direction == "genuine" and found.strength == 0.1


@pytest.mark.parametrize(
    "message",
    [
        TEXT,  # no sender
        MAIL.replace(TEXT, "See you."),  # hardly any text
        MAIL.replace(
            TEXT, "Протокол лежит на обычном месте, встречаемся первого числа, как всегда в то же время."
        ),
    ],
)
def test_it_says_nothing_where_little_could_be_seen(message: str) -> None:
    assert told(as_case(message)) == []


def test_it_says_nothing_when_anything_was_found_against_the_mail() -> None:
    case = as_case(MAIL)
    span = next(e.span for e in NothingWrong()(case, ()))
    against = observe(case, span, "x.y", "pressure", "slight", "It presses.", tool="x")
    assert NothingWrong()(case, [against]) == []
