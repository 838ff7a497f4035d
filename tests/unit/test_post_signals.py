"""The signals made from a raw post: what each says, what it leaves unknown, and that hostile input cannot break it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from malafide.benches.post import PostExaminer
from malafide.case import Case, Part
from malafide.errors import BadSignal, UnreadableInput
from malafide.intake.posts import Post, read_account, read_post
from malafide.knowledge.domains import parse
from malafide.rules.rulebook import Rule, Rulebook
from malafide.signals.bait import clickbait, rules
from malafide.signals.claim import embedding_id, extracted_claim, sentences
from malafide.signals.coordination import copies
from malafide.signals.feelings import examples, feelings
from malafide.signals.outlets import RELIABILITY, outlet
from malafide.signals.source import account_trust, behavioral_risk, source_reliability

RULES = [*rules("clickbait").rules, *rules("style").rules]


def case(text: str) -> Case:
    return Case("0" * 16, "post", (Part("body", "body", text),))


def post(text: str = "The council meets on Tuesday.", **account: Any) -> Post:
    return read_post({"text": text, **({"account": account} if account else {})})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_finds_its_hits_and_leaves_the_others(rule: Rule) -> None:
    book = Rulebook((rule,))
    assert [hit for hit in rule.hits if not book.spans(hit)] == []
    assert [miss for miss in rule.misses if book.spans(miss)] == []
    assert len(rule.misses) >= 2 and len(rule.hits) >= len(rule.phrases)


@pytest.mark.parametrize(("text", "sentiment", "emotion"), examples())
def test_the_lists_of_feelings_keep_their_promises(
    text: str, sentiment: str | None, emotion: str | None
) -> None:
    found, felt = feelings(case(text))
    assert sentiment is None or found.value == sentiment
    assert emotion is None or felt.value == emotion


@pytest.mark.parametrize("text", ["", "   ", "Городской совет собирается во вторник вечером", "Küçük köy"])
def test_a_language_without_lists_has_no_sentiment(text: str) -> None:
    assert [signal.value for signal in feelings(case(text))] == [None, None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You won't believe what the diver found", True),
        ("17 things only night owls will understand", True),
        ("Court rejects appeal over harbour bridge", False),
        ("Two injured in tram collision", False),
        ("No vas a creer lo que encontró este hombre", True),
        ("", None),
    ],
)
def test_clickbait(text: str, expected: bool | None) -> None:
    assert clickbait(case(text)).value is expected


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Hello all! The bridge was closed in 2019. What do you think?", "The bridge was closed in 2019."),
        (
            "I think we should go. Dr. Lind found 40 cases in Northbridge. Bye",
            "Dr. Lind found 40 cases in Northbridge.",
        ),
        ("Why?", None),
        ("Tests rose by 12% in April https://example.com/x", "Tests rose by 12% in April"),
    ],
)
def test_the_claim_is_a_sentence_of_the_post(text: str, claim: str | None) -> None:
    assert extracted_claim(case(text)).value == claim


def test_sentences_cover_the_text_in_order() -> None:
    text = "One is 1.5 metres. Two!  Three?\n\nFour"
    assert [text[a:b] for a, b in sentences(text)] == ["One is 1.5 metres.", "Two!", "Three?", "Four"]


def test_the_embedding_names_the_words_not_their_dress() -> None:
    assert (
        embedding_id(case("The Bridge is CLOSED")).value == embedding_id(case("the bridge is closed")).value
    )
    assert embedding_id(case("the bridge is open")).value != embedding_id(case("the bridge is closed")).value


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://www.bbc.co.uk/news/1", "newsroom"),
        ("http://bbc-news.example/x", "look-alike"),
        ("http://cnn.com.co", "look-alike"),
        ("https://nytirnes.com/a", "look-alike"),
        ("https://washingtonpost.com.example.test/", "look-alike"),
        ("https://theonion.com/x", "satire"),
        ("https://someone.blogspot.com/", "user-content"),
        ("https://bit.ly/abc", "shortener"),
        ("http://192.0.2.1/x", "address"),
        ("https://health.gov.au/y", "institution"),
        ("https://x.com/someone", "platform"),
        ("https://example.com", "unlisted"),
        ("https://standard.co.uk", "unlisted"),
        ("https://thetimes.com", "unlisted"),
    ],
)
def test_linked_places(address: str, place: str) -> None:
    assert outlet(parse(address)).place == place


def test_the_least_reliable_link_counts_and_unknown_stays_unknown() -> None:
    assert source_reliability(post("no links here at all")).value is None
    assert source_reliability(post("see https://example.com/a")).value is None
    both = post("see https://www.bbc.com/a and http://bbc-news.example/b")
    assert source_reliability(both).value == RELIABILITY["look-alike"]


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        ({}, None),
        ({"bio": "unknown field"}, None),
        ({"account_age_days": 3}, 0.25),
        ({"account_age_days": 4000}, 0.65),
        ({"account_age_days": 4000, "verified": True, "followers_count": 20_000}, 0.83),
        ({"followers_count": 3, "following_count": 4000}, 0.38),
        ({"name_changes": 4}, 0.35),
        ({"description": "", "location": "", "url": ""}, 0.4),
        ({"screen_name": "anna1234567"}, 0.44),
        ({"fact_checks": {"true": 0, "false": 20}}, 0.1667),
    ],
)
def test_account_trust(account: dict[str, Any], expected: float | None) -> None:
    signal = account_trust(post(**account))
    assert signal.value == expected
    assert expected is not None or signal.origin == "unknown"


def test_age_is_counted_from_the_post_and_never_from_today() -> None:
    account = {"created_at": "2025-01-01T00:00:00Z"}
    assert account_trust(read_post({"text": "a b c", "account": account})).value is None
    dated = read_post({"text": "a b c", "created_at": "2025-01-03T00:00:00Z", "account": account})
    assert account_trust(dated).value == 0.25


def test_behaviour() -> None:
    start = datetime(2025, 1, 1, tzinfo=UTC)
    clock = [(start + timedelta(minutes=30 * i)).isoformat() for i in range(12)]
    person = [(start + timedelta(minutes=i * i * 7)).isoformat() for i in range(12)]
    assert behavioral_risk(post()).value is None
    assert behavioral_risk(post(post_times=clock)).value is True
    assert behavioral_risk(post(post_times=person)).value is False
    assert behavioral_risk(post(account_age_days=10, statuses_count=5000)).value is True
    assert behavioral_risk(post(), copies=3).value is True


def test_copies_by_many_accounts_are_counted() -> None:
    text = "The harbour bridge will be sold to a circus next week says the mayor"
    posts = [post(f"{text} {i}", screen_name=f"user{i}") for i in range(4)]
    same = [post(text, screen_name="user1"), post(text, screen_name="user1")]
    other = post("Something else entirely was written by this person about trams", screen_name="x")
    assert copies([*posts, other]) == [4, 4, 4, 4, 1]
    assert copies(same) == [1, 1]
    assert copies([]) == []


@pytest.mark.parametrize(
    "account", [{"followers_count": -1}, {"verified": "yes"}, {"account_age_days": "old"}, [1], "x"]
)
def test_a_bad_account_is_refused_by_name(account: Any) -> None:
    with pytest.raises(BadSignal):
        read_account(account)


def test_a_post_needs_something() -> None:
    with pytest.raises(UnreadableInput):
        read_post({"post_id": "x"})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["verified", "followers_count", "created_at", "post_times", "previous_names", "fact_checks", "url"]
)


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=300), st.dictionaries(KEYS, JSON, max_size=4), JSON)
def test_any_post_is_judged_or_refused(text: str, account: dict[str, Any], urls: Any) -> None:
    try:
        found = PostExaminer().judge(read_post({"text": text, "account": account, "urls": urls}))
    except (BadSignal, UnreadableInput):
        return
    assert 0 <= found.decision.score <= 1
    assert all(e.holds_in(found.post.case) for signal in found.signals for e in signal.evidence)
