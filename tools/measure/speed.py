"""How fast the linter is: CPU time, so that a busy machine tells the same, beside other tools on the same files.

    python -m tools.measure.speed SRC [--every 20] [--rounds 5] [--tools FOLDER] [--file FILE] [--csv FILE]

SRC is a folder with many GPU sources (HeCBench's `src`); looked at is every so many folder of it with CUDA. One table:

* `check` for two GPUs without a cache, in one process, against tree-sitter-cpp alone, cpplint and ast-grep (`pip
  install cpplint ast-grep-cli`; --tools: a folder of `pip install --target`, or where their programs lie) on the same
  files; then with a cache in which nothing has changed;
* one file (--file, or one of about 300 lines) in a process of its own, against importing the parser; the same in a
  folder of its own, where git has no work tree to list, and again from a cache;
* peak memory with two workers, over five times as many folders: proportional set size of each process, summed;
* seconds per MB of the slowest repository of `world.py`, from its table, against HeCBench here;
* the ten costliest kernels: CPU seconds of their executions and passes, how many there were, and why.

Each number is the least of some interleaved rounds, with the most beside it; of memory it is the most. --csv writes the
rows that docs/speed.md shows.
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
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from unittest import mock

from regpress_lint.model.interpreter.machine import MisplacedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.placement import KernelInput
    from regpress_lint.model.passes.trace import Scheduled

COMMAND = [sys.executable, "-m", "regpress_lint", "check", "--isolated", "--exit-zero", "--arch", "gfx90a,sm_90"]
PARSE = (
    "import sys, tree_sitter, tree_sitter_cpp\n"
    "parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))\n"
    "for path in sys.argv[1:]:\n    parser.parse(open(path, 'rb').read())\n"
)
WORLD = Path(__file__).with_name("world_results.csv")
LINES = 300  # of the file that is looked at alone


OTHERS = {
    "cpplint": ["--quiet", "--extensions=cu,cuh,h,hpp,cpp,cc"],
    "ast-grep": ["run", "-l", "cpp", "-p", "for ($A; $B; $C) $D", "-j1"],
}


class Row(NamedTuple):
    """A measurement: its name, its number with a unit, and a comparison with others."""

    kind: str
    name: str
    value: str
    why: str


class Times(NamedTuple):
    """CPU seconds of one command: the least and the most of some rounds."""

    least: float
    most: float


def cpu(command: Sequence[str]) -> float:
    """CPU seconds of a command and its children; its output is thrown away, its exit status does not matter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def interleaved(commands: dict[str, list[str]], rounds: int) -> dict[str, Times]:
    """CPU seconds of some commands, one after the other in each round."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(cpu(command))
    return {name: Times(min(each), max(each)) for name, each in times.items()}


def program_of(name: str, tools: str) -> list[str] | None:
    """How to start another tool: from a folder of `pip install --target`, whose programs lie in `bin` and whose modules
    only a path finds, from one with programs, or from PATH; None, and a word about it, if it is nowhere.
    """
    folders = [os.path.join(tools, "bin"), tools] if tools else []
    found = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", "")]))
    if found is None:
        print(f"{name} is not installed: the table has no row of it", file=sys.stderr)
        return None
    if folders and found.startswith(os.path.join(tools, "")):
        return ["env", f"PYTHONPATH={os.path.abspath(tools)}", found]
    return [found]


def beside(files: Sequence[str], tools: str, rounds: int) -> Iterator[Row]:
    """Tools on the same files, each in one process."""
    commands = {"regpress-lint": [*COMMAND, "--no-cache", "-j1", *files]}
    for name, options in OTHERS.items():
        if (program := program_of(name, tools)) is not None:
            commands[name] = [*program, *options, *files]
    commands["tree-sitter"] = [sys.executable, "-c", PARSE, *files]
    with tempfile.TemporaryDirectory() as folder:
        commands["again"] = [*COMMAND, "--cache-dir", folder, "-j1", *files]
        cpu(commands["again"])
        times = interleaved(commands, rounds)
    own = times["regpress-lint"].least
    titles = {
        "regpress-lint": "regpress-lint, cold, two GPUs",
        "again": "regpress-lint, nothing changed",
        "ast-grep": "ast-grep, one pattern",
        "tree-sitter": "tree-sitter-cpp, parse only",
    }
    for name, (least, most) in times.items():
        per, at_most = (1000 * seconds / len(files) for seconds in (least, most))
        ratio = "" if name == "regpress-lint" else f"; ours {own / least:.2f} times"
        why = f"{len(files)} files, {rounds} runs, at most {at_most:.1f}{ratio}"
        yield Row("tool", titles.get(name, name), f"{per:.1f} ms a file", why)
    size = sum(Path(file).stat().st_size for file in files) / 1e6
    if (slowest := max(_world(), key=lambda row: float(row["seconds_per_mb"]), default=None)) is not None:
        ratio = f"{float(slowest['seconds_per_mb']) / (own / size):.1f} times the {own / size:.1f} of these files"
        why = f"{slowest['repository']}, {slowest['kernels']} kernels in {slowest['files']} files; {ratio}"
        yield Row("process", "slowest repository of `world.py`", f"{slowest['seconds_per_mb']} s/MB", why)


def _world() -> list[dict[str, str]]:
    with WORLD.open(newline="", encoding="utf-8") as stream:
        return [*csv.DictReader(stream)]


def alone(path: str, rounds: int) -> Iterator[Row]:
    """One file in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "import": [sys.executable, "-c", "import tree_sitter, tree_sitter_cpp"],
            "cold": [*COMMAND, "--no-cache", path],
            "own": [*COMMAND, "--no-cache", _in_own_folder(path, folder)],
            "warm": [*COMMAND, "--cache-dir", folder, path],
        }
        cpu(commands["warm"])
        times = interleaved(commands, 4 * rounds)
    base, lines = times["import"].least, Path(path).read_bytes().count(b"\n")
    titles = {
        "import": "importing the parser",
        "cold": f"one file of {lines} lines, a process of its own",
        "own": "the same in a folder of its own, without a work tree to list",
        "warm": "the same in its work tree, nothing changed",
    }
    for name, (least, most) in times.items():
        ratio = "" if name == "import" else f", {least / base:.1f} times the import"
        why = f"{4 * rounds} runs, at most {most:.3f}{ratio}"
        yield Row("process", titles[name], f"{least:.3f} s", why)


