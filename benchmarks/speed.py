"""How fast the linter is, as ratios that hold on any machine.

    python benchmarks/speed.py SRC [--file ONE_FILE] [--jobs 2]

SRC is a folder with many GPU sources (HeCBench's `src`). Measured: `check` over all of it, without a cache, for two
architectures, against tree-sitter-cpp alone parsing the same GPU files on one core; the same with a cache in which
nothing has changed; one file in a process of its own, without and with a cache,
against importing the parser; peak memory of the run, workers included (proportional set size of each, summed);
clang-tidy on the same file if it is installed.

    python benchmarks/speed.py SRC --beside [--every 10] [--rounds 3] [--tools FOLDER] [--csv FILE]

CPU against CPU instead, of this process' children, in interleaved rounds of which each tool's least counts, for the
machine may be busy: `check` on every tenth folder of SRC with CUDA, cpplint and ast-grep (`pip install cpplint
ast-grep-cli`; --tools: where they lie) on the same files. Then the ten costliest kernels of them: CPU seconds of their
executions, how many there were, and why. --csv writes the rows that docs/speed.md shows.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.trace import KernelInput

EXTENSIONS = frozenset(["cu", "cuh", "hip", "cpp", "cc", "cxx", "c", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"])
COMMAND = [sys.executable, "-m", "regpress_lint"]
CHECK = ["check", "--isolated", "--no-cache", "--exit-zero", "--arch", "gfx90a,sm_90", "-j1"]


def gpu_files(src: Path) -> list[bytes]:
    """Contents of the files that `check` parses."""
    from regpress_lint.cpp.language import may_hold_kernels
    from regpress_lint.program import detect_language

    contents = []
    for path in sorted(src.rglob("*")):
        if path.suffix[1:].lower() in EXTENSIONS and path.is_file():
            data = path.read_bytes()
            if detect_language(path.as_posix(), data) is not None and may_hold_kernels(data):
                contents.append(data)
    return contents


def parse_seconds(contents: list[bytes]) -> float:
    """CPU seconds of tree-sitter-cpp alone, one core, best of three."""
    import tree_sitter_cpp
    from tree_sitter import Language, Parser

    parser = Parser(Language(tree_sitter_cpp.language()))
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for data in contents:
            parser.parse(data)
        best = min(best, time.process_time() - start)
    return best


def wall(command: list[str], repeat: int = 1) -> float:
    """Best wall-clock seconds of a command; its output is thrown away, its exit status does not matter."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        best = min(best, time.perf_counter() - start)
    return best


def peak_megabytes(command: list[str]) -> float:
    """Largest sum of resident memory (proportional set size) over the processes of a command, sampled."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, sum(_pss(pid) for pid in _group(process.pid)))
        time.sleep(0.05)
    return peak


def _group(leader: int) -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.getpgid(int(entry)) == leader:
                    found.append(int(entry))
            except OSError:
                continue
    return found


def _pss(pid: int) -> float:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def cpu(command: list[str]) -> float:
    """CPU seconds of a command and its children; its output is thrown away, its exit status does not matter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def beside(files: list[str], tools: str, rounds: int) -> Iterator[tuple[str, float, float]]:
    """Tools with their CPU seconds on the same files: the least and the most of some rounds, one tool after the other
    in each. A tool that is not installed is left out.
    """
    path = os.pathsep.join([tools, os.environ.get("PATH", "")])
    commands = {
        "regpress-lint, two GPUs": [
            *COMMAND,
            "check",
            "--isolated",
            "--no-cache",
            "--arch",
            "gfx90a,sm_90",
            "-j1",
            *files,
        ],
    }
    if (found := shutil.which("cpplint", path=path)) is not None:
        commands["cpplint"] = [found, "--quiet", "--extensions=cu,cuh,h,hpp,cpp,cc", *files]
    if (found := shutil.which("ast-grep", path=path)) is not None:
        commands["ast-grep, one pattern"] = [found, "run", "-l", "cpp", "-p", "for ($A; $B; $C) $D", "-j1", *files]
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(cpu(command))
    yield from ((name, min(each), max(each)) for name, each in times.items())


class Cost(NamedTuple):
    """A kernel's executions: CPU seconds, how many, and the most values that one of them made."""

    kernel: str
    seconds: float
    executions: int
    values: int


