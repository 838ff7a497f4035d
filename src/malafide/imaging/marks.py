"""The bytes of a picture in, what they say about who made it out: cameras and generators leave marks.

Marks can be stripped and forged, so a mark is a statement of the file, and no mark proves nothing: the answer is
"unknown" then. Signatures of C2PA manifests are not verified, only read.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

from malafide.imaging.metadata import read_exif, text_of
from malafide.imaging.signals import AiMark, MarkSource

# Last words of the IPTC digital source types. "composite..." are edits with generated parts.
_GENERATED: Final = (b"compositeWithTrainedAlgorithmicMedia", b"trainedAlgorithmicMedia", b"algorithmicMedia")
_CAPTURED: Final = (b"digitalCapture", b"computationalCapture", b"negativeFilm", b"positiveFilm")
_SOURCE_TYPE: Final = b"digitalsourcetype/"
_GENERATORS: Final = (
    "midjourney", "dall-e", "dall·e", "stable diffusion", "stablediffusion", "comfyui", "automatic1111", "invokeai",
    "novelai", "adobe firefly", "adobe_firefly", "google imagen", "gpt-4o", "gpt-image", "openai", "chatgpt",
    "bing image creator", "image creator from designer", "ideogram", "leonardo.ai", "flux.1", "black forest labs",
    "nightcafe", "dreamstudio", "fooocus", "swarmui", "made with google ai", "google generative ai",
)  # fmt: skip
_PNG_KEYS: Final = {
    "parameters": ("Steps:", "Sampler:", "CFG scale", "Model:"),  # Stable Diffusion web interfaces
    "prompt": ("class_type", "inputs"),  # ComfyUI
    "workflow": ("nodes", "class_type"),
    "invokeai_metadata": ("",),
    "sd-metadata": ("",),
    "dream": ("",),
    "generation_data": ("",),
    "fooocus_scheme": ("",),
}
_EXIF_TEXTS: Final = (
    0x0131,
    0x010E,
    0x010F,
    0x0110,
    0x013B,
    0x9286,
)  # software, description, make, model, artist
_MOST_MANIFEST: Final = 4_000_000
_PACKET: Final = 400_000
_NAMED: Final[dict[MarkSource, str]] = {
    "c2pa": "a Content Credentials manifest",
    "xmp": "its XMP notes",
    "png-text": "its PNG notes",
    "exif": "its EXIF notes",
}
_PROBABILITY: Final[dict[MarkSource, float]] = {"c2pa": 0.98, "xmp": 0.95, "png-text": 0.95, "exif": 0.9}


def marks(data: bytes) -> tuple[AiMark, ...]:
    """Every statement about the making of the picture that the file holds."""
    found = [*_manifest_marks(data), *_xmp_marks(data), *_png_marks(data), *_exif_marks(data)]
    unique = {(mark.source, mark.value): mark for mark in found}
    return tuple(unique.values())


def probability(found: tuple[AiMark, ...]) -> float | None:
    """How likely the picture is generated, by its marks; None, unknown, without any."""
    if any(mark.generated for mark in found):
        return max(_PROBABILITY[mark.source] for mark in found if mark.generated)
    return 0.1 if found else None  # it says it comes from a camera, which is easily claimed


def _mark(source: MarkSource, value: str, generated: bool) -> AiMark:
    what = "made or changed by a generator" if generated else "taken by a camera"
    says = f"The file says in {_NAMED[source]} that it was {what} ({value}); this is not verified."
    return AiMark(source, value, generated, says)


def _source_types(packet: bytes, source: MarkSource) -> list[AiMark]:
    """Digital source types written out in full in a manifest or an XMP packet."""
    found: list[AiMark] = []
    at = packet.lower().find(_SOURCE_TYPE)
    while at >= 0 and len(found) < 10:
        word = packet[at + len(_SOURCE_TYPE) : at + len(_SOURCE_TYPE) + 48]
        for names, generated in ((_GENERATED, True), (_CAPTURED, False)):
            name = next((n for n in names if word.startswith(n)), None)
            if name is not None:
                found.append(_mark(source, name.decode(), generated))
        at = packet.lower().find(_SOURCE_TYPE, at + 1)
    return found


def _manifest_marks(data: bytes) -> list[AiMark]:
    manifest = jumbf(data)
    if not manifest:
        return []
    found = _source_types(manifest, "c2pa")
    generator = claim_generator(manifest)
    if any(name in generator.lower() for name in _GENERATORS):
        found.append(_mark("c2pa", generator, True))
    return found


def jumbf(data: bytes) -> bytes:
    """The boxes of a C2PA manifest: APP11 segments of a JPEG joined, the caBX chunk of a PNG, or RIFF C2PA."""
    if data.startswith(b"\xff\xd8"):
        pieces = []
        for marker, start, end in _segments(data):
            if marker == 0xEB and data[start : start + 2] == b"JP" and end - start > 16:
                # common identifier, box instance, packet number; later packets repeat the 8 bytes of the box
                (packet,) = struct.unpack_from(">I", data, start + 4)
                pieces.append(data[start + 8 : end] if packet == 1 else data[start + 16 : end])
        return b"".join(pieces)[:_MOST_MANIFEST]
    if data.startswith(b"\x89PNG"):
        return b"".join(body for kind, body in _chunks(data) if kind == b"caBX")[:_MOST_MANIFEST]
    if data.startswith(b"RIFF"):
        at = data.find(b"C2PA", 12)
        return data[at + 8 : at + 8 + _MOST_MANIFEST] if at > 0 else b""
    return b""


def claim_generator(manifest: bytes) -> str:
    """The text after the CBOR key "claim_generator" or the "name" in "claim_generator_info"."""
    for key, inner in ((b"claim_generator_info", b"name"), (b"claim_generator", b"")):
        at = manifest.find(key)
        while at >= 0:
            after = at + len(key)
            if inner:
                nested = manifest.find(inner, after, after + 60)
                after = nested + len(inner) if nested >= 0 else after
            text = _cbor_text(manifest, after)
            if text:
                return " ".join(text.split())[:120]
            at = manifest.find(key, after)
    return ""


def _cbor_text(data: bytes, at: int) -> str:
    """A CBOR text string that begins at `at`, or ""."""
    if at >= len(data):
        return ""
    first = data[at]
    if 0x60 <= first <= 0x77:
        length, at = first - 0x60, at + 1
    elif first == 0x78 and at + 1 < len(data):
        length, at = data[at + 1], at + 2
    else:
        return ""
    return data[at : at + length].decode("utf-8", "replace")


def _xmp_marks(data: bytes) -> list[AiMark]:
    at = data.find(b"<x:xmpmeta")
    if at < 0:
        return []
    end = data.find(b"</x:xmpmeta>", at, at + _PACKET)
    packet = data[at : end if end > 0 else at + _PACKET]
    found = _source_types(packet, "xmp")
    text = packet.decode("utf-8", "replace").lower()
    for tag in ("creatortool", "photoshop:credit", "dc:creator", "softwareagent"):
        place = text.find(tag)
        near = text[place : place + 200] if place >= 0 else ""
        name = next((n for n in _GENERATORS if n in near), None)
        if name is not None:
            found.append(_mark("xmp", name, True))
    return found


def _png_marks(data: bytes) -> list[AiMark]:
    found = []
    for kind, body in _chunks(data):
        if kind not in (b"tEXt", b"iTXt", b"zTXt"):
            continue
        raw, _, rest = body.partition(b"\0")
        key = raw.decode("latin-1").strip().lower()
        text = _png_text(kind, rest)
        signs = _PNG_KEYS.get(key)
        if signs is not None and any(sign in text for sign in signs):
            found.append(_mark("png-text", f"{key}: {' '.join(text.split())[:80]}", True))
        elif key in ("software", "source", "title", "comment", "description") and (
            name := next((n for n in _GENERATORS if n in text.lower()), None)
        ):
            found.append(_mark("png-text", f"{key}: {name}", True))
    return found


def _png_text(kind: bytes, rest: bytes) -> str:
    """The text of a PNG chunk after its key, at most 20,000 characters of it, unpacked within bounds."""
    packed = kind == b"zTXt" or (kind == b"iTXt" and rest[:1] == b"\1")
    if kind == b"iTXt":
        rest = rest[2:].split(b"\0", 2)[-1]
    elif kind == b"zTXt":
        rest = rest[1:]
    if packed:
        try:
            rest = zlib.decompressobj().decompress(rest, 20_000)
        except zlib.error:
            return ""
    return rest[:20_000].decode("utf-8", "replace")


def _exif_marks(data: bytes) -> list[AiMark]:
    tags = read_exif(data)
    found = []
    for tag in _EXIF_TEXTS:
        text = text_of(tags.get(tag))
        recipe = tag == 0x9286 and "Steps:" in text and "Sampler:" in text
        if recipe or any(name in text.lower() for name in _GENERATORS):
            found.append(_mark("exif", text[:80], True))
    return found


def _segments(data: bytes) -> list[tuple[int, int, int]]:
    """Marker, start and end of each segment of a JPEG file before its pixels."""
    result: list[tuple[int, int, int]] = []
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and len(result) < 2_000:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA:
            break
        (length,) = struct.unpack_from(">H", data, at + 2)
        result.append((marker, at + 4, min(at + 2 + length, len(data))))
        at += 2 + max(length, 2)
    return result


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Kind and body of each chunk of a PNG file."""
    result: list[tuple[bytes, bytes]] = []
    at = 8
    while data.startswith(b"\x89PNG") and at + 8 <= len(data) and len(result) < 20_000:
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        if kind != b"IDAT":
            result.append((kind, data[at + 8 : min(at + 8 + length, at + 8 + _MOST_MANIFEST)]))
        at += 12 + length
    return result
