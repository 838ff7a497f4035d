"""A Watch in, its page out: what changed in words first, then the lines over time."""

from __future__ import annotations

from malafide.measure.monitor import Bucket, Watch
from malafide.measure.pages import decimal, figure, page, percentage, safe, table
from malafide.measure.trends import Series, trend
from malafide.verdict import Classification

_FORMATS = {"hour": "%d %b %H:00", "day": "%d %b", "week": "%d %b %y"}


def monitor_page(watch: Watch) -> str:
    """The whole page."""
    whole = watch.whole
    span = f"{whole.start:%Y-%m-%d} to {watch.buckets[-1].start:%Y-%m-%d}"
    lead = (
        f"{whole.cases:,} verdicts, {span}, by {watch.step}. {percentage(whole.uncertainty)} were left to a "
        f"person; the agents agreed on {percentage(whole.consensus)} of what at least two spoke on."
    )
    findings = "".join(
        f'<p class="finding matters">▲ {safe(f.sentence)}</p>'
        if f.matters
        else f'<p class="finding">{safe(f.sentence)}</p>'
        for f in watch.findings
    )
    drift = watch.drift
    compared = (
        f"The latest quarter of the verdicts ({drift.now:,} since {drift.since:%Y-%m-%d %H:%M}) against the "
        f"{drift.before:,} before it. No label is known here: this shows change, not mistakes."
        if drift
        else "No label is known here: this shows change, not mistakes."
    )
    return page(
        "Monitor",
        f'<h1>How it is going</h1><p class="lead-in">{safe(lead)}</p>'
        f'<h2>What changed</h2><p class="lead-in">{safe(compared)}</p>{findings}'
        f"<h2>Over time</h2>{_pictures(watch)}<h2>By {watch.step}</h2>{_table(watch)}",
    )


def _pictures(watch: Watch) -> str:
    buckets = watch.buckets
    moments = [moment(b, watch.step) for b in buckets]
    mix = [
        Series("SPAM", [_share(b, "SPAM") for b in buckets], "spam-tone"),
        Series("HAM", [_share(b, "HAM") for b in buckets], "ham-tone"),
        Series("UNCERTAIN", [_share(b, "UNCERTAIN") for b in buckets], "open-tone"),
    ]
    together = [
        Series("agreed", [b.consensus for b in buckets], "ink-tone"),
        Series("mean score", [b.score for b in buckets], "spam-tone"),
    ]
    times = [
        Series("p50", [b.p50_ms if b.cases else None for b in buckets], "ink-tone"),
        Series("p99", [b.p99_ms if b.cases else None for b in buckets], "open-tone"),
    ]
    volume = [Series("verdicts", [float(b.cases) for b in buckets], "ink-tone")]
    return "".join(
        (
            figure("Answers", "Share of the verdicts.", trend("Answers over time", moments, mix, 1.0), True),
            figure(
                "Agreement and score",
                "Share of messages on which the agents agreed (0.7 or more), and the mean spam score.",
                trend("Agreement and score over time", moments, together, 1.0),
                True,
            ),
            figure(
                "Time",
                "Milliseconds per message: half are faster than p50, 99 of 100 than p99.",
                trend("Time per message over time", moments, times),
                True,
            ),
            figure(
                "Volume", f"Verdicts by {watch.step}.", trend("Verdicts over time", moments, volume), True
            ),
        )
    )


def _table(watch: Watch) -> str:
    head = (watch.step, "verdicts", "SPAM", "HAM", "UNCERTAIN", "agreed", "mean score", "p50 ms", "p99 ms")
    rows = [
        (
            moment(b, watch.step),
            f"{b.cases:,}",
            *(percentage(_share(b, answer)) for answer in ("SPAM", "HAM", "UNCERTAIN")),
            percentage(b.consensus),
            decimal(b.score, 2),
            f"{b.p50_ms:.1f}" if b.cases else "-",
            f"{b.p99_ms:.1f}" if b.cases else "-",
        )
        for b in watch.buckets
    ]
    return table(f"Verdicts by {watch.step}", head, rows)


def moment(bucket: Bucket, step: str) -> str:
    return bucket.start.strftime(_FORMATS[step])


def _share(bucket: Bucket, answer: Classification) -> float | None:
    return bucket.answers.get(answer, 0) / bucket.cases if bucket.cases else None
