"""Structure, disguise and typography: tricks beside the harmless habits of newsletters."""

import pytest
from header_mail import kinds, mail
from hypothesis import given
from hypothesis import strategies as st

from malafide.knowledge.scripts import mixed_words, splits
from malafide.tools.disguise import disguise
from malafide.tools.structure import structure
from malafide.tools.typography import typography

LETTER = "Our garden opens on Sunday and everybody who likes old roses is welcome to walk around in it. "
PLACES = ("moor", "fern", "lake", "tide", "wood", "barn")
FILLER = " ".join(
    f"{a} {b}" for a in PLACES for b in ("quiet", "amber", "hollow", "winter", "under", "stone")
)


def html(body: str) -> dict[str, str]:
    return {"body": f"<html><body>{body}</body></html>", "Content_Type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<p>{LETTER}</p>", {"only-html"}),
        (f"<p>{LETTER}</p><div style='display:none'>{FILLER}</div>", {"only-html", "hidden-text"}),
        (f"<div style='display:none'>{LETTER}</div><p>{LETTER * 2}</p>", {"only-html"}),
        (f"<div style='display:none'>{'&zwnj;&nbsp;' * 90}</div><p>{LETTER}</p>", {"only-html"}),
        (
            f"<p>{LETTER}</p><form action='http://a.test/x'><input type=password></form>",
            {"only-html", "password-form"},
        ),
        (f"<p>{LETTER}</p><form action='http://a.test/x'><input type=text></form>", {"only-html"}),
        ("<a href='http://a.test/x'><img src='http://a.test/p.png'></a>", {"only-html", "picture-for-text"}),
        (f"<a href='http://a.test/x'><img src='http://a.test/p.png'></a><p>{LETTER * 5}</p>", {"only-html"}),
        (f"<p>{LETTER}</p><script>x()</script>", {"only-html", "script"}),
    ],
)
def test_html(body: str, expected: set[str]) -> None:
    made = html(body)
    assert kinds(structure, mail(made["body"], Content_Type=made["Content_Type"])) == expected


def alternative(plain: str, page: str) -> str:
    first = f"--b\nContent-Type: text/plain; charset=utf-8\n\n{plain}\n"
    return first + f"--b\nContent-Type: text/html; charset=utf-8\n\n<p>{page}</p>\n--b--\n"


def test_two_texts() -> None:
    other = " ".join(f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60))
    letter = " ".join(f"{chr(97 + i % 26)}{chr(97 + i // 26)}term" for i in range(60))
    kind = 'multipart/alternative; boundary="b"'
    assert kinds(structure, mail(alternative(other, letter), Content_Type=kind)) == {"two-texts"}
    assert kinds(structure, mail(alternative(letter, letter), Content_Type=kind)) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LETTER, set()),
        ("Your pa\u200bss\u200bwo\u200brd has expired", {"invisible-signs"}),
        ("Words\u200b \u200bwith padding \u200c\u200c between", set()),
        ("Trenn\u00adstrich und Fuß\u00adweg", set()),
        ("می\u200cخواهم بروم", set()),
        ("Your p\u0430yp\u0430l b\u0430lance", {"mixed-alphabets"}),
        ("Привет, это письмо про PDF и Wi-Fi", set()),
        ("resistance of 5kΩ and 3µm", set()),
        ("cheap v.i.a.g.r.a here", {"letters-apart"}),
        ("the U.S.A.F. and the e.g. case", set()),
    ],
)
def test_disguise(text: str, expected: set[str]) -> None:
    assert kinds(disguise, mail(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LETTER, set()),
        (LETTER.upper() * 3, {"capitals"}),
        (LETTER + "Buy! Now! Today! Here! Cheap! Go!", {"exclamations"}),
        (LETTER + "earn $$$ at home", {"money-signs"}),
        (LETTER + "\n" * 20 + "more words below", {"after-empty-room"}),
        (LETTER + "\n\nkq7fz3tr9xw2", {"random-string"}),
        (LETTER + "\n\nAnna", set()),
        (LETTER + "\n\nhttp://example.com/a7b3c9d1", set()),
    ],
)
def test_typography(text: str, expected: set[str]) -> None:
    assert kinds(typography, mail(text)) == expected


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    assert all(0 <= start < end <= len(text) for start, end in mixed_words(text))
    assert all(0 < at < len(text) - 1 for at in splits(text))
