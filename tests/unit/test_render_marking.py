"""Segments are the text: nothing lost, nothing said twice, however marks overlap."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from malafide.render.marking import Elision, Mark, Segment, cut, excerpt

marks = st.builds(
    Mark,
    number=st.integers(1, 9),
    start=st.integers(-5, 130),
    end=st.integers(-5, 130),
    direction=st.sampled_from(("deceptive", "genuine")),
)


@given(st.text(max_size=120), st.lists(marks, max_size=8))
def test_segments_put_together_are_the_text(text: str, marked: list[Mark]) -> None:
    segments = cut(len(text), marked)
    assert "".join(text[s.start : s.end] for s in segments) == text
    assert all(s.start < s.end for s in segments)


@given(st.text(min_size=1, max_size=120), st.lists(marks, max_size=8))
def test_every_character_is_under_exactly_its_marks(text: str, marked: list[Mark]) -> None:
    for segment in cut(len(text), marked):
        for at in (segment.start, segment.end - 1):
            expected = sorted(m.number for m in marked if m.start <= at < m.end)
            assert [m.number for m in segment.marks] == expected


@given(st.text(max_size=120), st.lists(marks, max_size=8))
def test_every_mark_opens_once_and_closes_once(text: str, marked: list[Mark]) -> None:
    segments = cut(len(text), marked)
    seen = sum(1 for m in marked if max(0, m.start) < min(len(text), m.end))
    assert sum(len(s.opens) for s in segments) == seen
    assert sum(len(s.closes) for s in segments) == seen


@given(st.text(max_size=400), st.lists(marks, max_size=4), st.integers(0, 60), st.integers(0, 60))
def test_an_excerpt_leaves_out_only_unmarked_text(
    text: str, marked: list[Mark], context: int, opening: int
) -> None:
    pieces = excerpt(text, cut(len(text), marked), context, opening)
    assert "".join(text[p.start : p.end] for p in pieces) == text
    for piece in pieces:
        if isinstance(piece, Elision):
            assert not any(m.start < piece.end and piece.start < m.end for m in marked if m.start < m.end)


def test_the_deceptive_mark_is_shown_where_marks_differ() -> None:
    segments = cut(10, [Mark(1, 0, 6, "genuine"), Mark(2, 4, 8, "deceptive")])
    assert [(s.start, s.end, s.direction) for s in segments] == [
        (0, 4, "genuine"),
        (4, 6, "deceptive"),
        (6, 8, "deceptive"),
        (8, 10, None),
    ]


def test_long_unmarked_stretches_are_elided_at_words() -> None:
    text = "word " * 100 + "MARK" + " tail" * 100
    pieces = excerpt(text, cut(len(text), [Mark(1, 500, 504, "deceptive")]), context=20, opening=10)
    shown = [text[p.start : p.end] for p in pieces if isinstance(p, Segment)]
    assert shown == ["word word word", "word word word word ", "MARK", " tail tail tail tail"]
    assert sum(isinstance(p, Elision) for p in pieces) == 2
