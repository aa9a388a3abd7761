"""The waves that measured kernels leave on a compute unit, by the exact model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.targets.occupancy import KernelUse, architecture, is_known, occupancy

if TYPE_CHECKING:
    from regpress_lint.core.measured import Row
    from regpress_lint.targets.occupancy import Occupancy


def block_of(row: Row, assumed: int) -> int:
    """Threads a block: what is assumed, unless the kernel was compiled for fewer."""
    return min(assumed, row.max_threads) if row.max_threads else assumed


def resident(row: Row, block: int) -> Occupancy | None:
    """None if the GPU or the number of registers is unknown."""
    if row.target is None or not is_known(row.target):
        return None
    arch = architecture(row.target)
    if row.registers is None and arch.has_register_steps:
        return None
    wave = row.wave_size if row.wave_size in arch.wave_sizes else None
    grf = row.grf if any(mode.registers == row.grf for mode in arch.grf_modes) else None
    if grf is None and not arch.has_register_steps:
        return None
    use = KernelUse(
        vgprs=row.registers or 0,
        sgprs=row.sgprs or 0,
        lds_bytes=row.lds_bytes or 0,
        block_size=max(block, 1),
        wave_size=wave,
        grf=grf or 128,
        # RDNA is compiled for its last mode, WGP, unless -mcumode says otherwise.
        mode=arch.modes[-1].name,
    )
    return occupancy(arch, use)
