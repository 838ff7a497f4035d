"""Case in, evidence out: who the mail says it comes from, against where it comes from."""

from __future__ import annotations

from typing import Final

import re2

from malafide.case import Address, Case, Mail, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.folding import fold
from malafide.knowledge.brands import Mention, mentions, owners, owns
from malafide.knowledge.domains import label, registrable
from malafide.knowledge.hosts import is_free_mail, kinds
from malafide.tools import tool
from malafide.tools._claims import claim_in_text
from malafide.tools._destinations import by_host, home

_GLUED: Final = re2.compile(r"(\p{Ll})(\p{Lu})")  # BinanceMail
# Words that stand beside an organisation's name when it speaks for itself.
_ROLE_WORDS: Final = """
    account accounts admin administration administrator alert alerts bank banking billing card care center
    centre claims client clients communications confirmation customer customers delivery department desk
    express fraud gift giveaway group help helpdesk inc info information international invoice limited llc
    login ltd mail member members membership message messages msg news noreply no-reply notice notification
    notifications notify office official online order orders parcel pay payment payments post prime promo
    protection rebate receipt reply reward rewards safety sas security service services shipping shop store
    subscription subscriptions support survey system team tracking transaction unit update updates us uk usa
    verification verify wallet winner your the from and of by to at de der com net app web id kundenservice
    kundendienst kundensupport sicherheit konto paket sendung servicio cliente atencion seguridad cuenta
    aviso soporte equipe securite compte colis assistance livraison atendimento seguranca conta suporte
    assistenza clienti sicurezza servizio conto klantenservice beveiliging rekening pakket
"""
_ROLES: Final = frozenset(_ROLE_WORDS.split())


@tool("organisations")
def organisations(case: Case) -> list[Evidence]:
    """Who the mail claims to be, against where it really comes from."""
    mail = case.mail
    if mail is None or mail.sender is None:
        return []
    sender = mail.sender
    named = _named(sender)
    if named is not None and owns(named.brand, sender.domain):
        named = None
    if named is not None:
        return [_impostor(case, sender, named)]
    if owners(sender.domain):
        return _proven(case, mail, sender)
    if (evidence := _in_local_part(case, sender)) is not None:
        return [evidence]
    claim = claim_in_text(case)
    return [claim] if claim is not None else []


def _named(sender: Address) -> Mention | None:
    """The organisation a sender's name says it is, if it says so plainly."""
    name = sender.name[:200]
    if not name or "@" in name:
        return None
    spaced = _GLUED.sub(r"\1 \2", name).replace(".", " ").replace("_", " ")
    for text in (name, spaced) if spaced != name else (name,):
        for mention in mentions(text):
            if _plainly(mention, text, sender):
                return mention
    return None


def _beside(text: str, mention: Mention) -> list[str]:
    """The words of the name beside the organisation's."""
    rest = fold(f"{text[: mention.start]} {text[mention.end :]}").text
    words = "".join(c if c.isalnum() or c in "-'" else " " for c in rest).split()
    return [word for word in words if len(word) > 1 and not word.isdigit()]


def _plainly(mention: Mention, text: str, sender: Address) -> bool:
    beside = _beside(text, mention)
    if "via" in beside or text[mention.end : mention.end + 1] in (
        ")",
        "]",
    ):  # "Ann Lee (Acme)", "Ann via Acme"
        return False
    roles = [word for word in beside if word in _ROLES]
    if not mention.common:
        return True
    # A word that is also a name: alone it must not be how the person's own address reads.
    if not beside:
        return fold(mention.name).text.replace(" ", "") not in sender.address
    return bool(roles) and len(roles) == len(beside)


def _impostor(case: Case, sender: Address, named: Mention) -> Evidence:
    name, domain = named.brand.name, registrable(sender.domain)
    at = Span(sender.at.part, sender.at.start, min(sender.at.end, sender.at.start + 200))
    if is_free_mail(sender.domain):
        says = f"The sender calls itself {name} but uses {sender.domain}, where anyone can have a mailbox."
        return _evidence(case, at, "free-mailbox", "strong", says)
    says = (
        f"The sender calls itself {name}, but the mail comes from {domain or 'no address'}, not from {name}."
    )
    strength: Strength = "strong"
    beside = _beside(sender.name, named) if named.name.lower() in sender.name.lower() else []
    if any(word not in _ROLES for word in beside) or "trackers" in kinds(sender.domain):
        strength = "moderate"  # "Acme Fan Club", or a firm that sends for others
    if fold(named.name).text.replace(" ", "") in label(domain):
        strength = "moderate"  # perhaps a domain of theirs that is not on the list
    return _evidence(case, at, "impostor", strength, says)


def _evidence(case: Case, at: Span, kind: str, strength: Strength, says: str) -> Evidence:
    return observe(case, at, f"organisations.{kind}", "impersonation", strength, says, tool="organisations")


def _in_local_part(case: Case, sender: Address) -> Evidence | None:
    for piece in sender.local.replace("-", ".").replace("_", ".").replace("+", ".").split(".")[:6]:
        if len(piece) < 5 or not piece.isalpha():
            continue
        for mention in mentions(piece):
            if not mention.common and mention.end - mention.start == len(piece):
                name = mention.brand.name
                where = registrable(sender.domain)
                says = f"The sender's address names {name}, but it is at {where}, which is not {name}'s."
                return _evidence(case, sender.at, "address", "weak", says)
    return None


def _proven(case: Case, mail: Mail, sender: Address) -> list[Evidence]:
    """The organisation itself, as the receiving server confirmed: unless anyone can have an address there."""
    from malafide.knowledge.authentication import aligned

    brand = owners(sender.domain)[0]
    lent = is_free_mail(sender.domain) or "tenants" in kinds(sender.domain)
    if lent or aligned(mail) != home(case):
        return []
    elsewhere = any(
        not owns(brand, d.final.host) and "trackers" not in kinds(d.final.host)
        for d in by_host(case).values()
    )
    says = f"The receiving server confirmed that the mail comes from {home(case)}, a domain of {brand.name}."
    strength: Strength = "weak" if elsewhere else "moderate"
    return [
        observe(
            case, sender.at, "organisations.proven", "authentication", strength, says,
            direction="genuine", tool="organisations",
        )
    ]  # fmt: skip
