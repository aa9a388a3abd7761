"""How counters of a work-item can leave memory on Intel: narrower, or shared in the sub-group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import NamedTuple
from regpress_lint.api.counters import increments
from regpress_lint.api.text import count, listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import PrivateArray

    Stays = Callable[[int, int], tuple[str, ...]]

_LANES = 16  # where the kernel requires no sub-group size: the one with the most registers a work-item on pvc
_NARROWER = {8: ("unsigned int", 4), 4: ("unsigned short", 2)}  # IGC keeps no array of 8-bit elements


class _Step(NamedTuple):
    """One change, the remaining bytes of the array per work-item, and the GPUs whose IGC keeps it in registers."""

    text: str
    kept_on: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    @property
    def enough(self) -> bool:
        """Whether that is all of the requested GPUs."""
        return bool(self.targets) and self.kept_on == self.targets

    @property
    def whole(self) -> str:
        """The change, and where the array is then."""
        elsewhere = tuple(target for target in self.targets if target not in self.kept_on)
        parts = [f"in registers on {listing(self.kept_on)}"] if self.kept_on else []
        parts += [f"in memory on {listing(elsewhere)}"] if elsewhere else []
        return f"{self.text}: {', '.join(parts)}" if parts else self.text


def ways_to_share(facts: KernelFacts, array: PrivateArray, targets: tuple[str, ...]) -> str:
    """Changes that keep a histogram out of memory on these GPUs of Intel, the cheapest first."""
    lanes = facts.kernel.sub_group_size or _LANES

    def stays(bytes_: int, size: int) -> tuple[str, ...]:
        """GPUs on which that many bytes of elements of that size are in registers."""
        return tuple(name for name in targets if bytes_ <= facts.intel_limits(array, name, size).measured)

    steps = [step.whole for step in _steps(facts, array, stays, lanes, targets)]
    if len(steps) == 1:
        return steps[0]
    return "in this order: " + "; ".join(f"{index}. {step}" for index, step in enumerate(steps, 1))


def _steps(
    facts: KernelFacts, array: PrivateArray, stays: Stays, lanes: int, targets: tuple[str, ...]
) -> Iterator[_Step]:
    """The changes, the cheapest first, up to the one that keeps the array in registers; local memory else."""
    type_, elements, most = array.variable.type, array.elements or 0, largest_count(facts, array)
    size = type_.size or 4
    if array.variable.volatile_span is not None:
        bytes_ = elements * size
        dropped = _Step(
            f"drop `volatile` ({count(bytes_, 'byte')} stay in memory with it)", stays(bytes_, size), targets
        )
        yield dropped
        if dropped.enough:
            return
    narrower = list(_narrower(array, stays, most, targets))
    if narrower and narrower[-1].enough:
        yield from narrower
        return
    bins = -(-elements // lanes)
    word = 4 if size == 8 and not type_.floating and (most is None or most < 1 << 32) else size
    broadcast = "sub_group_broadcast" if facts.kernel.language == "opencl" else "group_broadcast"
    shared = _Step(
        f"share it in the sub-group: {count(bins, 'bin')} for each of {lanes} work-items, "
        f"{count(bins * word, 'byte')}, the input broadcast to all of them (`{broadcast}`)",
        stays(bins * word, word),
        targets,
    )
    if shared.kept_on:
        yield shared
    if not shared.enough:
        yield _Step(f"one in local memory for the work-group, {count(elements * word, 'byte')}, counted with atomics")


def _narrower(array: PrivateArray, stays: Stays, most: int | None, targets: tuple[str, ...]) -> Iterator[_Step]:
    """Element types that still hold every count, up to the first with which the array is small enough."""
    type_, elements = array.variable.type, array.elements or 0
    size = type_.size or 4
    while size in _NARROWER and not type_.floating:
        name, size = _NARROWER[size]
        if most is not None and most >= 1 << 8 * size:
            return
        held = f"no bin exceeds {most:,}" if most is not None else f"if no bin exceeds {(1 << 8 * size) - 1:,}"
        text = f"`{name}` makes it {count(elements * size, 'byte')}, {held}"
        yield (step := _Step(text, stays(elements * size, size), targets))
        if step.enough:
            return


def largest_count(facts: KernelFacts, array: PrivateArray) -> int | None:
    """The most that one element can be counted up to; None where the source does not settle it."""
    changes = [access for access in array.accesses if access.kind == "update"]
    added = list(increments(facts, array))
    if len(added) != len(changes) or any(increment is None for increment in added):
        return None
    total = 0
    for access, increment in zip(changes, added, strict=True):
        times = 1
        for loop in access.loops:
            if loop.trip_count is None:
                return None
            times *= loop.trip_count
        total += times * abs(increment or 0)
    return total
