"""Answers kept, to not ask the same twice: one small SQLite file under the home folder, readable by its owner."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from malafide.exchange import Reply
from malafide.home import home

_MOST: Final = 20_000  # answers kept; the oldest go
_TIDY_EVERY: Final = 200  # answers; finding the oldest means sorting all
_WAIT_SECONDS: Final = 5.0


class AnswerCache:
    """Keyed by everything that matters: model, whole prompt (with it the agent's spec and the catalog), schema.

    A cache that cannot be used is no cache: an answer is then simply asked for again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or home() / "answers.sqlite"

    def get(self, key: str) -> Reply | None:
        if not self.path.is_file():
            return None
        try:
            with closing(self._open()) as db:
                row = db.execute("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
            return replace(Reply(**json.loads(row[0])), remembered=True) if row else None
        except (sqlite3.Error, ValueError, TypeError, OSError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keeps a usable answer."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(self._open()) as db, db:
                db.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, at REAL, reply TEXT)")
                done = db.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)",
                    (key, time.time(), json.dumps(asdict(reply))),
                )
                if (done.lastrowid or 0) % _TIDY_EVERY == 0:
                    db.execute(
                        "DELETE FROM answers WHERE key IN "
                        "(SELECT key FROM answers ORDER BY at DESC LIMIT -1 OFFSET ?)",
                        (_MOST,),
                    )
        except (sqlite3.Error, OSError):
            return

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_WAIT_SECONDS)
