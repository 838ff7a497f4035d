"""Signs of conversations, lists and personal letters, and what only looks like them."""

import pytest
from header_mail import kinds, mail

from malafide.tools.personal import personal
from malafide.tools.subscription import subscription
from malafide.tools.thread import thread

QUOTED = "Anna wrote:\n> the minutes are on\n> the shelf\n\nThank you, I found them there."


@pytest.mark.parametrize(
    ("body", "changes", "expected"),
    [
        ("Hello", {}, set()),
        (QUOTED, {"In-Reply-To": "<1@example.net>", "Subject": "Re: Minutes"}, {"answer"}),
        (QUOTED, {}, {"quotes"}),
        ("Thanks!", {"In-Reply-To": "<1@example.net>", "Subject": "Re: Minutes"}, {"refers"}),
        ("> click here for the offer", {"In-Reply-To": "<1@example.net>"}, set()),
        ("Hello", {"User-Agent": "Mutt/1.5"}, {"written-by-hand"}),
        ("Hello", {"X-Mailer": "PHPMailer 6"}, set()),
        ("See this:\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b", {}, {"patch"}),
    ],
)
def test_thread(body: str, changes: dict[str, str], expected: set[str]) -> None:
    assert kinds(thread, mail(body, **changes)) == expected
    assert all(e.direction == "genuine" for e in thread(mail(body, **changes)))


def test_a_signed_mail() -> None:
    body = (
        "--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n"
    )
    assert kinds(thread, mail(body, Content_Type='multipart/signed; boundary="b"')) == {"signed"}


LEAVE = "<https://example.com/leave>, <mailto:leave@example.com>"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        ({"List-Id": "<talk.example.com>", "List-Post": "<mailto:talk@example.com>"}, {"discussion-list"}),
        ({"List-Unsubscribe": LEAVE, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}, {"one-click"}),
        ({"List-Unsubscribe": LEAVE}, {"can-be-left"}),
        ({"List-Unsubscribe": "<https://mailer.test/u>", "List-Unsubscribe-Post": "x"}, {"can-be-left"}),
    ],
)
def test_subscription(changes: dict[str, str], expected: set[str]) -> None:
    assert kinds(subscription, mail(**changes)) == expected


NOTE = "the minutes are on the shelf, and Clara has the keys for the room if you come on Friday."


@pytest.mark.parametrize(
    ("body", "changes", "expected"),
    [
        (NOTE, {}, {"plain-note"}),
        (f"Hi Ben,\n{NOTE}", {"To": "Ben Carter <b.carter@example.net>"}, {"plain-note", "by-name"}),
        (f"Hi Ben,\n{NOTE}", {"To": "Ben <ben@example.net>"}, {"plain-note"}),
        (f"{NOTE}\n-- \nAnna Berg", {}, {"plain-note", "signature"}),
        (f"{NOTE} http://example.com", {}, set()),
        (f"{NOTE} Please send me your bank account.", {}, set()),
        (f"<p>{NOTE}</p>", {"Content-Type": "text/html"}, set()),
    ],
)
def test_personal(body: str, changes: dict[str, str], expected: set[str]) -> None:
    assert kinds(personal, mail(body, **changes)) == expected
