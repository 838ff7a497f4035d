"""Bytes or text in, a Case out: recognise what it is and have it taken apart."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from malafide.case import Case, case_id
from malafide.errors import InputTooLarge, UnreadableInput
from malafide.intake.assemble import assemble, assemble_text
from malafide.intake.attachments import sniff
from malafide.intake.charset import decode, without_surrogates
from malafide.intake.mime import Entity, dissect
from malafide.intake.writing import Eyes
from malafide.limits import MAX_INPUT_BYTES

_KNOWN: Final = frozenset(
    (
        *("from", "to", "cc", "bcc", "subject", "date", "sent", "message-id", "received", "return-path"),
        *("reply-to", "sender", "mime-version", "content-type", "content-transfer-encoding", "delivered-to"),
        *("in-reply-to", "references", "importance", "priority", "user-agent", "organization", "errors-to"),
        *("authentication-results", "dkim-signature", "domainkey-signature", "received-spf", "precedence"),
        *("thread-index", "thread-topic", "content-language", "content-disposition", "resent-from"),
        *("envelope-to", "auto-submitted", "status", "lines"),
    )
)
_KNOWN_STARTS: Final = ("x-", "list-", "arc-")
_FIRST_LINES: Final = 1_500
_LOOKED_AT: Final = 20_000  # characters in which headers must show
_OLE: Final = b"\xd0\xcf\x11\xe0"
_UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_PAGE_STARTS: Final = ("<!doctype html", "<html", "<head", "<body", "<div", "<table", "<p>", "<p ", "<meta")
_NOT_MAIL: Final = {
    "pdf": "a PDF document",
    "rtf": "an RTF document",
    "zip": "a zip archive",
    "rar": "a RAR archive",
    "7z": "a 7z archive",
    "gz": "a gzip archive",
    "bz2": "a bzip2 archive",
    "xz": "an xz archive",
    "cab": "a cabinet archive",
    "exe": "a Windows program",
    "elf": "a program",
    "class": "a program",
    "lnk": "a Windows shortcut",
    "png": "a picture (PNG)",
    "jpg": "a picture (JPEG)",
    "gif": "a picture (GIF)",
    "bmp": "a picture (BMP)",
    "tiff": "a picture (TIFF)",
    "riff": "a sound, film or picture file",
    "mp3": "a sound file",
    "one": "a OneNote file",
    "iso": "a disk image",
}


def read_file(path: Path) -> bytes:
    """The bytes of a file, no more than one beyond what is read: whoever reads them refuses the rest."""
    try:
        with path.open("rb") as handle:
            return handle.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise UnreadableInput(f"cannot read {str(path)!r}: {error.strerror or error}") from None


def read_bytes(data: bytes, source: str = "", eyes: Eyes | None = None) -> Case:
    """The Case of a raw mail, an Outlook .msg file or text."""
    if len(data) > MAX_INPUT_BYTES:
        raise InputTooLarge(
            f"The input has {len(data):,} bytes; at most {MAX_INPUT_BYTES:,} are read. Send a smaller one."
        )
    if not data or data.isspace():
        raise UnreadableInput("The input is empty. Give it a mail (.eml, .msg) or text.")
    digest = case_id(data)
    if data.startswith(_OLE):
        from malafide.intake.outlook import dissect_msg

        return assemble(dissect_msg(data), digest, source, eyes)
    # Nearly all mail shows itself in its first lines; what does not is looked at further.
    if any(looks_like_mail(data[:most].decode("latin-1")) for most in (_FIRST_LINES, _LOOKED_AT)):
        return assemble(dissect(data), digest, source, eyes)
    if data.startswith(_UTF16_MARKS):
        return _read(decode(data, "utf-16"), digest, source)
    _refuse_binary(data)
    return _read(decode(data.removeprefix(_UTF8_MARK)), digest, source)


def read_text(text: str, source: str = "") -> Case:
    """The Case of a message given as text: a whole mail, or only its words."""
    text = without_surrogates(text)
    data = text.encode("utf-8")
    if len(data) > MAX_INPUT_BYTES:
        raise InputTooLarge(
            f"The text has {len(data):,} bytes; at most {MAX_INPUT_BYTES:,} are read. Send a smaller one."
        )
    return _read(text, case_id(data), source)


def _read(text: str, digest: str, source: str) -> Case:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if not text.strip():
        raise UnreadableInput("The input is empty. Give it a mail (.eml, .msg) or text.")
    if looks_like_mail(text[:_LOOKED_AT]):
        mail = dissect(text.encode("utf-8"))
        for entity in mail.entities:
            # Whoever made text of the mail decoded it: the charset it names is no longer the one it is in.
            if entity.encoding not in ("base64", "quoted-printable") and not entity.payload.isascii():
                entity.charset = "utf-8"
        return assemble(mail, digest, source)
    subject = None
    start = text.lstrip()
    if start[:8].lower() == "subject:":
        first, _, text = start.partition("\n")
        subject = first[8:].strip()
    kind = "text/html" if text[:200].lstrip().lower().startswith(_PAGE_STARTS) else "text/plain"
    body = Entity(kind, "utf-8", "", "", "", text.encode("utf-8"))
    return assemble_text(subject, body, digest, source)


def looks_like_mail(start: str) -> bool:
    """Whether text begins with mail headers: two known ones before the first empty line."""
    start = start.replace("\r\n", "\n").replace("\r", "\n")
    start = start.removeprefix("\ufeff").removeprefix("\xef\xbb\xbf").lstrip("\n")
    known: set[str] = set()
    for number, line in enumerate(start.split("\n")):
        if line[:1] in (" ", "\t") and known and line.strip():
            continue
        name, colon, _ = line.partition(":")
        name = name.rstrip().lower()
        if not colon or not name or " " in name:
            if number == 0 and line.startswith(("From ", ">From ")):
                continue
            return False
        if name in _KNOWN or name.startswith(_KNOWN_STARTS):
            known.add(name)
            if len(known) == 2:
                return True
    return False


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
