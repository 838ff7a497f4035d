"""Posts of a batch in, how many accounts posted nearly the same out: a campaign shows only beside its copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from malafide.intake.posts import Post
from malafide.knowledge.embedding import masked, words

_RUN: Final = 4  # words in a row
_FEWEST: Final = 6  # words a text must have: "happy new year" is no campaign
_ALIKE: Final = 0.6  # share of runs two texts must have in common
_MOST_TOGETHER: Final = 200  # texts compared that share a run: a run shared by more is a saying


def copies(posts: Sequence[Post]) -> list[int]:
    """For each post, the accounts (it included) that posted nearly the same text; 1 where it stands alone.

    Texts are compared when they share a run of four words, so the work grows with the copies and not with all pairs.
    """
    runs = [_runs(post) for post in posts]
    by_run: defaultdict[str, list[int]] = defaultdict(list)
    for number, found in enumerate(runs):
        for run in found:
            if len(by_run[run]) < _MOST_TOGETHER:
                by_run[run].append(number)
    counts = []
    for number, found in enumerate(runs):
        shared: defaultdict[int, int] = defaultdict(int)
        for run in found:
            for other in by_run[run]:
                shared[other] += 1
        alike = {o for o, n in shared.items() if n / max(1, len(found | runs[o])) >= _ALIKE} | {number}
        counts.append(len({_author(posts[one], one) for one in alike}))
    return counts


def _runs(post: Post) -> frozenset[str]:
    row = masked(words(post.case.reading))
    if len(row) < _FEWEST:
        return frozenset()
    return frozenset(" ".join(row[i : i + _RUN]) for i in range(len(row) - _RUN + 1))


def _author(post: Post, number: int) -> str:
    """Who posted: the handle, or the post itself where nobody is named."""
    return (post.account.handle if post.account and post.account.handle else None) or f"#{number}"
