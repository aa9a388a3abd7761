"""What `verify` says of the fixes in a folder of programs: which a compiler confirms, by rule and target.

    python -m tools.measure.verify_programs SRC FOLDER [--findings CHECK.json] [--targets gfx90a,sm_90]
                                         [--unsafe-fixes] [--seconds 280] [-j 2]

SRC is a folder of programs such as HeCBench's `src`. Each program with a finding that carries a fix is verified by
itself, with the include folders and macros of its Makefile as a `compile_commands.json`. FOLDER keeps what `verify`
said, a file a program: a run goes on where the last one ended, and begins no program after `--seconds`. `--findings`
is what `check --output-format json SRC` wrote, by which programs without a fix are passed over; else all are linted.
The table is about everything in FOLDER: by rule and target the verdicts on the kernels, then what is refuted or broken,
line by line, then how many safe fixes improve something on a target, and how many lose waves on one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regpress_lint.measured.ratchet import GOOD, VERDICTS
from tools.measure.programs import include_flags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
_COMPILERS = {".hip": "clang++", ".cpp": "clang++", ".cu": "nvcc"}
_INCLUDED = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_COLUMNS = (*reversed(VERDICTS), "unverified")


def programs(source: Path, findings: Path | None, *, unsafe: bool) -> list[str]:
    """Programs that have a fix, as far as the findings say so; SYCL's are not compiled."""
    if findings is None:
        names = {path.name for path in source.iterdir() if path.is_dir()}
    else:
        names = set()
        for each in json.loads(findings.read_text())["diagnostics"]:
            fix = each["fix"]
            if fix is not None and fix["edits"] and (unsafe or fix["applicability"] == "safe"):
                path = Path(each["path"])
                names.add((path.relative_to(source) if path.is_absolute() else path).parts[0])
    return sorted(name for name in names if not name.endswith(("-sycl", "-omp")))


def commands(program: Path) -> list[dict[str, Any]]:
    """Entries of a compile_commands.json for the sources of a program; one that another source includes is no unit."""
    found = []
    sources = [path for path in sorted(program.rglob("*")) if path.suffix in _COMPILERS and path.is_file()]
    included = {name.rpartition(b"/")[2] for path in sources for name in _INCLUDED.findall(path.read_bytes())}
    for path in sources:
        if path.name.encode() not in included:
            hip = program.name.endswith("-hip")
            compiler = "clang++" if hip else _COMPILERS[path.suffix] if path.suffix != ".cpp" else "g++"
            words = [compiler, *(("-x", "hip") if hip else ()), *include_flags(path), "-c", str(path)]
            found.append({"directory": str(path.parent), "file": str(path), "arguments": words})
    return found


def targets_of(program: str, targets: str) -> str:
    """The GPUs that a program is compiled for: AMD's for HIP, NVIDIA's for CUDA."""
    hip = program.endswith("-hip")
    return ",".join(name for name in targets.split(",") if name.startswith("gfx") == hip)


def verified(program: Path, folder: Path, targets: str, *, unsafe: bool, seconds: float, jobs: int) -> Any:
    """What `verify` says of a program."""
    build = folder / "build" / program.name
    build.mkdir(parents=True, exist_ok=True)
    (build / "compile_commands.json").write_text(json.dumps(commands(program)))
    words = [sys.executable, "-m", "regpress_lint", "verify", str(program), "-p", str(build), "--isolated"]
    words += [
        "--arch",
        targets_of(program.name, targets),
        "--semantic",
        "off",
        "--output-format",
        "json",
        "-j",
        str(jobs),
    ]
    words += ["--cache-dir", str(folder / "cache"), "--budget", str(max(1, int(seconds)))]
    words += ["--unsafe-fixes"] if unsafe else []
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        print(f"{program.name}: {done.stderr[-400:]}", file=sys.stderr)
        return None


