"""The notation of rules: a phrase becomes one linear-time expression and the words it cannot do without.

    verify your account         these words, in this order, with white space or light punctuation between
    verif* your account         a word that starts so
    (verify|confirm) it         one of these; alternatives may be several words long
    verify [your] account       may be missing
    verify .. account           up to three words in between, in the same sentence; `..6` for up to six
    {amount} {number} {percent} {link} {email} {year}    a sum of money, digits, and so on
    dear {any}                  exactly one word, whatever it is
    {start} dear friend         at the start of a line; likewise {end}

Phrases are written in any spelling: they are folded like the text they are matched against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from malafide.errors import BadRule
from malafide.folding import fold

# Between two words: white space and light punctuation, but no end of a sentence.
_BETWEEN: Final = r"[^\w.!?]{1,5}"
# A word in a gap; an elided article counts as one (l'accès, dell'account, d'ici), and so does the day of a date ("3.").
_GAP_WORD: Final = r"(?:(?:\S*[^\s.!?:;]|\d{1,2}\.)\s{1,5}[\"'(*-]{0,2}|[a-z]{1,5}')"
_START: Final = r"(?:^[ >*|\"'(-]{0,6})"
_END: Final = r"(?:[^\w\n]{0,3}$)"

_DIGITS: Final = r"\d(?:[\d.,']*\d)?"
_SIGN: Final = r"[$€£¥₹]"
_CODE: Final = r"(?:usd|eur|gbp|chf|inr|rs\.?|us dollars?)"
_MANY: Final = (
    r"(?:k|m|bn?|mio|mln|thousand|hundred|million|billion|millionen|millions?(?: d[e'])?|millones(?: de)?"
    r"|milhoes(?: de)?|milioni(?: di)?|miljoen)"
)
_MONEY: Final = (
    r"(?:(?:us |u\.s\. |united states )?dollars?|usd|euros?|eur|pounds?(?: sterling)?|gbp|sterling|chf"
    r"|rupees|inr|lakhs?|dolares|reais)"
)
_PERCENT: Final = r"(?:percent|per cent|prozent|pour cent|por ciento|por cento|per cento|procent)"
_MACROS: Final = {
    "amount": rf"(?:(?:us|au|ca|hk|nz)?{_SIGN}|\b{_CODE} ?) ?{_DIGITS}(?:,-|(?: ?{_MANY})?\b)"
    rf"|\b{_DIGITS}(?:,-)?(?: ?{_SIGN}|[ -]?(?:{_MANY} ?)?{_MONEY}\b)",
    "number": rf"\b{_DIGITS}\b",
    "percent": rf"\b{_DIGITS} ?(?:%|{_PERCENT}\b)",
    "link": r"(?:https?://|www\.)\S+",
    "email": r"\b[\w.+-]+@[\w-]+\.[\w.-]*\w",
    "year": r"\b(?:19|20)\d\d\b",
    "any": r"\S*[^\s.,;:!?)]",
    "start": _START,
    "end": _END,
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase. A text without any of the `anchors` cannot match; no anchors means: always try."""

    expression: str
    anchors: tuple[str, ...]


@dataclass(slots=True)
class _Piece:
    """A part of a phrase being compiled."""

    expression: str
    anchors: tuple[str, ...] | None  # None: nothing certain stands here
    optional: bool = False
    gap: bool = False
    bound: bool = False  # the start or end of a line, which needs nothing between it and a word


def compile_phrase(source: str) -> Phrase:
    """The phrase as an expression for RE2, over folded text."""
    tokens = _tokens(fold(source).text)
    pieces, rest = _sequence(tokens, 0, source)
    if rest != len(tokens):
        raise BadRule(f"phrase {source!r}: unexpected {tokens[rest]!r}; check the brackets")
    expression, anchors = _join(pieces, source)
    return Phrase(f"(?m){expression}", anchors or ())


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    word = ""
    in_macro = False
    for character in text:
        if character == "{":
            in_macro = True
        if not in_macro and character in "()[]| \n":
            if word:
                tokens.append(word)
                word = ""
            if not character.isspace():
                tokens.append(character)
        else:
            word += character
        if character == "}":
            in_macro = False
    if word:
        tokens.append(word)
    return tokens


