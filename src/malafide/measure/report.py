"""A Validation in, `report.html` out: figures, pictures, tables and the worst errors, explained."""

from __future__ import annotations

from typing import Final

from malafide.measure.measures import MEANINGS, Measures, thinned
from malafide.measure.pages import between, decimal, figure, name_of, page, percentage, safe, table
from malafide.measure.plots import (
    confusion_matrix,
    reliability_diagram,
    risk_coverage_curve,
    score_histogram,
)
from malafide.measure.validation import Judged, Validation
from malafide.render.words import SHAPES

_WORST: Final = 20
_PATTERNS: Final = 60
_FAILURES: Final = 50


def report(validation: Validation, title: str) -> str:
    """The whole page."""
    return page(
        title,
        "\n".join(
            (
                _opening(validation, title),
                _figures(validation.measures),
                _plots(validation),
                _thresholds(validation.measures),
                _agents(validation.measures),
                _patterns(validation.measures),
                _worst(validation),
                _failures(validation),
            )
        ),
    )


def _opening(validation: Validation, title: str) -> str:
    m = validation.measures
    sentence = (
        f"{m.confusion.total:,} messages were judged ({m.confusion.of('spam'):,} spam, "
        f"{m.confusion.of('ham'):,} ham). {m.rates.false_positive_rate.hits:,} ham were called SPAM, "
        f"{m.rates.false_negative_rate.hits:,} spam were called HAM, and "
        f"{m.confusion.total - m.rates.coverage.hits:,} were left to a person."
    )
    notes = "".join(f"<li>{safe(note)}</li>" for note in validation.notes)
    listed = f'<ul class="plain-list">{notes}</ul>' if notes else ""
    return f'<h1>{safe(title)}</h1><p class="lead-in">{sentence}</p>{listed}'


def _figures(m: Measures) -> str:
    rates = m.named_rates()
    order = ("accuracy", "accuracy_decided", "false_positive_rate", "false_negative_rate", "missed",
             "precision", "recall", "coverage", "consensus_rate")  # fmt: skip
    cards = [_card(name, percentage(rates[name].value), between(rates[name])) for name in order]
    undecided = (
        f"decided only {decimal(m.ece_decided.equal_width)}; bins of equal mass {decimal(m.ece.equal_mass)}"
    )
    tcr = m.rates.cost_ratio
    cards += [
        _card("f1", decimal(m.rates.f1), ""),
        _card("auc", decimal(m.auc, 4), ""),
        _card("ece", decimal(m.ece.equal_width), undecided),
        _card("brier", decimal(m.brier), ""),
        _card("aurc", decimal(m.aurc, 4), ""),
        _card("tcr", f"{tcr:.2f}" if tcr is not None else "no errors", ""),
    ]
    c = m.costs
    spent = f"99 of 100 within {c.p99_ms:.1f} ms; {c.calls:,} calls of a model"
    spent += f", {c.tokens:,} tokens, {c.money:.2f} paid" if c.calls else ""
    cards.append(_plain_card("time per case", f"{c.p50_ms:.1f} ms", spent, "the middle one of all cases"))
    explained = (
        "Intervals are 95 %: were other mail of the same kind drawn, the rate would mostly fall in there."
    )
    return f'<div class="figures">{"".join(cards)}</div><p class="legend">{explained}</p>'


def _card(name: str, value: str, interval: str) -> str:
    words = {
        "f1": "F1",
        "auc": "AUC",
        "ece": "calibration error (ECE)",
        "brier": "Brier score",
        "aurc": "AURC",
    }
    words |= {"tcr": "total cost ratio (TCR)", "accuracy_decided": "accuracy where decided"}
    return _plain_card(words.get(name, name.replace("_", " ")), value, interval, MEANINGS[name])


def _plain_card(what: str, value: str, interval: str, means: str) -> str:
    small = f'<span class="interval">{safe(interval)}</span>' if interval else ""
    return (
        f'<div class="figure-card"><span class="what">{safe(what)}</span><b>{safe(value)}</b>'
        f'<span class="means">{safe(means)}</span>{small}</div>'
    )


def _plots(validation: Validation) -> str:
    m = validation.measures
    decided = m.rates.accuracy_decided
    wrong = 1.0 - decided.value if decided.value is not None else None
    drawn = (
        figure(
            "Confusion matrix",
            "What each class was called. The stronger the colour, the larger the share of its row.",
            confusion_matrix(m.confusion),
        ),
        figure(
            "Scores by class",
            "Shares of spam (up) and ham (down) by score; the dashed lines are the thresholds 0.3 and 0.7.",
            score_histogram(validation.rows),
        ),
        figure(
            "Reliability",
            "Of the cases given a confidence, how many were right. On the dashed line the confidence keeps "
            "its word, below it promises too much. Small numbers are cases; UNCERTAIN counts by the side it "
            "leans to.",
            reliability_diagram(m.bins),
        ),
        figure(
            "Risk and coverage",
            "Answering only the surest cases, how many answers would be wrong. The ring is the panel.",
            risk_coverage_curve(thinned(m.risk, 300), m.rates.coverage.value or 0.0, wrong),
        ),
    )
    return f'<h2>Pictures</h2><div class="plots">{"".join(drawn)}</div>'


