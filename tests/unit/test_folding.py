"""Folding makes text plain and never loses the way back to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.folding import ZERO_WIDTH, fold

# Weighted towards what folding has to deal with: white space, no-width characters, accents, other alphabets.
_AWKWARD = "aZ 0.\t\r\n`´’™ßıİΝνΣςвНéèÅ\u0301\u200b\u00ad\ufeff\u3164\ufb01ＡⒶ…\U0001d400\U000e0041"
texts = st.text(st.sampled_from(_AWKWARD) | st.characters(exclude_categories=["Cs"]), max_size=80)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("VERIFY Your Account", "verify your account"),
        ("Überweisung für Müller", "uberweisung fur muller"),
        ("don’t “wait” – now…", 'don\'t "wait" - now.'),
        ("don´t don`t", "don't don't"),
        ("one\u00a0two\tthree\r\nfour", "one two three \nfour"),
        ("\u0440\u0430\u0443\u0440\u0430l", "paypal"),  # Cyrillic but for the last letter
        ("\u0391\u039c\u0391\u0396\u039f\u039d", "amazon"),  # Greek capitals
        ("\U0001d414\U0001d42b\U0001d420\U0001d41e\U0001d427\U0001d42d", "urgent"),  # mathematical bold
        ("ＦＲＥＥ ⓕⓡⓔⓔ ꜰʀᴇᴇ", "free free free"),
        ("Pillex™ works", "pillex  works"),
        ("Straße", "strase"),
    ],
)
def test_each_character_becomes_its_plain_one(text: str, plain: str) -> None:
    folded = fold(text)
    assert folded.text == plain
    assert folded.origin is None
    assert folded.span(0, 3) == (0, 3)


@pytest.mark.parametrize(
    ("text", "word", "original"),
    [
        ("Your pass\u200bword now", "password", "pass\u200bword"),
        ("v\u00adi\u00ada\u00adg\u00adra", "viagra", "v\u00adi\u00ada\u00adg\u00adra"),
        ("Un cafe\u0301 noir", "noir", "noir"),
        ("un cafe\u0301", "cafe", "cafe"),  # the accent written apart stays outside the last letter
        ("\U000e0041\U000e0042hello", "hello", "hello"),
    ],
)
def test_a_span_leads_back_to_the_original_words(text: str, word: str, original: str) -> None:
    folded = fold(text)
    at = folded.text.index(word)
    start, end = folded.span(at, at + len(word))
    assert text[start:end] == original


@given(texts)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(texts)
def test_text_folds_as_its_characters_do(text: str) -> None:
    assert fold(text).text == "".join(fold(character).text for character in text)


@given(texts)
def test_many_different_characters_fold_as_few_do(text: str) -> None:
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 250)))
    assert fold(text + many).text == fold(text).text + fold(many).text


@given(texts, st.data())
def test_every_span_quotes_what_was_folded(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    assert len(folded.text) <= len(text)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    original = text[slice(*folded.span(start, end))]
    assert fold(original).text == folded.text[start:end]


@given(texts)
def test_nothing_invisible_and_no_capital_is_left(text: str) -> None:
    plain = fold(text).text
    assert not ZERO_WIDTH.intersection(plain)
    assert plain == plain.lower()
    assert all(character in " \n" for character in plain if character.isspace())
    assert plain.count("\n") == text.count("\n")
