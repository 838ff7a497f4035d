"""A catalog in, lines for the terminal out: what was learned, one pattern, what differs between two catalogs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import TYPE_CHECKING, Final

from malafide.knowledge.catalog import FAMILIES, Catalog, Family, Pattern
from malafide.render.visible import one_line
from malafide.render.words import harmless

if TYPE_CHECKING:
    from malafide.learning.posts import PostLesson
    from malafide.learning.session import Lesson

_WHAT: Final[dict[Family, str]] = {
    "content": "words",
    "intent": "words in a row",
    "structural": "findings of the tools",
}
_TOP: Final = 3  # patterns of a family and side in a summary
_PHRASES: Final = 6  # phrases named of a pattern
_ALL_PHRASES: Final = 25  # phrases of a pattern that is shown alone


def lesson_lines(lesson: Lesson) -> Iterator[str]:
    """What learning did, and the patterns with most support."""
    known = lesson.catalog.cases
    again = lesson.read - lesson.new
    yield (
        f"Learned from {lesson.read:,} mails in {lesson.seconds:.1f} s"
        + (f" ({again:,} of them known before)" if again else "")
        + (f"; {lesson.unreadable:,} could not be read" if lesson.unreadable else "")
        + "."
    )
    yield f"The catalog now rests on {known.spam:,} spam and {known.ham:,} ham mails."
    yield from _standing(lesson.catalog)
    yield from _tables(lesson.catalog, _TOP)
    if lesson.edits_kept:
        yield f"\nWeights you had changed were kept: {_names(lesson.edits_kept)}."
    if lesson.edits_lost:
        yield f"\nWeights you had changed are gone with their patterns: {_names(lesson.edits_lost)}."


def post_lesson_lines(lesson: PostLesson, kind: str) -> Iterator[str]:
    """What learning from posts or headlines did, and the words that weigh most."""
    known = lesson.catalog.cases
    bad, good = ("fake", "real") if kind == "post" else ("clickbait", "other")
    again = lesson.read - lesson.new
    yield (
        f"Learned from {lesson.read:,} {kind}s in {lesson.seconds:.1f} s"
        + (f" ({again:,} of them known before)." if again > 0 else ".")
    )
    yield f"The catalog now rests on {known.spam:,} {bad} and {known.ham:,} {good} {kind}s."
    for side, name in (("spam", bad), ("ham", good)):
        words = [
            p
            for pattern in lesson.catalog.patterns
            if pattern.side == side
            for p in list(pattern.phrases)[:1]
        ]
        yield f"{name}: {', '.join(one_line(harmless(word), 40) for word in words[:_ALL_PHRASES])}"
    if lesson.precedents:
        yield f"{lesson.precedents:,} {kind}s are remembered and can be cited."
    yield f"Wrote {lesson.path}."


def catalog_lines(catalog: Catalog) -> Iterator[str]:
    """All patterns of a catalog."""
    yield f"Learned from {catalog.cases.spam:,} spam and {catalog.cases.ham:,} ham mails: {_names(catalog.sources)}."
    yield from _standing(catalog)
    yield from _tables(catalog, None)


def _standing(catalog: Catalog) -> Iterator[str]:
    cases = int(catalog.calibration.get("cases", 0))
    phrases = sum(len(p.phrases) for p in catalog.patterns)
    yield f"{len(catalog.patterns)} patterns of {phrases:,} phrases; confidence calibrated on {cases:,} held-out mails."
    if catalog.corrections:
        yield f"{len(catalog.corrections):,} labels of people are counted on top."


def _tables(catalog: Catalog, most: int | None) -> Iterator[str]:
    for side, where in (("spam", "spam"), ("ham", "wanted mail")):
        for family in FAMILIES:
            found = [p for p in catalog.patterns if (p.side, p.family) == (side, family)]
            if not found:
                continue
            yield f"\n{_WHAT[family].capitalize()} of {where}"
            yield f"  {'spam':>6}  {'ham':>6}  pattern"
            for pattern in found[:most]:
                yield _row(pattern)
            if most is not None and len(found) > most:
                yield f"  and {len(found) - most} more"


def _row(pattern: Pattern) -> str:
    edited = f" [weight {pattern.weight:g}]" if pattern.weight != 1.0 else ""
    named = ", ".join(_text(p) for p in list(pattern.phrases)[:_PHRASES])
    more = f", ... ({len(pattern.phrases):,} in all)" if len(pattern.phrases) > _PHRASES else ""
    support = pattern.support
    return f"  {support.spam:>6}  {support.ham:>6}  {_text(pattern.pattern_type)}{edited}: {named}{more}"


def pattern_lines(pattern: Pattern) -> Iterator[str]:
    """One pattern with its phrases and examples."""
    yield f"{_text(pattern.pattern_type)}  ({pattern.side}, {_WHAT[pattern.family]})"
    yield harmless(pattern.description)
    yield f"Held in {pattern.support.spam:,} spam and {pattern.support.ham:,} ham mails; weight {pattern.weight:g}."
    yield f"\n  {'spam':>6}  {'ham':>6}  {'weight':>6}  phrase"
    for phrase, known in list(pattern.phrases.items())[:_ALL_PHRASES]:
        yield f"  {known.counts.spam:>6}  {known.counts.ham:>6}  {known.weight:>+6.2f}  {_text(phrase)}"
    if len(pattern.phrases) > _ALL_PHRASES:
        yield f"  and {len(pattern.phrases) - _ALL_PHRASES:,} more"
    if pattern.examples:
        yield "\nExamples"
        yield from (f"  {_text(harmless(example), 120)}" for example in pattern.examples)


def difference_lines(here: Catalog, there: Catalog) -> Iterator[str]:
    """What `here` has that `there` has not, and the other way round; nothing when they say the same."""
    if here.cases != there.cases:
        a, b = here.cases, there.cases
        yield f"learned from {a.spam:,} spam and {a.ham:,} ham mails here, {b.spam:,} and {b.ham:,} there"
    for name, mine, other in (
        ("scale", astuple(here.scale), astuple(there.scale)),
        ("familiar", astuple(here.familiar), astuple(there.familiar)),
        ("calibration", tuple(here.calibration.values()), tuple(there.calibration.values())),
        ("bias", (here.bias,), (there.bias,)),
    ):
        if mine != other:
            yield f"{name}: {' '.join(f'{v:g}' for v in mine)} here, {' '.join(f'{v:g}' for v in other)} there"
    ours, theirs = ({p.pattern_type: p for p in c.patterns} for c in (here, there))
    yield from (f"+ {_text(name)}: only here" for name in ours if name not in theirs)
    yield from (f"- {_text(name)}: only there" for name in theirs if name not in ours)
    for name in ours:
        if name in theirs and (told := _change(ours[name], theirs[name])):
            yield f"~ {_text(name)}: {told}"
    said, heard = ({c.case_id: c for c in one.corrections} for one in (here, there))
    yield from (f"+ label {said[c].label} for {c}: only here" for c in said if said[c] != heard.get(c))
    yield from (f"- label {heard[c].label} for {c}: only there" for c in heard if heard[c] != said.get(c))


def _change(here: Pattern, there: Pattern) -> str:
    told = []
    if here.weight != there.weight:
        told.append(f"weight {here.weight:g} here, {there.weight:g} there")
    if here.support != there.support:
        a, b = here.support, there.support
        told.append(f"in {a.spam} spam and {a.ham} ham mails here, {b.spam} and {b.ham} there")
    added, gone = here.phrases.keys() - there.phrases.keys(), there.phrases.keys() - here.phrases.keys()
    if added or gone:
        told.append(f"{len(added)} phrases only here, {len(gone)} only there")
    other = sum(1 for p in here.phrases.keys() & there.phrases.keys() if here.phrases[p] != there.phrases[p])
    if other:
        told.append(f"{other} phrases counted or weighed otherwise")
    return "; ".join(told)


def _text(words: str, most: int = 60) -> str:
    """Names and phrases on one line. Phrases are single words, so no link can be among them."""
    return one_line(words, most)


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(_text(name) for name in names) or "nothing named"
