"""Commits about registers, as their authors meant them: the answer of `diff` to each of tools/measure/commits.csv.

    python -m tools.measure.commits MIRRORS [--only NAME] [--seconds 200] [--write]

MIRRORS holds the repositories as OWNER+NAME/repo (bare) or OWNER/NAME. A row is a commit with what its author says and
what that asks of registers or private memory: `fewer` (of one or the other), `more` (unrolled, which is paid in
registers), `bounds` (another budget). `compilers`: what nvcc 13.0.88 (sm_90) or clang 19.1.7 (gfx90a) gave the kernel
it is about before and after, where both compile. For each commit `diff` compares its parent with it, over the files
that it changes, or their folders if these are headers.

A verdict on what `diff` says of the kernels: `meant` if one gets what is requested (less private memory, an estimate
that moves by more than two registers, another budget or block size), `direction` if bands move that way alone, `wrong`
if what is requested went the other way in sum, `none` if nothing is said. `--write` keeps the verdicts in the table.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from regpress_lint.api.facts import spilled_bytes
from regpress_lint.api.worth import surely_beyond

TABLE = Path(__file__).resolve().parent / "commits.csv"
UNITS = (".cu", ".cuh", ".hip", ".cl", ".h", ".hpp", ".hip.cpp", ".cpp", ".H", ".cc")
HEADERS = (".h", ".hpp", ".cuh", ".H")
Verdict = Literal["meant", "direction", "wrong", "none"]


def mirror(folder: Path, repository: str) -> Path | None:
    """Where the repository is."""
    owner, _, name = repository.partition("/")
    places = (folder / f"{owner}+{name}" / "repo", folder / owner / name)
    return next((place for place in places if place.is_dir()), None)


def compared(place: Path, commit: str, seconds: int) -> dict[str, Any] | None:
    """What `diff` says of a commit and its parent; None if it takes longer, or fails."""
    named = subprocess.run(
        ["git", "-C", str(place), "show", "--format=", "--name-only", commit],
        capture_output=True,
        text=True,
        check=True,
    )
    files = [line for line in named.stdout.splitlines() if line.endswith(UNITS)]
    if all(line.endswith(HEADERS) for line in files):  # their kernels are in the files that include them
        files = sorted({line.rpartition("/")[0] or "." for line in files})
    command = [sys.executable, "-m", "regpress_lint", "diff", "--isolated", "--output-format", "json"]
    try:
        done = subprocess.run(
            [*command, f"{commit}^", commit, "--", *files],
            cwd=place, capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


def verdict(said: dict[str, Any] | None, asked: str) -> Verdict:
    """Of all kernels that are there before and after."""
    both: list[tuple[dict[str, Any], dict[str, Any]]] = []
    apart: list[tuple[dict[str, Any], dict[str, Any]]] = []  # of other instantiations: only their bands compare
    for kernel in said["kernels"] if said is not None else ():
        for name, target in kernel["targets"].items():
            if target["before"] is not None and target["after"] is not None:
                pair = _sure(name, target["before"]), _sure(name, target["after"])
                (both if target["comparable"] else apart).append(pair)
    if asked == "bounds":
        if said is not None and any(kernel["setup"] for kernel in said["kernels"]):
            return "meant"
        if any(old["budget"] != new["budget"] or old["scratch_bytes"] != new["scratch_bytes"] for old, new in both):
            return "meant"
        return "direction" if any(old["waves_per_simd"] != new["waves_per_simd"] for old, new in both) else "none"
    sign = 1 if asked == "fewer" else -1
    moves = [sign * move for old, new in both if (move := _fell(old, new))]
    bands = [sign * move for old, new in both if (move := _band(old) - _band(new))]
    bands += [sign * move for old, new in apart if (move := _ends(old) - _ends(new))]
    if moves and max(moves) > 0 >= min(moves) and sum(moves) <= 0:
        return "wrong"
    if moves:
        return "meant" if max(moves) > 0 else "wrong"
    return "direction" if bands and sum(bands) > 0 else "none"


def _sure(name: str, side: dict[str, Any]) -> dict[str, Any]:
    """A side without private memory that is spilled only if the estimate is right to a few registers."""
    estimate, budget = side["registers"]["estimate"], side["budget"]
    if estimate <= budget or surely_beyond(name, estimate, budget):
        return side
    return {**side, "scratch_bytes": max(0, side["scratch_bytes"] - spilled_bytes(estimate, budget))}


def _fell(old: dict[str, Any], new: dict[str, Any]) -> int:
    """By how much private memory fell, or else the estimate by more than two registers."""
    if old["scratch_bytes"] != new["scratch_bytes"]:
        return int(old["scratch_bytes"] - new["scratch_bytes"])
    fell = old["registers"]["estimate"] - new["registers"]["estimate"]
    return int(fell) if abs(fell) > 2 else 0


def _band(side: dict[str, Any]) -> int:
    return _ends(side) + int(side["registers"]["estimate"])


def _ends(side: dict[str, Any]) -> int:
    return int(side["registers"]["low"] + side["registers"]["high"])


def main() -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with TABLE.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        place = mirror(given.mirrors, row["repository"])
        if place is None or given.only not in f"{row['repository']} {row['commit']}":
            continue
        said = compared(place, row["commit"], given.seconds)
        row["diff"] = verdict(said, row["asks"]) if said is not None else "not in time"
        print(row["repository"], row["commit"], row["asks"], row["diff"], row["author"][:60], sep="  ", flush=True)
        if given.write:
            _write(rows)
    for words, some in (("all", rows), ("with compilers", [row for row in rows if row["compilers"]])):
        counts = Counter(row["diff"] for row in some)
        print(
            f"{words}: {len(some)}; "
            + ", ".join(f"{count} {kind or 'not run'}" for kind, count in counts.most_common())
        )
    return 0


def _write(rows: list[dict[str, str]]) -> None:
    with TABLE.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