def _in_own_folder(path: str, folder: str) -> str:
    """A copy of a file with all that lies beside it."""
    copied = shutil.copytree(os.path.dirname(path), os.path.join(folder, "own"))
    return os.path.join(copied, os.path.basename(path))


def peak(files: Sequence[str], rounds: int) -> Row:
    """The most memory that any of some runs with two workers took."""
    found = [_peak(files) for _ in range(rounds)]
    why = f"{len(files)} files, {rounds} runs, at least {min(found):.0f}"
    return Row("process", "peak memory, two workers and their parent", f"{max(found):.0f} MB", why)


def _peak(files: Sequence[str]) -> float:
    """Largest sum of resident memory (proportional set size) over the processes of a run, sampled."""
    command = [*COMMAND, "--no-cache", "-j2", *files]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    most = 0.0
    while process.poll() is None:
        most = max(most, sum(_pss(pid) for pid in _group(process.pid)))
        time.sleep(0.05)
    return most


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


class Cost(NamedTuple):
    """A kernel's executions: CPU seconds with passes, in the quickest round and in the slowest, how many, values of all
    and of the largest, work (expressions and statements); False if one was cut off.
    """

    kernel: str
    path: str
    seconds: float = 0.0
    at_most: float = 0.0
    executions: int = 0
    values: int = 0
    most: int = 0
    work: int = 0
    whole: bool = True


# A kernel: its file, its name and where that stands; instantiations of one template are together.
Key: TypeAlias = "tuple[str, str, int]"


def costliest(files: Sequence[str], rounds: int, number: int = 10) -> list[Cost]:
    """The kernels whose executions take longest, in this process."""
    first, *others = [_costs(files) for _ in range(rounds)]
    found = []
    for key, cost in first.items():
        seconds = [cost.seconds, *(other[key].seconds for other in others if key in other)]
        found.append(cost._replace(seconds=min(seconds), at_most=max(seconds)))
    return sorted(found, key=lambda each: -each.seconds)[:number]


