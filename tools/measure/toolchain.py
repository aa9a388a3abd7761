"""The real compilers: where they are, and their allocations for the kernels of a source.

clang 19 compiles HIP for AMD, nvcc CUDA for NVIDIA, ocloc OpenCL C for Intel. Nothing is run on a GPU. A source may do
without includes: HIP's own header is read first. How a file of a larger program is compiled is in programs.py.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.measured import toolchains

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_COMPILE_TIMEOUT_S = 300
_HIP_HEADER = "hip/hip_runtime.h"


class Allocation(NamedTuple):
    """A compiler's report on one kernel (``symbol`` as in the binary), without regard to its launch.

    `code_bytes` is 0 where it was not requested.
    """

    symbol: str
    kernel: str
    registers: int
    agprs: int
    sgprs: int
    scratch_bytes: int
    spills: int
    lds_bytes: int
    code_bytes: int = 0

    @property
    def total(self) -> int:
        """All vector registers: on CDNA, VGPRs and AGPRs share one file."""
        return self.registers + self.agprs


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The compilers of this machine; ``None`` for missing ones."""

    clang: Path | None
    nvcc: Path | None
    hip_root: Path | None
    device_libs: Path | None
    ocloc: Path | None

    @property
    def can_hip(self) -> bool:
        """Whether clang, the HIP headers and the device libraries are all here."""
        return None not in (self.clang, self.hip_root, self.device_libs)


def find_toolchain() -> Toolchain:
    """Look for clang++-19, nvcc and ocloc on PATH, and for HIP headers and device libraries in the usual places."""
    root, libs = toolchains.hip_root(), toolchains.device_libs()
    return Toolchain(
        clang=_which("clang++-19"),
        nvcc=_which("nvcc"),
        hip_root=Path(root) if root else None,
        device_libs=Path(libs) if libs else None,
        ocloc=_which("ocloc"),
    )


def _which(name: str) -> Path | None:
    found = shutil.which(name)
    return Path(found) if found else None


@cache
def compiler_version(compiler: Path) -> str:
    """Name and version as in ``clang 19.1.7`` or ``nvcc 13.0.88``.

    Raises:
        RuntimeError: the compiler's ``--version`` names no version.
    """
    text = run([str(compiler), "--version"])
    match = re.search(r"clang version (?P<clang>[\d.]+)|\bV(?P<nvcc>\d[\d.]+)", text)
    if match is None:
        raise RuntimeError(f"{compiler}: no version in its --version output")
    return f"clang {match['clang']}" if match["clang"] else f"nvcc {match['nvcc']}"


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a compiler; stdout and stderr together. Raises RuntimeError with the compiler's own words when it fails.

    `environment` replaces that of this process.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_COMPILE_TIMEOUT_S,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{' '.join(command)}\nstill running after {_COMPILE_TIMEOUT_S} s") from None
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
    name, text = toolchains.isa_module(target)
    if (chain.device_libs / name).is_file():
        return chain.device_libs
    folder.mkdir(parents=True, exist_ok=True)
    for library in chain.device_libs.glob("*.bc"):
        (folder / library.name).symlink_to(library)
    source = folder / "isa.ll"
    source.write_text(text)
    run([str(chain.clang), "-x", "ir", "-c", "-emit-llvm", "-target", "amdgcn-amd-amdhsa", "-nogpulib",
          str(source), "-o", str(folder / name)])  # fmt: skip
    return folder


def compile_for(chain: Toolchain, source: Path, target: str, folder: Path, *flags: str) -> list[Allocation] | None:
    """Compile a source for any target; None if its compiler is not installed. `folder` takes what is written, and keeps
    what one source after the other needs.

    Raises RuntimeError with the compiler's words if it does not compile.
    """
    if target.startswith("gfx"):
        if not chain.can_hip:
            return None
        libs = folder / target
        libs = libs if libs.is_dir() else device_libs_for(chain, target, libs)
        header = None if flags else precompiled_header(chain, target, libs, folder / f"{target}.pch")
        return compile_hip(chain, source, target, libs, *flags, header=header)
    if target.startswith("sm_"):
        return compile_cuda(chain, source, target, folder, *flags) if chain.nvcc is not None else None
    return compile_opencl(chain, source, target, folder) if chain.ocloc is not None else None


