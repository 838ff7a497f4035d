"""Makes the forgeries that the image benchmark judges, each from an untouched picture as a forger would."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from benchmarks.scenes import SCENES, Array, Rng, decoded, encoded, lines

HEIGHT, WIDTH = 600, 800


@dataclass(frozen=True)
class Sample:
    data: bytes
    forged: bool
    label: str  # "untouched photo JPEG", "spliced scan PNG", ...
    box: tuple[int, int, int, int] | None = None  # left, top, right, bottom of what was changed


def untouched(rng: Rng) -> Sample:
    """As cameras, programs and platforms hand pictures out: saved once, or saved again as a whole, or smaller."""
    kind = str(rng.choice(list(SCENES), p=[0.5, 0.2, 0.15, 0.15]))
    pixels = SCENES[kind](rng, HEIGHT, WIDTH)
    way = str(rng.choice(["once", "again", "smaller", "PNG", "once as PNG"], p=[0.4, 0.2, 0.1, 0.2, 0.1]))
    if way == "once":
        data = encoded(pixels, "JPEG", _quality(rng))
    elif way == "again":
        data = encoded(decoded(encoded(pixels, "JPEG", _quality(rng))), "JPEG", _quality(rng))
    elif way == "smaller":
        first = Image.fromarray(decoded(encoded(pixels, "JPEG", _quality(rng))).astype(np.uint8))
        size = (int(WIDTH * rng.uniform(0.6, 0.95)), int(HEIGHT * rng.uniform(0.6, 0.95)))
        data = encoded(np.asarray(first.resize(size), dtype=np.float64), "JPEG", _quality(rng))
    elif way == "PNG":
        data = encoded(pixels, "PNG")
    else:
        data = encoded(decoded(encoded(pixels, "JPEG", _quality(rng))), "PNG")
    return Sample(data, False, f"untouched {kind} {way}")


def forged(rng: Rng) -> Sample:
    how = str(rng.choice(["spliced", "copy-moved", "retouched"]))
    if how == "retouched":
        kind = str(rng.choice(["scan", "document", "screenshot"], p=[0.5, 0.25, 0.25]))
    else:
        kind = str(rng.choice(["photo", "scan"], p=[0.85, 0.15]))
    base = SCENES[kind](rng, HEIGHT, WIDTH)
    before = _quality(rng) if rng.random() < 0.9 else 0  # nearly all pictures that are forged were JPEG files
    if before:
        base = decoded(encoded(base, "JPEG", before))
    change = {"spliced": _splice, "copy-moved": _copy_move, "retouched": _retouch}[how]
    pixels, box = change(rng, base)
    after = max(_quality(rng), _quality(rng))  # who edits saves well: half of these are 88 or better
    if rng.random() < 0.4:
        return Sample(encoded(pixels, "PNG"), True, f"{how} {kind} PNG", box)
    saved = "no JPEG before" if not before else "coarser" if after < before else "finer"
    return Sample(encoded(pixels, "JPEG", after), True, f"{how} {kind} JPEG {saved}", box)


def _quality(rng: Rng) -> int:
    return int(rng.integers(70, 96))


def _shape(rng: Rng, height: int, width: int) -> Array:
    """What is cut out: an ellipse, a polygon or a rectangle, its edge sharp or feathered."""
    image = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(image)
    kind = rng.integers(0, 3)
    if kind == 0:
        draw.ellipse((2, 2, width - 3, height - 3), fill=255)
    elif kind == 1:
        draw.polygon(
            [(2, height // 2), (width // 3, 2), (width - 3, height // 4), (width * 3 // 4, height - 3)],
            fill=255,
        )
    else:
        draw.rectangle((2, 2, width - 3, height - 3), fill=255)
    return (
        np.asarray(
            image.filter(ImageFilter.GaussianBlur(float(rng.choice([0.3, 1.0, 2.0])))), dtype=np.float64
        )
        / 255
    )


def _place(rng: Rng) -> tuple[int, int, int, int]:
    width, height = int(rng.integers(80, 280)), int(rng.integers(80, 240))
    return int(rng.integers(0, WIDTH - width)), int(rng.integers(0, HEIGHT - height)), width, height


def _splice(rng: Rng, base: Array) -> tuple[Array, tuple[int, int, int, int]]:
    """A piece of another picture, which has its own camera and its own JPEG history, perhaps scaled."""
    other = SCENES["photo"](rng, HEIGHT, WIDTH)
    if rng.random() < 0.7:
        other = decoded(encoded(other, "JPEG", _quality(rng)))
    x, y, w, h = _place(rng)
    sx, sy = int(rng.integers(0, WIDTH - w)), int(rng.integers(0, HEIGHT - h))
    piece = other[sy : sy + h, sx : sx + w]
    if rng.random() < 0.5:
        scale = rng.uniform(0.7, 1.4)
        source = Image.fromarray(other.astype(np.uint8)).crop(
            (sx, sy, sx + int(w / scale), sy + int(h / scale))
        )
        piece = np.asarray(source.resize((w, h), Image.Resampling.BICUBIC), dtype=np.float64)
    return _blend(base, piece, _shape(rng, h, w), x, y), (x, y, x + w, y + h)


def _copy_move(rng: Rng, base: Array) -> tuple[Array, tuple[int, int, int, int]]:
    x, y, w, h = _place(rng)
    w, h = min(w, 200), min(h, 200)
    sx, sy = int(rng.integers(0, WIDTH - w)), int(rng.integers(0, HEIGHT - h))
    if abs(sx - x) < w and abs(sy - y) < h:
        sx = (x + WIDTH // 2) % (WIDTH - w)
    piece = base[sy : sy + h, sx : sx + w].copy()
    return _blend(base, piece, _shape(rng, h, w), x, y), (x, y, x + w, y + h)


def _retouch(rng: Rng, base: Array) -> tuple[Array, tuple[int, int, int, int]]:
    """Words painted over with the paper's colour and written anew, as one changes a sum."""
    w, h = int(rng.integers(120, 320)), int(rng.integers(24, 60))
    x, y = int(rng.integers(20, WIDTH - w - 20)), int(rng.integers(60, HEIGHT - h - 20))
    patch = base[y : y + h, x : x + w].reshape(-1, 3)
    paper = tuple(int(v) for v in np.percentile(patch, 80, axis=0))
    image = Image.fromarray(base.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    draw.rectangle((x, y, x + w, y + h), fill=paper)
    text = lines(rng, 1)[0][-18:]
    draw.text((x + 6, y + 4), text, font=ImageFont.load_default(min(h - 8, 24)), fill=(22, 22, 26))
    return np.asarray(image, dtype=np.float64), (x, y, x + w, y + h)


def _blend(base: Array, piece: Array, mask: Array, x: int, y: int) -> Array:
    result = base.copy()
    h, w = mask.shape
    soft = mask[:, :, None]
    result[y : y + h, x : x + w] = base[y : y + h, x : x + w] * (1 - soft) + piece * soft
    return result
