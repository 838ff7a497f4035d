"""A contract and its panel in, the account of the case out: which fields of which panel say what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from malafide.service.page.account import Account
from malafide.service.page.account_chat import chat_account
from malafide.service.page.account_document import document_account
from malafide.service.page.account_mail import mail_account
from malafide.service.page.account_post import post_account

_BY_PANEL: Final = {
    "spam": mail_account,
    "document": document_account,
    "conversation": chat_account,
    "post": post_account,
    "credibility": post_account,
}


def account_of(panel: str, contract: Mapping[str, Any]) -> Account:
    """What the page tells about a judged case."""
    return _BY_PANEL[panel](contract)