def version_for(chain: Toolchain, target: str) -> str | None:
    """Name and version of the compiler that `compile_for` uses; None if it is not installed."""
    if target.startswith("gfx"):
        return compiler_version(chain.clang) if chain.can_hip and chain.clang is not None else None
    if target.startswith("sm_"):
        return compiler_version(chain.nvcc) if chain.nvcc is not None else None
    return igc_version() if chain.ocloc is not None else None


def compile_hip(
    chain: Toolchain, source: Path, target: str, libs: Path, *flags: str, header: Path | None = None
) -> list[Allocation]:
    """Compile one HIP file for one AMD target and read clang's kernel-resource-usage remarks.

    A `-o` in `flags` keeps the assembly, for `assembly_sizes`. `header` is what `precompiled_header` made.
    """
    include = ["-include", _HIP_HEADER] if header is None else ["-Xclang", "-include-pch", "-Xclang", str(header)]
    text = run([
        *hip_command(chain, target, libs), "-o", "/dev/null", *include, str(source),
        "-Rpass-analysis=kernel-resource-usage", *flags,
    ])  # fmt: skip
    return list(parse_amd_remarks(text))


def precompiled_header(chain: Toolchain, target: str, libs: Path, path: Path) -> Path:
    """HIP's header as clang keeps it for a target, at that path: its text takes as long to read as most sources."""
    if not path.is_file():
        root = chain.hip_root
        assert root is not None
        run(
            [
                *hip_command(chain, target, libs),
                "-Xclang",
                "-emit-pch",
                "-o",
                str(path),
                str(root / "include" / _HIP_HEADER),
            ]
        )
    return path


def hip_command(chain: Toolchain, target: str, libs: Path) -> list[str]:
    """clang to assembly for a GPU; what is compiled and where it goes comes behind."""
    return [
        str(chain.clang), "-x", "hip", f"--offload-arch={target}", "--cuda-device-only",
        f"--rocm-path={chain.hip_root}", f"--rocm-device-lib-path={libs}", "-O3", "-std=c++17", "-S",
    ]  # fmt: skip


def parse_amd_remarks(text: str) -> Iterator[Allocation]:
    """Read the resource remarks of clang 19; one Allocation per kernel, in source order."""
    for part in text.split("Function Name: ")[1:]:
        values = {key.strip(): int(value) for key, value in re.findall(r"remark:\s+([^:\n]+): (\d+) \[", part)}
        if not values.keys() >= {"LDS Size [bytes/block]", "VGPRs"}:
            continue  # a device function that is called, or numbers that LLVM 20 and later leave to the linker
        yield Allocation(
            symbol=part.split()[0],
            kernel=plain_name(part.split()[0]),
            registers=values["VGPRs"],
            agprs=values.get("AGPRs", 0),  # RDNA has none and clang says nothing
            sgprs=values.get("SGPRs", values.get("TotalSGPRs", 0)),  # as LLVM 20 and later call it
            scratch_bytes=values["ScratchSize [bytes/lane]"],
            spills=values["VGPRs Spill"],
            lds_bytes=values["LDS Size [bytes/block]"],
        )


def assembly_sizes(text: str) -> dict[str, int]:
    """Bytes of code of every function in an assembly file for AMD."""
    found = re.findall(
        r"^\s+\.size\s+([^,\s]+), \.Lfunc_end.*?^; codeLenInByte = (\d+)", text, re.DOTALL | re.MULTILINE
    )
    return {symbol: int(size) for symbol, size in found}


