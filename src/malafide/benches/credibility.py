"""The credibility panel, whole: a post's signals go in, three agents score them, one score and its trace come out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from malafide.consensus.credibility import band, score
from malafide.consensus.credibility_rules import AGENTS, adjustments, normalised
from malafide.consensus.credibility_trace import Decision, decisions
from malafide.contracts.credibility import CredibilityContract, CredibilityDecision, CredibilityError
from malafide.errors import BadSignal, MalafideError
from malafide.files import write_atomically
from malafide.signals.given import Given, given
from malafide.version import VERSION

Progress = Callable[[int], None]
_CHUNK: Final = 2_000  # posts scored together
_GROUPS: Final = ("nlp_signals", "source_signals", "image_signals", "misinformation_assessment")


class MultiAgentReasoningSystem:
    """Scores posts from their signals.

    `agent_weights` replaces the weights of TextAgent, ImageAgent and SourceAgent; they are normalised.
    `decision_rules` replaces any adjustment by its name, and `missing_image` ("neutral" or "abstain").
    """

    def __init__(
        self,
        agent_weights: Mapping[str, float] | None = None,
        decision_rules: Mapping[str, Any] | None = None,
    ) -> None:
        self._weights = normalised(agent_weights)
        self._rules = adjustments(decision_rules)

    def process_post(
        self,
        post_id: str,
        nlp_signals: Mapping[str, Any],
        source_signals: Mapping[str, Any],
        image_signals: Mapping[str, Any] | None = None,
        misinformation_assessment: Mapping[str, Any] | None = None,
    ) -> CredibilityDecision:
        """The decision on one post: exactly the three fields of the contract."""
        try:
            signals = given(nlp_signals, source_signals, image_signals, misinformation_assessment)
        except BadSignal as error:
            raise BadSignal(f"post {post_id!r}: {error}") from None
        return as_fields(self.judge(signals))

    def process_batch(
        self,
        posts: Iterable[Mapping[str, Any] | MalafideError],
        path: str | Path | None = None,
        *,
        details: bool = False,
        progress: Progress | None = None,
    ) -> CredibilityContract:
        """The decisions keyed by post_id, written to `path` where one is named.

        A post that cannot be judged, or whose reading failed already, is a row with an error; the rest goes on.
        """
        results: CredibilityContract = {}
        source = enumerate(posts, 1)
        while chunk := list(islice(source, _CHUNK)):
            results.update(self._chunk(chunk, results, details=details))
            if progress is not None:
                progress(len(results))
        if path is not None:
            write_atomically(Path(path), json.dumps(results, indent=2, ensure_ascii=False) + "\n")
        return results

    def _chunk(
        self, chunk: Sequence[tuple[int, Any]], before: CredibilityContract, *, details: bool
    ) -> CredibilityContract:
        rows: CredibilityContract = {}
        names: list[str] = []
        signals: list[Given] = []
        for number, post in chunk:
            name, found = _read(number, post, before, rows)
            rows[name] = CredibilityError(error=str(found)) if isinstance(found, MalafideError) else _PENDING
            if not isinstance(found, MalafideError):
                names.append(name)
                signals.append(found)
        for name, decision in zip(names, self.judge_all(signals), strict=True):
            rows[name] = as_fields(decision, details=details)
        return rows

    def judge(self, signals: Given) -> Decision:
        """The whole decision on one post."""
        return next(self.judge_all([signals]))

    def judge_all(self, signals: Sequence[Given]) -> Iterator[Decision]:
        return decisions(signals, score(signals, self._rules, self._weights), self._rules)


_PENDING: Final = CredibilityError(error="not judged")  # keeps a post's place in the order of the rows


def _read(
    number: int, post: Any, before: CredibilityContract, rows: CredibilityContract
) -> tuple[str, Given | MalafideError]:
    """The name of a post and its signals, or what is wrong with it."""
    name = f"post_{number}"
    if isinstance(post, MalafideError):
        return _free(name, before, rows), post
    if not isinstance(post, Mapping):
        return _free(name, before, rows), BadSignal(
            f"the post is {type(post).__name__}; it must be an object"
        )
    if "post_id" in post and not isinstance(post["post_id"], str | int):
        return _free(name, before, rows), BadSignal(f"post_id is {post['post_id']!r}; it must be text")
    name = str(post.get("post_id", name))
    if name in before or name in rows:
        return _free(f"{name}#{number}", before, rows), BadSignal(f"post_id {name!r} was there before")
    if post.keys().isdisjoint(_GROUPS):
        return name, BadSignal(f"the post has no signals; it needs some of {', '.join(_GROUPS)}")
    try:
        return name, given(*(post.get(group) for group in _GROUPS))
    except BadSignal as error:
        return name, error


def _free(name: str, before: CredibilityContract, rows: CredibilityContract) -> str:
    """A key for a row that has none of its own."""
    while name in before or name in rows:
        name += "#"
    return name


def as_fields(decision: Decision, *, details: bool = False) -> CredibilityDecision:
    """The decision as the contract's fields."""
    fields = CredibilityDecision(
        final_credibility_score=decision.score,
        agent_agreement_level=decision.agreement,
        reasoning_trace=list(decision.trace),
    )
    if details:
        scored = list(zip(AGENTS, decision.agents, strict=True))
        fields["malafide"] = {
            "version": VERSION,
            "agreement_band": band(decision.agreement),
            "agent_scores": {a: None if s is None else round(s, 4) for a, s in scored},
            "agent_weights": {a: round(w, 4) for a, w in zip(AGENTS, decision.weights, strict=True)},
        }
    return fields
