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
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_assess import NOTE, PHISH, workflows

from malafide.actions.imap import Server
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
    from imapclient import IMAPClient

    found = {}
    with IMAPClient("127.0.0.1", port=port, ssl=False) as client:
        client.login("ann", "secret")
        for _, _, folder in client.list_folders():
            client.select_folder(folder, readonly=True)
            mails = client.fetch(client.search("ALL"), ["BODY.PEEK[]", "FLAGS", "INTERNALDATE"])
            found[folder] = sorted(
                (m[b"BODY[]"], tuple(sorted(f for f in m[b"FLAGS"] if f != b"\\Recent")), m[b"INTERNALDATE"])
                for m in mails.values()
            )
    return found


def test_scams_are_moved_and_put_back(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from imapclient import IMAPClient

    monkeypatch.setenv("MALAFIDE_IMAP_PASSWORD", "secret")
    with IMAPClient("127.0.0.1", port=port, ssl=False) as client:
        client.login("ann", "secret")
        client.append("INBOX", PHISH, flags=[b"\\Answered"])
        client.append("INBOX", NOTE)
    before = _state(port)
    address = f"imap://ann@127.0.0.1:{port}"
    rehearsed = CliRunner().invoke(app, ["assess", "--imap", address, "--rehearse"], catch_exceptions=False)
    assert rehearsed.exit_code == 0 and _state(port) == before
    for workflow in workflows():
        CliRunner().invoke(app, ["undo", workflow], catch_exceptions=False)
    result = CliRunner().invoke(app, ["assess", "--imap", address], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    after = _state(port)
    assert [m[0] for m in after["Scam"]] == [PHISH] and [m[0] for m in after["INBOX"]] == [NOTE]
    assert after["INBOX"][0][1] == (), "reading left the mail unread"
    for workflow in workflows():
        undone = CliRunner().invoke(app, ["undo", workflow], catch_exceptions=False)
        assert "failed" not in undone.output, undone.output
    assert _state(port) == before


def test_a_wrong_password_is_one_sentence(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from malafide.errors import UnreadableInput

    monkeypatch.setenv("MALAFIDE_IMAP_PASSWORD", "wrong")
    with pytest.raises(UnreadableInput, match="refused"):
        CliRunner().invoke(app, ["assess", "--imap", f"imap://ann@127.0.0.1:{port}"], catch_exceptions=False)


@pytest.mark.parametrize(
    "text", ["host", "ann@", "ftp://ann@host", "imap://ann@mail.example.com", "ann:pw@host", "ann@host:x"]
)
def test_addresses_that_are_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="--imap"):
        Server.parse(text)


def test_addresses() -> None:
    assert Server.parse("ann@mail.example.com") == Server("mail.example.com", "ann", 993, True)
    assert Server.parse("imap://a%40b@localhost:1143") == Server("localhost", "a@b", 1143, False)
