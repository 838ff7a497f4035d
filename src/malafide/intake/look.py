"""Attributes and style rules in, how text looks at some place of a page out, and whether it can be seen."""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborHTMLParser

from malafide.case import HiddenReason
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

Attributes = dict[str, str | None]

_OLD_COLOURS: Final = frozenset(("bgcolor", "background", "color", "text"))
_MAX_BLOCKS: Final = 50  # <style> elements read


class Look:
    """How text looks somewhere in the tree. `hidden`: why it is not seen; `gone`: why nothing there is."""

    __slots__ = ("background", "colour", "gone", "hidden", "invisible", "tiny")

    def __init__(
        self, gone: HiddenReason | None, tiny: bool, invisible: bool, colour: int, background: int
    ) -> None:
        self.gone, self.tiny, self.invisible = gone, tiny, invisible
        self.colour, self.background = colour, background
        self.hidden: HiddenReason | None = gone
        if gone is None:
            if invisible:
                self.hidden = "display"
            elif tiny:
                self.hidden = "size"
            elif colour >= 0 and background >= 0 and alike(colour, background):
                self.hidden = "colour"

    def under(self, effect: Effect) -> Look:
        return Look(
            self.gone or effect.hide,
            self.tiny if effect.tiny is None else effect.tiny,
            self.invisible if effect.invisible is None else effect.invisible,
            self.colour if effect.colour is None else effect.colour,
            self.background if effect.background is None else effect.background,
        )


class Looks:
    """The style rules of one page."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        blocks = tree.css("style")[:_MAX_BLOCKS]
        # The media attribute works like @media around the block.
        self.sheet = Sheet(
            "\n".join(
                f"@media {{{block.text()}}}"
                if "width" in (block.attributes.get("media") or "")
                else block.text()
                for block in blocks
            )
        )
        # Text of no stated colour is never "the same colour": the reader's own settings apply.
        self.first = Look(None, False, False, UNKNOWN, UNKNOWN if self.sheet.clever_background else WHITE)

    def of(self, tag: str, attributes: Attributes, outer: Look) -> Look:
        """How text looks inside an element that stands where text looks like `outer`."""
        classes = attributes.get("class") or ""
        effect = NOTHING
        if self.sheet.effects:
            effect = self.sheet.effect(tag, classes, attributes.get("id") or "")
        if not _OLD_COLOURS.isdisjoint(attributes):
            effect = merge(effect, _old_colours(tag, attributes))
        style = attributes.get("style")
        if style:
            effect = merge(effect, parse_style(style))
        if tag == "a" and effect.colour is None:
            effect = effect._replace(colour=UNKNOWN)  # links have a colour of their own
        if "hidden" in attributes or tag == "noscript":
            effect = effect._replace(hide="display")
        if effect.hide and not self.sheet.shown_elsewhere.isdisjoint(classes.lower().split()):
            effect = effect._replace(hide=None)
        return outer if effect is NOTHING else outer.under(effect)


def _old_colours(tag: str, attributes: Attributes) -> Effect:
    """What the attributes of old HTML say."""
    background = UNKNOWN if attributes.get("background") else parse_colour(attributes.get("bgcolor") or "")
    colour = parse_colour(attributes.get("text" if tag == "body" else "color") or "")
    return Effect(colour=colour, background=background)
