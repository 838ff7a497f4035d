"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from malafide.errors import UnwritableOutput


def write_atomically(path: Path, text: str) -> None:
    """Writes beside the file, then takes its place: a reader never sees half a report."""
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")  # a device or pipe cannot be replaced
            return
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise UnwritableOutput(f"cannot write {str(path)!r}: {reason}; choose another file") from None
