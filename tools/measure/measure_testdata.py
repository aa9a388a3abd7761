"""Measure the kernels in testdata/kernels with the real compilers.

    python -m tools.measure.measure_testdata             compile and print, write nothing
    python -m tools.measure.measure_testdata --write     compile and write testdata/kernels/measured.csv
    python -m tools.measure.measure_testdata --readme    put the numbers of measured.csv into testdata/kernels/README.md
    python -m tools.measure.measure_testdata --check     exit 1 when README.md differs from what measured.csv says

``.hip`` files go through clang++-19 for gfx90a and gfx1100, ``.cu`` files through nvcc for sm_90, and SYCL ``.cpp``
files through a syntax check against testdata/kernels/stubs (no SYCL compiler is needed, so they have no numbers).
A compiler that is not installed is skipped, and ``--write`` keeps the rows that it would have produced.

Nothing is run on a GPU: the numbers are what the register allocator did, not speed.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.measure.toolchain import compile_cuda, compile_hip, compiler_version, device_libs_for, find_toolchain, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tools.measure.toolchain import Allocation, Toolchain


KERNELS = Path(__file__).resolve().parents[2] / "testdata" / "kernels"
CSV_PATH = KERNELS / "measured.csv"
README_PATH = KERNELS / "README.md"


class Measurement(NamedTuple):
    """One kernel, compiled once.

    ``registers`` are VGPRs (AMD) or registers (NVIDIA) per thread, ``scratch_bytes`` is private memory per thread
    (AMD scratch, NVIDIA stack frame), ``spills`` counts spilled VGPRs (AMD) or bytes of spill stores (NVIDIA).
    ``lds_bytes`` is per block and includes the dynamic part of the file's launch line. ``occupancy`` is in waves per
    SIMD (AMD, of 8 on gfx90a and 16 on gfx1100) or warps per SM (NVIDIA, of 64) at the launched block size.
    """

    file: str
    kernel: str
    target: str
    compiler: str
    registers: int
    agprs: int
    sgprs: int
    scratch_bytes: int
    spills: int
    lds_bytes: int
    occupancy: float


def read_csv(path: Path = CSV_PATH) -> list[Measurement]:
    """The stored measurements; empty when there is no file yet."""
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        return [_from_record(record) for record in csv.DictReader(stream)]


def _from_record(record: Mapping[str, str]) -> Measurement:
    return Measurement(
        file=record["file"],
        kernel=record["kernel"],
        target=record["target"],
        compiler=record["compiler"],
        registers=int(record["registers"]),
        agprs=int(record["agprs"]),
        sgprs=int(record["sgprs"]),
        scratch_bytes=int(record["scratch_bytes"]),
        spills=int(record["spills"]),
        lds_bytes=int(record["lds_bytes"]),
        occupancy=float(record["occupancy"]),
    )


def write_csv(rows: Iterable[Measurement], path: Path = CSV_PATH) -> None:
    """Store measurements as CSV with one header line and ``\\n`` line ends."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(Measurement._fields)
        writer.writerows([*row[:-1], f"{row.occupancy:g}"] for row in rows)


def merge(old: Iterable[Measurement], new: Sequence[Measurement], root: Path = KERNELS) -> list[Measurement]:
    """``new``, and the old rows of targets that were not compiled this time, for files that still exist."""
    compiled = {row.target for row in new}
    kept = (row for row in old if row.target not in compiled and (root / row.file).is_file())
    return sorted([*kept, *new])


_TABLE_HEAD = (
    "| file | kernel | target | registers | scratch B | spills | LDS B | occupancy |",
    "|---|---|---|---|---|---|---|---|",
)


def table(rows: Iterable[Measurement], folder: str) -> str:
    """A Markdown table of the measurements of the files in one folder."""
    lines = [
        f"| {Path(row.file).name} | {row.kernel} | {row.target} | {_registers(row)} | {row.scratch_bytes} "
        f"| {row.spills} | {row.lds_bytes} | {row.occupancy:g} |"
        for row in rows
        if Path(row.file).parent.as_posix() == folder
    ]
    return "\n".join([*_TABLE_HEAD, *lines])


def _registers(row: Measurement) -> str:
    return f"{row.registers} + {row.agprs} AGPR" if row.agprs else str(row.registers)


def render_readme(text: str, rows: Sequence[Measurement]) -> str:
    """Replace what is between ``<!-- measured: FOLDER -->`` and ``<!-- end -->`` by the table of that folder."""

    def block(match: re.Match[str]) -> str:
        return f"<!-- measured: {match['folder']} -->\n{table(rows, match['folder'])}\n<!-- end -->"

    return re.sub(r"<!-- measured: (?P<folder>\S+) -->\n.*?<!-- end -->", block, text, flags=re.DOTALL)


class Launch(NamedTuple):
    """Threads per block and bytes of dynamic LDS, from the file's ``// launch: block=B dynamic_lds=D`` line."""

    block: int
    dynamic_lds: int


@dataclass(frozen=True, slots=True)
class Unit:
    """The limits of one compute unit (AMD), work-group processor (gfx1100) or SM (NVIDIA); sizes in bytes."""

    simds: int
    wave: int
    max_waves_per_simd: int
    registers_per_lane: int
    register_granule: int
    lds_bytes: int
    lds_granule: int
    lds_reserved: int
    max_blocks: int


