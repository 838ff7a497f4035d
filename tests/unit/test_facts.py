"""Fact-checks as precedents: how entries are read, which claims they speak about, and what they never decide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from malafide.benches.post import PostExaminer, PostKnowledge
from malafide.errors import UnreadableInput
from malafide.intake.posts import read_post
from malafide.knowledge.facts import check, fact
from malafide.knowledge.precedents import Precedents

ENTRIES = [
    ("Drinking hot lemon water cures the river fever", "False"),
    ("The Northbridge tram will be closed on 3 May", "mostly true"),
    ("Mayor Lindqvist sold the harbour to a circus", "satire"),
    ("Garlic prevents river fever", "half-true"),
    ("5G masts spread the river fever", "pants-fire"),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Precedents]:
    kept = Precedents(tmp_path / "facts.sqlite")
    lines = [
        json.dumps(
            {"claim": claim, "rating": rating, "source": "Example Checks", "url": "https://checks.example/1"}
        )
        for claim, rating in ENTRIES
    ]
    assert kept.import_(lines) == len(ENTRIES)
    assert kept.import_(lines) == 0
    yield kept
    kept.close()


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("Hot lemon water cures river fever, says my aunt.", "contradicted"),
        ("Hot lemon water does not cure river fever.", "unverified"),
        ("The tram in Northbridge will be closed on 3 May.", "supported"),
        ("The tram in Northbridge will be closed on 9 May.", "unverified"),
        ("Mayor Lindqvist has sold the harbour to a circus", "satire"),
        ("Garlic prevents the river fever!", "unverified"),
        ("River fever is spread by 5G masts", "contradicted"),
        ("The council meets on Tuesday", "unverified"),
        ("Northbridge has many trams and a river", "unverified"),
    ],
)
def test_a_claim_against_the_fact_checks(store: Precedents, claim: str, answer: str) -> None:
    assert check(store, claim).answer == answer


def test_a_contradicted_post_cites_its_fact_check(store: Precedents) -> None:
    examiner = PostExaminer(knowledge=PostKnowledge(precedents=store))
    found = examiner.judge(read_post({"text": "Good news! Hot lemon water cures the river fever."}))
    assert found.answer == "contradicted"
    assert found.group("misinformation_assessment") == {
        "content_credibility_score": 0.1,
        "risk_category": "high",
    }
    assert found.cited[0].provenance.source == "Example Checks https://checks.example/1"
    assert any("Example Checks" in line for line in found.trace)


def test_satire_is_neither_true_nor_false(store: Precedents) -> None:
    examiner = PostExaminer(knowledge=PostKnowledge(precedents=store))
    found = examiner.judge(read_post({"text": "Mayor Lindqvist has sold the harbour to a circus."}))
    assert found.answer == "satire"
    assert found.group("misinformation_assessment") == {
        "content_credibility_score": None,
        "risk_category": "satire",
    }


@pytest.mark.parametrize(
    "entry",
    [
        {"claim": "", "rating": "false", "source": "x"},
        {"claim": "a b", "rating": "maybe", "source": "x"},
        {"claim": "a b", "rating": "false"},
    ],
)
def test_a_bad_entry_says_what_is_wrong(tmp_path: Path, entry: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"claim|rating|source"):
        fact(entry)
    with pytest.raises(UnreadableInput, match="line 1 is not a precedent"):
        Precedents(tmp_path / "p.sqlite").import_([json.dumps(entry)])
