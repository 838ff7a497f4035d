"""Tampering: forged pictures are told, untouched ones are not accused, and what cannot be judged is said."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from malafide.imaging.decode import Pixels, decode
from malafide.imaging.drawing import marked_png
from malafide.imaging.examine import examine_image
from malafide.imaging.tampering import Judgement, judge

HEIGHT, WIDTH = 320, 448


def saved(pixels: Pixels, kind: str, quality: int = 90, **options: object) -> bytes:
    buffer = io.BytesIO()
    if kind == "JPEG":
        Image.fromarray(pixels).save(buffer, kind, quality=quality, **options)
    else:
        Image.fromarray(pixels).save(buffer, kind, **options)
    return buffer.getvalue()


def again(data: bytes) -> Pixels:
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


def scene(seed: int) -> Pixels:
    """Something like a photograph: surfaces, edges, texture and noise."""
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(50, 200, (8, 12, 3)).astype(np.uint8))
    pixels = np.array(coarse.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC), dtype=np.float64)
    fine = Image.fromarray(rng.integers(0, 255, (HEIGHT // 3, WIDTH // 3)).astype(np.uint8))
    pixels += (
        np.array(fine.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC), dtype=np.float64)[..., None] - 128
    ) / 4
    pixels[60:120, 100:300] += 35
    return np.clip(pixels + rng.normal(0, 2.5, pixels.shape), 5, 250).astype(np.uint8)


def screenshot() -> Image.Image:
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    for number in range(10):
        draw.text(
            (20, 20 + number * 28),
            f"order {number} account total 12{number}.00",
            font=ImageFont.load_default(16),
            fill="black",
        )
    return image


def spliced(seed: int) -> Pixels:
    pixels = again(saved(scene(seed), "JPEG", 75))
    pixels[141:241, 203:331] = scene(seed + 100)[30:130, 20:148]
    return pixels


def copied(seed: int) -> Pixels:
    pixels = scene(seed)
    pixels[180:300, 260:400] = pixels[20:140, 37:177]
    return pixels


def inside(judgement: Judgement, top: int, left: int, bottom: int, right: int) -> bool:
    region = judgement.traces[0].region
    assert region is not None
    y, x = region.top + region.height / 2, region.left + region.width / 2
    return top <= y <= bottom and left <= x <= right


@pytest.mark.parametrize(
    "data",
    [
        saved(scene(1), "JPEG", 75), saved(scene(2), "JPEG", 95), saved(scene(3), "PNG"),
        saved(again(saved(scene(4), "JPEG", 75)), "JPEG", 92), saved(again(saved(scene(5), "JPEG", 80)), "PNG"),
        saved(again(saved(scene(6), "JPEG", 92)), "JPEG", 75),
    ],
)  # fmt: skip
def test_an_untouched_picture_is_not_accused(data: bytes) -> None:
    judgement = judge(decode(data))
    assert not judgement.tampered
    assert judgement.score is None or judgement.score < 0.5


@pytest.mark.parametrize(("kind", "quality"), [("JPEG", 93), ("PNG", 0)])
def test_what_was_put_into_a_jpeg_is_found_where_it_stands(kind: str, quality: int) -> None:
    judgement = judge(decode(saved(spliced(11), kind, quality)))
    assert judgement.tampered and judgement.traces[0].name == (
        "double-compression" if kind == "JPEG" else "block-grid"
    )
    assert inside(judgement, 125, 190, 255, 345)
    assert "put in" in judgement.traces[0].sentence


@pytest.mark.parametrize(("kind", "quality"), [("JPEG", 85), ("PNG", 0)])
def test_what_stands_in_the_picture_twice_is_found(kind: str, quality: int) -> None:
    judgement = judge(decode(saved(copied(12), kind, quality)))
    assert judgement.tampered and judgement.traces[0].name == "copy-move"


def test_a_patch_painted_over_is_found_in_a_noisy_picture() -> None:
    pixels = scene(13)
    pixels[160:200, 120:260] = (120, 118, 110)
    judgement = judge(decode(saved(pixels, "PNG")))
    assert judgement.tampered and judgement.traces[0].name == "noise"
    assert inside(judgement, 150, 110, 210, 270)


@pytest.mark.parametrize("kind", ["PNG", "BMP"])
def test_a_screenshot_is_not_called_tampered_for_lack_of_history(kind: str) -> None:
    judgement = judge(decode(saved(np.asarray(screenshot()), kind)))
    assert judgement.tampered is None and judgement.score is None
    assert any("no JPEG history" in note for note in judgement.notes)
    assert any("error level" in note for note in judgement.notes)


def exif_with_preview(preview: bytes) -> bytes:
    """A TIFF header, a first directory with the maker's name and a second that points to the preview."""
    first = struct.pack("<2sHIHHHI4sI", b"II", 42, 8, 1, 0x010F, 2, 4, b"cam\0", 26)
    second = struct.pack("<HHHIIHHIII", 2, 0x0201, 4, 1, 56, 0x0202, 4, 1, len(preview), 0)
    return b"Exif\0\0" + first + second + preview


@pytest.mark.parametrize(("seed", "score"), [(31, 0.8), (30, 0.0)])
def test_a_preview_of_another_picture_is_noticed(seed: int, score: float) -> None:
    preview = saved(scene(30)[::4, ::4], "JPEG", 70)
    judgement = judge(decode(saved(scene(seed), "JPEG", 90, exif=exif_with_preview(preview))))
    named = {trace.name: trace for trace in judgement.traces}
    assert named["metadata"].score == score
    assert bool(judgement.tampered) == (score > 0.5)


def test_editing_software_alone_is_no_tampering() -> None:
    exif = Image.Exif()
    exif[0x0131] = "Adobe Photoshop 26.0"
    judgement = judge(decode(saved(scene(14), "JPEG", 90, exif=exif)))
    assert not judgement.tampered
    assert any(trace.name == "metadata" and "Photoshop" in trace.sentence for trace in judgement.traces)


@pytest.mark.parametrize("turn", [1, 3, 6, 8])
def test_the_region_and_the_drawing_follow_the_turn_of_the_picture(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    data = saved(spliced(11), "JPEG", 93, exif=exif)
    signals = examine_image(data, read_text=False)
    region = signals.region
    assert signals.tampered and region is not None and signals.heat_map is not None
    y, x = region.top + region.height / 2, region.left + region.width / 2
    top, left = {1: (141, 203), 3: (79, 117), 6: (203, 79), 8: (117, 141)}[turn]
    height, width = (100, 128) if turn < 5 else (128, 100)
    assert top - 16 <= y <= top + height + 16 and left - 16 <= x <= left + width + 16
    heat = np.array(signals.heat_map.rows)
    row, column = np.unravel_index(heat.argmax(), heat.shape)
    assert top - 32 <= row * 16 <= top + height + 32 and left - 32 <= column * 16 <= left + width + 32
    drawing = Image.open(io.BytesIO(marked_png(data, signals)))
    assert drawing.size == (signals.width, signals.height) and drawing.format == "PNG"


def test_a_tiny_picture_is_not_judged() -> None:
    judgement = judge(decode(saved(scene(15)[:40, :40], "JPEG")))
    assert judgement.tampered is None and judgement.notes
