"""`malafide assess`, `undo` and `trail`: what is done to files, Maildirs and the store, and taken back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import jsonschema
import pytest
from benchmarks.made_documents import SCAMS
from benchmarks.pdf_writer import pdf
from click.testing import CliRunner, Result

from malafide import assess_document, assess_document_async
from malafide.actions.action import CLASSIFY, REPORT, STORE
from malafide.actions.document import Acting, local_actions
from malafide.actions.executer import Executer, undo
from malafide.contracts import schema
from malafide.doors.cli import app
from malafide.errors import BadSetting, UnknownName
from malafide.home import home
from malafide.knowledge.precedents import Precedents
from malafide.record.assessment_log import AssessmentLog

PHISH = (
    b"From: Wells Fargo <help@wellsfargo-alerts.test>\r\nTo: ann@example.com\r\nSubject: Account suspended\r\n"
    b"Date: Mon, 2 Mar 2026 10:00:00 +0000\r\nMessage-ID: <1@wellsfargo-alerts.test>\r\n"
    b"Content-Type: text/html\r\n\r\n<p>Dear customer, your account has been suspended. Verify your password and card "
    b"PIN within 24 hours or it will be closed.</p><a href='http://wellsfargo.verify-login.test/x'>www.wellsfargo.com</a>"
)
NOTE = (
    b"From: Ann <ann@example.com>\r\nTo: bo@example.com\r\nSubject: lunch\r\n\r\nShall we meet at noon?\r\n"
)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, args, catch_exceptions=False)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"" for p in sorted(folder.rglob("*"))
    }


def workflows() -> list[str]:
    return [p.stem.rpartition("_")[2] for p in sorted((home() / "assessments").glob("*.json"))]


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    box = tmp_path / "Maildir"
    for part in ("cur", "new", "tmp"):
        (box / part).mkdir(parents=True)
    (box / "cur" / "1.a.host:2,S").write_bytes(PHISH)
    (box / "new" / "2.b.host").write_bytes(NOTE)
    return box


def test_a_maildir_is_sorted_and_undone_byte_for_byte(maildir: Path) -> None:
    Precedents().store_many([])
    before, kept = snapshot(maildir), list(Precedents().export())
    done = run("assess", str(maildir))
    assert done.exit_code == 0
    assert (maildir / ".Scam" / "cur" / "1.a.host:2,S").read_bytes() == PHISH
    assert (maildir / "new" / "2.b.host").read_bytes() == NOTE
    assert len(list(Precedents().export())) == len(kept) + 2
    for workflow in workflows():
        assert run("undo", workflow).exit_code == 0
    assert snapshot(maildir) == before
    assert list(Precedents().export()) == kept
    assert not (home() / "reports").exists()


def test_rehearsing_changes_nothing(maildir: Path, tmp_path: Path) -> None:
    before = snapshot(maildir)
    (tmp_path / "x.eml").write_bytes(PHISH)
    done = run("assess", str(maildir), str(tmp_path / "x.eml"), "--rehearse", "--json")
    assert snapshot(maildir) == before and not (home() / "reports").exists()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {r["status"] for row in rows for r in row["malafide"]["receipts"]} == {"rehearsed"}


def test_a_named_file_stays_unless_asked(tmp_path: Path) -> None:
    file = tmp_path / "bank.eml"
    file.write_bytes(PHISH)
    assert run("assess", str(file)).exit_code == 0
    assert file.read_bytes() == PHISH
    before = snapshot(tmp_path)
    assert run("assess", str(file), "--move").exit_code == 0
    assert not file.exists() and (tmp_path / "scam" / "bank.eml").read_bytes() == PHISH
    for workflow in workflows():
        run("undo", workflow)
    assert snapshot(tmp_path) == before


def test_what_somebody_changed_since_is_left_alone(maildir: Path) -> None:
    run("assess", str(maildir))
    moved = maildir / ".Scam" / "cur" / "1.a.host:2,S"
    moved.unlink()
    (workflow,) = [w for w in workflows() if any(r.action == CLASSIFY for r in AssessmentLog().receipts(w))]
    page = next((home() / "reports").glob(f"*{workflow}.html"))
    page.write_text("mine now")
    result = run("undo", workflow)
    assert result.exit_code == 1 and "could not be undone" in result.stdout
    assert page.read_text() == "mine now"


def test_a_mark_instead_of_a_move_where_precedents_are_missing(maildir: Path) -> None:
    from dataclasses import replace

    path = maildir / "new" / "2.b.host"
    assessment = replace(
        assess_document(PHISH).assessment, answer="scam", probability=90.0, route="deep_analysis"
    )
    receipts = Executer(local_actions(path))(assessment)
    assert (maildir / "cur" / "2.b.host:2,F").read_bytes() == NOTE
    undo(receipts)
    assert path.read_bytes() == NOTE


def test_only_actions_on_the_list(tmp_path: Path) -> None:
    assessment = assess_document(PHISH).assessment
    assert assessment.answer == "scam"
    taken = Executer(local_actions(tmp_path / "x", move=True), rehearse=True)(assessment)
    assert [r.action for r in taken] == [REPORT, STORE, CLASSIFY]
    assert [r.action for r in Executer(local_actions(None), rehearse=True, allow=(REPORT,))(assessment)] == [
        REPORT
    ]
    with pytest.raises(BadSetting, match="unknown actions"):
        Executer((), allow=("delete",))


def test_a_failing_action_is_a_receipt(tmp_path: Path) -> None:
    result = assess_document(PHISH, acting=Acting(local_actions(tmp_path / "gone", move=True)))
    assert result.is_scam == "scam"
    failed = [r for r in result["malafide"]["receipts"] if r["status"] == "failed"]
    assert [r["action"] for r in failed] == [CLASSIFY]
    assert result["processing_metadata"]["errors_encountered"] == 1


def test_trail_and_log_files() -> None:
    document = pdf(SCAMS["bank-suspended"])
    path = home().parent / "invoice.pdf"
    path.write_bytes(document)
    done = run("assess", str(path))
    assert "SCAM" in done.stdout and "Wells Fargo" in done.stdout
    (workflow,) = workflows()
    files = sorted(p.name for p in (home() / "assessments").iterdir())
    assert all(name.startswith("assessment_20") and workflow in name for name in files)
    assert [Path(name).suffix for name in files] == [".json", ".log"]
    shown = run("trail", workflow).stdout
    for actor in ("process_pdf", "ROUTER", "PLANNER", "ANALYST", "SUPERVISOR", "EXECUTER"):
        assert actor in shown
    recorded = json.loads(run("trail", workflow, "--json").stdout)
    jsonschema.validate(recorded, schema("document"))
    with pytest.raises(UnknownName):
        AssessmentLog().read("../../etc/passwd")


def test_the_same_answer_sync_and_async_and_nothing_written() -> None:
    one = assess_document(PHISH)
    two = asyncio.run(assess_document_async(PHISH))
    assert (one.is_scam, one.scam_probability) == (two.is_scam, two.scam_probability)
    assert not home().exists()


def test_refusals_are_rows_among_several(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "b.eml").write_bytes(NOTE)
    result = run("assess", str(tmp_path), "--rehearse")
    assert result.exit_code == 1
    assert "ERROR" in result.stdout and "b.eml" in result.stdout


def test_with_a_model_over_http(tmp_path: Path) -> None:
    from tests.doubles.model_server import Asked, ModelServer

    def answer(asked: Asked) -> str:
        if "how a document is examined" in asked.system:
            return '{"route": "full_analysis", "reason": "Enough is known."}'
        if "You plan the examination" in asked.system:
            return '{"tools": ["extraction-tools.extract_number"], "reason": "Money is named."}'
        if "You weigh whether a document" in asked.system:
            quote = [{"quote": "send the remaining sum", "why": "It asks for money."}]
            fields = {
                "recommendation": "SPAM",
                "reasons_against": quote,
                "reasons_in_favour": [],
                "spam_score": 0.95,
            }
            return json.dumps({**fields, "confidence": 0.9, "analysis": "It wants money."})
        return '{"recommendation": "SPAM", "spam_score": 0.9, "reasoning": "It wants money. Ask a friend first."}'

    file = tmp_path / "letter.pdf"
    file.write_bytes(pdf("Notice\nPlease send the remaining sum to the account named, within 24 hours."))
    with ModelServer(answer) as server:
        done = run(
            "assess",
            str(file),
            "--model",
            f"{server.url}/v1#double",
            "--escalate",
            "always",
            "--json",
            "--rehearse",
        )
        assert len(server.asked) == 4
    contract = json.loads(done.stdout)
    jsonschema.validate(contract, schema("document"))
    assert contract["processing_metadata"]["router_route"] == "full_analysis"
    assert contract["malafide"]["usage"]["calls"] == 4
    assert "Ask a friend first" in contract["explanation"]
    assert any(e["topic"] == "testimony" for e in contract["malafide"]["evidence"])


def test_show_prompt_sends_and_does_nothing(maildir: Path) -> None:
    from tests.doubles.model_server import ModelServer

    before = snapshot(maildir)
    with ModelServer(lambda asked: "{}") as server:
        model = f"{server.url}/v1#double"
        shown = run("assess", str(maildir), "--model", model, "--escalate", "always", "--show-prompt").stdout
        assert not server.asked
    for agent in ("router", "planner", "analyst", "supervisor"):
        assert f"{agent} to {model}: system" in shown and f"{agent} to {model}: user" in shown
    assert "Shall we meet at noon?" in shown
    assert shown.splitlines()[-1] == "2.b.host: 4 first questions would be sent; nothing was."
    assert snapshot(maildir) == before and not home().exists()
    assert "nothing would be sent" in run("assess", str(maildir), "--show-prompt").stdout


def test_one_receipt_of_two_with_the_same_name_is_undone() -> None:
    """A report that could not be taken back may be tried again; the other, which was, is not."""
    from malafide.actions.report import FileReport

    elsewhere = home().parent / "elsewhere"
    log = AssessmentLog()
    acting = Acting((FileReport(), FileReport(elsewhere)), log=log)
    workflow = assess_document(PHISH, acting=acting)["processing_metadata"]["workflow_id"]
    first, second = undo(log.receipts(workflow))
    log.note_undone(workflow, [first])
    (rest,) = (receipt for receipt in log.receipts(workflow) if receipt.status == "done")
    assert rest.undo == second.undo
