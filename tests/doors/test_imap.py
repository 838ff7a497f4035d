"""A mailbox on a real server: Dovecot from Debian's package, started here on a free port, as root or as a user."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from imapclient import IMAPClient
from test_assess import NOTE, PHISH, workflows

from malafide import assess_document
from malafide.actions.executer import undo
from malafide.actions.imap import ImapSorter, Server, connected, messages
from malafide.doors.cli import app
from malafide.errors import BadSetting

CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{base}/mail/%u
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
mail_uid = {uid}
mail_gid = {gid}
first_valid_uid = 0
first_valid_gid = 0
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/home/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


def _install() -> bool:
    if shutil.which("dovecot"):
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    done = subprocess.run(
        ["apt-get", "install", "-y", "dovecot-imapd"],
        check=False, capture_output=True, timeout=300, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )  # fmt: skip
    return done.returncode == 0 and shutil.which("dovecot") is not None


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    if not _install():
        pytest.skip("Dovecot cannot be installed here: apt-get install dovecot-imapd")
    base = Path(tempfile.mkdtemp(prefix="dovecot-"))
    base.chmod(0o755)
    (base / "mail").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
    # Dovecot gives no mailbox to root: as root it runs as the user its package makes.
    who = pwd.getpwnam("dovecot") if os.geteuid() == 0 else pwd.getpwuid(os.getuid())
    os.chown(base / "mail", who.pw_uid, who.pw_gid)
    config = base / "dovecot.conf"
    group = grp.getgrgid(who.pw_gid).gr_name
    config.write_text(
        CONFIG.format(base=base, port=number, uid=who.pw_uid, gid=who.pw_gid, user=who.pw_name, group=group)
    )
    server = subprocess.Popen(["dovecot", "-F", "-c", str(config)])
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", number), timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    else:
        server.terminate()
        pytest.fail(f"Dovecot did not start: {(base / 'log').read_text() if (base / 'log').exists() else ''}")
    yield number
    server.terminate()
    server.wait(10)
    shutil.rmtree(base, ignore_errors=True)


def _state(port: int) -> dict[str, list[tuple[bytes, tuple[bytes, ...], object]]]:
    """Every mail of every folder: its bytes, flags and date."""
    found = {}
    with _session(port) as client:
        for _, _, folder in client.list_folders():
            client.select_folder(folder, readonly=True)
            mails = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "FLAGS", "INTERNALDATE"])
            found[folder] = sorted(
                (m[b"BODY[]"], tuple(sorted(f for f in m[b"FLAGS"] if f != b"\\Recent")), m[b"INTERNALDATE"])
                for m in mails.values()
            )
    return found


def _session(port: int) -> IMAPClient:
    client = IMAPClient("127.0.0.1", port=port, ssl=False)
    client.login("ann", "secret")
    return client


@pytest.fixture
def box(port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a mailbox with two copies of a scam, flagged and dated differently, and a note."""
    monkeypatch.setenv("MALAFIDE_IMAP_PASSWORD", "secret")
    dated = datetime(2026, 3, 2, 9, 30, tzinfo=timezone(timedelta(hours=2)))
    with _session(port) as client:
        client.append("INBOX", PHISH, [b"\\Answered", b"$Forwarded", b"ToDo"], dated)
        client.append("INBOX", NOTE, (), dated - timedelta(days=400))
        client.append("INBOX", PHISH, [b"\\Seen", b"\\Draft"], dated - timedelta(days=3))
    yield f"imap://ann@127.0.0.1:{port}"
    with _session(port) as client:
        for _, _, folder in client.list_folders():
            client.select_folder(folder)
            client.delete_messages(client.search("ALL"))
            client.expunge()
            if folder != "INBOX":
                client.close_folder()
                client.delete_folder(folder)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, args, catch_exceptions=False)


def _undo_all() -> list[str]:
    return [run("undo", workflow).output for workflow in workflows()]


