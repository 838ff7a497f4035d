"""Where malafide keeps what it remembers: MALAFIDE_HOME, or the user's data folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def home() -> Path:
    """The folder, not yet made: whoever writes into it first makes it."""
    if chosen := os.environ.get("MALAFIDE_HOME"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "malafide"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/malafide"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "malafide"
