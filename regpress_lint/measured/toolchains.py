"""Where compilers are: on the user's PATH or where the user says, and never in the tree that is linted."""

from __future__ import annotations

import os
from glob import glob
from typing import TYPE_CHECKING

from regpress_lint.core import programs
from regpress_lint.core.named import NamedTuple
from regpress_lint.measured import processes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.targets.occupancy import Vendor

# Best first; distributions give clang its number. nvcc and ocloc have one name each.
HIP = ("hipcc", "amdclang++", "clang++", *(f"clang++-{number}" for number in range(30, 15, -1)))
CUDA, INTEL = ("nvcc",), ("ocloc",)
_KINDS = (("nvcc", "cuda"), ("ptxas", "assembler"), ("ocloc", "intel"))
# Packages of Python with nvcc, or with its assembler alone, and where they have it; `*` is `cu13` and the like.
_PACKAGES = {
    "nvidia-cuda-nvcc": ("nvidia/*/bin/nvcc", "nvidia/*/bin/ptxas"),
    "nvidia-cuda-nvcc-cu12": ("nvidia/cuda_nvcc/bin/nvcc", "nvidia/cuda_nvcc/bin/ptxas"),
}
_CUDA_FOLDERS = ("/usr/local/cuda-{}/bin/nvcc", "/opt/cuda-{}/bin/nvcc")
# The vendors whose GPUs a language is compiled for. NVIDIA's compiler of OpenCL C is in its driver.
VENDORS: Mapping[str, tuple[Vendor, ...]] = {"hip": ("amd",), "cuda": ("nvidia",), "opencl": ("intel", "amd")}
# Debian, the ROCm installer and a clang resource folder keep the device libraries in different places.
_DEVICE_LIB_PATTERNS = (
    "/usr/lib/*/amdgcn/bitcode",
    "/opt/rocm*/amdgcn/bitcode",
    "/opt/rocm*/lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
    "/usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode",
    "/usr/lib/clang/*/amdgcn/bitcode",
)
_HIP_ROOTS = ("/opt/rocm", "/usr")


class Toolchain(NamedTuple):
    """The compilers of a machine; None for an absent one. path: the folders that are searched, for the compilers.
    without: variables of the environment that they do not get. assembler: a ptxas in place of nvcc's own.
    """

    hip: str | None = None
    cuda: str | None = None
    intel: str | None = None
    path: str = ""
    without: frozenset[str] = frozenset()
    assembler: str | None = None

    def of(self, vendor: str) -> str | None:
        """The compiler for a vendor's GPUs."""
        return {"amd": self.hip, "nvidia": self.cuda}.get(vendor, self.intel)


def find(trees: Iterable[str], chosen: Sequence[str] = ()) -> Toolchain:
    """Compilers on PATH outside of the repositories of these folders. chosen: compilers that the user names, by path or
    name: they come first, and of several for one vendor the last.
    """
    roots = sorted({folder for tree in trees for folder in (programs.repository(tree), tree)})
    by_kind: dict[str, str] = {}
    for compiler in map(released, chosen):
        name = os.path.basename(compiler)
        kind = next((kind for start, kind in _KINDS if name.startswith(start)), "hip")
        by_kind[kind] = os.path.abspath(compiler) if os.sep in compiler else compiler
    names = {"hip": HIP, "cuda": CUDA, "intel": INTEL, "assembler": ()}
    compilers = {
        kind: next((at for name in (by_kind.get(kind), *candidates) if name and (at := _program(name, roots))), None)
        for kind, candidates in names.items()
    }
    return Toolchain(**compilers, path=programs.trusted_path(roots), without=processes.leading_into(roots))


def released(word: str) -> str:
    """The program behind `nvcc@12.6` or `clang@19`; every other word as it is, and so is one that is not installed.

    nvcc: a toolkit in its usual folder, else the package of this Python, which has ptxas alone for CUDA 12.
    """
    name, at, release = word.partition("@")
    if not at or os.sep in word:
        return word
    if name in ("clang", "clang++"):
        return f"clang++-{release}"
    if name != "nvcc":
        return word
    toolkits = (folder.format(release) for folder in _CUDA_FOLDERS)
    return next((program for program in (*toolkits, *_packaged(release)) if os.access(program, os.X_OK)), word)


def _packaged(release: str) -> Iterator[str]:
    """nvcc and ptxas of the packages of this Python that have a release."""
    from importlib.metadata import PackageNotFoundError, distribution

    for package, patterns in _PACKAGES.items():
        try:
            package_files = distribution(package)
        except PackageNotFoundError:
            continue
        if f"{package_files.version}.".startswith(f"{release}."):
            for pattern in patterns:
                yield from sorted(glob(str(package_files.locate_file(pattern))))


def _program(name: str, roots: Sequence[str]) -> str | None:
    """A compiler by its name on PATH, or the one that the user has named by its path, wherever it is."""
    if not os.path.isabs(name):
        return programs.find(name, roots)
    return name if os.path.isfile(name) and os.access(name, os.X_OK) else None


def hip_root() -> str | None:
    """The folder with HIP's headers, for a clang that does not know it by itself."""
    return next((root for root in _HIP_ROOTS if os.path.isfile(f"{root}/include/hip/hip_runtime.h")), None)


def device_libs() -> str | None:
    """The folder with AMD's device libraries."""
    folders = (folder for pattern in _DEVICE_LIB_PATTERNS for folder in sorted(glob(pattern)))
    return next((folder for folder in folders if os.path.isfile(f"{folder}/ocml.bc")), None)


def isa_module(target: str) -> tuple[str, str]:
    """Name and text of the module by which device libraries know the chip: distributions lack those of newer chips.

    gfx1100 is version 11000: the last two characters are minor and stepping, in hexadecimal.
    """
    digits = target.removeprefix("gfx")
    version = int(digits[:-2]) * 1000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)
    text = (
        'target triple = "amdgcn-amd-amdhsa"\n'
        "@__oclc_ISA_version = linkonce_odr protected local_unnamed_addr addrspace(4) "
        f"constant i32 {version}, align 4\n"
    )
    return f"oclc_isa_version_{digits}.bc", text
