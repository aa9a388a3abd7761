"""The instantiations of a kernel's template behind its estimate: which of them are executed for an architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.estimate.registers import MOST_VALUES, MOST_VALUES_OF_THREE, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Instance


class Instantiations:
    """Those of one kernel, with the facts of each; as many are executed as a kernel may have values for."""

    def __init__(self, facts: dict[Instance, KernelFacts]) -> None:
        self.facts = facts
        ordered = sorted(facts, key=size)
        # Executed before others: the smallest, which shows for little what stays in memory, the largest, whose
        # registers end the band, and the one in the middle, which the estimate is that of.
        kept = (ordered[0], ordered[-1], ordered[len(ordered) // 2]) if ordered else ()
        self._first = tuple(dict.fromkeys(facts[one] for one in kept))
        self._estimated: dict[str, tuple[KernelFacts, ...]] = {}

    def estimated_on(self, name: str) -> tuple[KernelFacts, ...]:
        """Those behind the estimate for an architecture, in their order."""
        found = self._estimated.get(name)
        if found is None:
            executed: set[KernelFacts] = set()
            for facts in self._within_values(name):
                _ = facts.target(name).registers
                facts.forget_graphs()  # their numbers are known: eight graphs are large
                executed.add(facts)
            found = self._estimated[name] = tuple(facts for facts in self.facts.values() if facts in executed)
        return found

    def parts_on(self, name: str) -> Iterator[KernelFacts]:
        """Each for an architecture, but those for which a kernel has no values left."""
        settled = self._estimated.get(name)
        return iter(settled) if settled is not None else self._within_values(name)

    def _within_values(self, name: str) -> Iterator[KernelFacts]:
        """Instantiations, until those that were handed out have made as many values as a kernel may have."""
        spent = 0
        for facts in dict.fromkeys((*self._first, *self.facts.values())):
            if spent > (MOST_VALUES_OF_THREE if facts in self._first else MOST_VALUES):
                break
            yield facts
            spent += facts.values(name)
