"""What the page calls panels, answers and states."""

from __future__ import annotations

from typing import Final

from malafide.service.page.account import ANSWERS

PANEL_WORDS: Final = {
    "spam": "mail",
    "document": "document",
    "conversation": "conversation",
    "post": "post",
    "credibility": "signals of a post",
}
MESSAGE_WORDS: Final = {
    "spam": "The message",
    "document": "The document",
    "conversation": "The conversation",
    "post": "The post",
    "credibility": "The post",
}
# The filters of the history: name in the address, label, values with their words.
CHOICES: Final = (
    ("panel", "judged as", tuple(PANEL_WORDS.items())),
    ("answer", "answer", tuple((answer, word.lower()) for answer, (_, word) in ANSWERS.items())),
    ("open", "left open", (("yes", "yes"), ("no", "no"))),
    ("labelled", "said by people", (("yes", "yes"), ("no", "no"))),
    ("state", "state", (("judged", "judged"), ("waiting", "waiting"), ("failed", "failed"))),
)
