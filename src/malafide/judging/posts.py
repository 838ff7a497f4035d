"""Posts in, rulings of the credibility panel out: raw, or with their signals given."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from malafide.benches.credibility import MultiAgentReasoningSystem, as_fields
from malafide.benches.post import PostExaminer, as_contract, remembered_posts
from malafide.case import case_id
from malafide.intake.posts import read_post
from malafide.judging.content import as_bytes, json_object
from malafide.judging.ruling import PanelName, Ruling, Step, Tell
from malafide.signals.given import given


class PostBench:
    """Raw posts as JSON objects. A picture that a post names is not opened: a path in a message is not the reader's."""

    def __init__(self) -> None:
        self._examiner = PostExaminer(knowledge=remembered_posts())

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        post = replace(read_post(json_object(as_bytes(content)), name), image=None)
        verdict = self._examiner.judge(post)
        if tell is not None:
            for signal in verdict.signals:
                tell(Step(signal.name, "done" if signal.value is not None else "abstained", signal.because))
        return _credibility(
            "post",
            verdict.post.case.id,
            as_contract(verdict, details=True),
            verdict.post.post_id,
            verdict.elapsed_ms,
        )

    def close(self) -> None:
        return


class CredibilityBench:
    """Posts with their signals given."""

    def __init__(self) -> None:
        self._panel = MultiAgentReasoningSystem()

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:  # noqa: ARG002
        started, content = time.perf_counter(), as_bytes(content)
        post = json_object(content)
        signals = given(
            post.get("nlp_signals") or {},
            post.get("source_signals") or {},
            post.get("image_signals"),
            post.get("misinformation_assessment"),
        )
        fields = as_fields(self._panel.judge(signals), details=True)
        post_id = str(post.get("post_id") or name or case_id(content))
        elapsed = (time.perf_counter() - started) * 1000.0
        return _credibility("credibility", case_id(content), fields, post_id, elapsed)

    def close(self) -> None:
        return


def _credibility(
    panel: PanelName, case: str, fields: Mapping[str, Any], post_id: str, elapsed: float
) -> Ruling:
    score, agreement = float(fields["final_credibility_score"]), float(fields["agent_agreement_level"])
    answer = "credible" if score >= 0.6 else "not_credible" if score <= 0.4 else "unclear"
    return Ruling(
        case_id=case,
        panel=panel,
        answer=answer,
        score=1.0 - score,
        confidence=abs(2.0 * score - 1.0),
        agreement=agreement,
        is_open=answer == "unclear",
        summary=f"credibility {score:.2f}, agreement {agreement:.2f}",
        contract={post_id: fields},
        elapsed_ms=elapsed,
    )
