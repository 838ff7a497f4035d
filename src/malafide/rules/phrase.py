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

import math
from dataclasses import dataclass
from typing import Final

from malafide.errors import BadRule
from malafide.folding import fold
from malafide.rules.macros import MACRO_NEEDS, MACROS

# Between two words: white space and light punctuation, but no end of a sentence.
_BETWEEN: Final = r"[^\w.!?]{1,5}"
_WIDEST: Final = 5
_EDGE: Final = 6  # characters that {start} and {end} take at most
# A word in a gap; an elided article counts as one (l'accès, dell'account, d'ici), so does the day of a date.
_GAP_WORD: Final = r"(?:(?:\S*[^\s.!?:;]|\d{1,2}\.)\s{1,5}[\"'(*-]{0,2}|[a-z]{1,5}')"
# Words that a mail has more than once, words that every other mail has, and words that are met often: they make poor
# needs, whatever their length.
_EVERYWHERE: Final = frozenset(
    "1 a all and are as at be by can com email for from have http i if in is it not of on or our s that the this to we "
    "will with www you your".split()
)
_COMMON: Final = frozenset(
    "0 2 3 about account address an any been business but click de do don e free get has he here home information "
    "into just like list mail make may me message money more my net new no now one only out over people please price "
    "program send so their there they us use want was what when which would".split()
)
_OFTEN: Final = frozenset(
    "after also before below both company could days each every find first give good had how its know link made most "
    "much name need number off online order other own personal read receive right security see service should site "
    "some subject such support system take than thank thanks them then these those time today unsubscribe update user "
    "very way week well were where while who without work world year".split()
)

