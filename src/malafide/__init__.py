"""malafide tells people whether a message deceives them, and shows why.

    from malafide import SpamClassifier
    SpamClassifier().classify("Subject: lunch\\n\\nSee you at noon?").final_classification

The names below are the public API. They are loaded when first used, so that a door that needs one of them does
not wait for the others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from malafide.version import VERSION as __version__

if TYPE_CHECKING:
    from malafide.actions.document import assess_document, assess_document_async
    from malafide.benches.credibility import MultiAgentReasoningSystem
    from malafide.benches.honeypot import Conversation, HoneypotJudge, HoneypotResult, assess_conversation
    from malafide.benches.spam import SpamClassifier, SpamResult
    from malafide.case import Case
    from malafide.errors import MalafideError
    from malafide.evidence import Evidence
    from malafide.knowledge.remembered import Knowledge
    from malafide.opinion import Abstention, Failure, Opinion
    from malafide.settings import Caps
    from malafide.verdict import Verdict

_HOME = {
    "Abstention": "malafide.opinion",
    "Caps": "malafide.settings",
    "Case": "malafide.case",
    "Conversation": "malafide.benches.honeypot",
    "Evidence": "malafide.evidence",
    "Failure": "malafide.opinion",
    "HoneypotJudge": "malafide.benches.honeypot",
    "HoneypotResult": "malafide.benches.honeypot",
    "Knowledge": "malafide.knowledge.remembered",
    "MalafideError": "malafide.errors",
    "MultiAgentReasoningSystem": "malafide.benches.credibility",
    "Opinion": "malafide.opinion",
    "SpamClassifier": "malafide.benches.spam",
    "SpamResult": "malafide.benches.spam",
    "Verdict": "malafide.verdict",
    "assess_document": "malafide.actions.document",
    "assess_document_async": "malafide.actions.document",
    "assess_conversation": "malafide.benches.honeypot",
}

__all__ = [
    "Abstention",
    "Caps",
    "Case",
    "Conversation",
    "Evidence",
    "Failure",
    "HoneypotJudge",
    "HoneypotResult",
    "Knowledge",
    "MalafideError",
    "MultiAgentReasoningSystem",
    "Opinion",
    "SpamClassifier",
    "SpamResult",
    "Verdict",
    "__version__",
    "assess_conversation",
    "assess_document",
    "assess_document_async",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'malafide' has no attribute {name!r}")
