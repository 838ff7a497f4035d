"""Case in, evidence out: what a document does by itself, what it asks to be typed into it, and how bare it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Act, Case, Document, Span
from malafide.evidence import Evidence, Strength, Topic, observe
from malafide.tools import tool
from malafide.tools._button import bareness

_TOOL: Final = "pdf"
_LONGEST_QUOTE: Final = 160
# Calls by which a script leaves the document: to a page, a server, a file inside.
_LEAVES: Final = (
    "launchurl",
    "geturl",
    "submitform",
    "mailmsg",
    "mailform",
    "exportdataobject",
    "importdataobject",
)
_HIDES: Final = ("eval(", "unescape(", "fromcharcode", "\\x", "%u")
_SECRETS: Final = (
    "password", "passwort", "passcode", "kennwort", "mot de passe", "contraseña", "senha", "pin code", "cvv", "cvc",
    "card number", "kartennummer", "social security", "security code",
)  # fmt: skip


@tool(_TOOL)
def pdf(case: Case) -> list[Evidence]:
    """What a PDF does by itself, what it asks to be typed in, and whether it is little more than a button."""
    found: list[Evidence] = []
    for document in _documents(case):
        found.extend(evidence for act in document.acts[:20] for evidence in _act(case, act))
        found.extend(_fields(case, document))
    own = case.document
    if own is not None and own.format == "pdf":
        bare = bareness(case, own)
        if bare is not None:
            found.append(_note(case, bare[0], bare[1], "link", bare[2], bare[3]))
        found.extend(_edited(case, own))
    return list({e.kind: e for e in reversed(found)}.values())


def _documents(case: Case) -> Iterator[Document]:
    """The PDFs of a case: the document itself, and those that came with a mail."""
    held = [file.document for file in case.mail.attachments[:30]] if case.mail is not None else []
    for document in (case.document, *held):
        if document is not None and document.format == "pdf":
            yield document


def _note(case: Case, at: Span, name: str, topic: Topic, strength: Strength, says: str) -> Evidence:
    at = Span(at.part, at.start, min(at.end, at.start + _LONGEST_QUOTE))
    return observe(case, at, f"{_TOOL}.{name}", topic, strength, says, tool=_TOOL)


def _act(case: Case, act: Act) -> Iterator[Evidence]:
    words = case.quote(act.at).lower()
    when = "when it is opened" if act.automatic else "when it is clicked"
    if act.does == "launch":
        yield _note(
            case, act.at, "starts-program", "attachment", "decisive", f"The document starts a program {when}."
        )
    elif act.does == "open-link" and act.automatic:
        says = "The document opens a web page by itself, without a click."
        yield _note(case, act.at, "opens-page", "attachment", "strong", says)
    elif act.does == "script" and any(call in words for call in _LEAVES):
        says = f"A script in the document leads out of it {when}."
        yield _note(case, act.at, "script-leaves", "attachment", "strong", says)
    elif act.does == "script" and any(trick in words for trick in _HIDES):
        says = "A script in the document is written so that nobody can read what it does."
        yield _note(case, act.at, "script-hidden", "attachment", "strong", says)
    elif act.does == "submit":
        says = "The document sends what is typed into it to another place."
        yield _note(case, act.at, "sends-form", "request", "moderate", says)
    elif act.does == "fetch" and act.automatic:
        says = "The document fetches another file by itself when it is opened."
        yield _note(case, act.at, "fetches", "attachment", "moderate", says)


def _fields(case: Case, document: Document) -> Iterator[Evidence]:
    for name in document.fields:
        if any(secret in name.lower() for secret in _SECRETS):
            start = case.part("fields").text.find(name)
            says = f"The document has a field to type a secret into: {name[:60]!r}."
            yield _note(
                case, Span("fields", start, start + len(name)), "asks-secret", "request", "strong", says
            )
            return


def _edited(case: Case, document: Document) -> Iterator[Evidence]:
    """Added to after it was finished, by more than its own signing: what stood on it may have been changed."""
    if not document.edits or not case.has("header/producer"):
        return
    part = case.part("header/producer")
    says = "Something was added to the document after it was finished."
    yield _note(case, Span(part.name, 0, len(part.text)), "edited", "structure", "slight", says)
