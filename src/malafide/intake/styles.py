"""What a style says about being seen: CSS text in, the few properties that can hide words out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from malafide.case import HiddenReason

UNKNOWN: Final = -1  # a background that cannot be known here: a picture, a gradient, a rule too clever for us
WHITE: Final = 0xFFFFFF
_NEARLY: Final = 12  # of 255 per channel: closer than that and the eye sees nothing
_MAX_CSS: Final = 200_000
_NAMED: Final = {
    "white": 0xFFFFFF, "black": 0, "red": 0xFF0000, "blue": 0x0000FF, "green": 0x008000, "yellow": 0xFFFF00,
    "gray": 0x808080, "grey": 0x808080, "silver": 0xC0C0C0, "navy": 0x000080, "maroon": 0x800000,
    "teal": 0x008080, "purple": 0x800080, "orange": 0xFFA500, "lime": 0x00FF00, "aqua": 0x00FFFF,
    "fuchsia": 0xFF00FF,
    "olive": 0x808000, "ivory": 0xFFFFF0, "snow": 0xFFFAFA, "whitesmoke": 0xF5F5F5, "lightgrey": 0xD3D3D3,
    "lightgray": 0xD3D3D3, "darkblue": 0x00008B, "darkred": 0x8B0000,
}  # fmt: skip
_HEX: Final = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])")
_RGB: Final = re.compile(r"rgba?\(\s{0,5}(\d{1,3})[\s,]{1,5}(\d{1,3})[\s,]{1,5}(\d{1,3})")
_CLASS: Final = re.compile(r"\.([\w-]{1,80})")
_SIMPLE: Final = re.compile(r"[\w-]{0,20}[.#]?[\w-]{0,80}")


class Effect(NamedTuple):
    """What one style changes; None where it changes nothing."""

    hide: HiddenReason | None = None  # for all that is inside, whatever it says itself
    tiny: bool | None = None
    invisible: bool | None = None
    colour: int | None = None
    background: int | None = None


NOTHING: Final = Effect()


@lru_cache(maxsize=1024)
def parse_colour(text: str) -> int | None:
    text = text.strip().lower()[:40]
    if text in _NAMED:
        return _NAMED[text]
    if match := _HEX.match(text):
        digits = match[1]
        return int(digits if len(digits) == 6 else "".join(digit * 2 for digit in digits), 16)
    if match := _RGB.match(text):
        red, green, blue = (min(int(value), 255) for value in match.groups())
        return red << 16 | green << 8 | blue
    return None


@lru_cache(maxsize=4096)
def alike(one: int, other: int) -> bool:
    """Whether two colours cannot be told apart by eye."""
    return all(abs((one >> shift & 255) - (other >> shift & 255)) <= _NEARLY for shift in (0, 8, 16))


@lru_cache(maxsize=4096)
def parse_style(style: str) -> Effect:
    said: dict[str, str] = {}
    for declaration in style[:4000].lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            said[name.strip()] = value.replace("!important", "").strip()
    background = said.get("background-color", said.get("background"))
    effect = Effect(
        hide=_hides(said),
        tiny=_is_tiny(said["font-size"]) if "font-size" in said else None,
        invisible=said["visibility"] in ("hidden", "collapse") if "visibility" in said else None,
        colour=_text_colour(said.get("color", "")),
        background=None if background is None else _background(background),
    )
    if "background-image" in said and said["background-image"] != "none":
        effect = effect._replace(background=UNKNOWN)
    return NOTHING if effect == NOTHING else effect


def _hides(said: dict[str, str]) -> HiddenReason | None:
    if said.get("display") == "none" or said.get("mso-hide") == "all":
        return "display"
    if _number(said.get("opacity", "1")) == 0:
        return "display"
    if said.get("overflow", "").startswith("hidden"):
        for name in ("max-height", "height", "max-width", "width"):
            if name in said and _number(said[name]) == 0:
                return "display"
    if said.get("position") in ("absolute", "fixed"):
        for name in ("left", "top", "right"):
            if (_number(said.get(name, "0")) or 0) <= -500:
                return "offscreen"
    if (_number(said.get("text-indent", "0")) or 0) <= -500:
        return "offscreen"
    return None


def _number(text: str) -> float | None:
    """The number at the start of "10px"; None when there is none."""
    end = 0
    while end < len(text) and end < 12 and (text[end].isdecimal() or text[end] in "+-."):
        end += 1
    try:
        return float(text[:end])
    except ValueError:
        return None


def _is_tiny(size: str) -> bool:
    number = _number(size)
    if number is None:
        return False
    if number == 0:
        return True
    return (0 < number <= 1 and size.endswith(("px", "pt"))) or (0 < number <= 10 and size.endswith("%"))


def _text_colour(value: str) -> int | None:
    if not value:
        return None
    if value == "transparent":
        return UNKNOWN
    return parse_colour(value)


def _background(value: str) -> int | None:
    if "url(" in value or "gradient" in value:
        return UNKNOWN
    colour = parse_colour(value)
    if colour is None and value[:4] not in ("none", "tran", "inhe", "init", "unse", "0"):
        return UNKNOWN
    return colour


class Sheet:
    """The simple rules of the <style> blocks of a message.

    Rules inside @media are for other screens and hide nothing here; a class that such a rule shows again is
    meant for a phone, and hides nothing either.
    """

    def __init__(self, css: str = "") -> None:
        self.effects: dict[str, Effect] = {}
        self.shown_elsewhere: set[str] = set()
        self.clever_background = False
        if css:
            self._read(css[:_MAX_CSS])

    def _read(self, css: str) -> None:
        position = 0
        while (brace := css.find("{", position)) >= 0:
            selector = css[position:brace].replace("<!--", "").strip()
            if selector.rpartition(";")[2].strip().startswith("@") or selector.startswith("@"):
                position = _block_end(css, brace)
                block = css[brace:position].lower()
                if "display" in block:
                    self.shown_elsewhere.update(_shown_classes(block))
                continue
            end = css.find("}", brace)
            end = len(css) if end < 0 else end
            self._rule(selector, css[brace + 1 : end])
            position = end + 1

    def _rule(self, selectors: str, declarations: str) -> None:
        effect = parse_style(declarations)
        if effect is NOTHING:
            return
        for selector in selectors[-4000:].split(","):
            selector = selector.rpartition("*/")[2].strip().lower()
            if _SIMPLE.fullmatch(selector) and selector:
                self.effects[selector] = merge(self.effects.get(selector, NOTHING), effect)
            elif effect.background is not None:
                self.clever_background = True

    def effect(self, tag: str, classes: str, name: str) -> Effect:
        """What the rules say about an element."""
        found = self.effects.get(tag, NOTHING)
        for word in classes.lower().split()[:20]:
            for selector in ("." + word, tag + "." + word):
                if selector in self.effects:
                    found = merge(found, self.effects[selector])
        if name and "#" + name.lower() in self.effects:
            found = merge(found, self.effects["#" + name.lower()])
        return found


def _block_end(css: str, brace: int) -> int:
    """After the } that closes the { at `brace`."""
    depth = 0
    for match in re.finditer(r"[{}]", css[brace:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return brace + match.end()
    return len(css)


def _shown_classes(block: str) -> set[str]:
    """The classes a @media block gives a display other than none."""
    shown: set[str] = set()
    for rule in block.split("}")[:2000]:
        selectors, _, declarations = rule.rpartition("{")
        flat = declarations.replace(" ", "")
        if "display:" in flat and "display:none" not in flat:
            shown.update(match[1] for match in _CLASS.finditer(selectors[-2000:]))
    return shown


def merge(one: Effect, other: Effect) -> Effect:
    """`other` after `one`: what it says counts."""
    if one is NOTHING:
        return other
    if other is NOTHING:
        return one
    return Effect(
        one.hide if other.hide is None else other.hide,
        one.tiny if other.tiny is None else other.tiny,
        one.invisible if other.invisible is None else other.invisible,
        one.colour if other.colour is None else other.colour,
        one.background if other.background is None else other.background,
    )
