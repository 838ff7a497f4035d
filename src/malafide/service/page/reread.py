"""A stored case's bytes in, the Case they become out: so that words can be marked where they stand."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from malafide.case import Case
from malafide.errors import MalafideError

_KEPT: Final = 16  # cases whose text stays read: somebody who looks at one looks at it again
_SMALL: Final = 500_000  # bytes; what is larger is read again each time


def reread(panel: str, content: bytes, name: str) -> Case | None:
    """The case as its panel read it; None where there is no text to mark or it cannot be read any more."""
    return (_read if len(content) <= _SMALL else _read.__wrapped__)(panel, content, name)


@lru_cache(maxsize=_KEPT)
def _read(panel: str, content: bytes, name: str) -> Case | None:
    from malafide.intake import read_bytes
    from malafide.intake.conversation import read_conversation
    from malafide.intake.documents import from_bytes
    from malafide.intake.posts import read_post

    try:
        if panel == "spam":
            return read_bytes(content, name)
        if panel == "document":
            return from_bytes(content, name)
        if panel == "conversation":
            return read_conversation(content, name)[0]
        if panel == "post":
            return read_post(json.loads(content), name).case
    except (MalafideError, ValueError, RecursionError):
        return None
    return None
