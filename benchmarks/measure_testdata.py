"""Measure the kernels in testdata/kernels with the real compilers.

    python benchmarks/measure_testdata.py             compile and print, write nothing
    python benchmarks/measure_testdata.py --write     compile and write testdata/kernels/measured.csv
    python benchmarks/measure_testdata.py --readme    put the numbers of measured.csv into testdata/kernels/README.md
    python benchmarks/measure_testdata.py --check     exit 1 when README.md differs from what measured.csv says

``.hip`` files go through clang++-19 for gfx90a and gfx1100, ``.cu`` files through nvcc for sm_90, and SYCL ``.cpp``
files through a syntax check against testdata/kernels/stubs (no SYCL compiler is needed, so they have no numbers).
A compiler that is not installed is skipped, and ``--write`` keeps the rows that it would have produced.

Nothing is run on a GPU: the numbers are what the register allocator did, not speed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from testdata_report import KERNELS, README_PATH, Measurement, merge, read_csv, render_readme, write_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# Debian, the ROCm installer and a clang resource folder keep the device libraries in different places.
_DEVICE_LIB_PATTERNS = (
    "/usr/lib/*/amdgcn/bitcode",
    "/opt/rocm*/amdgcn/bitcode",
    "/opt/rocm*/lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
    "/usr/lib/llvm-19/lib/clang/*/lib/amdgcn/bitcode",
    "/usr/lib/clang/*/amdgcn/bitcode",
)
_HIP_HEADER_ROOTS = ("/usr", "/opt/rocm")
_COMPILE_TIMEOUT_S = 300


class Allocation(NamedTuple):
    """What a compiler reported for one kernel, before the launch is taken into account."""

    kernel: str
    registers: int
    agprs: int
    sgprs: int
    scratch_bytes: int
    spills: int
    lds_bytes: int


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


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The compilers of this machine; ``None`` for what is absent."""

    clang: Path | None
    nvcc: Path | None
    hip_root: Path | None
    device_libs: Path | None

    @property
    def can_hip(self) -> bool:
        """Whether clang, the HIP headers and the device libraries are all here."""
        return None not in (self.clang, self.hip_root, self.device_libs)


def find_toolchain() -> Toolchain:
    """Look for clang++-19 and nvcc on PATH, and for HIP headers and device libraries where distributions put them."""
    libs = (path for pattern in _DEVICE_LIB_PATTERNS for path in sorted(Path("/").glob(pattern.lstrip("/"))))
    roots = (Path(root) for root in _HIP_HEADER_ROOTS)
    return Toolchain(
        clang=_which("clang++-19"),
        nvcc=_which("nvcc"),
        hip_root=next((root for root in roots if (root / "include/hip/hip_runtime.h").is_file()), None),
        device_libs=next((path for path in libs if (path / "ocml.bc").is_file()), None),
    )


def _which(name: str) -> Path | None:
    found = shutil.which(name)
    return Path(found) if found else None


def compiler_version(compiler: Path) -> str:
    """Name and version as in ``clang 19.1.7`` or ``nvcc 13.0.88``.

    Raises:
        RuntimeError: the compiler's ``--version`` names no version.
    """
    text = _run([str(compiler), "--version"])
    match = re.search(r"clang version (?P<clang>[\d.]+)|\bV(?P<nvcc>\d[\d.]+)", text)
    if match is None:
        raise RuntimeError(f"{compiler}: no version in its --version output")
    return f"clang {match['clang']}" if match["clang"] else f"nvcc {match['nvcc']}"


