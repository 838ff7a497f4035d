"""Made-up mail for the tests of the header and structure tools."""

from malafide.case import Case
from malafide.intake import read_bytes

USUAL = {
    "Received": "from mail.example.com (mail.example.com [93.184.216.34]) by mx.example.net (Postfix) "
    "with ESMTP id 1; Mon, 5 May 2025 10:00:01 +0000",
    "From": "Anna Berg <anna@example.com>",
    "To": "Ben Carter <ben@example.net>",
    "Subject": "Minutes of Monday",
    "Date": "Mon, 5 May 2025 10:00:00 +0000",
    "Message-ID": "<20250505100000.4711@example.com>",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
}
BODY = (
    "Hi Ben,\n\nthe minutes of our meeting are on the shelf, and Clara has the keys for the room.\n\nAnna\n"
)


def mail(body: str = BODY, /, **changes: str | None) -> Case:
    """The usual mail with some headers changed (None: left out; an underscore stands for a dash)."""
    headers = dict(USUAL)
    for name, value in changes.items():
        name = name.replace("_", "-")
        known = next((usual for usual in headers if usual.lower() == name.lower()), name)
        headers.pop(known, None) if value is None else headers.update({known: value})
    lines = [f"{name}: {line}" for name, value in headers.items() for line in value.split("\n")]
    return read_bytes(("\n".join(lines) + "\n\n" + body).encode())


def kinds(tool: object, case: Case) -> set[str]:
    """The names of what a tool finds, after checking that every quote stands where the evidence says."""
    found = tool(case)  # type: ignore[operator]
    assert all(e.holds_in(case) and len(e.quote) <= 200 and e.sentence.endswith(".") for e in found)
    return {e.kind.partition(".")[2] for e in found}
