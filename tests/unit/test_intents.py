"""The intent analyzer names an aim for what it sees."""

from __future__ import annotations

import pytest
from test_offline import seen

from malafide.panel.agents.intent_analyzer import _BY_KIND, intent_analyzer
from malafide.rules.rulebook import rulebook


def test_every_kind_in_the_table_is_a_rule_or_a_group_that_exists() -> None:
    rules = {rule.id for rule in rulebook().rules}
    groups = {rule.partition(".")[0] + "." for rule in rules} | {"attachments."}
    assert {k for k in _BY_KIND if k not in rules and k not in groups} == set()


@pytest.mark.parametrize(
    ("kind", "topic", "intent"),
    [
        ("requests.gift-cards", "request", "FINANCIAL_SCAM"),
        ("requests.verify-account", "request", "ACCESS_PHISHING"),
        ("requests.identity-documents", "request", "DATA_HARVESTING"),
        ("attachments.executable", "attachment", "MALWARE_DISTRIBUTION"),
        ("families.weight-loss", "family", "FALSE_PROMISE"),
    ],
)
def test_deception_has_an_aim(kind: str, topic: str, intent: str) -> None:
    opinion = intent_analyzer([seen(kind, topic, 1.0), seen("x.y", "sender", 1.0)])
    assert opinion.report["primary_intent"] == intent


def test_honest_aims() -> None:
    friend = intent_analyzer([seen("thread.answers", "conversation", 0.4, "genuine")])
    shop = intent_analyzer(
        [seen("genuine.list", "subscription", 0.7, "genuine"), seen("offers.sale", "offer", 0.1)]
    )
    assert friend.report["primary_intent"] == "RELATIONSHIP"
    assert shop.report["primary_intent"] == "MARKETING"
