"""The catalog of a PDF in, what it does by itself, the files in it and its fields out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, StreamObject

from malafide.case import DocumentAct
from malafide.intake.pdf_pages import name_of, resolved

_MOST: Final = 100  # of anything
_DEPTH: Final = 12  # of trees of names and chains of actions
_LONGEST: Final = 4_000  # characters kept of a script or target
# What an action is called in the file, and what it does.
_DOES: Final[dict[str, DocumentAct]] = {
    "/JavaScript": "script",
    "/Launch": "launch",
    "/SubmitForm": "submit",
    "/ImportData": "fetch",
    "/GoToR": "fetch",
    "/GoToE": "fetch",
    "/URI": "open-link",
}


@dataclass(frozen=True, slots=True)
class Deed:
    """An action and what it acts on: the script, the program, the address."""

    does: DocumentAct
    words: str
    automatic: bool


@dataclass(frozen=True, slots=True)
class Inner:
    """A file inside the document."""

    name: str
    data: bytes


def deeds(action: object, *, automatic: bool, depth: int = 0) -> Iterator[Deed]:
    """What an action does, and those chained to it. `/AA` holds several, one per occasion."""
    action = resolved(action)
    if isinstance(action, ArrayObject):
        for one in action[:_MOST]:
            yield from deeds(one, automatic=automatic, depth=depth + 1)
    if not isinstance(action, DictionaryObject) or depth > _DEPTH:
        return
    does = _DOES.get(name_of(resolved(action.get("/S"))))
    if does is not None:
        if words := _target(action, does):
            yield Deed(does, words, automatic)
        yield from deeds(action.get("/Next"), automatic=automatic, depth=depth + 1)
    elif "/S" not in action:
        for one in list(action.values())[:_MOST]:
            if isinstance(resolved(one), DictionaryObject):
                yield from deeds(one, automatic=True, depth=depth + 1)


def _target(action: DictionaryObject, does: DocumentAct) -> str:
    key = {"script": "/JS", "open-link": "/URI"}.get(does, "/F")
    value = resolved(action.get(key))
    if does == "launch" and value is None:
        value = resolved(action.get("/Win"))
    if isinstance(value, DictionaryObject) and not isinstance(value, StreamObject):
        parts = [str(resolved(value[k])) for k in ("/UF", "/F", "/P") if k in value]
        return _flat(" ".join(dict.fromkeys(parts)))
    return _flat(_words(value))


def _words(value: object) -> str:
    if isinstance(value, StreamObject):
        return value.get_data()[:_LONGEST].decode("latin-1")
    if isinstance(value, bytes):
        return value[:_LONGEST].decode("utf-8", "replace")
    return "" if value is None else str(value)


def _flat(text: str) -> str:
    plain = text[:_LONGEST].encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    return " ".join(plain.split())


def own_deeds(reader: PdfReader) -> Iterator[Deed]:
    """What the document itself does: on opening, on closing, and the scripts it keeps."""
    root = reader.root_object
    yield from deeds(root.get("/OpenAction"), automatic=True)
    yield from deeds(root.get("/AA"), automatic=True)
    names = resolved(root.get("/Names"))
    if isinstance(names, DictionaryObject):
        for _, action in _tree(names.get("/JavaScript")):
            yield from deeds(action, automatic=True)


def inner_files(reader: PdfReader) -> Iterator[Inner]:
    names = resolved(reader.root_object.get("/Names"))
    if not isinstance(names, DictionaryObject):
        return
    for name, entry in _tree(names.get("/EmbeddedFiles")):
        spec = resolved(entry)
        if not isinstance(spec, DictionaryObject):
            continue
        held = resolved(spec.get("/EF"))
        stream = resolved(held.get("/F") or held.get("/UF")) if isinstance(held, DictionaryObject) else None
        shown = str(resolved(spec.get("/UF") or spec.get("/F") or name))
        data = stream.get_data() if isinstance(stream, StreamObject) else b""
        yield Inner(_flat(shown)[:300] or "unnamed", data)


def _tree(node: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """The names and values of a name tree, up to so many."""
    node = resolved(node)
    if not isinstance(node, DictionaryObject) or depth > _DEPTH:
        return
    listed = resolved(node.get("/Names"))
    if isinstance(listed, ArrayObject):
        for i in range(0, min(len(listed) - 1, 2 * _MOST), 2):
            yield str(resolved(listed[i])), listed[i + 1]
    below = resolved(node.get("/Kids"))
    if isinstance(below, ArrayObject):
        for kid in below[:_MOST]:
            yield from _tree(kid, depth + 1)


def field_names(reader: PdfReader) -> tuple[str, ...]:
    """What can be filled in: the label of each field, or its name."""
    form = resolved(reader.root_object.get("/AcroForm"))
    fields = resolved(form.get("/Fields")) if isinstance(form, DictionaryObject) else None
    found: list[str] = []
    for entry in fields[:_MOST] if isinstance(fields, ArrayObject) else ():
        one = resolved(entry)
        if isinstance(one, DictionaryObject):
            name = _flat(str(resolved(one.get("/TU") or one.get("/T") or "")))[:100]
            if name and name_of(resolved(one.get("/FT"))) != "/Sig":
                found.append(name)
    return tuple(found)
