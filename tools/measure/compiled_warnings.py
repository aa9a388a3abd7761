"""Warnings of plain `check` on unread code, and the effect of the advised change when compiled.

    python -m tools.measure.compiled_warnings                 the table of tools/measure/results/warnings.csv, by rule
    python -m tools.measure.compiled_warnings --markdown      the same as docs/reading.md shows it

A row is one warning on one target: where it stands (repository, path, line, kernel), what was said, the change that was
made in a copy by the fix or by hand, and registers, private memory with spills in bytes, and code in bytes (of gfx90a
only where it is what gains) before and after it, as nvcc 13.0.88 (sm_90) and clang 19.1.7 (gfx90a) give them at -O3
without launch bounds of our own. `right`: what the finding claims of the kernel as it is holds. `gained`: what it says
that the change gains was there: less private memory or spills, fewer registers, or, of FP64 arithmetic, powers and
sines, fewer instructions. A program that compiles in part only (device_only.py) counts as it does. No
code of these repositories is kept here.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

RESULTS = Path(__file__).resolve().parent / "results" / "warnings.csv"
AIM_RIGHT, AIM_GAINED = 0.95, 0.70


class Tally(NamedTuple):
    """Warnings, those that were right, and those whose change gained what was said."""

    warnings: int = 0
    right: int = 0
    gained: int = 0

    def plus(self, row: dict[str, str]) -> Tally:
        """With one more row."""
        return Tally(self.warnings + 1, self.right + (row["right"] == "yes"), self.gained + (row["gained"] == "yes"))


def rows() -> list[dict[str, str]]:
    """The rows of the table."""
    with RESULTS.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def tallies(found: list[dict[str, str]]) -> dict[str, Tally]:
    """By rule, all of them last."""
    by_rule: dict[str, Tally] = defaultdict(Tally)
    for row in found:
        by_rule[row["rule"]] = by_rule[row["rule"]].plus(row)
    result = {rule: by_rule[rule] for rule in sorted(by_rule)}
    result["all"] = Tally(*map(sum, zip(*result.values(), strict=True)))
    return result


def lines(found: list[dict[str, str]]) -> list[str]:
    """The table in Markdown."""
    table = ["| rule | warnings compiled | right | gained what was said |", "|---|---|---|---|"]
    for rule, tally in tallies(found).items():
        shares = (f"{part} ({part / tally.warnings:.0%})" for part in (tally.right, tally.gained))
        table.append(f"| {rule} | {tally.warnings} | {' | '.join(shares)} |")
    return table


def main() -> int:
    """Print the table; status 1 if the whole falls short of its aims."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    found = rows()
    print("\n".join(lines(found)))
    whole = tallies(found)["all"]
    if not given.markdown:
        print(f"{len({row['repository'] for row in found})} repositories; {whole.warnings} warnings on a target each")
    return int(whole.right < AIM_RIGHT * whole.warnings or whole.gained < AIM_GAINED * whole.warnings)


if __name__ == "__main__":
    sys.exit(main())
