"""Prints what reading office files costs, ordinary and hostile, beside python-docx where it is installed.

python -m benchmarks.office_files
"""

from __future__ import annotations

import io
import resource
import time
from collections.abc import Callable
from importlib.util import find_spec

from benchmarks.made_office import office_ordinary
from benchmarks.office_writer import docx, xlsx, zipped
from benchmarks.ole_writer import word
from malafide.errors import MalafideError
from malafide.intake.documents import read_document

_W = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
_END = b"</w:body></w:document>"
_LINE = "The committee met on Tuesday and talked about the new boat house and its roof."
_TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Override PartName="/word/document.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type='
    b'"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    b"</Relationships>"
)


def crooked(body: bytes) -> bytes:
    return zipped({"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS, "word/document.xml": body})


def _paragraphs(words: bytes) -> bytes:
    return b"<w:p><w:r><w:t>" + words + b"</w:t></w:r></w:p>"


FILES: dict[str, Callable[[], bytes]] = {
    "Word, one page": lambda: crooked(_W + _paragraphs(_LINE.encode()) * 40 + _END),
    "Word, 100 pages": lambda: docx("\n".join([_LINE] * 4_000)),
    "Excel, 5,000 rows": lambda: xlsx("\n".join(["boat  12.50  paid"] * 5_000)),
    "Word of 2003, one page": lambda: word("\n".join([_LINE] * 40)),
    "zip bomb, 500 MB in one word": lambda: crooked(_W + b"<w:p><w:r><w:t>" + b"a" * 500_000_000),
    "900,000 paragraphs": lambda: crooked(_W + _paragraphs(b"a") * 900_000 + _END),
    "100,000 nested elements": lambda: crooked(_W + b"<w:p>" * 100_000),
    "RTF, 900,000 words": lambda: b"{\\rtf1 " + b"\\par a" * 900_000 + b"}",
}


def ours(data: bytes) -> str:
    try:
        case = read_document(data)
    except MalafideError as error:
        return str(error)
    return case.limitations[0] if case.limitations else "read"


def theirs(data: bytes) -> str:
    from docx import Document  # type: ignore[import-not-found]

    return f"read {sum(len(p.text) for p in Document(io.BytesIO(data)).paragraphs)} characters"


def milliseconds(run: Callable[[bytes], str], data: bytes) -> tuple[float, str]:
    started = time.process_time()
    try:
        said = run(data)
    except (ValueError, KeyError, OSError, SyntaxError, RecursionError) as error:
        said = type(error).__name__
    return (time.process_time() - started) * 1000, said


def main() -> None:
    for _, data in office_ordinary():  # so that everything is loaded
        read_document(data)
    print(f"{'file':30}{'CPU':>10}  outcome")
    for name, make in FILES.items():
        taken, said = milliseconds(ours, make())
        print(f"{name:30}{taken:>7.1f} ms  {said}")
    print(
        f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB, making the files included"
    )
    if find_spec("docx") is None:
        print("python-docx is not installed, so it is not compared (pip install python-docx)")
        return
    print("\npython-docx, the same files, text of paragraphs only:")
    for name, make in FILES.items():
        if name in ("Word, one page", "900,000 paragraphs"):
            taken, said = milliseconds(theirs, make())
            print(f"{name:30}{taken:>7.1f} ms  {said}")


if __name__ == "__main__":
    main()
