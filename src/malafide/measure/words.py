"""A Validation or a Watch in, lines for the terminal out: each figure with a few words on what it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.measure.measures import MEANINGS, Measures
from malafide.measure.metrics import ANSWERS, LABELS, Rate
from malafide.measure.monitor import Bucket, Watch
from malafide.measure.pages import decimal, percentage
from malafide.measure.validation import Validation
from malafide.render.visible import one_line
from malafide.render.words import harmless

_BARS: Final = "▁▂▃▄▅▆▇█"
_PLAIN_BARS: Final = "_.-:=+*#"
_SHOWN_ERRORS: Final = 5
_SHOWN_PATTERNS: Final = 8
_WIDEST: Final = 60  # columns of a sparkline


def validation_lines(validation: Validation) -> list[str]:
    """The summary of a validation."""
    m = validation.measures
    return [
        *_matrix(m),
        "",
        *_figures(m),
        "",
        *_agents(m),
        "",
        *_thresholds(m),
        "",
        *_patterns(m),
        *_errors(validation),
        *_failures(validation),
    ]


def _matrix(m: Measures) -> list[str]:
    lines = [f"{'':10}" + "".join(f"{'called ' + a:>18}" for a in ANSWERS)]
    for label in LABELS:
        counts = [Rate(m.confusion.of(label, a), m.confusion.of(label)) for a in ANSWERS]
        lines.append(f"was {label:<6}" + "".join(f"{c.hits:>9,} {percentage(c.value):>8}" for c in counts))
    return lines


def _figures(m: Measures) -> list[str]:
    rates = m.named_rates()
    lines = [f"{'':26}{'value':>9}   {'95 % interval':<18}"]
    for name, rate in rates.items():
        low_high = (
            "-"
            if rate.interval is None
            else f"{rate.interval[0] * 100:.1f} to {percentage(rate.interval[1])}"
        )
        words = MEANINGS[name]
        lines.append(f"{name.replace('_', ' '):<26}{percentage(rate.value, 2):>9}   {low_high:<18} {words}")
    tcr = m.rates.cost_ratio
    ece = f"decided only {decimal(m.ece_decided.equal_width)}"
    single = (
        ("F1", decimal(m.rates.f1), "", "f1"),
        ("AUC", decimal(m.auc, 4), "", "auc"),
        ("calibration error (ECE)", decimal(m.ece.equal_width), ece, "ece"),
        ("Brier score", decimal(m.brier), "", "brier"),
        ("AURC", decimal(m.aurc, 4), "", "aurc"),
        ("total cost ratio (TCR)", decimal(tcr, 2) if tcr is not None else "no errors", "", "tcr"),
    )
    lines += [f"{title:<26}{value:>9}   {aside:<18} {MEANINGS[name]}" for title, value, aside, name in single]
    c = m.costs
    slow = f"p99 {c.p99_ms:.1f} ms"
    lines.append(f"{'time per case':<26}{c.p50_ms:>6.1f} ms   {slow:<18} half are faster, 99 of 100 than p99")
    paid = f"{c.tokens:,} tokens, {c.money:.2f} paid"
    lines.append(f"{'calls of a model':<26}{c.calls:>9,}   {paid:<18}")
    return lines


def _agents(m: Measures) -> list[str]:
    head = f"{'agent':<22}{'spoke':>9}{'accuracy':>10}{'decided':>10}{'AUC':>8}"
    lines = [f"{head}{'confidence':>12}{'as verdict':>12}"]
    for a in m.agents:
        cells = f"{percentage(a.answered.value):>9}{percentage(a.accuracy.value):>10}"
        cells += (
            f"{percentage(a.accuracy_decided.value):>10}{decimal(a.auc):>8}{decimal(a.confidence, 2):>12}"
        )
        lines.append(f"{a.agent:<22}{cells}{percentage(a.with_verdict.value):>12}")
    return lines


def _thresholds(m: Measures) -> list[str]:
    head = f"{'SPAM from / HAM up to':<26}{'false alarms':>13}{'missed':>10}{'decided':>10}"
    lines = [f"{head}{'accuracy':>10}{'TCR':>11}"]
    for t in m.thresholds:
        r = t.rates
        name = f"{t.spam_from:.2f} / {t.ham_up_to:.2f}{'  in use' if t.in_use else ''}"
        tcr = decimal(r.cost_ratio, 2) if r.cost_ratio is not None else "no errors"
        cells = f"{percentage(r.false_positive_rate.value, 2):>13}{percentage(r.missed.value):>10}"
        cells += f"{percentage(r.coverage.value):>10}{percentage(r.accuracy.value):>10}{tcr:>11}"
        lines.append(f"{name:<26}{cells}")
    return lines


def _patterns(m: Measures) -> list[str]:
    if not m.patterns:
        return []
    lines = [f"{'most telling patterns':<44}{'of spam':>9}{'of ham':>9}{'lift':>8}{'log-odds':>10}"]
    for p in m.patterns[:_SHOWN_PATTERNS]:
        cells = f"{percentage(p.spam.value):>9}{percentage(p.ham.value):>9}{decimal(p.lift, 2):>8}"
        lines.append(f"{one_line(p.kind, 42):<44}{cells}{p.log_odds:>+10.2f}")
    wrong = [p.kind for p in m.patterns if p.against]
    if wrong:
        lines.append(f"spoke for the wrong side here: {one_line(', '.join(wrong), 400)}")
    return lines


def _errors(validation: Validation) -> list[str]:
    worst = validation.worst(_SHOWN_ERRORS)
    if not worst:
        return []
    lines = ["", "worst errors"]
    for judged in worst:
        row = judged.row
        facts = f"{row.label} called {row.classification} ({row.score:.2f})"
        lines.append(f"  {one_line(row.name, 60)}: {facts}. {one_line(harmless(judged.summary), 160)}")
    return lines


def _failures(validation: Validation) -> list[str]:
    if not validation.failed:
        return []
    lines = ["", f"{len(validation.failed):,} could not be judged and are in none of the figures"]
    return lines + [
        f"  {one_line(f.name, 60)}: {one_line(harmless(f.reason), 160)}"
        for f in validation.failed[:_SHOWN_ERRORS]
    ]


def sparkline(values: Sequence[float | None], most: float | None = None, plain: bool = False) -> str:
    """One character per value, empty where there is none; from 0 to the highest, or to `most`."""
    bars = _PLAIN_BARS if plain else _BARS
    top = most or max((v for v in values if v is not None), default=0.0) or 1.0
    return "".join(
        " " if v is None else bars[min(int(v / top * len(bars)), len(bars) - 1)] for v in values[-_WIDEST:]
    )


def watch_lines(watch: Watch, plain: bool = False) -> list[str]:
    """What the log says, for the terminal. `plain` draws with ASCII alone."""
    whole, buckets = watch.whole, watch.buckets
    shown = buckets[-_WIDEST:]
    head = f"{whole.cases:,} verdicts by {watch.step}, from {shown[0].start:%Y-%m-%d %H:%M} to now"
    lines = [head, ""]

    def row(name: str, value: str, values: Sequence[float | None], most: float | None, means: str) -> None:
        lines.append(f"{name:<16}{value:>9}  {sparkline(values, most, plain)}  {means}")

    row("verdicts", f"{whole.cases:,}", [float(b.cases) for b in buckets], None, f"most in one {watch.step}: "
        f"{max(b.cases for b in buckets):,}")  # fmt: skip
    for answer, means in (("SPAM", "called SPAM"), ("HAM", "called HAM"), ("UNCERTAIN", "left to a person")):
        shares = [_share(b, answer) for b in buckets]
        row(answer, percentage(_share(whole, answer)), shares, 1.0, means)
    row(
        "agents agreed",
        percentage(whole.consensus),
        [b.consensus for b in buckets],
        1.0,
        "agreement of 0.7 or more",
    )
    row("mean score", decimal(whole.score, 2), [b.score for b in buckets], 1.0, "0 is ham, 1 is spam")
    for name, overall, times in (
        ("time p50", whole.p50_ms, [b.p50_ms if b.cases else None for b in buckets]),
        ("time p99", whole.p99_ms, [b.p99_ms if b.cases else None for b in buckets]),
    ):
        slowest = max((t for t in times if t is not None), default=0.0)
        row(name, f"{overall:.1f} ms", times, None, f"highest {slowest:.1f} ms")
    lines.append("")
    if watch.drift is not None:
        lines.append(
            f"the latest {watch.drift.now:,} verdicts against the {watch.drift.before:,} before them"
        )
    sentences = [f"{'!' if f.matters else '-'} {f.sentence}" for f in watch.findings]
    return lines + [s.replace("±", "+/-") if plain else s for s in sentences]


def _share(bucket: Bucket, answer: str) -> float | None:
    return sum(n for a, n in bucket.answers.items() if a == answer) / bucket.cases if bucket.cases else None
