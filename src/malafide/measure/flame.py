"""Times of stages in, a picture out: bars above each other, each as wide as its share. SVG, no script, no library."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from malafide.measure.stages import GROUPS, Bench

_WIDTH: Final = 1200
_ROW: Final = 34
_TOP: Final = 170  # room for names that stand slanted over bars too narrow for them
_SLANTED: Final = 13.0  # pixels a bar needs for that
_NARROWEST: Final = 1.5  # pixels; what is thinner is left out
_LETTER: Final = 7.2  # pixels of one letter
_COLOURS: Final = {
    "intake": "#5b8db8", "rules": "#c8553d", "tools": "#d98c3f", "witnesses": "#b8a13c", "panel": "#6a9a58",
    "consensus": "#4f9d8f", "render": "#8a6fa8",
}  # fmt: skip
_STYLE: Final = (
    "text{font:13px ui-sans-serif,system-ui,'Segoe UI',Roboto,Arial,sans-serif;fill:#1c1c1c}"
    ".title{font-size:16px;font-weight:650}.note{fill:#555}rect{stroke:#fff;stroke-width:1}"
    ".ground{fill:#fff;stroke:none}.whole{fill:#d9d4cc}"
)


def flame(bench: Bench) -> str:
    """The whole picture as a file of its own. Point at a bar to read its time."""
    total = sum(bench.stages.values())
    title = f"malafide {bench.version}: where the time of a mail goes"
    note = f"{bench.mails:,} mails of {bench.size:,} bytes, {bench.rate:,.0f} a second on one core"
    bars = "".join(_bars(bench, total))
    height = _TOP + 3 * _ROW + 16
    said = "; ".join(f"{name} {bench.group(name) / total:.0%}" for name in GROUPS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img" '
        f'aria-label="{escape(f"{title}. {said}", quote=True)}"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style>"
        f'<rect class="ground" width="{_WIDTH}" height="{height}"/>'
        f'<text class="title" x="8" y="26">{escape(title)}</text>'
        f'<text class="note" x="8" y="47">{escape(note)}</text>{bars}</svg>\n'
    )


def _bars(bench: Bench, total: float) -> Iterator[str]:
    scale = (_WIDTH - 16) / total
    yield _bar(8, 2, total * scale, f"one mail, {total:,.0f} us", "whole")
    at = 8.0
    for group in GROUPS:
        spent = bench.group(group)
        yield _bar(at, 1, spent * scale, _told(group, spent, total), group)
        inner = at
        members = [(stage, us) for stage, us in bench.stages.items() if stage.startswith(f"{group}/")]
        for stage, us in sorted(members, key=lambda member: -member[1]):
            yield _bar(inner, 0, us * scale, _told(stage.partition("/")[2], us, total), group)
            inner += us * scale
        at += spent * scale


def _told(name: str, spent: float, total: float) -> str:
    return f"{name}, {spent:,.0f} us ({spent / total:.1%})"


def _bar(x: float, row: int, width: float, told: str, colour: str) -> str:
    if width < _NARROWEST:
        return ""
    y = _TOP + row * _ROW
    shade = 0.75 if row == 0 else 1
    fill = f'fill="{_COLOURS[colour]}" fill-opacity="{shade}"' if colour in _COLOURS else f'class="{colour}"'
    words = told if len(told) * _LETTER < width - 10 else told.partition(",")[0]
    shown = len(words) * _LETTER < width - 6
    label = ""
    if shown:
        label = f'<text x="{x + 5:.1f}" y="{y + 22}">{escape(words)}</text>'
    elif row == 0 and width >= _SLANTED:
        turned = f"translate({x + width / 2:.1f} {y - 6}) rotate(-55)"
        label = f'<text transform="{turned}">{escape(told.partition(",")[0])}</text>'
    return (
        f'<g><title>{escape(told)}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ROW - 2}" {fill}/>'
        f"{label}</g>"
    )
