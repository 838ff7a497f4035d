"""Messages that the tests of the page submit: made up, some of them attacks on whoever shows them."""

from __future__ import annotations

import json

PHISH = b"""From: Parcel Service <office@parcel-redelivery.test>
To: you@example.com
Subject: Your parcel is on hold
Date: Mon, 02 Mar 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<p>Dear customer,</p><p>your parcel could not be delivered because of an unpaid customs fee of 1.99.</p>
<p>Pay within 24 hours at <a href="http://203.0.113.9/pay">https://parcel.example.com/pay</a> or your account
will be closed. Enter your card number and password to confirm.</p>
<div style="display:none">minutes of the garden club, seeds, watering cans and the annual fair</div>
<img src="http://203.0.113.9/pixel.png">
"""
NOTE = b"""From: Anna <anna@example.com>
To: Ben <ben@example.com>
Subject: Re: Saturday
In-Reply-To: <a1@example.com>
References: <a1@example.com>

Hi Ben, Saturday at ten works, I bring the drill and the long ladder. See you, Anna
"""
# Left open by the panel: a little of both.
UNSURE = b"""From: Office <office@workshop.example>
To: you@example.com
Subject: Delivery
Content-Type: text/plain

Your package could not be delivered. Please arrange a new date.
"""
CHAT = json.dumps(
    {
        "sessionId": "s1",
        "messages": [
            {
                "sender": "stranger",
                "text": "Your account will be blocked today, send the OTP now.",
                "timestamp": 1,
            },
            {"sender": "user", "text": "Who are you?", "timestamp": 2},
            {
                "sender": "stranger",
                "text": "I am from the bank. Pay Rs 1 to refund@ybl and share the OTP, call +919876543210",
                "timestamp": 3,
            },
        ],
    }
).encode()
POST = json.dumps(
    {
        "post_id": "p1",
        "text": "SHOCKING: doctors hate this miracle cure, share before they delete it!!! http://health.test/x",
        "account": {
            "name": "healer",
            "followers": 3,
            "created_at": "2026-02-28T00:00:00Z",
            "verified": False,
        },
    }
).encode()

# What a browser might run or load if it were not shown as text.
ATTACKS = (
    "<script>window.pwned=1;alert(1)</script>",
    "<img src=x onerror=window.pwned=1>",
    "<svg/onload=window.pwned=1>",
    '"><img src=http://203.0.113.9/leak.png onerror="window.pwned=1">',
    "'-alert(1)-'",
    "javascript:window.pwned=1//",
    "</textarea></title></style></script><script>window.pwned=1</script>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    '<a href="javascript:window.pwned=1" autofocus onfocus="window.pwned=1">click</a>',
    "<link rel=stylesheet href=http://203.0.113.9/x.css><style>@import 'http://203.0.113.9/y.css';</style>",
    "<meta http-equiv=refresh content='0;url=http://203.0.113.9/'>",
    "<base href=http://203.0.113.9/><form action=http://203.0.113.9/><input name=q></form>",
    "{{ 7*7 }} {% raw %} ${7*7} #{7*7} <%= 7*7 %>",
    "<details open ontoggle=window.pwned=1><video><source onerror=window.pwned=1></video>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>",
    "<template><script>window.pwned=1</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=window.pwned=1>'>",
    "\u202egnp.exe\u202c \u2028 \u0000 \ud7ff \u200b<b>bold</b>",
    "data:text/html,<script>window.pwned=1</script>",
    "&lt;script&gt;window.pwned=1&lt;/script&gt; &#60;img src=x onerror=window.pwned=1&#62;",
    "<xss id=x style=animation-name:arrive onanimationstart=window.pwned=1></xss>",
)


def attack_mail() -> bytes:
    """A mail with every attack in its head, its body as HTML and as text, and the names of what it carries."""
    everything = "\n".join(ATTACKS)
    flat = ATTACKS[0] + ATTACKS[1]
    return (
        f'From: "{ATTACKS[1]}" <x@deceive.test>\n'
        f"To: {ATTACKS[0]} <you@example.com>\nSubject: Urgent, verify your password {flat}\n"
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        f"--b\nContent-Type: text/plain; charset=utf-8\n\nYour account will be closed. {everything}\n"
        f"--b\nContent-Type: text/html; charset=utf-8\n\n<p>Your account will be closed.</p>{everything}"
        f"<div style='display:none'>{everything}</div>\n"
        f'--b\nContent-Type: application/x-msdownload; name="{ATTACKS[1]}.exe"\n'
        f'Content-Disposition: attachment; filename="{ATTACKS[1]}.exe"\n\nMZ\n--b--\n'
    ).encode("utf-8", "replace")


def attack_chat() -> bytes:
    said = [
        {"sender": attack, "text": f"send the OTP now {attack}", "timestamp": number}
        for number, attack in enumerate(ATTACKS, start=1)
    ]
    return json.dumps({"sessionId": ATTACKS[0], "messages": said}).encode()


def attack_post() -> bytes:
    return json.dumps(
        {
            "post_id": ATTACKS[1],
            "text": " SHOCKING miracle cure! ".join(ATTACKS),
            "account": {"name": ATTACKS[0], "bio": ATTACKS[2]},
        }
    ).encode()
