"""Languages by their little words, and texts that are not at home in theirs."""

import pytest
from header_mail import kinds, mail
from hypothesis import given
from hypothesis import strategies as st

from malafide.knowledge.languages import identify
from malafide.tools.language import language

TEXTS = {
    "en": "The keys are with Clara, and you can have them if you ask her before the meeting on Friday.",
    "de": "Die Schlüssel sind bei Clara, und wir können sie vor der Sitzung am Freitag bei ihr holen.",
    "fr": "Les clés sont chez Clara et vous pouvez les prendre avant la réunion si elle est dans le bureau.",
    "es": "Las llaves están en la casa de Clara y usted puede recogerlas antes de la reunión con los socios.",
    "pt": "As chaves estão com a Clara e você pode buscar antes da reunião se ela não estiver em casa.",
    "it": "Le chiavi sono da Clara e si possono prendere prima della riunione se non è in ufficio.",
    "nl": "De sleutels zijn bij Clara en je kunt ze halen voor de vergadering als het niet te laat is.",
    "ru": "Ключи у Клары, их можно взять до встречи в пятницу.",
    "zh": "钥匙在克拉拉那里你可以在星期五开会之前去拿",
    "ja": "かぎはクララさんのところにありますので金曜日の会議の前にとりにきてください",
    "ar": "المفاتيح عند كلارا ويمكنك أخذها قبل الاجتماع يوم الجمعة",
}


@pytest.mark.parametrize("code", TEXTS)
def test_identify(code: str) -> None:
    assert identify(TEXTS[code])[0] == code


@pytest.mark.parametrize("text", ["", "4711", "ok thanks", "foo.bar(baz) == qux;", "!!!"])
def test_too_little_to_tell(text: str) -> None:
    assert identify(text) == ("", 0.0)


@given(st.text(max_size=300))
def test_confidence_is_a_share(text: str) -> None:
    assert 0.0 <= identify(text)[1] <= 1.0


@pytest.mark.parametrize(
    ("body", "changes", "expected"),
    [
        (TEXTS["en"], {}, set()),
        (
            TEXTS["en"],
            {"Subject": "Wichtig für Sie und ihr Konto, das wir nicht mehr haben"},
            {"other-subject"},
        ),
        (TEXTS["de"], {"Subject": "Your account and the payment you have to make for it"}, {"other-subject"}),
        (TEXTS["en"], {"Content-Type": "text/plain; charset=windows-1251"}, {"foreign-charset"}),
        (TEXTS["ru"], {}, set()),
        (
            "Dear costumer, you will recieve the fund to your acount and kindly revert to us for it.",
            {},
            {"slips"},
        ),
        ("You will recieve the keys from Clara if you ask her before the meeting.", {}, {"slip"}),
    ],
)
def test_tool(body: str, changes: dict[str, str], expected: set[str]) -> None:
    assert kinds(language, mail(body, **changes)) == expected
