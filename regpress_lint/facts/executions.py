"""Results of one kernel's executions, one per compiler, and their summary over all targets of a run."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from regpress_lint.model.estimate.written import Written, at_most, written
from regpress_lint.model.graph.objects import ReadOnce
from regpress_lint.model.passes.scalar_replacement import resolved, resolved_loops
from regpress_lint.source.arrays import nowhere
from regpress_lint.targets.compilers import compiler_by_vendor
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.facts.launch_facts import LaunchFacts
    from regpress_lint.model.graph.objects import HandOver
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.model.passes.placement import KernelInput
    from regpress_lint.model.passes.scalar_replacement import SettledMemory
    from regpress_lint.model.passes.trace import Execution, Trace
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.source.indices import Reason
    from regpress_lint.source.kernel_source import KernelSource
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.source.per_thread_slots import PerThreadSlots
    from regpress_lint.targets.compilers.traits import Compiler


# One kernel's loops and arrays over all targets of a run: rules report a line once.


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

    def per_thread_slots(self, names: Sequence[str]) -> dict[PerThreadSlots, tuple[str, ...]]:
        """Shared arrays of the kernel's body of which every thread uses only slots of its own, with the targets for
        which loops that count the slots are copied.
        """
        from regpress_lint.source.per_thread_slots import per_thread_slots

        source = self._executions.source
        function, launches = source.kernel.function, source.kernel.launches
        flow, described = source.flow_of(function), source.loops_of(function)
        targets: dict[PerThreadSlots, tuple[str, ...]] = {}
        for name in names:
            loops = partial(self._executions.loops, function, self._compiler_of(name))
            for slots in per_thread_slots(flow, described, loops, source.environment, launches):
                targets[slots] = (*targets.get(slots, ()), name)
        return targets

    @cached_property
    def described_arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the syntax tree shows them."""
        return self._executions.described_arrays

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
        return tuple(
            array.executed(partial(self._accesses_to, array.variable), self._left_in_memory) for array in arrays
        )

    def arrays_for(self, name: str) -> tuple[PrivateArray, ...]:
        """`arrays` as an architecture's compiler alone sees and leaves them: statements about one GPU must not depend
        on the other targets of a run.
        """
        compiler = self._compiler_of(name)
        arrays = self._arrays_for.get(compiler)
        if arrays is None:

            def left(vendor: str) -> frozenset[Variable]:
                return self._settled(name).framed if vendor == compiler.vendor else self._left_in_memory(vendor)

            arrays = self._arrays_for[compiler] = self._executions.arrays(compiler, left)
        return arrays

    def _accesses_to(self, variable: Variable) -> tuple[Access, ...]:
        return self._accesses[variable]

    @cached_property
    def _accesses(self) -> dict[Variable, tuple[Access, ...]]:
        compilers = dict.fromkeys(map(self._compiler_of, self._ranked))
        seen = [self._executions.resolved(compiler) for compiler in compilers]
        result: dict[Variable, tuple[Access, ...]] = {}
        for first, *others in zip(*seen, strict=True):
            moving = zip(*(array.accesses for array in (first, *others)), strict=True)
            late = [any(access.dynamic for access in accesses) for accesses in moving]
            result[first.variable] = tuple(
                access._replace(dynamic=dynamic, loops=loops_around(access, self.loops_of))
                for access, dynamic in zip(first.accesses, late, strict=True)
            )
        return result

    def _left_in_memory(self, vendor: str) -> frozenset[Variable]:
        """Arrays that a vendor's compiler leaves in memory, the one for the first target of that vendor."""
        name = next((name for name in self._ranked if self._compiler_of(name).vendor == vendor), None)
        if name is not None:
            return self._settled(name).framed
        compiler = compiler_by_vendor(vendor)
        spilled = compiler.again is not None and self._executions.has_too_large(compiler)
        return self._executions.execution(compiler.again if compiler.again and spilled else compiler).framed


_TOO_LARGE = 40_000  # work of an execution that was cut off

# Results of one kernel's executions, one per compiler: live values, loops that stay, indices of arrays.


