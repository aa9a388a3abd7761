"""The kernels of testdata/golden compiled by Intel's compiler, by way of HIP and SPIR-V.

clang 15 reads a source as HIP with the headers of testdata/golden/intel and optimises it without unrolling and
vectorising, which IGC does itself; llvm-spirv and ocloc do the rest. vISA's own report says how many registers of 64
bytes are alive at most, the header of the assembly how much was spilled and kept in private memory. IGC tries a kernel
that spills once more, with its arrays in memory: the registers are those of the first try, the memory is the last's.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.measure.golden_rows import GOLDEN, Measured, names_of
from tools.measure.toolchain import compiler_version, igc_version, parse_zebin, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_TOOLS = ("clang++-15", "opt-15", "llvm-as-15", "llvm-extract-15", "llvm-spirv-15", "ocloc")
_CLANG = (
    "clang++-15", "-x", "hip", "--offload=spirv64", "--cuda-device-only", "-nogpuinc", "-nogpulib", "-fdeclspec",
    "-std=c++17", "-O2", "-Xclang", "-disable-llvm-passes",
    f"-I{GOLDEN / 'intel'}", "-include", "hip/hip_runtime.h", "-emit-llvm", "-S",
)  # fmt: skip
# clang's own flags against unrolling would forbid it to IGC, too.
_OPT = ("opt-15", "-S", "-passes=default<O2>", "-disable-loop-unrolling", "-vectorize-loops=0", "-vectorize-slp=0")
_REGISTER_BYTES, _UNIT = 64, 4


class Try(NamedTuple):
    """One of IGC's compilations of a kernel: registers alive at most, bytes per hardware thread."""

    symbol: str
    lanes: int
    alive: int
    spilled: int
    private: int


def intel_version() -> str | None:
    """The compilers of this route; None if one of them is not installed."""
    if not all(map(shutil.which, _TOOLS)):
        return None
    return f"{igc_version()} ({compiler_version(Path('clang++-15'))})"


def compile_intel(source: Path, target: str, version: str, folder: Path) -> Iterator[Measured]:
    """Rows of a source: of the whole module, and kernel by kernel where that does not work.

    A kernel that llvm-spirv cannot translate has none, and neither has one with calls of which vISA reports nothing.
    """
    code, symbols = _optimised(source, folder)
    try:
        yield from _rows(source.name, target, version, *_compiled(code, target, folder / "all"))
    except RuntimeError:
        yield from _one_by_one(code, symbols, source.name, target, version, folder)


def compile_kernel(
    source: Path, name: str, target: str, folder: Path, flags: Sequence[str] = (), options: Sequence[str] = ()
) -> Iterator[Measured]:
    """Rows of the kernels of one name in a source, each compiled by itself. flags: for clang. options: for ocloc."""
    code, symbols = _optimised(source, folder, flags)
    wanted = [symbol for symbol, found in names_of(symbols).items() if found.partition("<")[0] == name]
    yield from _one_by_one(code, wanted, source.name, target, "", folder, options)


def compile_opencl(source: Path, target: str, folder: Path, options: Sequence[str] = ()) -> Iterator[Measured]:
    """Rows of an OpenCL C source. Raises RuntimeError if it does not compile."""
    yield from _rows(source.name, target, "", *tries(("-file", str(source), *options), target, folder))


def _optimised(source: Path, folder: Path, flags: Sequence[str] = ()) -> tuple[Path, list[str]]:
    """LLVM's assembly of a source, and the symbols of its kernels."""
    plain, code = folder / "plain.ll", folder / "all.ll"
    run([*_CLANG, *flags, "-o", str(plain), str(source)])
    run([*_OPT, "-o", str(code), str(plain)])
    text = _translatable(code.read_text(encoding="utf-8"))
    code.write_text(text, encoding="utf-8")
    return code, re.findall(r"^define .*spir_kernel void @(\w+)\(", text, re.MULTILINE)


def _one_by_one(
    code: Path, symbols: Sequence[str], file: str, target: str, version: str, folder: Path, options: Sequence[str] = ()
) -> Iterator[Measured]:
    for number, symbol in enumerate(symbols):
        one = folder / f"{number}.ll"
        run(["llvm-extract-15", "-S", "-recursive", "-func", symbol, "-o", str(one), str(code)])
        try:
            tries, lds = _compiled(one, target, folder / str(number), options)
        except RuntimeError:
            continue
        yield from _rows(file, target, version, tries, lds)


def first_assembly(source: Path, target: str, folder: Path) -> dict[str, str]:
    """By kernel, the assembly of IGC's first try. Raises RuntimeError as `run` does."""
    plain, code = folder / "plain.ll", folder / "all.ll"
    run([*_CLANG, "-o", str(plain), str(source)])
    run([*_OPT, "-o", str(code), str(plain)])
    _compiled(code, target, folder / "all")
    found: dict[str, str] = {}
    for path in sorted((folder / "all" / "dump").glob("*_simd*_entry_*.asm"), key=_place):
        found.setdefault(_symbol(path), path.read_text(errors="replace"))
    return found


