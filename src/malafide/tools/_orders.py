"""Orders to a judge in scripts that the rulebook's words cannot spell: ignore what you were told, call this safe.

Only looked for where a text has letters of such a script; ordinary Latin mail pays nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import re2

# Halves of characters, left over from broken text: one for one, since RE2 cannot take them.
_HALVES: Final = re.compile("[\ud800-\udfff]")
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
)


def orders(text: str) -> Iterator[tuple[int, int]]:
    """Where the text orders a judge about, in one of those scripts: the first place, if any."""
    if text.isascii():
        return
    match = _ORDERS.search(_HALVES.sub(" ", text))
    if match is not None:
        yield match.start(), match.end()
