"""The bytes of a PDF that cannot be read in; what pdfium can still make of it out, read in a process of its own.

The reader of whole files gives up on cut-off ones. pdfium (extra `pdf`) does not, but it takes two gigabytes for a
bomb, so it runs in a child with limits of memory and time. Without it only the addresses of links are found.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from malafide.case import Case, Document, Mail, Span
from malafide.intake.assembly import Assembly
from malafide.intake.weblinks import find_urls
from malafide.intake.writing import Eyes
from malafide.limits import MAX_INPUT_BYTES, MAX_LINKS, MAX_PDF_SECONDS, MAX_READ_PIXELS, MAX_TEXT_CHARS

if TYPE_CHECKING:
    from malafide.imaging.decode import Pixels

_CHILD: Final = Path(__file__).with_name("pdf_child.py")
_CATALOG: Final = re.compile(rb"(\d{1,8}) (\d{1,5}) obj\s{0,9}<<[^<>]{0,500}/Type\s{0,9}/Catalog")
_ADDRESS: Final = re.compile(rb"/URI\s{0,9}\((https?://[^()\s]{4,2000})\)")
DRAWN: Final = 2  # pages
_FEW: Final = 40  # characters: a page with fewer is taken for a picture
_MOST_PIXELS: Final = 4 * MAX_READ_PIXELS


@dataclass(slots=True)
class _Rescued:
    """What the child told."""

    pages: int = 0
    read: list[dict[str, Any]] = field(default_factory=list)


def rescue(data: bytes, case_id: str, source: str, most_pages: int, eyes: Eyes) -> Case | None:
    """The Case of what is left of a broken document; None when nothing is."""
    # Starting a process takes a tenth of a second and more: there is time for it where there is time to read pictures.
    told = _ask(_with_end(data), most_pages) if eyes.writing is not None else _Rescued()
    work = Assembly(eyes)
    pictured = 0
    for number, page in enumerate(told.read, start=1):
        pictured += _page(work, number, page)
    known = {link.target for link in work.links}
    loose = dict.fromkeys(found.decode("utf-8", "replace") for found in _ADDRESS.findall(data)[:MAX_LINKS])
    for target in loose:
        if target not in known:
            work.add_link(target, "", "pdf", None)
    if told.read:
        work.limit("The file is damaged or cut off; only what could still be found in it was read.")
    else:
        more = "" if available() else "; more may be read with the extra 'pdf' (pip install 'malafide[pdf]')"
        work.limit(f"The file is damaged or cut off; only the addresses of its links could be read{more}.")
    if not work.links and not any(part.text.strip() for part in work.parts):
        return None
    work.finish()
    pages = max(told.pages, 1)
    facts = Document("pdf", pages, len(told.read), images=pictured, pictured=pictured)
    mail = Mail(links=tuple(work.links), types=("application/pdf",))
    limits = tuple(work.limitations)
    return Case(case_id, "document", tuple(work.parts), mail, limits, source, document=facts)


def drawn_pages(data: bytes) -> list[Pixels]:
    """The first pages of a whole document as pixels: for codes and writing that are drawn in lines."""
    drawn = (_drawn(page) for page in _ask(data, DRAWN).read)
    return [pixels for pixels in drawn if pixels is not None]


def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("pypdfium2") is not None


def _with_end(data: bytes) -> bytes:
    """A file whose end is cut off has no word on where to begin; give it one if its catalog is still there."""
    last = next(reversed([*_CATALOG.finditer(data)]), None)
    if last is None or b"/Root" in data[-2_048:]:
        return data
    root = b"%s %s R" % (last[1], last[2])
    return data + b"\nendstream\nendobj\ntrailer\n<< /Root " + root + b" >>\nstartxref\n0\n%%EOF\n"


def _ask(data: bytes, most_pages: int) -> _Rescued:
    told = _Rescued()
    if not available() or len(data) > MAX_INPUT_BYTES:
        return told
    command = [sys.executable, "-I", str(_CHILD), str(most_pages)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=MAX_PDF_SECONDS, check=False)
        output = done.stdout
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
    except OSError:
        return told
    for line in output.splitlines()[: most_pages + 1]:
        try:
            found = json.loads(line)
        except ValueError:  # it was ended in the middle of a line
            break
        if "pages" in found:
            told.pages = int(found["pages"])
        else:
            told.read.append(found)
    return told


def _page(work: Assembly, number: int, page: dict[str, Any]) -> bool:
    """One page as the child told it; whether it is a picture."""
    lines = str(page["text"]).replace("\0", "").replace("\ufffe", "-").splitlines()
    text = "\n".join(line.rstrip() for line in lines).strip()[:MAX_TEXT_CHARS]
    text = text.encode("utf-8", "replace").decode("utf-8")
    drawn = _drawn(page)
    pictured = len(text) < _FEW and drawn is not None
    if pictured and drawn is not None:
        text = "\n".join(filter(None, [text, *_written(work, number, drawn)]))
    part = f"page/{number}"
    work.add_part(part, "body", text)
    taken: list[tuple[int, int]] = []
    for target, words in page["links"]:
        start = text.find(words) if words else -1
        shown = Span(part, start, start + len(words)) if start >= 0 else None
        work.add_link(" ".join(str(target).split()), words, "pdf", shown)
        taken.extend([(start, start + len(words))] if shown else [])
    work.add_urls(text, part, 0, "text", sorted(taken))
    if drawn is not None:
        from malafide.imaging.codes import read_codes

        for code in read_codes(drawn):
            for start, end in find_urls(code.text):
                work.add_link(code.text[start:end], "", "qr", None)
    return pictured


def _written(work: Assembly, number: int, drawn: Pixels) -> list[str]:
    import numpy as np

    writing = work.eyes.writing
    if writing is None or writing.missing:
        why = f": {writing.missing}" if writing is not None else ""
        work.limit(f"Page {number} is a picture whose writing was not read{why}.")
        return []
    return writing.lines(np.repeat(drawn[:, :, None], 3, axis=2))


def _drawn(page: dict[str, Any]) -> Pixels | None:
    """The page as pixels of one value each."""
    import numpy as np

    if "picture" not in page:
        return None
    width, height, stride = (int(n) for n in page["size"])
    if not 0 < width <= stride or not 0 < height * stride <= _MOST_PIXELS:
        return None
    packed = base64.b64decode(page["picture"])
    raw = zlib.decompressobj().decompress(packed, height * stride)
    if len(raw) < height * stride:
        return None
    return np.frombuffer(raw, np.uint8)[: height * stride].reshape(height, stride)[:, :width]
