"""AMD's targets as compilers write them, and how many registers of the file two kinds of them take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from regpress_lint.core.measured import Row
from regpress_lint.measured.rows import without_spills
from regpress_lint.targets.occupancy import KernelUse, architecture, is_known
from regpress_lint.targets.occupancy.amd import total_registers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_GFX = re.compile(r"(?:\b|(?<=amd_gpu_))gfx[0-9a-f]{3,5}\b")
_LARGEST = 1 << 32


def canonical(name: str) -> str | None:
    """`gfx90a` of `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-` and the like; None where no GPU of AMD is named."""
    match = _GFX.search(name)
    if match is None:
        return None
    return architecture(match[0]).name if is_known(match[0]) else match[0]


def has_accumulators(target: str) -> bool | None:
    """Whether a target has accumulation registers; None if we do not know it."""
    return architecture(target).acc_regs != "none" if is_known(target) else None


def target_for(known: Sequence[str], accumulators: bool) -> str | None:
    """The only one of these targets that has, or has not, accumulation registers."""
    fitting = [each for each in known if has_accumulators(each) in (accumulators, None)]
    return fitting[0] if len(fitting) == 1 else None


def arranged(target: str | None, vgprs: int, agprs: int | None) -> int | None:
    """Registers of the file that both kinds take; None where the target would have to be known for that."""
    if not agprs:
        return vgprs
    if target is None or not is_known(target):
        return None
    return total_registers(architecture(target), KernelUse(vgprs=vgprs, agprs=agprs))


def row_of(kernel: Mapping[str, Any], target: str | None) -> Row | None:
    """The row of one entry of `amdhsa.kernels`; None for one without a name.

    On GPUs with one file for both kinds `.vgpr_count` is the whole of it, so that VGPRs alone are known only of a
    kernel without accumulation registers.
    """
    symbol = kernel.get(".name")
    if not isinstance(symbol, str) or not symbol:
        return None
    count = {key: _number(kernel.get(key)) for key in kernel if isinstance(key, str)}
    get = count.get
    vgprs, agprs = get(".vgpr_count"), get(".agpr_count")
    unified = target is not None and is_known(target) and architecture(target).acc_regs == "unified"
    registers = vgprs
    if agprs and vgprs is not None and not unified:
        registers = arranged(target, vgprs, agprs)
    scratch, spills = get(".private_segment_fixed_size"), get(".vgpr_spill_count")
    return Row(
        symbol,
        target,
        registers=registers,
        vgprs=None if agprs and unified else vgprs,
        agprs=agprs,
        sgprs=get(".sgpr_count"),
        spills=spills,
        sgpr_spills=get(".sgpr_spill_count"),
        scratch_bytes=scratch,
        unspilled_scratch_bytes=without_spills(scratch, spills),
        lds_bytes=get(".group_segment_fixed_size"),
        wave_size=get(".wavefront_size"),
        max_threads=get(".max_flat_workgroup_size"),
        compiler="clang",
    )


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST else None
