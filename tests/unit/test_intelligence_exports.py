"""Exports: JSON and CSV hold everything, text cannot be clicked, STIX is what the standard says."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid

import pytest

from malafide import HoneypotJudge
from malafide.benches.honeypot import Assessment
from malafide.intake.conversation import read_conversation
from malafide.render.html_chat import chat_page
from malafide.render.intelligence import export

CHAT = (
    "Scammer: I am from SBI fraud department, your account will be blocked today. <script>alert(1)</script>\n"
    "Victim: what?\n"
    "Scammer: Share the OTP now at http://sbi-kyc-login.test/o\\x or pay help@ybl, mail a@b.test, "
    "call +91 98765 43210, telegram @raj_vip, a/c 50100123456789 IFSC HDFC0001234"
)


@pytest.fixture(scope="module")
def assessment() -> Assessment:
    return HoneypotJudge().judge(read_conversation(CHAT)[0])


def test_json_and_csv_hold_every_item(assessment: Assessment) -> None:
    items = json.loads(export(assessment, "json"))["items"]
    rows = list(csv.DictReader(io.StringIO(export(assessment, "csv"))))
    assert len(items) == len(rows) == len(assessment.items) == 7
    assert {row["value"].lstrip("'") for row in rows} == {item["value"] for item in items}
    assert not any(re.match(r"[=@\t\r-]|\+\D", cell) for row in rows for cell in row.values())


def test_text_cannot_be_clicked(assessment: Assessment) -> None:
    text = export(assessment, "text")
    assert "http://" not in text and "hxxp://sbi-kyc-login[.]test" in text and "help[@]ybl" in text


def test_stix_is_well_formed(assessment: Assessment) -> None:
    bundle = json.loads(export(assessment, "stix"))
    assert bundle["type"] == "bundle" and "spec_version" not in bundle
    ids = [one["id"] for one in bundle["objects"]]
    assert len(set(ids)) == len(ids)
    stamp = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
    required = {
        "identity": {"name", "created", "modified"}, "url": {"value"}, "email-addr": {"value"},
        "user-account": {"user_id", "account_type"},
        "indicator": {"created", "modified", "pattern", "pattern_type", "valid_from"},
        "report": {"created", "modified", "name", "published", "object_refs"},
    }  # fmt: skip
    for one in (*bundle["objects"], bundle):
        kind, _, number = one["id"].partition("--")
        assert kind == one["type"] and uuid.UUID(number).version == 5
    for one in bundle["objects"]:
        assert one["spec_version"] == "2.1" and required[one["type"]] <= set(one)
        assert all(
            stamp.fullmatch(one[key])
            for key in ("created", "modified", "valid_from", "published")
            if key in one
        )
    report = bundle["objects"][-1]
    assert report["type"] == "report" and set(report["object_refs"]) == set(ids) - {report["id"]}
    indicator = next(one for one in bundle["objects"] if one["type"] == "indicator")
    assert indicator["pattern"] == "[url:value = 'http://sbi-kyc-login.test/o\\\\x']"
    assert export(assessment, "stix") == export(assessment, "stix")


def test_the_page_is_inert(assessment: Assessment) -> None:
    page = chat_page(assessment, "chat.txt")
    assert "<script" not in page and "http://sbi" not in page and "SCAM" in page
    assert page.count("How it developed") == 1
