"""A post's links and account in, source signals out. What is not told about them stays unknown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from malafide.case import Span
from malafide.evidence import Direction, Evidence, Strength, observe
from malafide.intake.posts import Account, Post
from malafide.knowledge.domains import parse
from malafide.knowledge.hosts import unwrap
from malafide.signals.outlets import RELIABILITY, Outlet, outlet
from malafide.signals.signal import Signal, unknown

_MOST_LINKS: Final = 20
_TRUST: Final = "account facts"
_RISK: Final = "posting behaviour"

# What each fact adds to trust of 0.5. An old, followed, complete profile is slow to fake; a paid tick is not.
_AGES: Final = ((7, -0.25), (30, -0.15), (180, -0.05), (730, 0.05), (float("inf"), 0.15))
_VERIFIED: Final = 0.1
_CROWD: Final = (10_000, 0.08)
_FOLLOWS_MANY: Final = (500, 10.0, -0.12)  # follows more than this, and so many times as many as follow back
_RENAMED: Final = ((3, -0.15), (1, -0.05))
_BARE_PROFILE: Final = -0.1
_FULL_PROFILE: Final = 0.05
_NUMBERED_HANDLE: Final = -0.06
_SILENT: Final = (5, -0.08)  # hardly any earlier posts
_RECORD_WORTH: Final = 0.8  # the whole way from always false (-0.4) to always true (+0.4)
_RECORD_PRIOR: Final = 2.0  # as if so many claims of each kind had been checked before

_MOST_A_DAY: Final = 72.0  # a post every twenty minutes, day and night
_FEWEST_TIMES: Final = 8
_EVEN: Final = 0.1  # standard deviation of the pauses over their mean: a clock, not a person


def outlets(post: Post) -> list[tuple[Outlet, Span]]:
    """Where the links lead, wrappings taken off, each with where it stands."""
    found = []
    for link in post.links[:_MOST_LINKS]:
        url = parse(link.target)
        if url.web:
            found.append((outlet((unwrap(url) or (url,))[-1]), link.at))
    return found


def source_reliability(post: Post) -> Signal:
    """How reliable the places are that the post links to; the least reliable one counts."""
    places = outlets(post)
    name = "source_reliability_score"
    if not places:
        return unknown("source_signals", name, "linked places", "It links nowhere.")
    scored = [(score, place, at) for place, at in places if (score := RELIABILITY[place.place]) is not None]
    evidence = tuple(_observed(post, score, place, at) for score, place, at in scored[:5])
    if not scored:
        return unknown("source_signals", name, "linked places", places[0][0].sentence)
    worst = min(scored, key=lambda it: it[0])
    return Signal("source_signals", name, worst[0], "measured", "linked places", worst[1].sentence, evidence)


def _observed(post: Post, score: float, place: Outlet, at: Span) -> Evidence:
    direction: Direction = "genuine" if score > 0.5 else "deceptive"
    strength: Strength = "strong" if place.place == "look-alike" else "moderate"
    kind = f"source.{place.place}"
    return observe(
        post.case, at, kind, "source", strength, place.sentence, direction=direction, tool="source"
    )


def account_trust(post: Post) -> Signal:
    """How much the account deserves trust, from the facts that are told of it."""
    name = "account_trust_score"
    steps = _steps(post.account) if post.account is not None else []
    if not steps:
        return unknown("source_signals", name, _TRUST, "Nothing is told about the account.")
    total = 0.5 + sum(amount for amount, _, _ in steps)
    because = "0.5 " + " ".join(f"{amount:+.2f} ({said})" for amount, said, _ in steps) + "."
    evidence = tuple(
        e for amount, said, keys in steps if amount and (e := _account_evidence(post, amount, said, keys))
    )
    value = round(min(1.0, max(0.0, total)), 4)
    return Signal("source_signals", name, value, "measured", _TRUST, because, evidence)


Step = tuple[float, str, tuple[str, ...]]


def _steps(account: Account) -> list[Step]:
    """(amount, what is known, the fields it stands in) of every fact that is told."""
    steps: list[Step] = []
    if account.age_days is not None:
        amount = next(value for limit, value in _AGES if account.age_days < limit)
        steps.append(
            (amount, f"{account.age_days:.0f} days old", ("account_age_days", "age_days", "created_at"))
        )
    if account.verified is not None:
        said = "verified" if account.verified else "not verified"
        steps.append((_VERIFIED if account.verified else 0.0, said, ("verified", "is_verified")))
    steps.extend(_following(account))
    if account.posts is not None:
        amount = _SILENT[1] if account.posts < _SILENT[0] else 0.0
        keys = ("historical_post_count", "statuses_count", "posts_count", "post_count")
        steps.append((amount, f"{account.posts:.0f} earlier posts", keys))
    if account.name_changes is not None:
        amount = next((value for least, value in _RENAMED if account.name_changes >= least), 0.0)
        steps.append(
            (amount, f"renamed {account.name_changes:.0f} times", ("name_changes", "previous_names"))
        )
    if account.profile:
        share = sum(account.profile.values()) / len(account.profile)
        amount = (
            _BARE_PROFILE
            if share < 0.34
            else _FULL_PROFILE
            if share > 0.99 and len(account.profile) > 1
            else 0.0
        )
        steps.append((amount, f"profile {share:.0%} filled in", ("description", "location", "url")))
    if account.handle and sum(c.isdigit() for c in account.handle[-8:]) >= 5:
        steps.append((_NUMBERED_HANDLE, "a numbered handle", ("screen_name", "username", "handle")))
    if account.record is not None:
        steps.append(_record(*account.record))
    return steps


def _following(account: Account) -> list[Step]:
    keys = ("followers_count", "followers", "following_count", "friends_count", "following")
    if account.followers is None:
        return []
    least, times, amount = _FOLLOWS_MANY
    if account.following is not None and account.following > max(least, times * account.followers):
        said = f"follows {account.following:.0f}, followed by {account.followers:.0f}"
        return [(amount, said, keys)]
    crowd, worth = _CROWD
    return [(worth if account.followers >= crowd else 0.0, f"{account.followers:.0f} followers", keys)]


def _record(right: float, wrong: float) -> Step:
    share = (right + _RECORD_PRIOR) / (right + wrong + 2 * _RECORD_PRIOR)
    said = f"{right:.0f} earlier claims found true and {wrong:.0f} false"
    return (share - 0.5) * _RECORD_WORTH, said, ("fact_checks",)


def _account_evidence(post: Post, amount: float, said: str, keys: Sequence[str]) -> Evidence | None:
    span = next((post.account_spans[key] for key in keys if key in post.account_spans), None)
    if span is None:
        return None
    direction: Direction = "genuine" if amount > 0 else "deceptive"
    strength: Strength = "moderate" if abs(amount) >= 0.1 else "weak"
    sentence = f"The account: {said}."
    return observe(
        post.case, span, "account.trust", "account", strength, sentence, direction=direction, tool="account"
    )


def behavioral_risk(post: Post, copies: int = 1) -> Signal:
    """Whether the account behaves like a machine or a campaign. `copies` counts accounts that posted the same."""
    name = "behavioral_risk_flag"
    account = post.account or Account()
    risks: list[str] = []
    known: list[str] = []
    if copies >= 3:
        risks.append(f"{copies} accounts of this batch posted nearly the same text")
    if account.posts is not None and account.age_days:
        daily = account.posts / max(1.0, account.age_days)
        (risks if daily > _MOST_A_DAY else known).append(f"{daily:.1f} posts a day over its life")
    if len(account.times) >= _FEWEST_TIMES:
        pauses = [(b - a).total_seconds() for a, b in pairwise(account.times)]
        mean = sum(pauses) / len(pauses)
        spread = (sum((p - mean) ** 2 for p in pauses) / len(pauses)) ** 0.5
        even = mean > 0 and spread / mean < _EVEN
        (risks if even else known).append(
            "posts as evenly as a clock" if even else "an uneven rhythm of posts"
        )
        hours = {moment.hour for moment in account.times}
        if len(account.times) >= 48 and len(hours) == 24:
            risks.append("posts in every hour of the day")
    if account.name_changes is not None:
        many = account.name_changes >= 3
        (risks if many else known).append(f"renamed {account.name_changes:.0f} times")
    if risks:
        span = next(iter(post.account_spans.values()), None)
        said = "; ".join(risks)
        evidence = (_behaviour(post, said, span),) if span else ()
        return Signal("source_signals", name, True, "measured", _RISK, f"{said}.", evidence)
    if known:
        return Signal("source_signals", name, False, "measured", _RISK, f"{'; '.join(known)}.")
    return unknown("source_signals", name, _RISK, "Nothing is told about how the account posts.")


def _behaviour(post: Post, said: str, span: Span) -> Evidence:
    sentence = f"{said[0].upper()}{said[1:]}."
    return observe(post.case, span, "account.behaviour", "account", "moderate", sentence, tool="account")
