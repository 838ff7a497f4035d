"""The notation of rules: what a phrase meets, what it leaves alone, and what is refused."""

from __future__ import annotations

import pytest
import re2
import yaml
from hypothesis import given
from hypothesis import strategies as st

from malafide.errors import BadRule
from malafide.folding import fold
from malafide.rules.macros import MACRO_NEEDS
from malafide.rules.phrase import compile_phrase
from malafide.rules.rulebook import Rule, Rulebook, read_rules


def _match(phrase: str, text: str) -> str | None:
    """The words of the text, folded, that the phrase meets."""
    found = re2.compile(compile_phrase(phrase).expression).search(fold(text).text)
    return found.group(0) if found else None


@pytest.mark.parametrize(
    ("phrase", "text", "met"),
    [
        ("verify your account", "Please VERIFY  your\naccount now", "verify  your\naccount"),
        ("verify your account", "verify, your-account", "verify, your-account"),
        ("überweisung", "die Überweisung", "uberweisung"),
        ("don't wait", "don’t wait", "don't wait"),
        ("verif* your account", "verification your account", "verification your account"),
        ("(verify|sign in to) it", "sign in to it", "sign in to it"),
        ("verify [your] account", "verify account", "verify account"),
        ("verify [your] account", "verify your account", "verify your account"),
        ("[please] [do] verify", "please verify", "please verify"),
        ("win [a|the big] prize", "win the big prize", "win the big prize"),
        ("win .. prize", "win this very fine prize", "win this very fine prize"),
        ("win .. prize", "win a (fine) “prize”", 'win a (fine) "prize'),
        ("win .. prize", "win prize", "win prize"),
        ("win ..6 prize", "win one two three four five six prize", "win one two three four five six prize"),
        ("win .. [big] prize", "win a prize", "win a prize"),
        ("win .. [big] prize", "win a big prize", "win a big prize"),
        ("{start} [my] dear friend", "Hi\n  dear friend", "  dear friend"),
        ("{start} [my] dear friend", "> my dear friend", "> my dear friend"),
        ("regards {end}", "kind regards,\nme", "regards,"),
        ("dear {any} we", "Dear j.doe@example.com we", "dear j.doe@example.com we"),
        ("save {percent}", "save 12.5 % or more", "save 12.5 %"),
        ("save {percent}", "save 50 percent", "save 50 percent"),
        ("in {year}", "in 2024.", "in 2024"),
        ("call {number} now", "call 555.1234 now", "call 555.1234 now"),
        ("see {link}", "see https://example.com/a?b=c for", "see https://example.com/a?b=c"),
        ("write {email}", "write j.doe@mail.example.com.", "write j.doe@mail.example.com"),
        ("100% free", "it is 100% free", "100% free"),
        ("[a] €", "a €", "a €"),
        ("c++ (book|course)", "a C++ course", "c++ course"),
        ("viel_erfolg", "viel_erfolg", "viel_erfolg"),
    ],
)
def test_meets(phrase: str, text: str, met: str) -> None:
    assert _match(phrase, text) == met


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("verify your account", "verify your accounts"),
        ("verify your account", "verify. Your account"),
        ("verify your account", "verify that your account"),
        ("win .. prize", "win one two three four prize"),
        ("win .. prize", "You win! The prize"),
        ("win .. prize", "I will win. Some prize"),
        ("win .. prize", "win money;\n the prize"),
        ("{start} dear friend", "my dear friend"),
        ("dear friend {end}", "dear friend of mine"),
        ("dear {any} we", "dear John. We"),
        ("sum {amount}", "sum 5 europeans"),
        ("in {year}", "in 20245"),
        ("call {number}", "call 5th"),
        ("[big] win", "winner"),
    ],
)
def test_leaves_alone(phrase: str, text: str) -> None:
    assert _match(phrase, text) is None


@pytest.mark.parametrize(
    "amount",
    [
        "$5", "$ 1,500.00", "US$15.5 million", "USD 20,000", "€ 99,95", "99,- €", "20 000 €", "2.5M USD",
        "£1bn", "Rs. 5000", "10 million dollars", "15,000,000.00 United States Dollars", "3 Millionen Euro",
        "2 millions d'euros", "5 millones de dólares", "R$ 500", "7 milhões de reais", "500 pounds sterling",
        "10-dollar",
    ],
)  # fmt: skip
def test_amounts_of_money(amount: str) -> None:
    assert _match("{amount}", f"the sum of {amount} for you")


def test_an_amount_ends_with_the_amount() -> None:
    assert _match("{amount}", "for $500, he said") == "$500"
    assert _match("{amount}", "it costs 20 euros.") == "20 euros"


