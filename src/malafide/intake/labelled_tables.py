"""Rows of a table in, labelled text out: which column is the text, which the label, and what its values mean.

Detection goes by the names that public data sets use, then by what the values look like. It tells what it
took, and where two readings are possible it refuses and lists the columns: a wrong guess would pass for bad
judgement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain, islice
from typing import Final, Literal

from malafide.errors import UnreadableInput
from malafide.intake.labelled_files import Row, Table, plausible

_LOOKED_AT: Final = 300  # rows read before deciding

# In order of preference. A name is compared in lower case with spaces and hyphens as underscores.
_LABEL_NAMES: Final = (
    "label", "spam_ham", "class", "category", "classification", "is_spam", "spam", "isspam",
    "is_phishing", "phishing", "email_type", "type", "target", "label_num", "labels", "y", "is_scam", "scam",
    "is_ham", "ham", "verdict", "v1",
)  # fmt: skip
_TEXT_NAMES: Final = (
    "text", "message", "body", "email", "content", "email_text", "email_body", "message_body", "message_text",
    "mail", "raw", "raw_email", "sms", "text_combined", "payload", "v2",
)  # fmt: skip
_SUBJECT_NAMES: Final = ("subject", "title", "email_subject")
_DATE_NAMES: Final = ("date", "timestamp", "received", "sent", "datetime", "time")

# Say nothing without the column's name.
_BARE_YES: Final = frozenset({"1", "1.0", "true", "yes", "y"})
_BARE_NO: Final = frozenset({"0", "0.0", "false", "no", "n"})
_SPAM_VALUES: Final = _BARE_YES | {
    "spam", "phishing", "phish", "junk", "scam", "fraud", "fraudulent", "malicious", "smishing", "unwanted",
    "bad", "phishing_email", "spam_email",
}  # fmt: skip
_HAM_VALUES: Final = _BARE_NO | {
    "ham", "legit", "legitimate", "safe", "benign", "normal", "good", "genuine", "not_spam", "notspam",
    "non_spam", "nonspam", "no_spam", "safe_email", "ham_email", "legitimate_email", "not_phishing",
    "not_scam", "wanted", "clean",
}  # fmt: skip
_BARE: Final = _BARE_YES | _BARE_NO
_NAMED_FOR_HAM: Final = ("ham", "is_ham", "legitimate", "is_legitimate")
_VERDICT_FIELDS: Final = frozenset(
    "final_classification final_score confidence agent_agreement summary detailed_reasoning agent_scores "
    "agent_recommendations key_evidence uncertainty_flag uncertainty_reason malafide".split()
)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns named by the user; None is detected."""

    text: str | None = None
    label: str | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One row as understood. `label` is None where its value means neither class."""

    number: int
    place: str
    text: str
    label: Literal["spam", "ham"] | None
    label_text: str
    date: datetime | None
    trouble: str  # why it cannot be used; "" where it can


@dataclass(frozen=True, slots=True)
class Understood:
    """What was detected, in a sentence, and the rows read so."""

    told: str
    rows: Iterator[LabelledRow]


@dataclass(frozen=True, slots=True)
class _Roles:
    label: str
    text: str
    subject: str | None
    date: str | None


def understand(name: str, table: Table, columns: Columns) -> Understood:
    """The table's rows, with their roles. Raises UnreadableInput where these are missing or ambiguous."""
    head = list(islice(table.rows, _LOOKED_AT))
    if not head:
        raise UnreadableInput(f"{name!r} has no rows; give a table with a column of text and one of labels")
    roles = _roles(name, table.header, head, columns)
    _refuse_own_verdicts(name, table.header, roles)
    told = f"{name}: labels from column {roles.label!r}, text from {roles.text!r}"
    told += f" with {roles.subject!r} as subject" if roles.subject else ""
    told += f", dates from {roles.date!r}" if roles.date else ""
    seen = sorted({_plain(row.cells.get(roles.label, "")) for row in head} & (_SPAM_VALUES | _HAM_VALUES))
    meant = ", ".join(f"{value} = {label_of(value, roles.label)}" for value in seen[:6])
    return Understood(f"{told} ({meant}).", (_read(row, roles) for row in chain(head, table.rows)))


