"""Occupancy as a function of one resource: the staircase of whole work-groups.

Registers are counted as the register file sees them: AMD's accumulation registers are folded in (`merged`), and on
Intel a register count that no longer fits a GRF mode moves on to the next larger one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

from .calculator import occupancy
from .quantities import RESOURCES, Architecture, KernelUse, Occupancy, Resource, align_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Run(NamedTuple):
    """Neighbouring values of a resource, ``first`` to ``last``, with the same occupancy and the same limiters.

    ``grf`` is the Intel register mode, None for other vendors.
    """

    first: int
    last: int
    occupancy: Occupancy
    grf: int | None = None


def merged(arch: Architecture, use: KernelUse) -> KernelUse:
    """The same use with AMD's accumulation registers counted among ``vgprs``: occupancy sees only their total."""
    if use.agprs == 0:
        return use
    from .amd import total_registers

    return use._replace(vgprs=total_registers(arch, use), agprs=0)


def resources(arch: Architecture) -> tuple[Resource, ...]:
    """The resources that can be swept on an architecture: SGPRs only where waves share a file of them."""
    return tuple(resource for resource in RESOURCES if resource != "sgprs" or arch.sgprs_per_simd)


def value_of(arch: Architecture, use: KernelUse, resource: Resource) -> int:
    """Where the kernel is on the axis of ``resource``."""
    if resource == "registers":
        return merged(arch, use).vgprs
    if resource == "block_size":
        return use.block_size
    return use.sgprs if resource == "sgprs" else use.lds_bytes


def detailed(arch: Architecture, use: KernelUse, resource: Resource) -> tuple[Run, ...]:
    """Every run over which all limits stay what they are, smallest value first; other resources as in ``use``.

    Registers and SGPRs from 1 to the most of a thread or wave, LDS from 0 to the most of a work-group, block sizes
    from one wave to the largest in steps of a wave (a run of block sizes begins right above the one before it).
    Raises ValueError for a resource that the architecture does not have, and as ``occupancy`` does.
    """
    if resource not in resources(arch):
        raise ValueError(f"{arch.name} has no limit on {resource}; it has {', '.join(resources(arch))}")
    use = merged(arch, use)
    if resource == "registers" and arch.grf_modes:
        return tuple(_grf_runs(arch, use))
    if resource == "block_size":
        return tuple(_block_runs(arch, use))
    if resource == "registers":
        return tuple(_falling(arch, lambda value: use._replace(vgprs=value), 1, arch.max_regs_per_thread))
    if resource == "sgprs":
        return tuple(_falling(arch, lambda value: use._replace(sgprs=value), 1, arch.max_sgprs))
    return tuple(_falling(arch, lambda value: use._replace(lds_bytes=value), 0, arch.lds_max_per_group))


def sweep(arch: Architecture, use: KernelUse, resource: Resource) -> tuple[Run, ...]:
    """`detailed` with neighbours joined where occupancy, limiters and register mode are the same.

    ``occupancy.per_limiter`` of a joined run is that of its last value.
    """
    runs: list[Run] = []
    for run in detailed(arch, use, resource):
        if runs and _key(runs[-1]) == _key(run):
            run = run._replace(first=runs.pop().first)
        runs.append(run)
    return tuple(runs)


def run_at(runs: tuple[Run, ...], value: int) -> Run | None:
    """The run that holds ``value``, None outside the range of the sweep."""
    return next((run for run in runs if run.first <= value <= run.last), None)


def steps(arch: Architecture, use: KernelUse) -> tuple[Run, ...]:
    """The table of register steps: `sweep` over registers, joined where the waves are the same, without what cannot
    work.
    """
    table: list[Run] = []
    for run in sweep(arch, use, "registers"):
        if not run.occupancy.groups:
            continue
        if table and (table[-1].occupancy.waves, table[-1].grf) == (run.occupancy.waves, run.grf):
            run = run._replace(first=table.pop().first)
        table.append(run)
    return tuple(table)


def _key(run: Run) -> tuple[object, ...]:
    return run.occupancy.waves, run.occupancy.limiters, run.grf


def _falling(arch: Architecture, at: Callable[[int], KernelUse], first: int, last: int) -> Iterator[Run]:
    """Runs of a resource of which more never helps: the end of each is found by halving."""
    while first <= last:
        here = occupancy(arch, at(first))
        low, high = first, last
        while low < high:
            middle = (low + high + 1) // 2
            if occupancy(arch, at(middle)).per_limiter == here.per_limiter:
                low = middle
            else:
                high = middle - 1
        yield Run(first, low, here)
        first = low + 1


def _block_runs(arch: Architecture, use: KernelUse) -> Iterator[Run]:
    size = arch.wave_size(use.wave_size)
    for block in range(size, align_up(arch.max_threads_per_group, size) + 1, size):
        wanted = use._replace(block_size=min(block, arch.max_threads_per_group))
        here = occupancy(arch, wanted)
        yield Run(block - size + 1, wanted.block_size, here)


def _grf_runs(arch: Architecture, use: KernelUse) -> Iterator[Run]:
    """One run a register mode: registers never cost single waves, a larger mode halves them."""
    from .intel import grf_budget

    first = 1
    for mode in sorted(arch.grf_modes):
        wanted = use._replace(grf=mode.registers)
        here = occupancy(arch, wanted)
        last = grf_budget(arch, use.wave_size, mode.registers)
        yield Run(first, last, here, mode.registers)
        first = last + 1
