"""Mail in a Gmail account: read without a trace, labelled when it is a scam, and put back. Never deletes mail."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any, Final

from malafide.actions.action import CLASSIFY, only_marked
from malafide.actions.google_account import Account, account, done
from malafide.actions.made import forget, made_folders, remember
from malafide.assessment import Assessment, Receipt
from malafide.errors import MalafideError, UnreadableInput, UnwritableOutput

LABEL: Final = "malafide/scam"
QUERY: Final = "is:unread in:inbox"
_INBOX: Final = "INBOX"
_TRIES: Final = 3


def messages(at: Account, query: str) -> Iterator[tuple[str, bytes | MalafideError]]:
    """The mails that a search finds, by their ids, as they came in; why not, for one that cannot be had."""
    for one in list(_ids(at, query)):  # all ids first: what is done to a mail may take it out of the search
        request = at.gmail.users().messages().get(userId="me", id=one, format="raw")
        try:
            raw = str(done(request, UnreadableInput, _TRIES).get("raw", ""))
            yield one, base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4))
        except MalafideError as error:
            yield one, error
        except binascii.Error:
            yield one, UnreadableInput("Google sent a mail that cannot be decoded.")


def _ids(at: Account, query: str) -> Iterator[str]:
    page = None
    while True:
        request = at.gmail.users().messages().list(userId="me", q=query, pageToken=page, maxResults=500)
        found = done(request, UnreadableInput, _TRIES)
        yield from (str(one["id"]) for one in found.get("messages", ()))
        page = found.get("nextPageToken")
        if not page:
            return


class GmailSorter:
    """One mail: given a label, and taken out of the inbox where the user wants that."""

    name = CLASSIFY

    def __init__(self, at: Account, message: str, *, move: bool = False) -> None:
        self._at, self._message, self._move = at, message, move

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:
        move = self._move and not only_marked(assessment)
        says = f"labelled {LABEL}" + (" and taken out of the inbox" if move else "")
        if rehearse:
            return Receipt(self.name, "rehearsed", says)
        label = _label(self._at)
        before = _labels_of(self._at, self._message)
        added = [label] if label not in before else []
        removed = [_INBOX] if move and _INBOX in before else []
        if not added and not removed:
            return Receipt(self.name, "skipped", f"{says} already")
        _modify(self._at, self._message, added, removed)
        how = {
            "by": "gmail", "account": self._at.address, "message": self._message,
            "label": label, "added": added, "removed": removed,
        }  # fmt: skip
        return Receipt(self.name, "done", says, how)


def _label(at: Account) -> str:
    """The id of the label, which is made when it is not there."""
    labels = at.gmail.users().labels()
    for one in done(labels.list(userId="me"), tries=_TRIES).get("labels", ()):
        if one["name"] == LABEL:
            return str(one["id"])
    visible = {"labelListVisibility": "labelShow", "messageListVisibility": "show"}
    made = str(done(labels.create(userId="me", body={"name": LABEL, **visible}))["id"])
    remember(_address(at, made))
    return made


def _labels_of(at: Account, message: str) -> list[str]:
    request = at.gmail.users().messages().get(userId="me", id=message, format="minimal")
    return [str(label) for label in done(request, tries=_TRIES).get("labelIds", ())]


def _modify(at: Account, message: str, add: list[str], remove: list[str]) -> None:
    body = {"addLabelIds": add, "removeLabelIds": remove}
    done(at.gmail.users().messages().modify(userId="me", id=message, body=body), tries=_TRIES)


def _address(at: Account, label: str) -> str:
    return f"gmail://{at.address}/{label}"


def undo_gmail(how: dict[str, Any]) -> str:
    """Gives the mail the labels it had. The label itself goes too, if malafide made it and no mail has it any more."""
    at = account()
    at.own(how)
    if not set(how["added"]) <= set(_labels_of(at, how["message"])):
        raise UnwritableOutput(f"the label {LABEL} was taken off by somebody else; nothing was changed")
    _modify(at, how["message"], how["removed"], how["added"])
    made = _address(at, how["label"])
    listed = at.gmail.users().messages().list(
        userId="me", labelIds=[how["label"]], maxResults=1, includeSpamTrash=True
    )  # fmt: skip
    if made in made_folders() and not done(listed, tries=_TRIES).get("messages"):
        done(at.gmail.users().labels().delete(userId="me", id=how["label"]))
        forget(made)
    return "put back to the inbox, label taken off" if how["removed"] else "label taken off"
