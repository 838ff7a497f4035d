"""Whole documents with the answers they must get, and those made for the benchmark: no scam is called safe, no ordinary
document a scam, on any route.

`document/<name>/` holds a made-up `document.pdf` or `mail.eml`; `expected.json` beside it lists the answers that are
`allowed` and the kinds of evidence that must and must not be found.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.made_documents import ordinary, scams
from click.testing import CliRunner

from malafide import assess_document
from malafide.assessment import Route
from malafide.benches.document import DocumentPanel
from malafide.doors.cli import app
from malafide.intake.documents import read_document
from malafide.knowledge.remembered import Knowledge

PANEL = DocumentPanel(knowledge=Knowledge())
ROUTES: tuple[Route, ...] = ("deep_analysis", "full_analysis")
FOLDER = Path(__file__).parent / "document"
NAMES = sorted(folder.name for folder in FOLDER.iterdir())


def given(name: str) -> Path:
    (path,) = (p for p in (FOLDER / name).iterdir() if p.name != "expected.json")
    return path


def expected(name: str) -> dict[str, list[str]]:
    wanted: dict[str, list[str]] = json.loads((FOLDER / name / "expected.json").read_text(encoding="utf-8"))
    return wanted


def lasting(contract: dict[str, Any]) -> dict[str, Any]:
    """A contract without what differs from run to run: ids, times, and what was done."""
    kept = {
        name: contract[name] for name in ("is_scam", "confidence_level", "scam_probability", "explanation")
    }
    beyond = ("reason", "route_reason", "contributions", "evidence", "errors", "limitations")
    return {**kept, **{name: contract["malafide"][name] for name in beyond}}


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    result, wanted = assess_document(given(name)), expected(name)
    assert result.is_scam in wanted["allowed"], result.explanation
    kinds = {e.kind for e in result.assessment.evidence}
    assert kinds >= set(wanted["must"]) and not kinds & set(wanted["must_not"])
    assert all(e.holds_in(result.assessment.case) for e in result.assessment.evidence)
    assert result["processing_metadata"]["errors_encountered"] == 0


def test_the_command_line_answers_the_same() -> None:
    paths = [str(given(name)) for name in NAMES]
    done = CliRunner().invoke(app, ["assess", *paths, "--json", "--rehearse"], catch_exceptions=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [lasting(row) for row in rows] == [lasting(assess_document(Path(path))) for path in paths]


def test_most_golden_documents_are_decided() -> None:
    harmless = [name for name in NAMES if "not_scam" in expected(name)["allowed"]]
    assert len(harmless) >= 15 and len(NAMES) - len(harmless) >= 15
    undecided = [name for name in NAMES if len(expected(name)["allowed"]) > 1]
    assert len(undecided) <= 0.2 * len(NAMES)


@pytest.mark.parametrize(("name", "data"), [pytest.param(n, d, id=n) for n, d in scams()])
def test_no_scam_is_called_safe(name: str, data: bytes) -> None:
    for route in ROUTES:
        assessment = PANEL.assess(read_document(data, name), route=route)
        assert assessment.answer != "not_scam", route
        assert assessment.evidence and "Why: " in assessment.explanation


@pytest.mark.parametrize(("name", "data"), [pytest.param(n, d, id=n) for n, d in ordinary()])
def test_no_ordinary_document_is_called_a_scam(name: str, data: bytes) -> None:
    for route in ROUTES:
        assert PANEL.assess(read_document(data, name), route=route).answer != "scam", route


def test_most_are_decided() -> None:
    answers = [PANEL.assess(read_document(data)).answer for _, data in scams()]
    assert len(answers) >= 20 and answers.count("scam") >= 0.85 * len(answers)
    calm = [PANEL.assess(read_document(data)).answer for _, data in ordinary()]
    assert len(calm) >= 20 and calm.count("not_scam") >= 0.7 * len(calm)
