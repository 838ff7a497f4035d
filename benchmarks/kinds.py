"""Prints how often each kind of evidence fires on each set of mail: the table behind every strength.

python -m benchmarks.kinds [prefix]
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from benchmarks.corpora import MAIL_SETS, mail_set
from malafide import MalafideError
from malafide.benches.spam import WITNESSES, as_case
from malafide.panel.hearing import examine
from malafide.tools import tools

SETS = (*MAIL_SETS, "transactional")


def main() -> None:
    prefix = sys.argv[1] if len(sys.argv) > 1 else ""
    hits: defaultdict[tuple[str, str, float], Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter()
    for name in SETS:
        for _, message in mail_set(name):
            try:
                case = as_case(message)
            except MalafideError:
                continue
            sizes[name] += 1
            for kind in {(e.kind, e.direction, e.strength) for e in examine(case, tools, WITNESSES).evidence}:
                hits[kind][name] += 1
    heads = [name.rpartition("/")[2][:12] for name in SETS]
    print(f"{'kind':48}{'direction':>10}{'strength':>9}" + "".join(f"{h:>14}" for h in heads))
    for (kind, direction, strength), counts in sorted(hits.items()):
        if kind.startswith(prefix):
            shares = "".join(f"{counts[n] / sizes[n]:>14.2%}" for n in SETS)
            print(f"{kind[:47]:48}{direction:>10}{strength:>9}{shares}")


if __name__ == "__main__":
    main()
