"""Pictures: well-formed, named, told in words, and with every point inside the frame."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured import ANY_ROWS, MIXED, rows

from malafide.measure.measures import measure
from malafide.measure.pages import page, table
from malafide.measure.plots import (
    confusion_matrix,
    number,
    picture,
    reliability_diagram,
    risk_coverage_curve,
    score_histogram,
    ticks,
)
from malafide.measure.rows import Row
from malafide.measure.trends import Series, trend

SVG = "{http://www.w3.org/2000/svg}"


def _drawn(cases: list[Row]) -> list[str]:
    m = measure(cases)
    return [
        confusion_matrix(m.confusion),
        reliability_diagram(m.bins),
        risk_coverage_curve(m.risk, m.rates.coverage.value or 0.0, m.rates.accuracy_decided.value),
        score_histogram(cases),
    ]


def _check(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    assert root.attrib["role"] == "img" and root.attrib["aria-label"]
    assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
    assert "style=" not in svg and "<script" not in svg
    width, height = (float(v) for v in root.attrib["viewBox"].split()[2:])
    for element in root.iter():
        for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            if name in element.attrib:
                assert -1 <= float(element.attrib[name]) <= most + 1, (element.tag, element.attrib)
    return root


@given(ANY_ROWS)
def test_pictures_of_any_rows(cases: list[Row]) -> None:
    for svg in _drawn(cases):
        _check(svg)


def test_pictures_say_what_they_show() -> None:
    matrix, reliability, risk, histogram = (_check(svg).attrib["aria-label"] for svg in _drawn(MIXED))
    assert "6 spam called SPAM" in matrix and "2 ham called SPAM" in matrix
    assert "of 30 right" in reliability
    assert "the panel answers 80.0%" in risk
    assert "60% of spam scores 0.7 or more" in histogram


def test_the_counts_stand_in_the_matrix() -> None:
    svg = confusion_matrix(measure(rows(spam_as_spam=1234, ham_as_ham=7)).confusion)
    texts = [t.text for t in ET.fromstring(svg).iter(f"{SVG}text")]
    assert "1,234" in texts and "100.0% of spam" in texts


@given(st.lists(st.one_of(st.none(), st.floats(0, 1e6)), min_size=1, max_size=100))
def test_trends_of_any_values(values: list[float | None]) -> None:
    moments = [str(i) for i in range(len(values))]
    svg = trend("Things", moments, [Series("a & b", values, "ink-tone"), Series("c", values, "spam-tone")])
    assert _check(svg).attrib["aria-label"].startswith("Things")


def test_a_gap_breaks_the_line() -> None:
    svg = trend("Gap", list("abcde"), [Series("x", [1, 2, None, 3, 4], "ink-tone")])
    assert len(list(ET.fromstring(svg).iter(f"{SVG}polyline"))) == 2


@given(st.floats(1e-6, 1e9))
def test_ticks_are_few_and_fit(most: float) -> None:
    steps = ticks(most)
    assert steps[0] == 0 and 2 <= len(steps) <= 7 and steps[-1] <= most * 1.001


@pytest.mark.parametrize(("value", "words"), [(0.5, "0.5"), (12000, "12,000"), (0, "0"), (2.5, "2.5")])
def test_numbers_are_short(value: float, words: str) -> None:
    assert number(value) == words


def test_words_of_a_message_cannot_act() -> None:
    hostile = "<script>x</script> http://bad.example/a \x1b[31m"
    for made in (
        picture(hostile, hostile, ""),
        table(hostile, ["a", hostile], [[hostile, hostile]]),
        page(hostile, ""),
    ):
        assert "<script" not in made
    assert "http://bad" not in page(hostile, "")
