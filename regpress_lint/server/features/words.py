"""Sentences of the server about a kernel: the numbers of `kernels` and `pressure`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.commands.kernels.output import limiters

if TYPE_CHECKING:
    from regpress_lint.commands.kernels.rows import KernelRow, OccupancyRow, StepRow, TargetRow


def summary(row: KernelRow, target: TargetRow) -> str:
    """One line above a kernel: `gfx90a: 46 registers (38 to 61), 5 of 8 waves (registers); 6 at 80 registers`."""
    registers, now = target.registers, target.occupancy
    text = f"{target.name}: {registers.estimate} registers ({registers.low} to {registers.high}), {waves(now)}"
    if target.scratch_bytes:
        text += f", {target.scratch_bytes} bytes of scratch"
    if now.next is not None:
        text += f"; {step(now.next)}"
    return text + (", block size assumed" if row.block_size_from == "assumed" else "")


def waves(now: OccupancyRow) -> str:
    """`5 of 8 waves per SIMD (registers)`."""
    why = f" ({limiters(now.limiters)})" if now.limiters else ""
    return f"{number(now.waves_per_simd)} of {now.max_waves_per_simd} waves per SIMD{why}"


def step(step: StepRow) -> str:
    """`6 waves at 80 registers`."""
    named = {"lds_bytes": "bytes of LDS", "block_size": "threads a block", "sgprs": "SGPRs"}
    return f"{number(step.waves_per_simd)} at {step.value} {named.get(step.resource, step.resource)}"


def number(value: float) -> str:
    """A number of waves with two digits behind the point where it is no whole one."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))
