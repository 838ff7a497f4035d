"""Gmail and Drive through Google's client library, against a double of both on this machine."""

from __future__ import annotations

import json
import threading
import urllib.request
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner, Result
from test_assess import NOTE, PHISH, workflows
from tests.doubles.google_apis import GoogleApis

from malafide import assess_document
from malafide.actions import google_account
from malafide.actions.drive import DriveReport
from malafide.actions.gmail import LABEL, GmailSorter, messages
from malafide.actions.google_account import account, connect, token_path
from malafide.doors.cli import app
from malafide.errors import BadSetting, MissingExtra, UnreadableInput, UnwritableOutput
from malafide.home import home


def run(*args: str) -> Result:
    return CliRunner().invoke(app, args, catch_exceptions=False)


@pytest.fixture
def google(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GoogleApis]:
    with GoogleApis(tmp_path) as double:
        monkeypatch.setattr(google_account, "ENDPOINT", double.url)
        monkeypatch.setattr("httplib2.CA_CERTS", str(double.certificate))
        monkeypatch.setattr("google.oauth2.credentials._GOOGLE_OAUTH2_TOKEN_ENDPOINT", f"{double.url}/token")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(double.certificate))
        token_path().parent.mkdir(parents=True)
        token_path().write_text(double.token())
        yield double


def test_scams_are_labelled_and_put_back(google: GoogleApis) -> None:
    scam = google.add(PHISH, "INBOX", "UNREAD", "IMPORTANT")
    for labels in (("INBOX", "UNREAD"), ("INBOX",), ("INBOX", "UNREAD", "STARRED"), ("UNREAD", "SPAM")):
        google.add(NOTE, *labels)
    before = google.state()
    done = run("assess", "--gmail", "--move", "--drive", "--json")
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 3, "unread mail of the inbox, over two pages"
    (label,) = [one for one, name in google.labels.items() if name == LABEL]
    assert sorted(google.mails[scam].labels) == sorted(["UNREAD", "IMPORTANT", label])
    assert len(google.files) == 3
    page = next(
        file for file in google.files.values() if rows[0]["processing_metadata"]["workflow_id"] in file.name
    )
    assert page.kind == "text/html" and b"wellsfargo" in page.content
    for workflow in workflows():
        undone = run("undo", workflow)
        assert undone.exit_code == 0 and "failed" not in undone.output, undone.output
    assert google.state() == before
    assert run("undo", workflows()[0]).output.strip() == "nothing to undo: it was undone already"
    assert not (home() / "made_folders.txt").exists()


def test_without_move_the_mail_stays_in_the_inbox(google: GoogleApis) -> None:
    one = google.add(PHISH, "INBOX")
    assert run("assess", "--gmail", "--query", "in:inbox").exit_code == 0
    assert "INBOX" in google.mails[one].labels and len(google.mails[one].labels) == 2
    assert run("assess", "--gmail", "--query", "in:inbox").exit_code == 0, "a second time changes nothing"
    assert len(google.mails[one].labels) == 2
    assert not google.files, "nothing goes to the Drive unasked"


def test_where_precedents_are_missing_nothing_leaves_the_inbox(google: GoogleApis) -> None:
    one = google.add(PHISH, "INBOX")
    unsure = replace(
        assess_document(PHISH).assessment, answer="scam", probability=90.0, route="deep_analysis"
    )
    receipt = GmailSorter(account(), one, move=True)(unsure, rehearse=False)
    assert receipt.says == f"labelled {LABEL}" and "INBOX" in google.mails[one].labels


def test_rehearsing_changes_nothing(google: GoogleApis) -> None:
    google.add(PHISH, "INBOX", "UNREAD")
    before = google.state()
    done = run("assess", "--gmail", "--move", "--drive", "--rehearse", "--json")
    receipts = json.loads(done.stdout)["malafide"]["receipts"]
    assert {r["status"] for r in receipts} == {"rehearsed"} and len(receipts) == 4
    assert google.state() == before
    assert {method for method, _ in google.asked} == {"GET"}


def test_a_file_may_have_its_report_on_the_drive(google: GoogleApis, tmp_path: Path) -> None:
    (tmp_path / "note.eml").write_bytes(NOTE)
    assert run("assess", str(tmp_path / "note.eml"), "--drive").exit_code == 0
    assert len(google.files) == 1
    assert run("undo", *workflows()).exit_code == 0
    assert not google.files


