"""Writes tables of measurements and outputs of commands into the documentation.

    python benchmarks/result_tables.py            # fill them in
    python benchmarks/result_tables.py --check    # status 1 if a page is not what the data says

A table is between `<!-- table: NAME -->` and `<!-- end -->`, an output between `<!-- output: ARGUMENTS -->` and
`<!-- end -->`; `TABLES` lists the names. A row whose date is
more than half a year before the newest row of its file is marked as old.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import shlex
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import world_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
_NAMES = ("accuracy", "speed", "sweep", "without", "agprs", "opencl", "adoption")
PAGES = (*(ROOT / "docs" / f"{name}.md" for name in _NAMES), ROOT / "README.md")
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OUTPUT = re.compile(r"(<!-- output: (.+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OLD = timedelta(days=182)
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
    rows = world_findings.read(str(ROOT / "benchmarks" / "world_verdicts.csv"))
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


def speed(kind: str) -> list[str]:
    """A line per tool, or per kernel."""
    head = {"tool": "| tool | ms of CPU a file | |", "kernel": "| kernel | s of CPU in executions | why |"}
    rows = [row for row in rows_of("speed.csv") if row["kind"] == kind]
    return [head[kind], "|---|---|---|", *(f"| {row['name']} | {row['value']} | {row['why']} |" for row in rows)]


def fixes() -> list[str]:
    """Programs before and after the linter's own fixes."""
    lines = ["| program | before | after | faster by | GPU |", "|---|---|---|---|---|"]
    for row in sorted(rows_of("fixes.csv"), key=lambda row: -float(row["gain"])):
        gain = f"{100 * (float(row['gain']) - 1):.0f} %"
        lines.append(f"| {row['program']} | {row['before']} | {row['after']} | {gain} | {row['gpu']} |")
    return lines


TABLES: dict[str, Callable[[], list[str]]] = {
    "accuracy": lambda: accuracy(rows_of("accuracy.csv")),
    "findings": findings,
    "fixes": fixes,
    "speed": lambda: speed("tool"),
    "costliest": lambda: speed("kernel"),
}


def filled(text: str) -> str:
    """A page with its tables as the data has them. Raises KeyError for a table that there is not."""

    def table(found: re.Match[str]) -> str:
        return found[1] + "\n" + "\n".join(TABLES[found[2]]()) + "\n\n" + found[4]

    def output(found: re.Match[str]) -> str:
        return f"{found[1]}\n```text\n{output_of(shlex.split(found[2]))}```\n\n{found[4]}"

    return _OUTPUT.sub(output, _TABLE.sub(table, text))


def output_of(arguments: list[str]) -> str:
    """What a command prints, run in the root of the repository on a terminal of 110 columns without colour."""
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
    check = "--check" in (sys.argv[1:] if arguments is None else arguments)
    stale = [page for page in PAGES if page.read_text(encoding="utf-8") != filled(page.read_text(encoding="utf-8"))]
    for page in stale:
        if not check:
            page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {'is stale: run benchmarks/result_tables.py' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
