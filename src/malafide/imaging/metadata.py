"""A picture's own notes in, what they say about editing out. They prove little: anyone can write or strip them."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from malafide.imaging.decode import BROKEN, Picture
from malafide.imaging.findings import Finding, NoJudgement

if TYPE_CHECKING:
    from PIL import Image

_SOFTWARE: Final = 0x0131
_CHANGED: Final = 0x0132
_TAKEN: Final = 0x9003
_DETAILS: Final = 0x8769
_THUMBNAIL: Final = (0x0201, 0x0202)  # where the small preview begins, and how long it is
_EDITORS: Final = (
    "photoshop", "gimp", "affinity", "pixelmator", "paint.net", "paint shop", "picsart", "snapseed",
    "faceapp", "facetune", "canva", "photopea", "krita", "lightroom", "luminar", "meitu", "photoscape",
)  # fmt: skip
_RETOUCHERS: Final = ("faceapp", "facetune", "picsart", "meitu")


def notes_of_editing(picture: Picture) -> Finding | NoJudgement:
    """Editing software, a preview of another picture, a date of change after that of taking."""
    exif = read_exif(picture.data)
    software = text_of(exif.get(_SOFTWARE))
    named = next((name for name in _EDITORS if name in software.lower()), None)
    difference = _preview_difference(picture, exif)
    if difference is not None and difference > 0.35:
        return Finding(
            "metadata", 0.8,
            "The small preview inside the file shows another picture than the file itself: it was changed after "
            "the preview was made.",
        )  # fmt: skip
    if named is not None:
        score = 0.4 if named in _RETOUCHERS else 0.25
        says = f"The file says it was saved by {software[:60]!r}, a program for editing pictures; this is common."
        return Finding("metadata", score, says)
    taken, changed = text_of(exif.get(_TAKEN)), text_of(exif.get(_CHANGED))
    if taken and changed and taken[:10] != changed[:10]:
        says = f"The file says the picture was taken on {taken[:10]} and changed on {changed[:10]}."
        return Finding("metadata", 0.15, says)
    if not exif:
        return NoJudgement("The file carries no camera data, as most pictures from the web do.")
    return Finding("metadata", 0.0, "The camera data in the file say nothing of editing.")


def read_exif(data: bytes) -> dict[int, Any]:
    """The EXIF tags of the picture and of its details, as far as they can be read."""
    from PIL import ExifTags, Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exif = Image.open(io.BytesIO(data)).getexif()
            tags: dict[int, Any] = dict(exif)
            tags.update(exif.get_ifd(_DETAILS))
            preview: dict[int, Any] = exif.get_ifd(ExifTags.IFD.IFD1)
            tags.update({key: preview[key] for key in _THUMBNAIL if key in preview})
        except BROKEN:
            return {}
    return tags


def text_of(value: object) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return " ".join(value.replace("\0", " ").split())[:200] if isinstance(value, str) else ""


def _preview_difference(picture: Picture, exif: dict[int, Any]) -> float | None:
    """One less the correlation of the preview with the picture, both as 16x16 cells; None without a preview."""
    image = _preview(picture.data, exif)
    if image is None:
        return None
    small = np.asarray(image.convert("L").resize((16, 16)), dtype=np.float64)
    from PIL import Image

    whole = np.asarray(Image.fromarray(picture.pixels).convert("L").resize((16, 16)), dtype=np.float64)
    ratio = (image.width / image.height) / (picture.pixels.shape[1] / picture.pixels.shape[0])
    if not 0.9 < ratio < 1.1 or small.std() < 4 or whole.std() < 4:
        return None  # letterboxed or empty previews cannot be compared
    return float(1 - np.corrcoef(small.ravel(), whole.ravel())[0, 1])


def _preview(data: bytes, exif: dict[int, Any]) -> Image.Image | None:
    from PIL import Image

    begin, length = exif.get(_THUMBNAIL[0]), exif.get(_THUMBNAIL[1])
    header = data.find(b"Exif\0\0", 0, 70_000)
    if not isinstance(begin, int) or not isinstance(length, int) or header < 0 or not 0 < length < 200_000:
        return None
    raw = data[header + 6 + begin : header + 6 + begin + length]
    try:
        image = Image.open(io.BytesIO(raw), formats=("JPEG",))
        if image.width * image.height > 1_000_000:
            return None
        image.load()
    except BROKEN:
        return None
    return image
