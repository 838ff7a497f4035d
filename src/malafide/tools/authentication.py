"""Case in, evidence out: whether the receiving server confirmed that the mail comes from where it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Mail
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.authentication import Result, aligned, results
from malafide.knowledge.headers import is_list, place
from malafide.tools import tool

_TOOL: Final = "authentication"
_SAYS: Final[dict[tuple[str, str], tuple[Strength, str]]] = {
    ("dmarc", "fail"): (
        "moderate",
        "The domain in From has rules for its mail (DMARC), and this mail breaks them.",
    ),
    ("compauth", "fail"): (
        "weak",
        "The receiving server judged the sender to be not who it says (compauth).",
    ),
    ("spf", "fail"): ("weak", "The machine that sent this may not send for that domain (SPF)."),
    ("spf", "softfail"): (
        "slight",
        "The machine that sent this probably may not send for that domain (SPF).",
    ),
    ("spf", "permerror"): ("slight", "The sender domain's list of allowed machines (SPF) is broken."),
    ("dkim", "fail"): ("slight", "The mail's signature (DKIM) does not hold."),
}


@tool(_TOOL)
def authentication(case: Case) -> list[Evidence]:
    """What the receiving server recorded about the sender: SPF, DKIM, DMARC."""
    mail = case.mail
    if mail is None or not mail.headers:
        return []
    recorded = results(mail)
    if not recorded:
        return []
    domain = aligned(mail)
    if domain is not None:
        return list(_confirmed(case, mail, recorded, domain))
    return [*_failures(case, mail, recorded), *_unconfirmed(case, mail, recorded)]


def _confirmed(case: Case, mail: Mail, recorded: tuple[Result, ...], domain: str) -> Iterator[Evidence]:
    # Weak, because whoever registers a domain can authenticate it: of 400 phishing mails of 2022-23 more than
    # half pass SPF. It says that the mail is from that domain, not that the domain means well.
    passed = next((r for r in recorded if r.method == "dmarc" and r.outcome == "pass"), None)
    passed = passed or next(r for r in recorded if r.outcome == "pass" and r.domain)
    at = place(case, passed.header, passed.written)
    if at is not None and not mail.nested:
        yield observe(
            case, at, "authentication.confirmed", "authentication", "weak",
            f"The receiving server confirmed that the mail really comes from {domain}.",
            direction="genuine", tool=_TOOL,
        )  # fmt: skip


def _failures(case: Case, mail: Mail, recorded: tuple[Result, ...]) -> Iterator[Evidence]:
    seen: set[str] = set()
    through_list = is_list(mail)
    for result in recorded:
        says = _SAYS.get((result.method, result.outcome))
        at = place(case, result.header, result.written) if says else None
        if says is None or at is None or result.method in seen:
            continue
        seen.add(result.method)
        # A list that passes mail on breaks SPF and signatures of honest senders.
        strength: Strength = "slight" if through_list else says[0]
        kind = f"authentication.{result.method}-{result.outcome}"
        yield observe(case, at, kind, "authentication", strength, says[1], tool=_TOOL)


def _unconfirmed(case: Case, mail: Mail, recorded: tuple[Result, ...]) -> Iterator[Evidence]:
    """Nothing failed, but nothing vouches for the domain the reader sees either."""
    if mail.sender is None or any((r.method, r.outcome) in _SAYS for r in recorded):
        return
    vouched = next((r for r in recorded if r.outcome == "pass" and r.domain), None)
    shown = vouched or recorded[0]
    at = place(case, shown.header, shown.written)
    if at is None or is_list(mail):
        return
    if vouched is not None:
        yield observe(
            case, at, "authentication.other-domain", "authentication", "slight",
            f"The receiving server could confirm {vouched.domain}, but not {mail.sender.domain}, which the "
            "mail says it is from.",
            tool=_TOOL,
        )  # fmt: skip
    elif {r.method for r in recorded} & {"spf", "dkim"}:
        yield observe(
            case, at, "authentication.none", "authentication", "weak",
            f"Nothing confirms that the mail comes from {mail.sender.domain}.", tool=_TOOL,
        )  # fmt: skip