def test_scams_are_moved_and_put_back(port: int, box: str) -> None:
    before = _state(port)
    rehearsed = run("assess", "--imap", box, "--rehearse")
    assert rehearsed.exit_code == 0 and _state(port) == before
    assert all("nothing was done" in said for said in _undo_all())
    result = run("assess", "--imap", box)
    assert result.exit_code == 0, result.output
    after = _state(port)
    assert [m[0] for m in after["Scam"]] == [PHISH] * 2 and [m[0] for m in after["INBOX"]] == [NOTE]
    assert {m[1:] for m in after["Scam"]} == {m[1:] for m in before["INBOX"] if m[0] == PHISH}
    assert after["INBOX"][0][1] == (), "reading left the mail unread"
    assert not [said for said in _undo_all() if "failed" in said]
    assert _state(port) == before, "content, flags, keywords and dates; the folder Scam is gone too"
    assert all("it was undone already" in said or "nothing was done" in said for said in _undo_all())
    assert _state(port) == before


def test_undone_in_any_order_each_copy_gets_its_own_flags_back(port: int, box: str) -> None:
    before = _state(port)
    run("assess", "--imap", box)
    with _session(port) as client:
        client.append("Scam", NOTE)  # something else comes in meanwhile
    for workflow in reversed(workflows()):
        assert "failed" not in run("undo", workflow).output
    after = _state(port)
    assert [m[0] for m in after.pop("Scam")] == [NOTE], "a folder with somebody's mail in it stays"
    assert after == before


def test_a_mail_that_somebody_moved_on_is_not_looked_for(port: int, box: str) -> None:
    run("assess", "--imap", box)
    with _session(port) as client:
        client.select_folder("Scam")
        client.move(client.search("ALL"), "INBOX")
    after = _state(port)
    said = [one for one in _undo_all() if "somebody else moved it on" in one]
    assert len(said) == 2 and _state(port) == after
    with _session(port) as client:
        client.delete_folder("Scam")
    assert len([one for one in _undo_all() if "somebody else moved it on" in one]) == 2


def test_where_precedents_are_missing_a_mail_is_flagged_and_the_flag_taken_away(port: int, box: str) -> None:
    before = _state(port)
    unsure = replace(
        assess_document(PHISH).assessment, answer="scam", probability=90.0, route="deep_analysis"
    )
    server = Server.parse(box)
    with connected(server, "secret") as client:
        (uid, *_) = [number for number, _ in messages(client, "INBOX")]
        sorter = ImapSorter(client, server, "INBOX", uid)
        receipt = sorter(unsure, rehearse=False)
        assert (receipt.status, receipt.says) == ("done", "flagged")
        assert sorter(unsure, rehearse=False).status == "skipped"
    assert sum(b"\\Flagged" in m[1] for m in _state(port)["INBOX"]) == 1
    (undone,) = undo([receipt])
    assert undone.status == "undone" and _state(port) == before
    (again,) = undo([receipt])
    assert again.status == "failed" and "no longer has the flag" in again.says and _state(port) == before


def test_a_wrong_password_is_one_sentence(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from malafide.errors import UnreadableInput

    monkeypatch.setenv("MALAFIDE_IMAP_PASSWORD", "wrong")
    with pytest.raises(UnreadableInput, match="refused"):
        run("assess", "--imap", f"imap://ann@127.0.0.1:{port}")


@pytest.mark.parametrize(
    "text", ["host", "ann@", "ftp://ann@host", "imap://ann@mail.example.com", "ann:pw@host", "ann@host:x"]
)
def test_addresses_that_are_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="--imap"):
        Server.parse(text)


def test_addresses() -> None:
    assert Server.parse("ann@mail.example.com") == Server("mail.example.com", "ann", 993, True)
    assert Server.parse("imap://a%40b@localhost:1143") == Server("localhost", "a@b", 1143, False)
