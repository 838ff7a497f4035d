"""Labels of people: what they change, that they can be taken back exactly, and that a burst of them waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from made_up import data_set, labelled
from malafide import SpamClassifier
from malafide.errors import BadSetting, BrokenStore, UnknownName
from malafide.judging import case_of
from malafide.knowledge.precedent_record import Precedent, Provenance, TaughtPanel
from malafide.knowledge.precedents import Precedents
from malafide.knowledge.remembered import catalog_path, read_catalog
from malafide.learning.feedback import BURST_LABELS, confirm, discard, give, held, take_back
from malafide.learning.labels import labels_path, read_labels
from malafide.learning.samples import Sample, gather, precedent_sample
from malafide.learning.session import reset, teach, withdraw

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def sample(number: int, *, spam: bool) -> Sample:
    """A mail made of what spam says, and what a person says about it."""
    return replace(gather([labelled(number, spam=True)])[0], spam=spam)


def memory() -> tuple[bytes, tuple[str, ...]]:
    return catalog_path().read_bytes(), tuple(Precedents().export())


def burst(source: str, number: int, start: datetime = NOW, first: int = 900) -> None:
    for n in range(first, first + number):
        give(sample(n, spam=True), source, start + timedelta(seconds=n - first))


@pytest.fixture
def _learned() -> None:
    teach(data_set(10))


@pytest.mark.usefixtures("_learned")
def test_a_label_changes_catalog_and_precedents_and_forgetting_restores_both() -> None:
    before = memory()
    one = sample(700, spam=False)
    receipt = give(one, "ana", NOW)
    assert (receipt.held, receipt.overruled, receipt.catalog) == (0, None, True)
    after = memory()
    assert after[0] != before[0]
    (line,) = set(after[1]) - set(before[1])
    assert '"label": "ham"' in line
    assert '"how": "person", "source": "ana", "when": "2026-03-01T12:00:00+00:00"' in line
    gone = take_back(one.case_id)
    assert gone is not None and gone.source == "ana"
    assert memory() == before
    assert take_back(one.case_id) is None


@pytest.mark.usefixtures("_learned")
def test_labels_are_taken_back_one_after_the_other() -> None:
    states = [memory()]
    for n, (source, spam) in enumerate([("ana", True), ("bo", False), ("ana", False), ("cy", True)]):
        give(sample(700, spam=spam), source, NOW + timedelta(hours=n))
        give(sample(701 + n, spam=spam), source, NOW + timedelta(hours=n))
        states.append(memory())
    (case_id, others) = sample(700, spam=True).case_id, [sample(701 + n, spam=True).case_id for n in range(4)]
    while len(states) > 1:
        assert memory() == states.pop()
        take_back(others.pop())
        take_back(case_id)
    assert memory() == states[0]


@pytest.mark.usefixtures("_learned")
def test_a_label_moves_the_verdict_its_way_and_back() -> None:
    one = sample(700, spam=False)

    def score() -> float:
        return float(SpamClassifier().classify(one.text).final_score)

    before = score()
    give(one, "ana", NOW)
    assert score() < before
    take_back(one.case_id)
    assert score() == before


@pytest.mark.usefixtures("_learned")
def test_a_person_overrules_a_data_set_even_when_it_is_learned_again() -> None:
    given = data_set(10)
    before = memory()
    (mail,) = gather(given[:1])
    give(replace(mail, spam=False), "ana", NOW)
    teach(given)
    (top,) = [p for p in Precedents().search(mail.text, 20) if p.case_id == mail.case_id]
    assert (top.label, top.provenance.how) == ("ham", "person")
    assert [c.label for c in read_catalog(catalog_path()).corrections] == ["ham"]
    take_back(mail.case_id)
    assert memory() == before


def test_labels_given_before_anything_is_learned_count_afterwards() -> None:
    receipt = give(sample(700, spam=False), "ana", NOW)
    assert not receipt.catalog
    assert Precedents().stats().labels == {"ham": 1}
    catalog = teach(data_set(10)).catalog
    assert [(c.case_id, c.label, c.source) for c in catalog.corrections] == [
        (receipt.label.case_id, "ham", "ana")
    ]
    assert all(catalog.corrections[0].phrases.values())


def test_reset_keeps_what_people_said() -> None:
    teach(data_set(10))
    give(sample(700, spam=False), "ana", NOW)
    reset()
    assert Precedents().stats().sources == {"person: ana": 1}


@pytest.mark.usefixtures("_learned")
def test_labels_that_were_imported_stay_and_can_be_withdrawn() -> None:
    one = sample(700, spam=False)
    imported = Precedent(
        one.case_id, "spam", one.text, Provenance("person", "cy", "2025-01-01T00:00:00+00:00")
    )
    without = memory()
    Precedents().store(imported)
    before = memory()
    give(one, "ana", NOW)
    take_back(one.case_id)
    assert memory() == before
    assert withdraw(one.case_id) == "cy no longer says spam"
    assert memory() == without
    assert withdraw(one.case_id) is None


def test_saying_the_same_again_changes_nothing() -> None:
    give(sample(700, spam=False), "ana", NOW)
    before = labels_path().read_bytes()
    give(sample(700, spam=False), "ana", NOW + timedelta(days=1))
    assert labels_path().read_bytes() == before


@pytest.mark.usefixtures("_learned")
def test_a_burst_of_one_source_is_held_whole_and_without_effect() -> None:
    before = memory()
    burst("bot", BURST_LABELS)
    assert not held()
    assert memory() != before
    receipt = give(sample(990, spam=True), "bot", NOW + timedelta(minutes=9))
    assert receipt.held == BURST_LABELS + 1
    assert receipt.label.state == "held"
    assert memory() == before
    late = give(sample(991, spam=True), "bot", NOW + timedelta(days=1))
    assert late.label.state == "held"
    give(sample(992, spam=True), "ana", NOW + timedelta(minutes=9))
    assert memory() != before
    assert {label.source for label in held()} == {"bot"}


@pytest.mark.usefixtures("_learned")
def test_confirmed_labels_count_and_discarded_ones_never_did() -> None:
    before = memory()
    burst("bot", BURST_LABELS + 5)
    assert discard("bot") == BURST_LABELS + 5
    assert (memory(), read_labels()) == (before, [])
    burst("ana", BURST_LABELS + 5)
    assert confirm("ana") == BURST_LABELS + 5
    assert not held()
    assert Precedents().stats().sources["person: ana"] == BURST_LABELS + 5
    assert len(read_catalog(catalog_path()).corrections) == BURST_LABELS + 5
    assert give(sample(990, spam=True), "ana", NOW + timedelta(minutes=2)).label.state == "counted"
    for label in read_labels():
        take_back(label.case_id)
    assert memory() == before


def test_labels_that_come_slowly_are_no_burst() -> None:
    for n in range(BURST_LABELS + 5):
        assert give(sample(900 + n, spam=True), "ana", NOW + timedelta(minutes=n)).held == 0


def test_nobody_confirms_what_is_not_held() -> None:
    burst("bot", BURST_LABELS + 1)
    with pytest.raises(UnknownName, match="held are those of: bot"):
        confirm("ana")
    with pytest.raises(BadSetting, match="needs a source"):
        give(sample(700, spam=True), " \n", NOW)


def test_a_broken_list_of_labels_says_so() -> None:
    give(sample(700, spam=True), "ana", NOW)
    labels_path().write_text('{"case_id": 1}\n', encoding="utf-8")
    with pytest.raises(BrokenStore, match="move it away"):
        read_labels()


def test_only_people_and_data_sets_label() -> None:
    """What malafide concluded is never a precedent with a label, and never a label in the place of a person's."""
    own = Provenance("verdict", "malafide", NOW.isoformat())
    with pytest.raises(ValueError, match="only dataset and person label"):
        Precedent("c1", "spam", "some text", own)
    with pytest.raises(ValueError, match="only labels that people gave"):
        Precedents().relabel("c1", [], [Precedent("c1", None, "some text", own)])
    with pytest.raises(ValueError, match="only labels that people gave"):
        data = Provenance("dataset", "x", NOW.isoformat())
        Precedents().relabel("c1", [], [Precedent("c1", "spam", "some text", data)])


