"""Mail headers in, what the receiving server found out about the sender: SPF, DKIM, DMARC as it wrote them.

Nothing is checked again here (that would need the network). A small parser of our own reads
Authentication-Results as Microsoft, Google, Yahoo, Postfix filters and the rest write it, and Received-SPF;
it never raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from malafide.case import Header, Mail
from malafide.knowledge.headers import once_per_mail

_METHODS: Final = frozenset({"spf", "dkim", "dmarc", "compauth", "arc"})
_MOST_CHARS: Final = 4_000  # of one header; the longest honest one seen had 1,900
_MOST_RESULTS: Final = 40
# The properties that name the domain a method vouches for, by method.
_NAMED_BY: Final = {
    "dkim": ("header.d", "header.i", "header.from"),
    "spf": ("smtp.mailfrom", "smtp.mail", "smtp.from", "smtp.envelope-from", "envelope-from"),
    "dmarc": ("header.from", "from"),
}


@dataclass(frozen=True, slots=True)
class Result:
    """One method's outcome. `header` is the name of the header it stands in, `written` the words there."""

    method: str  # "spf", "dkim", "dmarc", "compauth" (Microsoft's own summary), "arc"
    outcome: str  # "pass", "fail", "softfail", "none", ...
    properties: tuple[tuple[str, str], ...]
    header: str
    written: str

    @property
    def domain(self) -> str:
        """The domain the method speaks about, lower case; "" when it names none."""
        known = dict(self.properties)
        for name in _NAMED_BY.get(self.method, ()):
            value = known.get(name, "").rpartition("@")[2].strip("<>\"'.,").lower()
            if value and value != "none":
                return value
        return ""


@once_per_mail
def results(mail: Mail) -> tuple[Result, ...]:
    """What the receiver found, in its own order; empty when it wrote nothing down."""
    found: list[Result] = []
    for header in _trusted(mail.headers):
        parse = _received_spf if header.name == "received-spf" else _authentication_results
        found.extend(parse(header))
    if any(r.header == "authentication-results" and r.method == "spf" for r in found):
        found = [r for r in found if r.header != "received-spf"]
    return tuple(found[:_MOST_RESULTS])


@once_per_mail
def aligned(mail: Mail) -> str | None:
    """The registrable domain of From if the receiver found that the mail really comes from it, else None."""
    from malafide.knowledge.domains import registrable

    if mail.sender is None or len(mail.senders) > 1 or not mail.sender.domain:
        return None
    domain = registrable(mail.sender.domain)
    found = results(mail)
    if not domain or any(r.method == "dmarc" and r.outcome == "fail" for r in found):
        return None
    for result in found:
        if result.outcome != "pass" or result.method not in _NAMED_BY:
            continue
        if result.domain and registrable(result.domain) == domain:
            return domain
    return None


def _trusted(headers: tuple[Header, ...]) -> Iterator[Header]:
    """The headers the receiving side wrote, as far as that can be told.

    Every server adds its headers on top, so the topmost Authentication-Results is the last one written, by
    the reader's own server; one further down may have come with the message, written by the sender in the
    receiver's name. Filters of one server write one each, with no Received between: those of the same server
    name are read too. ARC-Authentication-Results repeat what an earlier server said and are worth something
    only to who checks their seal; they are not read. A mail that met no checking server can still bring a
    forged one on top, which is why a pass is never more than weak evidence.
    """
    first: Header | None = None
    spf_seen = False
    for header in headers:
        if header.name == "authentication-results":
            if first is None:
                first = header
                yield header
            elif _server(header) == _server(first):
                yield header
        elif header.name == "received-spf" and not spf_seen:
            spf_seen = True
            yield header
        elif header.name == "received" and first is not None:
            return


def _server(header: Header) -> str:
    """The server that wrote the header; "" where it does not say (Microsoft)."""
    name = header.value[:_MOST_CHARS].partition(";")[0].split()
    return name[0].lower() if name and "=" not in name[0] else ""


def _authentication_results(header: Header) -> Iterator[Result]:
    for statement in _without_comments(header.value[:_MOST_CHARS]).split(";"):
        words = statement.replace(" =", "=").replace("= ", "=").split()
        for i, word in enumerate(words):
            method, equals, outcome = word.partition("=")
            method = method.partition("/")[0].lower()
            if equals and outcome and method in _METHODS:
                written = f"{word.partition('=')[0]}={outcome}"
                yield Result(method, outcome.lower(), _properties(words[i + 1 :]), header.name, written)
                break


def _received_spf(header: Header) -> Iterator[Result]:
    value = header.value[:_MOST_CHARS]
    words = _without_comments(value).replace(";", " ").split()
    if not words or not words[0].isalpha():
        return
    properties = _properties(words[1:])
    if "envelope-from" not in dict(properties):
        # Microsoft names the envelope sender only in the comment: "domain of example.com designates ...".
        _, _, after = value.partition("domain of ")
        if named := after.split(maxsplit=1)[:1]:
            properties = (*properties, ("envelope-from", named[0].lower()))
    yield Result("spf", words[0].lower(), properties, header.name, words[0])


def _properties(words: list[str]) -> tuple[tuple[str, str], ...]:
    pairs = (word.partition("=") for word in words)
    return tuple((name.lower(), value.lower()) for name, equals, value in pairs if equals and value)


def _without_comments(text: str) -> str:
    """The text with (comments) dropped, however deep, and quoted strings kept in one word."""
    kept: list[str] = []
    depth = 0
    quoted = False
    for character in text:
        if character == '"':
            quoted = not quoted
        elif quoted:
            if depth == 0:
                kept.append("_" if character in "; ()" else character)
        elif character == "(":
            depth += 1
        elif character == ")":
            depth = max(0, depth - 1)
            kept.append(" ")
        elif depth == 0:
            kept.append(character)
    return "".join(kept)
