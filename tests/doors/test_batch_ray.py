"""The same batch on Ray: the same rows to the byte, also when a worker is killed or a case ends it.

Ray weighs half a gigabyte: these run where it is installed (`pip install "malafide[ray]"`) and are skipped elsewhere.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.doors.test_batch import mailbox, rows
from tests.made_up import mail

pytest.importorskip("ray", reason="Ray is not installed: it weighs half a gigabyte")


def batch(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "malafide", "batch", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    return process.communicate(timeout=240)[1]


def children(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found + [grandchild for child in found for grandchild in children(child)]


def actors(process: int) -> list[int]:
    """The processes that judge, by the title that Ray gives them."""
    return [
        child for child in children(process) if b"MapWorker" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="finds Ray's processes in /proc")
def test_the_same_rows_though_a_worker_is_killed(tmp_path: Path) -> None:
    box = mailbox(tmp_path / "box", 3000)
    assert "3,000 cases" in said(batch(box, tmp_path / "here.jsonl"))
    process = batch(box, tmp_path / "there.jsonl", "--ray", "--workers", 2)
    part = tmp_path / "there.jsonl.part"
    end = time.monotonic() + 120
    while not (part.exists() and part.stat().st_size) and time.monotonic() < end:
        time.sleep(0.05)
    victim = actors(process.pid)[0]
    os.kill(victim, signal.SIGKILL)
    assert "3,000 cases" in said(process)
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


def test_addresses_are_read_and_written_by_ray(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "mails"
    folder.mkdir()
    for number in range(70):
        (folder / f"{number:02}.eml").write_bytes(mail(number, spam=bool(number % 2)))
    out = tmp_path / "out.parquet"
    told = said(batch(f"file://{folder}", f"file://{out}", "--ray", "--workers", 2))
    assert "70 cases" in told
    found = {row["name"]: row for row in parquet.read_table(out).to_pylist()}
    said(batch(folder, tmp_path / "here.jsonl"))
    for row in rows(tmp_path / "here.jsonl"):
        there = found[str(row["name"])]
        assert json.loads(there["contract"]) == row["contract"]
        assert there["case_id"] == row["case_id"]
    assert len(found) == 70
