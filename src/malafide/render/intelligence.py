"""What a conversation revealed in, files for investigators out: JSON, CSV, defanged text, STIX 2.1."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Final, Literal

from malafide.benches.honeypot import Assessment
from malafide.benches.intelligence import Item
from malafide.render.defang import defang
from malafide.render.stix import stix_bundle
from malafide.render.visible import one_line

Format = Literal["json", "csv", "text", "stix"]
_COLUMNS: Final = ("kind", "value", "quote", "message", "sender", "start", "end")
KIND_WORDS: Final = {
    "bank_account": "bank account", "upi": "UPI name", "link": "link", "phone": "phone",
    "foreign_phone": "phone abroad",
    "email": "mail address", "ifsc": "IFSC code", "iban": "IBAN", "card": "card number", "wallet": "crypto wallet",
    "aadhaar": "Aadhaar number", "telegram": "Telegram", "whatsapp": "WhatsApp", "handle": "handle",
}  # fmt: skip


def export(assessment: Assessment, form: Format) -> str:
    """The intelligence of an assessment in one of the forms."""
    return _FORMS[form](assessment)


def as_json(assessment: Assessment) -> str:
    chat = assessment.case.chat
    document = {
        "sessionId": chat.session if chat else assessment.case.id,
        "extractedIntelligence": assessment.intelligence,
        "items": [asdict(item) for item in assessment.items],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def as_csv(assessment: Assessment) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for item in assessment.items:
        row = asdict(item)
        writer.writerow([_inert(str(row[column])) for column in _COLUMNS])
    return out.getvalue()


def _inert(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula. A phone number may begin with its plus."""
    formula = cell[:1] in ("=", "@", "-", "\t", "\r") or (cell[:1] == "+" and not cell[1:].isdigit())
    return "'" + cell if formula else cell


def as_text(assessment: Assessment) -> str:
    """One line each, written so that nothing can be clicked or dialled by mistake."""
    lines = [
        f"{KIND_WORDS[item.kind]:<15} {inert(item):<48} message {item.message}" for item in assessment.items
    ]
    return "\n".join(lines) + "\n" if lines else "nothing was revealed\n"


def inert(item: Item) -> str:
    """The item, unable to act: links and addresses broken."""
    value = one_line(item.value, 160)
    if item.kind in ("link", "email", "upi"):
        value = defang(value).replace("@", "[@]")
    return value


_FORMS: Final[dict[Format, Callable[[Assessment], str]]] = {
    "json": as_json,
    "csv": as_csv,
    "text": as_text,
    "stix": lambda assessment: json.dumps(stix_bundle(assessment), ensure_ascii=False, indent=2) + "\n",
}
