"""Finds what is registered: every module of a package is imported, its decorators do the rest.

Adding a tool, an agent or an input format is adding one file; nothing is listed anywhere else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Generic, TypeVar

from malafide.errors import UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """Named components of one package, loaded on first use and kept in order of their names."""

    def __init__(self, package: str, noun: str) -> None:
        self._package = package
        self._noun = noun
        self._items: dict[str, T] = {}
        self._loaded = False

    def add(self, name: str, item: T) -> None:
        if name in self._items:
            raise ValueError(f"two {self._noun}s are named {name!r}")
        self._items[name] = item

    def _load(self) -> dict[str, T]:
        if not self._loaded:
            package = importlib.import_module(self._package)
            for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
                importlib.import_module(f"{self._package}.{module}")
            self._items = dict(sorted(self._items.items()))
            self._loaded = True
        return self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._load().values())

    def names(self) -> list[str]:
        return list(self._load())

    def get(self, name: str) -> T:
        try:
            return self._load()[name]
        except KeyError:
            known = ", ".join(self.names())
            raise UnknownName(f"there is no {self._noun} {name!r}; there are: {known}") from None
