"""A table of labelled posts or headlines in, texts with their labels out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from malafide.case import case_id
from malafide.errors import UnreadableInput
from malafide.intake.datasets import text_digest
from malafide.intake.labelled_files import Row, table_rows

Kind = Literal["post", "headline"]

_TEXT_NAMES: Final = (
    "text",
    "tweet",
    "post",
    "statement",
    "claim",
    "headline",
    "title",
    "content",
    "body",
    "message",
)
_LABEL_NAMES: Final = ("label", "class", "verdict", "rating", "category", "target", "type", "truth", "labels")
# In columns named so, a yes means the first of the two classes.
_YES_NAMES: Final[Mapping[Kind, frozenset[str]]] = {
    "post": frozenset({"fake", "is_fake", "false", "is_false", "misinformation", "rumour", "rumor", "hoax"}),
    "headline": frozenset({"clickbait", "is_clickbait", "bait", "truth_class"}),
}
_BAD: Final[Mapping[Kind, frozenset[str]]] = {
    "post": frozenset(
        "fake false mostly-false barely-true pants-fire hoax misinformation disinformation rumour rumor unreliable "
        "untrue incorrect contradicted debunked fabricated not-credible".split()
    ),
    "headline": frozenset({"clickbait", "bait"}),
}
_GOOD: Final[Mapping[Kind, frozenset[str]]] = {
    "post": frozenset(
        "real true mostly-true half-true reliable correct supported verified credible genuine".split()
    ),
    "headline": frozenset(
        {"no-clickbait", "not-clickbait", "non-clickbait", "nonclickbait", "news", "genuine"}
    ),
}
_YES: Final = frozenset({"1", "1.0", "yes", "true"})
_NO: Final = frozenset({"0", "0.0", "no", "false"})
_LOOKED_AT: Final = 300


@dataclass(frozen=True, slots=True)
class LabelledPost:
    """A text, and whether it belongs to the class to be warned of: fake, or clickbait."""

    case_id: str
    text: str
    bad: bool
    source: str


@dataclass(frozen=True, slots=True)
class LabelledPosts:
    items: tuple[LabelledPost, ...]
    notes: tuple[str, ...]


def read_labelled_posts(
    path: Path, kind: Kind, text_column: str | None = None, label_column: str | None = None
) -> LabelledPosts:
    """The posts of a CSV, TSV, JSON or JSON Lines file, each text once."""
    if not path.is_file():
        raise UnreadableInput(
            f"there is no file {str(path)!r}; give a table with a column of text and one of labels"
        )
    table = table_rows(path)
    rows = iter(table.rows)
    head = list(islice(rows, _LOOKED_AT))
    text = _column(path.name, table.header, text_column, _TEXT_NAMES, "text")
    label = _column(
        path.name, table.header, label_column, (*_LABEL_NAMES, *sorted(_YES_NAMES[kind])), "label"
    )
    found: dict[str, LabelledPost] = {}
    left_out = duplicates = 0
    for row in [*head, *rows]:
        bad = _bad(row, label, kind)
        words = row.cells.get(text, "").strip()
        if row.trouble or bad is None or not words:
            left_out += 1
            continue
        digest = text_digest(words)
        duplicates += digest in found
        found.setdefault(
            digest, LabelledPost(case_id(words.encode("utf-8", "replace")), words, bad, path.name)
        )
    if not found:
        allowed = ", ".join(sorted(_BAD[kind] | _GOOD[kind]))
        raise UnreadableInput(f"no row of {path.name!r} has a label that is understood; known are {allowed}")
    notes = [f"{path.name}: labels from column {label!r}, text from {text!r}."]
    notes += [f"{left_out} rows without text or with another label were left out."] if left_out else []
    notes += [f"{duplicates} duplicates were dropped."] if duplicates else []
    return LabelledPosts(tuple(found.values()), tuple(notes))


def _column(name: str, header: Sequence[str], wanted: str | None, known: Sequence[str], what: str) -> str:
    if wanted is not None:
        if wanted not in header:
            raise UnreadableInput(
                f"{name!r} has no column {wanted!r}; it has {', '.join(map(repr, header[:30]))}"
            )
        return wanted
    plain = {column.strip().lower(): column for column in header}
    for candidate in known:
        if candidate in plain:
            return plain[candidate]
    raise UnreadableInput(
        f"{name!r} has no column that is known to hold the {what}; name one of {', '.join(map(repr, header[:30]))} "
        f"with --{what}-column"
    )


def _bad(row: Row, column: str, kind: Kind) -> bool | None:
    value = "-".join(row.cells.get(column, "").lower().replace("_", " ").replace("-", " ").split())
    if column.strip().lower() in _YES_NAMES[kind] and value in _YES | _NO:
        return value in _YES
    return True if value in _BAD[kind] else False if value in _GOOD[kind] else None
