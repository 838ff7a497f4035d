"""HTML in, what a reader sees out, and apart from it what the reader does not see."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from malafide.case import HiddenReason, LinkCarrier
from malafide.intake.guard import harmless_html
from malafide.intake.styles import (
    NOTHING,
    UNKNOWN,
    WHITE,
    Effect,
    Sheet,
    alike,
    merge,
    parse_colour,
    parse_style,
)
from malafide.limits import MAX_HTML_BYTES, MAX_HTML_DEPTH, MAX_HTML_NODES, MAX_LINKS, MAX_TEXT_CHARS

_PARAGRAPH: Final = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr"))
_BLOCK: Final = frozenset(
    ["address", "article", "aside", "body", "center", "dd", "dir", "div", "dl", "dt", "fieldset", "figure", "figcaption", "footer", "form", "header", "html", "legend", "li", "main", "menu", "nav", "ol", "section", "table", "tbody", "tfoot", "thead", "tr", "ul", "caption", "option", "select", "textarea"]
)
_UNREAD: Final = frozenset(
    ("head", "script", "style", "title", "template", "iframe", "object", "applet", "svg")
)
_NO_LINK: Final = ("data:", "cid:", "#", "about:")
_MIN_COMMENT: Final = 40  # characters; shorter ones are notes of whoever wrote the template
_MAX_TARGET: Final = 8_000


@dataclass(slots=True)
class Anchor:
    """A link as found: its target, how it is carried and where its words stand in the text, start == end for none."""

    target: str
    carrier: LinkCarrier
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Rendered:
    text: str = ""
    anchors: list[Anchor] = field(default_factory=list)
    hidden: list[tuple[HiddenReason, str]] = field(default_factory=list)
    forms: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    images: int = 0
    remote_images: int = 0
    linked_images: int = 0
    scripts: int = 0
    tags: int = 0
    source_size: int = 0
    truncated: bool = False
    limitations: list[str] = field(default_factory=list)


class _State:
    """How text looks at some place in the tree."""

    __slots__ = ("background", "colour", "hidden", "invisible", "reason", "tiny")

    def __init__(
        self, reason: HiddenReason | None, tiny: bool, invisible: bool, colour: int | None, background: int
    ) -> None:
        self.reason, self.tiny, self.invisible = reason, tiny, invisible
        self.colour, self.background = colour, background
        self.hidden: HiddenReason | None = reason
        if reason is None:
            if invisible:
                self.hidden = "display"
            elif tiny:
                self.hidden = "size"
            elif colour is not None and background >= 0 and colour >= 0 and alike(colour, background):
                self.hidden = "colour"

    def under(self, effect: Effect) -> _State:
        return _State(
            self.reason or effect.hide,
            self.tiny if effect.tiny is None else effect.tiny,
            self.invisible if effect.invisible is None else effect.invisible,
            self.colour if effect.colour is None else effect.colour,
            self.background if effect.background is None else effect.background,
        )


def render(source: str) -> Rendered:
    """Read HTML as a mail reader would show it."""
    out = Rendered(source_size=len(source))
    if len(source) > MAX_HTML_BYTES:
        out.truncated = True
        out.limitations.append(
            f"The HTML part has {len(source) / 1e6:.1f} million characters; only the first "
            f"{MAX_HTML_BYTES // 1_000_000} million were read."
        )
        source = source[:MAX_HTML_BYTES]
    safe = harmless_html(source)
    if len(safe) < len(source):
        out.truncated = True
        out.limitations.append("The HTML is nested beyond reason; it was read only up to there.")
    tree = LexborHTMLParser(safe)
    root = tree.root
    if root is not None:
        _Walk(out, _sheet(tree)).run(root)
    return out


def _sheet(tree: LexborHTMLParser) -> Sheet:
    blocks = tree.css("style")
    if not blocks:
        return Sheet()
    # The media attribute works like @media around the block.
    return Sheet(
        "\n".join(
            f"@media {{{node.text()}}}" if "width" in (node.attributes.get("media") or "") else node.text()
            for node in blocks[:50]
        )
    )


class _Walk:
    """One pass over the tree. Text goes out with a pending gap, so that white space never ends a line or a link."""

    def __init__(self, out: Rendered, sheet: Sheet) -> None:
        self.out = out
        self.sheet = sheet
        self.pieces: list[str] = []
        self.length = 0
        self.gap = ""  # what stands between the last visible text and the next
        self.unseen: list[str] = []  # words of the hidden piece being read
        self.state = _State(None, False, False, None, UNKNOWN if sheet.clever_background else WHITE)
        self.anchor: Anchor | None = None
        self.anchor_words = False
        self.anchor_images = 0
        self.base = ""
        self.fields: list[str] | None = None
        self.literal = 0  # open <pre> and <textarea>

    def run(self, root: LexborNode) -> None:
        out = self.out
        frames: list[tuple[LexborNode, str, _State]] = []
        node = root
        nodes = 0
        while True:
            nodes += 1
            tag = node.tag or ""
            before = self.state
            descend = True
            if tag == "-text":
                self.words(node.text_content or "")
                descend = False
            elif tag == "-comment":
                self.comment(node.comment_content or "")
                descend = False
            elif tag[:1] == "-":
                descend = tag == "-document"
            else:
                out.tags += 1
                descend = self.enter(node, tag)
            child = node.first_child if descend else None
            if child is not None and len(frames) < MAX_HTML_DEPTH and nodes < MAX_HTML_NODES:
                frames.append((node, tag, before))
                node = child
                continue
            if child is not None and not out.truncated:
                out.truncated = True
                out.limitations.append("The HTML is too large or too deep; not all of it was read.")
            self.leave(tag, before)
            while (following := node.next) is None or nodes >= MAX_HTML_NODES:
                if not frames:
                    self.flush_hidden()
                    out.text = "".join(self.pieces)
                    return
                node, tag, before = frames.pop()
                self.leave(tag, before)
            node = following

    # -- text ------------------------------------------------------------------------------------------------

    def words(self, text: str) -> None:
        if self.state.hidden is not None:
            if len(self.unseen) < 5_000:
                self.unseen.append(text)
            return
        if self.literal:
            self.emit(text)
            return
        flat = " ".join(text.split())
        if not flat:
            if text and not self.gap:
                self.gap = " "
            return
        if text[0].isspace() and not self.gap:
            self.gap = " "
        self.emit(flat)
        if text[-1].isspace():
            self.gap = " "
        self.anchor_words = True

    def emit(self, text: str) -> None:
        room = MAX_TEXT_CHARS - self.length - 2
        if len(text) > room:
            if not self.out.truncated:
                self.out.truncated = True
                self.out.limitations.append(
                    f"Only the first {MAX_TEXT_CHARS} characters of the HTML were read."
                )
            text = text[: max(room, 0)]
        if not text:
            return
        if self.unseen:
            self.flush_hidden()
        if self.gap:
            if self.length:
                self.pieces.append(self.gap)
                self.length += len(self.gap)
            self.gap = ""
        if self.anchor is not None and self.anchor.end == 0:
            self.anchor.start = self.length
        self.pieces.append(text)
        self.length += len(text)
        if self.anchor is not None:
            self.anchor.end = self.length

    def break_line(self, gap: str) -> None:
        if len(gap) > len(self.gap) or self.gap == " ":
            self.gap = gap

    def flush_hidden(self, reason: HiddenReason | None = None) -> None:
        if not self.unseen:
            return
        text = " ".join(" ".join(self.unseen).split())
        self.unseen.clear()
        if text:
            self.out.hidden.append((reason or self.last_reason, text))

    last_reason: HiddenReason = "display"

    def comment(self, text: str) -> None:
        if len(text) < _MIN_COMMENT or len(text) > MAX_TEXT_CHARS:
            return
        text = " ".join(text.split())
        if reads_as_prose(text):
            self.out.hidden.append(("comment", text))

    # -- elements --------------------------------------------------------------------------------------------

    def enter(self, node: LexborNode, tag: str) -> bool:
        """Take note of an element; whether to go on inside it."""
        if tag == "br":
            self.break_line("\n\n" if self.gap == "\n" else "\n")
            return False
        attributes = node.attributes
        if tag in _UNREAD:
            return self.enter_unread(node, tag, attributes)
        if attributes or tag in self.sheet.effects or tag == "noscript":
            self.look(tag, attributes)
        if tag == "a" or tag == "area":
            self.open_anchor(attributes.get("href"), "anchor")
        elif tag == "img":
            self.image(attributes)
        elif tag in _PARAGRAPH:
            self.break_line("\n\n")
            self.literal += tag == "pre"
        elif tag in _BLOCK:
            self.break_line("\n")
            self.literal += tag == "textarea"
        elif tag == "td" or tag == "th":
            self.break_line(" ")
        if tag in ("form", "input", "button", "select", "textarea"):
            self.enter_form(tag, attributes)
        return True

    def enter_unread(self, node: LexborNode, tag: str, attributes: dict[str, str | None]) -> bool:
        if tag == "script":
            self.out.scripts += 1
        elif tag == "iframe":
            self.link(attributes.get("src"), "refresh")
        elif tag == "head":
            for meta in node.css("meta, base"):
                self.meta(meta)
            self.out.scripts += len(node.css("script"))
        return False

    def meta(self, node: LexborNode) -> None:
        attributes = node.attributes
        if node.tag == "base":
            self.base = self.base or (attributes.get("href") or "").strip()
        elif (attributes.get("http-equiv") or "").lower() == "refresh":
            _, found, target = (attributes.get("content") or "").partition("=")
            if found:
                self.link(target.strip(" '\""), "refresh")

    def look(self, tag: str, attributes: dict[str, str | None]) -> None:
        classes = attributes.get("class") or ""
        style = attributes.get("style")
        effect = NOTHING
        if self.sheet.effects:
            effect = self.sheet.effect(tag, classes, attributes.get("id") or "")
        if (
            "bgcolor" in attributes
            or "background" in attributes
            or "color" in attributes
            or "text" in attributes
        ):
            effect = merge(effect, _presentation(tag, attributes))
        if style:
            effect = merge(effect, parse_style(style))
        if tag == "a" and effect.colour is None:
            effect = effect._replace(colour=UNKNOWN)  # links have a colour of their own
        if "hidden" in attributes or tag == "noscript":
            effect = effect._replace(hide="display")
        if (
            effect.hide
            and self.sheet.shown_elsewhere
            and not self.sheet.shown_elsewhere.isdisjoint(classes.lower().split())
        ):
            effect = effect._replace(hide=None)
        if effect is NOTHING:
            return
        state = self.state.under(effect)
        if state.hidden is not None:
            if self.state.hidden is None or state.hidden != self.state.hidden:
                self.flush_hidden()
            self.last_reason = state.hidden
        self.state = state

    def leave(self, tag: str, before: _State) -> None:
        if self.state is not before:
            if self.state.hidden is not None and before.hidden != self.state.hidden:
                self.flush_hidden()
                if before.hidden is not None:
                    self.last_reason = before.hidden
            self.state = before
        if tag == "a" or tag == "area":
            self.close_anchor()
        elif tag in _PARAGRAPH:
            self.literal -= tag == "pre"
            self.break_line("\n\n")
        elif tag in _BLOCK:
            self.literal -= tag == "textarea"
            self.break_line("\n")
        elif tag == "td" or tag == "th":
            self.break_line(" ")
        if self.state.hidden is not None and self.unseen and tag in _BLOCK:
            self.unseen.append(" ")
        if tag == "form" and self.fields is not None:
            action, _ = self.out.forms[-1]
            self.out.forms[-1] = (action, tuple(self.fields))
            self.fields = None

    # -- links, pictures, forms ------------------------------------------------------------------------------

    def link(self, target: str | None, carrier: LinkCarrier) -> Anchor | None:
        if not target or len(self.out.anchors) > MAX_LINKS:
            return None
        target = "".join(target[:_MAX_TARGET].split("\n")).replace("\r", "").replace("\t", "").strip()
        if not target or target[:6].lower().startswith(_NO_LINK):
            return None
        if self.base and ":" not in target.partition("/")[0]:
            try:
                target = urljoin(self.base, target)
            except ValueError:
                pass
        anchor = Anchor(target, carrier)
        self.out.anchors.append(anchor)
        return anchor

    def open_anchor(self, target: str | None, carrier: LinkCarrier) -> None:
        self.close_anchor()
        self.anchor = self.link(target, carrier)
        self.anchor_words = False
        self.anchor_images = 0

    def close_anchor(self) -> None:
        anchor = self.anchor
        if anchor is not None and self.anchor_images:
            self.out.linked_images += 1
            if not self.anchor_words:
                anchor.carrier = "image"
        self.anchor = None

    def image(self, attributes: dict[str, str | None]) -> None:
        self.out.images += 1
        self.anchor_images += 1
        source = (attributes.get("src") or "").strip()[:10].lower()
        if source.startswith(("http:", "https:", "//", "ftp:")) or (self.base and source[:4] != "cid:"):
            self.out.remote_images += 1
        alternative = " ".join((attributes.get("alt") or "")[:2_000].split())
        if alternative:
            self.aside(alternative)

    def aside(self, text: str) -> None:
        """Text that stands in an attribute but is shown."""
        if self.state.hidden is not None:
            self.unseen.append(text)
            return
        self.break_line(self.gap or " ")
        self.emit(text)
        self.gap = " "

    def enter_form(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "form":
            action = self.link(attributes.get("action"), "form")
            self.out.forms.append((action.target if action else "", ()))
            self.fields = []
            return
        kind = (attributes.get("type") or ("text" if tag == "input" else tag)).strip().lower()[:30]
        if self.fields is None:
            # Fields outside a form still ask for something.
            self.out.forms.append(("", (kind,)))
        elif len(self.fields) < 100:
            self.fields.append(kind)
        self.link(attributes.get("formaction"), "form")
        shown = attributes.get("placeholder") or (
            attributes.get("value") if kind in ("submit", "button", "reset") else None
        )
        if tag == "input" and shown:
            self.aside(" ".join(shown[:500].split()))


def _presentation(tag: str, attributes: dict[str, str | None]) -> Effect:
    """What the attributes of old HTML say about colours."""
    background = UNKNOWN if attributes.get("background") else parse_colour(attributes.get("bgcolor") or "")
    colour = parse_colour(attributes.get("text" if tag == "body" else "color") or "")
    return Effect(colour=colour, background=background)


_WORD: Final = re.compile(r"[^\W\d_]{2,20}")


def reads_as_prose(text: str) -> bool:
    """Whether a comment holds words for a filter to count, rather than markup, code or a note of a program."""
    if text.startswith(("[if", "[endif", "<![", ">")) or "[endif]" in text or "mso" in text[:60].lower():
        return False
    marks = sum(text.count(mark) for mark in "{}<>=;/_#|")
    words = len(_WORD.findall(text[:20_000]))
    return words >= 8 and marks * 4 < words
