"""The bytes of a picture in, its pixels out, within limits: where hostile files are refused.

Only formats whose decoders are made for the open web are tried. The size a file claims is checked before
anything is unpacked, so a bomb costs a few hundred microseconds.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from malafide.errors import InputTooLarge, UnreadableInput
from malafide.limits import MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS

if TYPE_CHECKING:
    from PIL import Image

Plane = NDArray[np.float32]
Pixels = NDArray[np.uint8]

FORMATS: Final = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")  # JPEG may turn out to be "MPO"
# What Pillow's decoders raise on broken files; UnidentifiedImageError is an OSError.
BROKEN: Final = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, OverflowError, MemoryError,
    ZeroDivisionError, AttributeError, NotImplementedError, RuntimeError, struct.error, zlib.error,
)  # fmt: skip
_ORIENTATION: Final = 0x0112


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """A decoded picture. Pixels stand as stored; `orientation` (EXIF, 1 to 8) says how they are to be turned."""

    data: bytes
    format: str
    pixels: Pixels  # height x width x 3, as stored
    luma: Plane  # height x width; of a JPEG file the plane it really holds
    orientation: int
    tables: tuple[NDArray[np.int32], ...]  # quantisation tables of a JPEG file, 8x8 each
    lossy: bool  # the file's own format loses detail
    notes: tuple[str, ...]

    @property
    def width(self) -> int:
        """Of the upright picture."""
        return int(self.pixels.shape[0 if self.orientation >= 5 else 1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[1 if self.orientation >= 5 else 0])

    def upright(self) -> Pixels:
        return turn(self.pixels, self.orientation)


def decode(data: bytes) -> Picture:
    """The picture in those bytes, or a refusal in one sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of odd metadata and large sizes; both are handled here
        image = open_image(data)
        notes: list[str] = []
        _load(image, notes)
        try:
            pixels = _rgb(image, notes)
        except BROKEN as error:
            raise UnreadableInput(f"the picture cannot be decoded: {_said(error)}") from None
        luma = _jpeg_luma(data, image) if image.format in ("JPEG", "MPO") else None
        return Picture(
            data=data,
            format=image.format or "",
            pixels=pixels,
            luma=_luma(pixels) if luma is None or luma.shape != pixels.shape[:2] else luma,
            orientation=_orientation(image),
            tables=_tables(image),
            lossy=image.format in ("JPEG", "MPO", "AVIF", "GIF")
            or (image.format == "WEBP" and b"VP8L" not in data[:64]),
            notes=tuple(notes),
        )


def decode_grey(data: bytes, most_pixels: int) -> Pixels:
    """Only the brightness, as stored and in bytes: all that reading codes needs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image = open_image(data)
        if image.width * image.height > most_pixels:
            raise InputTooLarge(f"the picture has more than the {most_pixels} pixels that are read here")
        if image.format in ("JPEG", "MPO") and image.mode in ("RGB", "L"):
            image.draft("L", image.size)
        _load(image, [])
        try:
            return np.asarray(image) if image.mode == "L" else _luma(_rgb(image, [])).astype(np.uint8)
        except BROKEN as error:
            raise UnreadableInput(f"the picture cannot be decoded: {_said(error)}") from None


def open_image(data: bytes) -> Image.Image:
    """The file opened and its size checked, nothing decoded yet."""
    from PIL import AvifImagePlugin, Image, TiffImagePlugin, WebPImagePlugin  # noqa: F401  (they register)

    if not data:
        raise UnreadableInput("the picture is empty")
    if len(data) > MAX_IMAGE_BYTES:
        raise InputTooLarge(
            f"the picture has {len(data) / 1e6:.0f} MB; at most {MAX_IMAGE_BYTES / 1e6:.0f} MB are read"
        )
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise InputTooLarge(
            f"the picture claims more pixels than the {MAX_IMAGE_PIXELS / 1e6:.0f} million that are read"
        ) from None
    except BROKEN:
        raise UnreadableInput(
            f"the file is no picture that can be read; allowed are {', '.join(FORMATS)}"
        ) from None
    width, height = image.size
    if width * height > MAX_IMAGE_PIXELS:
        raise InputTooLarge(
            f"the picture claims {width} x {height} pixels; "
            f"at most {MAX_IMAGE_PIXELS / 1e6:.0f} million are read"
        )
    if min(width, height) < 1:
        raise UnreadableInput("the picture has no pixels")
    return image


def _load(image: Image.Image, notes: list[str]) -> None:
    """Decode the pixels; of a file that is cut off, as far as they go."""
    if getattr(image, "is_animated", False):
        notes.append("The picture is animated; only its first frame was looked at.")
    try:
        image.load()
    except BROKEN as error:
        # Pillow keeps what it had decoded when the data ended; with no tiles left it hands that out.
        if not isinstance(error, OSError) or getattr(image, "_im", None) is None:
            raise UnreadableInput(f"the picture cannot be decoded: {_said(error)}") from None
        setattr(image, "tile", [])  # noqa: B010  (no attribute of the base class)
        notes.append("The file is cut off or damaged; only what could be decoded was looked at.")


def _said(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def _rgb(image: Image.Image, notes: list[str]) -> Pixels:
    from PIL import Image

    mode = image.mode
    if mode.startswith(("I", "F")):
        notes.append("The picture has more than 8 bits per colour; it was looked at with 8.")
        deep = np.nan_to_num(np.asarray(image, dtype=np.float32))
        scale = 257.0 if mode.startswith("I;16") or deep.max() > 255 else 1.0
        grey = np.clip(deep / scale, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        whole = image.convert("RGBA")
        image = Image.new("RGBA", whole.size, "white")
        image.alpha_composite(whole)
    if image.mode != "RGB":
        image = image.convert("RGB")
    return np.asarray(image)


def _luma(pixels: Pixels) -> Plane:
    weights = np.array([0.299, 0.587, 0.114], dtype=np.float32)
    luma: Plane = pixels.astype(np.float32) @ weights
    return luma


def _jpeg_luma(data: bytes, image: Image.Image) -> Plane | None:
    """The brightness a JPEG file stores, without the detour over RGB that blurs its rounding."""
    from PIL import Image

    if image.mode not in ("RGB", "L"):
        return None
    try:
        grey = Image.open(io.BytesIO(data), formats=("JPEG",))
        grey.draft("L", grey.size)
        grey.load()
        return np.asarray(grey, dtype=np.float32) if grey.mode == "L" else None
    except BROKEN:
        return None


def _tables(image: Image.Image) -> tuple[NDArray[np.int32], ...]:
    tables = getattr(image, "quantization", None)
    if image.format not in ("JPEG", "MPO") or not tables:
        return ()
    return tuple(np.array(t, dtype=np.int32).reshape(8, 8) for _, t in sorted(tables.items()) if len(t) == 64)


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except BROKEN:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def turn(pixels: Pixels, orientation: int) -> Pixels:
    """Stored pixels as a viewer shows them."""
    if orientation >= 5:
        pixels = np.swapaxes(pixels, 0, 1)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)
