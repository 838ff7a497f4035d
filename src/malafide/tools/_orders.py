"""Orders to a judge that the rulebook's words cannot spell: in other scripts and languages, or as a model's own marks.

Languages are only looked for where a text has letters that English has not, or a stem of theirs; ordinary mail pays
next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import re2

# Halves of characters, left over from broken text: one for one, since RE2 cannot take them.
_HALVES: Final = re.compile("[\ud800-\udfff]")
_ASCII_STEMS: Final = ("gnorer", "baikan ", "upakan ")  # of those languages that may do without other letters
_MARK: Final = "[INST]"  # by which some models are told that an order begins
# Each alternative is an order: to drop instructions, or to mark the message as safe. Linear time, short gaps.
_ORDERS: Final = re2.compile(
    "(?i)"
    # Russian
    r"(?:(?:игнорируй|забудь|отбрось|не учитывай)\S{0,3}\s.{0,40}(?:инструкц|указани|правил|команд))"
    r"|(?:(?:отметь|пометь|считай|классифицируй|оцени|признай)\S{0,3}\s.{0,40}(?:безопасн|не спам|легитимн|надежн))"
    # Chinese
    r"|(?:(?:忽略|无视|忘记|忘掉|忽視|無視).{0,12}(?:指令|指示|规则|規則|提示|命令))"
    r"|(?:(?:标记|標記|判定|判断|分类|分類|归类|视|視).{0,4}[为為成].{0,6}(?:安全|正常|非垃圾|合法))"
    # Japanese
    r"|(?:(?:指示|命令|ルール|プロンプト).{0,10}(?:無視|忘れ))"
    r"|(?:(?:安全|正当|スパムではない|問題なし).{0,8}(?:判定|分類|マーク|みなし|評価))"
    # Korean
    r"|(?:(?:지시|명령|지침|규칙).{0,10}(?:무시|잊))"
    r"|(?:(?:안전|정상|스팸이 아).{0,12}(?:표시|분류|판정|간주))"
    # Hindi
    r"|(?:(?:निर्देश|आदेश|नियम).{0,16}(?:अनदेखा|भूल|नज़रअंदाज़|नजरअंदाज))"
    r"|(?:(?:सुरक्षित|वैध).{0,12}(?:मान|चिह्नित|घोषित|वर्गीकृत))"
    # Arabic
    r"|(?:(?:تجاهل|انس|تناس).{0,24}(?:التعليمات|الأوامر|القواعد|الإرشادات))"
    r"|(?:(?:صنف|صنّف|اعتبر|ضع علامة).{0,40}(?:آمن|شرعي|سليم|ليست? بريد))"
    # Polish, Czech, Turkish, Vietnamese, Romanian: to drop instructions; what is safe is said to readers there too
    r"|(?:\b(?:zignoruj|ignoruj|zapomnij|pomiń)\S{0,3}\s.{0,40}(?:instrukcj|polece|wytyczn))"
    r"|(?:\b(?:ignoruj|zapomeň)\S{0,3}\s.{0,40}(?:pokyn|instrukc|příkaz))"
    r"|(?:(?:talimat|komut)\S{0,12}\s.{0,20}(?:yoksay|unut|görmezden|dikkate alma))"
    r"|(?:(?:bỏ qua|quên|phớt lờ)\s.{0,30}(?:hướng dẫn|chỉ thị|chỉ dẫn))"
    r"|(?:\b(?:ignoră|ignorați|uită)\s.{0,30}(?:instrucțiuni|ordine))"
    # Scandinavian, Indonesian and Malay
    r"|(?:\bignorer[ae]?\s.{0,24}(?:instruktion|instruks|anvisning))"
    r"|(?:\b(?:abaikan|lupakan)\s.{0,30}(?:instruksi|arahan|perintah|petunjuk))"
    # Ukrainian, Greek, Hebrew, Persian, Urdu, Bengali, Thai
    r"|(?:(?:ігноруй|забудь)\S{0,3}\s.{0,40}(?:інструкц|вказівк|команд))"
    r"|(?:(?:αγνόησ|αγνοήστε|ξέχασε|ξεχάστε)\S{0,3}\s.{0,40}(?:οδηγί|εντολ))"
    r"|(?:(?:התעלם|התעלמו|שכח|שכחו)\s.{0,30}(?:הוראות|ההוראות|הנחיות|ההנחיות))"
    r"|(?:(?:دستور|دستورالعمل).{0,24}(?:نادیده|فراموش))"
    r"|(?:(?:ہدایات|احکام).{0,24}(?:نظر انداز|نظرانداز|بھول))"
    r"|(?:(?:নির্দেশ|আদেশ).{0,24}(?:উপেক্ষা|ভুলে))"
    r"|(?:(?:ละเว้น|เพิกเฉย|ไม่ต้องสนใจ|ลืม).{0,30}(?:คำสั่ง|คำแนะนำ))"
)


def orders(text: str) -> Iterator[tuple[int, int]]:
    """Where the text orders a judge about, in one of those ways: the first place, if any."""
    if (at := text.find(_MARK)) >= 0:
        yield at, at + len(_MARK)
        return
    if text.isascii() and not any(stem in text for stem in _ASCII_STEMS):
        return
    match = _ORDERS.search(_HALVES.sub(" ", text))
    if match is not None:
        yield match.start(), match.end()
