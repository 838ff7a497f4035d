"""Text in, the places of crypto wallet addresses out. Every kind with a checksum is verified by it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import re2

from malafide.knowledge.scripts import found

_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_VALUE58: Final = {character: value for value, character in enumerate(_BASE58)}
_BECH32: Final = {character: value for value, character in enumerate("qpzry9x8gf2tvdw0s3jn54khce6mua7l")}
# First bytes of what is paid to: Bitcoin, Litecoin, Dogecoin, Dash, Tron.
_VERSIONS: Final = frozenset({0x00, 0x05, 0x30, 0x32, 0x1E, 0x4C, 0x41})
_CANDIDATE: Final = (
    r"\b(?:0x[0-9a-fA-F]{40}"
    r"|(?i:bc1|ltc1)[02-9ac-hj-np-zAC-HJ-NP-Z]{14,74}"
    r"|[48][1-9A-HJ-NP-Za-km-z]{94}"
    r"|[13LMDXT][1-9A-HJ-NP-Za-km-z]{25,34})\b"
)
_MOST: Final = 50


@cache
def _expression() -> Any:
    return re2.compile(_CANDIDATE)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every wallet address in the text."""
    for start, end in islice(found(_expression(), text), _MOST):
        if is_wallet(text[start:end]):
            yield start, end


def is_wallet(word: str) -> bool:
    """Whether the word is an address money can be sent to."""
    if word.startswith("0x"):
        return _ethereum(word[2:])
    if word[:3].lower() == "bc1" or word[:4].lower() == "ltc1":
        return _bech32(word)
    if len(word) == 95:
        return _monero(word)
    return _base58check(word)


def _base58check(word: str) -> bool:
    number = 0
    for character in word:
        number = number * 58 + _VALUE58[character]
    raw = number.to_bytes(26, "big")[-25:] if number < 1 << 200 else b""
    if len(raw) != 25 or raw[0] not in _VERSIONS:
        return False
    return hashlib.sha256(hashlib.sha256(raw[:21]).digest()).digest()[:4] == raw[21:]


def _bech32(word: str) -> bool:
    if word.lower() != word and word.upper() != word:
        return False
    human, _, data = word.lower().rpartition("1")
    values = [_BECH32.get(c, -1) for c in data]
    if not 14 <= len(values) <= 74 or -1 in values:
        return False
    check = 1
    for value in [ord(c) >> 5 for c in human] + [0] + [ord(c) & 31 for c in human] + values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> i & 1 else 0
    return check in (1, 0x2BC830A3)  # the sums of the first and of the later address format


def _ethereum(digits: str) -> bool:
    if digits == digits.lower() or digits == digits.upper():
        return len(set(digits.lower())) > 4  # 0x000...0 and the like are no wallets
    # Capitals carry the checksum: they stand where the digest of the lower-case address has 8 or more.
    digest = keccak256(digits.lower().encode()).hex()
    pairs = zip(digits, digest[: len(digits)], strict=True)
    return all(c.isdigit() or c.isupper() == (int(d, 16) >= 8) for c, d in pairs)


def _monero(word: str) -> bool:
    """Blocks of eleven signs hold eight bytes each; the last four bytes start a digest of the rest."""
    raw = b""
    for start in range(0, 95, 11):
        number = 0
        for character in word[start : start + 11]:
            number = number * 58 + _VALUE58[character]
        size = 8 if start < 88 else 5
        if number >= 1 << 8 * size:
            return False
        raw += number.to_bytes(size, "big")
    return keccak256(raw[:-4])[:4] == raw[-4:]


_ROTATIONS: Final = (
    (0, 36, 3, 41, 18),
    (1, 44, 10, 45, 2),
    (62, 6, 43, 15, 61),
    (28, 55, 25, 21, 56),
    (27, 20, 39, 8, 14),
)
_MASK: Final = (1 << 64) - 1


def keccak256(data: bytes) -> bytes:
    """Keccak with its first padding, as Ethereum and Monero use it; hashlib has only the later SHA-3.

    One block is enough for an address, so longer input is refused.
    """
    rate = 136
    if len(data) >= rate:
        raise ValueError(f"{len(data)} bytes; at most {rate - 1} are hashed here")
    block = bytearray(data.ljust(rate, b"\0"))
    block[len(data)] ^= 0x01
    block[rate - 1] ^= 0x80
    lanes = [[0] * 5 for _ in range(5)]
    for i in range(rate // 8):
        lanes[i % 5][i // 5] = int.from_bytes(block[8 * i : 8 * i + 8], "little")
    register = 1
    for _ in range(24):
        lanes, register = _round(lanes, register)
    return b"".join(lanes[i][0].to_bytes(8, "little") for i in range(4))


def _round(a: list[list[int]], register: int) -> tuple[list[list[int]], int]:
    c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
    d = [c[(x - 1) % 5] ^ _turn(c[(x + 1) % 5], 1) for x in range(5)]
    b = [[0] * 5 for _ in range(5)]
    for x in range(5):
        for y in range(5):
            b[y][(2 * x + 3 * y) % 5] = _turn(a[x][y] ^ d[x], _ROTATIONS[x][y])
    a = [[b[x][y] ^ (~b[(x + 1) % 5][y] & b[(x + 2) % 5][y] & _MASK) for y in range(5)] for x in range(5)]
    for j in range(7):
        if register & 1:
            a[0][0] ^= 1 << ((1 << j) - 1)
        register = (register << 1) ^ (0x171 if register & 0x80 else 0)
    return a, register


def _turn(lane: int, by: int) -> int:
    return ((lane << by) | (lane >> (64 - by))) & _MASK
