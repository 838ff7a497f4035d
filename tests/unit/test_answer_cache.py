"""Answers kept: found again by everything that matters, the oldest let go, and never a reason to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from malafide.exchange import Reply
from malafide.minds import cache
from malafide.minds.cache import AnswerCache
from malafide.minds.mind import Prompt


def prompt(**changed: object) -> Prompt:
    asked = {
        "agent": "a", "case_id": "c", "attempt": 1, "system": "s", "user": "=== b1 u", "boundary": "b1",
        "schema": {"type": "object"}, **changed,
    }  # fmt: skip
    return Prompt(**asked)  # type: ignore[arg-type]


def test_an_answer_is_found_by_everything_that_matters_and_not_by_the_boundary() -> None:
    key = prompt().key("m")
    assert prompt(user="=== b2 u", boundary="b2").key("m") == key
    others = [prompt(system="t"), prompt(user="=== b1 v"), prompt(schema={"type": "array"})]
    assert len({key, prompt().key("n"), *(other.key("m") for other in others)}) == 5


def test_the_oldest_answers_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST", 3)
    monkeypatch.setattr(cache, "_TIDY_EVERY", 5)
    kept = AnswerCache(tmp_path / "answers.sqlite")
    for number in range(5):
        kept.put(str(number), Reply("m", text=f"answer {number}"))
    found = [kept.get(str(number)) for number in range(5)]
    assert [reply.text if reply else None for reply in found] == [
        None, None, "answer 2", "answer 3", "answer 4",
    ]  # fmt: skip
    assert all(reply.remembered for reply in found if reply)
    assert (tmp_path / "answers.sqlite").stat().st_mode & 0o77 == 0


def test_a_broken_cache_is_no_cache(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"not a database at all, by any means")
    kept = AnswerCache(path)
    kept.put("k", Reply("m", text="answer"))
    assert kept.get("k") is None
