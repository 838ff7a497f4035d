"""The fixed limits on hostile input, in one place. Over a limit a case says what was not read."""

from __future__ import annotations

from typing import Final

MAX_INPUT_BYTES: Final = 50_000_000  # refused above
MAX_PARTS: Final = 200  # MIME parts read
MAX_DEPTH: Final = 20  # MIME nesting followed
MAX_DECODED_BYTES: Final = 30_000_000  # all decoded MIME payloads together
MAX_HTML_BYTES: Final = 2_000_000  # HTML source parsed
MAX_HTML_DEPTH: Final = 400  # nesting of elements walked
MAX_HTML_NODES: Final = 100_000  # elements and texts walked
MAX_TEXT_CHARS: Final = 300_000  # text kept per part
MAX_HEADER_CHARS: Final = 20_000  # of one decoded header
MAX_HEADERS: Final = 500
MAX_ADDRESSES: Final = 100  # parsed of one header
MAX_LINKS: Final = 500
MAX_ARCHIVE_NAMES: Final = 200
MAX_IMAGE_BYTES: Final = 25_000_000  # of one picture; refused above
MAX_IMAGE_PIXELS: Final = 64_000_000  # refused above, before anything is decoded (192 MB as RGB)
MAX_FORENSIC_PIXELS: Final = 12_000_000  # examined for tampering; of a larger picture its middle
MAX_READ_PIXELS: Final = 1_000_000  # handed to the reader of text and codes; a larger picture is made smaller
MAX_PDF_PAGES: Final = 60  # read of one document; deceivers need one or two
MAX_ATTACHED_PAGES: Final = 5  # read of a document that came with a mail
MAX_PDF_SECONDS: Final = 8.0  # spent on reading one document; what is read by then counts
MAX_PDF_STREAM: Final = 20_000_000  # bytes of one unpacked stream
MAX_PDF_IMAGES: Final = 6  # pictures of a document looked into for codes and text
MAX_OFFICE_MEMBER: Final = 20_000_000  # bytes of one unpacked part of an office file
MAX_OFFICE_BYTES: Final = 60_000_000  # of all its parts together
MAX_OFFICE_PICTURES: Final = 6  # pictures of an office file looked into for codes and text
MAX_ATTACHED_DOCUMENTS: Final = 8  # of a mail that are opened
MAX_WRITING_SECONDS: Final = 8.0  # spent on reading what is written in the pictures of a mail