def _run(command: Sequence[str]) -> str:
    """Run a compiler; stdout and stderr together. Raises RuntimeError with the compiler's own words when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=_COMPILE_TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def device_libs_for(chain: Toolchain, target: str, folder: Path) -> Path:
    """The device-library folder for ``target``; completed inside ``folder`` when the distribution lacks the target.

    A device library says which chip it is for through one constant, ``__oclc_ISA_version``, in a module of its own.
    Debian's ROCm 5.2 ends at gfx1036, so for gfx1100 that module is compiled here and the others are linked to.
    """
    assert chain.device_libs is not None
    assert chain.clang is not None
    digits = target.removeprefix("gfx")
    name = f"oclc_isa_version_{digits}.bc"
    if (chain.device_libs / name).is_file():
        return chain.device_libs
    folder.mkdir(parents=True, exist_ok=True)
    for library in chain.device_libs.glob("*.bc"):
        (folder / library.name).symlink_to(library)
    # gfx1100 is version 11000: the last two characters are minor and stepping, in hexadecimal.
    version = int(digits[:-2]) * 1000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)
    source = folder / "isa.ll"
    source.write_text(
        'target triple = "amdgcn-amd-amdhsa"\n'
        "@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) "
        f"constant i32 {version}, align 4\n"
    )
    _run([str(chain.clang), "-x", "ir", "-c", "-emit-llvm", "-target", "amdgcn-amd-amdhsa", "-nogpulib",
          str(source), "-o", str(folder / name)])  # fmt: skip
    return folder


def compile_hip(chain: Toolchain, source: Path, target: str, libs: Path) -> list[Allocation]:
    """Compile one ``.hip`` file for one AMD target and read clang's kernel-resource-usage remarks."""
    text = _run([
        str(chain.clang), "-x", "hip", f"--offload-arch={target}", "--cuda-device-only",
        f"--rocm-path={chain.hip_root}", f"--rocm-device-lib-path={libs}", "-O3", "-std=c++17",
        "-S", "-o", "/dev/null", str(source), "-Rpass-analysis=kernel-resource-usage",
    ])  # fmt: skip
    return list(parse_amd_remarks(text))


def parse_amd_remarks(text: str) -> Iterator[Allocation]:
    """Read the resource remarks of clang 19; one Allocation per kernel, in source order."""
    for part in text.split("Function Name: ")[1:]:
        values = {key.strip(): int(value) for key, value in re.findall(r"remark:\s+([^:\n]+): (\d+) \[", part)}
        yield Allocation(
            kernel=plain_name(part.split()[0]),
            registers=values["VGPRs"],
            agprs=values.get("AGPRs", 0),  # RDNA has none and clang says nothing
            sgprs=values["SGPRs"],
            scratch_bytes=values["ScratchSize [bytes/lane]"],
            spills=values["VGPRs Spill"],
            lds_bytes=values["LDS Size [bytes/block]"],
        )


def compile_cuda(chain: Toolchain, source: Path, target: str, folder: Path) -> list[Allocation]:
    """Compile one ``.cu`` file for one NVIDIA target and read what ``ptxas -v`` says."""
    text = _run([str(chain.nvcc), f"-arch={target}", "-cubin", "-O3", "-std=c++17", "-Xptxas", "-v",
                 "-o", str(folder / "out.cubin"), str(source)])  # fmt: skip
    return list(parse_ptxas(text))


def parse_ptxas(text: str) -> Iterator[Allocation]:
    """Read ``ptxas -v``; one Allocation per entry function. Functions that are only called have no registers line."""
    for part in text.split("Compiling entry function '")[1:]:
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", part)
        used = re.search(r"Used (\d+) registers", part)
        shared = re.search(r"(\d+) bytes smem", part)
        if frame is None or used is None:
            raise RuntimeError(f"ptxas -v without a frame or a register line:\n{part}")
        yield Allocation(
            kernel=plain_name(part.split("'")[0]),
            registers=int(used[1]),
            agprs=0,
            sgprs=0,
            scratch_bytes=int(frame[1]),
            spills=int(frame[2]),
            lds_bytes=int(shared[1]) if shared else 0,
        )


def plain_name(symbol: str) -> str:
    """The innermost name of an Itanium-mangled function: ``_Z4stepPdi`` and ``_ZN3lbm4stepEPdi`` both give ``step``."""
    rest = re.sub(r"^_ZN?", "", symbol) if symbol.startswith("_Z") else ""
    name = symbol
    while digits := re.match(r"\d+", rest):
        end = digits.end() + int(digits[0])
        name, rest = rest[digits.end() : end], rest[end:]
    return name


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
        _run([str(chain.clang), "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
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
