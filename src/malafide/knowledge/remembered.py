"""What malafide has learned and is used from then on: the catalog and the precedents in the home folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from malafide.errors import UnreadableInput
from malafide.home import home
from malafide.knowledge.catalog import FILE_NAME, Catalog, load
from malafide.knowledge.recollection import Recollection
from malafide.knowledge.testimony import Testimony

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was learned; empty means built-in knowledge only."""

    catalog: Catalog | None = None
    precedents: Precedents | None = None

    def witnesses(self) -> list[Testimony | Recollection]:
        """Those who speak from it about a case."""
        return [
            *([Testimony(self.catalog)] if self.catalog is not None else []),
            *([Recollection(self.precedents)] if self.precedents is not None else []),
        ]


def catalog_path() -> Path:
    return home() / FILE_NAME


def read_catalog(path: Path) -> Catalog:
    """The catalog in a file."""
    try:
        return load(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise UnreadableInput(f"cannot read the catalog {str(path)!r}: {error.strerror}") from None


def remembered(catalog: Path | None = None) -> Knowledge:
    """What the home folder holds, or with `catalog` the catalog of another file beside its precedents."""
    path = catalog or catalog_path()
    learned = read_catalog(path) if catalog is not None or path.exists() else None
    stored = None
    if (home() / "precedents.sqlite").exists():  # only then is numpy worth its import
        from malafide.knowledge.precedents import Precedents

        stored = Precedents()
    return Knowledge(learned, stored)
