"""HTML becomes what the reader sees; what is kept from the eye stands apart."""

import pytest

from malafide.intake import read_bytes
from malafide.intake.guard import harmless_html
from malafide.intake.html import render
from malafide.intake.invisible import find_invisible
from malafide.intake.weblinks import find_urls


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("a<br>b<br><br>c", "a\nb\n\nc"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<table><tr><td>Sum</td><td>5 EUR</td></tr><tr><td>x</td></tr></table>", "Sum 5 EUR\nx"),
        ("vi<b>ag</b>r<!-- x -->a", "viagra"),
        ("one\n   two&nbsp;three", "one two three"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<img alt='Big Sale'>now", "Big Sale now"),
        ("<title>no</title><style>p{}</style><script>no()</script>yes", "yes"),
        ("<input type=submit value=Send> <input placeholder='Your PIN'>", "Send Your PIN"),
        ("before <!--#rotate> after <b>all</b>", "before after all"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
    ],
)
def test_visible_text(source: str, text: str) -> None:
    page = render(source)
    assert page.text == text
    assert page.hidden == []


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<p style='display:none'>secret</p>", "display"),
        ("<p style='DISPLAY : none !important'>secret</p>", "display"),
        ("<p style='visibility:hidden'>secret</p>", "display"),
        ("<p hidden>secret</p>", "display"),
        ("<p style='mso-hide:all'>secret</p>", "display"),
        ("<p style='opacity:0'>secret</p>", "display"),
        ("<p style='max-height:0;overflow:hidden'>secret</p>", "display"),
        ("<noscript>secret</noscript>", "display"),
        ("<span style='font-size:0'>secret</span>", "size"),
        ("<span style='font-size:1px'>secret</span>", "size"),
        ("<font color=white>secret</font>", "colour"),
        ("<p style='color:#fefefe'>secret</p>", "colour"),
        ("<table bgcolor=#336699><tr><td style='color:rgb(51,102,153)'>secret</td></tr></table>", "colour"),
        ("<p style='text-indent:-9999px'>secret</p>", "offscreen"),
        ("<p style='position:absolute;left:-9999px'>secret</p>", "offscreen"),
        ("<style>.x{display:none}</style><p class='y x'>secret</p>", "display"),
        ("<style>.x{font-size:0px}</style><p class=x>secret</p>", "size"),
    ],
)
def test_hidden_text(source: str, reason: str) -> None:
    page = render(f"<p>seen</p>{source}")
    assert page.text == "seen"
    assert page.hidden == [(reason, "secret")]


@pytest.mark.parametrize(
    "source",
    [
        "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>shown</p>",
        "<style>.x{display:none} @media (max-width:600px){.x{display:block}}</style><p class=x>shown</p>",
        "<style media='(max-width:600px)'>.x{display:none}</style><p class=x>shown</p>",
        "<td style='font-size:0'><span style='font-size:14px'>shown</span></td>",
        "<div style='visibility:hidden'><span style='visibility:visible'>shown</span></div>",
        "<a style='color:#fff;background:#c00' href='http://a.example/'>shown</a>",
        "<table background='x.png'><tr><td><font color=white>shown</font></td></tr></table>",
        "<style>div p{background:#000}</style><div><p><font color=#fff>shown</font></p></div>",
        "<p style='color:white;background-image:url(x)'>shown</p>",
        "<p style='height:0'>shown</p>",
        "<font color=white><a href='http://a.example/'>shown</a></font>",
        "<!--[if mso]> " + "words for one program only " * 9 + "<![endif]-->shown",
    ],
)
def test_what_only_looks_hidden(source: str) -> None:
    page = render(source)
    assert page.text == "shown"
    assert page.hidden == []


def test_filler_in_comments_is_hidden_and_notes_are_not() -> None:
    filler = "the weather was fine and all of them went down to the river to swim until the evening came over"
    page = render(f"<!-- {filler} {filler} --><!-- footer starts here -->text")
    assert page.hidden == [("comment", f"{filler} {filler}")]


