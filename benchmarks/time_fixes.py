"""Times real programs before and after the linter's own fixes, by the figures that the programs print.

    python benchmarks/time_fixes.py build HECBENCH/src FOLDER [--select RP201,RP404,RP104,RP202,RP205]
    python benchmarks/time_fixes.py run FOLDER [--repeat 5]     # on a machine with an NVIDIA GPU; needs no package
    python benchmarks/time_fixes.py store LOG --gpu 'H100'      # the rows of a run into benchmarks/results/fixes.csv

`build` copies each program of benchmarks/results/fix_programs.csv twice, applies the fixes (unsafe ones included) to
one copy, and compiles both with nvcc by the program's own Makefile. `run` executes both in turn and prints the median
of each side, its spread (largest minus smallest over median), and whether the other numbers that a program prints are
the same. Nothing of a program is kept in this repository.
"""

from __future__ import annotations

import argparse
import csv
import re
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"
SIDES = ("before", "after")
SELECTED = "RP201,RP404,RP104,RP202,RP205"
HEAD = ("program", "figure", "before", "after", "gain", "spread_before", "spread_after", "same_results")
_TIME = re.compile(r"time|second|throughput|GPU|device", re.IGNORECASE)
_SECONDS = 300


def programs() -> list[dict[str, str]]:
    """The programs with their arguments and the figure that they print."""
    with (RESULTS / "fix_programs.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def build(src: Path, folder: Path, select: str, arch: str) -> None:
    """Copy, fix and compile. Raises CalledProcessError for a program that does not compile."""
    for side in SIDES:
        for row in programs():
            name = f"{row['program']}-cuda"
            shutil.copytree(src / name, folder / side / name)
    fixing = ["check", "--isolated", "--no-cache", "--arch", arch, "--select", select, "--fix", "--unsafe-fixes"]
    command = [sys.executable, "-m", "regpress_lint", *fixing, "--exit-zero", "--quiet", str(folder / "after")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for side in SIDES:
        for row in programs():
            where = folder / side / f"{row['program']}-cuda"
            subprocess.run(["make", "-C", str(where), f"ARCH={arch}", "-s"], check=True, stdout=subprocess.DEVNULL)
            changed = any(
                path.read_bytes() != (folder / "before" / path.relative_to(folder / "after")).read_bytes()
                for path in (folder / "after" / where.name).rglob("*")
                if path.suffix in (".cu", ".h", ".cuh", ".cpp")
            )
            print(f"{side} {row['program']}: built{'' if changed or side == 'before' else ', but no fix applies'}")


def figure(row: dict[str, str], folder: Path, side: str) -> tuple[float, str]:
    """What one execution prints as its figure, and its other lines."""
    where = folder / side / f"{row['program']}-cuda"
    command = ["./main", *shlex.split(row["arguments"])]
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=_SECONDS, check=False)
    found = re.search(row["figure"], done.stdout)
    if found is None:
        raise RuntimeError(f"{row['program']}: no figure in its output: {done.stdout[-300:]}{done.stderr[-300:]}")
    rest = "\n".join(line for line in done.stdout.splitlines() if not _TIME.search(line))
    return float(found[1]), rest


def run(folder: Path, repeat: int, only: list[str]) -> None:
    """Execute the programs (all, if none is named), both sides in turn, and print a row each."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEAD)
    for row in programs():
        if only and row["program"] not in only:
            continue
        figures: dict[str, list[float]] = {side: [] for side in SIDES}
        outputs: dict[str, set[str]] = {side: set() for side in SIDES}
        try:
            for number in range(repeat + 1):
                for side in SIDES:
                    value, rest = figure(row, folder, side)
                    outputs[side].add(rest)
                    if number:  # the first execution warms up
                        figures[side].append(value)
        except (RuntimeError, subprocess.TimeoutExpired, OSError) as error:
            print(f"{row['program']}: {' '.join(str(error).split())[:300]}", file=sys.stderr)
            continue
        middle = {side: statistics.median(values) for side, values in figures.items()}
        spread = {side: (max(values) - min(values)) / middle[side] for side, values in figures.items()}
        first, second = (middle["before"], middle["after"])
        gain = first / second if row["better"] == "lower" else second / first
        same = "yes" if outputs["before"] & outputs["after"] else "varies" if len(outputs["before"]) > 1 else "no"
        shown = (f"{spread['before']:.3f}", f"{spread['after']:.3f}", same)
        writer.writerow((row["program"], row["figure"], f"{first:g}", f"{second:g}", f"{gain:.2f}", *shown))
        sys.stdout.flush()


def store(log: Path, gpu: str, day: str) -> None:
    """Take the rows of a run into the results."""
    with log.open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row.get("gain")]
    with (RESULTS / "fixes.csv").open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow((*HEAD, "gpu", "date", "command"))
        command = f"python benchmarks/time_fixes.py ({SELECTED})"
        writer.writerows([*(row[name] for name in HEAD), gpu, day, command] for row in rows)


def main() -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build")
    building.add_argument("src", type=Path)
    building.add_argument("folder", type=Path)
    building.add_argument("--select", default=SELECTED)
    building.add_argument("--arch", default="sm_90")
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("--repeat", type=int, default=5)
    running.add_argument("--only", nargs="*", default=[], metavar="PROGRAM")
    storing = commands.add_parser("store")
    storing.add_argument("log", type=Path)
    storing.add_argument("--gpu", required=True)
    storing.add_argument("--date", required=True)
    options = parser.parse_args()
    if options.command == "build":
        build(options.src, options.folder, options.select, options.arch)
    elif options.command == "run":
        run(options.folder, options.repeat, options.only)
    else:
        store(options.log, options.gpu, options.date)
    return 0


if __name__ == "__main__":
    sys.exit(main())
