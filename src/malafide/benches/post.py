"""A raw post goes in, the signals that were not given are made, and the credibility panel answers with all of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from malafide.benches.credibility import MultiAgentReasoningSystem, as_fields
from malafide.case import Part, Span
from malafide.consensus.credibility import band
from malafide.consensus.credibility_trace import Decision
from malafide.contracts.credibility import CredibilityDecision
from malafide.errors import MalafideError
from malafide.intake.posts import Post, PostLink
from malafide.knowledge.domains import MAX_TARGET
from malafide.knowledge.facts import Answer
from malafide.knowledge.post_catalog import PostCatalog, remembered_catalog
from malafide.knowledge.precedent_record import Neighbour
from malafide.limits import MAX_TEXT_CHARS
from malafide.minds.offline import logistic
from malafide.signals.assessment import Assessment, Grounds, assess
from malafide.signals.bait import clickbait
from malafide.signals.claim import embedding_id, extracted_claim
from malafide.signals.feelings import feelings
from malafide.signals.given import given
from malafide.signals.picture import picture_signals
from malafide.signals.signal import Group, Signal, given_signal
from malafide.signals.source import account_trust, behavioral_risk, outlets, source_reliability

if TYPE_CHECKING:
    from malafide.imaging.signals import ImageSignals
    from malafide.knowledge.precedents import Precedents

GROUPS: Final[tuple[Group, ...]] = (
    "nlp_signals",
    "source_signals",
    "image_signals",
    "misinformation_assessment",
)
Look = Callable[[bytes], "ImageSignals"]


@dataclass(frozen=True, slots=True)
class PostVerdict:
    """Everything about one post: what was made of it, where each signal came from, and the panel's decision."""

    post: Post
    signals: tuple[Signal, ...]
    decision: Decision
    answer: Answer  # what fact-checks say about the claim
    cited: tuple[Neighbour, ...]
    picture: ImageSignals | None
    limitations: tuple[str, ...]  # what could not be judged, one plain sentence each
    elapsed_ms: float

    @property
    def band(self) -> str:
        return band(self.decision.agreement)

    @property
    def trace(self) -> tuple[str, ...]:
        """Where the signals came from, then what the agents made of them."""
        return (*(signal.line for signal in self.signals), *self.decision.trace)

    def group(self, group: Group) -> dict[str, Any]:
        return {s.name: s.value for s in self.signals if s.group == group}


@dataclass(frozen=True, slots=True)
class PostKnowledge:
    """What posts are held against; empty means built-in knowledge only."""

    precedents: Precedents | None = None
    posts: PostCatalog | None = None
    headlines: PostCatalog | None = None


def remembered_posts() -> PostKnowledge:
    """What the home folder holds."""
    from malafide.knowledge.precedents import Precedents, default_path

    stored = Precedents() if default_path().exists() else None
    return PostKnowledge(stored, remembered_catalog("post"), remembered_catalog("headline"))


@dataclass(frozen=True, slots=True)
class PostExaminer:
    """Judges raw posts. `look` reads a picture; None leaves pictures unjudged, and says so."""

    panel: MultiAgentReasoningSystem = field(default_factory=MultiAgentReasoningSystem)
    knowledge: PostKnowledge = field(default_factory=PostKnowledge)
    look: Look | None = None

    def judge_all(
        self, posts: Sequence[Post], progress: Callable[[int], None] | None = None
    ) -> list[PostVerdict | MalafideError]:
        """The verdicts on the posts of a batch, held against each other for copies; or why there is none."""
        from malafide.signals.coordination import copies

        found: list[PostVerdict | MalafideError] = []
        for post, count in zip(posts, copies(posts), strict=True):
            try:
                found.append(self.judge(post, count))
            except MalafideError as error:
                found.append(error)
            if progress is not None:
                progress(len(found))
        return _compared(found)

    def judge(self, post: Post, copies: int = 1) -> PostVerdict:
        """The verdict on one post. `copies` counts the accounts of its batch that posted the same."""
        started = time.perf_counter()
        picture, notes, seen = picture_signals(post, self.look)
        if picture is not None:
            post = _with_picture(post, picture)
        made, assessment = self._made(post, copies)
        signals = tuple(_preferred(post.given, (*made, *seen)))
        values = {group: {s.name: s.value for s in signals if s.group == group} for group in GROUPS}
        image = values["image_signals"] or None
        decision = self.panel.judge(
            given(values["nlp_signals"], values["source_signals"], image, values["misinformation_assessment"])
        )
        open_ = tuple(f"{s.name} is unknown. {s.because}" for s in signals if s.value is None)
        return PostVerdict(
            post, signals, decision, assessment.answer, assessment.cited, picture,
            (*post.case.limitations, *notes, *open_), (time.perf_counter() - started) * 1000.0,
        )  # fmt: skip

    def _made(self, post: Post, copies: int) -> tuple[tuple[Signal, ...], Assessment]:
        case = post.case
        claim = extracted_claim(case)
        grounds = Grounds(self.knowledge.precedents, self.knowledge.posts)
        assessment = assess(case, claim, outlets(post), grounds)
        text = (*feelings(case), clickbait(case, self._learned_bait(post)), claim, embedding_id(case))
        source = (account_trust(post), source_reliability(post), behavioral_risk(post, copies))
        return (*text, *source, assessment.credibility, assessment.risk), assessment

    def _learned_bait(self, post: Post) -> Signal | None:
        catalog = self.knowledge.headlines
        part = next((p for p in post.case.of_role("body") if p.text.strip()), None)
        told = catalog.speak(part) if catalog is not None and part is not None else None
        if told is None:
            return None
        said = f"{told.known} learned phrases; the probability of bait is {logistic(told.odds):.2f}."
        return Signal("nlp_signals", "clickbait", told.odds > 0.0, "measured", "learned headlines", said)


