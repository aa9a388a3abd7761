"""`measure` against the raw output of the tools, read by other code: over all programs of a folder that compile.

    python -m tools.measure.measure_agreement SRC [--targets gfx90a,sm_90] [--slice 1/1] [-j 2]
    python -m tools.measure.measure_agreement SRC --tally FILE.csv --seconds 300   # goes on where the last run stopped
    python -m tools.measure.measure_agreement --tally FILE.csv                     # the sums

SRC is a folder of programs such as HeCBench's `src`. A file is compiled once a target. AMD: clang's remarks, the
assembly and the code object from it. NVIDIA: the log of ptxas and the cubin. `regpress-lint measure` reads
them; the same numbers come out of the remarks by toolchain.py, out of the code object by `llvm-readobj --notes`, out of
the log of ptxas by toolchain.py, and out of the cubin by `cuobjdump -res-usage` where that is on PATH. Every number
that both have is compared, and names with `llvm-cxxfilt`. A tally has a line for each file and target that was done.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.inputs import read
from regpress_lint.targets.occupancy import architecture
from tools.measure.programs import SOURCES, Programs, include_flags
from tools.measure.toolchain import device_libs_for, find_toolchain, parse_amd_remarks, parse_ptxas, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tools.measure.toolchain import Allocation, Toolchain

Numbers = dict[str, dict[str, int]]
_LOG = {
    "registers": "vgprs",
    "agprs": "agprs",
    "sgprs": "sgprs",
    "scratch_bytes": "scratch_bytes",
    "lds_bytes": "lds_bytes",
}
_NOTES = {
    ".agpr_count": "agprs",
    ".sgpr_count": "sgprs",
    ".vgpr_spill_count": "spills",
    ".sgpr_spill_count": "sgpr_spills",
    ".private_segment_fixed_size": "scratch_bytes",
    ".group_segment_fixed_size": "lds_bytes",
    ".max_flat_workgroup_size": "max_threads",
    ".wavefront_size": "wave_size",
}


class Compared(NamedTuple):
    """What one file has: kernels and numbers by input, and lines about those that differ."""

    kernels: Counter[str]
    numbers: Counter[str]
    differences: tuple[str, ...]
    names: int = 0


class Entry(NamedTuple):
    """A line of a tally; without kernels where the file does not compile."""

    target: str
    file: str
    kernels: str
    numbers: int
    names: int
    differ: int


def of_log(allocations: Iterable[Allocation], target: str) -> Numbers:
    """What toolchain.py reads out of a log; it counts ptxas' spills in bytes."""
    nvidia = target.startswith("sm_")
    found = {}
    for one in allocations:
        values = {ours: getattr(one, theirs) for theirs, ours in _LOG.items()}
        if nvidia or architecture(target).acc_regs == "none":
            del values["agprs"]
        if nvidia:
            del values["sgprs"]
        found[one.symbol] = {**values, "spills": -(-one.spills // 4) if nvidia else one.spills}
    return found


def of_notes(text: str) -> Numbers:
    """What `llvm-readobj --notes` prints of AMD's kernels."""
    found: Numbers = {}
    for part in re.split(r"^  - ", text.partition("amdhsa.kernels:")[2], flags=re.MULTILINE)[1:]:
        values = dict(re.findall(r"^(?:    )?(\.\w+): +(\S+)$", part, re.MULTILINE))
        if ".name" in values:
            found[values[".name"].strip("'")] = {
                ours: int(values[theirs]) for theirs, ours in _NOTES.items() if theirs in values
            }
    return found


def of_cuobjdump(text: str, target: str) -> Numbers:
    """What `cuobjdump -res-usage` prints; from sm_90 on its shared memory holds what the system keeps."""
    kept = architecture(target).lds_reserved_per_group
    found = {}
    for symbol, registers, stack, shared in re.findall(r"Function (\S+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)", text):
        size = int(shared)
        found[symbol] = {"registers": int(registers), "scratch_bytes": int(stack)}
        if size == 0 or not kept:
            found[symbol]["lds_bytes"] = size
    return found


def outputs(
    chain: Toolchain, source: Path, target: str, folder: Path, libs: Path | None
) -> dict[str, tuple[bytes, Numbers]]:
    """By input: what `measure` reads, and what other code says of it. Raises RuntimeError where it does not compile."""
    if target.startswith("sm_"):
        cubin = folder / "out.cubin"
        text = run([str(chain.nvcc), "-x", "cu", f"-arch={target}", "-cubin", "-O3", "-std=c++17", "-w", "-Xptxas",
                    "-v", "-o", str(cubin), str(source), *include_flags(source)])  # fmt: skip
        found = {"ptxas": (text.encode(), of_log(parse_ptxas(text), target))}
        if shutil.which("cuobjdump"):
            found["cubin"] = (cubin.read_bytes(), of_cuobjdump(run(["cuobjdump", "-res-usage", str(cubin)]), target))
        return found
    assembly, linked = folder / "out.s", folder / "out.co"
    text = run([str(chain.clang), "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-w",
                f"--rocm-path={chain.hip_root}", f"--rocm-device-lib-path={libs}", "-O3", "-std=c++17", "-S",
                "-o", str(assembly), "-include", "hip/hip_runtime.h", "-Rpass-analysis=kernel-resource-usage",
                str(source), *include_flags(source)])  # fmt: skip
    log = f"clang++ --offload-arch={target}\n{text}"
    run([str(chain.clang), "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-o", str(linked), str(assembly)])
    notes = of_notes(run(["llvm-readobj-19", "--notes", str(linked)]))
    remarks = of_log(parse_amd_remarks(text), target)
    return {
        "remarks": (log.encode(), remarks),
        "assembly": (assembly.read_bytes(), notes),
        "code object": (linked.read_bytes(), notes),
    }


def compared(name: str, found: Mapping[str, tuple[bytes, Numbers]]) -> Compared:
    """Both answers side by side."""
    kernels: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    different: list[str] = []
    symbols: set[str] = set()
    for kind, (data, theirs) in found.items():
        if not theirs:
            continue
        reading = read(data, name)
        different += [f"{name} {kind}: {line}" for line in reading.problems]
        ours = {row.symbol: row for row in reading.rows}
        different += [f"{name} {kind}: only one side has {symbol}" for symbol in sorted(ours.keys() ^ theirs.keys())]
        symbols |= theirs.keys()
        for symbol in ours.keys() & theirs.keys():
            kernels[kind] += 1
            for field, number in theirs[symbol].items():
                numbers[kind] += 1
                if getattr(ours[symbol], field) != number:
                    different.append(f"{name} {kind} {symbol}: {field} {getattr(ours[symbol], field)}, not {number}")
    different += names_that_differ(sorted(symbols))
    return Compared(kernels, numbers, tuple(different), len(symbols))


def names_that_differ(symbols: Sequence[str]) -> Iterator[str]:
    """Symbols that our demangler reads otherwise than llvm-cxxfilt; blanks and numbers of lambdas do not count."""
    theirs = run(["llvm-cxxfilt-19", "--no-params", *symbols]).splitlines() if symbols else []
    for symbol, name in zip(symbols, theirs, strict=True):
        if _plain(demangled(symbol).whole) != _plain(name):
            yield f"{symbol}: {demangled(symbol).whole}, not {name}"


def _plain(name: str) -> str:
    """Without what the two write in different ways; of a function that a lambda is in ours has the name alone."""
    name = re.sub(r"'(?:lambda|unnamed)\d*'(?:\((?:[^()]|\([^()]*\))*\))?", "{}", name)
    name = re.sub(r"\{(?:lambda|unnamed)#\d+\}", "{}", name).replace("__nv_static_", "")
    name = re.sub(r"\((?:[^()]|\([^()]*\))*\)(?=::\{\})", "", name)
    name = re.sub(r"(?:^|(?<=[<(])|(?<=, ))[\w:*&]+ (?=[\w:]+<[^<>]*>::\{\})", "", name)
    return re.sub(r"\s+", "", name)


def entry_of(target: str, file: str, found: Compared | None) -> Entry:
    """A file's part of a tally."""
    if found is None:
        return Entry(target, file, "", 0, 0, 0)
    kernels = max(found.kernels.values(), default=0)
    return Entry(target, file, str(kernels), found.numbers.total(), found.names, len(found.differences))


def read_tally(path: Path | None) -> list[Entry]:
    """What earlier runs have done."""
    if path is None or not path.exists():
        return []
    with path.open(newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    return [Entry(target, file, kernels, *map(int, rest)) for target, file, kernels, *rest in rows]


def write_tally(path: Path, entries: Iterable[Entry]) -> None:
    """All lines in order, replacing the old ones."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, newline="", delete=False) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows((Entry._fields, *sorted(entries)))
    Path(stream.name).replace(path)


def sums(entries: Sequence[Entry]) -> Iterator[str]:
    """A line per target, and one of all."""
    targets = sorted({entry.target for entry in entries})
    for target in (*targets, "all") if len(targets) > 1 else targets:
        of = [entry for entry in entries if target in (entry.target, "all")]
        built = [entry for entry in of if entry.kernels]
        kernels, numbers = sum(int(entry.kernels) for entry in built), sum(entry.numbers for entry in built)
        names, differ = sum(entry.names for entry in built), sum(entry.differ for entry in built)
        compiled = f"{len(built):,} of {len(of):,} files compile"
        yield f"{target}: {compiled}, {kernels:,} kernels, {numbers:,} numbers and {names:,} names, {differ} differ"


def done_of(root: Path, target: str, files: Sequence[Path], jobs: int, end: float) -> Iterator[Entry]:
    """Files one after another, as long as there is time; lines about what differs are printed."""
    chain = find_toolchain()
    with tempfile.TemporaryDirectory(prefix="regpress-agreement-") as place:
        libs = device_libs_for(chain, target, Path(place) / "libs") if target.startswith("gfx") else None

        def work(path: Path) -> Entry | None:
            if time.monotonic() > end:
                return None
            name = str(path.relative_to(root))
            with tempfile.TemporaryDirectory(prefix="regpress-agreement-") as folder:
                try:
                    found = compared(name, outputs(chain, path, target, Path(folder), libs))
                except RuntimeError:
                    return entry_of(target, name, None)
            print("".join(f"  {target} {line}\n" for line in found.differences[:40]), end="", flush=True)
            return entry_of(target, name, found)

        with ThreadPoolExecutor(jobs) as pool:
            yield from (entry for entry in pool.map(work, files) if entry is not None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, nargs="?")
    parser.add_argument("--targets", default="gfx90a,sm_90")
    parser.add_argument("--slice", default="1/1", help="2/8: the second of eight parts of the files")
    parser.add_argument("--tally", type=Path, help="files that it names are not done again; new ones are added")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no file after that time")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    part, parts = map(int, options.slice.split("/"))
    entries = read_tally(options.tally)
    known, end = {each[:2] for each in entries}, time.monotonic() + options.seconds
    for target in options.targets.split(",") if options.source is not None else ():
        every = [path for path in Programs(options.source).files_for(target) if path.suffix in SOURCES]
        files = [
            path for path in every[part - 1 :: parts] if (target, str(path.relative_to(options.source))) not in known
        ]
        try:
            for entry in done_of(options.source, target, files, options.jobs, end):
                entries.append(entry)
        finally:
            if options.tally is not None:
                write_tally(options.tally, entries)
    print("\n".join(sums(entries)))
    return int(any(each.differ for each in entries))


if __name__ == "__main__":
    raise SystemExit(main())
