"""Text on its way to a screen: links do not work, nothing acts, and quotes keep their place."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.render.defang import defang, defanging
from malafide.render.visible import one_line, visible
from malafide.render.words import harmless, percent, strength_word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.com/pay.php?a=b.c", "hxxps://example[.]com/pay.php?a=b.c"),
        ("HTTP://EXAMPLE.COM", "HXXP://EXAMPLE[.]COM"),
        ("see http://192.0.2.7:8080/x.", "see hxxp://192[.]0[.]2[.]7:8080/x."),
        ("(https://a.example)", "(hxxps://a[.]example)"),
        ("ftp://files.example.com/a", "ftp[:]//files[.]example[.]com/a"),
        ("www.example.com", "www[.]example[.]com"),
        ("mail help@pay.example.com now", "mail help@pay[.]example[.]com now"),
        ("mailto:help@example.com", "mailto:help@example[.]com"),
        ("https://user@a.example@b.example/", "hxxps://user@a[.]example@b[.]example/"),
        ("https://a.example/https://b.example/x", "hxxps://a[.]example/hxxps://b[.]example/x"),
        ("https://bücher.example/", "hxxps://bücher[.]example/"),
        ("http://a.b.http://c.d", "hxxp://a[.]b[.]hxxp://c[.]d"),
        ("open invoice.pdf and notes.txt", "open invoice.pdf and notes.txt"),
        ("It costs 3.50. Done.Next one, e.g. this", "It costs 3.50. Done.Next one, e.g. this"),
        ("smtp.mailfrom=example.com", "smtp.mailfrom=example[.]com"),
        ("", ""),
    ],
)
def test_links_are_disarmed_and_the_rest_is_left(text: str, expected: str) -> None:
    assert defang(text) == expected


@given(st.text(alphabet="htps:/.wexamplc @\n-[]<", max_size=80))
def test_no_working_link_survives(text: str) -> None:
    shown = defang(text).lower()
    assert "http://" not in shown
    assert "https://" not in shown


@given(st.text(max_size=200))
def test_edits_are_inside_the_text(text: str) -> None:
    assert all(0 <= at < len(text) for at in defanging(text))


def test_one_endless_link_is_no_burden() -> None:
    assert len(defang("http://" + "a." * 150_000)) > 300_000
    assert len(defang("://" * 100_000)) >= 300_000


@given(st.text(st.characters(), max_size=200))
def test_nothing_that_acts_survives(text: str) -> None:
    for character in visible(text):
        kept = character in "\n\u200c\u200d\ufe0e\ufe0f"
        assert kept or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2Jcleared", "␛[2Jcleared"),
        ("\x9b31mred", "\ufffd31mred"),
        ("a\u202egpj.exe", "agpj.exe"),
        ("tab\tand\r\nline", "tab and\nline"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_what_steers_a_screen_is_shown_or_gone(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_one_line_is_one_short_line() -> None:
    assert one_line("a\n  b\tc", 10) == "a b c"
    assert one_line("word " * 50, 12) == "word word w…"


def test_small_words() -> None:
    assert harmless("go to http://a.example\x07") == "go to hxxp://a[.]example␇"
    assert percent(0.9999) == "99 %"
    assert percent(1.0) == "100 %"
    assert [strength_word(s) for s in (1.0, 0.7, 0.4, 0.2, 0.1)] == [
        "decisive", "strong", "moderate", "weak", "slight",
    ]  # fmt: skip
