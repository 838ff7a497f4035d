"""A filter in, a condition for the database out. Only our own words become SQL; what a person typed is a value."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from malafide.errors import BadSetting
from malafide.store.dialect import Dialect
from malafide.store.nouns import CaseFilter
from malafide.store.packing import micros, text

_MOST_WORDS: Final = 12
_LONGEST_WORD: Final = 60
_LONGEST_NUMBER: Final = 15  # hexadecimal digits: less than a database takes


def condition(chosen: CaseFilter, dialect: Dialect) -> tuple[str, list[Any]]:
    """The condition on `cases c`, and its values."""
    parts: list[str] = ["1 = 1"]
    values: list[Any] = []

    def narrow(part: str, *given: Any) -> None:
        parts.append(part)
        values.extend(given)

    for column, value in (
        ("panel", chosen.panel),
        ("answer", chosen.answer),
        ("batch", chosen.batch),
        ("case_id", chosen.case_id),
    ):
        if value:
            narrow(f"c.{column} = ?", text(value, _LONGEST_WORD * 2))
    if chosen.batch:
        narrow("c.batch <> ''")  # says to SQLite that its index of batches holds all of these
    if chosen.state == "failed":
        narrow("c.state = 'failed'")
    elif chosen.state:
        narrow("c.state = ?", chosen.state)
    if chosen.open is not None:
        narrow("c.is_open = 1" if chosen.open else "c.is_open = 0")
    if chosen.labelled is not None:
        narrow("c.label <> ''" if chosen.labelled else "c.label = ''")
    if chosen.since is not None:
        narrow("c.submitted_at >= ?", micros(chosen.since))
    if chosen.until is not None:
        narrow("c.submitted_at < ?", micros(chosen.until))
    if chosen.after:
        moment, number = _place(chosen.after)
        narrow("(c.submitted_at, c.number) < (?, ?)", moment, number)
    if words := _words(chosen.text):
        narrow(dialect.has_words, dialect.begins_with(words))
    elif chosen.text.strip():
        narrow("1 = 0")  # nothing but signs: no word begins with them
    return " AND ".join(parts), values


def _words(typed: str) -> list[str]:
    """The letters and digits, in runs: no sign that means something to a search engine is left."""
    spaced = "".join(one if one.isalnum() else " " for one in text(typed, 1_000).lower())
    return [word[:_LONGEST_WORD] for word in spaced.split()[:_MOST_WORDS]]


def cursor(number: int, moment: datetime) -> str:
    """The place of a row in the order of lists."""
    return f"{micros(moment):x}-{number:x}"


def _place(after: str) -> tuple[int, int]:
    moment, _, number = after.partition("-")
    try:
        if max(len(moment), len(number)) > _LONGEST_NUMBER:
            raise ValueError(after)
        return int(moment, 16), int(number, 16)
    except ValueError:
        raise BadSetting(f"{after[:40]!r} is no place in a list; give `next` of the page before") from None
