"""A decision as a file: the message, every answer a model gave, and the result; enough to come to it again.

The file holds the message itself and is readable by its owner alone.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from malafide.errors import UnreadableInput, UnwritableOutput
from malafide.evidence import Evidence
from malafide.exchange import Exchange, Reply
from malafide.settings import Settings
from malafide.verdict import Verdict
from malafide.version import VERSION

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Decision:
    """What is needed to come to a result again, and the result as it was."""

    version: str
    message: bytes
    is_text: bool  # given as text, not as bytes
    source: str
    catalog: str | None  # the text of the catalog that was used
    recalled: tuple[Evidence, ...]  # what precedents said: those themselves may be gone by then
    escalate: str
    share: str
    exchanges: tuple[Exchange, ...] | None  # None: there was no model
    result: Mapping[str, Any]


def decision(
    content: bytes | str, catalog: str | None, settings: Settings, verdict: Verdict, result: Mapping[str, Any]
) -> Decision:
    """The record of a verdict; `result` is the contract that was given to the outside."""
    return Decision(
        version=VERSION,
        message=content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"),
        is_text=isinstance(content, str),
        source=verdict.case.source,
        catalog=catalog,
        recalled=tuple(e for e in verdict.evidence if e.topic == "precedent"),
        escalate=settings.escalate,
        share=settings.share,
        exchanges=verdict.exchanges,
        result=result,
    )


def write_decision(folder: Path, name: str, record: Decision) -> Path:
    """Writes the record whole or not at all; returns where."""
    document = {
        "format": FORMAT,
        **asdict(record),
        "message": base64.b64encode(record.message).decode("ascii"),
    }
    path = folder / f"{name}.json"
    temporary = folder / f".{name}.{os.getpid()}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UnwritableOutput(f"cannot write the record {str(path)!r}: {error.strerror or error}") from None
    return path


def read_decision(path: Path) -> Decision:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("format") != FORMAT:
            raise ValueError(f"another format than {FORMAT}")
        given = document.pop("exchanges")
        exchanges = None
        if given is not None:
            exchanges = tuple(Exchange(e["agent"], e["attempt"], Reply(**e["reply"])) for e in given)
        message = base64.b64decode(document.pop("message"), validate=True)
        recalled = tuple(Evidence(**e) for e in document.pop("recalled"))
        return Decision(**document, message=message, recalled=recalled, exchanges=exchanges)
    except OSError as error:
        raise UnreadableInput(f"cannot read the record {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UnreadableInput(f"{str(path)!r} is no record of a decision: {error}") from None
