"""A document in, whether it is little more than one place to go: a button, a code, a picture to click on."""

from __future__ import annotations

from typing import Final

from malafide.case import Case, Document, Link, Part, Span
from malafide.evidence import Strength
from malafide.folding import fold
from malafide.tools._destinations import by_host, quotable

# Words on a button, in the languages the rules speak.
_BUTTON: Final = (
    "view", "open", "access", "download", "review", "sign", "verify", "confirm", "claim", "pay", "listen", "play",
    "log in", "login", "click", "continue", "unlock", "release", "update", "keep", "cancel", "restore", "get",
    "öffnen", "ansehen", "herunterladen", "bestätigen", "bezahlen", "anmelden", "ouvrir", "voir", "accéder", "payer",
    "télécharger", "confirmer", "ver ", "abrir", "descargar", "verificar", "pagar", "baixar", "acessar", "aprire",
    "scarica", "visualizza", "paga", "bekijk", "openen", "betaal",
)  # fmt: skip
_BARE: Final = 700  # characters of a document that is little more than its button

Bare = tuple[Span, str, Strength, str]  # where, the name of what was seen, how much it says, and in words


def bareness(case: Case, document: Document) -> Bare | None:
    """One or two pages, few words, one place to go."""
    pages = [part for part in case.of_role("body") if part.name.startswith("page/")]
    if document.pages > 2 or sum(len(page.text) for page in pages) > _BARE or case.mail is None:
        return None
    places = {destination.final.owner for destination in by_host(case).values()}
    buttons = [link for link in case.mail.links if link.carrier in ("pdf", "office", "qr")]
    if len(places) != 1 or not buttons:
        return None
    link = buttons[0]
    where = next(iter(places))
    if link.carrier == "qr":
        says = f"The document is little more than a code for the phone's camera, which leads to {where}."
        return quotable(link.at), "only-a-code", "moderate", says
    if _pressed(link, pages):
        says = f"The document is little more than a button, which leads to {where}."
        return link.shown_at or quotable(link.at), "only-a-button", "weak", says
    if not link.text and document.images:
        says = f"The document is little more than a picture to click on, which leads to {where}."
        return quotable(link.at), "picture-to-click", "moderate", says
    return None


def _pressed(link: Link, pages: list[Part]) -> bool:
    words = fold(link.text).text
    return bool(pages) and 0 < len(words) < 60 and any(fold(word).text in words for word in _BUTTON)
