"""A path becomes its messages, in order, past what cannot be read."""

import os
from pathlib import Path

import pytest

from malafide.errors import UnreadableInput
from malafide.intake import expand

ONE = (
    b"From a@example.com Mon Mar  3 10:00:00 2025\nSubject: one\n\n"
    b"From here on it is text.\n\nFrom now on too.\n\n"
)
TWO = b"From - Tue Mar  4 10:00:00 2025\r\nSubject: two\r\n\r\nbody\r\n"


def test_one_file(tmp_path: Path) -> None:
    file = tmp_path / "a.eml"
    file.write_bytes(b"Subject: x\n\ny")
    assert list(expand(file)) == [("a.eml", b"Subject: x\n\ny")]


def test_an_mbox_is_split_and_a_single_message_is_not(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.write_bytes(ONE + TWO + ONE)
    assert list(expand(box)) == [("box#1", ONE), ("box#2", TWO + ONE)]
    box.write_bytes(ONE + TWO + b"\r\n" + ONE)
    assert [name for name, _ in expand(box)] == ["box#1", "box#2", "box#3"]
    box.write_bytes(ONE)
    assert list(expand(box)) == [("box", ONE)]


def test_a_maildir(tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.host:2,S").write_bytes(folder.encode())
    assert list(expand(tmp_path)) == [("cur/1.host:2,S", b"cur"), ("new/1.host:2,S", b"new")]


def test_a_folder_in_order_past_bad_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.eml").write_bytes(b"2")
    (tmp_path / "a.txt").write_bytes(b"1")
    (tmp_path / ".hidden").write_bytes(b"no")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b" / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    found = dict(expand(tmp_path))
    assert list(found) == ["a.txt", "dangling", "pipe", "b/2.eml"]
    assert isinstance(found["dangling"], UnreadableInput)
    assert isinstance(found["pipe"], UnreadableInput)


@pytest.mark.parametrize("name", ["nowhere", "nowhere/at/all.eml"])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    ((_, error),) = expand(tmp_path / name)
    assert isinstance(error, UnreadableInput)
