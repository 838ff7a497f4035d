"""Case in, evidence out: what an office file does when it is opened, given by itself or attached to a mail.

That a file is a Word or Excel file says nothing, and macros alone say little. What counts is what they reach for, and
what the file takes from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Act, Case, Document, Span
from malafide.evidence import Evidence, Strength, Topic, observe
from malafide.knowledge.domains import parse
from malafide.tools import tool
from malafide.tools._button import bareness

_TOOL: Final = "office"
_LONGEST_QUOTE: Final = 160
_MOST_ACTS: Final = 40
_NOT_OFFICE: Final = frozenset(("pdf", "html"))
# Programs that a document has no business with.
_PROGRAMS: Final = (
    "cmd", "powershell", "pwsh", "mshta", "rundll32", "regsvr32", "wscript", "cscript", "certutil", "msiexec",
    "bitsadmin", "explorer.exe", "windows\\system32", "msexcel\\..", "msword\\..",
)  # fmt: skip
# What a macro calls to start a program or to fetch one.
_STARTS: Final = (
    "shell(", 'shell "', "shellexecute", "wscript.shell", "shell.application", "powershell", "cmd.exe", "cmd /c",
    "mshta", "rundll32", "regsvr32", "certutil", "bitsadmin", "win32_process",
)  # fmt: skip
_FETCHES: Final = ("urldownloadtofile", "xmlhttp", "winhttp", "adodb.stream", "virtualalloc", "createthread")
_ENABLE: Final = (
    "enable content", "enable editing", "enable macro", "inhalt aktivieren", "bearbeitung aktivieren",
    "makros aktivieren", "activer le contenu", "activer les macros", "activer la modification", "habilitar contenido",
    "habilitar edición", "habilitar conteúdo", "habilitar edição", "abilita contenuto", "abilita modifica",
    "inhoud inschakelen", "bewerken inschakelen",
)  # fmt: skip
_SHARED: Final = ("sharepoint.com", "sharepoint.de", "sharepoint.cn")  # where firms keep their own templates


@tool(_TOOL)
def office(case: Case) -> list[Evidence]:
    """What a Word, Excel, PowerPoint, OpenDocument or RTF file does when it is opened."""
    found: list[Evidence] = []
    for document, part in _documents(case):
        acts = document.acts[:_MOST_ACTS]
        for act in acts:
            found.extend(_act(case, act))
        scripts = [act for act in acts if act.does == "script"]
        if scripts:
            found.extend(_macros(case, document, scripts))
            found.extend(_asks_to_enable(case, part))
    if case.document is not None and case.document.format not in _NOT_OFFICE:
        bare = bareness(case, case.document)
        if bare is not None:
            found.append(_note(case, bare[0], bare[1], "link", bare[2], bare[3]))
    return list({e.kind: e for e in reversed(found)}.values())


def _documents(case: Case) -> Iterator[tuple[Document, str]]:
    """The office files of a case, each with the part its words stand in; "" for the pages of the case itself."""
    if case.document is not None and case.document.format not in _NOT_OFFICE:
        yield case.document, ""
    for file in case.mail.attachments[:30] if case.mail is not None else ():
        if file.document is not None and file.document.format not in _NOT_OFFICE:
            yield file.document, file.part


def _note(case: Case, at: Span, name: str, topic: Topic, strength: Strength, says: str) -> Evidence:
    at = Span(at.part, at.start, min(at.end, at.start + _LONGEST_QUOTE))
    return observe(case, at, f"{_TOOL}.{name}", topic, strength, says, tool=_TOOL)


def _act(case: Case, act: Act) -> Iterator[Evidence]:
    words = case.quote(act.at)
    low = words.lower()
    if act.does == "launch" and any(program in low for program in _PROGRAMS):
        says = "The document starts a program through a hidden link to it (DDE)."
        yield _note(case, act.at, "starts-program", "attachment", "decisive", says)
    elif act.does in ("load-template", "load-object") and (host := _far(words)):
        what = "its template, and whatever runs in it," if act.does == "load-template" else "part of itself"
        says = f"When it is opened the document fetches {what} from {host}."
        name = "remote-template" if act.does == "load-template" else "remote-object"
        # No firm keeps its templates at a bare number, and none needs a page wrapped as a mail archive.
        crooked = host.replace(".", "").isdigit() or low.startswith(("mhtml:", "ms-", "mk:"))
        yield _note(case, act.at, name, "attachment", "decisive" if crooked else "strong", says)


def _far(words: str) -> str:
    """The host that something is fetched from; "" for a firm's own server and its own shared folders."""
    target = next((w for w in words.replace('"', " ").split() if "://" in w or w.startswith("\\\\")), words)
    if target.startswith("\\\\") or target.lower().startswith("file:"):
        host = (
            target.lower()
            .removeprefix("file:")
            .lstrip("\\/")
            .replace("\\", "/")
            .partition("/")[0]
            .partition("@")[0]
        )
    else:
        host = parse(target.lower().removeprefix("mhtml:").partition("!")[0]).host
    return "" if "." not in host or host.endswith(_SHARED) else host


def _macros(case: Case, document: Document, scripts: list[Act]) -> Iterator[Evidence]:
    lines = [(act, case.quote(act.at).lower()) for act in scripts]
    starts = next((act for act, low in lines if any(word in low for word in _STARTS)), None)
    fetches = next((act for act, low in lines if any(word in low for word in _FETCHES)), None)
    reaching = starts or fetches
    when = "as soon as the document is opened" if scripts[0].automatic else "when it runs"
    if reaching is not None and reaching.automatic:
        strength: Strength = "decisive" if starts is not None and fetches is not None else "strong"
        does = "starts another program" if starts is not None else "fetches something from the network"
        says = f"A macro in the document {does} {when}."
        yield _note(case, reaching.at, "macro-reaches-out", "attachment", strength, says)
    elif reaching is not None:
        says = "A macro in the document starts another program or fetches something from the network."
        yield _note(case, reaching.at, "macro-can-reach-out", "attachment", "moderate", says)
    elif document is case.document:  # of a file in a mail `attachments` says it
        says = "The document holds small programs (macros) that run when allowed."
        yield _note(case, scripts[0].at, "macros", "attachment", "moderate", says)


def _asks_to_enable(case: Case, part: str) -> Iterator[Evidence]:
    """Words that have the reader switch off what protects from macros, in a document that has some."""
    for page in case.of_role("body") if not part else [case.part(part)]:
        low = page.text[:20_000].lower()
        at, word = min(((low.find(word), word) for word in _ENABLE if word in low), default=(-1, ""))
        if at >= 0 and page.text[at : at + len(word)].lower() == word:
            says = "The document asks to be allowed to run its macros."
            yield _note(
                case, Span(page.name, at, at + len(word)), "asks-to-enable", "attachment", "strong", says
            )
            return
