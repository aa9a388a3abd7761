"""Advice on an occupancy: steps of the limiters, steps that must be taken together, free resources, and changes that
make an impossible launch work.

Registers are totals here, AMD's accumulation registers included (`curves.merged`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

from .blocks import better_block, with_block
from .calculator import occupancy
from .quantities import Architecture, KernelUse, Resource, Step
from .steps import headroom, merged, next_step, with_value

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMITED: Mapping[str, Resource] = {
    "registers": "registers",
    "sgprs": "sgprs",
    "lds": "lds_bytes",
    "waves": "block_size",
    "groups": "block_size",
    "barriers": "block_size",
}
"""Limiter -> the resource that the kernel's author can change about it."""
_FIELDS: Mapping[Resource, str] = {
    "registers": "vgprs",
    "sgprs": "sgprs",
    "lds_bytes": "lds_bytes",
    "block_size": "block_size",
}


_WORTH = 0.25  # a change of the block size gains a quarter more waves, or it is not worth a line (RP106's default, too)


class Together(NamedTuple):
    """Uses that only gain waves when all of them shrink at once: limiters that tie."""

    steps: tuple[Step, ...]


class Free(NamedTuple):
    """The kernel may use ``more`` of ``resource``, up to ``last``, and lose no wave.

    ``limits``: the resource is itself a limiter, so its next step down begins right above ``last``.
    """

    resource: Resource
    more: int
    last: int
    limits: bool


class Remedy(NamedTuple):
    """A launch that cannot work needs ``value`` of ``resource`` at most (``grf``: that register mode)."""

    resource: str
    value: int


def next_steps(arch: Architecture, use: KernelUse) -> tuple[Step, ...]:
    """`next_step` of every resource that limits; none for a launch that cannot work.

    A smaller block counts as such where slots limit, and where rounding to whole work-groups costs so much that it
    gains a quarter more waves.
    """
    use = merged(arch, use)
    now = occupancy(arch, use)
    if not now.groups:
        return ()
    wanted = dict.fromkeys(LIMITED[limiter] for limiter in now.limiters)
    steps = [next_step(arch, use, resource) for resource in _FIELDS if resource in wanted]
    if "block_size" not in wanted:
        block = next_step(arch, use, "block_size")
        steps.append(block if block and block.waves_per_simd >= (1 + _WORTH) * now.waves_per_simd else None)
    return tuple(step for step in steps if step is not None)


def larger_block(arch: Architecture, use: KernelUse) -> Step | None:
    """A larger block size that gains a quarter more waves where the block size is among what limits, LDS as in
    `with_block`: short blocks run out of block slots or barriers before they fill the wave slots.
    """
    use = merged(arch, use)
    if all(LIMITED[limiter] != "block_size" for limiter in occupancy(arch, use).limiters):
        return None
    better = better_block(arch, use, _WORTH)
    if better is None or better.block_size <= use.block_size:
        return None
    better_occupancy = occupancy(arch, with_block(use, better.block_size))
    return Step("block_size", better.block_size, better_occupancy.waves_per_simd)


def together(arch: Architecture, use: KernelUse) -> Together | None:
    """The uses at which one more work-group fits when several limiters tie and none of them alone gains a wave."""
    use = merged(arch, use)
    now = occupancy(arch, use)
    tied = [LIMITED[limiter] for limiter in now.limiters]
    if not now.groups or len(tied) < 2 or "block_size" in tied:
        return None
    then = use
    for limiter in now.limiters:
        value = _most_that_admits(arch, use, limiter, now.groups + 1)
        if value is None:
            return None
        then = with_value(then, LIMITED[limiter], value)
    waves = occupancy(arch, then).waves_per_simd
    if waves <= now.waves_per_simd:
        return None
    return Together(tuple(Step(resource, getattr(then, _FIELDS[resource]), waves) for resource in tied))


def free(arch: Architecture, use: KernelUse) -> tuple[Free, ...]:
    """Resources of which the kernel may use more at no cost, and up to where (`headroom`)."""
    use = merged(arch, use)
    now = occupancy(arch, use)
    limiting = {LIMITED[limiter] for limiter in now.limiters}
    choices = []
    for resource, field in _FIELDS.items():
        if resource == "sgprs" and not arch.sgprs_per_simd:
            continue
        if room := headroom(arch, use, resource):
            choices.append(Free(resource, room, getattr(use, field) + room, resource in limiting))
    return tuple(choices)


def remedies(arch: Architecture, use: KernelUse) -> tuple[tuple[Remedy, ...], ...]:
    """The needs of an impossible launch: all of the outer tuple, of every inner tuple one alternative.

    Empty for a launch that works.
    """
    use = merged(arch, use)
    needed: list[tuple[Remedy, ...]] = []
    if use.block_size > arch.max_threads_per_group:
        needed.append((Remedy("block_size", arch.max_threads_per_group),))
        use = use._replace(block_size=arch.max_threads_per_group)
    modes = [mode.registers for mode in arch.grf_modes]
    if modes and use.grf not in modes:
        needed.append((Remedy("grf", modes[0]),))
        use = use._replace(grf=modes[0])
    if occupancy(arch, use).per_limiter["lds"] == 0:
        needed.append((Remedy("lds_bytes", arch.lds_max_per_group),))
        use = use._replace(lds_bytes=arch.lds_max_per_group)
    if occupancy(arch, use).per_limiter.get("sgprs") == 0:
        needed.append((Remedy("sgprs", arch.max_sgprs),))
        use = use._replace(sgprs=arch.max_sgprs)
    if occupancy(arch, use).groups == 0:
        wanted: tuple[Resource, ...] = ("registers", "block_size")
        steps = (next_step(arch, use, resource) for resource in wanted)
        ways = [Remedy(step.resource, step.value) for step in steps if step is not None]
        ways += [Remedy("grf", mode) for mode in modes if occupancy(arch, use._replace(grf=mode)).groups]
        needed.append(tuple(ways))
    return tuple(needed)


def _most_that_admits(arch: Architecture, use: KernelUse, limiter: str, groups: int) -> int | None:
    """The largest use of what ``limiter`` limits at which it alone admits so many work-groups."""
    resource = LIMITED[limiter]
    low, high = 0, getattr(use, _FIELDS[resource]) - 1
    while low < high:
        middle = (low + high + 1) // 2
        limit = occupancy(arch, with_value(use, resource, middle)).per_limiter[limiter]
        if limit is None or limit >= groups:
            low = middle
        else:
            high = middle - 1
    return low if low > 0 else None