class Executions:
    """Executions of a kernel by compiler, each made when it is first asked about. Which compiler an architecture has,
    and whether it tries again, is for `compile` to say: nothing here depends on an estimate.
    """

    # Passes that are left out, of `trace.PASSES`; benchmarks set it for all kernels.
    without: frozenset[str] = frozenset()

    def __init__(self, source: KernelSource, launch: LaunchFacts) -> None:
        self.source = source
        self._launch = launch
        self.read_once = ReadOnce()
        self._loops: dict[tuple[Function, Compiler], tuple[LoopFacts, ...]] = {}
        self._accesses: dict[Compiler, dict[Variable, tuple[Access, ...]]] = {}
        self._resolved: dict[Compiler, tuple[PrivateArray, ...]] = {}
        self._peaks: dict[Compiler, Peak] = {}
        self._traces: dict[Compiler, Trace] = {}
        self._executions: dict[Compiler, Execution] = {}
        self._machines: dict[Compiler, Machine] = {}  # executed, and nobody has asked yet what is alive
        self._written: dict[Compiler, Written] = {}
        # Work of the executions by a compiler, see `Machine.spent`. At least the limit if one was cut off.
        self.work: dict[Compiler, int] = {}

    @cached_property
    def settled_memory(self) -> SettledMemory:
        """The settled results of executions; instantiations of one template share it."""
        from regpress_lint.model.passes.scalar_replacement import SettledMemory

        return SettledMemory()

    # ------------------------------------------------------------------------------------------------- executing

    def input_for(self, compiler: Compiler) -> KernelInput:
        from regpress_lint.model.interpreter.state import Inputs
        from regpress_lint.model.passes.placement import KernelInput

        source, arrays = self.source, self.described_arrays
        array_of = {array.variable: array for array in arrays}.get
        threads, read_once = self._launch.bound_threads, self.read_once
        inputs = Inputs(source.file, source.environment, threads, read_once, source.callee_of, array_of)
        loops, room = self._loops_around_accesses(arrays), self._launch.lds_room(compiler)
        function, template = source.kernel.function, len(source.kernel.instances) > 1
        return KernelInput(function, compiler, inputs, arrays, loops, room, self.settled_memory, template)

    def execution(self, compiler: Compiler) -> Execution:
        """Loops, arrays and calls from an execution of the kernel as a compiler sees it. It takes less time than
        `trace`, which also computes liveness.
        """
        if compiler not in self._executions:
            self._machines[compiler] = self._executed(compiler)
        return self._executions[compiler]

    def handed_over(self, compiler: Compiler, thread: int) -> tuple[HandOver, ...]:
        """Each `setmaxnreg` that a thread executes, from an execution of its own without copies of loops."""
        from regpress_lint.model.passes.placement import executed
        from regpress_lint.model.passes.scalar_replacement import SettledMemory

        asked = self.input_for(compiler)
        inputs = asked.inputs._replace(thread=thread)
        machine = executed(asked._replace(inputs=inputs, arrays=(), settled_memory=SettledMemory()), {"unrolling"})
        return tuple(machine.tally.handed_over)

    def _executed(self, compiler: Compiler) -> Machine:
        from regpress_lint.model.passes.placement import executed
        from regpress_lint.model.passes.trace import execution_of

        machine = executed(self.input_for(compiler))
        self._executions[compiler] = execution_of(machine)
        self.work[compiler] = machine.spent if machine.tally.complete else max(machine.spent, _TOO_LARGE)
        return machine

    def peak(self, compiler: Compiler) -> Peak:
        """Live values at each place of the order behind the estimate."""
        peak = self._peaks.get(compiler)
        if peak is None:
            from regpress_lint.model.passes.peak import Peak
            from regpress_lint.model.passes.trace import in_order

            machine = self._machines.pop(compiler) if compiler in self._machines else self._executed(compiler)
            peak = self._peaks[compiler] = Peak(in_order(machine, self.without))
        return peak

    def trace(self, compiler: Compiler) -> Trace:
        """Live values during the kernel's execution, with `execution`."""
        trace = self._traces.get(compiler)
        if trace is None:
            from regpress_lint.model.passes.trace import summed

            trace = self._traces[compiler] = summed(self.peak(compiler).found)
        return trace

    def forget_graph(self, compiler: Compiler) -> None:
        """Drop the graph of one compiler's execution; answers computed from it stay known."""
        self._peaks.pop(compiler, None)
        self._machines.pop(compiler, None)

    # ----------------------------------------------------------------------------------------------------- loops

    def loops(self, function: Function, compiler: Compiler) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's function or of a device function, as the execution left them."""
        loops = self._loops.get((function, compiler))
        if loops is None:
            loops = self.source.loops_of(function)
            if loops:
                loops = resolved_loops(loops, self.execution(compiler).notes)
            self._loops[function, compiler] = loops
        return loops

    # ---------------------------------------------------------------------------------------------------- arrays

    @property
    def described_arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the syntax tree shows them."""
        return self.source.arrays

    def arrays(self, compiler: Compiler, in_memory: Callable[[str], frozenset[Variable]]) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the execution saw them. in_memory: by vendor, those that stay there."""
        sized = self.sized(self.described_arrays, compiler)
        return tuple(array.executed(partial(self._accesses_to, array.variable, compiler), in_memory) for array in sized)

    def sized(self, arrays: tuple[PrivateArray, ...], compiler: Compiler) -> tuple[PrivateArray, ...]:
        """The arrays, those of unknown size with the elements that the execution finds on request."""
        return tuple(array.sized(lambda: self.execution(compiler).notes.extents) for array in arrays)

    def resolved(self, compiler: Compiler) -> tuple[PrivateArray, ...]:
        """Arrays of the syntax tree with the indices that the execution knew."""
        arrays_found = self._resolved.get(compiler)
        if arrays_found is None:
            arrays = self.described_arrays
            arrays_found = resolved(arrays, self.execution(compiler).notes, self._loops_around_accesses(arrays))
            self._resolved[compiler] = arrays_found
        return arrays_found

    def _loops_around_accesses(self, arrays: tuple[PrivateArray, ...]) -> dict[Function, tuple[LoopFacts, ...]]:
        functions = dict.fromkeys(access.function for array in arrays for access in array.described if access.loops)
        return {function: self.source.loops_of(function) for function in functions}

    def _accesses_to(self, variable: Variable, compiler: Compiler) -> tuple[Access, ...]:
        access = self._accesses.get(compiler)
        if access is None:
            loops_of = partial(self.loops, compiler=compiler)
            access = self._accesses[compiler] = {
                array.variable: tuple(
                    described._replace(loops=loops_around(described, loops_of)) for described in array.accesses
                )
                for array in self.resolved(compiler)
            }
        return access[variable]

    def has_too_large(self, compiler: Compiler) -> bool:
        """True if an array alone is too much for the registers of Intel's compiler, which does not see it at first."""
        from regpress_lint.model.passes.intel_arrays import spills

        uniform = self.execution(compiler).uniform
        divergent = (array for array in self.resolved(compiler) if array.variable not in uniform)
        return any(spills(array, compiler) for array in divergent if array.bytes and array.dynamic)

    def why_dynamic(self, access: Access, compiler: Compiler) -> tuple[Reason, ...]:
        """The reasons why the indices of an access to a private array are not constants."""
        from regpress_lint.source.arrays import Lookups
        from regpress_lint.source.indices import reasons

        source = self.source
        loops_of = partial(self.loops, compiler=compiler)
        lookups = Lookups(source.flow_of, loops_of, source.any_callee_of, source.environment, source.file.is_linked)
        return reasons(access, source.kernel.function, lookups)

    def is_guessed(self, array: PrivateArray, compiler: Compiler) -> bool:
        """True if every index of a private array that the compiler knows only at run time rests on unknown names, of
        templates and headers: they are constants most likely, and then the indices do not keep it in memory.
        """
        described = {candidate.variable: candidate for candidate in self.described_arrays}.get(array.variable)
        if described is None:
            dynamic = array.dynamic
        elif array.elements is not None and described.elements is None:
            # The execution knows those names: what moved there moves all the same.
            key = array.variable.name, array.variable.span.start
            return not self.execution(compiler).notes.moving.get(key)
        else:
            dynamic = described.executed(partial(self._accesses_to, described.variable, compiler), nowhere).dynamic
        reasons = (self.why_dynamic(access, compiler) for access in dynamic)
        return bool(dynamic) and not any(reason.certain for causes in reasons for reason in causes)

    # ----------------------------------------------------------------------------------------------- source text

    def written(self, compiler: Compiler) -> Written:
        """Registers from the source without an execution, as a compiler reads it; of its arrays as the
        execution sees them.
        """
        counted = self._written.get(compiler)
        if counted is None:
            source = self.source
            arrays: dict[Variable, PrivateArray] = {}
            if self.described_arrays:
                execution = self.execution(compiler)
                in_memory, uniform = execution.in_memory, execution.uniform
                found_arrays = self.arrays(compiler, lambda _vendor: in_memory)
                arrays = {array.variable: array for array in found_arrays if array.variable not in uniform}
            flows = [(source.flow_of(function), self.loops(function, compiler)) for function in source.functions]
            counted = self._written[compiler] = written(
                source.kernel.function, flows, arrays, compiler, self._launch.group
            )
        return counted

    def source_bound(self, compiler: Compiler) -> int:
        """No less than the registers of `written`, and no execution."""
        source, described = self.source, self.described_arrays
        flows = [(source.flow_of(function), source.loops_of(function)) for function in source.functions]
        return at_most(flows, {array.variable: array for array in described}, compiler)


def loops_around(access: Access, loops_of: Callable[[Function], Iterable[LoopFacts]]) -> tuple[LoopFacts, ...]:
    """The loops around an access, each as `loops_of` its function has it."""
    loops = {loop.loop: loop for loop in loops_of(access.function)} if access.loops else {}
    return tuple(loops.get(loop.loop, loop) for loop in access.loops)
