"""A measured run in, the lines of `malafide bench` out, with what changed since another run beside them."""

from __future__ import annotations

from collections.abc import Iterator

from malafide.errors import BadSetting
from malafide.measure.stages import GROUPS, Bench


def bench_lines(now: Bench, before: Bench | None = None) -> list[str]:
    """The figures as a table. Raises BadSetting when the other run was on other mails."""
    if before is not None and before.input != now.input:
        raise BadSetting("the run to compare with was on other mails; measure both on the same")
    memory = f"; {now.memory:.0f} MB of memory at most" if now.memory is not None else ""
    head = f"{'stage':26}{'us per mail':>12}{'share':>8}"
    lines = [
        f"{now.mails:,} mails of {now.size:,} bytes on average, one core: {now.rate:,.0f} a second",
        f"latency p50 {now.p50:.2f} ms, p95 {now.p95:.2f} ms, p99 {now.p99:.2f} ms{memory}",
        f"yardstick: a million steps of plain Python in {now.yardstick:.3f} s",
    ]
    if before is not None:
        speed = (now.rate * now.yardstick) / (before.rate * before.yardstick)
        lines.append(
            f"against version {before.version}: {before.rate:,.0f} a second, yardstick {before.yardstick:.3f} s; "
            f"at the same speed of the machine {speed - 1:+.0%}"
        )
        head += f"{'change':>9}"
    return [*lines, "", head, *_rows(now, before)]


def _rows(now: Bench, before: Bench | None) -> Iterator[str]:
    total = sum(now.stages.values())
    for group in GROUPS:
        earlier = before.group(group) if before is not None else None
        yield _row(group, now.group(group), total, _change(now, before, now.group(group), earlier))
        members = [(stage, spent) for stage, spent in now.stages.items() if stage.startswith(f"{group}/")]
        for stage, spent in sorted(members, key=lambda member: -member[1]):
            earlier = before.stages.get(stage) if before is not None else None
            yield _row(f"  {stage.partition('/')[2]}", spent, total, _change(now, before, spent, earlier))
    earlier = sum(before.stages.values()) if before is not None else None
    yield _row("all", total, total, _change(now, before, total, earlier))


def _row(name: str, spent: float, total: float, change: str) -> str:
    return f"{name:26}{spent:>12,.1f}{spent / total:>8.1%}{change:>9}".rstrip()


def _change(now: Bench, before: Bench | None, spent: float, earlier: float | None) -> str:
    """How much longer it takes than then, in units of the yardstick."""
    if before is None:
        return ""
    if not earlier:
        return "new"
    return f"{spent / now.yardstick / (earlier / before.yardstick) - 1:+.0%}"
