"""Time real CUDA programs before and after the changes that findings advise.

    python -m tools.measure.time_changes prepare HECBENCH/src FOLDER    copies, fixes and edits; needs the linter
    cd FOLDER && python3 -m tools.measure.time_changes build . [--jobs 16]      nvcc; needs no package
    cd FOLDER && python3 -m tools.measure.time_changes run . OUT.json [--seconds N]    on the machine with the GPU
    python -m tools.measure.time_changes store OUT.json... --date D     rows into tools/measure/results/changes.csv

`--only PROGRAM...` prepares, builds and runs these alone; `store` keeps the rows of changes that were not run. git must
not ignore FOLDER while it is prepared: the linter leaves out what git ignores.

results/changes.toml lists programs and changes. A change is the fix of the tool, applied to a copy, or a list of short
edits that do by hand what the finding says. Both sides are compiled by the program's own Makefile (`-O3`), with
`ptxas -v`. A program is executed before and after its changes in turn, at least three rounds if the seconds last.
The figure is the GPU time of the kernels of the finding, per launch (`kernel_times.cpp`, CUPTI), the least of the
rounds; host code, copies and other kernels do not dilute it. Nothing of a program is kept in this repository.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.measure.time_inputs import INPUTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
HEAD = (
    *("program", "rule", "by", "warnings", "what", "kernel", "arguments"),
    *("registers_before", "registers_after", "scratch_before", "scratch_after", "spills_before", "spills_after"),
    *("launches", "us_before", "us_after", "gain", "spread", "same_results", "gpu", "compiler", "date"),
)
_SAME = ("program", "rule", "by", "what")  # names a change in both tables
_ARCH = "sm_90"
_SUPPORT = {
    "tools/measure": ("time_changes.py", "time_inputs.py"),
    "": ("private_column.h", "kernel_times.cpp"),
    "results": ("results/changes.toml",),
}
_TIME = re.compile(r"time|second|throughput|GPU|device|[GM]B/s|/s\b|\b[mun]?s\b|overlap|\d+ % :", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
_POWER = re.compile(r"\bpowf?\s*\(((?:[^(),]|\((?:[^()]|\([^()]*\))*\))*),\s*([23467])(?:\.0*f?)?\s*\)")
_LITERAL = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?)(?![\w.])")
_RUN_SECONDS = 60.0
_BUILD_SECONDS = 300.0
_CLOSE = 1e-3  # relative difference of printed numbers that counts as rounding

Entry = dict[str, Any]


class Plan(NamedTuple):
    """Content of changes.toml."""

    programs: dict[str, Entry]
    changes: list[Entry]


class Build(NamedTuple):
    """One copy of a program: the folder that is compiled, and its role."""

    name: str
    program: str
    folder: Path


def read_plan(path: Path) -> Plan:
    """Programs and changes; a change gets the `name` of its folder."""
    with path.open("rb") as stream:
        data = tomllib.load(stream)
    count: dict[str, int] = {}
    for change in data["change"]:
        name = f"{change['program']}-{change['rule']}-{change['by']}"
        count[name] = count.get(name, 0) + 1
        change["name"] = f"{name}-{count[name]}"
    return Plan(data["program"], data["change"])


def builds(plan: Plan, folder: Path, only: Collection[str] = ()) -> list[Build]:
    """Every copy that is compiled. Raises ValueError for a program of `only` that the plan does not have."""
    if unknown := set(only) - set(plan.programs):
        raise ValueError(f"no program {', '.join(sorted(unknown))} in changes.toml")
    sides = [(f"before-{name}", name) for name in plan.programs]
    sides += [(change["name"], change["program"]) for change in plan.changes]
    chosen = ((name, program) for name, program in sides if not only or program in only)
    return [Build(name, program, folder / name / _folder(plan, program)) for name, program in chosen]


def _folder(plan: Plan, program: str) -> str:
    return f"{plan.programs[program].get('source', program)}-cuda"


# ------------------------------------------------------------------------------------------------------------ prepare


def edited(text: str, edit: list[str]) -> str:
    """Text after one edit. Raises ValueError if the old text is not there, or more than once without a line."""
    place, old, new = edit
    _, _, line = place.partition(":")
    if line == "*":
        if old not in text:
            raise ValueError(f"{place}: no {old!r}")
        return text.replace(old, new)
    if line:
        lines = text.split("\n")
        if old not in lines[int(line) - 1]:
            raise ValueError(f"{place}: no {old!r} in {lines[int(line) - 1]!r}")
        lines[int(line) - 1] = lines[int(line) - 1].replace(old, new, 1)
        return "\n".join(lines)
    if text.count(old) != 1:
        raise ValueError(f"{place}: {text.count(old)} times {old!r}")
    return text.replace(old, new)


def with_products(text: str) -> str:
    """`pow` of a constant small exponent as a call of private_column.h that multiplies."""
    while True:
        text, count = _POWER.subn(r"times\2(\1)", text)
        if not count:
            return text


def with_floats(text: str) -> str:
    """Literals and variables of type double as float."""
    return re.sub(r"\bdouble\b", "float", _LITERAL.sub(r"\1f", text))


def with_static_table(text: str, name: str) -> str:
    """An array that is filled element by element with constants as a `static const` table."""
    match = re.search(rf"(\w+)\s+{name}\[(\d+)\];((?:\s*{name}\[\d+\]\s*=\s*[^;]+;+(?:\s*//[^\n]*)?)+)", text)
    if match is None:
        raise ValueError(f"no table {name}")
    values = dict(re.findall(rf"{name}\[(\d+)\]\s*=\s*([^;]+);", match[3]))
    listed = ", ".join(values[str(number)].strip() for number in range(int(match[2])))
    table = f"static const {match[1]} {name}[{match[2]}] = {{{listed}}};"
    return text[: match.start()] + table + text[match.end() :]


def apply(change: Entry, where: Path) -> None:
    """Make a change by hand in a copy of its program."""
    for edit in change.get("edits", ()):
        path = where / edit[0].partition(":")[0]
        path.write_text(edited(path.read_text(), edit))
    for name in change.get("powers", ()):
        path = where / name
        path.write_text(with_products(path.read_text()))
    for name in change.get("floats", ()):
        path = where / name
        path.write_text(with_floats(path.read_text()))
    if "tables" in change:
        name, *tables = change["tables"]
        text = (where / name).read_text()
        for table in tables:
            text = with_static_table(text, table)
        (where / name).write_text(text)


def prepare(src: Path, folder: Path, only: Collection[str] = ()) -> None:
    """Copy, fix and edit. Raises RuntimeError for a fix that changes nothing, ValueError for an edit without place."""
    plan = read_plan(RESULTS / "changes.toml")
    by_name = {change["name"]: change for change in plan.changes}
    for place, names in _SUPPORT.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(HERE / name, folder / place)
    for build in builds(plan, folder, only):
        program = plan.programs[build.program]
        for name in (_folder(plan, build.program), *program.get("with", ()), "include"):
            if (src / name).is_dir():
                shutil.copytree(src / name, build.folder.parent / name, symlinks=True, dirs_exist_ok=True)
        for edit in program.get("both", ()):
            path = build.folder / edit[0].partition(":")[0]
            path.write_text(edited(path.read_text(), edit))
        change = by_name.get(build.name)
        if change is None:
            continue
        if change["by"] == "hand":
            apply(change, build.folder)
        else:
            fix(change["rule"], build.folder)


def fix(rule: str, where: Path) -> None:
    """Apply the fixes of one rule. Raises RuntimeError if there is none."""
    sources = [path for path in where.rglob("*") if path.suffix in (".cu", ".h", ".cuh", ".cpp", ".hpp", ".cc")]
    before = {path: path.read_bytes() for path in sources}
    options = ["--isolated", "--no-cache", "--arch", _ARCH, "--select", rule, "--fix", "--unsafe-fixes"]
    command = [sys.executable, "-m", "regpress_lint", "check", *options, "--exit-zero", "--quiet", "."]
    subprocess.run(command, cwd=where, check=True, stdout=subprocess.DEVNULL)
    if all(path.read_bytes() == text for path, text in before.items()):
        raise RuntimeError(f"{where}: no fix of {rule} applies")


# -------------------------------------------------------------------------------------------------------------- build


def build_all(folder: Path, jobs: int, only: Collection[str] = ()) -> None:
    """Make up the inputs, compile every copy and the library that takes times; failures are printed."""
    plan = read_plan(folder / "results" / "changes.toml")
    cuda = next(path for path in map(Path, ("/usr/local/cuda", *_cudas())) if (path / "include" / "cupti.h").is_file())
    libraries = next(path for path in (cuda / "lib64", cuda / "lib") if list(path.glob("libcupti.so*")))
    source, library = folder / "kernel_times.cpp", folder / "libkernel_times.so"
    command = ["g++", "-O2", "-std=c++17", "-shared", "-fPIC", "-o", str(library), str(source)]
    found = str(next(libraries.glob("libcupti.so*")))
    subprocess.run([*command, f"-I{cuda / 'include'}", found, f"-Wl,-rpath,{libraries}"], check=True)
    with ThreadPoolExecutor(jobs) as pool:
        for line in pool.map(lambda build: _build(plan, build, folder), builds(plan, folder, only)):
            if line:
                print(line, flush=True)


def _cudas() -> list[str]:
    return [str(path) for path in sorted(Path("/usr/local").glob("cuda-*"), reverse=True)]


def _build(plan: Plan, build: Build, folder: Path) -> str:
    if data := plan.programs[build.program].get("data"):
        INPUTS[data](build.folder)
    flags = f"-Xptxas -v -include {folder.resolve() / 'private_column.h'}"
    environment = {**os.environ, "NVCC_APPEND_FLAGS": flags}
    command = ["make", "-B", f"ARCH={_ARCH}"]
    try:
        done = subprocess.run(
            command, cwd=build.folder, env=environment, capture_output=True, text=True, timeout=_BUILD_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"{build.name}: not built in {_BUILD_SECONDS:.0f} s"
    (build.folder / "ptxas.json").write_text(json.dumps(resources(done.stdout + done.stderr)))
    if done.returncode:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "rror" in line]
        return f"{build.name}: {' / '.join(errors[:3])[:500]}"
    return ""


def resources(log: str) -> dict[str, list[int]]:
    """Registers, bytes of stack frame, bytes of spill stores and loads of each kernel in a log of `ptxas -v`."""
    found: dict[str, list[int]] = {}
    entry, function = "", ""
    for line in log.splitlines():
        if match := re.search(r"Compiling entry function '(\S+)'", line):
            entry = match[1]
            found[entry] = [0, 0, 0]
        elif match := re.search(r"Function properties for (\S+)", line):
            function = match[1]
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            if entry and function == entry:
                found[entry][1:] = [int(match[1]), int(match[2]) + int(match[3])]
        elif (match := re.search(r"Used (\d+) registers", line)) and entry:
            found[entry][0] = int(match[1])
    return found


# ---------------------------------------------------------------------------------------------------------------- run


def run(folder: Path, out: Path, seconds: float, only: Collection[str] = ()) -> None:
    """Execute every program and its changes in turn, round by round, until the seconds are over."""
    folder = folder.resolve()  # a program has a working folder of its own
    plan = read_plan(folder / "results" / "changes.toml")
    end = time.monotonic() + seconds
    result: dict[str, Any] = {"gpu": _gpu(), "compiler": _compiler(), "runs": {}, "resources": {}}
    copies = builds(plan, folder, only)
    for build in copies:
        if (build.folder / "ptxas.json").is_file():
            result["resources"][build.name] = json.loads((build.folder / "ptxas.json").read_text())
    failed: set[str] = set()
    for number in range(9):
        for program in plan.programs:
            for build in (copy for copy in copies if copy.program == program and copy.name not in failed):
                if time.monotonic() > end:
                    out.write_text(json.dumps(result))
                    print(f"ended in round {number + 1}")
                    return
                one = _execute(plan, build, folder, min(_RUN_SECONDS, end - time.monotonic() + 5))
                if one["status"] or not one["kernels"]:
                    failed.add(build.name)
                    print(f"{build.name}: status {one['status']}: {one['printed'][-200:]!r}", flush=True)
                result["runs"].setdefault(build.name, []).append(one)
        out.write_text(json.dumps(result))
        print(f"round {number + 1} done, {end - time.monotonic():.0f} s left", flush=True)


def _execute(plan: Plan, build: Build, folder: Path, limit: float) -> Entry:
    times = build.folder / "kernel_times.csv"
    times.unlink(missing_ok=True)
    injected = {"CUDA_INJECTION64_PATH": str(folder.resolve() / "libkernel_times.so"), "KERNEL_TIMES": str(times)}
    command = ["./main", *shlex.split(plan.programs[build.program]["arguments"])]
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=build.folder, env={**os.environ, **injected}, capture_output=True, timeout=limit
        )
        status, printed = done.returncode, done.stdout.decode(errors="replace")
    except (subprocess.TimeoutExpired, OSError) as error:
        status, printed = -1, str(error)
    kernels = [line.rsplit(",", 3) for line in times.read_text().splitlines()] if times.is_file() else []
    return {
        "status": status,
        "seconds": round(time.monotonic() - begin, 2),
        "printed": printed[-6000:],
        "kernels": {name: [int(launches), int(middle), int(total)] for name, launches, middle, total in kernels},
    }


def _gpu() -> str:
    done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    return done.stdout.split("\n")[0].strip()


def _compiler() -> str:
    done = subprocess.run(["nvcc", "--version"], capture_output=True, text=True)
    match = re.search(r"V(\d+\.\d+\.\d+)", done.stdout)
    return f"nvcc {match[1]}" if match else "nvcc"


# -------------------------------------------------------------------------------------------------------------- store


def figure(one: Entry, kernel: str) -> tuple[float, int] | None:
    """Microseconds per launch of the kernels with this name in one execution, and their launches."""
    rows = [row for name, row in one["kernels"].items() if row[2] and re.search(kernel, name)]  # 0: no time stamps
    launches = sum(row[0] for row in rows)
    return (sum(row[2] for row in rows) / launches / 1000, launches) if launches else None


def same(before: list[Entry], after: list[Entry]) -> str:
    """Whether what is printed, times left out, is equal; `rounding` if numbers differ by less than a thousandth."""
    first, second = ({_results(one["printed"]) for one in side} for side in (before, after))
    if first & second:
        return "yes"
    if len(first) > 1:
        return "varies"
    one, other = next(iter(first)), next(iter(second))
    if _NUMBER.sub("", one) != _NUMBER.sub("", other):
        return "no"
    pairs = zip(map(float, _NUMBER.findall(one)), map(float, _NUMBER.findall(other)), strict=False)
    return "rounding" if all(math.isclose(a, b, rel_tol=_CLOSE, abs_tol=1e-6) for a, b in pairs) else "no"


def _results(printed: str) -> str:
    lines = (re.sub(r"\.(cu|cpp):\d+", "", line) for line in printed.splitlines())
    return "\n".join(line for line in lines if not _TIME.search(line))


def store(paths: list[Path], day: str) -> None:
    """Write a row per change; executions of several outputs of one GPU count together."""
    plan = read_plan(RESULTS / "changes.toml")
    outputs = [json.loads(path.read_text()) for path in paths]
    with (RESULTS / "changes.csv").open(newline="") as stream:
        earlier = {tuple(row[name] for name in _SAME): row for row in csv.DictReader(stream)}
    rows: list[Mapping[str, object]] = []
    for change in plan.changes:
        row = _row(plan, change, outputs, day) or earlier.get(tuple(change[name] for name in _SAME))
        if row is not None:
            rows.append({**row, "warnings": change["warnings"]})
    with (RESULTS / "changes.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, HEAD, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} of {len(plan.changes)} changes")


def _row(plan: Plan, change: Entry, outputs: list[Entry], day: str) -> dict[str, object] | None:
    names = (f"before-{change['program']}", change["name"])
    patterns: list[str] = [change["kernel"], change.get("kernel_after") or change["kernel"]]
    runs = [[one for output in outputs for one in output["runs"].get(name, ()) if not one["status"]] for name in names]
    sides = [[found for one in runs[side] if (found := figure(one, patterns[side]))] for side in (0, 1)]
    if not all(sides):
        return None
    least = [min(found[0] for found in side) for side in sides]
    spread = max((max(found[0] for found in side) - min(found[0] for found in side)) / least[0] for side in sides)
    row: dict[str, object] = {name: change[name] for name in ("program", "rule", "by", "warnings", "what", "kernel")}
    row |= {"arguments": plan.programs[change["program"]]["arguments"], "launches": sides[0][0][1]}
    row |= {"us_before": f"{least[0]:.4g}", "us_after": f"{least[1]:.4g}", "gain": f"{least[0] / least[1]:.3f}"}
    row |= {"spread": f"{spread:.3f}", "same_results": same(*runs), "gpu": outputs[-1]["gpu"], "date": day}
    row["compiler"] = outputs[-1]["compiler"]
    for side, word in enumerate(("before", "after")):
        used = outputs[-1]["resources"].get(names[side], {})
        timed = {name for one in runs[side] for name in one["kernels"]}
        compiled = [values for name, values in used.items() if re.search(patterns[side], name) and name in timed]
        for place, field in enumerate(("registers", "scratch", "spills")):
            row[f"{field}_{word}"] = max((values[place] for values in compiled), default="")
    return row


def main() -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare")
    preparing.add_argument("src", type=Path)
    preparing.add_argument("folder", type=Path)
    preparing.add_argument("--only", nargs="*", default=[], metavar="PROGRAM")
    building = commands.add_parser("build")
    building.add_argument("folder", type=Path)
    building.add_argument("--jobs", type=int, default=2)
    building.add_argument("--only", nargs="*", default=[], metavar="PROGRAM")
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("out", type=Path)
    running.add_argument("--seconds", type=float, default=3600)
    running.add_argument("--only", nargs="*", default=[], metavar="PROGRAM")
    storing = commands.add_parser("store")
    storing.add_argument("outputs", type=Path, nargs="+")
    storing.add_argument("--date", required=True)
    options = parser.parse_args()
    if options.command == "prepare":
        prepare(options.src, options.folder, options.only)
    elif options.command == "build":
        build_all(options.folder, options.jobs, options.only)
    elif options.command == "run":
        run(options.folder, options.out, options.seconds, options.only)
    else:
        store(options.outputs, options.date)
    return 0


if __name__ == "__main__":
    sys.exit(main())
