"""The router's table at every boundary, what bars the fast routes, and the supervisor's three answers."""

from __future__ import annotations

import pytest

from malafide.assessment import Analysis, Retrieval, Route
from malafide.case import Case, Part, Span
from malafide.consensus.explanation import explain
from malafide.consensus.routing import Routing, by_rules, settle
from malafide.consensus.supervisor import rule
from malafide.evidence import Direction, Evidence, Strength, observe

CASE = Case("0" * 16, "document", (Part("page/1", "body", "pay at once or lose it all"),))


def evidence(
    strength: Strength = "moderate", direction: Direction = "deceptive", kind: str = "t.a"
) -> Evidence:
    return observe(
        CASE, Span("page/1", 0, 3), kind, "link", strength, "It asks.", direction=direction, tool="t"
    )


# Below, on and above 0.5, 0.9, 20 and 80; what is written is the contract, boundary by boundary.
TABLE: list[tuple[float, float, Route]] = [
    (0.0, 50, "deep_analysis"), (0.49, 50, "deep_analysis"), (0.4999, 0, "deep_analysis"),
    (0.4999, 100, "deep_analysis"),
    (0.5, 0, "full_analysis"), (0.5, 19, "full_analysis"), (0.5, 20, "full_analysis"), (0.5, 80, "full_analysis"),
    (0.5, 81, "full_analysis"), (0.5, 100, "full_analysis"), (0.51, 50, "full_analysis"),
    (0.89, 0, "full_analysis"), (0.89, 100, "full_analysis"),
    (0.9, 0, "full_analysis"), (0.9, 19, "full_analysis"), (0.9, 81, "full_analysis"), (0.9, 100, "full_analysis"),
    (0.9001, 0, "fast_legitimate"), (0.91, 19, "fast_legitimate"), (0.91, 19.99, "fast_legitimate"),
    (0.91, 20, "full_analysis"), (0.91, 20.01, "full_analysis"), (0.91, 50, "full_analysis"),
    (0.91, 79.99, "full_analysis"), (0.91, 80, "full_analysis"), (0.91, 80.01, "fast_scam"), (0.91, 81, "fast_scam"),
    (0.9001, 100, "fast_scam"), (1.0, 0, "fast_legitimate"), (1.0, 20, "full_analysis"), (1.0, 80, "full_analysis"),
    (1.0, 100, "fast_scam"),
]  # fmt: skip


@pytest.mark.parametrize(("confidence", "probability", "route"), TABLE)
def test_every_boundary(confidence: float, probability: float, route: Route) -> None:
    routing = by_rules(confidence, probability)
    assert routing.route == route
    assert routing.reason.endswith(".")


LABELLED = Retrieval(1.0, 0.0, labelled=3)


@pytest.mark.parametrize(
    ("route", "retrieval", "found", "failed", "barred"),
    [
        ("fast_legitimate", LABELLED, [], [], None),
        ("fast_scam", LABELLED, [evidence("strong")], [], None),
        ("fast_legitimate", LABELLED, [evidence("moderate")], [], None),
        ("fast_legitimate", LABELLED, [evidence("strong")], [], "strong evidence"),
        ("fast_scam", LABELLED, [evidence("strong", "genuine")], [], "strong evidence"),
        ("fast_legitimate", Retrieval(1.0, 0.0, 3, ("new.example",)), [], [], "new.example"),
        ("fast_legitimate", Retrieval(1.0, 0.0, 0), [], [], "no person"),
        ("fast_scam", LABELLED, [], ["links"], "links failed"),
    ],
)
def test_what_bars_a_fast_route(
    route: Route, retrieval: Retrieval, found: list[Evidence], failed: list[str], barred: str | None
) -> None:
    routing = settle(Routing(route, "Said so."), retrieval, found, failed)
    assert (routing.route == route) == (barred is None)
    if barred:
        assert routing.route == "full_analysis" and barred in routing.reason


def analysis(probability: float) -> Analysis:
    return Analysis(probability, 0.8, "")


BOTH = [evidence("moderate"), evidence("moderate", kind="t.b"), evidence("moderate", "genuine", "t.c")]


@pytest.mark.parametrize(
    ("probability", "found", "route", "failed", "unread", "answer"),
    [
        (70.0, BOTH, "full_analysis", [], [], "scam"),
        (69.9, BOTH, "full_analysis", [], [], "suspicious"),
        (70.0, BOTH, "deep_analysis", [], [], "suspicious"),
        (80.0, BOTH, "deep_analysis", [], [], "scam"),
        (99.0, [evidence("strong")], "full_analysis", [], [], "scam"),
        (99.0, [evidence("strong")], "deep_analysis", [], [], "suspicious"),
        (99.0, [evidence("decisive")], "deep_analysis", [], [], "scam"),
        (30.0, BOTH, "full_analysis", [], [], "not_scam"),
        (30.0, BOTH, "deep_analysis", [], [], "suspicious"),
        (20.0, BOTH, "deep_analysis", [], [], "not_scam"),
        (0.0, [], "full_analysis", [], [], "suspicious"),
        (0.0, [], "deep_analysis", ["links"], [], "suspicious"),
        (5.0, BOTH, "full_analysis", ["links"], [], "suspicious"),
        (5.0, BOTH, "full_analysis", [], ["Page 2."], "not_scam"),
        (5.0, BOTH, "deep_analysis", [], ["Page 2."], "suspicious"),
        (5.0, [*BOTH, evidence("strong", kind="t.d")], "full_analysis", [], [], "suspicious"),
        (5.0, [evidence("slight")], "full_analysis", [], [], "suspicious"),
        (99.0, BOTH, "full_analysis", ["links"], [], "scam"),
    ],
)
def test_three_answers(
    probability: float, found: list[Evidence], route: Route, failed: list[str], unread: list[str], answer: str
) -> None:
    ruling = rule(analysis(probability), found, route, failed, unread)
    assert ruling.answer == answer
    words = explain(ruling, found, unread, failed)
    assert words and all(name in words for name in failed) and all(line in words for line in unread)


def test_no_analysis_is_no_answer() -> None:
    assert rule(None, BOTH, "full_analysis", [], []).answer == "suspicious"
