"""What the execution of one kernel shows, as a compiler sees it: what is alive, which loops stay, where arrays live."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property, partial
from typing import TYPE_CHECKING

from regpress_lint.facts.launch_facts import LaunchFacts
from regpress_lint.ir.read_once import ReadOnce
from regpress_lint.passes.scalar_replacement import resolved, resolved_loops
from regpress_lint.source_level.static_values import Lookups
from regpress_lint.targets.codegen import compiler_by_vendor
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.passes.peak import Peak
    from regpress_lint.passes.scalar_replacement import Notes
    from regpress_lint.passes.trace import Execution, KernelInput, SettledMemory, Trace
    from regpress_lint.program.model import File, Kernel
    from regpress_lint.source_level.arrays import Access, PrivateArray
    from regpress_lint.source_level.indices import Reason
    from regpress_lint.source_level.loop_facts import LoopFacts
    from regpress_lint.source_level.own_slots import OwnSlots
    from regpress_lint.targets.codegen import Compiler


class ExecutedFacts(LaunchFacts):
    """The part of `KernelFacts` that answers from executions of the kernel, one a compiler. Two things about the
    compiler rest on the estimate, and `KernelFacts` decides them: its mode, and whether it tries again.
    """

    # Passes that are left out, of `trace.PASSES`; benchmarks set it for all kernels.
    without: frozenset[str] = frozenset()

    def __init__(self, file: File, kernel: Kernel, settings: Settings) -> None:
        super().__init__(file, kernel, settings)
        self._loops: dict[tuple[Function, Compiler], tuple[LoopFacts, ...]] = {}
        self._arrays_for: dict[Compiler, tuple[PrivateArray, ...]] = {}
        self._accesses: dict[Compiler, dict[Variable, tuple[Access, ...]]] = {}
        self._peaks: dict[Compiler, Peak] = {}
        self._traces: dict[Compiler, Trace] = {}
        self._executions: dict[Compiler, Execution] = {}
        self._machines: dict[Compiler, Machine] = {}  # executed, and nobody has asked yet what is alive

    @abstractmethod
    def compiler(self, name: str) -> Compiler:
        """The compiler for an architecture, with what the kernel asks of it."""

    @abstractmethod
    def settled(self, name: str) -> Execution:
        """The kernel as an architecture's compiler leaves it: `execution`, or its second try if the first spilled."""

    @cached_property
    def read_once(self) -> ReadOnce:
        """What executions of the kernel have read of its source."""
        return ReadOnce()

    @cached_property
    def settled_memory(self) -> SettledMemory:
        """What executions came to; instantiations of one template share it."""
        from regpress_lint.passes.trace import SettledMemory

        return SettledMemory()

    def peak(self, name: str) -> Peak:
        """What is alive where in the order that the estimate for an architecture is made of."""
        return self._peak(self.compiler(name))

    def _peak(self, compiler: Compiler) -> Peak:
        found = self._peaks.get(compiler)
        if found is None:
            from regpress_lint.passes.peak import Peak
            from regpress_lint.passes.trace import in_order, summed

            machine = self._machines.pop(compiler) if compiler in self._machines else self._executed(compiler)
            scheduled = in_order(machine, self.without)
            self._traces[compiler] = summed(scheduled)
            found = self._peaks[compiler] = Peak(scheduled)
        return found

    def trace(self, name: str) -> Trace:
        """What is alive when the kernel is executed as an architecture's compiler sees it, with `execution`."""
        compiler = self.compiler(name)
        if compiler not in self._traces:
            self._peak(compiler)
        return self._traces[compiler]

    def execution(self, name: str) -> Execution:
        """What the execution as an architecture's compiler sees the kernel says of loops, arrays and calls. It takes
        less than `trace`, which asks besides what is alive.
        """
        return self._execution(self.compiler(name))

    def _execution(self, compiler: Compiler) -> Execution:
        if compiler not in self._executions:
            self._machines[compiler] = self._executed(compiler)
        return self._executions[compiler]

    def _executed(self, compiler: Compiler) -> Machine:
        from regpress_lint.passes.trace import executed, execution_of

        machine = executed(self.input_for(compiler))
        self._executions[compiler] = execution_of(machine)
        return machine

    def input_for(self, compiler: Compiler) -> KernelInput:
        """What a compiler is given of the kernel."""
        from regpress_lint.ir.build.machine import Inputs
        from regpress_lint.passes.trace import KernelInput

        arrays = self.arrays_described(compiler)
        known = {array.variable: array for array in arrays}
        inputs = Inputs(self.file, self.environment, self.bound_threads, self.read_once, self.callee_of, known.get)
        loops = self._loops_around_accesses(arrays, compiler)
        room = self.lds_room(compiler)
        return KernelInput(self.kernel.function, compiler, inputs, arrays, loops, room, self.settled_memory)

    def forget_graphs(self) -> None:
        """Drop the graphs, which are large; what was asked of them stays known."""
        self._peaks.clear()
        self._machines.clear()

    @cached_property
    def _ranked(self) -> tuple[str, ...]:
        """The targets in an order of their own: where one speaks for others, it is not the first that was named."""
        names = self.targets or self.chosen_targets
        return tuple(sorted(names, key=lambda name: (architecture(name).vendor, name)))

    @property
    def _first_target(self) -> str:
        return self._ranked[0]

    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's function or of a device function, as the compiler for the first target sees them."""
        return self.loops_for(function, self._first_target)

    def loops_for(self, function: Function, name: str) -> tuple[LoopFacts, ...]:
        """The same as an architecture's compiler sees them."""
        return self._loops_by(function, self.compiler(name))

    def _loops_by(self, function: Function, compiler: Compiler) -> tuple[LoopFacts, ...]:
        found = self._loops.get((function, compiler))
        if found is None:
            found = self._loops_before(function, compiler)
            if found:
                found = resolved_loops(found, self._execution(compiler).notes)
            self._loops[function, compiler] = found
        return found

    def _loops_described(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of a function as the syntax tree shows them, before the kernel is executed."""
        return self._loops_before(function, self.compiler(self._first_target))

    def _loops_before(self, function: Function, compiler: Compiler) -> tuple[LoopFacts, ...]:
        return self.source.loops_of(function, compiler.unrolling)

    @cached_property
    def loops(self) -> tuple[LoopFacts, ...]:
        """All loops of the kernel's body in source order."""
        return self.loops_of(self.kernel.function)

    @property
    def described_loops(self) -> tuple[LoopFacts, ...]:
        """`loops` as the source shows them: as many, and no execution."""
        return self._loops_described(self.kernel.function)

    @cached_property
    def own_slots(self) -> dict[OwnSlots, tuple[str, ...]]:
        """Shared arrays of the kernel's body of which every thread uses only slots of its own, with the targets for
        which loops that count the slots are copied.
        """
        from regpress_lint.source_level.own_slots import own_slots

        function = self.kernel.function
        found: dict[OwnSlots, tuple[str, ...]] = {}
        for name in self.targets:
            loops = partial(self.loops_for, function, name)
            for slots in own_slots(self.flow_of(function), loops, self.environment, self.kernel.launches):
                found[slots] = (*found.get(slots, ()), name)
        return found

    @cached_property
    def described_arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the syntax tree shows them, before the kernel is executed; indices are constants in the
        loops that the compiler for the first target unrolls.
        """
        return self.arrays_described(self.compiler(self._first_target))

    def arrays_described(self, compiler: Compiler) -> tuple[PrivateArray, ...]:
        """The same as one compiler unrolls: what its execution begins with may not hang on which other targets a run
        is for.
        """
        return self.source.arrays(compiler.unrolling)

    def used_elements(self, name: str, array: PrivateArray) -> int:
        """How many elements of an array the kernel reads or writes, as an architecture's compiler sees it; all of them
        where indices are known at run time only, or where something that is not in view gets the array.
        """
        elements, seen_by = array.elements or 0, self.execution(name)
        seen = seen_by.notes.elements.get(array.variable) if seen_by.complete else None
        return min(elements, seen) if seen else elements

    def resolved_arrays(self, notes: Notes, compiler: Compiler) -> tuple[PrivateArray, ...]:
        """Automatic arrays as an execution for a compiler saw them."""
        return self._resolved(self.arrays_described(compiler), notes, compiler)

    def _resolved(self, arrays: tuple[PrivateArray, ...], notes: Notes, compiler: Compiler) -> tuple[PrivateArray, ...]:
        return resolved(arrays, notes, self._loops_around_accesses(arrays, compiler))

    def _loops_around_accesses(
        self, arrays: tuple[PrivateArray, ...], compiler: Compiler
    ) -> dict[Function, tuple[LoopFacts, ...]]:
        functions = dict.fromkeys(access.function for array in arrays for access in array.described if access.loops)
        return {function: self._loops_before(function, compiler) for function in functions}

    @cached_property
    def arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays of the kernel's body and of inlined functions. An index that a compiler for one of the
        targets does not know counts as one known at run time.
        """
        return self._executed_arrays(self._left_in_memory)

    def arrays_for(self, name: str) -> tuple[PrivateArray, ...]:
        """`arrays` as an architecture's compiler alone sees and leaves them: what is said of one GPU may not hang on
        which others a run is for.
        """
        compiler = self.compiler(name)
        found = self._arrays_for.get(compiler)
        if found is None:

            def left(vendor: str) -> frozenset[Variable]:
                return self.settled(name).in_memory if vendor == compiler.vendor else self._left_in_memory(vendor)

            found = self._arrays_for[compiler] = self._arrays_seen(compiler, left)
        return found

    def array_for(self, name: str, array: PrivateArray) -> PrivateArray:
        """One of `arrays` as an architecture's compiler alone sees it."""
        return next((each for each in self.arrays_for(name) if each.variable is array.variable), array)

    def _executed_arrays(self, left: Callable[[str], frozenset[Variable]]) -> tuple[PrivateArray, ...]:
        first = self.compiler(self._first_target)
        arrays = self._sized(self.described_arrays, first)
        return tuple(each.executed(partial(self._accesses_of, each), left) for each in arrays)

    def _sized(self, arrays: tuple[PrivateArray, ...], compiler: Compiler) -> tuple[PrivateArray, ...]:
        """The arrays, those of unknown size with the elements that an execution found."""
        if all(array.elements is not None for array in arrays):
            return arrays
        extents = self._execution(compiler).notes.extents
        return tuple(array.sized(extents) for array in arrays)

    def _arrays_seen(self, compiler: Compiler, left: Callable[[str], frozenset[Variable]]) -> tuple[PrivateArray, ...]:
        described = self._sized(self.arrays_described(compiler), compiler)
        return tuple(each.executed(partial(self._accesses_by, compiler, each.variable), left) for each in described)

    def _accesses_by(self, compiler: Compiler, variable: Variable) -> tuple[Access, ...]:
        found = self._accesses.get(compiler)
        if found is None:
            around = partial(self._loops_around, loops_of=partial(self._loops_by, compiler=compiler))
            seen = self.resolved_arrays(self._execution(compiler).notes, compiler)
            found = self._accesses[compiler] = {
                array.variable: tuple(each._replace(loops=around(each)) for each in array.accesses) for array in seen
            }
        return found[variable]

    def _accesses_of(self, array: PrivateArray) -> tuple[Access, ...]:
        return self._executed_accesses[array.variable]

    @cached_property
    def _executed_accesses(self) -> dict[Variable, tuple[Access, ...]]:
        compilers = dict.fromkeys(map(self.compiler, self._ranked))
        arrays = self.described_arrays
        seen = [self._resolved(arrays, self._execution(compiler).notes, compiler) for compiler in compilers]
        result: dict[Variable, tuple[Access, ...]] = {}
        for first, *others in zip(*seen, strict=True):
            moving = zip(*(array.accesses for array in (first, *others)), strict=True)
            dynamic = (any(access.dynamic for access in each) for each in moving)
            pairs = zip(first.accesses, dynamic, strict=True)
            accesses = (
                access._replace(dynamic=late, loops=self._loops_around(access, self.loops_of)) for access, late in pairs
            )
            result[first.variable] = tuple(accesses)
        return result

    def _loops_around(
        self, access: Access, loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    ) -> tuple[LoopFacts, ...]:
        loops = {loop.loop: loop for loop in loops_of(access.function)} if access.loops else {}
        return tuple(loops.get(loop.loop, loop) for loop in access.loops)

    def _left_in_memory(self, vendor: str) -> frozenset[Variable]:
        """Arrays that a vendor's compiler leaves in memory, the one for the first target of that vendor."""
        name = self._first_of(vendor)
        if name is not None:
            return self.settled(name).in_memory
        again = compiler_by_vendor(vendor).again
        spilled = again is not None and self._has_too_large(compiler_by_vendor(vendor))
        return self._execution(again).in_memory if again and spilled else self._left_at_first(vendor)

    def _left_at_first(self, vendor: str) -> frozenset[Variable]:
        """The same at the compiler's first try."""
        name = self._first_of(vendor)
        return self._execution(compiler_by_vendor(vendor) if name is None else self.compiler(name)).in_memory

    def _first_of(self, vendor: str) -> str | None:
        """The target that speaks for a vendor, None if there is none."""
        return next((name for name in self._ranked if self.compiler(name).vendor == vendor), None)

    def _has_too_large(self, compiler: Compiler) -> bool:
        """True if an array alone is too much for the registers of Intel's compiler, which does not see it at first."""
        from regpress_lint.passes.intel_arrays import spills

        tried = self._arrays_seen(compiler, lambda _vendor: self._execution(compiler).in_memory)
        return any(spills(array, compiler) for array in tried if array.bytes and array.dynamic)

    def why_dynamic(self, access: Access, name: str = "") -> tuple[Reason, ...]:
        """What keeps the indices of an access to a private array from being constants, for an architecture's compiler
        or the one for the first target.
        """
        from regpress_lint.source_level.indices import reasons

        loops_of = partial(self.loops_for, name=name or self._first_target)
        return reasons(access, self._lookups._replace(loops_of=loops_of))

    def is_guessed(self, array: PrivateArray, name: str) -> bool:
        """True if every index of a private array that an architecture's compiler knows only at run time rests on names
        that are not in view, of templates and headers: they are constants most likely, and then the indices keep it
        nowhere.
        """
        described = self._described_table.get(array.variable)
        if array.elements is not None and described is not None and described.elements is None:
            # The execution knows those names: what moved there moves all the same.
            key = array.variable.name, array.variable.span.start
            return not self.execution(name).notes.moving.get(key)
        dynamic = self.array_for(name, array).dynamic
        reasons = (self.why_dynamic(access, name) for access in dynamic)
        return bool(dynamic) and not any(all(reason.certain for reason in each) for each in reasons)

    def array_of(self, variable: Variable) -> PrivateArray | None:
        """A private array as the source shows it."""
        return self._described_table.get(variable)

    @cached_property
    def _described_table(self) -> dict[Variable, PrivateArray]:
        return {array.variable: array for array in self.described_arrays}

    def arrays_left(self, name: str, execution: Execution) -> tuple[PrivateArray, ...]:
        """`arrays_for` an architecture as one execution by its compiler leaves them: in memory is what it has there."""

        def left(_vendor: str) -> frozenset[Variable]:
            return execution.in_memory

        return self._arrays_seen(self.compiler(name), left)

    @cached_property
    def _lookups(self) -> Lookups:
        source = self.source
        return Lookups(source.flow_of, source.liveness_of, self.loops_of, source.any_callee_of, source.environment)
