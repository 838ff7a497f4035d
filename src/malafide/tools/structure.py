"""Case in, evidence out: what the mail is built of, and what of it is kept from the reader's eye."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Hidden, Html, Mail, Part, Span
from malafide.evidence import Evidence
from malafide.knowledge.headers import place, place_of_missing
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "structure"
_note: Final = noting(_TOOL, "structure")
_PREHEADER_WORDS: Final = 45  # newsletters hide one short line that mail programs show beside the subject
_FILLER_WORDS: Final = 150
_WORDS_COMPARED: Final = 400


@tool(_TOOL)
def structure(case: Case) -> list[Evidence]:
    """What the mail is built of: hidden text, forms, pictures instead of words, two texts that disagree."""
    mail = case.mail
    if mail is None:
        return []
    found: list[Evidence] = []
    body = next(case.of_role("body"), None)
    if mail.html is not None:
        found.extend(_hidden(case, mail.html))
        found.extend(_forms(case, mail.html))
        if body is not None:
            found.extend(_pictures(case, mail, mail.html, body))
            found.extend(_two_texts(case, mail, body))
        found.extend(_only_html(case, mail))
    if body is not None:
        found.extend(_wrapped(case, mail, body))
    return found


def _hidden(case: Case, html: Html) -> Iterator[Evidence]:
    pieces = [h for h in html.hidden if h.reason not in ("zero-width", "comment")]
    counts = [(len(_words(case.quote(h.at))), h) for h in pieces]
    if counts:
        most, piece = max(counts, key=lambda pair: pair[0])
        if most > _PREHEADER_WORDS and not _shown_as_well(case, piece):
            yield from _note(
                case, piece.at, "hidden-text", "strong" if most > _FILLER_WORDS else "moderate",
                f"{most} words are in the mail but hidden from the reader; filters are meant to read them.",
            )  # fmt: skip
        elif piece.reason == "colour" and most >= 4:
            yield from _note(
                case, piece.at, "colour-of-background", "weak",
                "Words are written in the colour of the background, so that nobody sees them.",
            )  # fmt: skip
    comments = [h for h in html.hidden if h.reason == "comment"]
    words = sum(len(case.quote(h.at).split()) for h in comments[:50])
    if words > 60:
        yield from _note(
            case, comments[0].at, "text-in-comments", "weak",
            "Whole sentences stand in remarks of the HTML that no reader ever sees.",
        )  # fmt: skip


def _words(text: str) -> list[str]:
    """Words with letters: the padding of newsletters is made of blanks and signs of no width."""
    return [word for word in text[:20_000].split() if word[0].isalpha()]


def _shown_as_well(case: Case, piece: Hidden) -> bool:
    """Whether most hidden words are shown too: mails keep one form of their text for phones."""
    hidden = {word.lower() for word in _words(case.quote(piece.at))}
    shown = {word.lower() for part in case.of_role("body") for word in _words(part.text)}
    return len(hidden & shown) > 0.6 * len(hidden)


def _forms(case: Case, html: Html) -> Iterator[Evidence]:
    for form in html.forms:
        at = form.at or place_of_missing(case)
        if "password" in form.fields:
            yield from _note(
                case, at, "password-form", "strong", "The mail itself holds a form that asks for a password."
            )
            return
    # A form without a password is no sign: 23 % of legitimate newsletters of 2002 have one, 4 % of spam.
    if html.scripts:
        yield from _note(
            case, place(case, "content-type") or place_of_missing(case), "script", "slight",
            "The mail carries program code (a script), which no mail needs.",
        )  # fmt: skip


def _pictures(case: Case, mail: Mail, html: Html, body: Part) -> Iterator[Evidence]:
    if not html.images or not mail.links:
        return
    words = len(body.text.split())
    link = next((k for k in mail.links if k.carrier == "image"), None)
    if link is not None and words < 60:
        yield from _note(
            case, link.at, "picture-for-text", "moderate" if words < 25 else "weak",
            "The message is a picture with a link behind it; its words cannot be read by filters.",
        )  # fmt: skip


def _two_texts(case: Case, mail: Mail, body: Part) -> Iterator[Evidence]:
    if not mail.plain_and_html:
        return
    other = next(case.of_role("alternative"), None)
    if other is None:
        return
    shown, sent = _vocabulary(body.text), _vocabulary(other.text)
    if min(len(shown), len(sent)) < 25:
        return
    common = len(shown & sent) / min(len(shown), len(sent))
    if common < 0.2:
        start = len(other.text) - len(other.text.lstrip())
        yield from _note(
            case, Span(other.name, start, start + 120), "two-texts", "moderate",
            "The plain text sent along says something else than what the reader is shown.",
        )  # fmt: skip


def _vocabulary(text: str) -> set[str]:
    return {w for w in text[:20_000].lower().split()[:_WORDS_COMPARED] if w.isalpha() and len(w) > 3}


def _only_html(case: Case, mail: Mail) -> Iterator[Evidence]:
    if not mail.plain_and_html and (mail.header("content-type") or "").lower().startswith("text/html"):
        yield from _note(
            case, place(case, "content-type"), "only-html", "slight",
            "It is sent as HTML alone; mail programs of people send plain text along.",
        )  # fmt: skip


def _wrapped(case: Case, mail: Mail, body: Part) -> Iterator[Evidence]:
    if mail.encodings[:1] == ("base64",) and body.text.isascii() and len(body.text) > 40:
        at = place(case, "content-transfer-encoding", "base64") or Span(body.name, 0, min(60, len(body.text)))
        yield from _note(
            case, at, "needless-encoding", "slight",
            "Plain letters were encoded (Base64) without need, which hides the words from simple filters.",
        )  # fmt: skip
