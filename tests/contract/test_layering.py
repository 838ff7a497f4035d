"""The flow goes one way: a module imports only what stands above it."""

from __future__ import annotations

import ast
from pathlib import Path

import malafide

ROOT = Path(malafide.__file__).parent

# From the ground up. A package may import those before it and itself.
ORDER = """
    version errors files limits home settings exchange case evidence folding registry opinion verdict assessment
    contracts record imaging intake knowledge rules tools minds signals panel consensus benches decoy learning render
    actions judging store measure service volume doors client
""".split()


def package_of(module: str) -> str:
    return module.split(".")[1] if module.startswith("malafide.") else ""


def test_every_module_imports_only_what_stands_above_it() -> None:
    wrong = []
    for file in ROOT.rglob("*.py"):
        own = file.relative_to(ROOT).parts[0].removesuffix(".py")
        if own in ("__init__", "__main__"):
            continue
        assert own in ORDER, f"{own} has no place in the flow yet: add it to ORDER"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = (
                [node.module or ""] if isinstance(node, ast.ImportFrom)
                else [a.name for a in node.names] if isinstance(node, ast.Import) else []
            )  # fmt: skip
            for name in filter(None, map(package_of, names)):
                if ORDER.index(name) > ORDER.index(own):
                    wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_any_exception_is_caught_in_one_place_only() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
        )
    ]
    assert [f.split(":")[0] for f in found] == ["panel/hearing.py"]