def rows(documents: Mapping[str, Any], source: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Findings with their place below the source."""
    for name in sorted(documents):
        for finding in documents[name]["findings"]:
            path = Path(finding["path"])
            yield finding, f"{path.relative_to(source) if path.is_relative_to(source) else path}:{finding['line']}"


def table(found: Sequence[tuple[dict[str, Any], str]]) -> Iterator[str]:
    """Verdicts on kernels by rule, kind of fix and target."""
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for finding, _ in found:
        for target, change in finding["targets"].items():
            key = finding["code"], finding["applicability"], target
            counts.setdefault(key, Counter())[change["verdict"]] += 1
    yield f"| rule | fix | target | {' | '.join(_COLUMNS)} | confirmed |"
    yield f"|---|---|---|{'--:|' * (len(_COLUMNS) + 1)}"
    for (code, kind, target), counter in sorted(counts.items()):
        known = counter.total() - counter["unverified"]
        share = f"{sum(counter[name] for name in GOOD) / known:.0%}" if known else "-"
        yield f"| {code} | {kind} | {target} | {' | '.join(str(counter[name]) for name in _COLUMNS)} | {share} |"


def doubtful(found: Iterable[tuple[dict[str, Any], str]]) -> Iterator[str]:
    """Fixes that are refuted, broken or without effect, with their numbers."""
    for finding, where in found:
        for target, change in finding["targets"].items():
            hurts = finding["verdict"] in ("refuted", "broken") and change["verdict"] in VERDICTS[:3]
            if hurts or finding["verdict"] == "no change":
                before, after = change["before"] or {}, change["after"] or {}
                moved = [
                    f"{name} {before[name]} -> {after[name]}" for name in before if before[name] != after.get(name)
                ]
                told = ", ".join(moved) or (change["error"] or "")[:160]
                yield f"{change['verdict']}: {finding['code']} {finding['applicability']} {target} {where} {told}"


def bar(found: Sequence[tuple[dict[str, Any], str]]) -> Iterator[str]:
    """How many fixes improve something on a target, and how many lose waves, scratch or spills on one."""
    for kind in ("safe", "unsafe"):
        mine = [finding for finding, _ in found if finding["applicability"] == kind]
        known = [each for each in mine if each["verdict"] != "unverified"]
        good = sum(any(change["verdict"] in GOOD for change in each["targets"].values()) for each in known)
        lost = sum(any(_waves_lost(change) for change in each["targets"].values()) for each in known)
        if known:
            share = f"{good} of {len(known)} improve something on a target ({good / len(known):.0%})"
            yield f"{kind} fixes: {share}; {lost} lose waves; {len(mine) - len(known)} not compiled"


def _waves_lost(change: Mapping[str, Any]) -> bool:
    return bool(change["before"] and change["after"]) and change["after"]["waves"] < change["before"]["waves"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--targets", default="gfx90a,sm_90")
    parser.add_argument("--unsafe-fixes", action="store_true")
    parser.add_argument("--seconds", type=float, default=280)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    source, folder, end = options.source.resolve(), options.folder.resolve(), time.monotonic() + options.seconds
    folder.mkdir(parents=True, exist_ok=True)
    names = programs(source, options.findings, unsafe=options.unsafe_fixes)
    documents: dict[str, Any] = {}
    kind = "unsafe" if options.unsafe_fixes else "safe"
    for name in names:
        kept = folder / f"{name}.{kind}.json"
        left = end - time.monotonic()
        if not kept.exists() and left > 0:
            found = verified(
                source / name, folder, options.targets, unsafe=options.unsafe_fixes, seconds=left, jobs=options.jobs
            )
            if found is not None and time.monotonic() < end:  # the budget was not what ended it
                kept.write_text(json.dumps(found))
        if kept.exists():
            documents[name] = json.loads(kept.read_text())
    found = list(rows(documents, source))
    print(f"{len(documents)} of {len(names)} programs, {len(found)} fixes")
    print("\n".join((*table(found), "", *doubtful(found), "", *bar(found))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
