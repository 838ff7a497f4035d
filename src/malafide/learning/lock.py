"""One at a time: whoever changes what is remembered holds the lock of the home folder.

The system lets go of it when its process ends, however it ends, so a lock is never left behind.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from malafide.errors import BrokenStore, Busy
from malafide.home import home

PATIENCE: Final = 5.0  # seconds that a short change waits for another
_BETWEEN: Final = 0.05

if sys.platform == "win32":
    import msvcrt

    def _grab(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _grab(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def changing(what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Holds the lock. Raises Busy, with who holds it, when it is not free within the patience."""
    path = home() / "learning.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BrokenStore(
            f"cannot write in {str(home())!r}: {error.strerror}; set MALAFIDE_HOME to a folder that can be written"
        ) from None
    try:
        _wait(handle, patience)
        os.lseek(handle, 1, os.SEEK_SET)  # the first byte is what is locked
        os.write(handle, f"{what} (process {os.getpid()})\n".encode())
        os.ftruncate(handle, os.lseek(handle, 0, os.SEEK_CUR))
        yield
    finally:
        os.close(handle)


def _wait(handle: int, patience: float) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            _grab(handle)
        except OSError:
            if time.monotonic() >= until:
                os.lseek(handle, 1, os.SEEK_SET)
                holder = os.read(handle, 200).decode("utf-8", "replace").strip()
                raise Busy(
                    f"another malafide is changing what is remembered in {str(home())!r}: {holder or 'unknown'}; "
                    "nothing was changed, try again when it is done"
                ) from None
            time.sleep(_BETWEEN)
        else:
            return
