"""Learning from labelled posts: tables are understood, the catalog speaks and is calibrated, and nothing leaks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from malafide.benches.post import PostExaminer, remembered_posts
from malafide.case import Part, case_id
from malafide.errors import UnreadableInput
from malafide.intake.labelled_posts import LabelledPost, read_labelled_posts
from malafide.intake.posts import read_post
from malafide.knowledge.post_catalog import PostCatalog
from malafide.knowledge.post_wording import locate_in_post, post_phrases
from malafide.learning.posts import gather_posts, learn_posts, teach_posts

FAKE = "miracle root secret cure hidden elites exposed masts poison share urgently".split()
REAL = "ministry figures weekly update hospital beds council report tests average region".split()
BOTH = "the river fever in northbridge this week people said today about".split()


def made_up(count: int, seed: int = 1) -> list[LabelledPost]:
    chance = random.Random(seed)
    posts = []
    for number in range(count):
        bad = number % 2 == 0
        words = chance.choices(FAKE if bad else REAL, k=5) + chance.choices(BOTH, k=6)
        chance.shuffle(words)
        text = " ".join(words) + f" {number}"
        posts.append(LabelledPost(case_id(text.encode()), text, bad, "made up"))
    return posts


def test_the_catalog_tells_the_classes_apart_and_quotes_the_words() -> None:
    catalog = PostCatalog(learn_posts(gather_posts(made_up(200)), ["made up"]))
    for post in made_up(40, seed=2):
        part = Part("body", "body", post.text)
        told = catalog.speak(part)
        assert told is not None and (told.odds > 0) == post.bad
        assert told.words
        for _, span in told.words:
            assert part.text[span.start : span.end].strip()
    assert catalog.speak(Part("body", "body", "quite unrelated words stand here alone")) is None


def test_too_few_posts_are_refused() -> None:
    with pytest.raises(UnreadableInput, match="at least 5 of each"):
        learn_posts(gather_posts(made_up(4)), ["made up"])


def test_what_is_taught_is_used_and_cited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path))
    posts = made_up(120)
    lesson = teach_posts(posts, "post")
    assert (lesson.read, lesson.new, lesson.precedents) == (120, 120, 120)
    assert teach_posts(posts[:20], "post").new == 0
    knowledge = remembered_posts()
    examiner = PostExaminer(knowledge=knowledge)
    fake = "elites hidden poison in the secret miracle root, share urgently about the masts of northbridge"
    score = examiner.judge(read_post({"text": fake})).group("misinformation_assessment")[
        "content_credibility_score"
    ]
    assert score < 0.3
    same = examiner.judge(read_post({"text": posts[1].text}))
    assert [one.label for one in same.cited] == ["real"]
    assert knowledge.precedents is not None
    knowledge.precedents.close()


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        ("tweet,label\nfirst words,fake\nsecond words,real\n", [True, False]),
        ("statement,rating\nfirst words,pants-fire\nsecond words,Mostly True\n", [True, False]),
        ("text,is_fake\nfirst words,1\nsecond words,0\nfirst  words,1\n", [True, False]),
    ],
)
def test_tables_of_posts(tmp_path: Path, table: str, labels: list[bool]) -> None:
    path = tmp_path / "posts.csv"
    path.write_text(table, encoding="utf-8")
    assert [post.bad for post in read_labelled_posts(path, "post").items] == labels


@pytest.mark.parametrize(
    "table", ["text,label\nwords,0\n", "words,label\na b,fake\n", "text,label\nwords,spam\n"]
)
def test_a_table_that_is_not_understood_is_refused(tmp_path: Path, table: str) -> None:
    path = tmp_path / "posts.csv"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(UnreadableInput):
        read_labelled_posts(path, "post")


def test_headlines_have_labels_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "headlines.csv"
    path.write_text("headline,clickbait\nYou will gasp,1\nCourt rules,0\n", encoding="utf-8")
    assert [post.bad for post in read_labelled_posts(path, "headline").items] == [True, False]


def test_phrases_and_where_they_stand() -> None:
    part = Part("body", "body", "Read #News now: https://example.com/a 12,000 cases!")
    phrases = post_phrases(part.text)
    assert {"read", "#news", "{link}", "######", "!"} <= phrases.content
    assert {"{start} read", "! {end}", "{link} ######"} <= phrases.intent
    found = locate_in_post(part, [*phrases.content, *phrases.intent])
    assert part.text[found["#news"].start : found["#news"].end] == "#News"
    assert part.text[found["{start} read"].start : found["{start} read"].end] == "Read"
    assert part.text[found["! {end}"].start : found["! {end}"].end] == "!"
