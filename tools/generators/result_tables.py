"""Writes tables of measurements and outputs of commands into the documentation.

    python -m tools.generators.result_tables            # fill them in
    python -m tools.generators.result_tables --check    # status 1 if a page is not what the data says

A table is between `<!-- table: NAME -->` and `<!-- end -->`, an output between `<!-- output: ARGUMENTS -->` and
`<!-- end -->` (with `| head -n N` after the arguments, its first lines); `TABLES` lists the names. A row whose date is
more than half a year before the newest row of its file is marked as old.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import shlex
import statistics
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tools.generators import checks_only
from tools.measure import compiled_warnings, evidence, world_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tools" / "measure" / "results"
_NAMES = ("accuracy", "speed", "sweep", "without", "agprs", "opencl", "adoption")
PAGES = (*(ROOT / "docs" / f"{name}.md" for name in _NAMES), ROOT / "README.md")
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OUTPUT = re.compile(r"(<!-- output: ([^|\n]+?)(?: \| head -n (\d+))? -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OLD = timedelta(days=182)
_NOISE = 0.02  # a change of time below this is none
_SILENT = ("RP102", "RP301", "RP303", "RP802")
_SAMPLES = {"own": "own", "hecbench": "HeCBench", "fresh": "fresh"}
_TARGETS = ("gfx90a", "sm_90", "pvc")

Row = dict[str, str]


def rows_of(name: str) -> list[Row]:
    """The rows of one file of results."""
    with (RESULTS / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def accuracy(rows: Sequence[Row]) -> list[str]:
    """A line per metric, a column per sample and target that has one."""
    newest = max(date.fromisoformat(row["date"]) for row in rows)
    cells = {(row["metric"], row["sample"], row["target"]): row for row in rows}
    columns = [
        (sample, target)
        for sample in _SAMPLES
        for target in _TARGETS
        if any(key[1:] == (sample, target) for key in cells)
    ]
    lines = ["| | " + " | ".join(f"{_SAMPLES[sample]}, {target}" for sample, target in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    sizes = [next(row["kernels"] for key, row in cells.items() if key[1:] == column) for column in columns]
    lines.append("| kernels | " + " | ".join(sizes) + " |")
    for metric in dict.fromkeys(row["metric"] for row in rows):
        found = [cells.get((metric, *column)) for column in columns]
        lines.append(f"| {metric} | " + " | ".join(_cell(row, newest) for row in found) + " |")
    return lines


def _cell(row: Row | None, newest: date) -> str:
    if row is None:
        return ""
    old = newest - date.fromisoformat(row["date"]) > _OLD
    return f"{row['value']} (old)" if old else row["value"]


def findings() -> list[str]:
    """A line per rule with at least five judged warnings, and one for all of them."""
    rows = world_findings.read(str(ROOT / "tools" / "measure" / "world_verdicts.csv"))
    judged: dict[str, list[str]] = {}
    for row in rows:
        if row.verdict in ("act", "true", "false"):
            judged.setdefault(row.rule, []).append(row.verdict)
    lines = ["| rule | judged | true | acted on |", "|---|---|---|---|"]
    every = [verdict for verdicts in judged.values() for verdict in verdicts]
    for rule, verdicts in (("all", every), *sorted(judged.items())):
        if len(verdicts) < 5:
            continue
        true = sum(verdict != "false" for verdict in verdicts)
        act = verdicts.count("act")
        lines.append(f"| {rule} | {len(verdicts)} | {_percent(true, verdicts)} | {_percent(act, verdicts)} |")
    return lines


def _percent(part: int, whole: Sequence[str]) -> str:
    return f"{round(100 * part / len(whole))} %"


def speed() -> list[str]:
    """A line per tool and per kind of run."""
    rows = [row for row in rows_of("speed.csv") if row["kind"] in ("tool", "process")]
    return ["| | | |", "|---|---|---|", *(f"| {row['name']} | {row['value']} | {row['why']} |" for row in rows)]


def changes() -> list[str]:
    """A line per rule: how many changes made programs faster, and how many removed private memory."""
    lines = [
        "| rule | changes | faster | same | slower | less private memory | median | from | to | of warnings | pay |",
        "|---" * 11 + "|",
    ]
    rows = rows_of("changes.csv")
    for rule in sorted({row["rule"] for row in rows}):
        own = [row for row in rows if row["rule"] == rule]
        gains = sorted(float(row["gain"]) for row in own)
        faster, slower = (sum(map(test, gains)) for test in (_is_faster, _is_slower))
        cells = [len(own), faster, len(own) - faster - slower, slower, sum(map(_spills_less, own))]
        shown = [f"{gain:.2f}" for gain in (statistics.median(gains), gains[0], gains[-1])]
        warned = paid_warnings(own)
        paid = [str(len(warned)), str(sum(warned))] if warned else ["-", "-"]
        lines.append(f"| {rule} | " + " | ".join([*map(str, cells), *shown, *paid]) + " |")
    return lines


def own_kernels() -> list[str]:
    """A line per rule that reports nothing for sm_90 in HeCBench: its own pairs of kernels, those without gain too."""
    lines = ["| rule | own pairs | faster | median | from | to |", "|---" * 6 + "|"]
    for rule in _SILENT:
        gains = sorted(pair.smell_ms / pair.repaired_ms for pair in evidence.timings(rule))
        shown = [f"{gain:.2f}" for gain in (statistics.median(gains), gains[0], gains[-1])]
        lines.append(f"| {rule} | {len(gains)} | {sum(map(_is_faster, gains))} | {' | '.join(shown)} |")
    return lines


def paid_warnings(rows: Sequence[Row]) -> list[bool]:
    """Of the changes that answer a warning, whether each gained time or lost private memory."""
    return [_is_faster(float(row["gain"])) or _spills_less(row) for row in rows if row["warnings"] != "0"]


def _is_faster(gain: float) -> bool:
    return gain >= 1 + _NOISE


def _is_slower(gain: float) -> bool:
    return gain <= 1 - _NOISE


def _spills_less(row: Row) -> bool:
    names = ("scratch", "spills")
    return sum(int(row[f"{name}_after"]) for name in names) < sum(int(row[f"{name}_before"]) for name in names)


def compilers() -> list[str]:
    """A line per compiler that estimates are not for."""
    lines = [
        "| compiler | instead of | kernels | same | more | fewer | more scratch | in the band | before |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows_of("compilers.csv"):
        total = int(row["kernels"])
        shares = [f"{100 * int(row[name]) / total:.0f} %" for name in ("same", "more", "fewer")]
        ends = [f"{100 * int(row[name]) / total:.0f} %" for name in ("in_band", "before")]
        cells = [
            f"{row['compiler']} ({row['target']})",
            row["than"],
            row["kernels"],
            *shares,
            row["scratch_more"],
            *ends,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def conservation() -> list[str]:
    """A line per code: effects of its kernels that neither the graph nor the ledger has."""
    lines = ["| code | files | kernels and GPUs | with a loss | with an open question |", "|---|---|---|---|---|"]
    names = ("code", "files", "kernels", "lost", "open")
    return lines + ["| " + " | ".join(row[name] for name in names) + " |" for row in rows_of("conservation.csv")]


TABLES: dict[str, Callable[[], list[str]]] = {
    "accuracy": lambda: accuracy(rows_of("accuracy.csv")),
    "findings": findings,
    "changes": changes,
    "own_kernels": own_kernels,
    "compiled": lambda: compiled_warnings.lines(compiled_warnings.rows()),
    "compilers": compilers,
    "conservation": conservation,
    "speed": speed,
}


def filled(text: str) -> str:
    """A page with its tables as the data has them. Raises KeyError for a table that there is not."""

    def table(found: re.Match[str]) -> str:
        return found[1] + "\n" + "\n".join(TABLES[found[2]]()) + "\n\n" + found[4]

    def output(found: re.Match[str]) -> str:
        lines = output_of(shlex.split(found[2])).splitlines(keepends=True)
        shown = "".join(lines[: int(found[3] or len(lines))])
        return f"{found[1]}\n```text\n{shown}```\n\n{found[5]}"

    return _OUTPUT.sub(output, _TABLE.sub(table, text))


def output_of(arguments: list[str]) -> str:
    """The output of a command, run in the root of the repository on a terminal of 110 columns without colour."""
    from regpress_lint.__main__ import main as run

    stream = io.StringIO()
    before = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ.update(COLUMNS="110", NO_COLOR="1")
    try:
        with contextlib.chdir(ROOT), contextlib.redirect_stdout(stream):
            run(arguments)
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return stream.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    check = checks_only(__doc__, arguments)
    stale = [page for page in PAGES if page.read_text(encoding="utf-8") != filled(page.read_text(encoding="utf-8"))]
    for page in stale:
        if not check:
            page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {'is stale: run tools/generators/result_tables.py' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