def costliest(files: list[str], number: int = 10) -> list[Cost]:
    """The kernels whose executions take longest, in this process."""
    from regpress_lint.__main__ import main as lint
    from regpress_lint.model.passes import trace

    found: dict[tuple[str, str], Cost] = {}
    execute = trace._executed

    def noted(kernel: KernelInput, *rest: Any) -> Machine:
        start, function = time.process_time(), kernel.function
        machine = execute(kernel, *rest)
        seconds = time.process_time() - start
        key = machine.file.path, function.name
        old = found.get(key, Cost(function.name, 0.0, 0, 0))
        values = max(old.values, len(machine.graph))
        found[key] = Cost(function.name, old.seconds + seconds, old.executions + 1, values)
        return machine

    with mock.patch.object(trace, "_executed", noted), contextlib.redirect_stdout(io.StringIO()):
        lint([*CHECK, *files])
    return sorted(found.values(), key=lambda each: -each.seconds)[:number]


def gpu_paths(src: Path, every: int) -> list[str]:
    """CUDA sources of every so many folders."""
    folders = sorted(path for path in src.iterdir() if path.is_dir() and path.name.endswith("-cuda"))[::every]
    return [str(path) for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in (".cu", ".cuh")]


def compare(args: argparse.Namespace) -> int:
    """CPU against CPU, and where it goes."""
    files = gpu_paths(args.src, args.every)
    day, revision = date.today().isoformat(), _revision()
    command = f"python benchmarks/speed.py SRC --beside --every {args.every} --rounds {args.rounds}"
    rows: list[dict[str, str]] = []

    def row(kind: str, name: str, value: str, why: str) -> None:
        cells = {"kind": kind, "name": name, "value": value, "why": why}
        rows.append({**cells, "date": day, "commit": revision, "command": command})
        print(f"{kind:8} {name:42} {value:>9}  {why}")

    for name, least, most in beside(files, args.tools, args.rounds):
        per = [f"{1000 * seconds / len(files):.1f}" for seconds in (least, most)]
        row("tool", name, per[0], f"ms of CPU a file, {len(files)} files, {args.rounds} runs, at most {per[1]}")
    for cost in costliest(files):
        row("kernel", cost.kernel, f"{cost.seconds:.2f}", f"{cost.executions} executions, up to {cost.values:,} values")
    if args.csv is not None:
        with args.csv.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0


def _revision() -> str:
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--file", type=Path, help="a file of about 300 lines")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--beside", action="store_true", help="CPU against CPU, other tools on the same files")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tools", default="", help="folder with cpplint and ast-grep")
    parser.add_argument("--csv", type=Path)
    args = parser.parse_args()
    if args.beside:
        return compare(args)
    contents = gpu_files(args.src)
    parsing = parse_seconds(contents)
    print(f"{len(contents)} GPU files, {sum(map(len, contents)) / 1e6:.1f} MB, "
          f"{sum(data.count(10) for data in contents):,} lines; tree-sitter-cpp alone: {parsing:.2f} s")  # fmt: skip
    jobs = ["-j", str(args.jobs)]
    check = [*COMMAND, "check", str(args.src), "--arch", "gfx90a,sm_90", "--isolated", *jobs]
    seconds = wall([*check, "--no-cache"])
    print(f"check, cold, two architectures, -j {args.jobs}: {seconds:.2f} s = {seconds / parsing:.2f} x (bar 3)")
    print(f"peak memory, all processes: {peak_megabytes([*check, '--no-cache']):.0f} MB (bar 200)")
    with tempfile.TemporaryDirectory() as folder:
        warm = [*check, "--cache-dir", folder]
        first = wall(warm)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        print(f"the same, and answers are kept: {first:.2f} s, {size:,} bytes")
        print(f"nothing changed: {wall(warm, 5):.2f} s (bar 1), {peak_megabytes(warm):.0f} MB")
        if args.file is not None:
            base = wall([sys.executable, "-c", "import tree_sitter, tree_sitter_cpp"], 15)
            command = [*COMMAND, "check", str(args.file), "--isolated"]
            one, again = wall([*command, "--no-cache"], 15), wall([*command, "--cache-dir", folder], 15)
            print(f"importing the parser: {base * 1000:.0f} ms")
            print(f"one file: {one * 1000:.0f} ms = {one / base:.2f} x (bar 4), again: {again * 1000:.0f} ms")
            if (tidy := shutil.which("clang-tidy") or shutil.which("clang-tidy-19")) is not None:
                flags = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"]
                other = wall([tidy, str(args.file), "--", *flags])
                print(f"clang-tidy on it: {other:.2f} s = {other / one:.0f} x ours (bar 50)")
    print(f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
