"""The catalog as a witness: what it says about a case, in which words, and when it keeps silent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.benches.spam import as_case
from malafide.knowledge import testimony
from malafide.knowledge.catalog import Catalog, Counts, Familiar, Known, Pattern, Scale
from malafide.knowledge.testimony import phrases_of
from malafide.knowledge.wording import locate, wording


def pattern(name: str, side: str, **phrases: float) -> Pattern:
    known = {p: Known(Counts(9, 1) if side == "spam" else Counts(1, 9), w) for p, w in phrases.items()}
    return Pattern(f"{side}-{name}", "content", side, name, (), known, Counts(10, 10))  # type: ignore[arg-type]


CATALOG = Catalog(
    cases=Counts(50, 50), sources=(), bias=0.0, unit=1.0, scale=Scale(turn=0.0, gain=3.0, shift=0.0),
    familiar=Familiar(0.0, 0.1, 0.0),
    patterns=(pattern("prize", "spam", prize=5.0, claim=4.0), pattern("lunch", "ham", lunch=-5.0, friday=-3.0)),
    calibration={"slope": 1.0, "offset": 0.0, "cases": 100.0},
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "quote"),
    [
        ("Subject: hello\n\nClaim the PRIZE at once", "catalog.content-spam", "PRIZE"),
        ("Subject: hello\n\nLunch on Friday then?", "catalog.content-ham", "Lunch"),
    ],
)
def test_it_points_at_the_words(text: str, kind: str, quote: str) -> None:
    case = as_case(text)
    (said,) = testimony.Testimony(CATALOG)(case, [])
    assert (said.kind, said.quote) == (kind, quote)
    assert said.holds_in(case)
    assert said.direction == ("deceptive" if kind.endswith("spam") else "genuine")
    assert "10 spam and 10 ham mails learned from" in said.sentence


def test_it_is_silent_where_it_knows_nothing() -> None:
    assert testimony.Testimony(CATALOG)(as_case("Subject: x\n\nsomething else entirely here"), []) == []
    assert testimony.Testimony(CATALOG)(as_case("Subject: x\n\nein ganz anderer Text"), []) == []


def test_the_less_it_knows_of_a_mail_the_less_it_says() -> None:
    words = " ".join(f"unknown{chr(97 + n)}" for n in range(24))
    alone = testimony.Testimony(CATALOG)(as_case("Subject: x\n\nclaim the prize"), [])[0]
    among = testimony.Testimony(CATALOG)(as_case(f"Subject: x\n\nclaim the prize {words}"), [])[0]
    assert among.strength < alone.strength


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_trust_is_a_share(share: float, low: float, high: float) -> None:
    known = Familiar(low, high, 1.0)
    assert 0.0 <= known.trust(share, headed=False) <= known.trust(share, headed=True) <= 1.0


def test_it_says_little_about_mail_of_another_kind() -> None:
    bare = testimony.Testimony(CATALOG)(as_case("Subject: x\n\nclaim the prize"), [])[0]
    headed = testimony.Testimony(CATALOG)(as_case("From: a@b.example\nSubject: x\n\nclaim the prize"), [])[0]
    assert headed.strength < bare.strength


def test_numbers_count_by_their_length() -> None:
    assert "####" in phrases_of("call 1234 now", ()).content
    assert "call ####" in phrases_of("call 5678 now", ()).intent


@given(st.text(max_size=300))
def test_every_phrase_of_a_text_is_found_in_it_again(text: str) -> None:
    case = as_case(f"Subject: s\n\n{text}")
    said = wording(case.part("body").text) if case.has("body") else wording("")
    wanted = said.words | said.pairs
    found = locate(case, wanted)
    assert found.keys() == wanted
    for phrase, span in found.items():
        quoted = wording(case.quote(span))
        assert phrase in quoted.words | quoted.pairs
