"""HTML in, what a reader sees out, and apart from it what the reader does not see."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from malafide.case import HiddenReason
from malafide.intake.canvas import Anchor, Canvas
from malafide.intake.carriers import Carriers
from malafide.intake.guard import harmless_html
from malafide.intake.look import Look, Looks
from malafide.limits import MAX_HTML_DEPTH, MAX_HTML_NODES, MAX_TEXT_CHARS

_PARAGRAPH: Final = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr"))
_BLOCK: Final = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "body",
            "caption",
            "center",
            "dd",
            "dir",
            "div",
            "dl",
            "dt",
            "fieldset",
        ),
        *(
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
            "html",
            "legend",
            "li",
            "main",
            "menu",
            "nav",
            "ol",
        ),
        *("option", "section", "select", "table", "tbody", "textarea", "tfoot", "thead", "tr", "ul"),
    )
)
_CELL: Final = frozenset(("td", "th"))
_LITERAL: Final = frozenset(("pre", "textarea"))
_FIELDS: Final = frozenset(("input", "button", "select", "textarea"))
_UNREAD: Final = frozenset(("head", "script", "style", "title", "template", "iframe", "desc", "metadata"))
_OPEN_COMMENT: Final = re.compile("<!--[^>]{0,1000}>?")


@dataclass(slots=True)
class Rendered:
    text: str = ""
    anchors: list[Anchor] = field(default_factory=list)
    hidden: list[tuple[HiddenReason, str]] = field(default_factory=list)
    forms: list[tuple[str, list[str]]] = field(default_factory=list)
    images: int = 0
    remote_images: int = 0
    linked_images: int = 0
    embedded: list[str] = field(default_factory=list)
    scripts: int = 0
    tags: int = 0
    source_size: int = 0
    truncated: bool = False
    limitations: list[str] = field(default_factory=list)

    def cut(self, sentence: str) -> None:
        self.truncated = True
        self.limitations.append(sentence)


def render(source: str) -> Rendered:
    """Read HTML as a mail reader would show it."""
    out = Rendered(source_size=len(source))
    source = _close_comments(source)
    safe = harmless_html(source)
    if len(safe) < len(source):
        out.cut("The HTML is nested beyond reason; it was read only up to there.")
    tree = LexborHTMLParser(safe)
    first = tree.root
    if first is not None:
        while (before := first.prev) is not None:  # comments may stand before <html>
            first = before
        _Walk(out, Looks(tree)).run(first)
    return out


def _close_comments(source: str) -> str:
    """A comment that never ends would swallow the rest: end it at its first ">", as forgiving readers do."""
    last_end = source.rfind("-->") + 1
    if source.find("<!--", last_end) < 0:
        return source
    return source[:last_end] + _OPEN_COMMENT.sub("", source[last_end:])


class _Walk:
    """One pass over the tree, without recursion."""

    def __init__(self, out: Rendered, looks: Looks) -> None:
        self.out = out
        self.looks = looks
        self.look = looks.first
        self.canvas = Canvas()
        self.carriers = Carriers(self.canvas)
        self.styled = looks.sheet.effects

    def run(self, first: LexborNode) -> None:
        canvas = self.canvas
        frames: list[tuple[LexborNode, str, Look]] = []  # the elements around `node`
        node = first
        nodes = 0
        complete = True
        while True:
            nodes += 1
            tag = node.tag or ""
            outer = self.look
            child = None
            if tag == "-text":
                canvas.words(node.text_content or "", outer.hidden)
            elif tag == "-comment":
                canvas.comment(node.comment_content or "")
            elif tag[:1] == "-" or self.enter(node, tag):
                child = node.first_child
            if child is not None:
                if len(frames) < MAX_HTML_DEPTH and nodes < MAX_HTML_NODES:
                    frames.append((node, tag, outer))
                    node = child
                    continue
                complete = False
            if tag[:1] != "-":
                self.leave(tag, outer)
            while (following := node.next) is None or nodes >= MAX_HTML_NODES:
                if not frames:
                    self.finish(complete and nodes < MAX_HTML_NODES)
                    return
                node, tag, outer = frames.pop()
                self.leave(tag, outer)
            node = following

    def enter(self, node: LexborNode, tag: str) -> bool:
        """Take note of an element; whether to go on inside it."""
        self.out.tags += 1
        if tag == "br":
            self.canvas.next_line()
            return False
        if tag in _UNREAD:
            self.unread(node, tag)
            return False
        attributes = node.attributes
        if attributes or tag in self.styled or tag == "noscript":
            self.look = self.looks.of(tag, attributes, self.look)
        if tag in _BLOCK:
            self.canvas.break_line("\n")
        elif tag in _CELL:
            self.canvas.break_line(" ")
        elif tag in _PARAGRAPH:
            self.canvas.break_line("\n\n")
        elif tag == "a":
            self.carriers.open_anchor(attributes)
        elif tag == "img":
            self.carriers.image(attributes, self.look)
        elif tag == "area":
            self.carriers.area(attributes)
        elif tag == "meta" or tag == "base":
            self.carriers.head(node)
        if tag in _LITERAL:
            self.canvas.literal += 1
        if tag == "form":
            self.carriers.form(attributes)
        elif tag in _FIELDS:
            self.carriers.field(tag, attributes, self.look)
        return True

    def leave(self, tag: str, outer: Look) -> None:
        if self.look is not outer:
            if self.look.hidden is not None and outer.hidden is None:
                self.canvas.end_hidden()
            self.look = outer
        if tag in _BLOCK:
            self.canvas.break_line("\n")
        elif tag in _CELL:
            self.canvas.break_line(" ")
        elif tag in _PARAGRAPH:
            self.canvas.break_line("\n\n")
        elif tag == "a":
            self.carriers.close_anchor()
        if tag in _LITERAL:
            self.canvas.literal -= 1

    def unread(self, node: LexborNode, tag: str) -> None:
        """Elements whose text is no text of the page."""
        if tag == "script":
            self.out.scripts += 1
        elif tag == "head":
            for inner in node.css("meta, base")[:100]:
                self.carriers.head(inner)
            self.out.scripts += len(node.css("script"))

    def finish(self, complete: bool) -> None:
        self.canvas.end_hidden()
        if not complete:
            self.out.cut("The HTML is too large or too deep; not all of it was read.")
        if self.canvas.full:
            self.out.cut(f"Only the first {MAX_TEXT_CHARS} characters of the HTML text were read.")
        self.out.text = self.canvas.text
        self.out.hidden = self.canvas.hidden
        self.out.anchors = self.carriers.anchors
        self.out.forms = self.carriers.forms
        self.out.images = self.carriers.images
        self.out.remote_images = self.carriers.remote_images
        self.out.linked_images = self.carriers.linked_images
        self.out.embedded = self.carriers.embedded
