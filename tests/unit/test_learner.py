"""The learner on made-up mail: what was planted is found, what marks only its origin is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from made_up import data_set, labelled, mail
from malafide import Knowledge, SpamClassifier
from malafide.errors import UnreadableInput
from malafide.knowledge.catalog import Catalog, Counts, Known, dump
from malafide.learning.learner import learn
from malafide.learning.samples import gather

PLANTED = "zebra lantern voucher"
SIGNATURE = "quokka signature department"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Learned from 320 mails: one phrase in 40 spam mails of many senders, another in 40 of a single sender."""
    spam = [labelled(n, spam=True, planted=PLANTED) for n in range(40)]
    spam += [labelled(n, spam=True, planted=SIGNATURE, sender="one.example") for n in range(40, 80)]
    spam += [labelled(n, spam=True) for n in range(80, 160)]
    ham = [labelled(n, spam=False) for n in range(160)]
    return learn(gather(spam + ham), ["made-up.csv"])


def known(catalog: Catalog, phrase: str) -> Iterator[Known]:
    return (p.phrases[phrase] for p in catalog.patterns if phrase in p.phrases)


@pytest.mark.parametrize("phrase", ["zebra", "lantern", "zebra lantern", "lantern voucher"])
def test_a_planted_pattern_is_found_with_its_support(catalog: Catalog, phrase: str) -> None:
    (found,) = known(catalog, phrase)
    assert found.counts == Counts(40, 0)
    assert found.weight > 0.5


def test_phrases_that_come_together_are_one_pattern(catalog: Catalog) -> None:
    (pattern,) = [p for p in catalog.patterns if "zebra" in p.phrases]
    assert {"zebra", "lantern", "voucher"} <= pattern.phrases.keys()
    assert (pattern.side, pattern.family) == ("spam", "content")
    assert pattern.support.spam >= 40
    assert pattern.support.ham == 0
    assert all(example in " ".join(mail_texts()) for example in pattern.examples)


def mail_texts() -> list[str]:
    from malafide.benches.spam import as_case

    planted = [as_case(mail(n, spam=True, planted=PLANTED)) for n in range(40)]
    return [" ".join(case.reading.split()) for case in planted]


@pytest.mark.parametrize("phrase", ["quokka", "quokka signature", "signature department"])
def test_a_phrase_of_a_single_sender_is_not_trusted(catalog: Catalog, phrase: str) -> None:
    assert not list(known(catalog, phrase))


def test_the_catalog_counts_and_calibrates_on_all_mail(catalog: Catalog) -> None:
    assert catalog.cases == Counts(160, 160)
    assert catalog.calibration["cases"] == 320
    assert catalog.calibration["slope"] > 0
    for side in ("spam", "ham"):
        assert 5 <= len(catalog.few_shot[side]) <= 10  # type: ignore[index]


def test_what_was_learned_speaks_about_new_mail(catalog: Catalog) -> None:
    message = mail(900, spam=True, planted=PLANTED)
    before = SpamClassifier(knowledge=Knowledge()).classify(message)
    after = SpamClassifier(knowledge=Knowledge(catalog)).classify(message)
    assert after.final_score > before.final_score
    assert after.final_classification == "SPAM"
    assert any(e["kind"] == "catalog.content-spam" for e in after.malafide["evidence"])
    assert "learned phrases lean to spam" in after.detailed_reasoning


def test_a_pattern_that_a_person_gave_weight_zero_is_silent(catalog: Catalog) -> None:
    message = mail(900, spam=True, planted=PLANTED)
    silenced = replace(
        catalog,
        patterns=tuple(replace(p, weight=0.0) if p.side == "spam" else p for p in catalog.patterns),
    )
    loud = SpamClassifier(knowledge=Knowledge(catalog)).classify(message)
    quiet = SpamClassifier(knowledge=Knowledge(silenced)).classify(message)
    for said, speaks in ((loud, True), (quiet, False)):
        spam = [
            e for e in said.malafide["evidence"] if e["kind"].startswith("catalog.") and "spam" in e["kind"]
        ]
        assert bool(spam) == speaks
    assert quiet.final_score < loud.final_score


def test_learning_is_the_same_every_time() -> None:
    samples = gather(data_set(12))
    assert dump(learn(samples, ["a"])) == dump(learn(samples, ["a"]))


def test_too_little_mail_of_a_class_is_refused() -> None:
    samples = gather(
        [labelled(n, spam=True) for n in range(20)] + [labelled(n, spam=False) for n in range(4)]
    )
    with pytest.raises(UnreadableInput, match="20 spam and 4 ham mails to learn from; at least 5"):
        learn(samples, [])
