"""The instantiations of a kernel's template behind its estimate: which of them are executed for an architecture, and
one estimate for all of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.uncertainty import Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.uncertainty import Opens
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.model.estimate.registers import RegisterEstimate
    from regpress_lint.program.model import Instance, Kernel


class Instantiations:
    """Those of one kernel, with the facts of each; how many are executed depends on the size of the executions."""

    def __init__(self, facts: dict[Instance, KernelFacts]) -> None:
        self.facts = facts
        self._estimated: dict[str, tuple[KernelFacts, ...]] = {}

    @cached_property
    def _first(self) -> tuple[KernelFacts, ...]:
        """Those that are executed before others: the smallest, which costs least and is one end of the band, the one in
        the middle, which the estimate is that of, and the largest, whose demand is the largest.
        """
        ordered = sorted(self.facts, key=size)
        extremes = (ordered[0], ordered[len(ordered) // 2], ordered[-1]) if ordered else ()
        return tuple(dict.fromkeys(self.facts[instance] for instance in extremes))

    @cached_property
    def _ends(self) -> tuple[KernelFacts, KernelFacts]:
        """The smallest and the largest."""
        return self.facts[min(self.facts, key=size)], self.facts[max(self.facts, key=size)]

    def left_out(self, name: str, kernel: Kernel) -> Unknown | None:
        """An entry for those of a kernel that are not behind its estimate for an architecture."""
        executed, all_ = self.estimated_on(name), len(kernel.instances)
        if not executed or len(executed) == all_:
            return None
        smallest, largest = (end in executed for end in self._ends)
        return left_out(kernel, all_ - len(executed), smallest=smallest, largest=largest)

    def estimated_on(self, name: str) -> tuple[KernelFacts, ...]:
        """Those behind the estimate for an architecture, in their order."""
        estimated = self._estimated.get(name)
        if estimated is None:
            executed: set[KernelFacts] = set()
            for facts in self._within_limit(name):
                _ = facts.target(name).registers
                executed.add(facts)
            estimated = self._estimated[name] = tuple(facts for facts in self.facts.values() if facts in executed)
            # Their numbers are known, and eight graphs are large; rules may ask for that of the one in the middle, and
            # of the one that spills most.
            numbers = [facts.target(name).registers for facts in estimated]
            most = max(range(len(numbers)), key=lambda number: numbers[number].estimate, default=0)
            for number, facts in enumerate(estimated):
                if number not in (most, typical(numbers)):
                    facts.executions.forget_graph(facts.compiler(name))
        return estimated

    def parts_on(self, name: str) -> Iterator[KernelFacts]:
        """Each for an architecture, up to the limit of work per kernel."""
        settled = self._estimated.get(name)
        return iter(settled) if settled is not None else self._within_limit(name)

    def _within_limit(self, name: str) -> Iterator[KernelFacts]:
        """Instantiations, until the executions of those before were as much work as a kernel may be."""
        spent = 0
        for facts in dict.fromkeys((*self._first, *self.facts.values())):
            if spent > (MOST_WORK_OF_THREE if facts in self._first else MOST_WORK):
                break
            yield facts
            spent += facts.work(name)


# Several instantiations of one kernel's template: which are worked out, and one estimate for all of them.


MOST = 8  # instantiations of a kernel that are executed
# Work of their executions by one compiler (`Machine.spent`) after which no further one is begun: of three of them, and
# of others. A third of a second.
MOST_WORK_OF_THREE, MOST_WORK = 20_000, 12_000
# Registers by which others may be outside of the band of the smallest and the largest: of the estimates of four
# templates of HeCBench with 8 to 39 instantiations none is.
_OUTSIDE = 4

_NUMBER = pattern(r"\b\d{1,9}\b")


def chosen(instances: Sequence[Instance]) -> tuple[Instance, ...]:
    """At most `MOST` instantiations, from the smallest to the largest by their arguments with equal steps between."""
    if len(instances) <= MOST:
        return tuple(instances)
    ordered = sorted(range(len(instances)), key=lambda number: size(instances[number]))
    last = len(ordered) - 1
    wanted = {ordered[round(step * last / (MOST - 1))] for step in range(MOST)}
    return tuple(instance for number, instance in enumerate(instances) if number in wanted)


def size(instance: Instance) -> tuple[float, int]:
    """By which the largest of several instantiations is found: the weight of its arguments, and where they are types
    with arguments of their own the numbers in those.
    """
    return instance.weight, sum(map(int, _NUMBER.findall(instance.arguments)))


def left_out(kernel: Kernel, number: int, *, smallest: bool, largest: bool) -> Unknown:
    """An entry for so many instantiations of a kernel that were not executed; whether the two ends were."""
    was = "was" if number == 1 else "were"
    text = (
        f"{number} of {len(kernel.instances)} instantiations {was} not tried: the band is that of the others; "
        f"`pressure --kernel '{kernel.name}<...>'` shows any of them"
    )
    opens: Opens = "both" if smallest == largest else "up" if smallest else "down"
    at_most = _OUTSIDE if smallest and largest else None
    return Unknown("instances", kernel.name, kernel.path, kernel.name_span, text, opens, at_most)


def typical(estimates: Sequence[RegisterEstimate]) -> int:
    """Index of the estimate in the middle, the larger one of two."""
    order = sorted(range(len(estimates)), key=lambda number: (estimates[number].estimate, estimates[number].low))
    return order[len(order) // 2]


def combined(estimates: Sequence[RegisterEstimate]) -> RegisterEstimate:
    """One estimate for a kernel with several instantiations.

    Registers and scratch are those of the instantiation in the middle, so that its values explain them. The band goes
    from the lowest low to the highest high: it holds what any of them takes.
    """
    from regpress_lint.model.estimate.registers import RegisterEstimate

    middle = estimates[typical(estimates)]
    return RegisterEstimate(
        min(part.low for part in estimates), middle.estimate, max(part.high for part in estimates), middle.scratch_bytes
    )
