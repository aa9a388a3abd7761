"""The real compilers, for tests that ask them: registers, scratch and spills of every kernel of a text."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEVICE_LIBS = (
    "/usr/lib/*/amdgcn/bitcode",
    "/opt/rocm*/amdgcn/bitcode",
    "/opt/rocm*/lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
)
_STUBS = Path(__file__).resolve().parents[1] / "testdata/kernels/stubs"


class Allocation(NamedTuple):
    """What a compiler gave one kernel: registers a thread and bytes of scratch (AMD) or stack frame (NVIDIA)."""

    registers: int
    scratch_bytes: int


def missing(suffix: str) -> str | None:
    """Why files of this suffix cannot be compiled here, or None."""
    if suffix == ".cu":
        return None if shutil.which("nvcc") else "no nvcc on PATH"
    if shutil.which("clang++-19") is None:
        return "no clang++-19 on PATH"
    if suffix == ".cpp":
        return None
    if not Path("/usr/include/hip/hip_runtime.h").is_file() or device_libs() is None:
        return "no HIP headers or device libraries under /usr"
    return None


@cache
def device_libs() -> Path | None:
    """Folder with AMD's device libraries."""
    found = (path for pattern in _DEVICE_LIBS for path in sorted(Path("/").glob(pattern.lstrip("/"))))
    return next((path for path in found if (path / "ocml.bc").is_file()), None)


def allocations(text: str, suffix: str, folder: Path) -> dict[str, Allocation]:
    """Compile a text for gfx90a, sm_90 or (SYCL, syntax only: an empty result) the stub headers.

    Raises AssertionError with the compiler's words if it does not compile.
    """
    source = folder / f"source{suffix}"
    source.write_text(text)
    if suffix == ".cu":
        return dict(_nvidia(_run("nvcc", "-arch=sm_90", "-cubin", "-O3", "-std=c++17", "-Xptxas", "-v",
                                 "-o", str(folder / "out.cubin"), str(source))))  # fmt: skip
    if suffix == ".cpp":
        _run(
            "clang++-19", "-std=c++17", "-fsyntax-only", "-Wno-unknown-attributes", "-isystem", str(_STUBS), str(source)
        )
        return {}
    return dict(_amd(_run("clang++-19", "-x", "hip", "--offload-arch=gfx90a", "--cuda-device-only", "--rocm-path=/usr",
                          f"--rocm-device-lib-path={device_libs()}", "-O3", "-std=c++17", "-S", "-o", "/dev/null",
                          str(source), "-Rpass-analysis=kernel-resource-usage")))  # fmt: skip


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def _amd(text: str) -> Iterator[tuple[str, Allocation]]:
    for part in text.split("Function Name: ")[1:]:
        values = {key.strip(): int(value) for key, value in re.findall(r"remark:\s+([^:\n]+): (\d+) \[", part)}
        yield part.split()[0], Allocation(values["VGPRs"] + values.get("AGPRs", 0), values["ScratchSize [bytes/lane]"])


def _nvidia(text: str) -> Iterator[tuple[str, Allocation]]:
    for part in text.split("Compiling entry function '")[1:]:
        frame, used = re.search(r"(\d+) bytes stack frame", part), re.search(r"Used (\d+) registers", part)
        assert frame is not None
        assert used is not None
        yield part.split("'")[0], Allocation(int(used[1]), int(frame[1]))
