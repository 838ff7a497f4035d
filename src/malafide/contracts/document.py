"""An assessment in, the contract's fields out: exactly these, and everything beyond them under `malafide`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from annotated_types import Ge, Le
from typing_extensions import TypedDict

from malafide.assessment import Answer, Assessment, Route
from malafide.contracts import Unit
from malafide.exchange import usage_of
from malafide.version import VERSION


class ToolEvidence(TypedDict):
    tool: str
    output: dict[str, Any]


class ProcessingMetadata(TypedDict):
    total_time: Annotated[float, Ge(0)]  # seconds
    workflow_id: str
    evidence_gathered: Annotated[int, Ge(0)]
    errors_encountered: Annotated[int, Ge(0)]
    router_route: Route
    agents_called: list[str]


class DocumentContract(TypedDict):
    """What the document panel answers."""

    is_scam: Answer
    confidence_level: Unit
    scam_probability: Annotated[float, Ge(0), Le(100)]
    explanation: str
    tool_evidence: list[ToolEvidence]
    processing_metadata: ProcessingMetadata
    malafide: dict[str, Any]


def document_contract(assessment: Assessment) -> DocumentContract:
    return DocumentContract(
        is_scam=assessment.answer,
        confidence_level=assessment.confidence,
        scam_probability=assessment.probability,
        explanation=assessment.explanation,
        tool_evidence=[ToolEvidence(tool=r.tool, output=r.output) for r in assessment.tool_results],
        processing_metadata=ProcessingMetadata(
            total_time=round(assessment.total_time, 6),
            workflow_id=assessment.workflow_id,
            evidence_gathered=len(assessment.evidence),
            errors_encountered=len(assessment.errors),
            router_route=assessment.route,
            agents_called=list(assessment.agents),
        ),
        malafide=_details(assessment),
    )


def _details(assessment: Assessment) -> dict[str, Any]:
    numbers = {e: i for i, e in enumerate(assessment.evidence)}
    return {
        "version": VERSION,
        "case_id": assessment.case.id,
        "kind": assessment.case.kind,
        "started": assessment.started.isoformat(timespec="milliseconds"),
        "reason": assessment.reason,
        "route_reason": assessment.route_reason,
        "contributions": [
            {
                "label": s.label,
                "log_odds": s.amount,
                "evidence": numbers.get(s.evidence) if s.evidence else None,
            }
            for s in assessment.steps
        ],
        "evidence": [asdict(e) for e in assessment.evidence],
        "errors": [asdict(f) for f in assessment.errors],
        "limitations": list(assessment.case.limitations),
        "receipts": [asdict(r) for r in assessment.receipts],
        "trace": [asdict(step) for step in assessment.trail],
        **({"usage": asdict(usage_of(assessment.exchanges))} if assessment.exchanges is not None else {}),
    }


CONTRACT = DocumentContract
