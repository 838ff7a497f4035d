"""An assessment in, a STIX 2.1 bundle out: observables for what was revealed, indicators for links, a report over all.

Written by hand: the few object types used here are plain JSON. Ids are derived from content, so that the same
conversation always gives the same bundle and two reports of one account point to one object.
"""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any, Final

from malafide.benches.honeypot import Assessment
from malafide.benches.intelligence import Item
from malafide.consensus.dossier import named

# The namespace the standard gives for ids of observables, and our own for the rest.
_OBSERVABLES: Final = uuid.UUID("00abedb4-aa42-466c-9c01-fed23315a9b7")
_OURS: Final = uuid.uuid5(_OBSERVABLES, "malafide")
# Accounts of any sort are user accounts to STIX; the vocabulary of their types is open.
_ACCOUNTS: Final = {
    "bank_account": "bank-account", "iban": "bank-account", "upi": "upi", "phone": "phone-number",
    "foreign_phone": "phone-number", "card": "payment-card", "wallet": "cryptocurrency-wallet", "telegram": "telegram",
    "whatsapp": "whatsapp", "handle": "messenger",
}  # fmt: skip


def stix_bundle(assessment: Assessment) -> dict[str, Any]:
    """The bundle. IFSC codes and identity numbers name banks and victims rather than actors, and stay out."""
    when = _when(assessment)
    objects: list[dict[str, Any]] = [_identity(when)]
    author = objects[0]["id"]
    for item in assessment.items:
        observable = _observable(item)
        if observable is None:
            continue
        objects.append(observable)
        if item.kind == "link" and item.value in assessment.intelligence["phishingLinks"]:
            objects.append(_indicator(item, when, author))
    if len(objects) > 1:
        objects.append(_report(assessment, when, objects))
    key = "\0".join(one["id"] for one in objects)
    return {
        "type": "bundle",
        "id": f"bundle--{uuid.uuid5(_OURS, assessment.case.id + key)}",
        "objects": objects,
    }


def _when(assessment: Assessment) -> str:
    """When the last message was sent; where no message says, the beginning of time, so that ids do not change."""
    chat = assessment.case.chat
    times = [m.time for m in chat.messages if m.time is not None] if chat else []
    moment = max(times) if times else datetime(1970, 1, 1, tzinfo=UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def _identity(when: str) -> dict[str, Any]:
    return {
        "type": "identity", "spec_version": "2.1", "id": f"identity--{_OURS}", "created": when, "modified": when,
        "name": "malafide", "identity_class": "system",
    }  # fmt: skip


def _observable(item: Item) -> dict[str, Any] | None:
    if item.kind == "link":
        return _identified({"type": "url", "value": item.value})
    if item.kind == "email":
        return _identified({"type": "email-addr", "value": item.value})
    if item.kind in _ACCOUNTS:
        return _identified(
            {"type": "user-account", "user_id": item.value, "account_type": _ACCOUNTS[item.kind]}
        )
    return None


def _identified(observable: dict[str, Any]) -> dict[str, Any]:
    """With its id: a digest of what makes it what it is, as the standard says."""
    contributing = {key: value for key, value in observable.items() if key != "type"}
    name = json.dumps(contributing, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    number = uuid.uuid5(_OBSERVABLES, name)
    return {
        "type": observable["type"],
        "spec_version": "2.1",
        "id": f"{observable['type']}--{number}",
        **contributing,
    }


def _indicator(item: Item, when: str, author: str) -> dict[str, Any]:
    value = item.value.replace("\\", "\\\\").replace("'", "\\'")
    return {
        "type": "indicator", "spec_version": "2.1", "id": f"indicator--{uuid.uuid5(_OURS, item.value)}",
        "created": when,
        "modified": when, "created_by_ref": author, "name": "Link sent in a scam conversation",
        "indicator_types": ["malicious-activity"], "pattern": f"[url:value = '{value}']", "pattern_type": "stix",
        "valid_from": when,
    }  # fmt: skip


def _report(assessment: Assessment, when: str, objects: list[dict[str, Any]]) -> dict[str, Any]:
    kind = (
        named(assessment.decision.scam_type)
        if assessment.decision.scam
        else "a conversation that is not called a scam"
    )
    return {
        "type": "report", "spec_version": "2.1", "id": f"report--{uuid.uuid5(_OURS, assessment.case.id)}",
        "created": when,
        "modified": when, "created_by_ref": objects[0]["id"], "name": f"Conversation: {kind}",
        "description": assessment.notes, "report_types": ["observed-data"], "published": when,
        "object_refs": [one["id"] for one in objects],
    }  # fmt: skip
