"""What the words in braces of a phrase stand for, as expressions for RE2 over folded text."""

from __future__ import annotations

from typing import Final

_START: Final = r"(?:^[ >*|\"'(-]{0,6})"
_END: Final = r"(?:[^\w\n]{0,3}$)"
_DIGITS: Final = r"\d(?:[\d.,']*\d)?"
_SIGN: Final = r"[$€£¥₹]"
_CODE: Final = r"(?:(?:usd|eur|gbp) ?|(?:chf|inr|rs|us dollars?) |rs\. ?)"
_MANY: Final = (
    r"(?:k|m|bn?|mio|mln|thousand|hundred|million|billion|millionen|millions?(?: de)?|millones(?: de)?"
    r"|milhoes(?: de)?|milioni(?: di)?|miljoen)"
)
_MONEY: Final = (
    r"(?:(?:us |u\.s\. |united states )?dollars?|usd|euros?|eur|pounds?(?: sterling)?|gbp|sterling|chf"
    r"|rupees|inr|lakhs?|dolares|reais)"
)
_PERCENT: Final = r"(?:percent|per cent|prozent|pour cent|por ciento|por cento|per cento|procent)"
MACROS: Final = {
    "amount": rf"(?:(?:us|au|ca|hk|nz)?{_SIGN}|\b{_CODE}) ?{_DIGITS}(?:,-|(?: ?{_MANY})?\b)"
    rf"|\b{_DIGITS}(?:,-)?(?: ?{_SIGN}|(?: ?{_MANY})?[ -](?:d')?{_MONEY}\b)",
    "number": rf"\b{_DIGITS}\b",
    "percent": rf"\b{_DIGITS}(?: ?%|[ -]{_PERCENT}\b)",
    "link": r"(?:https?://|www\.)\S+",
    "email": r"\b[\w.+-]+@[\w-]+\.[\w.-]*\w",
    "year": r"\b(?:19|20)\d\d\b",
    "any": r"\S*[^\s.,;:!?)]",
    "start": _START,
    "end": _END,
}

# A text without any of these words, or characters anywhere (after `=`), has none of it.
MACRO_NEEDS: Final = {
    "amount": ("=$", "=€", "=£", "=¥", "=₹", "=usd", "=eur", "=gbp", "chf", "inr", "rs", "dollar", "dollars",
               "pound", "pounds", "sterling", "rupees", "lakh", "lakhs", "dolares", "reais"),
    "percent": ("=%", "percent", "cent", "prozent", "ciento", "cento", "procent"),
    "link": ("http", "https", "www"),
    "email": ("=@",),
}  # fmt: skip