def _roles(name: str, header: Sequence[str], head: Sequence[Row], columns: Columns) -> _Roles:
    label = _named(name, header, columns.label) or _label_column(name, header, head)
    text = _named(name, header, columns.text) or _text_column(name, header, head, label)
    taken = {label, text}
    subject = _named(name, header, columns.subject) or _by_name(header, _SUBJECT_NAMES, taken)
    date = _by_name(header, _DATE_NAMES, taken | {subject})
    return _Roles(label, text, subject, date)


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Where a table that need not be labelled holds its messages."""

    text: str
    subject: str | None
    label: str | None


def text_columns(
    name: str, header: Sequence[str], head: Sequence[Row], columns: Columns, *, labelled: bool
) -> TextColumns:
    """The columns to judge by; a label is looked for when asked for. Refuses like `understand`."""
    label = _named(name, header, columns.label)
    if label is None and labelled:
        label = _label_column(name, header, head)
    text = _named(name, header, columns.text) or _text_column(name, header, head, label)
    subject = _named(name, header, columns.subject) or _by_name(header, _SUBJECT_NAMES, {label, text})
    return TextColumns(text, subject, label)


def _refuse_own_verdicts(name: str, header: Sequence[str], roles: _Roles) -> None:
    """What malafide concluded is no label, and what it wrote is no mail: its memory cannot poison itself."""
    if "final_classification" in header and not {roles.label, roles.text}.isdisjoint(_VERDICT_FIELDS):
        raise UnreadableInput(
            f"{name!r} holds verdicts of malafide's own, which are no labels; give the mails with labels from "
            "people, or correct single verdicts with `malafide feedback`"
        )


def _named(name: str, header: Sequence[str], wanted: str | None) -> str | None:
    if wanted is None or wanted in header:
        return wanted
    same = [column for column in header if _plain(column) == _plain(wanted)]
    if len(same) == 1:
        return same[0]
    raise UnreadableInput(f"{name!r} has no column {wanted!r}; it has: {_listed(header)}")


def _by_name(header: Sequence[str], names: Sequence[str], taken: set[str] | set[str | None]) -> str | None:
    plain = {_plain(column): column for column in reversed(header) if column not in taken}
    return next((plain[wanted] for wanted in names if wanted in plain), None)


def _label_column(name: str, header: Sequence[str], head: Sequence[Row]) -> str:
    candidates = [c for c in header if _plain(c) in _LABEL_NAMES and _labels_in(c, head)]
    candidates = candidates or [c for c in header if _labels_in(c, head, bare=False)]
    if not candidates:
        values = "; ".join(f"{c[:30]}: {_some_values(c, head)}" for c in header[:6])
        raise UnreadableInput(
            f"{name!r} has no column whose values mean spam and ham; name it, or write spam and ham "
            f"(or 1 and 0) into it. Its columns hold {values}"
        )
    candidates.sort(
        key=lambda c: _LABEL_NAMES.index(_plain(c)) if _plain(c) in _LABEL_NAMES else len(_LABEL_NAMES)
    )
    first = candidates[0]
    for other in candidates[1:]:
        if any(_label(row, first) != _label(row, other) for row in head):
            raise UnreadableInput(
                f"{name!r} has two columns that could be the label and disagree: {first!r} and {other!r}. "
                f"Name the right one; the columns are: {_listed(header)}"
            )
    return first


def _text_column(name: str, header: Sequence[str], head: Sequence[Row], label: str | None) -> str:
    by_name = _by_name(header, _TEXT_NAMES, {label})
    if by_name and any(row.cells.get(by_name, "").strip() for row in head):
        return by_name
    sizes = sorted(
        ((sum(len(row.cells.get(c, "")) for row in head), c) for c in header if c != label), reverse=True
    )
    # The longest column is the text if no other comes near it: numbers and dates are far shorter than mail.
    if sizes and sizes[0][0] >= 20 * len(head) and (len(sizes) == 1 or sizes[0][0] >= 3 * sizes[1][0]):
        return sizes[0][1]
    raise UnreadableInput(
        f"{name!r} has no column that is plainly the text; name it. The columns are: {_listed(header)}"
    )


def _labels_in(column: str, head: Sequence[Row], bare: bool = True) -> bool:
    """Whether nearly all values of the column are labels; with `bare` false, words that say so themselves."""
    values = [plain for row in head if (plain := _plain(row.cells.get(column, "")))]
    known = [v for v in values if (v in _SPAM_VALUES or v in _HAM_VALUES) and (bare or v not in _BARE)]
    return bool(values) and len(known) >= 0.8 * len(values)


def label_of(value: str, column: str) -> Literal["spam", "ham"] | None:
    """What a value of the label column means. In a column named for ham, a bare yes means ham."""
    plain = _plain(value)
    if plain not in _SPAM_VALUES and plain not in _HAM_VALUES:
        return None
    turned = plain in _BARE and _plain(column) in _NAMED_FOR_HAM
    return "spam" if (plain in _SPAM_VALUES) != turned else "ham"


def _label(row: Row, column: str) -> Literal["spam", "ham"] | None:
    return label_of(row.cells.get(column, ""), column)


def _read(row: Row, roles: _Roles) -> LabelledRow:
    value = row.cells.get(roles.label, "")
    text = row.cells.get(roles.text, "")
    subject = " ".join(row.cells.get(roles.subject, "").split()) if roles.subject else ""
    label = label_of(value, roles.label)
    trouble = "" if label else f"the label {value[:40]!r} means neither spam nor ham"
    if not trouble and not text.strip() and not subject:
        trouble = "there is no text"
    if subject:
        text = f"Subject: {subject}\n\n{text}"
    date = _date(row.cells.get(roles.date, "")) if roles.date else None
    return LabelledRow(row.number, row.place, text, label, value, date, row.trouble or trouble)


def _date(value: str) -> datetime | None:
    value = value.strip()[:100]
    try:
        if value.isdigit() and 9 <= len(value) <= 10:
            return plausible(datetime.fromtimestamp(int(value), UTC))
        moment = datetime.fromisoformat(value)
    except (ValueError, OverflowError):
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    return plausible(moment)


def _plain(value: str) -> str:
    return "_".join(value[:60].lower().replace("-", " ").replace("_", " ").split())


def _listed(header: Sequence[str]) -> str:
    return ", ".join(repr(column[:40]) for column in header[:30]) or "none"


def _some_values(column: str, head: Sequence[Row]) -> str:
    values = list(dict.fromkeys(row.cells.get(column, "") for row in head[:50]))
    return ", ".join(repr(value[:20]) for value in values[:3]) + (", ..." if len(values) > 3 else "")
