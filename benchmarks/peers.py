"""The race: malafide against SpamAssassin, bogofilter and Rspamd, on the same mails, on one core, in one run.

    python -m benchmarks.peers [MAILS_PER_SET]

The SpamAssassin corpus is halved by name: what learns learns from one half, and all are asked about the other. The
mails of phishing_pot come from other years and sources than anything learned from. Writes docs/benchmarks/peers.md and
peers.svg. Needs `apt-get install spamassassin bogofilter rspamd`, and to be root, since two of them want to be started
so and then give that up.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.corpora import raw_mails
from benchmarks.peer_programs import Bogofilter, Malafide, Rspamd, Run, SpamAssassin, missing
from benchmarks.speed import reference_seconds
from malafide.measure.plots import picture, text

OUT = Path(__file__).parent.parent / "docs" / "benchmarks"
SETS = ("spamassassin/ham", "spamassassin/hard_ham", "spamassassin/spam", "phishing_pot")
Contestant = SpamAssassin | Bogofilter | Rspamd | Malafide


def halves(name: str) -> tuple[list[bytes], list[bytes]]:
    """The mails of a set to learn from, and those to be asked about."""
    learn: list[bytes] = []
    ask: list[bytes] = []
    for mail, data in raw_mails(name):
        (learn if zlib.crc32(mail.encode()) % 2 else ask).append(data)
    return learn, ask


def share(answers: Sequence[str], answer: str) -> float:
    return 100 * sum(one == answer for one in answers) / max(1, len(answers))


def main() -> None:
    if lacking := missing():
        sys.exit(f"not installed: {', '.join(lacking)}; apt-get install {' '.join(lacking)}")
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    taught, asked = {}, {}
    for name in SETS[:3]:
        taught[name], asked[name] = halves(name)
    asked[SETS[3]] = [data for _, data in raw_mails(SETS[3])]
    asked = {name: mails[:most] for name, mails in asked.items()}
    spam, ham = taught[SETS[2]], [*taught[SETS[0]], *taught[SETS[1]]]
    every = [data for name in SETS for data in asked[name]]
    contestants: list[Contestant] = [
        Malafide(), Malafide(spam, ham), SpamAssassin(), Rspamd(), Bogofilter(spam, ham),
    ]  # fmt: skip
    rows = []
    for one in contestants:
        run = one.run(every)
        if len(run.answers) != len(every):
            sys.exit(f"{one.name} answered {len(run.answers)} of {len(every)} mails")
        rows.append((one, run))
        print(f"{one.name:36} {len(every) / run.seconds:8.1f} mails/s of CPU", flush=True)
    report = table(rows, asked)
    print(report)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "peers.svg").write_text(chart(rows), encoding="utf-8")
    (OUT / "peers.md").write_text(page(report, asked, reference_seconds()), encoding="utf-8")


def table(rows: Sequence[tuple[Contestant, Run]], asked: Mapping[str, Sequence[bytes]]) -> str:
    spamd = next(run.seconds for one, run in rows if isinstance(one, SpamAssassin))
    lines = [
        "| filter | mails/s per core | against spamd | memory | false alarms: ham | hard_ham "
        "| spam 2002 caught | called ham | phishing 2022-23 caught | called ham | reasons |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one, run in rows:
        at, by_set = 0, {}
        for name in SETS:
            by_set[name] = run.answers[at : at + len(asked[name])]
            at += len(asked[name])
        ham, hard, spam, phish = (by_set[name] for name in SETS)
        lines.append(
            f"| {one.name} | {len(run.answers) / run.seconds:,.0f} | {spamd / run.seconds:.1f}x "
            f"| {run.megabytes:,.0f} MB | {share(ham, 'SPAM'):.2f} % | {share(hard, 'SPAM'):.1f} % "
            f"| {share(spam, 'SPAM'):.1f} % | {share(spam, 'HAM'):.1f} % "
            f"| {share(phish, 'SPAM'):.1f} % | {share(phish, 'HAM'):.1f} % | {one.reasons} |"
        )
    return "\n".join(lines)


def chart(rows: Sequence[tuple[Contestant, Run]]) -> str:
    """Mails a second per core as bars, each with its number."""
    rates = [(one.name, len(run.answers) / run.seconds) for one, run in rows]
    most = max(rate for _, rate in rates)
    body = "<style>text{font:13px sans-serif;fill:#444}rect{fill:#3d6b8e}rect.own{fill:#b4552d}</style>"
    for i, (name, rate) in enumerate(rates):
        y, width = 34 + i * 34, max(1.0, rate / most * 330)
        own = ' class="own"' if name.startswith("malafide") else ""
        body += text(8, y + 14, name, "label")
        body += f'<rect{own} x="250" y="{y}" width="{width:.1f}" height="20"/>'
        body += text(250 + width + 6, y + 14, f"{rate:,.0f}", "label")
    told = "; ".join(f"{name} {rate:,.0f}" for name, rate in rates)
    return picture("Mails per second on one core", told, body, 660, 40 + 34 * len(rates)).replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1
    )


def page(report: str, asked: Mapping[str, Sequence[bytes]], yardstick: float) -> str:
    counts = ", ".join(f"{len(mails):,} of {name}" for name, mails in asked.items())
    return f"""# The race

Printed by `python -m benchmarks.peers` (development data in `MALAFIDE_DATA`), all in one run on one core.
Mails asked about: {counts}. What learns learned from the other half of the SpamAssassin corpus.
Rates count the CPU time of each filter's own processes; malafide's includes making the whole contract as JSON.
Yardstick: 3,000,000 steps of plain Python took {yardstick:.2f} s in the same run.

{report}

![Mails per second on one core](peers.svg)

How to read it: malafide and bogofilter may answer "uncertain" and Rspamd may greylist, so what is not caught is not all
called ham. SpamAssassin and Rspamd are measured without what they usually have besides: network lists, and Bayes.
SpamAssassin's rules grew up with mail like this corpus, and malafide's rules were written with it in view;
phishing_pot is the fairer column for the rules, and nobody learned from it.
"""


if __name__ == "__main__":
    main()
