"""Whole mails with the answers they must get: the same by the Python API and by the command line.

`email/<name>/mail.eml` is a made-up mail; `expected.json` beside it lists the answers that are `allowed` and the
kinds of evidence that must and must not be found.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from malafide import SpamClassifier, SpamResult

FOLDER = Path(__file__).parent / "email"
NAMES = sorted(folder.name for folder in FOLDER.iterdir())


@cache
def classifier() -> SpamClassifier:
    return SpamClassifier()


@cache
def answer(name: str) -> SpamResult:
    return classifier().classify((FOLDER / name / "mail.eml").read_bytes())


@cache
def expected(name: str) -> dict[str, list[str]]:
    wanted: dict[str, list[str]] = json.loads((FOLDER / name / "expected.json").read_text(encoding="utf-8"))
    return wanted


def printed(home: Path) -> dict[str, dict[str, Any]]:
    """What the command line prints for all mails at once, by the name of the case."""
    mails = [str(FOLDER / name / "mail.eml") for name in NAMES]
    command = [sys.executable, "-m", "malafide", "classify", "--json", *mails]
    done = subprocess.run(
        command, capture_output=True, check=True, timeout=60, env=os.environ | {"MALAFIDE_HOME": str(home)}
    )
    found = {}
    for line in done.stdout.decode("utf-8").splitlines():
        row = json.loads(line)
        found[Path(row["malafide"].pop("file")).parent.name] = row
    return found


def is_harmless(name: str) -> bool:
    return "HAM" in expected(name)["allowed"]


@pytest.mark.parametrize("name", NAMES)
def test_answer(name: str) -> None:
    result = answer(name)
    kinds = {e.kind for e in result.verdict.evidence}
    assert result.final_classification in expected(name)["allowed"], (result.final_score, sorted(kinds))
    assert set(expected(name)["must"]) <= kinds
    assert kinds.isdisjoint(expected(name)["must_not"])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_promised_of_every_verdict(name: str) -> None:
    result = answer(name)
    verdict = result.verdict
    assert all(e.holds_in(verdict.case) for e in verdict.evidence)
    if verdict.contributions:
        assert math.isclose(
            math.fsum(c.amount for c in verdict.contributions), result.final_score, abs_tol=1e-9
        )
    assert result.summary and result.detailed_reasoning
    assert bool(result.key_evidence) == bool(verdict.evidence)
    assert result.uncertainty_flag == (result.final_classification == "UNCERTAIN")


def test_command_line_answers_the_same(tmp_path: Path) -> None:
    rows = printed(tmp_path)
    assert sorted(rows) == NAMES
    for name in NAMES:
        assert json.dumps(rows[name], ensure_ascii=False) == json.dumps(answer(name), ensure_ascii=False), (
            name
        )


def test_most_of_both_kinds_are_called_what_they_are() -> None:
    """UNCERTAIN is allowed one by one, not as a habit."""
    harmless = [answer(name).final_classification for name in NAMES if is_harmless(name)]
    deceptive = [answer(name).final_classification for name in NAMES if not is_harmless(name)]
    assert len(harmless) >= 50 and len(deceptive) >= 40
    assert harmless.count("HAM") >= 0.9 * len(harmless)
    assert deceptive.count("SPAM") >= 0.9 * len(deceptive)
