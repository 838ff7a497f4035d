"""How alike two texts are: vectors made small, sketches of vectors, and runs of words in common."""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from malafide.knowledge.embedding import Vector

RUN: Final = 3  # words
MOST_RUNS: Final = 256  # kept of one text: exact below, an estimate (about 3 points off) above
SKETCH_WORDS: Final = 16  # 64 bits each: the sign of every dimension


def packed(vector: Vector) -> bytes:
    """A vector as one signed byte per dimension; the angle moves by less than a hundredth."""
    largest = float(np.abs(vector).max(initial=0.0))
    scale = 127 / largest if largest > 0 else 0.0
    small: NDArray[np.int8] = np.rint(vector * np.float32(scale)).astype(np.int8)
    return small.tobytes()


def cosines(query: Vector, packed_vectors: list[bytes]) -> NDArray[np.float32]:
    """The cosine of the query with each stored vector. einsum, as BLAS would start threads."""
    rows = (
        np.frombuffer(b"".join(packed_vectors), np.int8).reshape(len(packed_vectors), -1).astype(np.float32)
    )
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(np.einsum("ij,j->i", rows, query) / np.maximum(lengths, 1e-9), np.float32)


def sketch(vector: Vector) -> bytes:
    return np.packbits(vector > 0).tobytes()


def runs(masked_words: list[str]) -> NDArray[np.uint32]:
    """Hashes of the runs of three words, the smallest 256, ascending. One or two words are one run."""
    if not masked_words:
        return np.zeros(0, np.uint32)
    if len(masked_words) < RUN:
        found = {zlib.crc32(" ".join(masked_words).encode("utf-8", "surrogatepass"))}
    else:
        triples = set(zip(masked_words, masked_words[1:], masked_words[2:], strict=False))
        found = {zlib.crc32(" ".join(triple).encode("utf-8", "surrogatepass")) for triple in triples}
    return np.array(sorted(found)[:MOST_RUNS], np.uint32)


def identity(mine: NDArray[np.uint32], theirs: NDArray[np.uint32]) -> tuple[float, int]:
    """The estimated share of words that stand in the same order in both texts, and how many runs they share.

    With Jaccard index j of the runs of k words, 2j/(1+j) is the share of runs that survived, and its k-th
    root the share of words (as Mash estimates it for genomes): one word in ten changed gives 0.9, where j is
    0.57.
    """
    if not len(mine) or not len(theirs):
        return 0.0, 0
    # Above the largest hash kept of a cut list nothing is known: compare only below.
    for one in (mine, theirs):
        if len(one) == MOST_RUNS:
            mine, theirs = mine[mine <= one[-1]], theirs[theirs <= one[-1]]
    shared = len(np.intersect1d(mine, theirs, assume_unique=True))
    jaccard = shared / (len(mine) + len(theirs) - shared)
    return float((2 * jaccard / (1 + jaccard)) ** (1 / RUN)), shared
