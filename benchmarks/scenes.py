"""Draws the pictures that the image benchmark judges: scenes with a camera's noise, documents, screenshots.

Nothing is read from disk and nothing is a photograph: what a figure on these says about real photographs is
discussed in docs/decisions/image-tampering.md.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Array = NDArray[np.float64]
Rng = np.random.Generator
WORDS = (
    "invoice total amount due account payment order item price customer date number tax net city street "
    "bank reference name unit balance paid open please thank you for your business within days delivery"
).split()


def cloud(rng: Rng, height: int, width: int, slope: float) -> Array:
    """A texture whose spectrum falls like that of photographs (amplitude about 1/f**slope), in 0..1."""
    fy = np.fft.fftfreq(height)[:, None]
    fx = np.fft.rfftfreq(width)[None, :]
    radius = np.maximum(np.hypot(fy, fx), 1 / max(height, width))
    noise = rng.normal(size=(height, fx.shape[1])) + 1j * rng.normal(size=(height, fx.shape[1]))
    field = np.fft.irfft2(noise / radius**slope, s=(height, width))
    low, high = np.percentile(field, (1, 99))
    return np.clip((field - low) / (high - low), 0, 1)


def _mask(rng: Rng, height: int, width: int) -> Array:
    """A soft-edged shape somewhere in the picture."""
    image = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(image)
    cx, cy = rng.integers(0, width), rng.integers(0, height)
    reach = rng.integers(height // 12, height // 2)
    if rng.random() < 0.5:
        draw.ellipse((cx - reach, cy - reach // 2, cx + reach, cy + reach // 2), fill=255)
    else:
        points = [
            (int(cx + reach * np.cos(a)), int(cy + reach * np.sin(a)))
            for a in np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 7)))
        ]
        draw.polygon(points, fill=255)
    soft = image.filter(ImageFilter.GaussianBlur(float(rng.choice([0.6, 0.8, 1.2, 5.0]))))
    return np.asarray(soft, dtype=np.float64) / 255


def photo(rng: Rng, height: int, width: int) -> Array:
    """A scene as a camera gives it, before it is saved: surfaces of different texture, light, sensor noise."""
    vertical = np.linspace(0, 1, height)[:, None]
    scene = np.empty((height, width, 3))
    sky, ground = rng.uniform(40, 230, 3), rng.uniform(20, 200, 3)
    for c in range(3):
        scene[:, :, c] = sky[c] * (1 - vertical) + ground[c] * vertical
    scene += (cloud(rng, height, width, 1.4) - 0.5)[:, :, None] * rng.uniform(10, 80)
    # Mirrored instead of drawn anew for each surface, which takes five times as long; none stands there twice.
    drawn = [cloud(rng, height, width, slope) for slope in rng.uniform(0.6, 1.8, 4)]
    textures = [view for t in drawn for view in (t, t[::-1], t[:, ::-1], t[::-1, ::-1])]
    rng.shuffle(textures)
    for number in range(rng.integers(4, 14)):
        mask = _mask(rng, height, width)[:, :, None]
        texture = (textures[number] - 0.5)[:, :, None]
        if rng.random() < 0.25:
            stripes = np.sin(
                (np.arange(width) * rng.uniform(0.05, 0.9))[None, :, None] + vertical[:, :, None] * 40
            )
            texture = texture * 0.5 + stripes * 0.3
        surface = rng.uniform(10, 245, 3) + texture * rng.choice([5, 20, 60, 120])
        scene = scene * (1 - mask) + surface * mask
    return _sensor(rng, scene)


def _sensor(rng: Rng, scene: Array) -> Array:
    """Lens blur, noise that grows with light, colour interpolation (which ties neighbours), sharpening."""
    image = Image.fromarray(np.clip(scene, 0, 255).astype(np.uint8))
    blurred = np.asarray(image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.9))), dtype=np.float64)
    blurred += rng.uniform(-0.5, 0.5, blurred.shape)
    gain, floor = rng.uniform(0.02, 0.25), rng.uniform(0.3, 2.0)
    noise = rng.normal(size=blurred.shape) * np.sqrt(gain * np.clip(blurred, 0, 255) / 4 + floor**2)
    tied = noise.copy()
    for axis in (0, 1):
        tied = 0.5 * tied + 0.25 * (np.roll(tied, 1, axis) + np.roll(tied, -1, axis))
    noisy = blurred + tied * rng.uniform(1.0, 2.2)
    image = Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))
    if rng.random() < 0.6:
        image = image.filter(
            ImageFilter.UnsharpMask(radius=1.0, percent=int(rng.integers(30, 90)), threshold=0)
        )
    return np.asarray(image, dtype=np.float64)


def lines(rng: Rng, count: int) -> list[str]:
    return [
        " ".join(str(rng.choice(WORDS)) for _ in range(rng.integers(2, 8)))
        + f"  {rng.integers(1, 99999)}.{rng.integers(0, 99):02d}"
        for _ in range(count)
    ]


def document(rng: Rng, height: int, width: int) -> Array:
    """A page of text, as rendered: flat paper, sharp letters, a rule or two."""
    image = Image.new("RGB", (width, height), tuple(int(v) for v in rng.integers(235, 256, 3)))
    draw = ImageDraw.Draw(image)
    size = int(rng.integers(14, 26))
    font = ImageFont.load_default(size)
    for number, line in enumerate(lines(rng, (height - 40) // (size + 8))):
        draw.text((int(rng.integers(18, 26)), 20 + number * (size + 8)), line, font=font, fill=(20, 20, 25))
    for y in rng.integers(30, height - 30, 2):
        draw.line((15, int(y), width - 15, int(y)), fill=(90, 90, 90))
    return np.asarray(image, dtype=np.float64)


def scan(rng: Rng, height: int, width: int) -> Array:
    """The same page photographed: uneven light, slight turn, sensor noise."""
    page = Image.fromarray(document(rng, height, width).astype(np.uint8))
    page = page.rotate(float(rng.uniform(-1.5, 1.5)), Image.Resampling.BICUBIC, fillcolor=(225, 222, 215))
    light = 0.75 + 0.25 * cloud(rng, height, width, 2.2)[:, :, None]
    return _sensor(rng, np.asarray(page, dtype=np.float64) * light)


def screenshot(rng: Rng, height: int, width: int) -> Array:
    """A program's window: panels, buttons, text, perhaps a photograph shown in it."""
    image = Image.new("RGB", (width, height), tuple(int(v) for v in rng.integers(225, 256, 3)))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, 48), fill=tuple(int(v) for v in rng.integers(20, 120, 3)))
    draw.rectangle((0, 48, 180, height), fill=tuple(int(v) for v in rng.integers(190, 235, 3)))
    if rng.random() < 0.5:
        h, w = height // 3, width // 3
        inner = decoded(encoded(photo(rng, h, w), "JPEG", int(rng.integers(70, 95))))
        image.paste(Image.fromarray(inner.astype(np.uint8)), (200, int(rng.integers(60, height - h - 10))))
    font = ImageFont.load_default(int(rng.integers(12, 18)))
    for number, line in enumerate(lines(rng, (height - 80) // 30)):
        draw.text((200, 60 + number * 30), line, font=font, fill=(30, 30, 30))
        draw.text((12, 60 + number * 30), line[:14], font=font, fill=(60, 60, 60))
        if rng.random() < 0.3:
            x = int(rng.integers(400, width - 100))
            draw.rounded_rectangle((x, 56 + number * 30, x + 90, 80 + number * 30), 6, fill=(40, 110, 220))
    return np.asarray(image, dtype=np.float64)


def encoded(pixels: Array, kind: str, quality: int = 90) -> bytes:
    buffer = io.BytesIO()
    image = Image.fromarray(np.clip(np.round(pixels), 0, 255).astype(np.uint8))
    if kind == "JPEG":
        image.save(buffer, "JPEG", quality=quality, subsampling=2 if quality < 90 else 0)
    else:
        image.save(buffer, kind)
    return buffer.getvalue()


def decoded(data: bytes) -> Array:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=np.float64)


SCENES: dict[str, Callable[[Rng, int, int], Array]] = {
    "photo": photo, "scan": scan, "document": document, "screenshot": screenshot,
}  # fmt: skip
