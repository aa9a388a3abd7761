"""Where clang for AMD puts private arrays that are indexed at run time: small ones into vector registers, and others
into LDS, as far as no wave is lost by it, for the largest work-group.

Measured with clang 19 by kernels with 0 to 60,000 bytes of LDS and work-groups of 32 to 1,024 threads on gfx90a and
gfx1100, by those with 0 to 40,000 bytes on gfx900, gfx1030, gfx942 and gfx1201.
"""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple

AMD_VECTOR_ELEMENTS = 16  # clang 19 turns arrays up to here into vector registers
AMD_LDS_BYTES = 32  # other arrays up to here are moved to LDS on gfx9 where nothing says more
DEFAULT_THREADS = 1024  # that clang assumes without launch bounds


class LocalMemory(NamedTuple):
    """The resources that the work-groups of a unit share, as LLVM counts them: bytes, SIMDs, waves of a SIMD, threads
    of a wave, and the groups of more than one wave that it has barriers for.
    """

    lds_bytes: int
    simds: int
    waves: int
    wave: int
    groups: int


GFX9_LOCAL = LocalMemory(65536, 4, 8, 64, 16)
RDNA_LOCAL = LocalMemory(131072, 4, 16, 32, 32)  # two CUs, wave32


def promoted_bytes(unit: LocalMemory, lds_bytes: int, threads: int, *, dynamic: bool) -> int:
    """Bytes per thread for arrays beside `lds_bytes` of the kernel's own; none beside LDS that the launch sizes."""
    waves = -(-threads // unit.wave)
    slots = unit.simds * unit.waves
    groups = min(slots // waves, unit.groups) if waves > 1 else slots
    if dynamic or not groups:
        return 0
    # LLVM asks how many waves the LDS leaves, and not whether so many groups have room.
    held = unit.lds_bytes // max(lds_bytes, 1) or 1
    full = min(-(-held * waves // unit.simds), unit.waves)
    return max(0, unit.lds_bytes * unit.waves // groups // full - lds_bytes) // threads
