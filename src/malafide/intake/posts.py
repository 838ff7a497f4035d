"""A raw post in, a Post out: its text as a Case, and what is known of its account, links and picture.

Field names of the usual platforms and exports are understood. What is not there stays None; a field of the wrong
kind is refused by name, since a guess would become a signal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from malafide.case import Case, Part, Span, case_id
from malafide.errors import BadSignal, UnreadableInput
from malafide.intake.weblinks import find_urls
from malafide.limits import MAX_LINKS, MAX_TEXT_CHARS

_TEXT: Final = ("text", "full_text", "content", "body", "tweet", "message", "caption", "title", "headline")
_LINKS: Final = ("urls", "links", "url", "link")
_IMAGES: Final = ("image", "image_path", "images", "media")
_WHEN: Final = ("created_at", "timestamp", "posted_at", "date")
_MOST_TIMES: Final = 5_000


@dataclass(frozen=True, slots=True)
class Account:
    """What is known of who posted. None is not known. `record` counts earlier claims found (true, false)."""

    handle: str | None = None
    name: str | None = None
    age_days: float | None = None
    verified: bool | None = None
    followers: float | None = None
    following: float | None = None
    posts: float | None = None
    profile: Mapping[str, bool] | None = (
        None  # description, location, url, picture: filled in or not, where told
    )
    name_changes: float | None = None
    times: tuple[datetime, ...] = ()
    record: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class PostLink:
    """A link of the post: the address, and where it stands (in the text, or in the part "links")."""

    target: str
    at: Span


@dataclass(frozen=True, slots=True)
class Post:
    """A raw post. `given` are the groups of signals that came with it."""

    post_id: str
    case: Case
    account: Account | None
    account_spans: Mapping[str, Span]  # where each field of the account stands in the part "account"
    links: tuple[PostLink, ...]
    image: Path | None
    given: Mapping[str, Mapping[str, Any]]


def read_post(document: Mapping[str, Any], name: str = "", folder: Path | None = None) -> Post:
    """The post of a JSON object. `folder` is where a relative path of a picture starts."""
    text = _first_text(document)
    given = {group: document[group] for group in _GROUPS if document.get(group) is not None}
    for group, signals in given.items():
        if not isinstance(signals, Mapping):
            raise BadSignal(
                f"{group} is {type(signals).__name__}; it must be an object of signals, or absent"
            )
    if not text.strip() and not given and not any(document.get(key) for key in _IMAGES):
        raise UnreadableInput(f"the post has no text, picture or signals; text is one of {', '.join(_TEXT)}")
    limitations = []
    if len(text) > MAX_TEXT_CHARS:
        limitations.append(f"Only the first {MAX_TEXT_CHARS:,} characters of the text were read.")
        text = text[:MAX_TEXT_CHARS]
    spans, lines = _account_lines(document.get("account"))
    links, listed = _links(document, text)
    parts = [Part("body", "body", text)]
    if listed:
        parts.append(Part("links", "links", "\n".join(listed)))
    if lines:
        parts.append(Part("account", "header", "\n".join(lines)))
    digest = case_id(json.dumps(document, sort_keys=True, default=str).encode("utf-8", "replace"))
    post_id = document.get("post_id", document.get("id"))
    case = Case(digest, "post", tuple(parts), limitations=tuple(limitations), source=name)
    when = _moment(next((document[key] for key in _WHEN if document.get(key)), None))
    account = read_account(document.get("account"), when)
    shown = str(post_id) if isinstance(post_id, str | int) and not isinstance(post_id, bool) else digest
    return Post(shown, case, account, spans, links, _image(document, folder), given)


_GROUPS: Final = ("nlp_signals", "source_signals", "image_signals", "misinformation_assessment")


def _first_text(document: Mapping[str, Any]) -> str:
    found = [document[key] for key in _TEXT if isinstance(document.get(key), str) and document[key].strip()]
    if not found:
        return ""
    title = document.get("title")
    if isinstance(title, str) and title.strip() and found[0] != title and not found[0].startswith(title):
        return f"{title}\n\n{found[0]}"
    return str(found[0])


def _links(document: Mapping[str, Any], text: str) -> tuple[tuple[PostLink, ...], list[str]]:
    links = [PostLink(text[start:end], Span("body", start, end)) for start, end in find_urls(text)][
        :MAX_LINKS
    ]
    seen = {link.target for link in links}
    listed: list[str] = []
    at = 0
    for key in _LINKS:
        value = document.get(key)
        for entry in value if isinstance(value, list) else [value]:
            target = entry.get("expanded_url") or entry.get("url") if isinstance(entry, Mapping) else entry
            if isinstance(target, str) and target.strip() and target not in seen and len(links) < MAX_LINKS:
                target = " ".join(target.split())
                seen.add(target)
                links.append(PostLink(target, Span("links", at, at + len(target))))
                listed.append(target)
                at += len(target) + 1
    return tuple(links), listed


def _image(document: Mapping[str, Any], folder: Path | None) -> Path | None:
    for key in _IMAGES:
        value = document.get(key)
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, str) and first and "://" not in first:
            path = Path(first)
            return path if path.is_absolute() or folder is None else folder / path
    return None


def _account_lines(account: Any) -> tuple[dict[str, Span], list[str]]:
    """The account as lines of text, so that what is said about it can be quoted."""
    spans: dict[str, Span] = {}
    lines: list[str] = []
    if not isinstance(account, Mapping):
        return spans, lines
    at = 0
    for key in sorted(map(str, account)):
        value = account[key]
        shown = f"{len(value)} entries" if isinstance(value, list) and len(value) > 5 else str(value)
        line = " ".join(f"{key}: {shown}"[:200].split())
        spans[key] = Span("account", at, at + len(line))
        lines.append(line)
        at += len(line) + 1
    return spans, lines


def read_account(account: Any, when: datetime | None = None) -> Account | None:
    """What is known of an account. `when` is the time of the post, from which its age is counted."""
    if account is None:
        return None
    if not isinstance(account, Mapping):
        raise BadSignal(f"account is {type(account).__name__}; it must be an object")
    told = {
        field: bool(account[key])
        for field, key in (
            ("description", "description"), ("location", "location"), ("url", "url"),
            ("picture", "profile_image"), ("picture", "avatar"),
        )
        if key in account
    }  # fmt: skip
    if isinstance(account.get("default_profile_image"), bool):
        told["picture"] = not account["default_profile_image"]
    times = [t for value in _list(account, "post_times", "recent_posts") if (t := _moment(value)) is not None]
    return Account(
        handle=_word(account, "screen_name", "username", "handle"),
        name=_word(account, "name", "display_name"),
        age_days=_age(account, when),
        verified=_flag(account, "verified", "is_verified"),
        followers=_count(account, "followers_count", "followers"),
        following=_count(account, "following_count", "friends_count", "following"),
        posts=_count(account, "historical_post_count", "statuses_count", "posts_count", "post_count"),
        profile=told or None,
        name_changes=_changes(account),
        times=tuple(sorted(times)[-_MOST_TIMES:]),
        record=_record(account.get("fact_checks")),
    )


def _age(account: Mapping[str, Any], when: datetime | None) -> float | None:
    days = _count(account, "account_age_days", "age_days")
    if days is not None:
        return days
    created = _moment(account.get("created_at"))
    # Without the time of the post an age would depend on the day malafide runs: the answer must not.
    return (when - created).total_seconds() / 86_400 if created and when and when >= created else None


def _changes(account: Mapping[str, Any]) -> float | None:
    previous = account.get("previous_names")
    return float(len(previous)) if isinstance(previous, list) else _count(account, "name_changes")


def _record(value: Any) -> tuple[float, float] | None:
    """{"true": 3, "false": 9}: earlier claims of the account that fact-checkers found true and false."""
    if not isinstance(value, Mapping):
        return None
    right, wrong = _count(value, "true"), _count(value, "false")
    return None if right is None and wrong is None else (right or 0.0, wrong or 0.0)


def _list(account: Mapping[str, Any], *keys: str) -> Sequence[Any]:
    return next((account[key] for key in keys if isinstance(account.get(key), list)), ())


def _word(account: Mapping[str, Any], *keys: str) -> str | None:
    return next((account[key] for key in keys if isinstance(account.get(key), str) and account[key]), None)


def _flag(account: Mapping[str, Any], *keys: str) -> bool | None:
    for key in keys:
        value = account.get(key)
        if value is not None:
            if not isinstance(value, bool):
                raise BadSignal(f"account.{key} is {value!r}; it must be true or false")
            return value
    return None


def _count(account: Mapping[str, Any], *keys: str) -> float | None:
    for key in keys:
        value = account.get(key)
        if value is None or isinstance(value, list):
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise BadSignal(f"account.{key} is {value!r}; it must be a number that is not negative")
        return float(value)
    return None


def _moment(value: Any) -> datetime | None:
    """A time in ISO 8601 or seconds since 1970, in UTC; None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
