"""The folders malafide made for its actions: when the last thing in one is put back, the folder goes too."""

from __future__ import annotations

from pathlib import Path

from malafide.files import write_atomically
from malafide.home import home


def _ledger() -> Path:
    return home() / "made_folders.txt"


def made_folders() -> list[str]:
    """In the order they were made."""
    try:
        return _ledger().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []


def remember(*names: str) -> None:
    known = made_folders()
    new = [name for name in names if name not in known and "\n" not in name]
    if new:
        _ledger().parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_ledger(), "".join(f"{name}\n" for name in (*known, *new)))


def forget(name: str) -> None:
    rest = [known for known in made_folders() if known != name]
    if rest:
        write_atomically(_ledger(), "".join(f"{one}\n" for one in rest))
    else:
        _ledger().unlink(missing_ok=True)


def make(folder: Path) -> None:
    """Makes a folder, if it is not there, and remembers that."""
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True)
        remember(str(folder))


def remove_if_empty(*folders: Path) -> None:
    """Removes those that malafide made and nothing is in any more; give the inner ones first."""
    known = made_folders()
    for folder in folders:
        if str(folder) in known and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            forget(str(folder))