# gfx90a and gfx1100: LLVM 19, AMDGPUBaseInfo.cpp (gfx1100 in WGP mode). sm_90: CUDA 13.0, cuda_occupancy.h.
UNITS: Mapping[str, Unit] = {
    "gfx90a": Unit(4, 64, 8, 512, 8, 64 * 1024, 512, 0, 16),
    "gfx1100": Unit(4, 32, 16, 1536, 24, 128 * 1024, 1024, 0, 32),
    "sm_90": Unit(4, 32, 16, 512, 8, 228 * 1024, 128, 1024, 32),
}


def resident_waves(target: str, allocation: Allocation, launch: Launch) -> float:
    """Waves per SIMD (AMD) or warps per SM (NVIDIA) that fit at once, in whole blocks.

    Scalar registers never limit the kernels here, so they are left out.
    """
    unit = UNITS[target]
    waves = -(-launch.block // unit.wave)
    total = allocation.registers
    if allocation.agprs:
        total = _round_up(total, 4) + allocation.agprs
    by_registers = min(
        unit.max_waves_per_simd, unit.registers_per_lane // _round_up(max(total, 1), unit.register_granule)
    )
    lds = _round_up(allocation.lds_bytes + launch.dynamic_lds + unit.lds_reserved, unit.lds_granule)
    # On AMD the work-group limit comes from barrier slots, which a group of one wave does not need.
    groups = unit.max_waves_per_simd * unit.simds if waves == 1 and unit.lds_reserved == 0 else unit.max_blocks
    blocks = min(
        groups,
        unit.max_waves_per_simd * unit.simds // waves,
        by_registers * unit.simds // waves,
        unit.lds_bytes // lds if lds else groups,
    )
    resident = blocks * waves
    return float(resident) if target.startswith("sm_") else resident / unit.simds


def _round_up(value: int, granule: int) -> int:
    return -(-value // granule) * granule


def read_launch(source: Path) -> Launch:
    """The ``// launch:`` line of a kernel file.

    Raises:
        RuntimeError: the file has none; every kernel here must say how it is launched.
    """
    match = re.search(r"^// launch: block=(\d+) dynamic_lds=(\d+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise RuntimeError(f"{source}: no '// launch: block=B dynamic_lds=D' line")
    return Launch(int(match[1]), int(match[2]))


def measure(chain: Toolchain, root: Path = KERNELS) -> list[Measurement]:
    """Compile everything below ``root`` that the toolchain can compile, in a stable order."""
    rows: list[Measurement] = []
    with tempfile.TemporaryDirectory(prefix="regpress-measure-") as name:
        folder = Path(name)
        if chain.can_hip and chain.clang is not None:
            version = compiler_version(chain.clang)
            for target in ("gfx90a", "gfx1100"):
                libs = device_libs_for(chain, target, folder / target)
                for source in sorted(root.rglob("*.hip")):
                    rows += _rows(root, source, target, version, compile_hip(chain, source, target, libs))
        if chain.nvcc is not None:
            version = compiler_version(chain.nvcc)
            for source in sorted(root.rglob("*.cu")):
                rows += _rows(root, source, "sm_90", version, compile_cuda(chain, source, "sm_90", folder))
    return sorted(rows)


def _rows(
    root: Path, source: Path, target: str, version: str, allocations: Iterable[Allocation]
) -> Iterator[Measurement]:
    launch = read_launch(source)
    for item in allocations:
        yield Measurement(
            file=source.relative_to(root).as_posix(),
            kernel=item.kernel,
            target=target,
            compiler=version,
            registers=item.registers,
            agprs=item.agprs,
            sgprs=item.sgprs,
            scratch_bytes=item.scratch_bytes,
            spills=item.spills,
            lds_bytes=item.lds_bytes + launch.dynamic_lds,
            occupancy=resident_waves(target, item, launch),
        )


def check_sycl(chain: Toolchain, root: Path = KERNELS) -> list[Path]:
    """Syntax-check every SYCL file against the stub header and return them.

    Raises:
        RuntimeError: a file has a fault; the message is the compiler's.
    """
    if chain.clang is None:
        return []
    sources = [path for path in sorted(root.rglob("*.cpp")) if "stubs" not in path.parts]
    for source in sources:
        run([str(chain.clang), "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
              "-Wno-unknown-attributes", f"-I{root / 'stubs'}", str(source)])  # fmt: skip
    return sources


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring. Returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="compile and write measured.csv")
    action.add_argument("--readme", action="store_true", help="rewrite the tables of README.md from measured.csv")
    action.add_argument("--check", action="store_true", help="exit 1 when README.md does not match measured.csv")
    options = parser.parse_args(arguments)
    if options.readme or options.check:
        return _readme(write=options.readme)
    chain = find_toolchain()
    _report_missing(chain)
    try:
        rows = measure(chain)
        checked = check_sycl(chain)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    if options.write:
        write_csv(merge(read_csv(), rows))
    for row in rows:
        print(*row, sep=",")
    print(f"{len(rows)} measurements, {len(checked)} SYCL files pass the syntax check", file=sys.stderr)
    return 0


def _readme(*, write: bool) -> int:
    text = README_PATH.read_text(encoding="utf-8")
    fresh = render_readme(text, read_csv())
    if write:
        README_PATH.write_text(fresh, encoding="utf-8")
        return 0
    return 0 if fresh == text else 1


def _report_missing(chain: Toolchain) -> None:
    if not chain.can_hip:
        print("skipped: .hip files (clang++-19, HIP headers or device libraries not found)", file=sys.stderr)
    if chain.nvcc is None:
        print("skipped: .cu files (nvcc not found)", file=sys.stderr)
    if chain.clang is None:
        print("skipped: syntax check of SYCL files (clang++-19 not found)", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
