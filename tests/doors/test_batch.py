"""`malafide batch`: whatever ends it, the same command goes on, and the output is the same to the byte."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.doubles.model_server import ModelServer, report
from tests.made_up import mail

from malafide.doors.cli import app
from malafide.errors import BadSetting, Busy, CannotResume, MalafideError, UnwritableOutput
from malafide.judging import Ruling
from malafide.settings import Caps, Settings
from malafide.volume import crew, desk
from malafide.volume.journal import Journal
from malafide.volume.pieces import Piece
from malafide.volume.purse import Purse, most_workers
from malafide.volume.reading import Read
from malafide.volume.rows import Tally
from malafide.volume.run import Plan, State, run

SEPARATOR = b"From writer@example.com Mon Jan  1 10:00:00 2024\n"


def mailbox(path: Path, number: int) -> Path:
    path.write_bytes(
        b"".join(SEPARATOR + mail(n, spam=bool(n % 2)).replace(b"\r\n", b"\n") + b"\n" for n in range(number))
    )
    return path


def batch(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["batch", *map(str, arguments)], catch_exceptions=False)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def quiet(_: State) -> None:
    return


def test_every_mail_is_a_row_in_order_and_the_same_with_any_number_of_processes(tmp_path: Path) -> None:
    box = mailbox(tmp_path / "box.mbox", 150)
    told = batch(box, tmp_path / "two.jsonl", "--workers", 2)
    assert told.exit_code == 0
    assert "150 cases" in told.stderr
    batch(box, tmp_path / "one.jsonl", "--workers", 1)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    found = rows(tmp_path / "one.jsonl")
    assert [row["name"] for row in found] == [f"box.mbox#{n}" for n in range(1, 151)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["box.mbox", "one.jsonl", "two.jsonl"]


def test_a_row_holds_what_classify_prints(tmp_path: Path) -> None:
    one = tmp_path / "one.eml"
    one.write_bytes(mail(3, spam=True))
    batch(one, tmp_path / "out.jsonl")
    [row] = rows(tmp_path / "out.jsonl")
    printed = json.loads(CliRunner().invoke(app, ["classify", str(one), "--json"]).stdout)
    del printed["malafide"]["file"]
    assert row["contract"] == printed
    assert (row["answer"], row["score"]) == (printed["final_classification"], printed["final_score"])


def test_failures_are_rows_and_the_exit_status_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, content in (("a.eml", mail(1, spam=False)), ("b.eml", b""), ("c.eml", b"%PDF-1.4 no mail\n")):
        (folder / name).write_bytes(content)
    told = batch(folder, tmp_path / "out.jsonl")
    assert told.exit_code == 1
    errors = [row["error"] for row in rows(tmp_path / "out.jsonl")]
    assert errors[0] is None
    assert "empty" in str(errors[1])
    assert "PDF" in str(errors[2])


@pytest.mark.parametrize(("suffix", "kills"), [(".jsonl", 5), (".parquet", 2)])
def test_killed_at_any_moment_it_goes_on_to_the_same_output(tmp_path: Path, suffix: str, kills: int) -> None:
    box = mailbox(tmp_path / "box", 700)
    whole = tmp_path / f"whole{suffix}"
    assert batch(box, whole, "--workers", 2).exit_code == 0
    out = tmp_path / f"out{suffix}"
    command = [sys.executable, "-m", "malafide", "batch", str(box), str(out), "--workers", "2"]
    begun, chance, killed = tmp_path / f"out{suffix}.part", random.Random(7), 0
    for _ in range(kills):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while process.poll() is None and not begun.exists():
            time.sleep(0.005)
        try:
            # The first soon after it began, so that no machine is too fast for it; the others whenever they come.
            process.wait(chance.random() * (2.0 if killed else 0.1))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
    else:
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    assert out.read_bytes() == whole.read_bytes()
    assert killed
    assert not (tmp_path / f"out{suffix}.journal").exists()


def test_ctrl_c_keeps_what_was_judged(tmp_path: Path) -> None:
    box = mailbox(tmp_path / "box", 3000)
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "malafide", "batch", str(box), str(out), "--workers", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    part = tmp_path / "out.jsonl.part"
    end = time.monotonic() + 30
    while not (part.exists() and part.stat().st_size) and time.monotonic() < end:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"goes on from here" in said
    assert b"Traceback" not in said
    with pytest.raises(CannotResume, match="limit"):
        run(Plan(box, out, limit=5), quiet)


def begun(box: Path, out: Path) -> None:
    """An output that stopped after its first chunk."""

    class Enough(Exception):
        pass

    def stop(journal: Journal, *arguments: object) -> None:
        add(journal, *arguments)  # type: ignore[arg-type]
        raise Enough

    add = Journal.add
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "add", stop)
        with pytest.raises(Enough):
            run(Plan(box, out, workers=1), quiet)


@pytest.mark.parametrize(
    ("change", "said"), [("input", "its input changed"), ("panel", "panel was 'spam'"), ("limit", "limit")]
)
def test_other_input_or_settings_are_refused_until_restarted(tmp_path: Path, change: str, said: str) -> None:
    box, out = mailbox(tmp_path / "box", 80), tmp_path / "out.jsonl"
    begun(box, out)
    if change == "input":
        mailbox(box, 81)
    plan = Plan(box, out, "document" if change == "panel" else "spam", limit=3 if change == "limit" else None)
    with pytest.raises(CannotResume, match=said) as refused:
        run(plan, quiet)
    assert "--restart" in str(refused.value)
    if change == "input":
        told = batch(box, out, "--restart")
        assert "81 cases" in told.stderr


def test_going_on_counts_what_was_judged_before(tmp_path: Path) -> None:
    box, out = mailbox(tmp_path / "box", 80), tmp_path / "out.jsonl"
    begun(box, out)
    told = batch(box, out)
    assert "80 cases" in told.stderr
    assert "64 of them were judged before" in told.stderr
    assert len({row["name"] for row in rows(out)}) == 80
    with pytest.raises(UnwritableOutput, match="there already"):
        run(Plan(box, out), quiet)


@pytest.mark.parametrize("name", ["in/out.jsonl", "in.jsonl"])
def test_an_output_within_the_input_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in.jsonl").write_text('{"text": "some words of a row"}\n')
    given = tmp_path / ("in" if "/" in name else "in.jsonl")
    with pytest.raises(BadSetting, match="part of the input"):
        run(Plan(given, tmp_path / name, restart=True), quiet)


def test_two_at_a_time_on_one_output_are_refused(tmp_path: Path) -> None:
    held = Journal(tmp_path / "out.jsonl")
    held.open({}, restart=False)
    with pytest.raises(Busy):
        Journal(tmp_path / "out.jsonl").open({}, restart=False)
    held.close()


def test_rows_lost_by_the_disk_are_judged_again(tmp_path: Path) -> None:
    box, out = mailbox(tmp_path / "box", 80), tmp_path / "out.jsonl"
    begun(box, out)
    part = tmp_path / "out.jsonl.part"
    part.write_bytes(part.read_bytes()[:100])
    with (tmp_path / "out.jsonl.journal").open("a") as journal:
        journal.write('{"mark": {"ca')
    batch(box, out)
    assert len(rows(out)) == 80


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_a_full_disk_is_said_and_the_same_command_goes_on(tmp_path: Path) -> None:
    box, out = mailbox(tmp_path / "box", 200), tmp_path / "out.jsonl"
    command = f"ulimit -f 600; exec {sys.executable} -m malafide batch {box} {out} --workers 1"
    told = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert told.returncode == 7
    assert "make room, and the same command goes on" in told.stderr
    assert "Traceback" not in told.stderr
    assert "200 cases" in batch(box, out).stderr
    assert [row["name"] for row in rows(out)] == [f"box#{n}" for n in range(1, 201)]


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The seventh mail ends whoever judges it."""
    judged = desk.Desk._judged

    def judge(self: desk.Desk, piece: Piece, read: Read) -> tuple[Piece, Read | None, Ruling | MalafideError]:
        if piece.name.endswith("#7"):
            os.kill(os.getpid(), signal.SIGKILL)
        return judged(self, piece, read)

    monkeypatch.setattr(desk.Desk, "_judged", judge)
    yield


