"""Files that come along: programs, disguises, pages, archives, and the everyday ones."""

import pytest
from header_mail import kinds

from malafide.case import Attachment, Case, Form, Html, Mail, Part
from malafide.tools.attachments import attachments


def case(
    name: str, body: str = "See the file.", *, text: str = "", html: Html | None = None, **facts: object
) -> Case:
    file = Attachment(
        name, "application/octet-stream", str(facts.pop("real_type", "")), 10, "attachment/1", **facts
    )  # type: ignore[arg-type]
    parts = (Part("body", "body", body), Part("attachment/1", "attachment", f"{name}\n{text}"))
    return Case("0" * 16, "email", parts, Mail(attachments=(file,), html=html))


@pytest.mark.parametrize(
    ("name", "facts", "expected"),
    [
        ("report.pdf", {"real_type": "pdf"}, set()),
        ("photo.jpg", {"real_type": "jpg"}, set()),
        ("invoice.pdf.exe", {}, {"double-ending"}),
        ("invoice.exe", {"real_type": "exe"}, {"program"}),
        ("run.js", {}, {"program"}),
        ("disk.iso", {"real_type": "iso"}, {"disk-image"}),
        ("link.url", {}, {"shortcut"}),
        ("invoice\u202efdp.exe", {}, {"reversed-name"}),
        ("invoice.pdf" + " " * 40 + ".scr", {}, {"double-ending"}),
        ("photo.jpg", {"real_type": "exe"}, {"program-in-disguise"}),
        ("invoice.pdf", {"real_type": "html"}, {"page-in-disguise"}),
        ("voice.html", {"real_type": "html"}, {"page"}),
        ("papers.zip", {"real_type": "zip", "inside": ("a.txt", "b.scr")}, {"program-in-archive"}),
        ("papers.zip", {"real_type": "zip", "inside": ("a.txt", "site/app.js")}, set()),
        ("papers.zip", {"real_type": "zip", "encrypted": True}, {"locked"}),
        ("list.xlsm", {"real_type": "xlsx", "macros": True}, {"macros"}),
        ("www.example.com", {"real_type": "pdf"}, set()),
    ],
)
def test_files(name: str, facts: dict[str, object], expected: set[str]) -> None:
    assert kinds(attachments, case(name, **facts)) == expected


def test_what_the_mail_says_beside_counts() -> None:
    locked = case("papers.zip", "The password is 1234.", real_type="zip", encrypted=True)
    assert kinds(attachments, locked) == {"locked-with-password-told"}
    page = case("voice.html", text="Sign in with your password", real_type="html")
    assert kinds(attachments, page) == {"page-asks-password"}
    form = Html(forms=(Form("http://a.test", ("password",), None),))
    assert kinds(attachments, case("voice.html", html=form, real_type="html")) == {"page-asks-password"}
