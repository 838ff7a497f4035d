"""`malafide conversation` and `malafide engage` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from malafide.doors.cli import app

CHAT = (
    "Scammer: I am calling from SBI fraud department, your account will be blocked in 2 hours\n"
    "Victim: oh no\nScammer: Share the OTP immediately, pay to raju.k@ybl"
)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.txt"
    path.write_text(CHAT, encoding="utf-8")
    return path


def run(*arguments: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(app, list(arguments), input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_report_has_votes_timeline_and_what_was_revealed(chat: Path) -> None:
    out = run("conversation", str(chat))
    for words in (
        "SCAM",
        "The votes",
        "ask-examiner",
        "How it developed",
        "demand",
        "raju.k[@]ybl",
        "Technique:",
    ):
        assert words in out


def test_json_is_the_contract(chat: Path) -> None:
    result = json.loads(run("conversation", str(chat), "--json"))
    assert result["scamDetected"] and result["extractedIntelligence"]["upiIds"] == ["raju.k@ybl"]
    assert list(result)[-1] == "malafide"


def test_votes_from_a_file_are_counted(chat: Path, tmp_path: Path) -> None:
    votes = tmp_path / "votes.json"
    votes.write_text(
        json.dumps([{"agent": "a", "vote": "scam", "confidence": 0.9}, {"agent": "b", "vote": "safe"}])
    )
    result = json.loads(run("conversation", str(chat), "--votes", str(votes), "--json"))
    assert not result["scamDetected"] and result["confidence"] <= 0.2


@pytest.mark.parametrize("form", ["json", "csv", "text", "stix"])
def test_exports(chat: Path, form: str) -> None:
    assert "raju.k" in run("conversation", str(chat), "--export", form)


def test_html_and_standard_input(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    assert "SCAM" in run("conversation", "--html", str(page), stdin=CHAT)
    assert "<h3>The votes</h3>" in page.read_text(encoding="utf-8")


def test_the_user_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("Anil: share the OTP immediately\nRaj: my number is 9876543210", encoding="utf-8")
    result = json.loads(run("conversation", str(path), "--user", "Anil", "--json"))
    assert result["extractedIntelligence"]["phoneNumbers"] == ["9876543210"]


def test_engage_answers_and_ends_with_the_assessment() -> None:
    lines = "I am from SBI fraud department\nShare the OTP immediately\nOr pay raju.k@ybl, account will be blocked\n"
    out = run("engage", "--session", "t", stdin=lines)
    assert (
        out.count("\n> ") + out.startswith("> ") == 3 and "What was revealed" in out and "raju.k[@]ybl" in out
    )
