"""Pictures: what is decoded and refused, codes, fingerprints, marks of generators, text."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

from malafide.errors import InputTooLarge, MalafideError, UnreadableInput
from malafide.imaging import ocr
from malafide.imaging.codes import read_codes
from malafide.imaging.decode import decode, decode_grey
from malafide.imaging.examine import examine_image
from malafide.imaging.likeness import SAME_PICTURE, distance, perceptual_hash
from malafide.imaging.marks import claim_generator, marks, probability


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def gradient(width: int = 160, height: int = 120, mode: str = "RGB") -> Image.Image:
    rows, columns = np.mgrid[0:height, 0:width]
    pixels = np.stack([columns * 255 // width, rows * 255 // height, (rows + columns) % 200], axis=-1)
    return Image.fromarray(pixels.astype(np.uint8)).convert(mode)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def bomb() -> bytes:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 1000))


def qr(text: str, scale: int = 5) -> Image.Image:
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
    return Image.fromarray(np.asarray(code.to_image(scale=scale)))


@pytest.mark.parametrize(
    "data",
    [
        saved(gradient(), "PNG"), saved(gradient(), "JPEG"), saved(gradient(), "GIF"), saved(gradient(), "WEBP"),
        saved(gradient(), "BMP"), saved(gradient(), "TIFF"), saved(gradient(mode="CMYK"), "JPEG"),
        saved(gradient(mode="L"), "JPEG"), saved(gradient(mode="RGBA"), "PNG"), saved(gradient(mode="1"), "PNG"),
        saved(gradient(mode="P"), "PNG"),
    ],
)  # fmt: skip
def test_every_usual_kind_is_decoded(data: bytes) -> None:
    picture = decode(data)
    assert (picture.width, picture.height) == (160, 120)
    assert picture.pixels.dtype == np.uint8 and picture.luma.shape == (120, 160)


def test_sixteen_bits_are_brought_down_and_it_is_said() -> None:
    deep = Image.fromarray((np.arange(6400).reshape(80, 80) * 10).astype(np.uint16))
    picture = decode(saved(deep, "PNG"))
    assert picture.pixels.max() == 248
    assert any("8 bits" in note for note in picture.notes)


def test_an_animation_is_seen_by_its_first_frame() -> None:
    frames = [Image.new("RGB", (60, 50), colour) for colour in ("red", "blue")]
    picture = decode(saved(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    assert tuple(picture.pixels[0, 0]) == (255, 0, 0)
    assert any("animated" in note for note in picture.notes)


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_turned_picture_is_set_upright(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    picture = decode(saved(gradient(), "JPEG", exif=exif))
    from PIL import ImageOps

    expected = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(picture.data))))
    assert np.array_equal(picture.upright(), expected)
    assert (picture.height, picture.width) == expected.shape[:2]


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", UnreadableInput, "empty"),
        (b"no picture at all", UnreadableInput, "no picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", UnreadableInput, "allowed are"),
        (bomb(), InputTooLarge, "pixels"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 26_000_000, InputTooLarge, "MB"),
    ],
)
def test_what_is_refused_is_refused_in_one_sentence(data: bytes, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        decode(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_of_a_cut_off_file_the_rest_is_looked_at(kind: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3)).astype(np.uint8)
    data = saved(Image.fromarray(noise), kind)
    picture = decode(data[: len(data) * 2 // 3])
    assert any("cut off" in note for note in picture.notes)


_WHOLE = [saved(gradient(90, 70), kind) for kind in ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP")]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(_WHOLE), st.integers(0, 4000), st.binary(max_size=12), st.integers(0, 4000))
def test_damaged_pictures_only_raise_refusals(whole: bytes, at: int, rubbish: bytes, end: int) -> None:
    data = (whole[: at % len(whole)] + rubbish + whole[at % len(whole) + len(rubbish) :])[: end or None]
    try:
        examine_image(data, read_text=False)
    except MalafideError as error:
        assert "\n" not in str(error)


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=400),
    st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe1", b"\xff\xd8\xff\xeb"]),
)
def test_random_bytes_only_raise_refusals(rubbish: bytes, start: bytes) -> None:
    marks(start + rubbish)
    with pytest.raises(MalafideError):
        decode(start + rubbish)
        raise UnreadableInput("they happened to be a picture")


@pytest.mark.parametrize("how", ["plain", "turned", "inverted", "small", "pale", "without border"])
def test_a_code_is_read_however_it_is_dressed(how: str) -> None:
    text = "https://login.example.com/x?id=123"
    plain = qr(text)
    dressed = {
        "plain": plain,
        "turned": plain.rotate(33, fillcolor=255, expand=True),
        "inverted": plain.point(lambda v: 255 - v),
        "small": plain.resize((plain.width // 2, plain.height // 2)),
        "pale": plain.point(lambda v: 200 + v // 12),
        "without border": plain.crop((20, 20, plain.width - 20, plain.height - 20)),
    }[how]
    codes = read_codes(np.asarray(dressed))
    assert [code.text for code in codes] == [text]
    assert codes[0].format == "QRCode" and codes[0].box.width > 40


def test_a_large_picture_is_not_searched_where_the_budget_is_small() -> None:
    with pytest.raises(InputTooLarge):
        decode_grey(saved(gradient(), "PNG"), 1000)


def test_the_fingerprint_survives_scaling_and_saving_and_tells_others_apart() -> None:
    rng = np.random.default_rng(3)
    first = Image.fromarray(rng.integers(0, 255, (6, 8, 3)).astype(np.uint8)).resize(
        (400, 300), Image.Resampling.BICUBIC
    )
    other = Image.fromarray(rng.integers(0, 255, (6, 8, 3)).astype(np.uint8)).resize(
        (400, 300), Image.Resampling.BICUBIC
    )
    prints = [
        perceptual_hash(decode(data).luma)
        for data in (
            saved(first, "PNG"),
            saved(first.resize((150, 110)), "JPEG", quality=40),
            saved(other, "PNG"),
        )
    ]
    assert distance(prints[0], prints[1]) <= SAME_PICTURE < distance(prints[0], prints[2])
    with pytest.raises(MalafideError):
        distance("no hash", prints[0])


def manifest(body: bytes) -> bytes:
    """A JPEG with an APP11 segment as C2PA writes it, made up."""
    segment = b"JP\x00\x01\x00\x00\x00\x01" + b"\x00\x00\x00\x00jumb" + body
    plain = saved(gradient(), "JPEG")
    return plain[:2] + b"\xff\xeb" + struct.pack(">H", len(segment) + 2) + segment + plain[2:]


def with_text(key: str, text: str, packed: bool = False) -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text(key, text, zip=packed)
    return saved(gradient(), "PNG", pnginfo=info)


def with_software(name: str) -> bytes:
    exif = Image.Exif()
    exif[0x0131] = name
    return saved(gradient(), "JPEG", exif=exif)


_IPTC = "http://cv.iptc.org/newscodes/digitalsourcetype/"
_XMP = f"<x:xmpmeta><Iptc4xmpExt:DigitalSourceType>{_IPTC}%s</Iptc4xmpExt:DigitalSourceType></x:xmpmeta>"


@pytest.mark.parametrize(
    ("data", "source", "generated"),
    [
        (manifest(b"digitalSourceTypexF" + _IPTC.encode() + b"trainedAlgorithmicMedia"), "c2pa", True),
        (manifest(b"oclaim_generatorsAdobe_Firefly c2pa"), "c2pa", True),
        (manifest(b"xF" + _IPTC.encode() + b"digitalCapture"), "c2pa", False),
        (saved(gradient(), "JPEG", xmp=(_XMP % "trainedAlgorithmicMedia").encode()), "xmp", True),
        (with_text("parameters", "a castle\nSteps: 20, Sampler: Euler, CFG scale: 7"), "png-text", True),
        (
            with_text("prompt", '{"3": {"class_type": "KSampler", "inputs": {}}}', packed=True),
            "png-text",
            True,
        ),
        (with_software("Midjourney v7"), "exif", True),
    ],
)
def test_marks_of_making_are_found(data: bytes, source: str, generated: bool) -> None:
    found = marks(data)
    assert [(mark.source, mark.generated) for mark in found] == [(source, generated)]
    likely = probability(found)
    assert likely is not None and (likely > 0.8) == generated


@pytest.mark.parametrize(
    "data",
    [
        saved(gradient(), "PNG"), saved(gradient(), "JPEG"), with_text("parameters", "width and height"),
        with_text("Title", "a view of the imagen river"), with_software("GIMP 2.10"), manifest(b"jumd only"),
    ],
)  # fmt: skip
def test_without_a_mark_nothing_is_claimed(data: bytes) -> None:
    assert marks(data) == () and probability(()) is None


def test_the_name_of_the_claim_generator_is_read() -> None:
    assert claim_generator(b"..oclaim_generatorjacme/1.0.0") == "acme/1.0.0"
    assert claim_generator(b"") == ""


@pytest.mark.skipif(ocr.available(), reason="the extra is installed")
def test_without_the_extra_a_note_names_it() -> None:
    signals = examine_image(saved(gradient(), "PNG"))
    assert signals.ocr_text is None and any("malafide[ocr]" in note for note in signals.notes)
    with pytest.raises(MalafideError, match="ocr"):
        ocr.read_text(np.zeros((50, 50, 3), dtype=np.uint8))


@pytest.mark.skipif(not ocr.available(), reason="needs the extra 'ocr'")
def test_text_is_read_as_it_stands() -> None:
    image = Image.new("RGB", (500, 120), "white")
    ImageDraw.Draw(image).text(
        (20, 40), "Log in at paypa1.example", font=ImageFont.load_default(30), fill="black"
    )
    signals = examine_image(saved(image, "PNG"))
    assert signals.ocr_text is not None and "paypa1" in signals.ocr_text
    assert signals.ocr_lines[0].box.left < 60
