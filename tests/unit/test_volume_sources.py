"""The places that a batch reads are the messages that intake reads, wherever reading begins."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.made_up import mail

from malafide.errors import CannotResume, MalafideError, UnreadableInput
from malafide.intake import expand
from malafide.intake.labelled_tables import Columns
from malafide.volume import files
from malafide.volume.pieces import CHUNK, Mark, Source
from malafide.volume.reading import Reader
from malafide.volume.sources import open_source

SEPARATOR = b"From writer@example.com Mon Jan  1 10:00:00 2024\n"


def messages(source: Source, after: Mark | None = None) -> list[tuple[str, bytes | str]]:
    reader = Reader(source.form)
    found = []
    for chunk in source.chunks(after or Mark()):
        for piece in chunk.pieces:
            try:
                found.append((piece.name, reader.read(piece)[0]))
            except MalafideError as error:
                found.append((piece.name, type(error).__name__))
    reader.close()
    return found


def opened(path: Path, **wanted: object) -> Source:
    return open_source(path, "spam", Columns(), **wanted)  # type: ignore[arg-type]


def expanded(path: Path) -> list[tuple[str, bytes | str]]:
    return [(n, type(c).__name__ if isinstance(c, MalafideError) else c) for n, c in expand(path)]


def mailbox(path: Path, number: int, newline: bytes = b"\n") -> Path:
    mails = (SEPARATOR + mail(n, spam=bool(n % 2)).replace(b"\r\n", b"\n") + b"\n" for n in range(number))
    path.write_bytes(b"".join(mails).replace(b"\n", newline))
    return path


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_mailbox_is_parted_as_intake_parts_it(tmp_path: Path, newline: bytes) -> None:
    box = mailbox(tmp_path / "box", 150, newline)
    assert messages(opened(box)) == expanded(box)
    assert len(expanded(box)) == 150


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    parts=st.lists(
        st.sampled_from(
            [
                b"\n",
                b"\r\n",
                b"\n\n",
                SEPARATOR,
                b"From here on\n",
                b"words",
                b"From ",
                b"x" * 40,
                b"\r",
                b">From a\n",
            ]
        ),
        max_size=30,
    ),
    block=st.sampled_from([510, 700, 4096]),
)
def test_any_mailbox_is_parted_as_intake_parts_it(tmp_path: Path, parts: list[bytes], block: int) -> None:
    box = tmp_path / "any"
    box.write_bytes(SEPARATOR + b"".join(parts * 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_BLOCK", block)
        assert messages(opened(box)) == expanded(box)


def test_a_folder_is_read_as_intake_reads_it(tmp_path: Path) -> None:
    for number in range(70):
        folder = tmp_path / ("cur" if number % 3 else "new")
        folder.mkdir(exist_ok=True)
        (folder / f"{number:03}.eml").write_bytes(mail(number, spam=False))
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "half").write_bytes(b"half a mail")
    mailbox(tmp_path / "sent.mbox", 5)
    (tmp_path / "gone.eml").symlink_to(tmp_path / "nowhere")
    assert messages(opened(tmp_path)) == expanded(tmp_path)


def tables(folder: Path) -> dict[str, Path]:
    texts = [f'Mail {n}, which says:\n“hello, {n}”; "yes"' for n in range(150)]
    paths = {kind: folder / f"mails.{kind}" for kind in ("csv", "tsv", "jsonl")}
    with paths["csv"].open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([["id", "text", "label"], *([n, t, "ham"] for n, t in enumerate(texts))])
    with paths["tsv"].open("w", newline="", encoding="utf-8") as file:
        file.write("text\tlabel\n" + "".join(f"{' '.join(t.split())}\tspam\n" for t in texts))
    with paths["jsonl"].open("w", encoding="utf-8") as file:
        file.write("".join(json.dumps({"text": t, "label": 0}) + "\n\n" for t in texts))
    return paths


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "mbox", "folder"])
def test_reading_goes_on_from_any_chunk(tmp_path: Path, kind: str) -> None:
    if kind in ("mbox", "folder"):
        path = tmp_path / "in"
        if kind == "mbox":
            mailbox(path, 200)
        else:
            path.mkdir()
            for number in range(30):
                mailbox(path / f"{number:02}", 7)
    elif kind == "parquet":
        path = as_parquet(tmp_path / "in.parquet", [f"Mail number {n} says hello to you" for n in range(200)])
    else:
        path = tables(tmp_path)[kind]
    whole = messages(opened(path))
    assert len(whole) in (150, 200, 210)
    for chunk in opened(path).chunks(Mark()):
        assert len(chunk.pieces) == CHUNK or chunk.after.cases == len(whole)
        assert messages(opened(path), chunk.after) == whole[chunk.after.cases :]
    assert messages(opened(path, limit=70)) == whole[:70]


def as_parquet(path: Path, texts: list[str]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    table = pa.table({"text": texts, "subject": ["Greetings"] * len(texts), "label": ["ham"] * len(texts)})
    parquet.write_table(table, path, row_group_size=90)
    return path


def test_rows_of_tables_become_text_with_their_subject_and_label(tmp_path: Path) -> None:
    path = as_parquet(tmp_path / "in.parquet", ["one two three"])
    source = opened(path, labelled=True)
    [chunk] = source.chunks(Mark())
    assert Reader(source.form).read(chunk.pieces[0]) == ("Subject: Greetings\n\none two three", "ham")


def test_rows_that_cannot_be_read_are_cases_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(
        '{"text": "a whole row of text"}\n[1]\n{"text": \n{"text": ""}\n{"text": "another one"}\n'
    )
    assert [said for _, said in messages(opened(path))] == [
        "a whole row of text", "UnreadableInput", "UnreadableInput", "UnreadableInput", "another one",
    ]  # fmt: skip
    path = tmp_path / "in.csv"
    path.write_text('text,label\n"one, whole",ham\nhalf, a row,ham\n"last one",spam\n')
    assert [said for _, said in messages(opened(path))] == ["one, whole", "UnreadableInput", "last one"]


def test_a_folder_that_changed_where_it_was_read_is_refused(tmp_path: Path) -> None:
    for number in range(CHUNK + 5):
        (tmp_path / f"{number:03}").write_bytes(mail(number, spam=False))
    first = next(opened(tmp_path).chunks(Mark()))
    assert len(messages(opened(tmp_path), first.after)) == 5
    (tmp_path / "0005").write_bytes(b"another")
    with pytest.raises(CannotResume, match="came between"):
        messages(opened(tmp_path), first.after)


def test_folders_named_for_their_class_give_labels(tmp_path: Path) -> None:
    for name in ("easy_ham", "spam", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.eml").write_bytes(mail(1, spam=False))
    [chunk] = opened(tmp_path, labelled=True).chunks(Mark())
    assert [(p.name.split("/")[0], p.label) for p in chunk.pieces] == [
        ("easy_ham", "ham"), ("other", None), ("spam", "spam"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("list.json", "[{}]", "one object per line"),
        ("empty.csv", "", "empty"),
        ("half.parquet", "PAR1 and no more", "no Parquet"),
        ("no-text.jsonl", '{"a": 1}\n', "no column that is plainly the text"),
    ],
)
def test_what_is_no_input_is_refused_in_words(tmp_path: Path, name: str, content: str, said: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UnreadableInput, match=said):
        opened(tmp_path / name)


def test_posts_and_conversations_are_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"post_id": "1", "text": "hello", "account": {"followers": 2}}\n')
    post = open_source(path, "post", Columns())
    assert json.loads(messages(post)[0][1])["account"] == {"followers": 2}
    path.write_text('{"sessionId": "1", "messages": [{"sender": "a", "text": "hello"}]}\n')
    chat = open_source(path, "conversation", Columns())
    assert json.loads(messages(chat)[0][1])["messages"][0]["text"] == "hello"
    assert replace(chat.form).text is None