@pytest.mark.skipif(not crew.FORKS, reason="needs processes that are forked")
def test_a_case_that_ends_its_process_is_a_failure_and_the_rest_goes_on(tmp_path: Path, deadly: None) -> None:
    box, out = mailbox(tmp_path / "box", 100), tmp_path / "out.jsonl"
    state = run(Plan(box, out, workers=2), quiet)
    assert (state.tally.cases, state.tally.failed) == (100, 1)
    found = rows(out)
    assert [row["name"] for row in found] == [f"box#{n}" for n in range(1, 101)]
    [failed] = [row for row in found if row["error"]]
    assert (failed["name"], failed["error"]) == ("box#7", "judging it ended the process (signal SIGKILL)")


def test_a_killed_process_costs_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box, out = mailbox(tmp_path / "box", 400), tmp_path / "out.jsonl"
    made: list[crew.Crew] = []
    hire = crew.Crew.__init__

    def kept(self: crew.Crew, *arguments: object) -> None:
        hire(self, *arguments)  # type: ignore[arg-type]
        made.append(self)

    monkeypatch.setattr(crew.Crew, "__init__", kept)
    killed: list[int] = []

    def kill(_: State) -> None:
        if not killed:
            killed.append(made[0].processes[0])
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr("malafide.volume.run._BETWEEN", 0.0)
    state = run(Plan(box, out, workers=2), kill)
    assert killed
    assert (state.tally.cases, state.tally.failed) == (400, 0)
    assert len({row["name"] for row in rows(out)}) == 400


