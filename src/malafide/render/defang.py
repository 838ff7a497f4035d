"""Links and addresses on their way to a screen: written so that nothing can be clicked or opened by mistake.

`https://example.com/pay` becomes `hxxps://example[.]com/pay`. Works by single characters, so that a mark may
begin or end inside a link. Plain string work in one pass: a message may be one link of 300,000 characters.
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"\S+")
_RUN: Final = re.compile(r"[\w.-]+")
_AUTHORITY_END: Final = re.compile(r"[/?#\\<>\"']")
_LONGEST_SCHEME: Final = 12

# Last labels that are far more often the ending of a file name than of a host name.
_FILES: Final = frozenset({
    "avi", "bat", "bmp", "csv", "dll", "doc", "docm", "docx", "eml", "exe", "gif", "htm", "html", "ics",
    "iso", "jar", "jpeg", "jpg", "js", "json", "lnk", "log", "md", "msg", "odt", "pdf", "php", "png", "ppt",
    "pptx", "ps", "py", "rar", "rtf", "scr", "svg", "tar", "tif", "tiff", "txt", "vbs", "wav", "webp", "xls",
    "xlsm", "xlsx", "xml", "yml", "zip",
})  # fmt: skip


def defang(text: str) -> str:
    """The text with its links and host names made inert."""
    edits = defanging(text)
    if not edits:
        return text
    return "".join(edits.get(i, character) for i, character in enumerate(text))


def defanging(text: str) -> dict[int, str]:
    """What to write instead of which character, by offset."""
    edits: dict[int, str] = {}
    if "." not in text and "://" not in text:
        return edits
    for match in _TOKEN.finditer(text):
        token = match.group()
        if "." in token or "://" in token:
            _token(token, match.start(), edits)
    return edits


def _token(token: str, offset: int, edits: dict[int, str]) -> None:
    """A stretch without white space: whole links first, host names in what is left."""
    done = 0
    while (colon := token.find("://", done)) >= 0:
        scheme = _scheme_start(token, colon, done)
        _hosts(token, done, scheme, offset, edits)
        _break_scheme(token, scheme, colon, offset, edits)
        end = _AUTHORITY_END.search(token, colon + 3)
        stop = end.start() if end else len(token)
        following = token.find("://", colon + 3, stop + 3)
        if following >= 0:  # a link that begins where this one's host ends
            stop = _scheme_start(token, following, colon + 3)
        for i in range(colon + 3, stop):
            if token[i] == ".":
                edits[offset + i] = "[.]"
        done = stop
    # After a link comes its path, where a dot is only a dot, but for a second host name in plain sight.
    _hosts(token, done, len(token), offset, edits)


def _scheme_start(token: str, colon: int, least: int) -> int:
    start = colon
    while start > least and colon - start < _LONGEST_SCHEME and token[start - 1].isalnum():
        start -= 1
    return start


def _break_scheme(token: str, start: int, colon: int, offset: int, edits: dict[int, str]) -> None:
    scheme = token[start:colon].lower()
    if scheme.endswith(("http", "https")):
        first = start + scheme.rindex("http")
        for i in (first + 1, first + 2):
            edits[offset + i] = "X" if token[i].isupper() else "x"
    else:
        edits[offset + colon] = "[:]"


def _hosts(token: str, start: int, stop: int, offset: int, edits: dict[int, str]) -> None:
    for match in _RUN.finditer(token, start, stop):
        run = match.group()
        host = run.strip(".-_")
        if "." not in host or not _is_host(host) or token.startswith("=", match.end()):
            continue  # "smtp.mailfrom=" is the name of a value
        first = match.start() + run.index(host)
        for i, character in enumerate(host):
            if character == ".":
                edits[offset + first + i] = "[.]"


def _is_host(host: str) -> bool:
    labels = host.split(".")
    last = labels[-1]
    return (
        2 <= len(last) <= 24
        and last.isalpha()
        and last.lower() not in _FILES
        # "done.Next" is a missing space, "EXAMPLE.COM" and "Example.com" are hosts
        and (last.islower() or host.isupper())
        and all(labels)
    )