_MOST_LITERALS: Final = 16  # ways a row of words may be spelled out; with more, they are needed one by one


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase. A text that has none of the words of one of the `needs` cannot match.

    An entry is one word or several in a row, in ASCII letters and digits with a space between, as they stand
    when all else is left out; `verif*` stands for any word that starts so, `=%` for characters anywhere.
    The rarest need comes first; no needs means: always try. No match has more characters than `longest`; None means
    that there is no end to it. Every match begins with one of the `starts`, unless there are none.
    """

    expression: str
    needs: tuple[tuple[str, ...], ...]
    longest: int | None
    starts: tuple[str, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """The rarest of the needs; nothing when that holds signs, which are everywhere."""
        return self.needs[0] if self.needs and not any(word[0] == "=" for word in self.needs[0]) else ()


@dataclass(slots=True)
class _Piece:
    """A part of a phrase being compiled."""

    expression: str
    longest: int | None  # characters it takes at most
    literals: tuple[str, ...] = ()  # all it can be, word for word; empty when that cannot be told
    needs: tuple[tuple[str, ...], ...] = ()
    optional: bool = False
    gap: bool = False
    bound: bool = False  # the start or end of a line, which needs nothing between it and a word
    starts: tuple[
        str, ...
    ] = ()  # one or two words of which it must begin with some; empty when that cannot be told


def compile_phrase(source: str) -> Phrase:
    """The phrase as an expression for RE2, over folded text."""
    tokens = _tokens(fold(source).text)
    pieces, rest = _sequence(tokens, 0, source)
    if rest != len(tokens):
        raise BadRule(f"phrase {source!r}: unexpected {tokens[rest]!r}; check the brackets")
    whole = _join(pieces, source)
    return Phrase(f"(?m){whole.expression}", whole.needs, whole.longest, whole.starts)


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
        found.append(_join(pieces, source))
        if at >= len(tokens):
            raise BadRule(f"phrase {source!r}: a bracket is not closed")
        if tokens[at] == close:
            return found, at + 1
        if tokens[at] != "|":
            raise BadRule(f"phrase {source!r}: unexpected {tokens[at]!r}")
        at += 1


def _choice(alternatives: list[_Piece]) -> _Piece:
    expression = "(?:" + "|".join(a.expression for a in alternatives) + ")"
    lengths = [alternative.longest for alternative in alternatives]
    longest = None if None in lengths else max(filter(None, lengths))
    starts: tuple[str, ...] = ()
    if all(alternative.starts for alternative in alternatives):
        starts = tuple(word for alternative in alternatives for word in alternative.starts)
    if len(alternatives) == 1:
        return _Piece(expression, longest, alternatives[0].literals, alternatives[0].needs, starts=starts)
    literals: tuple[str, ...] = ()
    if all(alternative.literals for alternative in alternatives):
        literals = tuple(word for alternative in alternatives for word in alternative.literals)
    needs: tuple[tuple[str, ...], ...] = ()
    if all(alternative.needs for alternative in alternatives):
        needs = (tuple(word for alternative in alternatives for word in alternative.needs[0]),)
    return _Piece(expression, longest, literals, needs, starts=starts)


def _word(token: str, source: str) -> _Piece:
    if token.startswith(".."):
        most = token[2:] or "3"
        if not most.isdigit() or not 0 < int(most) <= 12:
            raise BadRule(f"phrase {source!r}: a gap is `..` or `..1` to `..12`, not {token!r}")
        return _Piece(f"{_GAP_WORD}{{0,{most}}}", None, gap=True)
    if token.startswith("{") and token.endswith("}"):
        name = token[1:-1]
        if name not in MACROS:
            raise BadRule(f"phrase {source!r}: unknown {token!r}; known are {sorted(MACROS)}")
        needs = (MACRO_NEEDS[name],) if name in MACRO_NEEDS else ()
        bound = name in ("start", "end")
        return _Piece(f"(?:{MACROS[name]})", _EDGE if bound else None, needs=needs, bound=bound)
    if "{" in token or "}" in token:
        raise BadRule(f"phrase {source!r}: {token!r} is no {{name}}, and words stand apart from one")
    prefix = token.endswith("*")
    word = token.rstrip("*")
    if "*" in word or len(word) < (3 if prefix else 1):
        raise BadRule(f"phrase {source!r}: `*` stands at the end of a word of three letters or more")
    longest = None if prefix else len(word)
    if word.isascii() and word.isalnum():  # nearly all words, in a tenth of the time
        expression = rf"\b{word}\w*" if prefix else rf"\b{word}\b"
        return _Piece(expression, longest, (token,), ((token,),), starts=(token,))
    left = r"\b" if _is_plain(word[0]) else ""
    right = r"\w*" if prefix else (r"\b" if _is_plain(word[-1]) else "")
    literal = " ".join("".join(c if _is_plain(c) else " " for c in word).split())
    literals = (literal + "*" * prefix,) if literal else ()
    needs = (literals,) if literals else ()
    starts = tuple(map(_opening, literals)) if left else ()
    return _Piece(f"{left}{_escape(word)}{right}", longest, literals, needs, starts=starts)


def _is_plain(character: str) -> bool:
    """What RE2 takes for part of a word, and what needs no escaping."""
    return character.isascii() and (character.isalnum() or character == "_")


def _escape(word: str) -> str:
    # RE2 refuses a backslash before anything that is not ASCII.
    return "".join("\\" + c if c.isascii() and not _is_plain(c) else c for c in word)


def _join(pieces: list[_Piece], source: str) -> _Piece:
    certain = [i for i, piece in enumerate(pieces) if not (piece.optional or piece.gap or piece.bound)]
    if certain and len(pieces) == 1:
        return pieces[0]
    if not certain:
        raise BadRule(f"phrase {source!r}: a phrase or alternative needs a word that may not be missing")
    if pieces[0].gap or any(piece.gap for piece in pieces[certain[-1] :]):
        raise BadRule(f"phrase {source!r}: a gap stands between words")
    expression = ""
    separated = True  # nothing is needed before the next word
    # What separates a piece from its neighbour belongs to the optional piece, so that it goes missing whole.
    for piece in pieces:
        before = "" if separated or piece.bound else _BETWEEN
        if piece.optional:
            after = _BETWEEN if separated else ""
            expression += f"(?:{before}{piece.expression}{after})?"
        else:
            expression += before + piece.expression
            separated = piece.gap or piece.bound
    stretches, needs = _stretches(pieces)
    needs += [literals for literals, _ in stretches]
    literals = stretches[0][0] if stretches and stretches[0][1] == len(pieces) else ()
    lengths = [piece.longest for piece in pieces]
    longest = None if None in lengths else sum(filter(None, lengths)) + _WIDEST * len(pieces)
    ranked = tuple(sorted(needs, key=commonness))
    return _Piece(expression, longest, literals, ranked, starts=_starts(pieces))


def _starts(pieces: list[_Piece]) -> tuple[str, ...]:
    first, second = pieces[:2]
    if first.optional or first.bound:
        return ()
    if first.literals and second.literals and not second.optional and first.literals == first.starts:
        open_end = any(word.endswith("*") for word in first.literals)
        if not open_end and len(first.literals) * len(second.literals) <= _MOST_LITERALS:
            return tuple(_opening(f"{one} {two}") for one in first.literals for two in second.literals)
    return first.starts


def _opening(literal: str) -> str:
    """The first two words."""
    return " ".join(literal.split()[:2])


def _stretches(pieces: list[_Piece]) -> tuple[list[tuple[tuple[str, ...], int]], list[tuple[str, ...]]]:
    """Words in a row, each with all its spellings and the number of pieces in it; and what else is needed."""
    stretches: list[tuple[tuple[str, ...], int]] = []
    needs: list[tuple[str, ...]] = []
    open_end = False  # whether the next word continues the last stretch
    for piece in pieces:
        if piece.optional or not piece.literals:
            open_end = False
            needs.extend(() if piece.optional else piece.needs)
            continue
        before, count = stretches[-1] if open_end else (("",), 0)
        if len(before) * len(piece.literals) > _MOST_LITERALS and count:
            before, count = ("",), 0
        spelled = tuple(f"{left} {right}".strip() for left in before for right in piece.literals)
        if count:
            stretches.pop()
        stretches.append((spelled, count + 1))
        open_end = not any(literal.endswith("*") for literal in piece.literals)
    return stretches, needs


def commonness(words: tuple[str, ...]) -> float:
    """A rough guess how often one of them is met in a mail."""
    return math.fsum(_guess(word) for word in set(words))  # exact, so that the order of a set does not show


def _guess(entry: str) -> float:
    """Longer words are rarer, and two in a row are met a tenth as often as the rarer of them would let expect."""
    if entry[0] == "=":
        return 9
    rarest, *others = sorted(map(_guess_word, entry.split()))
    return rarest * min(1.0, others[0] * 0.1) if others else rarest


def _guess_word(word: str) -> float:
    if word in _EVERYWHERE:
        return 2.0
    if word in _COMMON:
        return 0.8
    if word in _OFTEN:
        return 0.4
    return 0.6 ** min(len(word), 8)
