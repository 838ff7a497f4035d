"""A validation end to end: what is judged, what fails, what is saved, and the replay in order of time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from measured import Parrot

from malafide.doors.cli import app
from malafide.errors import BadSetting
from malafide.intake.datasets import Label, Labelled, text_digest
from malafide.measure.report import report
from malafide.measure.validation import Validation, chronological, validate
from malafide.measure.words import validation_lines


def _item(label: Label, text: str, day: int = 0) -> Labelled:
    date = datetime(2024, 5, 1, tzinfo=UTC) + timedelta(days=day)
    return Labelled(text, text, label, "made", date, text_digest(text))


MAIL = [
    _item("spam", "a prize for you"),
    _item("spam", "another prize"),
    _item("spam", "lunch is on us, wire the fee"),
    _item("ham", "lunch at noon?"),
    _item("ham", "you won the prize draw at school"),
    _item("ham", "the minutes of monday"),
    _item("ham", "poison"),
]


@pytest.fixture
def validation() -> Validation:
    return validate(Parrot(), MAIL, notes=["made up by us"])


def test_every_case_is_judged_and_failures_are_named(validation: Validation) -> None:
    assert [(j.row.label, j.row.classification) for j in validation.judged] == [
        ("spam", "SPAM"),
        ("spam", "SPAM"),
        ("spam", "HAM"),
        ("ham", "HAM"),
        ("ham", "SPAM"),
        ("ham", "UNCERTAIN"),
    ]
    assert [(f.name, f.label) for f in validation.failed] == [("poison", "ham")]
    assert validation.measures.rates.accuracy.value == 0.5
    assert [j.row.name for j in validation.worst(10)] == [MAIL[4].name, MAIL[2].name]
    assert [j.row.name for j in validation.worst(1)] == [MAIL[4].name]


def test_progress_counts_every_case() -> None:
    seen: list[tuple[int, int]] = []
    validate(Parrot(), MAIL, lambda done, total: seen.append((done, total)))
    assert seen == [(i, len(MAIL)) for i in range(1, len(MAIL) + 1)]


def test_what_is_saved(validation: Validation) -> None:
    metrics = json.loads(json.dumps(validation.metrics(), allow_nan=False))
    assert metrics["cases"] == 6 and metrics["accuracy"] == 0.5 and metrics["notes"] == ["made up by us"]
    assert metrics["failures"] == [
        {"name": "poison", "label": "ham", "error": "this cannot be read <b>at all</b>"}
    ]
    lines = [json.loads(line) for line in validation.lines()]
    assert len(lines) == len(MAIL)
    assert lines[0]["label"] == "spam" and lines[0]["final_classification"] == "SPAM"
    assert lines[0]["agent_scores"] == {
        "content_analyzer": 0.95, "pattern_recognizer": 0.95, "intent_analyzer": None,
    }  # fmt: skip
    assert lines[5]["uncertainty_flag"] is True and lines[5]["uncertainty_reason"] == "open"
    assert lines[-1]["error"].startswith("this cannot be read")


class _Page(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_has_every_section_and_cannot_act(validation: Validation) -> None:
    html = report(validation, "Validation on made-up mail")
    page = _Page()
    page.feed(html)
    for words in (
        "Confusion matrix", "Scores by class", "Reliability", "Risk and coverage", "Stricter or looser",
        "The agents", "The patterns", "Worst errors", "Not judged", "calibration error (ECE)",
        "total cost ratio (TCR)",
    ):  # fmt: skip
        assert words in page.text, words
    assert page.tags.count("svg") == 4
    assert not {"script", "img", "a", "i", "iframe", "form", "link"} & set(page.tags)
    assert not {"style", "onclick", "onload", "href", "src"} & set(page.attributes)
    assert "http://bad.example" not in html and "hxxp://bad[.]example/x" in page.text
    assert "<script>alert(1)</script>" in page.text  # as words


def test_an_all_right_validation_has_a_report() -> None:
    one = validate(Parrot(), MAIL[:1])
    assert "Nothing was called the wrong thing" in report(one, "One")
    assert any("no errors" in line for line in validation_lines(one))


def test_the_terminal_summary(validation: Validation) -> None:
    text = "\n".join(validation_lines(validation))
    assert "was spam" in text and "false positive rate" in text and "content-analyzer" in text
    assert "0.70 / 0.30  in use" in text and "1 could not be judged" in text
    assert "http://" not in text


def test_replay_learns_only_from_what_came_before() -> None:
    mail = [_item("spam", f"prize {i}", i) for i in range(10)]
    taught: list[int] = []
    done: list[tuple[int, int]] = []

    def learn(items: Sequence[Labelled]) -> Parrot:
        taught.append(len(items))
        assert [i.name for i in items] == [f"prize {i}" for i in range(len(items))]
        return Parrot(len(items))

    replay = chronological(mail, learn, 5, lambda at, total: done.append((at, total)))
    assert taught == [2, 4, 6, 8]
    assert [j.row.name for j in replay.judged] == [f"prize {i}" for i in range(2, 10)]
    assert done == [(i, 8) for i in range(1, 9)]
    assert "the first 2 messages were only learned from" in replay.notes[0]


@pytest.mark.parametrize("blocks", [0, 1, 8])
def test_impossible_replays_are_refused(blocks: int) -> None:
    with pytest.raises(BadSetting, match="are not possible"):
        chronological(MAIL, lambda _: Parrot(), blocks)


CSV = "label,text\n" + "".join(
    f"spam,Claim your prize number {i} by wire\nham,Lunch at {i} with the team?\n" for i in range(10)
)


def test_the_command_writes_its_files(tmp_path: Path) -> None:
    (tmp_path / "mail.csv").write_text(CSV)
    out = tmp_path / "deep" / "results"
    ran = CliRunner().invoke(
        app, ["validate", "--dataset", str(tmp_path / "mail.csv"), "--out", str(out), "--json"]
    )
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["cases"] == 20
    assert "labels from column 'label'" in ran.stderr
    assert sorted(p.name for p in out.iterdir()) == [
        "classifications.jsonl", "performance_metrics.json", "report.html",
    ]  # fmt: skip
    assert len((out / "classifications.jsonl").read_text().splitlines()) == 20


def test_the_command_learns_from_the_rest(tmp_path: Path) -> None:
    (tmp_path / "mail.csv").write_text(CSV)
    arguments = [
        "validate",
        "--dataset",
        str(tmp_path / "mail.csv"),
        "--out",
        str(tmp_path / "out"),
        "--json",
    ]
    ran = CliRunner().invoke(app, [*arguments, "--split", "0.3"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["cases"] == 6
    assert "Learned from 14 of them, measured on the other 6 (seed 1)." in ran.stderr
    rows = [
        json.loads(line) for line in (tmp_path / "out" / "classifications.jsonl").read_text().splitlines()
    ]
    assert any("catalog.content-spam" in row["malafide"]["patterns"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [([], "there is no labelled mail"), (["--split", "0.3", "--time-ordered"], "exclude each other")],
)
def test_the_command_refuses_plainly(arguments: list[str], error: str) -> None:
    ran = CliRunner().invoke(app, ["validate", *arguments])
    assert error in str(ran.exception)