@pytest.mark.usefixtures("_learned")
def test_classifying_teaches_nothing() -> None:
    before = memory()
    classifier = SpamClassifier()
    for item in data_set(20, first=300):
        classifier.classify(item.message)
    assert memory() == before
    assert not labels_path().exists()


CHAT = (
    b'{"messages": [{"sender": "stranger", "text": "Send the code of your bank now, or your account closes."},'
    b' {"sender": "user", "text": "Which code?"}]}'
)


@pytest.mark.parametrize(
    ("panel", "content"), [("document", b"Subject: a\n\nPay at once."), ("conversation", CHAT)]
)
def test_documents_and_conversations_become_precedents_of_their_own_panel(
    panel: TaughtPanel, content: bytes
) -> None:
    case = case_of(panel, content)
    give(precedent_sample(case, "spam", spam=False), "ben")  # what was said of it as mail is another matter
    receipt = give(precedent_sample(case, panel, spam=True), "ana")
    store = Precedents()
    assert [one.label for one in store.labels(case.id, panel)] == ["scam"]
    assert [one.label for one in store.labels(case.id)] == ["ham"]
    assert read_labels()[-1] == receipt.label and receipt.label.word == "scam"
    gone = take_back(case.id, panel)
    assert gone == receipt.label and not store.labels(case.id, panel)
    assert [one.label for one in store.labels(case.id)] == ["ham"]
    store.close()