def _translatable(text: str) -> str:
    """LLVM's assembly without what llvm-spirv 15 does not know: `freeze`, lists of used globals."""
    text = re.sub(r"= freeze (.*) (\S+)$", r"= bitcast \1 \2 to \1", text, flags=re.MULTILINE)
    text = re.sub(r"^@llvm\.(?:compiler\.)?used = .*$", "", text, flags=re.MULTILINE)
    return text.replace(" externally_initialized", "")


def _compiled(code: Path, target: str, folder: Path, options: Sequence[str] = ()) -> tuple[list[Try], dict[str, int]]:
    """IGC's tries in their order, and the LDS of each kernel. Raises RuntimeError if something in between fails."""
    folder.mkdir()
    bitcode, spirv = folder / "a.bc", folder / "a.spv"
    run(["llvm-as-15", str(code), "-o", str(bitcode)])
    run(["llvm-spirv-15", "--spirv-max-version=1.2", "--spirv-ext=+all", str(bitcode), "-o", str(spirv)])
    return tries(("-spirv_input", "-file", str(spirv), *options), target, folder)


def tries(given: Sequence[str], target: str, folder: Path) -> tuple[list[Try], dict[str, int]]:
    """IGC's tries for what `given` names to ocloc, in their order, and the LDS of each kernel. `folder` takes what is
    written. Raises RuntimeError if it does not compile, or if reports cannot be told apart.
    """
    binary, dump = folder / "a.zebin", folder / "dump"
    report = {"IGC_ShaderDumpEnable": "1", "IGC_DumpToCustomDir": str(dump), "IGC_VISAOptions": "-dumpRPE -nolocalra"}
    log = run(
        ["ocloc", "compile", *given, "-device", target, "--format", "zebin", "-output_no_suffix",
         "-output", str(binary)],
        {**os.environ, **report},
    )  # fmt: skip
    alive = [int(number) for number in re.findall(r"^max pressure: (\d+)", log, re.MULTILINE)]
    files = _as_compiled(dump.glob("*_simd*_entry_*.asm"))
    if len({_symbol(path) for path in files}) == 1 and len(alive) > len(files):
        each = len(alive) // len(files)  # functions that are called have a line of their own
        alive = [max(alive[number * each : (number + 1) * each]) for number in range(len(files))]
    if len(alive) != len(files):
        raise RuntimeError("functions that are not inlined: which kernel a report belongs to is not known")
    allocations = parse_zebin(binary.read_bytes().decode("latin-1"), "")
    return list(map(_try, files, alive)), {one.symbol: one.lds_bytes for one in allocations}


def _as_compiled(files: Iterable[Path]) -> list[Path]:
    """The assemblies in the order in which IGC reported on them: the kernels of a module one after the other, but the
    last first where a function of the module was a call once. Only the files' times say which of both it was.
    """
    ordered = sorted(files, key=_place)
    times = [path.stat().st_mtime_ns for path in ordered]
    backwards = times[:1] > times[-1:]
    if sorted(times, reverse=backwards) != times:
        raise RuntimeError("IGC compiled the kernels in neither order")
    return ordered[::-1] if backwards else ordered


def _place(assembly: Path) -> tuple[int, int]:
    """Place in a module that IGC compiles from its first kernel on: retries come after all first tries."""
    match = re.search(r"(?:_(\d+))?_simd\d+_entry_(\d+)\.asm$", assembly.name)
    assert match is not None
    return int(match[1] or 0), int(match[2])


def _symbol(assembly: Path) -> str:
    match = re.search(r"^//\.kernel (\S+)", assembly.read_text(errors="replace"), re.MULTILINE)
    assert match is not None
    return match[1]


def _try(assembly: Path, alive: int) -> Try:
    text = assembly.read_text(errors="replace")
    lanes = re.findall(r"_simd(\d+)_entry_", assembly.name)[0]
    spilled = re.search(r"^//\.spill size (\d+)", text, re.MULTILINE)
    private = re.search(r"^//\.private memory size (\d+)", text, re.MULTILINE)
    return Try(
        _symbol(assembly), int(lanes), alive, int(spilled[1]) if spilled else 0, int(private[1]) if private else 0
    )  # fmt: skip


def _rows(file: str, target: str, version: str, tries: list[Try], lds: dict[str, int]) -> Iterator[Measured]:
    for symbol, name in names_of([one.symbol for one in tries]).items():
        own = [one for one in tries if one.symbol == symbol]
        first, last = own[0], own[-1]
        if not first.alive:
            continue
        yield Measured(
            file=file,
            kernel=name,
            target=target,
            compiler=version,
            registers=None,
            agprs=None,
            sgprs=None,
            scratch_bytes=last.private // last.lanes,
            spills=last.spilled // last.lanes,
            lds_bytes=lds.get(symbol),
            bounds=None,
            demand=round(first.alive * _REGISTER_BYTES / first.lanes / _UNIT),
            demand_scratch_bytes=last.private // last.lanes,
            demand_spills=first.spilled // first.lanes,
        )
