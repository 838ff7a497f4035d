"""Open verdicts wait for a person: kept whole, few of them, and asked about in an order that pays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from made_up import mail
from malafide import SpamClassifier, Verdict
from malafide.benches.spam import as_case
from malafide.home import home
from malafide.learning.feedback import give, known_sample, open_cases
from malafide.learning.inquiry import doubt_of, most_informative_first
from malafide.learning.samples import sample_of
from malafide.record import review
from malafide.record.review import ReviewShelf, Waiting


def verdict(text: str | bytes, classification: str = "UNCERTAIN") -> Verdict:
    judged = SpamClassifier().judge(as_case(text))
    return replace(judged, classification=classification)  # type: ignore[arg-type]


def waiting(case_id: str, text: str, score: float = 0.5, agreement: float = 1.0) -> Waiting:
    return Waiting(case_id, text, "", case_id, score, 0.5, agreement, "", "2026-01-01T00:00:00+00:00", ())


def test_an_open_verdict_is_kept_and_read_back() -> None:
    one = verdict(mail(1, spam=True))
    ReviewShelf().keep(one)
    (found,) = ReviewShelf().all()
    assert found == ReviewShelf().get(one.case.id)
    assert (found.case_id, found.score, found.agreement) == (one.case.id, one.score, one.agreement)
    assert (found.text, found.subject) == (one.case.reading, one.case.part("subject").text)
    assert not found.excerpt.startswith(found.subject + "\n")
    assert [e.kind for e in found.evidence] == [e.kind for e in one.evidence]


@pytest.mark.parametrize("answer", ["SPAM", "HAM"])
def test_a_given_answer_is_not_kept(answer: str) -> None:
    ReviewShelf().keep(verdict(mail(1, spam=True), answer))
    assert not home().exists()


def test_a_case_that_waits_teaches_what_its_mail_does() -> None:
    case = as_case(mail(1, spam=True))
    ReviewShelf().keep(verdict(mail(1, spam=True)))
    known = known_sample(case.id, spam=False)
    assert known is not None
    assert known.phrases == sample_of(case, spam=False).phrases
    assert (known.sender, known.text) == ("shop1.example", case.reading)


def test_what_was_learned_or_a_model_said_is_not_kept_as_a_property_of_the_mail() -> None:
    one = verdict(mail(1, spam=True))
    said = tuple(replace(one.evidence[0], found_by=who) for who in ("catalog", "precedents", "x (model)"))
    ReviewShelf().keep(replace(one, evidence=(*one.evidence, *said)))
    assert len(ReviewShelf().all()[0].evidence) == len(one.evidence)


def test_the_oldest_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MOST_WAITING", 5)
    monkeypatch.setattr(review, "_SLACK", 2)
    shelf = ReviewShelf()
    one = verdict("Subject: x\n\nhello there, a word or two")
    for n in range(30):
        shelf.keep(replace(one, case=replace(one.case, id=f"{n:016x}")))
        os.utime(shelf.folder / f"{n:016x}.json", (n, n))
        assert len(list(shelf.folder.iterdir())) <= 7
    kept = {path.stem for path in shelf.folder.iterdir()}
    assert f"{29:016x}" in kept and f"{20:016x}" not in kept
    assert len(shelf.all()) == 5


def test_what_is_no_case_is_passed_over() -> None:
    ReviewShelf().keep(verdict(mail(1, spam=True)))
    folder = ReviewShelf().folder
    for name, text in {"a.json": "", "b.json": "[]", "c.json": '{"case_id": 1}', "d.txt": "x"}.items():
        (folder / name).write_text(text)
    assert len(ReviewShelf().all()) == 1
    assert ReviewShelf().get("../labels") is None
    assert ReviewShelf().get("b") is None


def test_any_text_can_be_kept() -> None:
    ReviewShelf().keep(verdict("Subject: \ud800\u2028\x00\n\n\udfff \x1b[2J " + "x" * 100_000))
    (found,) = ReviewShelf().all()
    assert len(found.text) <= review.MOST_CHARACTERS


def test_a_labelled_case_waits_no_longer() -> None:
    ReviewShelf().keep(verdict(mail(1, spam=True)))
    (one,) = open_cases()
    known = known_sample(one.case_id, spam=True)
    assert known is not None
    give(known, "ana")
    assert open_cases() == []


def test_the_most_doubtful_comes_first() -> None:
    cases = [
        waiting("sure", "a walk along the river in autumn rain", 0.68),
        waiting("open", "the printer on floor two jams again", 0.5),
        waiting("torn", "minutes of the garden club meeting", 0.9, agreement=0.1),
    ]
    assert [q.case.case_id for q in most_informative_first(cases)] == ["open", "torn", "sure"]
    assert doubt_of(cases[2]) == pytest.approx(0.9)


def test_one_of_many_alike_comes_before_one_alone_and_its_likes_after_both() -> None:
    campaign = "your parcel waits at the depot for a small fee to be paid today"
    cases = [waiting(f"like{n}", f"{campaign} {n}", 0.6) for n in range(3)]
    cases.append(waiting("alone", "the printer on floor two jams again", 0.5))
    order = most_informative_first(cases)
    assert order[0].case.case_id.startswith("like")
    assert order[0].likes == 2
    assert order[1].case.case_id == "alone"
    assert len(order) == 4
    assert most_informative_first([]) == []


def test_keeping_a_verdict_needs_no_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; from malafide import SpamClassifier; from malafide.benches.spam import as_case\n"
        "from malafide.doors.sinks import RecordSink\n"
        "RecordSink().judged(None, SpamClassifier().judge(as_case('Subject: x\\n\\ntrundo melik vastor opren')))\n"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert len(list((home() / "review").iterdir())) == 1
    assert (
        json.loads((home() / "logs" / "classifications.jsonl").read_text())["classification"] == "UNCERTAIN"
    )
