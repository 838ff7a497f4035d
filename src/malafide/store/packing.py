"""Values in, what a database takes out: bounded text, moments as numbers, bodies compressed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from malafide.record.review import Waiting, evidence_entries, evidence_of

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_PLAIN, _ZLIB = 0, 1
# Level 1: contracts of mail shrink to a quarter in 0.05 ms; level 6 takes twice as long for a tenth less.
_LEVEL: Final = 1
_WORTH: Final = 0.9  # of the size; what shrinks less (pictures, archives) is kept as it is
_SAMPLE: Final = 16_384  # so much is tried before all of a large body is compressed

LARGEST: Final = 2**63 - 1  # whole number that a database takes
NAME: Final = 300  # characters
WHO: Final = 100
NOTE: Final = 2_000
LINE: Final = 500


def text(value: str, most: int) -> str:
    """Text that every database takes: at most so long, without NUL and lone surrogates."""
    return value[:most].replace("\x00", "").encode("utf-8", "replace").decode()


def micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def now() -> int:
    return micros(datetime.now(UTC))


def moment(number: int) -> datetime:
    return _EPOCH + number * _MICROSECOND


def moment_or_none(number: int | None) -> datetime | None:
    return None if number is None else moment(number)


def pack(body: bytes) -> tuple[int, bytes]:
    """How it is packed, and the packed body."""
    sample = body[:_SAMPLE]
    packed = zlib.compress(sample, _LEVEL)
    if len(packed) >= len(sample) * _WORTH:
        return _PLAIN, body
    return _ZLIB, packed if len(body) <= _SAMPLE else zlib.compress(body, _LEVEL)


def unpack(packing: int, body: bytes, size: int) -> bytes:
    """The body as it was; never more than its size, whatever a damaged file says."""
    return zlib.decompressobj().decompress(body, size or 1) if packing == _ZLIB else bytes(body)


def pack_json(document: Mapping[str, Any]) -> bytes:
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode(), _LEVEL)


def unpack_json(body: bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(zlib.decompress(body))
    return document


def waiting_entry(waiting: Waiting | None) -> dict[str, Any] | None:
    if waiting is None:
        return None
    return {**asdict(waiting), "evidence": evidence_entries(waiting.evidence)}


def waiting_of(entry: Mapping[str, Any] | None) -> Waiting | None:
    if entry is None:
        return None
    return Waiting(**{**entry, "evidence": tuple(evidence_of(entry["evidence"]))})
