"""RP903 private-array-shareable-in-subgroup."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import intel_targets
from regpress_lint.api.text import count, listing, spelled
from regpress_rules.arrays._counters import increments, is_histogram
from regpress_rules.arrays._private import cases_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Variable

    Stays = Callable[[int, int], tuple[str, ...]]

_LANES = 16  # where the kernel requires no sub-group size: the one with the most registers a work-item on pvc
_NARROWER = {8: ("unsigned int", 4), 4: ("unsigned short", 2)}  # IGC keeps no array of 8-bit elements


class _Step(NamedTuple):
    """One change, the bytes a work-item of what is left of the array, and the GPUs whose IGC keeps it in registers."""

    text: str
    kept_on: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    @property
    def enough(self) -> bool:
        """True if that is all of the GPUs that were asked for."""
        return bool(self.targets) and self.kept_on == self.targets

    @property
    def whole(self) -> str:
        """The change, and where the array is then."""
        left = tuple(target for target in self.targets if target not in self.kept_on)
        parts = [f"in registers on {listing(self.kept_on)}"] if self.kept_on else []
        parts += [f"in memory on {listing(left)}"] if left else []
        return f"{self.text}: {', '.join(parts)}" if parts else self.text


class PrivateArrayShareableInSubgroup(Rule):
    """A private histogram that is too large for one work-item's registers, and not for those of a sub-group."""

    code = "RP903"
    name = "private-array-shareable-in-subgroup"
    severity = Severity.INFO
    languages = ("sycl",)
    vendors = ("intel",)
    needs = ("arrays",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, at its declaration."""
        found: dict[Variable, tuple[PrivateArray, list[str]]] = {}
        for target in intel_targets(facts):
            arrays = (array for case in cases_on(facts, target) for array in case.arrays)
            for array in arrays:
                if is_histogram(facts, array):
                    found.setdefault(array.variable, (array, []))[1].append(target)
        for array, on in found.values():
            yield _finding(facts, array, tuple(on))


def _finding(facts: KernelFacts, array: PrivateArray, targets: tuple[str, ...]) -> Finding:
    variable, required = array.variable, facts.kernel.sub_group_size
    lanes = required or _LANES

    def stays(bytes_: int, size: int) -> tuple[str, ...]:
        """GPUs on which that many bytes of elements of that size are in registers."""
        return tuple(name for name in targets if bytes_ <= facts.intel_limits(array, name, size).measured)

    assert array.bytes is not None
    where = place(facts, variable.span, array.function.path, "the array")
    at = f"at sub-group size {required}" if required else "without a required sub-group size"
    sizes: dict[int, list[str]] = {}
    for name in targets:
        sizes.setdefault(facts.intel_limits(array, name).measured, []).append(name)
    kept = listing([f"{count(bytes_, 'byte')} on {listing(names)}" for bytes_, names in sizes.items()])
    message = (
        f"every work-item counts in `{variable.name}` of its own, {array.elements} x {spelled(variable.type)} "
        f"({count(array.bytes, 'byte')}), of which IGC keeps {kept} in registers {at}"
    )
    steps = list(_steps(facts, array, stays, lanes, targets))
    message += f": {steps[-1].text if steps[-1].enough else 'there are too many for a sub-group, too'}"
    help_ = "in this order: " + "; ".join(f"{index}. {step.whole}" for index, step in enumerate(steps, 1))
    severities = dict.fromkeys(targets, Severity.INFO)
    return Finding(where.span, message, severities, help_, where.notes, None, facts.kernel.name)


def _steps(
    facts: KernelFacts, array: PrivateArray, stays: Stays, lanes: int, targets: tuple[str, ...]
) -> Iterator[_Step]:
    """What to change, the cheapest first, up to the change that keeps the array in registers; local memory else."""
    type_, elements, most = array.variable.type, array.elements or 0, _largest_count(facts, array)
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
    own = -(-elements // lanes)
    word = 4 if size == 8 and not type_.floating and (most is None or most < 1 << 32) else size
    shared = _Step(
        f"share it in the sub-group: {count(own, 'bin')} for each of {lanes} work-items, "
        f"{count(own * word, 'byte')}, the input broadcast to all of them (`group_broadcast`)",
        stays(own * word, word),
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


def _largest_count(facts: KernelFacts, array: PrivateArray) -> int | None:
    """The most that one element can be counted up to; None where the source does not settle it."""
    changes = [access for access in array.accesses if access.kind == "update"]
    found = list(increments(facts, array))
    if len(found) != len(changes) or any(each is None for each in found):
        return None
    total = 0
    for access, increment in zip(changes, found, strict=True):
        times = 1
        for loop in access.loops:
            if loop.trip_count is None:
                return None
            times *= loop.trip_count
        total += times * abs(increment or 0)
    return total
