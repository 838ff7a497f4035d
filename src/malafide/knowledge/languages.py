"""Text in, its language out: by the little words every sentence needs, or by its script. No model."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

_MOST_CHARS: Final = 1_200
_FEWEST_WORDS: Final = 4  # function words seen before a language is named at all

# Function words of seven languages, of our own choosing; words shared by two count for both.
_WORDS: Final = {
    "en": "the of and to in is you that it for with this are your be have not from was will we our can "
    "as or if has on please by an at they there been would what which their more about all but i "
    "my me he she his her do",
    "de": "der die das und ist sie nicht ein eine zu den mit von für auf im dem wir ihr ihre ihnen "
    "haben wird sich auch werden bei oder nach wie aus an es als noch nur kann über dass ich sind "
    "bitte zum zur einen einer durch",
    "fr": "le la les des et est vous une un du dans pour que pas sur avec votre vos nous par ce cette "
    "au aux qui ne sont plus il elle ont mais ou où été notre je être leur ces afin si son sa",
    "es": "el la los las de que y en un una por con no su para es al lo como más pero sus le ha este "
    "esta usted ya nuestro ser si está son hasta desde tu cuando muy sin sobre también fue mi",
    "pt": "o a os as de que e do da em um uma para com não por mais dos das no na se foi ao você seu "
    "sua ou ser quando muito nos já está também pelo pela até isso ela entre era depois sem mesmo "
    "aos são",
    "it": "il lo la gli le di che e un una per con non del della dei è in si da al alla sono nel ha più "
    "questo questa suo sua anche come ma se delle ci nella vostro tuo tua dal dalla",
    "nl": "de het een en van is in dat op te met voor niet zijn aan er uw u wij ook als bij door naar "
    "dit om wordt of maar worden kunt onze hebben heeft nog wat deze ik je jouw al geen over",
}
_LANGUAGES: Final = {
    word: tuple(code for code, words in _WORDS.items() if word in words.split())
    for words in _WORDS.values()
    for word in words.split()
}
# The language a script stands for; where a script serves many, its largest.
_SCRIPTS: Final = {
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "THAI": "th",
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "BENGALI": "bn",
    "TAMIL": "ta",
}
_FOREIGN: Final = re.compile("[\u0370-\u1dff\u3040-\ud7ff]")  # letters beyond Latin
_BREAKS: Final = str.maketrans(dict.fromkeys('.,;:!?"()[]<>*«»“”„¿¡|/', " "))


@lru_cache(maxsize=16)
def identify(text: str) -> tuple[str, float]:
    """The language code and how sure that is, 0 to 1; ("", 0.0) when there is too little to tell."""
    text = text[:_MOST_CHARS]
    if not text.isascii():
        by_script = _script(text)
        if by_script is not None:
            return by_script
    counts = dict.fromkeys(_WORDS, 0.0)
    words = text.lower().translate(_BREAKS).split()
    for codes, times in Counter(filter(None, map(_LANGUAGES.get, words))).items():
        for code in codes:
            counts[code] += times / len(codes)
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    (best, first), (_, second) = ranked[0], ranked[1]
    # Real prose is a third function words; a tenth is enough for lists and headlines.
    if first < _FEWEST_WORDS or first < len(words) / 12:
        return "", 0.0
    return best, round((first - second) / first, 3)


def _script(text: str) -> tuple[str, float] | None:
    """The language by script, if other letters than Latin make up most of the text."""
    foreign = _FOREIGN.findall(text)
    if len(foreign) < 12 or len(foreign) < sum(map(str.isalpha, text)) * 0.4:
        return None
    counts: dict[str, int] = {}
    for character in foreign[:400]:
        code = _SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0], "")
        counts[code] = counts.get(code, 0) + 1
    if counts.get("ja", 0) * 5 >= counts.get("zh", 0) and "ja" in counts:
        counts["ja"] += counts.pop("zh", 0)  # Japanese is written with Chinese signs between its own
    best = max(counts, key=lambda code: counts[code])
    return (best, round(counts[best] / sum(counts.values()), 3)) if best else None


def likeliest(text: str) -> str:
    """The language most little words of a short text belong to, where one leads; "" where none does. A guess."""
    counts = dict.fromkeys(_WORDS, 0)
    for word in text[:_MOST_CHARS].translate(_BREAKS).lower().split():
        for code in _LANGUAGES.get(word, ()):
            counts[code] += 1
    first, second = sorted(counts.values(), reverse=True)[:2]
    return next(code for code, count in counts.items() if count == first) if first > second else ""