def test_links_with_their_words() -> None:
    page = render(
        "<base href='http://base.example/dir/'>"
        "<a href='http://a.exam\nple/?x=1&amp;y=2'> go <b>there</b> </a>"
        "<a href='page.html'><img src='cid:1' alt='Logo'></a>"
        "<a href='#top'>up</a><a href='cid:7'>no</a>"
        "<map><area href='http://area.example/'></map>"
        "<form action='http://form.example/'><input><input type=PASSWORD></form>"
        "<a href='mailto:a@example.com'>write</a>"
    )
    assert [(a.target, a.carrier, page.text[a.start : a.end]) for a in page.anchors] == [
        ("http://a.example/?x=1&y=2", "anchor", "go there"),
        ("http://base.example/dir/page.html", "image", "Logo"),
        ("http://area.example/", "image", ""),
        ("http://form.example/", "form", ""),
        ("mailto:a@example.com", "anchor", "write"),
    ]
    assert page.forms == [("http://form.example/", ["text", "password"])]
    assert (page.images, page.linked_images) == (1, 1)


def test_refresh_leads_somewhere() -> None:
    page = render("<head><meta http-equiv=Refresh content='0; URL=http://away.example/'></head>")
    assert [(a.target, a.carrier) for a in page.anchors] == [("http://away.example/", "refresh")]


def test_fields_of_a_form_in_a_table_belong_to_it() -> None:
    page = render(
        "<table><form action='http://f.example/'><tr><td><input type=password></td></tr></form></table>"
    )
    assert page.forms == [("http://f.example/", ["password"])]


def test_a_written_out_address_beside_an_anchor() -> None:
    raw = (
        b"From: a@example.com\nSubject: x\nContent-Type: text/html\n\n"
        b"<a href='http://evil.example/'>http://bank.example/</a> or http://bare.example/."
    )
    case = read_bytes(raw)
    assert case.mail is not None
    assert [(link.target, link.text, link.carrier) for link in case.mail.links] == [
        ("http://evil.example/", "http://bank.example/", "anchor"),
        ("http://bare.example/", "http://bare.example/", "text"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see http://a.example/x).", ["http://a.example/x"]),
        ("(http://a.example/x_(y))", ["http://a.example/x_(y)"]),
        ("<HTTPS://A.EXAMPLE>", ["HTTPS://A.EXAMPLE"]),
        ("www.a.example, www.b.example!", ["www.a.example", "www.b.example"]),
        ("me@www.a.example http:// ://", []),
        ("http://a.example/?u=http://b.example/", ["http://a.example/?u=http://b.example/"]),
    ],
)
def test_written_out_addresses(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in find_urls(text)] == found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("pay\u200bpal", 1),
        ("a\u00adb", 1),
        ("\u2764\ufe0f", 0),
        ("👨\u200d👩", 0),
        ("می\u200cخواهم", 0),
        ("plain", 0),
    ],
)
def test_characters_of_no_width(text: str, count: int) -> None:
    assert len(list(find_invisible(text))) == count


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 100_000,
        "<ul><li>" * 50_000,
        "".join(f"<font size={i}><p>" for i in range(20_000)),
        "<a " + " ".join(f"a{i}" for i in range(50_000)) + ">x</a>",
        "<a " + "".join(f'a{i}=">"' for i in range(50_000)) + ">x</a>",
    ],
)
def test_html_that_would_choke_the_parser_is_cut(source: str) -> None:
    assert len(harmless_html(source)) < 60_000
    assert render(source).truncated


def test_long_but_honest_html_is_read_whole() -> None:
    row = "<tr><td style='color:red'><b>word</b></td><td><p>more</td></tr>"
    page = render("<table>" + row * 2_000 + "</table>")
    assert not page.truncated
    assert page.text.count("word") == 2_000
