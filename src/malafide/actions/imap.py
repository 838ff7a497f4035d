"""Mail on an IMAP server: read without a trace, moved or flagged when it is a scam, and put back. Never deletes.

Passwords come from MALAFIDE_IMAP_PASSWORD or are asked for; they are in no receipt and no log.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from malafide.actions.action import CLASSIFY, only_marked
from malafide.actions.made import forget, made_folders, remember
from malafide.actions.mailbox import FOLDER
from malafide.assessment import Assessment, Receipt
from malafide.case import case_id
from malafide.errors import BadSetting, MissingExtra, UnreadableInput, UnwritableOutput
from malafide.limits import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from imapclient import IMAPClient

PASSWORD: Final = "MALAFIDE_IMAP_PASSWORD"
_SECONDS: Final = 30.0
_FLAG: Final = b"\\Flagged"
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Server:
    """Where the mailbox is. Only on this machine may the line be in the clear."""

    host: str
    user: str
    port: int
    tls: bool

    @classmethod
    def parse(cls, text: str) -> Server:
        """From `user@host`, `imaps://user@host:port`, or on this machine `imap://user@localhost:port`."""
        url = urlsplit(text if "://" in text else f"imaps://{text}")
        try:
            port = url.port
        except ValueError:
            port = -1
        if (
            url.scheme not in ("imap", "imaps")
            or not url.hostname
            or not url.username
            or port == -1
            or url.password
        ):
            raise BadSetting(
                f"--imap {text!r}: write it like ann@mail.example.com or imaps://ann@mail.example.com:993 "
                f"(the password comes from {PASSWORD} or is asked for)"
            )
        tls = url.scheme == "imaps"
        if not tls and url.hostname not in _LOOPBACK:
            raise BadSetting(f"--imap {text!r}: without encryption only this machine is asked; use imaps://")
        return cls(url.hostname, unquote(url.username), port or (993 if tls else 143), tls)


@contextmanager
def connected(server: Server, password: str) -> Iterator[IMAPClient]:
    """A session. What the server refuses is one sentence."""
    try:
        from imapclient import IMAPClient
        from imapclient.exceptions import IMAPClientError
    except ImportError:
        raise MissingExtra("mail on a server needs the extra 'imap': pip install 'malafide[imap]'") from None
    try:
        client = IMAPClient(server.host, port=server.port, ssl=server.tls, timeout=_SECONDS)
    except (OSError, IMAPClientError) as error:
        raise UnreadableInput(f"cannot reach {server.host}:{server.port}: {error}") from None
    try:
        client.login(server.user, password)
        yield client
    except IMAPClientError as error:
        raise UnreadableInput(f"{server.host} refused: {str(error)[:200]}") from None
    finally:
        try:
            client.logout()
        except (OSError, IMAPClientError):
            client.shutdown()


def messages(client: IMAPClient, folder: str) -> Iterator[tuple[int, bytes | None]]:
    """Every mail of a folder by its number, unread ones left unread; None for one that is too large."""
    client.select_folder(folder)
    for uid in client.search("ALL"):
        size = client.fetch([uid], ["RFC822.SIZE"]).get(uid, {}).get(b"RFC822.SIZE", 0)
        if size > MAX_INPUT_BYTES:
            yield uid, None
            continue
        fetched = client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {})
        if b"BODY[]" in fetched:
            yield uid, fetched[b"BODY[]"]


class ImapSorter:
    """One mail of a folder: moved to the folder Scam, or flagged where it is."""

    name = CLASSIFY

    def __init__(self, client: IMAPClient, server: Server, folder: str, uid: int) -> None:
        self._client, self._server, self._folder, self._uid = client, server, folder, uid

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:
        marked = only_marked(assessment)
        says = "flagged" if marked else f"moved to the folder {FOLDER}"
        if rehearse:
            return Receipt(self.name, "rehearsed", says)
        from imapclient.exceptions import IMAPClientError

        try:
            return self._flag(says) if marked else self._move(says, assessment.case.id)
        except IMAPClientError as error:
            raise UnwritableOutput(f"{self._server.host} refused: {str(error)[:200]}") from None

    def _flag(self, says: str) -> Receipt:
        if _FLAG in self._client.get_flags([self._uid]).get(self._uid, ()):
            return Receipt(self.name, "skipped", "flagged already")
        self._client.add_flags([self._uid], [_FLAG])
        validity = int(self._client.select_folder(self._folder)[b"UIDVALIDITY"])
        how = {"did": "flag", "uid": self._uid, "validity": validity}
        return Receipt(self.name, "done", says, self._how() | how)

    def _move(self, says: str, case: str) -> Receipt:
        if not self._client.folder_exists(FOLDER):
            self._client.create_folder(FOLDER)
            remember(_address(self._server, FOLDER))
        status = self._client.folder_status(FOLDER, ["UIDNEXT", "UIDVALIDITY"])
        self._client.move([self._uid], FOLDER)
        how = self._how() | {
            "did": "move",
            "uid": int(
                status[b"UIDNEXT"]
            ),  # the first that a mail coming in gets; it has this or a later one
            "case": case,
            "validity": int(status[b"UIDVALIDITY"]),
            "to": FOLDER,
        }
        return Receipt(self.name, "done", says, how)

    def _how(self) -> dict[str, Any]:
        s = self._server
        return {
            "by": "imap", "host": s.host, "user": s.user, "port": s.port, "tls": s.tls, "folder": self._folder,
        }  # fmt: skip


def _address(server: Server, folder: str) -> str:
    return f"imap://{server.user}@{server.host}:{server.port}/{folder}"


def undo_imap(how: dict[str, Any]) -> str:
    """Puts the mail back into the folder it was in, or takes the flag away."""
    password = os.environ.get(PASSWORD)
    if password is None:
        raise BadSetting(f"the mailbox of {how['user']} on {how['host']} needs its password: set {PASSWORD}")
    server = Server(how["host"], how["user"], int(how["port"]), bool(how["tls"]))
    with connected(server, password) as client:
        if how["did"] == "flag":
            (uid, *_) = (*_since(client, how["folder"], how), 0)
            if uid != how["uid"] or _FLAG not in client.get_flags([uid]).get(uid, ()):
                raise UnwritableOutput(
                    f"the mail in {how['folder']} no longer has the flag; somebody else took it"
                )
            client.remove_flags([uid], [_FLAG])
            return "flag taken away"
        for uid in _since(client, how["to"], how):
            if case_id(client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]) == how["case"]:
                client.move([uid], how["folder"])
                break
        else:
            raise UnwritableOutput(f"the mail is no longer in {how['to']}; somebody else moved it on")
        address = _address(server, how["to"])
        if address in made_folders() and not client.search("ALL"):
            client.close_folder()
            client.delete_folder(how["to"])
            forget(address)
    return f"put back to {how['folder']}"


def _since(client: IMAPClient, folder: str, how: dict[str, Any]) -> list[int]:
    """The numbers of a folder from the receipt's on, none if they are counted anew; the folder is selected."""
    if (
        not client.folder_exists(folder)
        or int(client.select_folder(folder)[b"UIDVALIDITY"]) != how["validity"]
    ):
        return []
    return sorted(uid for uid in client.search("ALL") if uid >= how["uid"])
