"""What is known of a picture after it was looked at: the frozen answers of this package.

`None` always means "could not be judged", never "no"; `notes` says why in plain sentences.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TraceName = Literal["error-level", "double-compression", "block-grid", "noise", "copy-move", "metadata"]

MarkSource = Literal["c2pa", "xmp", "png-text", "exif"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels of the upright picture, from the upper left corner."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Trace:
    """One way of looking for tampering. `score` is 0 (nothing odd) to 1; a trace that cannot judge is a note."""

    name: TraceName
    score: float
    region: Box | None  # where it looks odd; None for the whole picture
    sentence: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """How odd each cell of the picture looks, 0 to 1, row by row."""

    rows: tuple[tuple[float, ...], ...]

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0


@dataclass(frozen=True, slots=True)
class AiMark:
    """Something in the file that says how the picture was made."""

    source: MarkSource
    value: str  # the words found, cut to a readable length
    generated: bool  # True: made by a generator; False: says it was captured by a camera
    sentence: str


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of writing found in the picture."""

    text: str
    confidence: float
    box: Box


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code or other printed code that a camera would read."""

    text: str
    format: str  # "QRCode", "MicroQRCode", "Aztec", "DataMatrix", "PDF417", ...
    box: Box


@dataclass(frozen=True, slots=True)
class ImageSignals:
    """All that was found in one picture."""

    width: int
    height: int
    format: str  # "JPEG", "PNG", "GIF", "WEBP", ...
    perceptual_hash: str  # 16 hexadecimal digits; compare with `malafide.imaging.likeness.distance`
    tampered: bool | None  # None: nothing in the file allows a judgement
    tamper_score: float | None  # 0 to 1, fused from the traces; None together with `tampered`
    traces: tuple[Trace, ...] = ()  # strongest first
    heat_map: HeatMap | None = None
    ai_generated_probability: float | None = None  # None: unknown, which is the rule and no proof of anything
    ai_marks: tuple[AiMark, ...] = ()
    ocr_text: str | None = None  # None: not read; "" when there is no writing
    ocr_lines: tuple[TextLine, ...] = ()
    codes: tuple[Code, ...] = ()
    notes: tuple[str, ...] = field(default=())  # what could not be judged, one plain sentence each

    @property
    def region(self) -> Box | None:
        """Where the strongest trace points, when the picture counts as tampered."""
        return next((t.region for t in self.traces if t.region is not None), None) if self.tampered else None