def _costs(files: Sequence[str]) -> dict[Key, Cost]:
    from regpress_lint.__main__ import main as lint
    from regpress_lint.model.passes import placement, trace

    found: dict[Key, Cost] = {}
    execute, order = placement._executed, trace.in_order

    def noted(kernel: KernelInput, *rest: Any) -> Machine:
        start, function = time.process_time(), kernel.function
        key = kernel.inputs.file.path, function.name, function.name_span.start
        old = found.get(key, Cost(function.name, kernel.inputs.file.path))
        try:
            machine = execute(kernel, *rest)
        except MisplacedError as broken_off:
            spent = old.seconds + time.process_time() - start
            found[key] = old._replace(seconds=spent, work=old.work + broken_off.work)
            raise
        values = len(machine.graph)
        found[key] = old._replace(
            seconds=old.seconds + time.process_time() - start,
            executions=old.executions + 1,
            values=old.values + values,
            most=max(old.most, values),
            work=old.work + machine.work,
            whole=old.whole and machine.tally.complete,
        )
        return machine

    def timed(machine: Machine, *rest: Any) -> Scheduled:
        start, function = time.process_time(), machine.active[0]
        scheduled = order(machine, *rest)
        key = (
            machine.file.path,
            getattr(function, "name", ""),
            getattr(function, "name_span", machine.home.span).start,
        )
        if key in found:
            found[key] = found[key]._replace(seconds=found[key].seconds + time.process_time() - start)
        return scheduled

    executions, orders = mock.patch.object(placement, "_executed", noted), mock.patch.object(trace, "in_order", timed)
    with executions, orders, contextlib.redirect_stdout(io.StringIO()):
        lint([*COMMAND[3:], "--no-cache", "-j1", *files])
    return found


def _why(cost: Cost) -> str:
    """Large kernels, many instantiations, or both."""
    each = 1e6 * cost.seconds / max(cost.work, 1)
    said = (
        f"at most {cost.at_most:.2f}; {cost.executions} executions, {cost.values:,} values, at most {cost.most:,}; "
        f"{cost.work:,} expressions and statements, {each:.0f} us each"
    )
    return said if cost.whole else f"{said}; too large, cut off"


def gpu_paths(src: Path, every: int) -> list[str]:
    """CUDA sources of every so many folders."""
    folders = sorted(path for path in src.iterdir() if path.is_dir() and path.name.endswith("-cuda"))[::every]
    return [str(path) for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in (".cu", ".cuh")]


def measured(args: argparse.Namespace) -> Iterator[Row]:
    """All rows, as soon as they are known."""
    files = gpu_paths(args.src, args.every)
    yield from beside(files, args.tools, args.rounds)
    near = min(files, key=lambda path: abs(Path(path).read_bytes().count(b"\n") - LINES))
    yield from alone(str(args.file or near), args.rounds)
    yield peak(gpu_paths(args.src, max(args.every // 5, 1)), args.rounds)
    known = [str(path) for name in args.also for path in sorted((args.src / name).rglob("*.cu"))]
    for cost in costliest([*files, *known], args.rounds):
        yield Row("kernel", cost.kernel, f"{cost.seconds:.2f} s", _why(cost))


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools", default="", help="folder with cpplint and ast-grep")
    parser.add_argument("--file", type=Path, help="the file that is looked at alone")
    parser.add_argument("--also", nargs="*", default=[], help="folders of SRC whose kernels are costly")
    parser.add_argument("--csv", type=Path)
    args = parser.parse_args()
    # Where it is set, every process compiles the program anew, which is seconds; a user's finds its bytecode.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    rows = []
    for row in measured(args):
        print(f"{row.kind:8} {row.name:44} {row.value:>14}  {row.why}", flush=True)
        rows.append(row)
    if args.csv is not None:
        also = f" --also {' '.join(args.also)}" if args.also else ""
        command = f"python -m tools.measure.speed SRC --every {args.every} --rounds {args.rounds}{also}"
        with args.csv.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow([*Row._fields, "date", "commit", "command"])
            writer.writerows([*row, date.today().isoformat(), _revision(), command] for row in rows)
    return 0


def _revision() -> str:
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main())
