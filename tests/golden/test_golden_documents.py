"""The golden documents: no scam is called safe, no ordinary document a scam, on any route; and the wording of both."""

from __future__ import annotations

import pytest
from benchmarks.made_documents import ordinary, scams

from malafide.assessment import Route
from malafide.benches.document import DocumentPanel
from malafide.intake.documents import read_document
from malafide.knowledge.remembered import Knowledge

PANEL = DocumentPanel(knowledge=Knowledge())
ROUTES: tuple[Route, ...] = ("deep_analysis", "full_analysis")


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
