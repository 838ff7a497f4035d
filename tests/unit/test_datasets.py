"""Labelled mail of every shape: what is detected, what is refused, and how it is sampled and split."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.errors import BadSetting, UnreadableInput
from malafide.intake.datasets import Dataset, Labelled, read_dataset, text_digest
from malafide.intake.labelled_tables import Columns

SPAM = "Claim the parcel fee now at http://parcel.example/pay"
HAM = "Shall we meet at noon by the old bridge?"

Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def writer(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return writer


def _pairs(dataset: Dataset) -> list[tuple[str, str | bytes]]:
    return [(item.label, item.message) for item in dataset]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("label,text", f"label,text\nspam,{SPAM}\nham,{HAM}\n"),
        ("semicolons", f"Category;Message\r\nspam;{SPAM}\r\nham;{HAM}\r\n"),
        ("numbers", f"text,is_spam\n{SPAM},1\n{HAM},0\n"),
        ("floats", f"text,spam\n{SPAM},1.0\n{HAM},0.0\n"),
        ("old names", f"v1,v2,,,\nspam,{SPAM},,,\nham,{HAM},,,\n"),
        ("phrases", f"Email Text,Email Type\n{SPAM},Phishing Email\n{HAM},Safe Email\n"),
        ("numbered", f",label,text,label_num\n7,spam,{SPAM},1\n9,ham,{HAM},0\n"),
        ("turned", f"is_ham,body\n0,{SPAM}\n1,{HAM}\n"),
        ("no header, tabs", f"spam\t{SPAM}\nham\t{HAM}\n"),
        ("column by its values", f"kind,words\njunk,{SPAM}\nlegit,{HAM}\n"),
        ("byte order mark", f"\ufefflabel,text\nspam,{SPAM}\nham,{HAM}\n"),
        ("JSON Lines", json.dumps({"label": 1, "text": SPAM}) + "\n" + json.dumps({"label": 0, "text": HAM})),
        ("JSON", json.dumps([{"spam": True, "body": SPAM}, {"spam": False, "body": HAM}])),
    ],
)
def test_columns_and_labels_are_detected(write: Write, name: str, content: str) -> None:
    dataset = read_dataset(write("mail", content))
    assert _pairs(dataset) == [("spam", SPAM), ("ham", HAM)], name
    assert "labels from column" in dataset.notes[0]


def test_utf16_and_windows_bytes(write: Write) -> None:
    text = "label,text\nspam,Überweisung “heute” für 5 €\nham,see you"
    for encoded in (text.encode("utf-16"), text.encode("cp1252"), text.encode("utf-8")):
        assert read_dataset(write("mail.csv", encoded)).items[0].message == "Überweisung “heute” für 5 €"


def test_subject_and_date_columns(write: Write) -> None:
    path = write("mail.csv", f"date,subject,body,label\n2024-05-01,Your  parcel,{SPAM},spam\n,,{HAM},ham\n")
    first, second = read_dataset(path)
    assert first.message == f"Subject: Your parcel\n\n{SPAM}"
    assert first.date is not None and first.date.isoformat() == "2024-05-01T00:00:00+00:00"
    assert (second.message, second.date) == (HAM, None)


def test_named_columns(write: Write) -> None:
    path = write("mail.csv", f"a,b,label,text\n{SPAM},yes,ham,x\n{HAM},no,spam,y\n")
    assert _pairs(read_dataset(path, columns=Columns(text="A", label="b"))) == [("spam", SPAM), ("ham", HAM)]
    with pytest.raises(UnreadableInput, match="no column 'c'; it has: 'a', 'b', 'label', 'text'"):
        read_dataset(path, columns=Columns(text="c"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("label,text\n", "has no rows"),
        ("just some words\nand more\n", "one column only"),
        ("label,text\nreal,some words here\nfake,other words\n", "no column whose values mean spam and ham"),
        ("label,class,text\nspam,ham,one two\nham,spam,three\n", "could be the label and disagree: 'label'"),
        (
            "label,first,second\nspam,aaaa bbbb,cccc dddd\nham,eeee,ffff\n",
            "no column that is plainly the text",
        ),
        ("[{", "is not JSON"),
        ("PK\x03\x04\x00\x00label,text", "is not text"),
    ],
)
def test_refusals_say_what_to_do(write: Write, content: str, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said):
        read_dataset(write("mail.csv", content))


def test_rows_that_cannot_be_used_are_told(write: Write) -> None:
    rows = [
        "label,text",
        f"spam,{SPAM}",
        "maybe,who knows",
        f"ham,{HAM}",
        "ham,",
        "ham,cut, here",
        "ham,a",
        "ham,b",
        "ham,c",
    ]
    dataset = read_dataset(write("mail.csv", "\n".join(rows)))
    assert (len(dataset), dataset.skipped_count) == (5, 3)
    assert "line 3: the label 'maybe' means neither" in dataset.skipped[0]
    assert "line 5: there is no text" in dataset.skipped[1]
    assert "line 6: it has 3 cells for 2 columns" in dataset.skipped[2]
    assert any("'maybe' (1)" in note for note in dataset.notes)


def test_bad_json_lines_are_skipped(write: Write) -> None:
    lines = [
        json.dumps({"label": "spam", "text": SPAM}),
        "{broken",
        "[1]",
        json.dumps({"label": "ham", "text": HAM}),
    ]
    dataset = read_dataset(write("mail.jsonl", "\n".join(lines)))
    assert (len(dataset), dataset.skipped_count) == (2, 2)
    assert "it is not JSON" in dataset.skipped[0]


def test_stray_quotes_in_tabs_do_not_swallow_lines(write: Write) -> None:
    path = write("mail.tsv", 'label\ttext\nspam\t"win now\nham\tshe said "no"\nham\t"all ""quoted"""\n')
    assert [m for _, m in _pairs(read_dataset(path))] == ['"win now', 'she said "no"', 'all "quoted"']