def test_parquet_in_and_out(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    raw = [mail(n, spam=bool(n % 2)) for n in range(130)] + [b""]
    parquet.write_table(pa.table({"raw_email": raw}), tmp_path / "in.parquet")
    told = batch(tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert told.exit_code == 1
    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    box = mailbox(tmp_path / "box", 130)
    batch(box, tmp_path / "out.jsonl")
    assert [row["name"] for row in table][:2] == ["in.parquet:1", "in.parquet:2"]
    assert [row["answer"] for row in table[:130]] == [row["answer"] for row in rows(tmp_path / "out.jsonl")]
    assert table[0]["case_id"] != table[1]["case_id"]
    assert json.loads(table[0]["contract"])["final_classification"] == table[0]["answer"]
    assert "empty" in table[130]["error"]


CHAT = {"sessionId": "s", "messages": [{"sender": "scammer", "text": "Pay the fee to upi pay@okaxis now"}]}
POST = {
    "post_id": "p1",
    "text": "Miracle cure that doctors hate! http://cure.example",
    "account": {"followers": 2},
}
SIGNALS = {"post_id": "p2", "nlp_signals": {"sentiment": "NEGATIVE"}, "source_signals": {}}


@pytest.mark.parametrize(
    ("panel", "case"), [("conversation", CHAT), ("post", POST), ("credibility", SIGNALS), ("document", None)]
)
def test_every_panel_gives_the_same_rows_twice(tmp_path: Path, panel: str, case: object) -> None:
    path = tmp_path / "in.jsonl"
    given = case if case is not None else {"text": mail(1, spam=True).decode()}
    path.write_text("".join(json.dumps(given) + "\n" for _ in range(3)))
    for name in ("a", "b"):
        assert batch(path, tmp_path / f"{name}.jsonl", "--panel", panel).exit_code == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert all(row["answer"] and row["contract"] for row in rows(tmp_path / "a.jsonl"))


@pytest.mark.parametrize("kind", ["folder", "csv"])
def test_labels_give_a_validation_report(tmp_path: Path, kind: str) -> None:
    if kind == "folder":
        for number in range(20):
            folder = tmp_path / "in" / ("spam" if number % 2 else "ham")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}.eml").write_bytes(mail(number, spam=bool(number % 2)))
    else:
        from tests.made_up import data_set, write_csv

        write_csv(tmp_path / "in", data_set(10)).rename(tmp_path / "in.csv")
    path = tmp_path / ("in" if kind == "folder" else "in.csv")
    told = batch(path, tmp_path / "out.jsonl", "--validate", tmp_path / "report.html")
    assert told.exit_code == 0
    assert "20" in told.stdout
    assert "<html" in (tmp_path / "report.html").read_text()
    assert {row["label"] for row in rows(tmp_path / "out.jsonl")} == {"spam", "ham"}


def test_a_run_of_several_processes_keeps_to_one_cap(tmp_path: Path) -> None:
    box = mailbox(tmp_path / "box", 70)
    asked = ("--escalate", "always", "--cap", "run.calls=10", "--workers", "2")
    with ModelServer(lambda asked: report(asked, "SPAM", 0.96)) as server:
        told = batch(box, tmp_path / "out.jsonl", "--model", f"{server.url}/v1#double", *asked)
        assert 8 <= len(server.asked) <= 10
    assert told.exit_code == 0
    assert f"in {len(server.asked)} calls" in told.stderr
    assert len(rows(tmp_path / "out.jsonl")) == 70


def test_shares_of_a_budget_never_exceed_it() -> None:
    asked = Settings(
        model="anthropic:some", run=Caps(calls=10, money=1.0, seconds=60), concurrency=4, per_minute=90
    )
    purse = Purse(asked, 3, Tally(calls=1, money=0.1), seconds=20.0)
    shares = [purse.settings(place) for place in range(3)]
    assert sum(share.run.calls or 0 for share in shares) == pytest.approx(9)
    assert sum(share.run.money or 0 for share in shares) == pytest.approx(0.9)
    assert sum(share.concurrency for share in shares) <= 4
    assert sum(share.per_minute for share in shares) <= 90
    assert all(39 < (share.run.seconds or 0) <= 40 for share in shares)
    purse.paid(0, Tally(calls=2, money=0.05))
    assert purse.settings(0).run.calls == pytest.approx(1)
    purse.lost(1, 3)  # may have spent up to 21 calls, and nobody knows how much money
    assert (purse.settings(1).run.calls, purse.settings(1).run.money) == (0, 0)
    assert most_workers(asked, 16) == 4
    assert Purse(Settings(), 3).settings(0) == Settings()
