"""What a user has, in; a Case out: a PDF, an office file, a picture, a mail, text, or a mail as its named pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any, Final

from malafide.case import Case, case_id
from malafide.errors import InputTooLarge, UnreadableInput
from malafide.intake.assemble import assemble_page
from malafide.intake.attached import OFFICE
from malafide.intake.attachments import examine, sniff
from malafide.intake.mime import Entity
from malafide.intake.pictures import PICTURES
from malafide.intake.reading import read_bytes, read_file, read_text
from malafide.intake.writing import Eyes, Writing
from malafide.limits import MAX_INPUT_BYTES

Given = str | bytes | Path | Mapping[str, Any] | Case
_FIELDS: Final = frozenset(("subject", "sender", "body", "headers", "attachments"))
_LONGEST_PATH: Final = 1_000
_NOTHING_SEEN: Final = "Neither writing nor a code could be read in the picture."


def read_document(given: Given, source: str = "") -> Case:
    """The Case of a document or mail. Text that names a file is read as that file."""
    if isinstance(given, Case):
        return given
    if isinstance(given, Mapping):
        return read_bytes(_mail(given), source, Eyes(writing=Writing()))
    if isinstance(given, str) and not _names_a_file(given):
        return read_text(given, source)
    if isinstance(given, str | Path):
        return from_bytes(read_file(Path(given)), source or Path(given).name)
    return from_bytes(given, source)


def from_bytes(data: bytes, source: str = "") -> Case:
    if len(data) > MAX_INPUT_BYTES:
        raise InputTooLarge(f"The input has {len(data):,} bytes; at most {MAX_INPUT_BYTES:,} are read.")
    eyes = Eyes(writing=Writing())
    kind = sniff(data)
    if kind in ("zip", "ole"):  # may be an office file
        contents = examine(data)
        kind = "doc" if contents.real_type == "ole" and contents.encrypted else contents.real_type
    if kind == "pdf":
        from malafide.intake.pdf import read_pdf  # imports pypdf: 0.2 s

        return read_pdf(data, case_id(data), source, eyes=eyes)
    if kind in OFFICE:
        from malafide.intake.office import read_office

        return read_office(data, kind, case_id(data), source, eyes)
    if kind == "html":
        return assemble_page(Entity("text/html", "", "", "", "", data), case_id(data), source, eyes)
    if kind in PICTURES:
        # A screenshot is a mail that holds nothing else: the same eyes read its writing and its codes.
        picture = {"attachments": [{"filename": source or "picture", "content": data}]}
        case = replace(read_bytes(_mail(picture), source, eyes), id=case_id(data))
        if case.reading.strip() or (case.mail is not None and case.mail.links):
            return case
        return replace(case, limitations=(*case.limitations, _NOTHING_SEEN))
    return read_bytes(data, source, eyes)


def _names_a_file(text: str) -> bool:
    if len(text) > _LONGEST_PATH or "\n" in text:
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _mail(fields: Mapping[str, Any]) -> bytes:
    """The raw mail of one given in pieces."""
    if unknown := set(fields) - _FIELDS:
        raise UnreadableInput(f"unknown fields {sorted(map(str, unknown))}; a mail has {sorted(_FIELDS)}")
    headers = fields.get("headers") or {}
    if not isinstance(headers, Mapping):
        raise UnreadableInput(f"headers must be names with values, not {type(headers).__name__}")
    message = EmailMessage(policy=SMTP.clone(raise_on_defect=False))
    given = {str(name).lower() for name in headers}
    lines = [
        *((name, value) for name, value in (("From", fields.get("sender")), ("Subject", fields.get("subject")))
          if value and name.lower() not in given),
        *headers.items(),
    ]  # fmt: skip
    body = str(fields.get("body") or "")
    subtype = (
        "html"
        if body[:200].lstrip().lower().startswith(("<!doctype html", "<html", "<body", "<div"))
        else "plain"
    )
    message.set_content(body.encode("utf-8", "replace").decode("utf-8"), subtype=subtype, cte="base64")
    for name, data in _files(fields.get("attachments") or ()):
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    if message.is_multipart():  # the same pieces are the same mail
        message.set_boundary(f"=_{case_id(body.encode('utf-8', 'replace'))}")
    head = "".join(
        f"{_flat(name)}: {_flat(value)}\r\n" for name, value in lines if str(name).lower() not in _OURS
    )
    return head.encode("utf-8", "replace") + message.as_bytes()


_OURS: Final = frozenset(("content-type", "content-transfer-encoding", "mime-version"))


def _files(attachments: object) -> list[tuple[str, bytes]]:
    if not isinstance(attachments, list | tuple):
        raise UnreadableInput("attachments must be a list of {'filename': ..., 'content': ...}")
    found = []
    for entry in attachments:
        if isinstance(entry, str):
            found.append((_flat(entry), b""))
            continue
        if not isinstance(entry, Mapping):
            raise UnreadableInput(
                f"an attachment is {type(entry).__name__}, not a name or {{'filename', 'content'}}"
            )
        name = entry.get("filename") or entry.get("name") or "unnamed"
        content = entry.get("content") or b""
        found.append(
            (_flat(name), content if isinstance(content, bytes) else str(content).encode("utf-8", "replace"))
        )
    return found


def _flat(value: object) -> str:
    """On one line: a value cannot add headers of its own."""
    return " ".join(str(value).replace("\0", "").split())