def test_a_huge_field_is_read(write: Write) -> None:
    path = write("mail.csv", f'label,text\nspam,"{"word " * 100_000}"\nham,{HAM}\n')
    assert len(read_dataset(path).items[0].message) == 500_000


def _mail(subject: str, body: str, date: str = "Mon, 6 May 2024 10:00:00 +0200", route: str = "a") -> bytes:
    head = f"Received: from {route}.example\r\nFrom: x@example.com\r\nSubject: {subject}\r\nDate: {date}\r\n"
    return f"{head}\r\n{body}\r\n".encode()


def test_folders_mailboxes_and_duplicates(write: Write, tmp_path: Path) -> None:
    write("all/spam/1.eml", _mail("Parcel", SPAM, route="one"))
    write("all/spam/2.eml", _mail("Parcel", SPAM.upper(), route="two"))
    write("all/spam/3.eml", b"")
    write("all/ham-easy/cur/1", _mail("Lunch", HAM, "Sun, 5 May 2024 10:00:00 +0000"))
    start = b"From x@example.com Mon May  6 10:00:00 2024\n"
    write("box", start + _mail("One", "first") + b"\n" + start + _mail("Two", "second", "nonsense"))
    dataset = read_dataset(tmp_path / "all", ham=[tmp_path / "box"])
    assert [(i.name, i.label) for i in dataset] == [
        ("spam/1.eml", "spam"), ("box#1", "ham"), ("box#2", "ham"), ("ham-easy/cur/1", "ham"),
    ]  # fmt: skip
    assert (dataset.duplicates, dataset.skipped) == (1, ("spam/3.eml: it is empty",))
    ordered = dataset.time_ordered()
    assert [i.name for i in ordered] == ["ham-easy/cur/1", "box#1", "spam/1.eml"]
    assert ordered.notes[-1] == "3 messages from 2024-05-05 to 2024-05-06; 1 without a date were left out."


def test_folders_without_mail_or_labels_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnreadableInput, match="holds no mail"):
        read_dataset(spam=[tmp_path / "empty"])
    with pytest.raises(UnreadableInput, match="no subfolder for spam"):
        read_dataset(tmp_path)
    with pytest.raises(UnreadableInput, match="there is no"):
        read_dataset(tmp_path / "missing.csv")
    with pytest.raises(UnreadableInput, match="there is no labelled mail"):
        read_dataset()


def test_the_other_label_on_a_duplicate_is_told(write: Write) -> None:
    dataset = read_dataset(
        write("mail.csv", "label,text\nspam,buy this now\nham,Buy  THIS now!\nham,hello\n")
    )
    assert dataset.duplicates == 1
    assert "1 of them carried the other label" in dataset.notes[-1]


def _made(spam: int, ham: int) -> Dataset:
    texts = [("spam", f"offer {i}") for i in range(spam)] + [("ham", f"note {i}") for i in range(ham)]
    return Dataset(
        tuple(
            Labelled(t, t, "spam" if lab == "spam" else "ham", "made", None, text_digest(t))
            for lab, t in texts
        )
    )


@given(st.integers(0, 30), st.integers(0, 60), st.integers(1, 100), st.integers(0, 5))
def test_samples_have_their_size_and_both_classes(spam: int, ham: int, size: int, seed: int) -> None:
    dataset = _made(spam, ham)
    sample = dataset.sample(size, seed)
    assert len(sample) == min(size, spam + ham)
    for label, of_class in (("spam", spam), ("ham", ham)):
        assert sample.count(label) >= min(of_class, 5, size // 2)  # type: ignore[arg-type]


def test_sample_and_split_keep_the_proportion_and_depend_on_text_and_seed_alone() -> None:
    dataset = _made(100, 300)
    turned = Dataset(tuple(reversed(dataset.items)))
    sample = dataset.sample(40, 1)
    assert (sample.count("spam"), sample.count("ham")) == (10, 30)
    assert sample.notes[-1] == "A sample of 40 was taken, 10 of them spam (seed 1)."
    assert {i.name for i in sample} == {i.name for i in turned.sample(40, 1)}
    assert {i.name for i in sample} != {i.name for i in dataset.sample(40, 2)}
    rest, held = dataset.split(0.3, 1)
    assert (rest.count("spam"), rest.count("ham"), held.count("spam"), held.count("ham")) == (70, 210, 30, 90)
    assert not {i.name for i in rest} & {i.name for i in held}


@pytest.mark.parametrize("fraction", [0.0, 1.0, -1.0, 2.0])
def test_impossible_splits_are_refused(fraction: float) -> None:
    with pytest.raises(BadSetting):
        _made(5, 5).split(fraction, 1)
    with pytest.raises(BadSetting):
        _made(5, 5).sample(0, 1)


@pytest.mark.parametrize(
    ("date", "known"),
    [
        ("Mon, 6 May 2024 10:00:00 +0200", True),
        ("Mon, 6 May 0102 10:00:00 +0200", False),
        ("Mon, 6 May 2999 10:00:00 +0200", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_dates_are_believed_only_where_possible(tmp_path: Path, date: str, known: bool) -> None:
    (tmp_path / "1.eml").write_bytes(_mail("Hi", "there", date))
    assert (read_dataset(ham=[tmp_path / "1.eml"]).items[0].date is not None) is known


@given(st.binary(max_size=400))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    try:
        assert len(read_dataset(path)) > 0
    except UnreadableInput as error:
        assert str(error)
