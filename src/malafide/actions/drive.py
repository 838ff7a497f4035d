"""Puts the report on an assessment on the user's Google Drive, and takes it away again."""

from __future__ import annotations

import hashlib
from typing import Any

from malafide.actions.action import REPORT
from malafide.actions.google_account import Account, account, done
from malafide.assessment import Assessment, Receipt
from malafide.errors import UnwritableOutput
from malafide.render.assessment_html import assessment_page


class DriveReport:
    """A page named after the workflow, seen by nobody but the owner of the Drive."""

    name = REPORT

    def __init__(self, at: Account) -> None:
        self._at = at

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:
        title = f"malafide report {assessment.workflow_id}.html"
        says = f"report on Google Drive: {title}"
        if rehearse:
            return Receipt(self.name, "rehearsed", says)
        from googleapiclient.http import MediaInMemoryUpload

        page = assessment_page(assessment).encode()
        request = self._at.drive.files().create(
            body={"name": title, "mimeType": "text/html"},
            media_body=MediaInMemoryUpload(page, mimetype="text/html"),
            fields="id",
        )
        how = {
            "by": "drive", "account": self._at.address, "file": str(done(request)["id"]),
            "md5": hashlib.md5(page, usedforsecurity=False).hexdigest(),  # the digest that Drive keeps
        }  # fmt: skip
        return Receipt(self.name, "done", says, how)


def undo_drive(how: dict[str, Any]) -> str:
    """Deletes the file that was put there, unless somebody changed it since."""
    at = account()
    at.own(how)
    files = at.drive.files()
    there = done(files.get(fileId=how["file"], fields="md5Checksum"), tries=3)
    if there.get("md5Checksum") != how["md5"]:
        raise UnwritableOutput("the report on Google Drive was changed since and stays")
    done(files.delete(fileId=how["file"]), tries=3)
    return "report taken off Google Drive"