def _with_picture(post: Post, picture: ImageSignals) -> Post:
    """The post with what stands in its picture: writing is read like any other text, a printed code is a link."""
    parts = list(post.case.parts)
    links = list(post.links)
    if picture.ocr_text:
        parts.append(Part("picture", "body", picture.ocr_text[:MAX_TEXT_CHARS]))
    codes = [" ".join(code.text.split())[:MAX_TARGET] for code in picture.codes if code.text.strip()]
    if codes:
        parts.append(Part("codes", "links", "\n".join(codes)))
        at = 0
        for target in codes:
            links.append(PostLink(target, Span("codes", at, at + len(target))))
            at += len(target) + 1
    return replace(post, case=replace(post.case, parts=tuple(parts)), links=tuple(links))


def _compared(found: list[PostVerdict | MalafideError]) -> list[PostVerdict | MalafideError]:
    """The verdicts, each with a note where its picture stands in another post that tells another story."""
    pictured = [(v, v.picture) for v in found if isinstance(v, PostVerdict) and v.picture is not None]
    if len(pictured) < 2:
        return found
    from malafide.imaging.likeness import SAME_PICTURE, distance

    def noted(verdict: PostVerdict, picture: ImageSignals) -> PostVerdict:
        others = [
            other.post.post_id
            for other, seen in pictured
            if other is not verdict
            and distance(picture.perceptual_hash, seen.perceptual_hash) <= SAME_PICTURE
            and _words(other) != _words(verdict)
        ]
        note = f"The same picture stands with another text in {', '.join(others[:5])}."
        return replace(verdict, limitations=(note, *verdict.limitations)) if others else verdict

    return [noted(v, v.picture) if isinstance(v, PostVerdict) and v.picture is not None else v for v in found]


def _words(verdict: PostVerdict) -> Any:
    return verdict.group("nlp_signals")["text_embedding_id"]


def _preferred(groups: Mapping[str, Mapping[str, Any]], made: Sequence[Signal]) -> list[Signal]:
    """The signals that were made, each replaced by the one that was given; given ones of other names come last."""
    kept: list[Signal] = []
    used: set[tuple[str, str]] = set()
    for signal in made:
        names = ("image_tampered", "tampered") if signal.name == "image_tampered" else (signal.name,)
        told = groups.get(signal.group, {})
        name = next((name for name in names if told.get(name) is not None), None)
        used.update((signal.group, each) for each in names)
        kept.append(signal if name is None else given_signal(signal.group, signal.name, told[name]))
    for group, values in groups.items():
        kept.extend(
            given_signal(cast(Group, group), name, value)
            for name, value in values.items()
            if (group, name) not in used
        )
    return kept


def as_contract(verdict: PostVerdict, *, details: bool = False) -> CredibilityDecision:
    """The verdict as the contract's fields. The trace begins with where the signals came from."""
    fields = as_fields(verdict.decision, details=details)
    fields["reasoning_trace"] = list(verdict.trace)
    if details:
        fields["malafide"] |= {
            "case_id": verdict.post.case.id,
            "claim": verdict.answer,
            "signals": [_as_json(signal) for signal in verdict.signals],
            "cited": [asdict(one) for one in verdict.cited],
            "limitations": list(verdict.limitations),
        }
    return fields


def _as_json(signal: Signal) -> dict[str, Any]:
    return {
        "group": signal.group,
        "name": signal.name,
        "value": signal.value,
        "origin": signal.origin,
        "by": signal.by,
        "because": signal.because,
        "evidence": [asdict(e) for e in signal.evidence],
    }