@pytest.mark.parametrize(
    "phrase",
    [
        "", "()", "(a|)", "(a", "a)", "(a]", "a [b", ".. a", "a ..", "a .. [b]", "a .. {end}", "[a]",
        "{start}", "[a] [b]", "([a]|b)", "a ..0 b", "a ..13 b", "a ..x b", "{nothing}", "{amount",
        "pre{amount}", "a*b", "ab*", "*",
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(phrase: str) -> None:
    with pytest.raises(BadRule, match="phrase"):
        compile_phrase(phrase)


@pytest.mark.parametrize(
    ("phrase", "needs"),
    [
        ("verify your account", (("verify your account",),)),
        ("(verify|confirm) it", (("verify it", "confirm it"),)),
        ("it [certainly] is new", (("is new",), ("it",))),
        ("{number} a day", (("a day",),)),
        ("{number}", ()),
        ("safe {percent}", (("safe",), MACRO_NEEDS["percent"])),
        ("({any}|confirm) it", (("it",),)),
        ("(sign in|log ..2 into) our", (("sign in", "log"), ("our",))),
        ("don't donat* thrice", (("don t donat*",), ("thrice",))),
        ("lose .. (a|the) prize", (("a prize", "the prize"), ("lose",))),
        ("(ab|ac) [c] (dde|eed)", (("dde", "eed"), ("ab", "ac"))),
        ("every .. prince", (("prince",), ("every",))),  # the rarer first
    ],
)
def test_what_a_match_cannot_do_without(phrase: str, needs: tuple[tuple[str, ...], ...]) -> None:
    assert compile_phrase(phrase).needs == needs


def test_signs_are_no_anchors() -> None:
    assert compile_phrase("pay {amount}").anchors == ("pay",)
    assert compile_phrase("{amount}").anchors == ()


words = st.sampled_from(
    ["win", "the", "big*", "prize", "don't", "100%", "{amount}", "{any}", "€", "c++", "ünder"]
)
phrases = st.recursive(
    st.lists(words, min_size=1, max_size=4).map(" ".join),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda all_: f"({'|'.join(all_)})"),
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]} [{pair[1]}]"),
        st.tuples(inner, st.sampled_from(["..", "..6"]), inner).map(" ".join),
    ),
    max_leaves=6,
)
messages = st.lists(
    st.sampled_from(
        ["win", "the", "bigger", "prize", "don’t", "100%", "$5,000", "€", "C++", "ünder", ".", "\n", ","]
    ),
    max_size=14,
).map(" ".join)


@given(phrases, messages)
def test_whatever_matches_holds_what_the_phrase_needs(phrase: str, message: str) -> None:
    compiled = compile_phrase(phrase)
    found = re2.compile(compiled.expression).search(fold(message).text)
    if found:
        row = " " + " ".join(re2.findall(r"\w+", found.group(0))) + " "
        for need in compiled.needs:
            assert any(_has(row, word) or (word[0] == "=" and word[1:] in found.group(0)) for word in need)


def _has(row: str, words: str) -> bool:
    return f" {words[:-1]}" in row if words.endswith("*") else f" {words} " in row


@given(st.lists(st.sampled_from(["win", "the", "big", "prize", "don't", "now"]), min_size=1, max_size=6))
def test_plain_words_meet_themselves_in_any_dress(chosen: list[str]) -> None:
    phrase = " ".join(chosen)
    assert _match(phrase, phrase) == phrase
    assert _match(phrase, ",\n".join(chosen).upper()) == ",\n".join(chosen)
    assert _match(phrase, f"x{phrase}x") is None


@given(st.text("ab()[]|{}.* \n€", max_size=12))
def test_any_phrase_compiles_or_is_refused(phrase: str) -> None:
    try:
        compiled = compile_phrase(phrase)
    except BadRule:
        return
    re2.compile(compiled.expression)


@given(
    st.lists(phrases, min_size=1, max_size=5), st.lists(messages, min_size=1, max_size=3), st.integers(0, 900)
)
def test_the_rulebook_finds_what_each_phrase_finds(sources: list[str], parts: list[str], far: int) -> None:
    # Words of one letter: a longer word than a phrase reaches would not be found, nor shall it.
    message = (" " + "x " * (far // 2) + "x. ").join(parts)
    rules = tuple(_rule(number, source) for number, source in enumerate(sources))
    found = {rule.id: fold(message[start:end]).text for rule, start, end in Rulebook(rules).spans(message)}
    expected = {f"test.{number}": _match(source, message) for number, source in enumerate(sources)}
    assert found == {identity: words for identity, words in expected.items() if words}


def _rule(number: int, source: str) -> Rule:
    text = yaml.safe_dump({
        "tool": "test",
        "rules": [{
            "id": str(number), "topic": "offer", "strength": "slight", "says": "It says so.",
            "phrases": {"en": [source]}, "hits": [], "misses": [],
        }],
    })  # fmt: skip
    return read_rules("test", text)[0]
