"""The staircase of occupancy over one resource, and distances on it: how much less gains a wave, how much more costs
none, what the compiler would allow.

On the staircase registers are counted as the register file sees them: AMD's accumulation registers are folded in
(`merged`), and on Intel a register count that no longer fits a GRF mode moves on to the next larger one.
"""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple

from .calculator import arithmetic, occupancy
from .quantities import RESOURCES, Architecture, KernelUse, Occupancy, Resource, Step, align_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction


def next_step(arch: Architecture, use: KernelUse, resource: Resource) -> Step | None:
    """The largest smaller use of ``resource`` that admits more waves, or None if none does.

    Never more than a kernel can have (255 registers on NVIDIA, whatever the launch check lets pass). ``registers``
    are ``use.vgprs``; the other fields stay as they are. Raises ValueError for an unknown resource.
    """
    now = occupancy(arch, use).waves
    waves = _waves_by(arch, use, resource)
    current = _value(use, resource)
    if resource == "block_size":
        # Not monotone in the block size, and only whole waves matter: try each smaller multiple.
        size = arch.wave_size(use.wave_size)
        better = (block for block in range((current - 1) // size * size, 0, -size) if waves(block) > now)
        value = next(better, None)
    elif resource == "registers" and arch.grf_modes:
        value = None  # a mode, not a count: fewer registers gain no wave
    else:
        value = _largest(0, min(current - 1, _most(arch, use, resource)), lambda candidate: waves(candidate) > now)
    if value is None:
        return None
    return Step(resource, value, occupancy(arch, with_value(use, resource, value)).waves_per_simd)


def headroom(arch: Architecture, use: KernelUse, resource: Resource) -> int:
    """How much more of ``resource`` costs no wave; 0 for a launch that cannot work.

    On Intel register headroom ends at the budget of a work-item (spilling), not at a step. Raises ValueError as
    ``next_step`` does.
    """
    now = occupancy(arch, use).waves
    current = _value(use, resource)
    if now == 0:
        return 0
    most = _most(arch, use, resource)
    waves = _waves_by(arch, use, resource)
    if resource == "block_size":
        size = arch.wave_size(use.wave_size)
        last = current
        for block in range(-(-current // size) * size, most + 1, size):
            if waves(block) < now:
                break
            last = block
        return last - current
    last_free = _largest(current, most, lambda candidate: waves(candidate) >= now)
    return 0 if last_free is None else last_free - current


def register_steps(
    arch: Architecture, block_size: int, lds_bytes: int = 0, wave_size: int | None = None, mode: str = "cu"
) -> tuple[tuple[int, Fraction], ...]:
    """(most registers, waves per SIMD), fewest registers first, for whole work-groups of ``block_size`` threads.

    Empty when the launch cannot work at any register count. Intel has one step, the budget of a work-item.
    """
    size = arch.wave_size(wave_size)
    most = arch.max_regs_per_thread
    if arch.grf_modes:
        from .intel import grf_budget

        most = grf_budget(arch, size)
    use = KernelUse(vgprs=most, block_size=block_size, lds_bytes=lds_bytes, wave_size=size, mode=mode)
    fullest = occupancy(arch, use)
    steps = [(most, fullest.waves_per_simd)] if fullest.groups else []
    while (step := next_step(arch, use, "registers")) is not None:
        steps.append((step.value, step.waves_per_simd))
        use = use._replace(vgprs=step.value)
    return tuple(reversed(steps))


def register_cap(
    arch: Architecture,
    max_threads: int | None = None,
    min_blocks_or_waves: int | None = None,
    wave_size: int | None = None,
) -> int:
    """Registers per thread that the compiler allows under launch bounds; None stands for an argument that is not
    written.

    The second argument is waves per SIMD on AMD (HIP) and blocks per SM on NVIDIA. Intel has no such bounds: the
    budget of a work-item in the small GRF mode. Raises ValueError for bounds below 1.
    """
    for bound in (max_threads, min_blocks_or_waves):
        if bound is not None and bound < 1:
            raise ValueError(f"launch bound {bound} must be at least 1")
    size = arch.wave_size(wave_size)
    return arithmetic(arch.vendor).register_cap(arch, max_threads, min_blocks_or_waves, size)


def _value(use: KernelUse, resource: Resource) -> int:
    if resource not in RESOURCES:
        raise ValueError(f"unknown resource '{resource}' (known: {', '.join(RESOURCES)})")
    if resource == "registers":
        return use.vgprs
    if resource == "sgprs":
        return use.sgprs
    return use.lds_bytes if resource == "lds_bytes" else use.block_size


def with_value(use: KernelUse, resource: Resource, value: int) -> KernelUse:
    """The same use with another amount of one resource (``registers`` are ``vgprs``)."""
    if resource == "registers":
        return use._replace(vgprs=value)
    if resource == "sgprs":
        return use._replace(sgprs=value)
    if resource == "lds_bytes":
        return use._replace(lds_bytes=value)
    return use._replace(block_size=value)


def _most(arch: Architecture, use: KernelUse, resource: Resource) -> int:
    if resource == "block_size":
        return arch.max_threads_per_group
    if resource == "lds_bytes":
        return arch.lds_max_per_group
    if resource == "sgprs":
        return arch.max_sgprs
    if not arch.grf_modes:
        return arch.max_regs_per_thread
    from .intel import grf_budget

    return grf_budget(arch, use.wave_size, use.grf)


def _waves_by(arch: Architecture, use: KernelUse, resource: Resource) -> Callable[[int], int]:
    return lambda value: occupancy(arch, with_value(use, resource, value)).waves


def _largest(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The largest value in [low, high] for which ``holds``; it must hold up to some value and no further."""
    if high < low or not holds(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


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
        current = occupancy(arch, at(first))
        low, high = first, last
        while low < high:
            middle = (low + high + 1) // 2
            if occupancy(arch, at(middle)).per_limiter == current.per_limiter:
                low = middle
            else:
                high = middle - 1
        yield Run(first, low, current)
        first = low + 1


def _block_runs(arch: Architecture, use: KernelUse) -> Iterator[Run]:
    size = arch.wave_size(use.wave_size)
    for block in range(size, align_up(arch.max_threads_per_group, size) + 1, size):
        wanted = use._replace(block_size=min(block, arch.max_threads_per_group))
        current = occupancy(arch, wanted)
        yield Run(block - size + 1, wanted.block_size, current)


def _grf_runs(arch: Architecture, use: KernelUse) -> Iterator[Run]:
    """One run a register mode: registers never cost single waves, a larger mode halves them."""
    from .intel import grf_budget

    first = 1
    for mode in sorted(arch.grf_modes):
        wanted = use._replace(grf=mode.registers)
        current = occupancy(arch, wanted)
        last = grf_budget(arch, use.wave_size, mode.registers)
        yield Run(first, last, current, mode.registers)
        first = last + 1
