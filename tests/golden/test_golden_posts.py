"""Whole posts with the answers they must get: the same by the Python API and by the command line.

`post/<name>/post.json` is a made-up post; `expected.json` beside it holds the range of the score, what is said of the
claim, the values some signals must have (null: unknown) and the kinds of evidence that must be found.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from malafide.benches.post import PostExaminer, PostVerdict, as_contract
from malafide.intake.posts import read_post

FOLDER = Path(__file__).parent / "post"
NAMES = sorted(folder.name for folder in FOLDER.iterdir())


def load(name: str, file: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / name / file).read_text(encoding="utf-8"))
    return document


@cache
def verdict(name: str) -> PostVerdict:
    return PostExaminer().judge(read_post(load(name, "post.json")))


@pytest.mark.parametrize("name", NAMES)
def test_it_gets_its_answer(name: str) -> None:
    found, wanted = verdict(name), load(name, "expected.json")
    low, high = wanted["score"]
    assert low <= found.decision.score <= high, found.trace
    assert found.answer == wanted["answer"]
    values = {signal.name: signal.value for signal in found.signals}
    assert {key: values[key] for key in wanted["signals"]} == wanted["signals"]
    kinds = {evidence.kind for signal in found.signals for evidence in signal.evidence}
    assert set(wanted["kinds"]) <= kinds


@pytest.mark.parametrize("name", NAMES)
def test_every_word_quoted_stands_there_and_every_signal_says_why(name: str) -> None:
    found = verdict(name)
    for signal in found.signals:
        assert all(evidence.holds_in(found.post.case) for evidence in signal.evidence)
        assert (signal.value is None) == (signal.origin == "unknown")
        assert signal.because and signal.by
        if signal.name == "extracted_claim" and signal.value is not None:
            assert str(signal.value) in found.post.case.reading
    unknown = [signal.name for signal in found.signals if signal.value is None]
    assert all(any(line.startswith(f"signal {name}: unknown") for line in found.trace) for name in unknown)


def test_the_command_line_says_the_same(tmp_path: Path) -> None:
    posts = tmp_path / "posts.jsonl"
    posts.write_text("".join(f"{json.dumps(load(name, 'post.json'))}\n" for name in NAMES), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "malafide", "post", str(posts), "--json", "--details"],
        capture_output=True, check=True, timeout=60, env=os.environ | {"MALAFIDE_HOME": str(tmp_path / "home")},
    )  # fmt: skip
    printed = json.loads(done.stdout)
    expected = {name: json.loads(json.dumps(as_contract(verdict(name), details=True))) for name in NAMES}
    assert printed == expected
