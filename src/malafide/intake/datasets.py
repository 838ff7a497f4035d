"""Labelled mail in, a Dataset out: what malafide is measured on and learns from.

Tables are opened by `labelled_files`, their columns and labels understood by `labelled_tables`. Here the
messages are put together: duplicates dropped and counted, then sampled, split or put in order of time. Which
message falls into a sample depends on its text and the seed alone, so a reordered file gives the same sample.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final, Literal

from malafide.errors import BadSetting, MalafideError, UnreadableInput
from malafide.intake.folders import expand
from malafide.intake.labelled_files import mail_date, table_rows
from malafide.intake.labelled_tables import Columns, understand

Label = Literal["spam", "ham"]

# Fewer of one class than this in a sample show nothing of it; both classes get as many where they have them.
_LEAST_OF_A_CLASS: Final = 5
_WORD: Final = re.compile(r"[^\W_]+")
_NOTED: Final = 5  # examples kept of each trouble


@dataclass(frozen=True, slots=True)
class Labelled:
    """One message with its label. `name` says where it came from, for people; `source` names the data set."""

    name: str
    message: str | bytes
    label: Label
    source: str
    date: datetime | None
    digest: str  # of the text in plain spelling: equal for duplicates


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled messages in their order, without duplicates, and what was noticed on reading them."""

    items: tuple[Labelled, ...]
    duplicates: int = 0
    skipped: tuple[str, ...] = ()  # one line per row or file that was left out (the first of them)
    skipped_count: int = 0
    notes: tuple[str, ...] = ()  # what was detected and decided, one plain sentence each

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Labelled]:
        return iter(self.items)

    def count(self, label: Label) -> int:
        return sum(1 for item in self.items if item.label == label)

    def sample(self, size: int, seed: int) -> Dataset:
        """So many messages, in the classes' own proportion but with at least five of each where there are."""
        if size < 1:
            raise BadSetting(f"a sample of {size} is not possible; it must be at least 1")
        if size >= len(self):
            return self
        spam = round(size * self.count("spam") / len(self))
        least = min(_LEAST_OF_A_CLASS, size // 2)
        spam = max(spam, min(least, self.count("spam")), size - self.count("ham"))
        spam = min(spam, self.count("spam"), max(size - min(least, self.count("ham")), 0))
        chosen = self._first("spam", spam, seed) | self._first("ham", size - spam, seed)
        note = f"A sample of {size} was taken, {spam} of them spam (seed {seed})."
        sample = self._only(chosen)
        return replace(sample, notes=(*self.notes, note))

    def split(self, fraction: float, seed: int) -> tuple[Dataset, Dataset]:
        """(the rest, the held-out fraction), each with the proportion of classes of the whole."""
        if not 0.0 < fraction < 1.0:
            raise BadSetting(
                f"a split of {fraction!r} is not possible; it must be between 0 and 1, such as 0.3"
            )
        held = self._first("spam", round(fraction * self.count("spam")), seed)
        held |= self._first("ham", round(fraction * self.count("ham")), seed)
        rest = {item.digest for item in self.items} - held
        return self._only(rest), self._only(held)

    def time_ordered(self) -> Dataset:
        """The dated messages, oldest first. Undated ones are left out, and a note says how many."""
        dated = [(item.date, item) for item in self.items if item.date is not None]
        if not dated:
            raise UnreadableInput(
                "no message has a date, so they have no order of time: give raw mail with Date headers or "
                "a table with a date column, or hold a part out with a split instead"
            )
        dated.sort(key=lambda pair: (pair[0], pair[1].name))
        note = f"{len(dated)} messages from {dated[0][0]:%Y-%m-%d} to {dated[-1][0]:%Y-%m-%d}"
        if undated := len(self) - len(dated):
            note += f"; {undated} without a date were left out"
        return replace(self, items=tuple(item for _, item in dated), notes=(*self.notes, note + "."))

    def _first(self, label: Label, count: int, seed: int) -> set[str]:
        of_class = [item.digest for item in self.items if item.label == label]
        return set(sorted(of_class, key=lambda digest: _digest(f"{seed} {digest}"))[:count])

    def _only(self, digests: set[str]) -> Dataset:
        return replace(self, items=tuple(item for item in self.items if item.digest in digests))


def read_dataset(
    path: Path | None = None,
    *,
    spam: Sequence[Path] = (),
    ham: Sequence[Path] = (),
    columns: Columns | None = None,
) -> Dataset:
    """A labelled file (CSV, TSV, JSON Lines, JSON), a folder with `spam` and `ham` in it, or mail by folder.

    `spam` and `ham` are folders of mail, Maildirs, mbox files or single mails. `columns` names what cannot be
    detected. Raises UnreadableInput with what to do next.
    """
    if path is not None and not path.exists():
        raise UnreadableInput(
            f"there is no {str(path)!r}; give a file of labelled mail, or folders for spam and ham"
        )
    if path is not None and path.is_dir():
        spam, ham = [*spam, *_within(path, "spam")], [*ham, *_within(path, "ham")]
    gathering = _Gathering()
    if path is not None and not path.is_dir():
        gathering.table(path, columns or Columns())
    for place in spam:
        gathering.mails(place, "spam")
    for place in ham:
        gathering.mails(place, "ham")
    return gathering.dataset()


def _within(folder: Path, label: Label) -> list[Path]:
    """The subfolders for a class in a folder that holds both, as many corpora are laid out."""
    found = [p for p in sorted(folder.iterdir()) if label_of_folder(p.name) == label and p.is_dir()]
    if not found:
        raise UnreadableInput(
            f"{str(folder)!r} has no subfolder for {label} (such as {label!r}); it has: "
            f"{', '.join(sorted(p.name for p in folder.iterdir())[:12]) or 'nothing'}. "
            "Name one folder of mail for spam and one for ham instead"
        )
    return found


def label_of_folder(name: str) -> Label | None:
    """What a folder holds by its name, as in `easy_ham`; None where it does not say."""
    words = set(re.split(r"[^a-z]+", name.lower()))
    if words & {"ham", "legit", "legitimate", "inbox"}:
        return "ham"
    return "spam" if words & {"spam", "junk", "phishing", "scam"} else None


class _Gathering:
    """Messages on their way into a data set."""

    def __init__(self) -> None:
        self._items: dict[str, Labelled] = {}
        self._duplicates = 0
        self._conflicts = 0
        self._skipped: list[str] = []
        self._skipped_count = 0
        self._notes: list[str] = []
        self._unknown_labels: Counter[str] = Counter()

    def table(self, path: Path, columns: Columns) -> None:
        understood = understand(path.name, table_rows(path), columns)
        self._notes.append(understood.told)
        for row in understood.rows:
            if row.trouble or row.label is None:
                self._skip(f"{path.name}, {row.place}: {row.trouble}")
                self._unknown_labels[row.label_text] += row.label is None
                continue
            self._add(f"{path.name}:{row.number}", row.text, row.label, path.name, row.date)
        if not self._items:
            raise UnreadableInput(
                f"no row of {path.name!r} could be used. {understood.told} The labels are "
                f"{self._most_unknown() or 'missing'}; use spam and ham, 1 and 0, or name another column"
            )
        if +self._unknown_labels:
            self._notes.append(f"Rows with other labels were left out: {self._most_unknown()}.")

    def mails(self, place: Path, label: Label) -> None:
        before = len(self._items) + self._duplicates
        for name, content in expand(place):
            where = f"{place.name}/{name}" if place.is_dir() else name
            if isinstance(content, MalafideError):
                self._skip(f"{where}: {content}")
            elif not content.strip():
                self._skip(f"{where}: it is empty")
            else:
                self._add(where, content, label, place.name, None)
        found = len(self._items) + self._duplicates - before
        if not found:
            why = f"; {self._skipped[-1]}" if self._skipped else ""
            raise UnreadableInput(
                f"{str(place)!r} holds no mail{why}. Give a folder of mail files, a Maildir or an mbox"
            )
        self._notes.append(f"{place.name}: {found} mails, all {label}.")

    def _add(self, name: str, message: str | bytes, label: Label, source: str, date: datetime | None) -> None:
        digest = text_digest(message)
        known = self._items.get(digest)
        if known is not None:
            self._duplicates += 1
            self._conflicts += known.label != label
            return
        self._items[digest] = Labelled(name, message, label, source, date or mail_date(message), digest)

    def _skip(self, why: str) -> None:
        self._skipped_count += 1
        if len(self._skipped) < 100:
            self._skipped.append(why)

    def _most_unknown(self) -> str:
        return ", ".join(f"{value[:40]!r} ({n})" for value, n in (+self._unknown_labels).most_common(_NOTED))

    def dataset(self) -> Dataset:
        if not self._items:
            raise UnreadableInput(
                "there is no labelled mail: give a file of labelled mail, or folders for spam and ham"
            )
        if self._duplicates:
            self._notes.append(f"{self._duplicates} duplicates were dropped (same words, however spaced).")
        if self._conflicts:
            self._notes.append(
                f"{self._conflicts} of them carried the other label; the first one met counts."
            )
        return Dataset(
            items=tuple(self._items.values()),
            duplicates=self._duplicates,
            skipped=tuple(self._skipped),
            skipped_count=self._skipped_count,
            notes=tuple(self._notes),
        )


def text_digest(message: str | bytes) -> str:
    """A digest of what is said: letters and digits, whatever case and spacing; of raw mail, not its route.

    Two copies of a mass mail differ in their Received headers and MIME boundaries, not in subject and body.
    """
    if isinstance(message, str):
        return _digest(_words(message))
    head, _, body = message.replace(b"\r\n", b"\n").partition(b"\n\n")
    subject = next((line for line in head.split(b"\n") if line[:8].lower() == b"subject:"), b"")
    kept = [line for line in body.split(b"\n") if not line.startswith((b"--", b"Content-"))]
    said = _words(b"\n".join([subject[8:], *kept]).decode("latin-1"))
    return _digest(said or _words(message.decode("latin-1")))


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
