"""A message in, its addresses out: links, mailboxes, payment names and handles, also where they are disguised.

hxxps://pay[.]example/x    pay dot example dot com slash x    name (at) ybl    t.me/name    @name
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import re2

from malafide.knowledge.domains import known_suffix, parse

AddressKind = Literal["link", "email", "upi", "telegram", "whatsapp", "handle"]


@dataclass(frozen=True, slots=True)
class Found:
    """An address at text[start:end], in its plain spelling."""

    kind: AddressKind
    value: str
    start: int
    end: int


_DOT: Final = r"(?:\.|\s?[\[({]\s?\.\s?[\])}]\s?|\s?[\[({]\s?dot\s?[\])}]\s?)"
_SCHEME: Final = r"h ?(?:t ?t|x ?x|\* ?\*) ?p ?s? ?(?::|\[:\]|\(:\)) ?/ ?/ ?"
_EXPLICIT: Final = re2.compile(rf"(?i)\b{_SCHEME}(?:[^\s<>\"']|{_DOT})+")
_BARE: Final = re2.compile(
    rf"(?i)\b(?:[a-z0-9_](?:[a-z0-9_-]{{0,61}}[a-z0-9_])?{_DOT}){{1,6}}[a-z]{{2,18}}(?:[/?][^\s<>\"']*)?"
)
_SPOKEN_ENDINGS: Final = (
    "com|in|net|org|info|xyz|top|online|site|co|live|shop|app|link|click|me|io|test|example"
)
_SPOKEN: Final = re2.compile(
    rf"(?i)\b[a-z0-9][a-z0-9-]*(?:(?: (?:dash|hyphen) | dot )[a-z0-9][a-z0-9-]*){{0,6}} dot (?:{_SPOKEN_ENDINGS})\b"
    r"(?: slash [a-z0-9-]+){0,4}"
)
_AT: Final = r"(?:\s?[\[({<]\s?(?:at|@)\s?[\])}>]\s?|\sat the rate(?: of)?\s|\sat\s|\s@\s?|@\s)"
_EMAIL: Final = tuple(
    # Plain ones first: "write to me at name@..." must not begin with "me".
    re2.compile(
        rf"(?i)\b[a-z0-9][\w.+-]{{0,63}}{at}[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?(?:(?:{_DOT}|"
        rf" dot )[a-z0-9-]{{2,20}}){{1,4}}\b"
    )
    for at in ("@", _AT)
)
_UPI: Final = tuple(re2.compile(rf"(?i)\b[a-z0-9][\w.-]{{1,63}}{at}[a-z]{{2,24}}\b") for at in ("@", _AT))
_UPI_LINK: Final = re2.compile(r"(?i)\bupi://pay\?\S*?\bpa=([\w.-]{2,64}(?:@|%40)[a-z]{2,24})\S*")
_MESSENGER: Final = re2.compile(
    r"(?i)\b(?:https?://)?(?:www\.)?(t\.me|telegram\.me|telegram\.dog|wa\.me|api\.whatsapp\.com/send\?phone=|chat\.whatsapp\.com)/?([\w+]{3,40})"
)
_HANDLE: Final = re2.compile(r"(?:^|[\s(:,\"'])(@[A-Za-z][\w.]{2,31})")
_NAMED: Final = re2.compile(
    r"(?i)\b(?:telegram|tg|whats ?app|insta(?:gram)?|skype|signal|snap(?:chat)?|line|wechat)(?: (?:id|handle|"
    r"username|user|name|pe|on|par|channel|is|me|at))*\s?[:=-]?\s?@?([A-Za-z][\w.]{3,31})"
)
_PLATFORM: Final = {"telegram": r"telegram|\btg\b", "whatsapp": r"whats ?app"}
_PLATFORMS: Final = {kind: re2.compile(f"(?i){words}") for kind, words in _PLATFORM.items()}
# Names behind the @ of Indian payment addresses; needed only where the @ itself is disguised as a word.
UPI_BANKS: Final = frozenset(
    """okaxis okhdfcbank okicici oksbi ybl ibl axl paytm ptyes ptsbi ptaxis pthdfc upi apl yapl rapl fbl jupiteraxis
    axisb axisbank icici sbi hdfcbank hdfc kotak airtel jio freecharge mbk postbank fam barodampay idfcbank indus pnb
    federal waicici wahdfcbank waaxis wasbi naviaxis slice timecosmos ikwik aubank rbl yesbank cnrb unionbank idbi
    """.split()
)  # fmt: skip
_COMMON_ENDINGS: Final = frozenset(
    """com net org in co info xyz top online site shop link click app io me ly live club vip icu buzz cc tk ml ga cf
    gq ru cn uk de fr es it nl br us biz store tech website space pro world today fun cfd sbs rest test example
    """.split()
)
_FILES: Final = frozenset("pdf apk exe doc docx jpg jpeg png zip txt html php mp4 xls xlsx csv".split())
_SENTENCE_END: Final = ".,;:!?)]}>'\"*_”’»"


def addresses(text: str) -> list[Found]:
    """Every address in the text, in order; no two share a character."""
    found: list[Found] = []
    if "/" in text:
        _keep(found, _messengers(text))
        _keep(found, _upi_links(text))
    low = text.lower()
    if "://" in text or "xx" in low or "tt" in low or "**" in text or "t t p" in low:
        _keep(found, _explicit(text))
    if "@" in text or "at" in low:
        for plain_or_not in range(2):
            _keep(found, _mailboxes(text, plain_or_not))
            _keep(found, _payment_names(text, plain_or_not))
    if "." in text or "dot" in low:
        _keep(found, _bare(text))
    if " dot " in low:
        _keep(found, _spoken(text))
    _keep(found, _handles(text))
    return sorted(found, key=lambda one: one.start)


def _keep(found: list[Found], more: Iterator[Found]) -> None:
    for one in more:
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)


def _undone(written: str) -> str:
    """A link without its disguise."""
    plain = written
    for bracket in ("[", "(", "{"):
        closing = {"[": "]", "(": ")", "{": "}"}[bracket]
        for inside in (".", "dot", "DOT", "Dot", ":"):
            for padded in (f"{bracket}{inside}{closing}", f"{bracket} {inside} {closing}"):
                plain = plain.replace(f" {padded} ", padded).replace(padded, "." if inside != ":" else ":")
    return "".join(plain.split())


def _trimmed(text: str, start: int, end: int) -> int:
    """Where an address ends when the sentence around it ends there too."""
    while end > start and text[end - 1] in _SENTENCE_END:
        last = text[end - 1]
        if last in ")]}" and text.count({")": "(", "]": "[", "}": "{"}[last], start, end) >= text.count(
            last, start, end
        ):
            break
        end -= 1
    return end


def _explicit(text: str) -> Iterator[Found]:
    for match in _EXPLICIT.finditer(text):
        end = _trimmed(text, match.start(), match.end())
        plain = _undone(text[match.start() : end])
        scheme, _, rest = plain.partition("//")
        if (rest and "." in rest.partition("/")[0]) or rest.startswith("localhost"):
            secure = "s" if "s" in scheme.lower().replace(":", "")[-1:] else ""
            yield Found("link", f"http{secure}://{rest}", match.start(), end)


def _bare(text: str) -> Iterator[Found]:
    for match in _BARE.finditer(text):
        end = _trimmed(text, match.start(), match.end())
        written = text[match.start() : end]
        plain = _undone(written)
        host, slash, _ = plain.replace("?", "/").partition("/")
        last = host.rpartition(".")[2].lower()
        if (
            text[match.start() - 1 : match.start()] in ("@", "/", ".")
            or last in _FILES
            or not known_suffix(host.lower())
        ):
            continue
        disguised = plain != written
        sentence = (
            not host.islower() and not disguised and host.split(".")[-1][:1].isupper()
        )  # "done.Next step"
        plain_enough = bool(slash) or host.lower().startswith("www.") or disguised or "-" in host
        if not sentence and (plain_enough or last in _COMMON_ENDINGS) and parse("http://" + plain).host:
            yield Found("link", "http://" + plain, match.start(), end)


def _spoken(text: str) -> Iterator[Found]:
    for match in _SPOKEN.finditer(text):
        plain = match.group().lower()
        for word, sign in ((" dot ", "."), (" dash ", "-"), (" hyphen ", "-"), (" slash ", "/")):
            plain = plain.replace(word, sign)
        yield Found("link", "http://" + plain, *match.span())


def _mailboxes(text: str, form: int) -> Iterator[Found]:
    for match in _EMAIL[form].finditer(text):
        written = match.group()
        plain = _undone(_one_at(written).replace(" dot ", "."))
        local, _, domain = plain.partition("@")
        ending = domain.rpartition(".")[2].lower()
        if not local or ending in _FILES or not known_suffix(domain.lower()):
            continue
        if " at " in written.lower() and "@" not in written and " dot " not in written.lower():
            continue  # "meet me at example.com"
        yield Found("email", plain, *match.span())


def _one_at(written: str) -> str:
    low = written.lower()
    for sign in (
        "[at]",
        "(at)",
        "{at}",
        "<at>",
        "[@]",
        "(@)",
        "[ at ]",
        "( at )",
        " at the rate of ",
        " at the rate ",
        " at ",
    ):
        at = low.find(sign)
        if at >= 0:
            return written[:at].rstrip() + "@" + written[at + len(sign) :].lstrip()
    return written


def _payment_names(text: str, form: int) -> Iterator[Found]:
    for match in _UPI[form].finditer(text):
        written = match.group()
        after = text[match.end() : match.end() + 2]
        if after[:1] in ("-", "@", "_") or (after[:1] == "." and after[1:].isalnum()) or after[:1] == "[":
            continue
        plain = "".join(_one_at(written).split())
        local, _, bank = plain.partition("@")
        spoken = "@" not in written and "at]" not in written.lower() and "at)" not in written.lower()
        spaced = "@" in written and " " in written
        if (spoken or spaced) and bank.lower() not in UPI_BANKS:
            continue
        if spoken and not any(c.isdigit() or c in "._-" for c in local) and "upi" not in text.lower():
            continue
        yield Found("upi", f"{local}@{bank}", *match.span())


def _upi_links(text: str) -> Iterator[Found]:
    for match in _UPI_LINK.finditer(text):
        yield Found("upi", match.group(1).replace("%40", "@"), *match.span())


def _messengers(text: str) -> Iterator[Found]:
    for match in _MESSENGER.finditer(text):
        place, name = match.group(1).lower(), match.group(2)
        written = match.group()
        if written.lower().startswith("http"):
            # With its scheme it is a link like any other; the handle is read off it by whoever asks.
            yield Found(
                "link", text[match.start() : _trimmed(text, match.start(), match.end())], *match.span()
            )
        elif place.startswith(("t.me", "telegram")):
            yield Found("telegram", "@" + name, *match.span())
        else:
            yield Found("whatsapp", "+" + name if name.isdigit() else name, *match.span())


def _handles(text: str) -> Iterator[Found]:
    if "@" in text:
        for match in _HANDLE.finditer(text):
            start, end = match.span(1)
            end = start + len(text[start:end].rstrip("."))
            yield Found(_platform(text, start, end), text[start:end], start, end)
    for match in _NAMED.finditer(text):
        name = match.group(1).rstrip(".")
        if any(c.isdigit() or c == "_" for c in name):
            kind = _platform(text, match.start(), match.end())
            start = match.start(1)
            yield Found(kind, "@" + name, start, start + len(name))


def _platform(text: str, start: int, end: int) -> AddressKind:
    around = text[max(0, start - 40) : end + 25]
    for kind, expression in _PLATFORMS.items():
        if expression.search(around):
            return "telegram" if kind == "telegram" else "whatsapp"
    return "handle"