def _thresholds(m: Measures) -> str:
    rows = [
        (
            f"{t.spam_from:.2f} / {t.ham_up_to:.2f}{' in use' if t.in_use else ''}",
            percentage(t.rates.false_positive_rate.value, 2),
            percentage(t.rates.missed.value),
            percentage(t.rates.false_negative_rate.value),
            percentage(t.rates.coverage.value),
            percentage(t.rates.accuracy.value),
            decimal(t.rates.cost_ratio, 2) if t.rates.cost_ratio is not None else "no errors",
        )
        for t in m.thresholds
    ]
    here = next((i for i, t in enumerate(m.thresholds) if t.in_use), None)
    head = (
        "SPAM from / HAM up to",
        "ham called SPAM",
        "spam missed",
        "spam called HAM",
        "decided",
        "accuracy",
        "TCR",
    )
    return (
        "<h2>Stricter or looser</h2>"
        '<p class="lead-in">What other thresholds would have done on these messages. The agents must agree '
        "all the same. Choose by what a false alarm costs you; a choice made here is only proven on other "
        "mail.</p>" + table("What other thresholds would do", head, rows, here)
    )


def _agents(m: Measures) -> str:
    rows = [
        (
            a.agent,
            percentage(a.answered.value),
            percentage(a.accuracy.value),
            percentage(a.accuracy_decided.value),
            decimal(a.auc),
            decimal(a.confidence, 2),
            percentage(a.with_verdict.value),
        )
        for a in m.agents
    ]
    head = (
        "agent",
        "had an opinion",
        "accuracy",
        "where decided",
        "AUC",
        "mean confidence",
        "as the verdict",
    )
    return (
        '<h2>The agents</h2><p class="lead-in">How each would have done alone. Its UNCERTAIN and its silence '
        "count as wrong in its accuracy.</p>" + table("The agents", head, rows)
    )


def _patterns(m: Measures) -> str:
    rows = [
        (
            name_of(p.kind) + (" ▲" if p.against else ""),
            p.direction,
            f"{p.spam.hits:,}",
            percentage(p.spam.value),
            f"{p.ham.hits:,}",
            percentage(p.ham.value),
            decimal(p.lift, 2),
            f"{p.log_odds:+.2f}",
        )
        for p in m.patterns[:_PATTERNS]
    ]
    head = ("pattern", "speaks for", "in spam", "of spam", "in ham", "of ham", "lift", "log-odds")
    more = len(m.patterns) - len(rows)
    rest = f'<p class="legend">{more} more are in performance_metrics.json.</p>' if more > 0 else ""
    return (
        '<h2>The patterns</h2><p class="lead-in">How often each kind of evidence was found in each class, '
        "the most telling first. Lift is how much more common spam is where it is found: 1 says nothing. "
        "Log-odds above 0 speak for spam in these messages. ▲ marks what spoke for the wrong side here.</p>"
        + table("The patterns", head, rows)
        + rest
    )


def _worst(validation: Validation) -> str:
    worst = validation.worst(_WORST)
    wrong = sum(1 for j in validation.judged if j.row.decided and not j.row.right)
    if not worst:
        return '<h2>Worst errors</h2><p class="lead-in">Nothing was called the wrong thing.</p>'
    return (
        f'<h2>Worst errors</h2><p class="lead-in">{len(worst)} of {wrong} wrong answers: false alarms first, '
        "the surest first. A label can be wrong too.</p>" + "".join(_error(j) for j in worst)
    )


def _error(judged: Judged) -> str:
    row = judged.row
    badge = f'<span class="badge">{SHAPES[row.classification]} {row.classification}</span>'
    facts = f"labelled {row.label} · score {row.score:.2f} · {percentage(row.confidence, 0)} sure"
    evidence = "".join(f"<li>{safe(line)}</li>" for line in judged.key_evidence)
    return (
        f'<article class="error-case {row.classification.lower()}"><header>{badge}'
        f'<span class="name">{safe(row.name)}</span><span class="soft">{facts}</span></header>'
        f"<p>{safe(judged.summary)}</p><ul>{evidence}</ul>"
        f"<details><summary>the whole reasoning</summary><p>{safe(judged.reasoning)}</p></details></article>"
    )


def _failures(validation: Validation) -> str:
    if not validation.failed:
        return ""
    rows = [(f.name, f.label, f.reason) for f in validation.failed[:_FAILURES]]
    lead = f"{len(validation.failed):,} messages could not be judged and are in none of the figures."
    return f'<h2>Not judged</h2><p class="lead-in">{lead}</p>' + table(
        "Messages that could not be judged", ("message", "label", "why"), rows
    )
