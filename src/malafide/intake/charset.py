"""Bytes of unknown honesty in, text out: what a charset label promises is tried, never trusted."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import Final

# What mail calls these and what it means by them: the wider set that contains the named one.
_WIDER: Final = {
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso-8859-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "utf8": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
}
# Python codecs that are no charsets of mail; some of them take quadratic time.
_REFUSED: Final = frozenset(
    ("idna", "punycode", "unicode_escape", "unicode-escape", "raw_unicode_escape", "undefined", "mbcs", "oem")
)
_META: Final = re.compile(rb"""charset\s{0,5}=\s{0,5}["']?([a-z0-9_:.-]{1,40})""", re.IGNORECASE)
_RUN: Final = re.compile(rb"[\x80-\xff]{2,}")
_SAMPLE: Final = 4_000  # bytes shown to the detector: 2-20 ms there, and more did not change its answer


@lru_cache(maxsize=256)
def codec_of(label: str) -> str:
    """The Python codec for a charset label, or "" when there is none."""
    label = _WIDER.get(label, label)
    if not label or len(label) > 40 or not label.isascii() or not label.isprintable():
        return ""
    try:
        name = codecs.lookup(label).name
        b"a".decode(name)
    except (LookupError, ValueError):
        return ""
    return "" if name in _REFUSED or label in _REFUSED else name


@lru_cache(maxsize=256)
def _keeps_ascii(codec: str) -> bool:
    probe = bytes(range(32, 127)) + b"~{<0!~}\x1b$B"
    return probe.decode(codec, "replace") == probe.decode("ascii")


def decode(data: bytes, label: str = "") -> str:
    """The text of `data`: as labelled where that works, as UTF-8 where it is, as detected otherwise."""
    codec = codec_of(label.strip().lower())
    if data.isascii() and (not codec or _keeps_ascii(codec)):
        text = data.decode("ascii")
    else:
        text = _decode_8bit(data, codec)
    return text.replace("\0", "") if "\0" in text else text


def _decode_8bit(data: bytes, codec: str) -> str:
    if not codec or codec == "utf-8" or codec.startswith(("cp125", "iso8859", "koi8")):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            if codec == "utf-8" and _nearly_utf8(data):
                return data.decode("utf-8", "replace")
            if not codec or codec == "utf-8":
                codec = _detect(data)
    try:
        return without_surrogates(data.decode(codec, "replace"))
    except (UnicodeError, ValueError):
        return data.decode("latin-1")


def _nearly_utf8(data: bytes) -> bool:
    """Whether only a few bytes are wrong, as after a cut in the middle of a character."""
    sample = data[:_SAMPLE]
    wrong = sample.decode("utf-8", "replace").count("\ufffd")
    return wrong * 10 <= sum(byte > 127 for byte in sample)


def _detect(data: bytes) -> str:
    """The codec of text with no true label.

    Accents of Western languages stand alone among ASCII letters, and a detector takes a few of them for
    anything (déjà vu came out as Arabic): only text with runs of such bytes is shown to it.
    """
    sample = data[:_SAMPLE]
    in_runs = sum(len(run) for run in _RUN.findall(sample))
    if in_runs * 2 < sum(byte > 127 for byte in sample):
        return "cp1252"
    from charset_normalizer import from_bytes  # here, because few messages need it and it takes 40 ms to load

    best = from_bytes(sample, steps=3, chunk_size=256).best()
    return (best and codec_of(best.encoding)) or "cp1252"


def html_charset(data: bytes) -> str:
    """The charset an HTML page gives itself, or ""."""
    if data.isascii():
        return ""
    match = _META.search(data, 0, _SAMPLE)
    return match[1].decode("ascii") if match else ""


def without_surrogates(text: str) -> str:
    """Text that can be written as UTF-8 again."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
