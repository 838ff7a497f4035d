"""Case in, findings out under the contract's names: each tool here runs several evidence tools and lists what it read.

What needs no choice (the wording, the structure, the files) is looked at first, while the document is processed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.knowledge.brands import mentions
from malafide.knowledge.domains import parse, registrable
from malafide.knowledge.numbers import extract
from malafide.opinion import Failure
from malafide.panel.hearing import Examination, examine
from malafide.tools import tools

_MOST: Final = 40  # items listed
_READ: Final = 4_000  # characters read for numbers and names: phone numbers cost 7 us a character

LINK: Final = "extraction-tools.extract_link"
NUMBER: Final = "extraction-tools.extract_number"
ORGANISATION: Final = "extraction-tools.extract_organisation"
SENDER: Final = "extraction-tools.check_sender"
RETRIEVE: Final = "rag-tools.call_rag"
PROCESS: Final[Mapping[str, str]] = {
    "email": "data-processor.process_email",
    "document": "data-processor.process_pdf",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one call of a tool gave: what it read, and the evidence in it."""

    items: tuple[dict[str, Any], ...]
    evidence: tuple[Evidence, ...]
    failures: tuple[Failure, ...] = ()

    def output(self) -> dict[str, Any]:
        """The same for the contract's `tool_evidence`."""
        listed = [
            {"kind": e.kind, "direction": e.direction, "sentence": e.sentence, "quote": e.quote}
            for e in self.evidence
        ]
        broken = {"failed": [f"{f.agent}: {f.reason}" for f in self.failures]} if self.failures else {}
        return {"items": list(self.items), "evidence": listed, **broken}


Run = Callable[[Case], Finding]


@dataclass(frozen=True, slots=True)
class DocumentTool:
    """A tool by its contract name. `parts` are the evidence tools it runs."""

    name: str
    sentence: str
    parts: tuple[str, ...]
    items: Callable[[Case], Iterator[dict[str, Any]]]

    def __call__(self, case: Case) -> Finding:
        seen = examine(case, (tools.get(name) for name in self.parts))
        return Finding(tuple(self.items(case)), seen.evidence, faults(seen))


def faults(seen: Examination) -> tuple[Failure, ...]:
    """The tools that broke, and those that quoted what is not there."""
    invented = (line.partition(": ") for line in seen.dropped)
    return (*seen.failures, *(Failure(name, why) for name, _, why in invented))


def _links(case: Case) -> Iterator[dict[str, Any]]:
    for link in case.mail.links[:_MOST] if case.mail else ():
        host = parse(link.target).host
        yield {
            "target": link.target[:500],
            "shown": link.text[:200],
            "carrier": link.carrier,
            "domain": registrable(host),
        }


def _numbers(case: Case) -> Iterator[dict[str, Any]]:
    left = _READ
    for part in case.of_role("body"):
        for number in extract(part.text[:left], ("phone", "iban", "card", "upi", "wallet", "amount"))[:_MOST]:
            yield {
                "kind": number.kind,
                "value": number.value,
                "part": part.name,
                "start": number.start,
                "end": number.end,
            }
        left -= len(part.text)
        if left <= 0:
            return


def _organisations(case: Case) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for part in case.of_role("subject", "body"):
        for mention in mentions(part.text[:_READ])[:_MOST]:
            if not mention.common and mention.brand.name not in seen:
                seen.add(mention.brand.name)
                yield {
                    "name": mention.brand.name,
                    "sector": mention.brand.sector,
                    "part": part.name,
                    "start": mention.start,
                }


def _sender(case: Case) -> Iterator[dict[str, Any]]:
    mail = case.mail
    for name, address in (
        ("From", mail.sender if mail else None),
        ("Reply-To", mail.reply_to if mail else None),
        ("Return-Path", mail.return_path if mail else None),
    ):
        if address is not None:
            yield {"header": name, "name": address.name, "address": address.address}


TOOLBOX: Final[Mapping[str, DocumentTool]] = {
    one.name: one
    for one in (
        DocumentTool(
            LINK, "Every link, where it leads and how it is dressed.", ("links", "lookalikes"), _links
        ),
        DocumentTool(
            ORGANISATION,
            "The organisations named, against where it comes from.",
            ("organisations", "letterhead"),
            _organisations,
        ),
        DocumentTool(
            SENDER,
            "Who sent a mail, whether that is confirmed, and how it travelled.",
            (
                "authentication",
                "mailer",
                "personal",
                "recipients",
                "route",
                "sender",
                "subscription",
                "thread",
            ),
            _sender,
        ),
        DocumentTool(NUMBER, "Phones, accounts, cards, wallets and sums.", ("numbers",), _numbers),
    )
}
_CHOSEN: Final = frozenset(name for one in TOOLBOX.values() for name in one.parts)
# Tools for conversations; they find nothing in mail and documents.
_CHATS: Final = frozenset(("asks", "claims", "everyday", "origin", "push", "scripts"))


def first_look() -> tuple[str, ...]:
    """The evidence tools that every document is shown to while it is processed."""
    return tuple(name for name in tools.names() if name not in _CHOSEN and name not in _CHATS)
