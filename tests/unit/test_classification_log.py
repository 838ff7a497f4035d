"""The classification log: exact lines, many writers, rotation, and readers that bear anything."""

from __future__ import annotations

import json
import multiprocessing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured import Parrot

from malafide.intake import read_text
from malafide.record.classification_log import KEPT, ClassificationLog, Logged, parse, record

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def _entry(number: int = 0, moment: datetime = NOON) -> Logged:
    scores = {"content_analyzer": 0.9, "pattern_recognizer": None, "intent_analyzer": 0.8}
    return Logged(moment, f"case-{number}", "SPAM", 0.97, scores, 2.5, 0.85, 0.9)


@pytest.fixture
def log(tmp_path: Path) -> ClassificationLog:
    return ClassificationLog(tmp_path / "logs" / "classifications.jsonl")


def test_a_line_has_exactly_the_fields_of_the_contract() -> None:
    line = json.loads(_entry().line())
    extra = line.pop("malafide")
    assert list(line) == [
        "timestamp", "email_id", "classification", "confidence", "agent_scores", "processing_time_ms",
    ]  # fmt: skip
    assert line["timestamp"] == "2024-05-01T12:00:00.000+00:00"
    assert extra == {"final_score": 0.85, "agent_agreement": 0.9}


def test_what_is_written_is_read_back(log: ClassificationLog) -> None:
    entries = [_entry(i, NOON + timedelta(hours=i)) for i in range(5)]
    for entry in entries:
        log.append(entry)
    assert list(log.read()) == entries
    assert list(log.read(since=NOON + timedelta(hours=3))) == entries[3:]
    assert log.path.stat().st_mode & 0o777 == 0o600


def test_a_verdict_is_recorded_under_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path))
    case = read_text("a prize for you")
    record(Parrot().judge(case))
    (entry,) = ClassificationLog().read()
    assert (entry.email_id, entry.classification, entry.score) == (case.id, "SPAM", 0.95)
    assert entry.agent_scores == {
        "content_analyzer": 0.95,
        "pattern_recognizer": 0.95,
        "intent_analyzer": None,
    }
    assert (tmp_path / "logs" / "classifications.jsonl").is_file()


def test_a_missing_log_is_empty(log: ClassificationLog) -> None:
    assert list(log.read()) == []


def test_a_torn_line_costs_only_itself(log: ClassificationLog) -> None:
    log.append(_entry(1))
    with log.path.open("ab") as handle:
        handle.write(_entry(2).line().encode()[:40])
    log.append(_entry(3))
    assert [e.email_id for e in log.read()] == ["case-1", "case-3"]


def test_foreign_and_endless_lines_are_passed_over(log: ClassificationLog) -> None:
    log.append(_entry(1))
    with log.path.open("ab") as handle:
        handle.write(b"\n{}\nnull\n[1]\n\xff\xfe\n" + b"x" * 200_000 + b"\n")
    log.append(_entry(2))
    assert [e.email_id for e in log.read()] == ["case-1", "case-2"]


def test_full_files_are_set_aside_and_the_oldest_goes(log: ClassificationLog) -> None:
    size = len(_entry(10).line()) + 1
    small = ClassificationLog(log.path, max_bytes=3 * size)
    for number in range(10, 40):
        small.append(_entry(number))
    files = sorted(p.name for p in log.path.parent.iterdir())
    assert files == [log.path.name, *(f"{log.path.name}.{i}" for i in range(1, KEPT + 1))]
    kept = [e.email_id for e in small.read()]
    assert kept == [f"case-{i}" for i in range(40 - len(kept), 40)] and len(kept) >= 3 * KEPT


def _write(path: str, writer: int) -> None:
    log = ClassificationLog(Path(path), max_bytes=20_000)
    for number in range(60):
        log.append(_entry(writer * 1000 + number))


def test_writers_at_once_lose_nothing(log: ClassificationLog) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(str(log.path), writer)) for writer in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [w.exitcode for w in writers] == [0, 0]
    expected = {f"case-{w * 1000 + n}" for w in (1, 2) for n in range(60)}
    assert {e.email_id for e in log.read()} == expected


def test_a_lock_that_was_left_behind_does_not_stop_rotation(log: ClassificationLog) -> None:
    import os

    small = ClassificationLog(log.path, max_bytes=10)
    small.append(_entry(1))
    lock = log.path.with_name(f"{log.path.name}.lock")
    lock.touch()
    os.utime(lock, (0, 0))
    small.append(_entry(2))  # finds the lock stale and removes it
    small.append(_entry(3))  # sets the file aside
    assert not lock.exists()
    assert [e.email_id for e in small.read()] == ["case-1", "case-2", "case-3"]
    assert log.path.with_name(f"{log.path.name}.1").exists()


@given(st.binary(max_size=200))
def test_any_line_is_an_entry_or_none(line: bytes) -> None:
    assert parse(line) is None or isinstance(parse(line), Logged)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("confidence", 2),
        ("confidence", "nan"),
        ("classification", "MAYBE"),
        ("timestamp", "noon"),
        ("agent_scores", 3),
    ],
)
def test_impossible_values_are_no_entry(field: str, value: object) -> None:
    line = json.loads(_entry().line())
    line[field] = value
    assert parse(json.dumps(line).encode()) is None
