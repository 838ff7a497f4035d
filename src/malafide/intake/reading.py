"""Bytes or text in, a Case out: recognise what it is and have it taken apart."""

from __future__ import annotations

import hashlib
from typing import Final

from malafide.case import Case
from malafide.errors import InputTooLarge, UnreadableInput
from malafide.intake.assemble import assemble, assemble_text
from malafide.intake.attachments import sniff
from malafide.intake.charset import decode, without_surrogates
from malafide.intake.mime import dissect
from malafide.limits import MAX_INPUT_BYTES

_KNOWN: Final = frozenset(
    ["from", "to", "cc", "bcc", "subject", "date", "message-id", "received", "return-path", "reply-to", "sender", "mime-version", "content-type", "content-transfer-encoding", "delivered-to", "in-reply-to", "references", "importance", "priority", "user-agent", "organization", "authentication-results", "dkim-signature", "arc-seal", "received-spf", "errors-to", "precedence", "thread-index", "thread-topic", "sent", "domainkey-signature", "content-language", "resent-from", "envelope-to", "content-disposition", "auto-submitted", "status", "lines"]
)
_OLE: Final = b"\xd0\xcf\x11\xe0"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_NOT_MAIL: Final = {
    "pdf": "a PDF document",
    "zip": "a zip archive",
    "exe": "a Windows program",
    "elf": "a program",
    "png": "a picture (PNG)",
    "jpg": "a picture (JPEG)",
    "gif": "a picture (GIF)",
    "bmp": "a picture (BMP)",
    "tiff": "a picture (TIFF)",
    "riff": "a sound, film or picture file",
    "rar": "a RAR archive",
    "7z": "a 7z archive",
    "gz": "a gzip archive",
    "bz2": "a bzip2 archive",
    "xz": "an xz archive",
    "cab": "a cabinet archive",
    "lnk": "a Windows shortcut",
    "one": "a OneNote file",
    "mp3": "a sound file",
    "iso": "a disk image",
    "rtf": "an RTF document",
}


def read_bytes(data: bytes, source: str = "") -> Case:
    """The Case of a raw mail, an Outlook .msg file or plain text."""
    if len(data) > MAX_INPUT_BYTES:
        raise InputTooLarge(
            f"The input has {len(data)} bytes; at most {MAX_INPUT_BYTES} are read. Send a smaller message."
        )
    if not data.strip():
        raise UnreadableInput("The input is empty. Give it a message to read.")
    case_id = hashlib.sha256(data).hexdigest()[:16]
    if data.startswith(_OLE):
        from malafide.intake.outlook import dissect_msg

        return assemble(dissect_msg(data), case_id, source)
    if looks_like_mail(data[:20_000].decode("latin-1")):
        return assemble(dissect(data), case_id, source)
    if data.startswith(_UTF16):
        return _read(decode(data, "utf-16"), case_id, source)
    _refuse_binary(data)
    return _read(decode(data.removeprefix(b"\xef\xbb\xbf")), case_id, source)


def read_text(text: str, source: str = "") -> Case:
    """The Case of a message given as text: a whole mail, or only its words."""
    text = without_surrogates(text)
    data = text.encode("utf-8")
    if len(data) > MAX_INPUT_BYTES:
        raise InputTooLarge(f"The text has {len(data)} bytes; at most {MAX_INPUT_BYTES} are read.")
    if not text.strip():
        raise UnreadableInput("The text is empty. Give it a message to read.")
    return _read(text, hashlib.sha256(data).hexdigest()[:16], source)


def _read(text: str, case_id: str, source: str) -> Case:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if not text.strip():
        raise UnreadableInput("The text is empty. Give it a message to read.")
    if looks_like_mail(text[:20_000]):
        return assemble(dissect(text.encode("utf-8")), case_id, source)
    subject = None
    stripped = text.lstrip()
    if stripped[:8].lower() == "subject:":
        first, _, text = stripped.partition("\n")
        subject = first[8:].strip()
    return assemble_text(subject, text, _is_html(text), case_id, source)


def looks_like_mail(start: str) -> bool:
    """Whether text begins with mail headers: two known ones before the first empty line."""
    start = start.removeprefix("\ufeff").removeprefix("\xef\xbb\xbf").lstrip("\r\n")
    known: set[str] = set()
    for number, line in enumerate(start.splitlines()):
        if line[:1] in (" ", "\t") and line.strip():
            continue
        name, colon, _ = line.partition(":")
        name = name.rstrip().lower()
        if not colon or not name or " " in name:
            if number == 0 and line.startswith(("From ", ">From ")):
                continue
            return False
        if name in _KNOWN or name.startswith(("x-", "list-", "arc-")):
            known.add(name)
            if len(known) == 2:
                return True
    return False


def _is_html(text: str) -> bool:
    start = text[:2_000].lstrip().lower()
    return start.startswith(("<!doctype html", "<html", "<body", "<div", "<table", "<p>", "<p ")) or (
        "<html" in start and "</" in text
    )


def _refuse_binary(data: bytes) -> None:
    kind = sniff(data)
    if kind in _NOT_MAIL:
        raise UnreadableInput(
            f"The input is {_NOT_MAIL[kind]}, not a mail. Give it a mail (.eml, .msg) or text."
        )
    sample = data[:8_192]
    controls = sum(sample.count(byte) for byte in range(32) if byte not in b"\t\n\f\r\x1b")
    if controls * 20 > len(sample):
        raise UnreadableInput("The input is binary data, not a mail. Give it a mail (.eml, .msg) or text.")
