"""The few examples every model is shown, whatever was learned: one of each kind that is easily mistaken."""

from __future__ import annotations

from typing import Final

# (message, recommendation, spam score). Made up, with reserved domains.
EXAMPLES: Final[tuple[tuple[str, str, float], ...]] = (
    (
        "From: Example Bank <service@examp1e-bank.test>. Subject: Your account is limited. We noticed a "
        "problem with your account. Confirm your password within 24 hours at http://192.0.2.7/login or "
        "access will be lost.",
        "SPAM",
        0.98,
    ),
    (
        "From: Example Bank <statements@example.com>. Subject: Your statement is ready. Your March "
        "statement can be seen after signing in. We never ask for your password by e-mail.",
        "HAM",
        0.06,
    ),
    (
        "From: Barrister J. Cole <cole@freemail.test>. Subject: Your late relative. A client of mine left "
        "9.2 million and no heir. Reply with your name, phone and account, and keep this between us.",
        "SPAM",
        0.97,
    ),
    (
        "From: Garden Post <news@garden.example>. Subject: 30 % off bulbs this week only! You get this "
        "letter because you signed up in our shop. Leave the list at https://garden.example/leave.",
        "HAM",
        0.15,
    ),
    (
        "From: Mia <mia@example.com>. Subject: Re: Saturday. Then at seven, I bring the salad. Can you send"
        " me the address again?",
        "HAM",
        0.02,
    ),
    (
        "From: Your director <director@freemail.test>. Subject: Quick favour. Are you at your desk? I am in"
        " a meeting and need five gift cards for a client. Scratch them and send me the codes. I will pay "
        "you back.",
        "SPAM",
        0.95,
    ),
    (
        "From: Post <info@parcel.example>. Subject: Delivery today. Your parcel 4471 comes between 2 and 4 "
        "pm. Nothing to do.",
        "HAM",
        0.08,
    ),
    (
        "From: Anna <anna@mail.test>. Subject: hello. I saw your page and would like to know you better, "
        "write me here: http://chat.test/anna",
        "UNCERTAIN",
        0.6,
    ),
)
