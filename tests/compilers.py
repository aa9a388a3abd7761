"""The real compilers, for tests that ask them: registers and scratch of every kernel of a text."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tools.measure import toolchain

if TYPE_CHECKING:
    from collections.abc import Mapping

STUBS = Path(__file__).resolve().parents[1] / "testdata/kernels/stubs"


class Allocation(NamedTuple):
    """A compiler's allocation for a kernel: registers per thread and bytes of scratch (AMD) or stack frame (NVIDIA)."""

    registers: int
    scratch_bytes: int


@cache
def chain() -> toolchain.Toolchain:
    """The compilers of this machine."""
    return toolchain.find_toolchain()


@cache
def workshop() -> Path:
    """A folder for all compilations of this process: what each of them needs is made there once."""
    folder = Path(tempfile.mkdtemp(prefix="regpress-compilers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# The least that a compiler must be able to do: some are installed without headers, libraries or a host compiler.
_PROBES = {
    ".cu": ("sm_90", "__global__ void probe(int *x) { *x = 1; }\n"),
    ".hip": ("gfx90a", "__global__ void probe(int *x) { *x = 1; }\n"),
    ".cl": ("pvc", "kernel void probe(global int *x) { *x = 1; }\n"),
    ".cpp": ("C++", "#include <vector>\nint probe;\n"),
}


@cache
def missing(suffix: str) -> str | None:
    """Why files of this suffix cannot be compiled here, or None."""
    absent = _absent(suffix)
    if absent is not None:
        return absent
    target, text = _PROBES[suffix]
    source = workshop() / f"probe{suffix}"
    source.write_text(text)
    try:
        if suffix == ".cpp":
            toolchain.run([str(chain().clang), "-fsyntax-only", str(source)])
        else:
            toolchain.compile_for(chain(), source, target, workshop())
    except (RuntimeError, OSError) as error:
        return f"the compiler for {target} does not work here: {' '.join(str(error).split())[:300]}"
    return None


def need(suffix: str) -> None:
    """Skip the test that calls this where files of this suffix cannot be compiled. `skipif` would compile the probe
    whenever the module is collected.
    """
    if (reason := missing(suffix)) is not None:
        pytest.skip(reason)


def _absent(suffix: str) -> str | None:
    found = chain()
    if suffix == ".cu":
        return None if found.nvcc else "no nvcc on PATH"
    if suffix == ".cl":
        return None if found.ocloc else "no ocloc on PATH"
    if found.clang is None:
        return "no clang++-19 on PATH"
    if suffix == ".hip" and not found.can_hip:
        return "no HIP headers or device libraries under /usr"
    return None


def allocations(text: str, suffix: str, folder: Path) -> dict[str, Allocation]:
    """Compile a text for gfx90a, sm_90 or (SYCL, syntax only: an empty result) the stub headers.

    Raises AssertionError with the compiler's words if it does not compile.
    """
    source = folder / f"source{suffix}"
    source.write_text(text)
    found = chain()
    try:
        if suffix in (".cu", ".hip"):
            # `setmaxnreg` is one of the instructions that only the target with the `a` has.
            nvidia = "sm_90a" if "setmaxnreg" in text else "sm_90"
            target = nvidia if suffix == ".cu" else "gfx90a"
            result = toolchain.compile_for(found, source, target, workshop()) or []
        else:
            flags = ("-std=c++17", "-fsyntax-only", "-Wno-unknown-attributes", "-isystem", str(STUBS))
            toolchain.run([str(found.clang), *flags, str(source)])
            return {}
    except RuntimeError as error:
        raise AssertionError(str(error)) from error
    return {each.symbol: Allocation(each.registers + each.agprs, each.scratch_bytes) for each in result}


def allocations_apart(texts: Mapping[str, str], suffix: str, folder: Path) -> dict[str, Allocation]:
    """The allocation of the one kernel of each text. All are compiled at once, each in a namespace of its own: for a
    small kernel a compiler mostly reads headers.
    """
    whole = "\n".join(f"namespace of_{name} {{\n{text}\n}}" for name, text in texts.items())
    found = allocations(whole, suffix, folder)
    spaces = {name: f"_ZN{len(name) + 3}of_{name}" for name in texts}
    own = {name: [each for symbol, each in found.items() if symbol.startswith(space)] for name, space in spaces.items()}
    return {name: each for name, (each,) in own.items()}


def keeps_in_memory(programs: Mapping[str, tuple[str, bool]], suffix: str, folder: Path) -> dict[str, bool]:
    """Whether the one kernel of each text has scratch or a stack frame. programs: texts with what is expected."""
    need(suffix)
    found = allocations_apart({name: text for name, (text, _) in programs.items()}, suffix, folder)
    return {name: allocation.scratch_bytes > 0 for name, allocation in found.items()}
