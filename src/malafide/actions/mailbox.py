"""Moves a scam out of a Maildir or a folder, or marks it there. Never deletes; the receipt holds the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from malafide.actions.action import CLASSIFY, only_marked
from malafide.actions.made import make, remove_if_empty
from malafide.assessment import Assessment, Receipt
from malafide.errors import UnwritableOutput

FOLDER: Final = "Scam"


class FileSorter:
    """The file an assessment is about. In a Maildir it goes to the folder .Scam, elsewhere to scam/ beside it."""

    name = CLASSIFY

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:
        maildir = maildir_of(self._path)
        if only_marked(assessment):
            if maildir is None:
                return Receipt(
                    self.name, "skipped", "left in place: not certain enough to move without precedents"
                )
            return self._rename(maildir / "cur" / _flagged(self._path.name), "marked as important", rehearse)
        if maildir is not None:
            target = maildir / f".{FOLDER}" / "cur" / _seen_name(self._path)
            return self._rename(target, f"moved to the folder {FOLDER}", rehearse)
        return self._rename(
            self._path.parent / FOLDER.lower() / self._path.name, f"moved to {FOLDER.lower()}/", rehearse
        )

    def _rename(self, target: Path, says: str, rehearse: bool) -> Receipt:
        if rehearse:
            return Receipt(self.name, "rehearsed", says)
        if target == self._path:
            return Receipt(self.name, "skipped", f"{says} already")
        for folder in _needed(target.parent, self._path):
            make(folder)
        if target.exists():
            raise UnwritableOutput(f"{str(target)!r} exists already; nothing was moved")
        self._path.rename(target)
        return Receipt(self.name, "done", says, {"by": "mailbox", "from": str(self._path), "to": str(target)})


def maildir_of(path: Path) -> Path | None:
    """The Maildir a file lies in."""
    box = path.parent.parent
    inside = path.parent.name in ("cur", "new") and all((box / part).is_dir() for part in ("cur", "new"))
    return box if inside else None


def _needed(folder: Path, origin: Path) -> list[Path]:
    """The folders that must be there for a file to be put into one; a Maildir needs its three."""
    if maildir_of(origin) is not None and folder.parent.name == f".{FOLDER}":
        return [folder.parent, folder, folder.parent / "new", folder.parent / "tmp"]
    return [folder]


def _flagged(name: str) -> str:
    """The name with Maildir's mark for important mail."""
    stem, comma, flags = name.partition(":2,")
    return f"{stem}:2,{''.join(sorted({*flags, 'F'}))}" if comma else f"{name}:2,F"


def _seen_name(path: Path) -> str:
    return path.name if ":2," in path.name else f"{path.name}:2,"


def undo_mailbox(how: dict[str, Any]) -> str:
    """Puts the file back under its old name."""
    there, back = Path(how["to"]), Path(how["from"])
    if not there.is_file():
        raise UnwritableOutput(
            f"{str(there)!r} is no longer there; it was moved on or removed by somebody else"
        )
    if back.exists():
        raise UnwritableOutput(f"{str(back)!r} exists again; nothing was moved")
    there.rename(back)
    remove_if_empty(*reversed(_needed(there.parent, back)))
    return f"put back to {back}"
