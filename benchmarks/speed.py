"""How fast the linter is, as ratios that hold on any machine.

    python benchmarks/speed.py SRC [--file ONE_FILE] [--jobs 2]

SRC is a folder with many GPU sources (HeCBench's `src`). Measured: `check` over all of it, without a cache, for two
architectures, against tree-sitter-cpp alone parsing the same GPU files on one core; the same with a cache in which
nothing has changed; one file in a process of its own, without and with a cache,
against importing the parser; peak memory of the run, workers included (proportional set size of each, summed);
clang-tidy on the same file if it is installed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXTENSIONS = frozenset(["cu", "cuh", "hip", "cpp", "cc", "cxx", "c", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"])
COMMAND = [sys.executable, "-m", "regpress_lint"]


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


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--file", type=Path, help="a file of about 300 lines")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
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