def cubin_sizes(data: bytes) -> dict[str, int]:
    """Bytes of code of every kernel in a cubin, a 64-bit ELF file: its sections `.text.SYMBOL`."""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    width, count, names = struct.unpack_from("<HHH", data, 0x3A)
    # Of a section header: name, type, flags, address, offset, size.
    heads = [struct.unpack_from("<IIQQQQ", data, table + number * width) for number in range(count)]
    start = heads[names][4]
    text = (data[start + head[0] : data.index(b"\0", start + head[0])].decode() for head in heads)
    return {
        name.removeprefix(".text."): head[5]
        for name, head in zip(text, heads, strict=True)
        if name.startswith(".text.")
    }


def compile_cuda(chain: Toolchain, source: Path, target: str, folder: Path, *flags: str) -> list[Allocation]:
    """Compile one CUDA file for one NVIDIA target and read what ``ptxas -v`` says; the binary stays in `folder`."""
    text = run([str(chain.nvcc), f"-arch={target}", "-cubin", "-O3", "-std=c++17", "-Xptxas", "-v",
                 "-o", str(folder / "out.cubin"), str(source), *flags])  # fmt: skip
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
            symbol=part.split("'")[0],
            kernel=plain_name(part.split("'")[0]),
            registers=int(used[1]),
            agprs=0,
            sgprs=0,
            scratch_bytes=int(frame[1]),
            spills=int(frame[2]),
            lds_bytes=int(shared[1]) if shared else 0,
        )


def compile_opencl(chain: Toolchain, source: Path, target: str, folder: Path) -> list[Allocation]:
    """Compile one ``.cl`` file for one Intel target.

    The binary says the size of the private memory of a hardware thread and how many work-items share it, the build log
    how much was spilled; no register count is reported, and ``registers`` is 0.
    """
    binary = folder / "out.zebin"
    log = run([str(chain.ocloc), "compile", "-file", str(source), "-device", target, "--format", "zebin",
                "-output_no_suffix", "-output", str(binary)])  # fmt: skip
    return list(parse_zebin(binary.read_bytes().decode("latin-1"), log))


def parse_zebin(text: str, log: str) -> Iterator[Allocation]:
    """Read the ``.ze_info`` of a binary of IGC and the build log; one Allocation per kernel."""
    spilled = {name: int(number) for name, number in re.findall(r"kernel (\w+)\s+compiled.*spilled around (\d+)", log)}
    information = re.search(r"^kernels:$.*", text, re.MULTILINE | re.DOTALL)
    for part in re.split(r"^  - name: +", information[0] if information else "", flags=re.MULTILINE)[1:]:
        name = part.split()[0]
        lanes = re.search(r"simd_size: +(\d+)", part)
        private = re.search(r"type: +scratch\s+usage: +\w+\s+size: +(\d+)", part)
        shared = re.search(r"slm_size: +(\d+)", part)
        if lanes is None:
            continue
        yield Allocation(
            symbol=name,
            kernel=name,
            registers=0,
            agprs=0,
            sgprs=0,
            scratch_bytes=int(private[1]) // int(lanes[1]) if private else 0,
            spills=spilled.get(name, 0),
            lds_bytes=int(shared[1]) if shared else 0,
        )


@cache
def igc_version() -> str:
    """Version of IGC as Debian counts it (``IGC 1.0.12504``), or ``IGC`` where dpkg does not know.

    ocloc itself says only which driver it belongs to.
    """
    try:
        text = run(["dpkg-query", "-W", "-f", "${Version}", "libigc1"])
    except (OSError, RuntimeError):
        return "IGC"
    match = re.match(r"\d+\.\d+\.\d+", text)
    return f"IGC {match[0]}" if match else "IGC"


def plain_name(symbol: str) -> str:
    """The innermost name of an Itanium-mangled function: ``_Z4stepPdi`` and ``_ZN3lbm4stepEPdi`` both give ``step``."""
    rest = re.sub(r"^_Z(?:N[rVK]*)?L?", "", symbol) if symbol.startswith("_Z") else ""
    name = symbol
    while digits := re.match(r"\d+", rest):
        end = digits.end() + int(digits[0])
        name, rest = rest[digits.end() : end], rest[end:]
        if not symbol.startswith("_ZN"):  # the first argument's type may be a name as well
            break
    return name
