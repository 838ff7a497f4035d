"""The vector of a text: of length one, the same everywhere, near for what reads alike in any language."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.knowledge.embedding import DIMENSIONS, MOST_CHARACTERS, embed, masked, words
from malafide.knowledge.precedent_likeness import MOST_RUNS, cosines, identity, packed, runs

PARCEL = "Your parcel 4471 could not be delivered. Pay the small customs fee of 2.99 to release it today."
PARCEL_AGAIN = "Your parcel 9028 could not be delivered. Pay the small customs fee of 1.49 to release it now."
LUNCH = "Shall we have lunch with Ana on Thursday? I will book the table by the river if you like."


def cosine(one: str, other: str) -> float:
    return float(np.dot(embed(words(one)), embed(words(other))))


@given(st.text())
def test_any_text_has_a_vector_of_length_one_or_none(text: str) -> None:
    vector = embed(words(text))
    assert vector.shape == (DIMENSIONS,)
    assert vector.dtype == np.float32
    length = float(np.linalg.norm(vector))
    assert length == pytest.approx(1.0, abs=1e-5) or (length == 0.0)


def test_the_same_in_another_process_with_another_hash_seed() -> None:
    code = (
        "import sys, hashlib; from malafide.knowledge.embedding import embed, words;"
        "print(hashlib.sha256(embed(words(sys.argv[1])).tobytes()).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    printed = subprocess.run(
        [sys.executable, "-c", code, PARCEL], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == hashlib.sha256(embed(words(PARCEL)).tobytes()).hexdigest()


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        (PARCEL, PARCEL_AGAIN, LUNCH),
        (
            "Ihr Paket konnte nicht zugestellt werden, bitte zahlen Sie die Gebühr",
            "Ihr Paket konnte nicht zugestellt werden: bezahlen Sie bitte die Gebühr heute",
            "Wir treffen uns am Donnerstag zum Mittagessen am Fluss",
        ),
        ("您的包裹无法投递,请支付少量费用", "您的包裹无法投递,请今天支付费用", "星期四一起在河边吃午饭吧"),
        ("Р\u0430ssword ехpired, sign in", "Password expired, sign in", LUNCH),
    ],
)
def test_what_reads_alike_is_nearer(one: str, near: str, far: str) -> None:
    assert cosine(one, near) > 0.5 > 0.2 > cosine(one, far)


def test_common_words_alone_do_not_make_texts_alike() -> None:
    assert (
        cosine("please do let me know if you have any of the keys", "if you do have it then get to me") < 0.3
    )


def test_only_the_beginning_of_a_long_text_counts() -> None:
    start = "word " * (MOST_CHARACTERS // 5)
    assert words(start + "end") == words(start + "other")


def test_digits_are_masked_for_likeness() -> None:
    assert masked(words("Order 4471-b, 2 items")) == ["order", "0000", "b", "0", "items"]
    assert masked([]) == []


def test_a_packed_vector_keeps_its_angle() -> None:
    vector = embed(words(PARCEL))
    assert cosines(vector, [packed(vector)])[0] == pytest.approx(1.0, abs=1e-3)
    assert cosines(vector, [packed(np.zeros(DIMENSIONS, np.float32))])[0] == 0.0


def numbered(start: int, end: int) -> list[str]:
    letters = "abcdefghij"
    return ["".join(letters[int(digit)] for digit in str(number)) for number in range(start, end)]


def test_identity_estimates_the_share_of_words_kept() -> None:
    original = numbered(1000, 1200)
    shares = []
    for every in (0, 40, 20, 10, 5):
        changed = [w + "x" if every and i % every == 0 else w for i, w in enumerate(original)]
        share, _ = identity(runs(original), runs(changed))
        assert share == pytest.approx(1 - (1 / every if every else 0), abs=0.07)
        shares.append(share)
    assert all(more > less for more, less in pairwise(shares))


def test_identity_of_long_texts_is_an_estimate_near_the_truth() -> None:
    original = numbered(1000, 3000)
    changed = [w + "x" if i % 10 == 0 else w for i, w in enumerate(original)]
    assert len(runs(original)) == MOST_RUNS
    assert identity(runs(original), runs(changed))[0] == pytest.approx(0.9, abs=0.05)


def test_identity_of_nothing_is_nothing() -> None:
    assert identity(runs([]), runs(["a", "b", "c"])) == (0.0, 0)
    assert identity(runs(["hello"]), runs(["hello"])) == (1.0, 1)
