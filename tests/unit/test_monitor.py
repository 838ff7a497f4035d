"""The watch over time: buckets, drift that matters and drift that does not, and its page."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from malafide.doors.cli import app
from malafide.measure.drift import agreement_of, score_of, shift, stability_index
from malafide.measure.monitor import Watch, recent, watch
from malafide.measure.monitor_page import monitor_page
from malafide.measure.words import sparkline, watch_lines
from malafide.record.classification_log import ClassificationLog, Logged
from malafide.verdict import Classification

START = datetime(2024, 5, 6, tzinfo=UTC)


def _entry(moment: datetime, score: float, milliseconds: float = 2.0) -> Logged:
    answer: Classification = "SPAM" if score >= 0.7 else "HAM" if score <= 0.3 else "UNCERTAIN"
    scores = {"content_analyzer": score, "pattern_recognizer": min(score + 0.1, 1.0), "intent_analyzer": None}
    return Logged(moment, "x", answer, 0.9, scores, milliseconds, score, None)


def _stream(days: int, per_day: int, late_spam: float) -> list[Logged]:
    """A fifth is spam; in the last quarter as much as said."""
    chance = random.Random(3)
    total = days * per_day
    entries = []
    for i in range(total):
        spam = chance.random() < (0.2 if i < total * 0.75 else late_spam)
        score = min(1.0, max(0.0, chance.gauss(0.85 if spam else 0.15, 0.1)))
        entries.append(_entry(START + timedelta(days=days * i / total), score))
    return entries


def _watched(entries: list[Logged]) -> Watch:
    seen = watch(entries)
    assert seen is not None
    return seen


def test_nothing_logged_is_none() -> None:
    assert watch([]) is None


@pytest.mark.parametrize(("days", "step", "buckets"), [(2, "hour", 48), (20, "day", 20), (140, "week", 20)])
def test_buckets_follow_the_span(days: int, step: str, buckets: int) -> None:
    seen = _watched(_stream(days, 24 if days < 3 else 3, 0.2))
    assert (seen.step, len(seen.buckets)) == (step, buckets)
    assert sum(b.cases for b in seen.buckets) == seen.whole.cases


def test_figures_of_a_bucket_by_hand() -> None:
    scores = (0.9, 0.5, 0.1, 0.2)
    seen = _watched([_entry(START, s, milliseconds=i + 1) for i, s in enumerate(scores)])
    (bucket,) = seen.buckets
    assert bucket.answers == {"SPAM": 1, "UNCERTAIN": 1, "HAM": 2}
    assert (bucket.uncertainty, bucket.score, bucket.p50_ms, bucket.p99_ms) == (
        0.25,
        pytest.approx(0.425),
        2,
        4,
    )
    assert (bucket.consensus, bucket.agreement) == (1.0, pytest.approx(0.9))
    assert seen.drift is None and "Too few verdicts" in seen.findings[0].sentence


def test_an_empty_day_is_a_bucket_without_figures() -> None:
    seen = _watched([_entry(START, 0.1), _entry(START + timedelta(days=5), 0.9)])
    assert [b.cases for b in seen.buckets] == [1, 0, 0, 0, 0, 1]
    assert seen.buckets[1].score is None and seen.buckets[1].consensus is None


def test_drift_is_found_and_said() -> None:
    seen = _watched(_stream(20, 40, late_spam=0.7))
    said = {f.sentence: f.matters for f in seen.findings}
    assert any(s.startswith("Scores are spread quite differently") and m for s, m in said.items())
    assert any(s.startswith("The mean score rose") and m for s, m in said.items())
    assert any(s.startswith("The share called SPAM rose") and m for s, m in said.items())


def test_no_drift_is_no_alarm() -> None:
    seen = _watched(_stream(20, 40, late_spam=0.2))
    assert not any(f.matters for f in seen.findings)
    assert seen.findings[0].sentence.startswith("Scores are spread as before")


def test_stability_and_shift_by_hand() -> None:
    low, high = [0.05] * 10, [0.95] * 10
    assert stability_index(low, low) == 0.0
    # shares (10.5/15, 0.5/15) against the reverse
    expected = 2 * (10.5 / 15 - 0.5 / 15) * 3.044522
    assert stability_index(low, high) == pytest.approx(expected, rel=1e-5)
    change = shift([0.0, 1.0] * 50, [1.0] * 100)
    assert change.by == pytest.approx(0.5)
    assert change.margin == pytest.approx(1.959964 * (0.25 * 100 / 99 / 100) ** 0.5)
    assert change.matters and not shift([0.5] * 50, [0.52] * 50).matters


def test_lines_without_our_extras_still_count() -> None:
    entry = Logged(START, "x", "SPAM", 0.9, {"a": 0.8, "b": 0.6, "c": None}, 1.0)
    assert score_of(entry) == pytest.approx(0.7)
    assert agreement_of(entry) == pytest.approx(0.8)
    alone = Logged(START, "x", "SPAM", 0.9, {"a": 0.8}, 1.0)
    assert agreement_of(alone) is None


@given(st.lists(st.one_of(st.none(), st.floats(0, 1e6)), max_size=80), st.booleans())
def test_sparklines_have_one_sign_per_value(values: list[float | None], plain: bool) -> None:
    line = sparkline(values, plain=plain)
    assert len(line) == min(len(values), 60)
    assert not plain or line.isascii()


def test_words_and_page() -> None:
    seen = _watched(_stream(20, 40, late_spam=0.7))
    text = "\n".join(watch_lines(seen))
    assert "800 verdicts by day" in text and "! The mean score rose" in text
    assert "\n".join(watch_lines(seen, plain=True)).isascii()
    page = monitor_page(seen)
    assert page.count("<svg") == 4 and "What changed" in page and "<script" not in page
    assert json.loads(json.dumps(seen.as_json(), allow_nan=False))["whole"]["cases"] == 800


def test_only_the_days_asked_for_and_nothing_from_the_future(tmp_path: Path) -> None:
    log = ClassificationLog(tmp_path / "log")
    now = START + timedelta(days=10)
    for day in (0, 8, 9, 400):
        log.append(_entry(START + timedelta(days=day), 0.1))
    assert len(recent(log, 3, now)) == 2


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path))
    empty = CliRunner().invoke(app, ["monitor"])
    assert "nothing was logged in the last 30 days" in str(empty.exception)
    now = datetime.now(UTC)
    for i in range(200):
        ClassificationLog().append(_entry(now - timedelta(minutes=i), 0.1))
    page = tmp_path / "monitor.html"
    shown = CliRunner().invoke(app, ["monitor", "--html", str(page)])
    assert shown.exit_code == 0 and "200 verdicts by hour" in shown.stdout
    assert page.read_text().startswith("<!doctype html>")
    told = CliRunner().invoke(app, ["monitor", "--days", "1", "--json"])
    assert json.loads(told.stdout)["whole"]["cases"] == 200
