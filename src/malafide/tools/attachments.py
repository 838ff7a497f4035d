"""Case in, evidence out: what came along as files, what they are called and what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Attachment, Case, Document, Mail, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.headers import place
from malafide.tools import tool

_TOOL: Final = "attachments"
# What runs when opened, on Windows, macOS or Linux.
_RUNS: Final = frozenset({
    "exe", "scr", "js", "jse", "vbs", "vbe", "wsf", "wsh", "hta", "bat", "cmd", "ps1", "psm1", "jar", "msi",
    "msp", "pif", "com", "cpl", "lnk", "scf", "reg", "dll", "sys", "gadget", "application", "appref-ms",
    "xll", "ocx", "sct", "iqy", "vb", "ws", "msc", "inf", "chm", "apk", "app", "dmg", "pkg", "command",
    "run", "elf", "one",
})  # fmt: skip
_DISK_IMAGES: Final = frozenset({
    "iso", "img", "vhd", "vhdx", "udf", "daa",
})  # fmt: skip
_RUNS_REALLY: Final = frozenset({"exe", "elf", "lnk", "class", "chm", "one"})
_PAGES: Final = frozenset({"html", "htm", "shtml", "xhtml", "mht", "mhtml", "svg"})
_DOCUMENTS: Final = frozenset({
    "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "rtf", "txt", "csv", "jpg", "jpeg", "png", "gif",
    "bmp", "mp3", "wav", "odt",
})  # fmt: skip
_OFFICE: Final = frozenset(
    {"docx", "xlsx", "pptx", "odt", "ods", "odp"}
)  # zip files whose names mean nothing
_ARCHIVES: Final = frozenset({"zip", "rar", "7z"})
_ZIPPED: Final = frozenset({"docx", "xlsx", "pptx", "odt"})
_MAKES_FILE: Final = ("new blob", "createobjecturl", "mssaveoropenblob", "mssaveblob")
_UNPACKS: Final = ("atob(", "fromcharcode", "unescape(", "decodeuricomponent(", "parseint(")
_WRITES: Final = ("document.write", "eval(")
_REVERSING: Final = frozenset("\u202e\u202d\u2066\u2067\u2068")
_PASSWORD_WORDS: Final = (
    "password", "passcode", "passwort", "kennwort", "mot de passe", "contraseña", "senha", "pass:", "pwd",
)  # fmt: skip


@tool(_TOOL)
def attachments(case: Case) -> list[Evidence]:
    """What came along as files: programs, disguised names, pages, archives, macros."""
    mail = case.mail
    found: list[Evidence] = []
    if case.document is not None and case.document.format == "html":
        found.extend(_scripts(case, case.document, "The file"))
    if mail is None or not mail.attachments:
        return found
    for attachment in mail.attachments[:30]:
        found.extend(_name(case, attachment))
        found.extend(_contents(case, mail, attachment))
    return found


def _note(
    case: Case, attachment: Attachment, name: str, strength: Strength, sentence: str
) -> Iterator[Evidence]:
    at: Span | None = None
    if attachment.name and case.has(attachment.part):
        at = Span(attachment.part, 0, min(len(attachment.name), 160))
    at = at or place(case, "content-type") or place(case, "from")
    if at is not None and case.quote(at):
        yield observe(case, at, f"{_TOOL}.{name}", "attachment", strength, sentence, tool=_TOOL)


def _ending(name: str) -> str:
    return name.lower().rstrip(". ").rpartition(".")[2] if "." in name else ""


def _name(case: Case, attachment: Attachment) -> Iterator[Evidence]:
    name, ending = attachment.name, _ending(attachment.name)
    shown = "".join(c for c in name if c not in _REVERSING)[:80]
    if not _REVERSING.isdisjoint(name):
        yield from _note(
            case, attachment, "reversed-name", "decisive",
            "The file's name holds a sign that turns letters around, so that its real ending is not seen.",
        )  # fmt: skip
    elif ending in _RUNS and _ending(name.lower().rstrip(". ").rpartition(".")[0]) in _DOCUMENTS:
        yield from _note(
            case, attachment, "double-ending", "decisive",
            f"{shown!r} pretends to be a document, but it is a program that runs when opened.",
        )  # fmt: skip
    elif "          " in name and ending in _RUNS:
        yield from _note(
            case,
            attachment,
            "pushed-ending",
            "decisive",
            "The file's name hides its real ending behind many blanks.",
        )
    elif ending in _RUNS and not (ending == "com" and attachment.real_type not in ("exe", "")):
        yield from _note(
            case, attachment, "program", "strong", f"{shown!r} is a program or script; opening it runs it."
        )
    elif ending in ("url", "desktop", "webloc", "website"):
        yield from _note(
            case, attachment, "shortcut", "weak", f"{shown!r} is a shortcut that opens something else."
        )
    elif ending in _DISK_IMAGES:
        yield from _note(
            case,
            attachment,
            "disk-image",
            "strong",
            f"{shown!r} is a disk image, a way to bring programs past checks.",
        )


def _contents(case: Case, mail: Mail, attachment: Attachment) -> Iterator[Evidence]:
    ending, real = _ending(attachment.name), attachment.real_type
    shown = attachment.name[:80]
    if real in _RUNS_REALLY and ending not in _RUNS:
        yield from _note(
            case,
            attachment,
            "program-in-disguise",
            "decisive",
            f"{shown!r} is really a program, whatever its name says.",
        )
    elif real in ("html", "svg") and ending in _DOCUMENTS - {"txt", "doc", "xls", "csv"}:
        yield from _note(case, attachment, "page-in-disguise", "strong", f"{shown!r} is really a web page.")
    elif real in _ARCHIVES and ending in _DOCUMENTS - _ZIPPED:
        yield from _note(
            case, attachment, "archive-in-disguise", "moderate", f"{shown!r} is really an archive."
        )
    elif ending in _PAGES or (real == "html" and not ending and attachment.name):
        yield from _page(case, mail, attachment, shown)
    if attachment.document is not None and attachment.document.format == "html":
        yield from _scripts(case, attachment.document, repr(shown))
    yield from _inside(case, attachment, shown)
    if attachment.encrypted:
        yield from _locked(case, attachment, shown)
    if attachment.macros:
        yield from _note(
            case,
            attachment,
            "macros",
            "moderate",
            f"{shown!r} holds small programs (macros) that run when allowed.",
        )


def _inside(case: Case, attachment: Attachment, shown: str) -> Iterator[Evidence]:
    """Programs among the names in an archive. Scripts of web pages lie in honest ones too: they count if alone."""
    if _ending(attachment.name) in ("jar", "apk") or attachment.real_type in _OFFICE:
        return
    names = [n for n in attachment.inside if _ending(n) in _RUNS | _DISK_IMAGES]
    files = [n for n in attachment.inside if _ending(n) != "zip" and not n.endswith("/")]
    names = [n for n in names if _ending(n) != "js" or len(files) == 1]
    posing = next((n for n in names if _ending(n.rpartition(".")[0].rstrip()) in _DOCUMENTS), None)
    if posing is not None:
        yield from _note(
            case, attachment, "disguise-in-archive", "decisive",
            f"Inside {shown!r} lies a program that pretends to be a document ({posing[-60:]!r}).",
        )  # fmt: skip
    elif names:
        yield from _note(
            case,
            attachment,
            "program-in-archive",
            "strong",
            f"Inside {shown!r} lies a program ({names[0][-60:]!r}).",
        )


def _scripts(case: Case, document: Document, shown: str) -> Iterator[Evidence]:
    """A page whose script makes a file out of itself, or writes itself anew: no filter sees what comes of it."""
    said = [(act.at, case.quote(act.at).lower()) for act in document.acts if act.does == "script"]
    whole = "\n".join(words for _, words in said)
    if any(word in whole for word in _MAKES_FILE) and any(word in whole for word in _UNPACKS):
        at = next(at for at, words in said if any(word in words for word in _MAKES_FILE))
        says = f"{shown} is a web page whose script builds a file on the reader's own computer."
        yield observe(case, at, f"{_TOOL}.page-builds-file", "attachment", "strong", says, tool=_TOOL)
    for at, words in said:
        if any(word in words for word in _WRITES) and any(word in words for word in _UNPACKS):
            says = f"{shown} is a web page that hides its real content in a code and writes it when opened."
            yield observe(case, at, f"{_TOOL}.page-writes-itself", "attachment", "strong", says, tool=_TOOL)
            return


def _page(case: Case, mail: Mail, attachment: Attachment, shown: str) -> Iterator[Evidence]:
    text = case.part(attachment.part).text[:20_000].lower() if case.has(attachment.part) else ""
    asks = "password" in text[len(attachment.name) :] or "passwort" in text
    forms = any("password" in form.fields for form in (mail.html.forms if mail.html else ()))
    if asks or forms:
        yield from _note(
            case,
            attachment,
            "page-asks-password",
            "strong",
            f"{shown!r} is a web page to open, and it asks for a password.",
        )
    else:
        yield from _note(
            case, attachment, "page", "moderate",
            f"{shown!r} is a web page sent as a file; opened from there, no browser warns about its address.",
        )  # fmt: skip


def _locked(case: Case, attachment: Attachment, shown: str) -> Iterator[Evidence]:
    told = any(word in part.text[:5_000].lower() for part in case.of_role("body") for word in _PASSWORD_WORDS)
    if told:
        yield from _note(
            case, attachment, "locked-with-password-told", "strong",
            f"{shown!r} is locked so that scanners cannot look inside, and the mail tells the password.",
        )  # fmt: skip
    else:
        yield from _note(
            case, attachment, "locked", "moderate", f"{shown!r} is locked: no scanner can look inside."
        )
