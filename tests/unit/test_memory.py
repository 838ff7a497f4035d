"""What is learned is remembered: two lessons teach what one does, and one that fails changes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from made_up import data_set, labelled
from malafide.errors import BadCatalog, BrokenStore, Busy, UnreadableInput
from malafide.home import home
from malafide.knowledge.catalog import dump
from malafide.knowledge.precedents import Precedents
from malafide.knowledge.remembered import catalog_path, read_catalog, remembered
from malafide.learning.lock import changing
from malafide.learning.memory import learned_ids, merged, read_samples, samples_path, write_samples
from malafide.learning.samples import gather
from malafide.learning.session import reset, teach, unlearn
from malafide.learning.trial import known_before, trial

FIRST, SECOND = data_set(10), data_set(8, first=10)


def everything() -> tuple[bytes, list[str]]:
    """What is remembered, without the times at which it was learned."""
    lines = [json.loads(line) for line in Precedents().export()]
    return catalog_path().read_bytes(), [json.dumps({**line, "when": ""}) for line in lines]


def test_samples_come_back_as_they_went(tmp_path: Path) -> None:
    samples = gather(FIRST)
    write_samples(tmp_path / "s.gz", samples)
    back = read_samples(tmp_path / "s.gz")
    assert [(s.case_id, s.spam, s.sender, s.phrases) for s in back] == [
        (s.case_id, s.spam, s.sender, s.phrases) for s in samples
    ]
    assert learned_ids(tmp_path / "s.gz") == {s.case_id for s in samples}
    assert [p.name for p in tmp_path.iterdir()] == ["s.gz"]


def test_the_newer_label_of_a_mail_counts() -> None:
    (sample,) = gather(FIRST[:1])
    other = replace(sample, spam=not sample.spam)
    assert merged([sample], [other]) == [other]


def test_a_broken_file_of_samples_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "s.gz").write_bytes(b"\x1f\x8bnonsense")
    with pytest.raises(BrokenStore, match="catalog reset"):
        read_samples(tmp_path / "s.gz")
    assert read_samples(tmp_path / "none.gz") == []


def test_two_lessons_teach_what_one_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = teach(FIRST)
    assert (first.read, first.new, first.precedents) == (20, 20, 20)
    second = teach(SECOND)
    assert (second.read, second.new, second.catalog.cases.spam) == (16, 16, 18)
    assert second.catalog.sources == ("made-up.csv",)
    apart = everything()
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path / "other"))
    teach([*FIRST, *SECOND])
    assert everything() == apart


def test_learning_the_same_again_changes_nothing() -> None:
    teach(FIRST)
    before = everything()
    again = teach(FIRST)
    assert (again.new, again.precedents) == (0, 0)
    assert everything() == before


def test_a_mail_of_a_data_set_can_be_taken_out_exactly() -> None:
    teach(FIRST)
    before = everything()
    extra = labelled(500, spam=True)
    teach([extra])
    assert everything() != before
    (sample,) = gather([extra])
    assert unlearn(sample.case_id)
    assert everything() == before
    assert not unlearn(sample.case_id)


def test_weights_that_a_person_changed_outlast_learning_again() -> None:
    teach(FIRST)
    catalog = read_catalog(catalog_path())
    silenced = catalog.patterns[0]
    edited = replace(catalog, patterns=(replace(silenced, weight=0.0), *catalog.patterns[1:]))
    catalog_path().write_text(dump(edited), encoding="utf-8")
    lesson = teach(FIRST)
    assert lesson.edits_kept == (silenced.pattern_type,)
    assert next(p for p in lesson.catalog.patterns if p.pattern_type == silenced.pattern_type).weight == 0.0


def test_a_lesson_that_cannot_be_learned_leaves_everything() -> None:
    with pytest.raises(UnreadableInput, match="at least 5"):
        teach(FIRST[:4])
    assert not catalog_path().exists()
    assert not samples_path().exists()
    assert list(Precedents().export()) == []
    teach(FIRST)
    catalog_path().write_text("{broken", encoding="utf-8")
    with pytest.raises(BadCatalog):
        teach(SECOND)
    assert catalog_path().read_text(encoding="utf-8") == "{broken"


def test_learning_that_is_stopped_leaves_the_old_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    teach(FIRST)
    before = everything()

    def stop(what: str, done: int, of: int) -> None:
        if what == "learning":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        teach(SECOND, stop)
    assert everything() == before
    assert teach(SECOND).new == 16  # and the lock is free


def test_two_learners_at_once_are_refused() -> None:
    code = (
        "import sys; from malafide.learning.lock import changing\n"
        "with changing('learning'): print(1, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(Busy, match=rf"learning \(process {other.pid}\).*nothing was changed"):
            teach(FIRST)
        other.kill()
    with changing("anything", patience=0.0):  # whoever held it is gone, and with it the lock
        pass


def test_reset_moves_everything_aside_and_can_be_undone() -> None:
    teach(FIRST)
    before = everything()
    aside = reset()
    assert aside is not None
    assert remembered().catalog is None
    assert list(Precedents().export()) == []
    for path in aside.iterdir():
        path.replace(home() / path.name)
    assert everything() == before


def test_reset_of_nothing_does_nothing() -> None:
    assert reset() is None


def test_a_trial_knows_what_it_was_taught_and_touches_nothing() -> None:
    with trial(lambda what, done, of: None) as taught:
        known = taught(FIRST)
        assert known.catalog is not None and known.precedents is not None
        assert known.catalog.cases.spam == 10
        assert known.precedents.stats().labels == {"ham": 10, "spam": 10}
    assert not home().exists()


def test_mail_that_was_learned_from_is_recognised() -> None:
    assert known_before(FIRST) == 0
    teach(FIRST)
    assert known_before([*FIRST[:3], *SECOND]) == 3
