"""The contracts at the edge: the exact fields each panel gives to the outside, one module each.

A module's `CONTRACT` is the TypedDict its JSON Schema is made from; the schema has the module's name.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Annotated, Any

from annotated_types import Ge, Le

from malafide.errors import UnknownName

Unit = Annotated[float, Ge(0), Le(1)]


def schema_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a panel's output."""
    from pydantic import TypeAdapter  # slow to import, needed here alone

    if name not in schema_names():
        raise UnknownName(f"there is no schema {name!r}; there are: {', '.join(schema_names())}")
    contract: Any = import_module(f"malafide.contracts.{name}").CONTRACT
    return TypeAdapter(contract).json_schema()
