"""A program of its own: a broken PDF on its input, what pdfium can still read of it as JSON on its output.

It runs apart from everything else because a bomb makes pdfium ask for gigabytes: here it gets one, and six seconds.
"""

from __future__ import annotations

import base64
import ctypes
import json
import sys
import zlib
from collections.abc import Iterator
from typing import Any, Final

MEMORY: Final = 1_000_000_000  # bytes it may ask for; reading a page of text takes 120 MB
SECONDS: Final = 6
_MOST_TEXT: Final = 300_000
_MOST_LINKS: Final = 200
_RENDERED: Final = 2  # pages drawn, so that codes and writing in them can be read
_PIXELS: Final = 1_400  # of the longer side of a drawn page


def main() -> int:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    import pypdfium2

    most = int(sys.argv[1])
    document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
    count = len(document)
    print(json.dumps({"pages": count}), flush=True)
    for number in range(min(count, most)):
        print(json.dumps(_page(document[number], number < _RENDERED)), flush=True)
    return 0


def _page(page: Any, draw: bool) -> dict[str, Any]:
    words = page.get_textpage()
    text = words.get_text_bounded()[:_MOST_TEXT]
    found: dict[str, Any] = {"text": text, "links": [*_links(page, words)]}
    if draw:
        scale = min(2.0, _PIXELS / max(page.get_size()))
        bitmap = page.render(scale=scale, grayscale=True)
        found["size"] = [bitmap.width, bitmap.height, bitmap.stride]
        found["picture"] = base64.b64encode(zlib.compress(bytes(bitmap.buffer), 1)).decode()
    return found


def _links(page: Any, words: Any) -> Iterator[list[str]]:
    import pypdfium2.raw as pdfium

    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(_MOST_LINKS):
        if not pdfium.FPDFLink_Enumerate(page, position, link):
            return
        action = pdfium.FPDFLink_GetAction(link)
        length = pdfium.FPDFAction_GetURIPath(page.pdf, action, None, 0) if action else 0
        if length > 1:
            buffer = ctypes.create_string_buffer(min(length, 8_000))
            pdfium.FPDFAction_GetURIPath(page.pdf, action, buffer, len(buffer))
            box = pdfium.FS_RECTF()
            pdfium.FPDFLink_GetAnnotRect(link, box)
            shown = words.get_text_bounded(box.left, box.bottom, box.right, box.top)
            yield [buffer.value.decode("utf-8", "replace"), " ".join(shown.split())[:200]]


if __name__ == "__main__":
    sys.exit(main())
