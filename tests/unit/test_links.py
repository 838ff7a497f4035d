"""Where links lead and how they are dressed."""

from __future__ import annotations

import pytest

from malafide.case import Case
from malafide.intake import read_bytes
from malafide.knowledge.domains import parse
from malafide.tools._places import odd_path
from malafide.tools.links import links

PASSED = "mx.reader.example; dkim=pass header.d=shop.example; dmarc=pass header.from=shop.example"


def _mail(body: str, sender: str = "Shop <news@shop.example>", authentication: str = "") -> Case:
    header = f"Authentication-Results: {authentication}\r\n" if authentication else ""
    return read_bytes(
        (
            f"{header}From: {sender}\r\nTo: ann@reader.example\r\nSubject: hello\r\n"
            "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
            f"<html><body>{body}</body></html>"
        ).encode()
    )


TALK = "<p>" + "This is a long enough letter about gardens and their tools in spring. " * 5 + "</p>"


def _kinds(case: Case) -> set[str]:
    found = links(case)
    assert all(evidence.holds_in(case) and len(evidence.quote) <= 200 for evidence in found)
    return {evidence.kind for evidence in found}


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("http://192.0.2.7/a", "links.ip-host"),
        ("http://3221225991/a", "links.disguised-address"),
        ("http://odd.example:81/a", "links.odd-port"),
        ("http://www.shop.example@evil.test/", "links.false-front"),
        ("https://bit.ly/abc", "links.shortener"),
        ("https://docs.google.com/forms/d/1", "links.free-form"),
        ("https://name.blob.core.windows.net/x.html", "links.storage-page"),
        ("https://name.weebly.com/", "links.free-page"),
        ("https://name.blogspot.com/", "links.home-page"),
        ("https://drive.google.com/file/1", "links.shared-file"),
        ("https://exаmple.com/", "links.mixed-alphabets"),
        ("https://münzen.example/", "links.foreign-letters"),
        ("https://a.b.c.d.e.odd.example/", "links.long-host"),
        ("https://x7k2q9w4.example/", "links.random-name"),
        ("https://garden.top/", "links.cheap-ending"),
        ("https://garden.example/setup.exe", "links.program"),
        ("https://garden.example/pictures.zip", "links.archive"),
        ("https://garden.example/wp-content/plugins/x/sign.php", "links.borrowed-site"),
        ("https://www.google.com/url?q=https://evil.test/", "links.redirector"),
        ("https://garden.example/#ann@reader.example", "links.reader-marked"),
        ("https://garden.example/YW5uQHJlYWRlci5leGFtcGxl", "links.reader-marked"),
        ("https://garden.example/616e6e407265616465722e6578616d706c65", "links.reader-marked"),
        ("https://garden.example/", "links.one-other-site"),
        ("mailto:helper@gmail.com", "links.mail-button"),
    ],
)
def test_odd_places(target: str, kind: str) -> None:
    assert kind in _kinds(_mail(f'{TALK}<a href="{target}">open</a>'))


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("data:text/html;base64,PGI+", "links.page-in-link"),
        ("javascript:window.location='https://evil.test/'", "links.script"),
        ("file://evil.test/share/a.url", "links.file-share"),
    ],
)
def test_targets_that_are_no_pages(target: str, kind: str) -> None:
    assert [finding.kind for finding in odd_path(parse(target))] == [kind]


@pytest.mark.parametrize(
    "target",
    [
        "https://www.shop.example/a",
        "https://shop.example/wp-content/uploads/leaflet.pdf",
        "https://click.list-manage.com/track/1",
        "https://www.shop.example:443/unsubscribe?ann@reader.example",
        "http://192.168.0.1/",
        "mailto:news@shop.example",
        "tel:+441632960000",
        "#top",
    ],
)
def test_harmless_places(target: str) -> None:
    assert _kinds(_mail(f'{TALK}<a href="{target}">open</a>')) == set()


@pytest.mark.parametrize(
    ("text", "target", "strength"),
    [
        ("www.paypal.com", "https://evil.test/", 0.7),  # a brand is shown, a stranger reached
        (
            "https://www.paypal.com/login",
            "https://www.shop.example/go",
            0.4,
        ),  # through the sender's own counter
        ("www.shop.example", "https://evil.test/", 0.4),  # the sender is shown
        ("https://garden.example/a", "https://evil.test/", 0.2),
        ("www.shop.example", "https://www.shop.example/a", None),
        ("www.garden.example", "https://click.list-manage.com/1", None),
        ("shop.example", "https://shop.test/", None),  # the same name in another country
        ("facebook.com/shop", "https://www.shop.example/go", None),
        ("setup.sh", "https://evil.test/", None),
        ("Read more.", "https://evil.test/", None),
    ],
)
def test_words_against_target(text: str, target: str, strength: float | None) -> None:
    found = [
        e for e in links(_mail(f'{TALK}<a href="{target}">{text}</a>')) if e.kind.startswith("links.shows")
    ]
    assert [evidence.strength for evidence in found] == ([] if strength is None else [strength])


def test_shown_address_is_not_the_one_written_to() -> None:
    case = _mail(f'{TALK}<a href="mailto:x@other.example">help@shop.example</a>')
    assert "links.shows-another-address" in _kinds(case)


def test_own_links_count_only_when_proven() -> None:
    body = f'{TALK}<a href="https://www.shop.example/a">open</a>'
    assert links(_mail(body)) == []
    (found,) = links(_mail(body, authentication=PASSED))
    assert (found.kind, found.direction) == ("links.own-site", "genuine")
    mixed = body + '<a href="https://bit.ly/x">more</a>'
    assert "links.own-site" not in _kinds(_mail(mixed, authentication=PASSED))


def test_picture_to_click_on() -> None:
    body = '<a href="https://evil.test/"><img src="cid:1"></a>'
    assert "links.picture-only" in _kinds(_mail(body))
    assert "links.picture-only" not in _kinds(_mail(TALK + body))


def test_password_form() -> None:
    form = '<form action="https://evil.test/get"><input type="password" name="p"></form>'
    assert "links.password-form" in _kinds(_mail(TALK + form))
    assert "links.password-form" not in _kinds(_mail(TALK + form.replace("evil.test", "shop.example")))


def test_many_links_stay_few_findings() -> None:
    body = "".join(f'<a href="http://192.0.2.{i % 250}/{i}">x</a>' for i in range(400))
    assert len([e for e in links(_mail(body)) if e.kind == "links.ip-host"]) == 2