def _sequence(tokens: list[str], at: int, source: str) -> tuple[list[_Piece], int]:
    pieces: list[_Piece] = []
    while at < len(tokens) and tokens[at] not in ")]|":
        token = tokens[at]
        if token in "([":
            alternatives, at = _alternatives(tokens, at + 1, ")" if token == "(" else "]", source)
            piece = _choice(alternatives)
            piece.optional = token == "["
            pieces.append(piece)
        else:
            pieces.append(_word(token, source))
            at += 1
    if not pieces:
        raise BadRule(f"phrase {source!r}: an empty alternative or bracket")
    return pieces, at


def _alternatives(tokens: list[str], at: int, close: str, source: str) -> tuple[list[_Piece], int]:
    found: list[_Piece] = []
    while True:
        pieces, at = _sequence(tokens, at, source)
        expression, anchors = _join(pieces, source)
        found.append(_Piece(expression, anchors))
        if at >= len(tokens):
            raise BadRule(f"phrase {source!r}: a bracket is not closed")
        if tokens[at] == close:
            return found, at + 1
        if tokens[at] != "|":
            raise BadRule(f"phrase {source!r}: unexpected {tokens[at]!r}")
        at += 1


def _choice(alternatives: list[_Piece]) -> _Piece:
    expression = "(?:" + "|".join(a.expression for a in alternatives) + ")"
    anchors: list[str] = []
    for alternative in alternatives:
        if alternative.anchors is None:
            return _Piece(expression, None)
        anchors.extend(alternative.anchors)
    return _Piece(expression, tuple(anchors))


def _word(token: str, source: str) -> _Piece:
    if token.startswith(".."):
        most = token[2:] or "3"
        if not most.isdigit() or not 0 < int(most) <= 12:
            raise BadRule(f"phrase {source!r}: a gap is `..` or `..1` to `..12`, not {token!r}")
        return _Piece(f"{_GAP_WORD}{{0,{most}}}", None, gap=True)
    if token.startswith("{") and token.endswith("}"):
        name = token[1:-1]
        if name not in _MACROS:
            raise BadRule(f"phrase {source!r}: unknown {token!r}; known are {sorted(_MACROS)}")
        return _Piece(f"(?:{_MACROS[name]})", None, bound=name in ("start", "end"))
    if "{" in token or "}" in token:
        raise BadRule(f"phrase {source!r}: {token!r} is no {{name}}, and words stand apart from one")
    prefix = token.endswith("*")
    word = token.rstrip("*")
    if "*" in word or len(word) < (3 if prefix else 1):
        raise BadRule(f"phrase {source!r}: `*` stands at the end of a word of three letters or more")
    left = r"\b" if _is_plain(word[0]) else ""
    right = r"\w*" if prefix else (r"\b" if _is_plain(word[-1]) else "")
    return _Piece(f"{left}{_escape(word)}{right}", (word,))


def _is_plain(character: str) -> bool:
    """What RE2 takes for part of a word, and what needs no escaping."""
    return character.isascii() and (character.isalnum() or character == "_")


def _escape(word: str) -> str:
    # RE2 refuses a backslash before anything that is not ASCII.
    return "".join("\\" + c if c.isascii() and not _is_plain(c) else c for c in word)


def _join(pieces: list[_Piece], source: str) -> tuple[str, tuple[str, ...] | None]:
    certain = [i for i, piece in enumerate(pieces) if not (piece.optional or piece.gap or piece.bound)]
    if not certain:
        raise BadRule(f"phrase {source!r}: a phrase or alternative needs a word that may not be missing")
    if pieces[0].gap or any(piece.gap for piece in pieces[certain[-1] :]):
        raise BadRule(f"phrase {source!r}: a gap stands between words")
    expression = ""
    best: tuple[str, ...] | None = None
    separated = True  # nothing is needed before the next word
    # What separates a piece from its neighbour belongs to the optional piece, so that it goes missing whole.
    for piece in pieces:
        before = "" if separated or piece.bound else _BETWEEN
        if piece.optional:
            after = _BETWEEN if separated else ""
            expression += f"(?:{before}{piece.expression}{after})?"
            continue
        expression += before + piece.expression
        separated = piece.gap or piece.bound
        if piece.anchors and (best is None or _worth(piece.anchors) > _worth(best)):
            best = piece.anchors
    return expression, best


def _worth(anchors: tuple[str, ...]) -> tuple[int, int]:
    """Longer anchors are rarer; of two as long, the one with fewer alternatives."""
    return min(len(a) for a in anchors), -len(anchors)
