"""The Case of a document that came with a mail in; its words, links, acts and files become part of the mail's Case."""

from __future__ import annotations

from dataclasses import replace

from malafide.case import Act, Attachment, Case, Document, Span
from malafide.intake.assembly import Assembly
from malafide.limits import MAX_TEXT_CHARS


def graft(work: Assembly, inner: Case, part: str, offset: int) -> tuple[str, Document | None]:
    """The words of the document, which are to stand at `offset` in `part`, and what is known of it beside them."""
    assert inner.mail is not None
    texts: list[str] = []
    places: dict[str, int] = {}
    length = offset
    for page in inner.of_role("subject", "body"):
        room = max(0, MAX_TEXT_CHARS - length)
        places[page.name] = length
        texts.append(page.text[:room])
        length += len(texts[-1]) + 1
    for link in inner.mail.links:
        shown = link.shown_at
        if shown is not None:
            moved = Span(part, places[shown.part] + shown.start, places[shown.part] + shown.end)
            shown = moved if moved.end < length else None
        work.add_link(link.target, link.text, "attachment" if link.carrier == "text" else link.carrier, shown)
    for hidden in inner.mail.html.hidden if inner.mail.html is not None else ():
        if hidden.at.part == "hidden":
            work.add_hidden(hidden.reason, inner.quote(hidden.at))
    document = inner.document
    if document is not None:
        work.add_fields(document.fields)
        document = replace(document, acts=tuple(_acts(work, inner, document)))
    return "\n".join(texts), document


def _acts(work: Assembly, inner: Case, document: Document) -> list[Act]:
    moved = (work.add_act(act.does, inner.quote(act.at), automatic=act.automatic) for act in document.acts)
    return [act for act in moved if act is not None]


def graft_files(work: Assembly, inner: Case) -> None:
    """The files inside the document, each with its name as a part of the mail."""
    for file in inner.mail.attachments if inner.mail is not None else ():
        part = f"attachment/{len(work.attachments) + 1}"
        work.add_part(part, "attachment", inner.part(file.part).text)
        work.attachments.append(_moved(file, part))


def _moved(file: Attachment, part: str) -> Attachment:
    return replace(file, part=part)
