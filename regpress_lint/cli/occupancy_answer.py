"""Everything that `occupancy` shows of one kernel on one architecture, worked out once for text, table and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import compiler_waves_per_simd, occupancy, runtime_blocks
from regpress_lint.targets.occupancy.advice import free, larger_block, next_steps, remedies, together
from regpress_lint.targets.occupancy.amd import DEFAULT_MAX_THREADS
from regpress_lint.targets.occupancy.curves import merged
from regpress_lint.targets.vocabulary import WORDS

if TYPE_CHECKING:
    from fractions import Fraction

    from regpress_lint.targets.occupancy.advice import Free, Remedy, Together
    from regpress_lint.targets.occupancy.quantities import Architecture, KernelUse, Occupancy, Step


class Answer(NamedTuple):
    """`use` is as it was given, `total` has AMD's accumulation registers among its registers.

    remark: what clang's resource-usage remark prints without launch bounds and with bounds of the block size, None
    where the compiler prints none. api_blocks: blocks per unit by the run-time API.
    """

    arch: Architecture
    use: KernelUse
    total: KernelUse
    now: Occupancy
    unit: str
    steps: tuple[Step, ...]
    larger: Step | None
    together: Together | None
    free: tuple[Free, ...]
    remedies: tuple[tuple[Remedy, ...], ...]
    remark: tuple[int, int] | None
    api_blocks: int

    @property
    def waves_of_block(self) -> int:
        """Waves of one block, the last one may be partly filled."""
        return -(-self.use.block_size // self.arch.wave_size(self.use.wave_size))

    @property
    def api_waves_per_simd(self) -> Fraction:
        """The run-time API's answer in the unit of the other two conventions."""
        from fractions import Fraction

        return Fraction(self.api_blocks * self.waves_of_block, self.now.simds)


def answer(arch: Architecture, use: KernelUse) -> Answer:
    """Raises ValueError as `occupancy` does."""
    now = occupancy(arch, use)
    remark = None
    if arch.prints_occupancy:
        unbounded = use._replace(block_size=DEFAULT_MAX_THREADS)
        remark = compiler_waves_per_simd(arch, unbounded), compiler_waves_per_simd(arch, use)
    return Answer(
        arch=arch,
        use=use,
        total=merged(arch, use),
        now=now,
        unit=_unit(arch, use),
        steps=next_steps(arch, use),
        larger=larger_block(arch, use),
        together=together(arch, use),
        free=free(arch, use),
        remedies=remedies(arch, use),
        remark=remark,
        api_blocks=runtime_blocks(arch, use),
    )


def spilled(each: Answer) -> int:
    """Intel: registers beyond what the register mode gives a work-item; 0 for other vendors, whose compilers cap."""
    if not each.arch.grf_modes or each.now.impossible:
        return 0
    from regpress_lint.targets.occupancy import grf_budget

    return max(0, each.use.vgprs - grf_budget(each.arch, each.use.wave_size, each.use.grf))


def _unit(arch: Architecture, use: KernelUse) -> str:
    return arch.mode(use.mode).name.upper() if len(arch.modes) > 1 else WORDS[arch.vendor].unit
