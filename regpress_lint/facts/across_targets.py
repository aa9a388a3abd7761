"""One kernel's loops and arrays over all targets of a run: rules report a line once."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from regpress_lint.facts.executions import loops_around
from regpress_lint.targets.codegen import compiler_by_vendor
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.facts.executions import Executions
    from regpress_lint.passes.trace import Execution
    from regpress_lint.source_level.arrays import Access, PrivateArray
    from regpress_lint.source_level.loop_facts import LoopFacts
    from regpress_lint.source_level.own_slots import OwnSlots
    from regpress_lint.targets.codegen import Compiler


class AcrossTargets:
    """A kernel as the compilers of several architectures see it. compiler_of: for an architecture. settled: the kernel
    as an architecture's compiler leaves it.
    """

    def __init__(
        self,
        executions: Executions,
        names: Sequence[str],
        compiler_of: Callable[[str], Compiler],
        settled: Callable[[str], Execution],
    ) -> None:
        self._executions = executions
        self._names = names
        self._compiler_of = compiler_of
        self._settled = settled
        self._arrays_for: dict[Compiler, tuple[PrivateArray, ...]] = {}

    @cached_property
    def _ranked(self) -> tuple[str, ...]:
        """The targets in an order of their own: where one speaks for others, it is not the first that was named."""
        return tuple(sorted(self._names, key=lambda name: (architecture(name).vendor, name)))

    @cached_property
    def first(self) -> Compiler:
        """The compiler for the first target, which speaks for all where they do not differ."""
        return self._compiler_of(self._ranked[0])

    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of a function as the compiler for the first target sees them."""
        return self._executions.loops(function, self.first)

    def own_slots(self, names: Sequence[str]) -> dict[OwnSlots, tuple[str, ...]]:
        """Shared arrays of the kernel's body of which every thread uses only slots of its own, with the targets for
        which loops that count the slots are copied.
        """
        from regpress_lint.source_level.own_slots import own_slots

        source = self._executions.source
        function, launches = source.kernel.function, source.kernel.launches
        found: dict[OwnSlots, tuple[str, ...]] = {}
        for name in names:
            loops = partial(self._executions.loops, function, self._compiler_of(name))
            for slots in own_slots(source.flow_of(function), loops, source.environment, launches):
                found[slots] = (*found.get(slots, ()), name)
        return found

    @cached_property
    def described_arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the syntax tree shows them, with indices as the compiler for the first target unrolls."""
        return self._executions.described_arrays(self.first)

    @cached_property
    def described_table(self) -> dict[Variable, PrivateArray]:
        """The same by variable."""
        return {array.variable: array for array in self.described_arrays}

    @cached_property
    def arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays. An index that a compiler for one of the targets does not know counts as one known at run
        time.
        """
        arrays = self._executions.sized(self.described_arrays, self.first)
        return tuple(each.executed(partial(self._accesses_to, each.variable), self._left_in_memory) for each in arrays)

    def arrays_for(self, name: str) -> tuple[PrivateArray, ...]:
        """`arrays` as an architecture's compiler alone sees and leaves them: statements about one GPU must not depend
        on the other targets of a run.
        """
        compiler = self._compiler_of(name)
        found = self._arrays_for.get(compiler)
        if found is None:

            def left(vendor: str) -> frozenset[Variable]:
                return self._settled(name).in_memory if vendor == compiler.vendor else self._left_in_memory(vendor)

            found = self._arrays_for[compiler] = self._executions.arrays(compiler, left)
        return found

    def _accesses_to(self, variable: Variable) -> tuple[Access, ...]:
        return self._accesses[variable]

    @cached_property
    def _accesses(self) -> dict[Variable, tuple[Access, ...]]:
        compilers = dict.fromkeys(map(self._compiler_of, self._ranked))
        seen = [self._executions.resolved(self.described_arrays, compiler) for compiler in compilers]
        result: dict[Variable, tuple[Access, ...]] = {}
        for first, *others in zip(*seen, strict=True):
            moving = zip(*(array.accesses for array in (first, *others)), strict=True)
            late = [any(access.dynamic for access in each) for each in moving]
            result[first.variable] = tuple(
                access._replace(dynamic=dynamic, loops=loops_around(access, self.loops_of))
                for access, dynamic in zip(first.accesses, late, strict=True)
            )
        return result

    def _left_in_memory(self, vendor: str) -> frozenset[Variable]:
        """Arrays that a vendor's compiler leaves in memory, the one for the first target of that vendor."""
        name = next((name for name in self._ranked if self._compiler_of(name).vendor == vendor), None)
        if name is not None:
            return self._settled(name).in_memory
        compiler = compiler_by_vendor(vendor)
        spilled = compiler.again is not None and self._executions.has_too_large(compiler)
        return self._executions.execution(compiler.again if compiler.again and spilled else compiler).in_memory