def test_what_somebody_changed_since_is_left_alone(google: GoogleApis) -> None:
    one = google.add(PHISH, "INBOX", "UNREAD")
    run("assess", "--gmail", "--move", "--drive")
    google.mails[one].labels = ["STARRED"]
    (name,) = google.files
    google.files[name].content = b"mine now"
    undone = run("undo", *workflows())
    assert undone.exit_code == 1
    assert "taken off by somebody else" in undone.output and "changed since" in undone.output
    assert google.mails[one].labels == ["STARRED"] and google.files[name].content == b"mine now"
    again = run("undo", *workflows())
    assert again.exit_code == 1 and "report removed" not in again.output, (
        "what was undone is not undone twice"
    )


def test_a_label_that_was_there_stays(google: GoogleApis) -> None:
    google.labels["Label_7"] = LABEL
    google.add(PHISH, "INBOX", "UNREAD")
    before = google.state()
    run("assess", "--gmail")
    assert google.state() != before
    run("undo", *workflows())
    assert google.state() == before


def test_another_account_is_not_touched(google: GoogleApis) -> None:
    google.add(PHISH, "INBOX", "UNREAD")
    run("assess", "--gmail", "--drive")
    after = google.state()
    google.address = "bo@gmail.example"
    undone = run("undo", *workflows())
    assert undone.output.count("the connected account is bo@gmail.example") == 2
    assert google.state() == after


def test_refusals_are_receipts_or_rows(google: GoogleApis, monkeypatch: pytest.MonkeyPatch) -> None:
    for mail in (NOTE, PHISH):
        google.add(mail, "INBOX")
    coming = messages(account(), "in:inbox")
    assert next(coming)[1] == NOTE
    google.mails.clear()
    ((_, refused),) = coming
    assert isinstance(refused, UnreadableInput), "a mail that is gone by now does not end the run"
    at, assessment = account(), assess_document(PHISH).assessment
    google.failing = [403]
    with pytest.raises(UnwritableOutput, match=r"Google refused: .* \(status 403\)"):
        DriveReport(at)(assessment, rehearse=False)
    with pytest.raises(UnwritableOutput, match="404"):
        GmailSorter(at, "nowhere")(assessment, rehearse=False)
    monkeypatch.setattr(google_account, "ENDPOINT", "https://127.0.0.1:1")
    with pytest.raises(UnreadableInput, match="cannot be reached"):
        account()


def test_what_fails_for_a_moment_is_asked_again(google: GoogleApis) -> None:
    at = account()
    google.add(NOTE, "INBOX")
    google.failing = [503]
    assert [data for _, data in messages(at, "in:inbox")] == [NOTE]


def test_the_token_is_renewed(google: GoogleApis) -> None:
    token_path().write_text(google.token(token="old", expiry="2020-01-01T00:00:00Z"))
    assert account().address == google.address
    token_path().write_text(google.token(refresh_token="1//revoked", expiry="2020-01-01T00:00:00Z"))
    with pytest.raises(BadSetting, match="no longer takes the consent"):
        account()


@pytest.mark.parametrize("kept", ["{", "[]", '{"token": "x"}'])
def test_a_token_file_that_cannot_be_used(google: GoogleApis, kept: str) -> None:
    token_path().write_text(kept)
    with pytest.raises(BadSetting, match="malafide google"):
        account()


def test_no_account() -> None:
    with pytest.raises(BadSetting, match="no Google account is connected"):
        run("assess", "--gmail")
    with pytest.raises(BadSetting, match="--query"):
        run("assess", "--query", "in:inbox")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(google_account, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"malafide\[google\]"):
        run("assess", "--gmail")


class Browser:
    """A user who agrees to what is asked."""

    def __init__(self, google: GoogleApis) -> None:
        self._google = google

    def open(self, url: str, **_: object) -> bool:
        back = self._google.consent(parse_qs(urlsplit(url).query))
        threading.Thread(target=lambda: urllib.request.urlopen(back).read()).start()
        return True


def test_consent(google: GoogleApis, monkeypatch: pytest.MonkeyPatch) -> None:
    token_path().unlink()
    monkeypatch.setattr(webbrowser, "get", lambda using=None: Browser(google))
    done = run("google", str(google.client_file()))
    assert done.exit_code == 0 and f"connected {google.address}" in done.output
    assert token_path().stat().st_mode & 0o777 == 0o600
    assert run("assess", "--gmail").exit_code == 0
    google.granted = "https://www.googleapis.com/auth/gmail.modify"
    with pytest.raises(BadSetting, match="both rights are needed"):
        connect(google.client_file())


def test_a_file_that_is_no_client(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text("{}")
    for name in ("c.json", "gone.json"):
        with pytest.raises(UnreadableInput, match="no client file"):
            connect(tmp_path / name)
