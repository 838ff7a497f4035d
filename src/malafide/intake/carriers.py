"""Elements of a page in, what leads away from it out: links, pictures and forms."""

from __future__ import annotations

from contextlib import suppress
from typing import Final
from urllib.parse import urljoin

from selectolax.lexbor import LexborNode

from malafide.case import LinkCarrier
from malafide.intake.canvas import Anchor, Canvas
from malafide.intake.look import Attributes, Look
from malafide.limits import MAX_LINKS

_NO_LINK: Final = ("data:", "cid:", "#", "about:")
_REMOTE: Final = ("http:", "https:", "//", "ftp:")
_BUTTONS: Final = frozenset(("submit", "button", "reset"))
_LINE_ENDS: Final = str.maketrans("", "", "\r\n\t")
_MAX_TARGET: Final = 8_000
_MAX_FORMS: Final = 50
_MAX_EMBEDDED: Final = 5
_MAX_FIELDS: Final = 100


class Carriers:
    """The links, pictures and forms of one page."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.anchors: list[Anchor] = []
        self.forms: list[tuple[str, list[str]]] = []  # where each sends to and the kinds of its fields
        self.images = self.remote_images = self.linked_images = 0
        self.embedded: list[str] = []  # pictures written into the page itself, as base64
        self._base = ""
        self._images_in_anchor = 0

    def link(self, target: str | None, carrier: LinkCarrier) -> Anchor | None:
        if not target or len(self.anchors) > MAX_LINKS:
            return None
        target = target[:_MAX_TARGET].translate(_LINE_ENDS).strip()
        if not target or target[:6].lower().startswith(_NO_LINK):
            return None
        if self._base and ":" not in target.partition("/")[0]:
            with suppress(ValueError):
                target = urljoin(self._base, target)
        anchor = Anchor(target, carrier)
        self.anchors.append(anchor)
        return anchor

    def open_anchor(self, attributes: Attributes) -> None:
        self.close_anchor()
        self.canvas.anchor = self.link(attributes.get("href") or attributes.get("xlink:href"), "anchor")
        self.canvas.anchor_words = False
        self._images_in_anchor = 0

    def close_anchor(self) -> None:
        anchor = self.canvas.anchor
        if anchor is not None and self._images_in_anchor:
            self.linked_images += 1
            if not self.canvas.anchor_words:
                anchor.carrier = "image"
        self.canvas.anchor = None

    def area(self, attributes: Attributes) -> None:
        """A place on a picture that is a link."""
        self.link(attributes.get("href"), "image")

    def image(self, attributes: Attributes, look: Look) -> None:
        self.images += 1
        self._images_in_anchor += 1
        source = (attributes.get("src") or "").strip()[:10].lower()
        if source.startswith(_REMOTE) or (self._base and not source.startswith(_NO_LINK)):
            self.remote_images += 1
        elif source == "data:image" and len(self.embedded) < _MAX_EMBEDDED:
            self.embedded.append((attributes.get("src") or "").partition("base64,")[2])
        alternative = attributes.get("alt")
        if alternative:
            # A reader draws it in a colour and size of its own.
            self.canvas.aside(alternative[:2_000], look.gone)

    def form(self, attributes: Attributes) -> None:
        anchor = self.link(attributes.get("action"), "form")
        if len(self.forms) < _MAX_FORMS:
            self.forms.append((anchor.target if anchor else "", []))

    def field(self, tag: str, attributes: Attributes, look: Look) -> None:
        """An input belongs to the last form opened: in tables the parser puts it outside the element."""
        kind = (attributes.get("type") or ("text" if tag == "input" else tag)).strip().lower()[:30]
        if not self.forms:
            self.forms.append(("", []))
        if len(self.forms[-1][1]) < _MAX_FIELDS:
            self.forms[-1][1].append(kind)
        self.link(attributes.get("formaction"), "form")
        shown = attributes.get("placeholder") or (attributes.get("value") if kind in _BUTTONS else None)
        if tag == "input" and shown:
            self.canvas.aside(shown[:500], look.gone)

    def head(self, node: LexborNode) -> None:
        """What a meta or base element does to the links."""
        attributes = node.attributes
        if node.tag == "base":
            self._base = self._base or (attributes.get("href") or "").strip()
        elif (attributes.get("http-equiv") or "").lower() == "refresh":
            _, found, target = (attributes.get("content") or "").partition("=")
            if found:
                self.link(target.strip(" '\""), "refresh")
