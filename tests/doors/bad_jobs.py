"""Jobs that no judge process survives, or ends in time."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from malafide.judging import Tell
from malafide.service.chambers import Chambers


class Ends:
    """A job that ends the process it is done in."""

    def do(self, chambers: Chambers, tell: Tell | None) -> None:
        os._exit(3)


class EndsOnce:
    """Does so the first time."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def do(self, chambers: Chambers, tell: Tell | None) -> str:
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"


class Sleeps:
    def do(self, chambers: Chambers, tell: Tell | None) -> None:
        time.sleep(60)
