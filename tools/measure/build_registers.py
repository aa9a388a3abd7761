"""Registers of a real project, compiled by its own commands, against the estimate with and without them.

    python -m tools.measure.build_registers BUILD_DIR SOURCES [--only PART ...] [--csv FILE] [--known FILE]

BUILD_DIR holds a `compile_commands.json` whose entries use nvcc. Each entry for a file below SOURCES is run as it
stands, except for sm_90, to a cubin that is thrown away; ptxas tells the registers. A kernel is one name; its truth is
the median over the instances that were compiled. Then `regpress-lint kernels` estimates without the compile commands,
with them, and with libclang as well. Only for builds that you trust: this runs their compiler.
"""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.measure.calibrate_registers import ranks, spearman
from tools.measure.toolchain import parse_ptxas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ARCH = "sm_90"
_TIMEOUT_S = 900
_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ")
_DROPPED = ("-c", "-MD", "-Xptxas=-Werror")


def cubin_command(words: list[str]) -> list[str]:
    """An entry's command, to compile device code for one GPU and say what it takes."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _WITH_VALUE:
            skip = True
        elif word not in _DROPPED and not word.startswith(("--generate-code", "-gencode", "-arch=")):
            kept.append(word)
    return [*kept, f"-arch={_ARCH}", "-cubin", "-Xptxas=-v", "-o", "/dev/null"]


def registers(entry: dict[str, Any]) -> list[tuple[str, int]]:
    """Kernel and registers of each instance in a translation unit; none if it does not compile."""
    words = shlex.split(entry["command"]) if "command" in entry else list(entry["arguments"])
    try:
        done = subprocess.run(
            cubin_command(words),
            cwd=entry["directory"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"more than {_TIMEOUT_S} s: {entry['file']}", file=sys.stderr)
        return []
    if done.returncode != 0:
        print(f"does not compile: {entry['file']}: {done.stderr[:200]}", file=sys.stderr)
    return [(found.kernel, found.registers) for found in parse_ptxas(done.stdout + done.stderr)]


def truth(build: Path, sources: Path, only: Iterable[str]) -> dict[str, float]:
    """Median of the registers by kernel."""
    by_name: dict[str, list[int]] = defaultdict(list)
    wanted = tuple(only)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        inside = path.is_relative_to(sources) and (not wanted or any(part in str(path) for part in wanted))
        command = entry.get("command") or " ".join(entry["arguments"])
        if inside and "nvcc" in command.split()[0]:
            for name, count in registers(entry):
                by_name[name].append(count)
    return {name: statistics.median(counts) for name, counts in by_name.items()}


def estimates(sources: Path, flags: tuple[str, ...]) -> Iterator[tuple[str, dict[str, int]]]:
    """Kernel and band, as the command line gives them."""
    command = [sys.executable, "-m", "regpress_lint", "kernels", str(sources), "--isolated", *flags]
    command += ["--arch", _ARCH, "--output-format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    for kernel in json.loads(done.stdout)["kernels"]:
        if kernel["language"] == "cuda":
            yield kernel["name"], kernel["targets"][_ARCH]["registers"]


def score(rows: list[tuple[str, float, dict[str, int]]]) -> str:
    """Rank correlation, median error, share of truth in the band, median width of the band over the truth."""
    real, guessed = [row[1] for row in rows], [float(row[2]["estimate"]) for row in rows]
    errors = [abs(guess - count) / count for guess, count in zip(guessed, real, strict=True)]
    inside = [band["low"] <= count <= band["high"] for _, count, band in rows]
    widths = [(band["high"] - band["low"]) / count for _, count, band in rows]
    return (
        f"{len(rows)} kernels, Spearman {spearman(ranks(real), ranks(guessed)):.2f}, median error "
        f"{statistics.median(errors):.0%}, in the band {statistics.mean(inside):.0%}, "
        f"width of the band {statistics.median(widths):.2f}"
    )


def main() -> int:
    """Compile, estimate twice, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--only", nargs="*", default=(), help="parts of the paths of files that are compiled")
    parser.add_argument("--csv", type=Path, help="write kernel and registers")
    parser.add_argument("--known", type=Path, help="read them from such a file: nothing is compiled")
    arguments = parser.parse_args()
    if arguments.known is not None:
        with arguments.known.open(newline="") as stream:
            known = {row["kernel"]: float(row["registers"]) for row in csv.DictReader(stream)}
    else:
        known = truth(arguments.build, arguments.sources.resolve(), arguments.only)
    if arguments.csv is not None:
        with arguments.csv.open("w", newline="") as stream:
            csv.writer(stream).writerows([("kernel", "registers"), *sorted(known.items())])
    build = ("-p", str(arguments.build))
    for label, flags in (
        ("no compile commands", ()),
        ("with them, libclang off", (*build, "--semantic", "off")),
        ("with them, libclang on", (*build, "--semantic", "on")),
    ):
        found = estimates(arguments.sources, flags)
        print(f"{label}: {score([(name, known[name], band) for name, band in found if name in known])}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
