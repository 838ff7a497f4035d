"""Disguised words are recognised, and honest spellings are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.case import Case, Part
from malafide.tools.bait import bait


def _case(text: str) -> Case:
    return Case(id="test", kind="email", parts=(Part("body", "body", text),))


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("cheap V1agra here", "V1agra"),
        ("get vi@gra now", "vi@gra"),
        ("our ci-al.is is best", "ci-al.is"),
        ("V I A G R A for you", "V I A G R A"),
        ("low m.o.r.t.g.a.g.e rates", "m.o.r.t.g.a.g.e"),
        ("new medicattions today", "medicattions"),
        ("the lowest 1nsurance", "1nsurance"),
        ("get your d1pl0ma", "d1pl0ma"),
        ("p\u200bh4rm\u200bacy", "p\u200bh4rm\u200bacy"),
    ],
)
def test_disguised_words_are_found(text: str, quote: str) -> None:
    case = _case(text)
    (found,) = bait(case)
    assert found.quote == quote
    assert found.holds_in(case)


@pytest.mark.parametrize(
    "text",
    [
        "viagra and cialis are medicines",
        "The mortgage, the insurance: both are due. (software)",
        "Order 66 was free/cheap, see price-list",
        "5.Order the parts 6.Remove the cover",
        "his prescription's date, medica-tion",
        "a b c d e f g",
        "e-mail me at j.doe@example.com or call 555-0199",
        "",
    ],
)
def test_honest_spellings_are_left_alone(text: str) -> None:
    assert bait(_case(text)) == []


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    case = _case(text)
    assert all(found.holds_in(case) for found in bait(case))
