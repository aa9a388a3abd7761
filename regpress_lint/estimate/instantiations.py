"""Several instantiations of one kernel's template: which are worked out, and one estimate for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.estimate.registers import RegisterEstimate
    from regpress_lint.program.model import Instance

MOST = 8  # instantiations of a kernel that are executed
MOST_VALUES = 5_000  # of their executions by one compiler, after which no further one is begun

_NUMBER = pattern(r"\b\d{1,9}\b")


def chosen(instances: Sequence[Instance]) -> tuple[Instance, ...]:
    """At most `MOST` instantiations, from the smallest to the largest by their arguments with equal steps between."""
    if len(instances) <= MOST:
        return tuple(instances)
    ordered = sorted(range(len(instances)), key=lambda number: instances[number].weight)
    last = len(ordered) - 1
    wanted = {ordered[round(step * last / (MOST - 1))] for step in range(MOST)}
    return tuple(instance for number, instance in enumerate(instances) if number in wanted)


def size(instance: Instance) -> tuple[float, int]:
    """By which the largest of several instantiations is found: the weight of its arguments, and where they are types
    with arguments of their own the numbers in those.
    """
    return instance.weight, sum(map(int, _NUMBER.findall(instance.arguments)))


def typical(estimates: Sequence[RegisterEstimate]) -> int:
    """Index of the estimate in the middle, the larger one of two."""
    order = sorted(range(len(estimates)), key=lambda number: (estimates[number].estimate, estimates[number].low))
    return order[len(order) // 2]


def combined(estimates: Sequence[RegisterEstimate]) -> RegisterEstimate:
    """One estimate for a kernel with several instantiations.

    Registers and scratch are those of the instantiation in the middle, so that its values explain them. The band goes
    from the lowest low to the highest high: it holds what any of them takes.
    """
    from regpress_lint.estimate.registers import RegisterEstimate

    middle = estimates[typical(estimates)]
    return RegisterEstimate(
        min(one.low for one in estimates),
        middle.estimate,
        max(one.high for one in estimates),
        middle.scratch_bytes,
    )
