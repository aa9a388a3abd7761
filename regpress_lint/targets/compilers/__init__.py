"""Which compiler is for an architecture; each is imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from regpress_lint.targets.compilers.traits import Compiler
    from regpress_lint.targets.occupancy import Architecture


@cache
def compiler_of(arch: Architecture) -> Compiler:
    return _compiler(arch.vendor, gfx9=arch.name.startswith("gfx9"), packed=arch.acc_regs == "unified")


def habits(target: str) -> Compiler:
    """The same by the architecture's name: the habits of its compiler, independent of a kernel's requests."""
    return compiler_of(architecture(target))


def compiler_for(arch: Architecture, lanes: int | None, grfs: int | None) -> Compiler:
    """The compiler for a kernel with a requested sub-group size and size of the register file; None means no
    request."""
    compiler = compiler_of(arch)
    return compiler._replace(lanes=lanes, grfs=grfs or compiler.grfs) if arch.grf_modes else compiler


def compiler_by_vendor(vendor: str) -> Compiler:
    """The compiler of a vendor where no architecture is named."""
    return _compiler(vendor, gfx9=True, packed=True)


def _compiler(vendor: str, *, gfx9: bool, packed: bool) -> Compiler:
    if vendor == "amd":
        from regpress_lint.targets.compilers.amdgpu import CDNA2, GFX9, RDNA

        return CDNA2 if packed else GFX9 if gfx9 else RDNA
    if vendor == "nvidia":
        from regpress_lint.targets.compilers.nvcc import NVCC

        return NVCC
    from regpress_lint.targets.compilers.igc import IGC

    return IGC
