"""Files that are written whole or not at all, for the commands."""

from __future__ import annotations

from malafide.files import write_atomically

__all__ = ["write_atomically"]
