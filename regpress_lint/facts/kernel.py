"""Facts about one kernel that rules and reports ask for. Everything is worked out on first use and only once."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.diagnostics import Severity
from regpress_lint.cpp.constants import Environment, array_elements, const_initialiser
from regpress_lint.cpp.syntax import Call, Expr, Function, LambdaExpr, Name, Variable
from regpress_lint.estimate.instantiations import chosen, combined, typical
from regpress_lint.estimate.registers import RegisterEstimate, estimate
from regpress_lint.estimate.scratch import copies, objects_in_memory, scratch_bytes, spilled_bytes
from regpress_lint.estimate.written import Written, at_most, written
from regpress_lint.facts.dead_code import without_dead
from regpress_lint.facts.register_budget import grf_modes, register_budget
from regpress_lint.facts.served import Unserved, unserved
from regpress_lint.facts.target import TargetFacts
from regpress_lint.ir.loop_shape import Shape
from regpress_lint.passes import loop_plan
from regpress_lint.passes.scalar_replacement import resolved, resolved_loops
from regpress_lint.passes.vectors import crowded_out
from regpress_lint.source_level.arrays import Lookups, PrivateArray, private_arrays
from regpress_lint.source_level.live_variables import Liveness, liveness
from regpress_lint.source_level.loop_facts import LoopFacts, loop_facts
from regpress_lint.source_level.reached_calls import CallSite, callee, reachable
from regpress_lint.source_level.walk import walk
from regpress_lint.targets.codegen import compiler_by_vendor, compiler_for
from regpress_lint.targets.occupancy import Architecture, architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.gpu_words import Word
    from regpress_lint.facts.budgets import KernelBudget
    from regpress_lint.facts.measured import Measured
    from regpress_lint.ir.objects import Indexed
    from regpress_lint.passes.intel_arrays import Limits
    from regpress_lint.passes.peak import Peak
    from regpress_lint.passes.scalar_replacement import Notes
    from regpress_lint.passes.trace import Trace
    from regpress_lint.program.model import File, Instance, Kernel, Launch
    from regpress_lint.source_level.arrays import Access
    from regpress_lint.source_level.flow import Flow
    from regpress_lint.source_level.indices import Reason
    from regpress_lint.source_level.memory_accesses import FunctionMemory
    from regpress_lint.source_level.own_slots import OwnSlots
    from regpress_lint.source_level.uniform import Uniform
    from regpress_lint.targets.codegen import Compiler

_MOST_REACHED = 200  # functions that are asked what they need
_CROWDED = 60  # registers: below it the estimate stays below 90

BlockSizeSource = Literal["launch_bounds", "launch", "assumed"]


def kernel_facts(file: File, kernel: Kernel, settings: Settings) -> KernelFacts:
    """Facts of one kernel of a file under these settings; nothing is computed yet."""
    return KernelFacts(file, kernel, settings)


def _lds_a_thread(launch: Launch) -> tuple[bool, float, int]:
    block, dynamic = launch.block_size or 1, launch.dynamic_lds_bytes
    return dynamic is None, (dynamic or 0) / block, -block


class KernelFacts:
    """Facts of one kernel; see the properties. without: passes that are left out, of `trace.PASSES`; benchmarks set it
    for all kernels.
    """

    without: frozenset[str] = frozenset()

    def __init__(self, file: File, kernel: Kernel, settings: Settings) -> None:
        self.file = file
        self.kernel = kernel
        self.settings = settings
        self._flows: dict[Function, Flow] = {}
        self._changed: set[Variable] = set()  # `modified` of all flows
        self._live: dict[Function, Liveness] = {}
        self._loops: dict[Function, tuple[LoopFacts, ...]] = {}
        self._described_loops: dict[Function, tuple[LoopFacts, ...]] = {}
        self._memory: dict[Function, FunctionMemory] = {}
        self._uniform: dict[tuple[Function, frozenset[Variable]], Uniform] = {}
        self._callees: dict[Call, Function | None] = {}
        self._targets: dict[str, TargetFacts] = {}
        self._peaks: dict[Compiler, Peak] = {}
        self._traces: dict[Compiler, Trace] = {}
        self._written: dict[Compiler, Written] = {}
        self._first_tries: dict[str, RegisterEstimate] = {}
        self._grfs: dict[str, int] = {}
        self._arguments: str | None = None  # of a template, where these are the facts of one instantiation

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Names of the architectures that count for this kernel: of those for its language the ones that its source can
        be compiled for.
        """
        return tuple(name for name in self.chosen_targets if self.unserved(name) is None)

    @property
    def chosen_targets(self) -> tuple[str, ...]:
        """Names of the architectures that the run is for, also of those that the source cannot be compiled for."""
        return self.settings.targets(self.kernel.language)

    def unserved(self, name: str) -> Unserved | None:
        """Why the source cannot be compiled for an architecture; None where it can, as far as it says."""
        return unserved(self._asked_of_gpu, name)

    @cached_property
    def _asked_of_gpu(self) -> tuple[Word, ...]:
        """What the source asks of a GPU, in the kernel and in the functions that it reaches."""
        found: list[Word] = []
        reached = dict.fromkeys((self.kernel.function,))
        for function in (pending := [*reached]):
            found += self.file.asked_of_gpu(function)
            for record in self.flow_of(function).calls:
                target = self.callee_of(record.call) if len(reached) <= _MOST_REACHED else None
                if target is not None and target not in reached:
                    reached[target] = None
                    pending.append(target)
        return tuple(found)

    @property
    def _first_target(self) -> str:
        return (self.targets or self.chosen_targets)[0]

    def forget(self) -> None:
        """Drop all that was worked out. The answers refer to these facts in turn: this breaks the circle, so that the
        trees of a file go with its last kernel and not when the garbage collector comes around.
        """
        for facts in self.__dict__.get("instances", {}).values():
            facts.forget()
        self.__dict__.clear()

    @cached_property
    def budgets(self) -> tuple[KernelBudget, ...]:
        """What its authors say it may take."""
        if not self.settings.budgets and b"regpress:" not in self.file.source.data:
            return ()
        from regpress_lint.facts.budgets import budgets_of

        return budgets_of(self)

    # ------------------------------------------------------------------------------------------ launch and memory

    @cached_property
    def launch(self) -> Launch | None:
        """The launch that the occupancy is worked out for: of those with a constant block size the one that fills a
        unit best, with the least dynamic LDS a thread and then the largest block. Block and LDS are its own, both.
        """
        sized = [launch for launch in self.kernel.launches if launch.block_size]
        return min(sized, key=_lds_a_thread, default=None)

    @property
    def launches_differ(self) -> bool:
        """True if the launches in view do not agree on block size and dynamic LDS."""
        return len({(launch.block_size, launch.dynamic_lds_bytes) for launch in self.kernel.launches}) > 1

    @cached_property
    def _block(self) -> tuple[int, BlockSizeSource]:
        if self.launch is not None and self.launch.block_size:
            return self.launch.block_size, "launch"
        bounds = self.kernel.launch_bounds
        if bounds is not None and bounds.max_threads:
            return bounds.max_threads, "launch_bounds"
        return self.settings.assumed_block_size, "assumed"

    @property
    def block_size(self) -> int:
        """Threads a block: of the launch that fills a unit best, else the launch bound, else assumed."""
        return self._block[0]

    @property
    def block_size_from(self) -> BlockSizeSource:
        """Where `block_size` is from."""
        return self._block[1]

    @cached_property
    def _static_lds(self) -> tuple[int, bool, bool]:
        """Bytes of sized LDS, whether that is all of it, and whether there is an `extern` array besides."""
        total, complete, unsized = self.kernel.local_accessors_bytes or 0, True, False
        if self.kernel.local_accessors_bytes is None:
            complete = False
        handed = {variable for function in self.functions for variable in function.parameters}  # of the launch
        declared = (v for function in self.functions for v in self.flow_of(function).declared)
        shared = [v for v in declared if v.storage == "shared" and v not in handed]
        for variable in shared:
            if variable.unsized_shared:
                unsized = True
                continue
            elements = array_elements(variable, self.environment) if variable.dims else 1
            if elements is None or variable.type.size is None:
                complete = False
            else:
                total += elements * variable.type.size
        return total, complete, unsized

    def lds_of(self, launch: Launch | None) -> tuple[int, bool]:
        """LDS of a work-group of that launch in bytes, at least, and True if that is all of it.

        None stands for a kernel without a launch in view.
        """
        total, complete, unsized = self._static_lds
        if launch is None:
            return total, complete and not unsized
        return total + (launch.dynamic_lds_bytes or 0), complete and launch.dynamic_lds_bytes is not None

    @cached_property
    def lds_bytes(self) -> int | None:
        """Static and dynamic LDS of a work-group in bytes; None if the source does not settle it."""
        launches = self.kernel.launches if self.launch is None else (self.launch,)
        sizes = [self.lds_of(launch) for launch in launches or (None,)]
        return max(total for total, _ in sizes) if all(known for _, known in sizes) else None

    @property
    def lds_at_least(self) -> int:
        """`lds_bytes`, or the part of it that is certain: what a work-group takes in any case."""
        if self.lds_bytes is not None:
            return self.lds_bytes
        return self.lds_of(self.launch)[0]

    @property
    def lds_known(self) -> bool:
        """False if `lds_bytes` is None."""
        return self.lds_bytes is not None

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The kernel's function and the device functions that it reaches."""
        called = (self.callee_of(site.call) for site in self.calls)
        return tuple(dict.fromkeys((self.kernel.function, *(function for function in called if function is not None))))

    # ---------------------------------------------------------------------------------------------------- walks

    def flow_of(self, function: Function) -> Flow:
        """Flow graph of the kernel's function or of a device function."""
        found = self._flows.get(function)
        if found is None:
            found = self._flows[function] = walk(function, self.file.type_of)
            self._changed |= found.modified
        return found

    def liveness_of(self, function: Function) -> Liveness:
        """Live variables of the kernel's function or of a device function."""
        found = self._live.get(function)
        if found is None:
            found = self._live[function] = liveness(self.flow_of(function))
        return found

    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's function or of a device function, as the compiler for the first target sees them."""
        found = self._loops.get(function)
        if found is None:
            found = self._loops_described(function)
            if found and self.described_arrays:
                found = resolved_loops(found, self.trace(self._first_target).notes)
            self._loops[function] = found
        return found

    def _loops_described(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of a function as the syntax tree shows them, before the kernel is executed."""
        found = self._described_loops.get(function)
        if found is None:
            found = loop_facts(self.flow_of(function), self.environment, self._unrolls)
            self._described_loops[function] = found
        return found

    def _unrolls(self, trips: int, factor: int | None, size: int, *, arrays: bool) -> bool:
        shape = Shape(trips, factor, size, arrays=(0,) if arrays else ())
        return loop_plan.plan(shape, self.compiler(self._first_target).unrolling).whole

    def memory_of(self, function: Function) -> FunctionMemory:
        """Reads and writes of memory in the kernel's function or in a device function."""
        found = self._memory.get(function)
        if found is None:
            from regpress_lint.source_level.memory_accesses import FunctionMemory

            found = self._memory[function] = FunctionMemory(self.flow_of(function), self.file.type_of)
        return found

    def uniform(self, held: frozenset[Variable] = frozenset(), function: Function | None = None) -> Uniform:
        """Which expressions of a function (the kernel's, if none is named) are the same for all threads of a wave, if
        the variables `held` are.
        """
        here = self.kernel.function if function is None else function
        found = self._uniform.get((here, held))
        if found is None:
            from regpress_lint.source_level.uniform import Uniform

            flow = self.flow_of(here)
            bits = sum(flow.bits.get(variable, 0) for variable in held)
            kernel = here is self.kernel.function
            found = self._uniform[here, held] = Uniform(flow, self._same_for_all, bits, kernel=kernel)
        return found

    def _same_for_all(self, name: str) -> bool:
        """True for a name that stands for a constant, also for one whose value is not in view."""
        template = self.kernel.function.template
        return self.environment.names(name) is not None or any(each.name == name for each in template)

    def callee_of(self, call: Call) -> Function | None:
        """Definition of a called device function if it is in view."""
        callees = self._callees
        if call not in callees:
            callees[call] = callee(call, self.file.find_function)
        return callees[call]

    @cached_property
    def environment(self) -> Environment:
        """Constants as the compiler sees them in this kernel: template arguments, and locals that never change."""
        bindings: Mapping[str, Number] = self.kernel.bindings
        constant = self.file.constant

        def names(name: str) -> Number | None:
            return bindings[name] if name in bindings else constant(name)

        file = self.file
        return Environment(names if bindings else constant, self._initialiser, file.type_of, called=file.called)

    def _initialiser(self, variable: Variable) -> Expr | None:
        if variable.storage == "local" and not variable.dims and variable.init is not None:
            if variable.type.pointers or self._is_modified(variable):
                return None
            return variable.init
        return const_initialiser(variable) if variable.storage != "parameter" else None

    def _is_modified(self, variable: Variable) -> bool:
        """`modified`, for variables of every function walked so far."""
        return variable in self._changed or variable in self.modified

    # --------------------------------------------------------------------------------------------- what rules ask

    @cached_property
    def loops(self) -> tuple[LoopFacts, ...]:
        """All loops of the kernel's body in source order."""
        return self.loops_of(self.kernel.function)

    @property
    def described_loops(self) -> tuple[LoopFacts, ...]:
        """`loops` as the source shows them: as many, and no execution."""
        return self._loops_described(self.kernel.function)

    @cached_property
    def calls(self) -> tuple[CallSite, ...]:
        """All calls reachable from the kernel."""
        return tuple(reachable(self.kernel.function, self.flow_of, self.loops_of, self.callee_of))

    @cached_property
    def described_arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the syntax tree shows them, before the kernel is executed."""
        found = private_arrays(self.kernel.function, self._lookups._replace(loops_of=self._loops_described))
        return without_dead(found, self.kernel.function, self.environment, self.flow_of, self.callee_of)

    def resolved_arrays(self, notes: Notes) -> tuple[PrivateArray, ...]:
        """Automatic arrays as an execution saw them."""
        known: dict[Function, tuple[LoopFacts, ...]] = {}

        def loops_of(access: Access) -> tuple[LoopFacts, ...]:
            function = access.function
            if function not in known:
                known[function] = resolved_loops(self._loops_described(function), notes)
            return known[function]

        return resolved(self.described_arrays, notes, loops_of)

    @cached_property
    def arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays of the kernel's body and of inlined functions. An index that a compiler for one of the
        targets does not know counts as one known at run time.
        """
        return self._executed_arrays(self._left_in_memory)

    @cached_property
    def _tried_arrays(self) -> tuple[PrivateArray, ...]:
        """`arrays` as the compilers' first tries have them."""
        return self._executed_arrays(self._left_at_first)

    def _executed_arrays(self, left: Callable[[str], frozenset[Variable]]) -> tuple[PrivateArray, ...]:
        return tuple(each.executed(partial(self._accesses_of, each), left) for each in self.described_arrays)

    def _accesses_of(self, array: PrivateArray) -> tuple[Access, ...]:
        return self._executed_accesses[array.variable]

    @cached_property
    def _executed_accesses(self) -> dict[Variable, tuple[Access, ...]]:
        compilers = dict.fromkeys(self.compiler(name) for name in self.targets or self.chosen_targets)
        seen = [self.resolved_arrays(self._trace(compiler).notes) for compiler in compilers]
        result: dict[Variable, tuple[Access, ...]] = {}
        for first, *others in zip(*seen, strict=True):
            moving = zip(*(array.accesses for array in (first, *others)), strict=True)
            dynamic = (any(access.dynamic for access in each) for each in moving)
            pairs = zip(first.accesses, dynamic, strict=True)
            accesses = (access._replace(dynamic=late, loops=self._loops_around(access)) for access, late in pairs)
            result[first.variable] = tuple(accesses)
        return result

    def _loops_around(self, access: Access) -> tuple[LoopFacts, ...]:
        loops = {loop.loop: loop for loop in self.loops_of(access.function)} if access.loops else {}
        return tuple(loops.get(loop.loop, loop) for loop in access.loops)

    def _left_in_memory(self, vendor: str) -> frozenset[Variable]:
        """Arrays that a vendor's compiler leaves in memory, the one for the first target of that vendor."""
        name = next((each for each in self.targets if self.compiler(each).vendor == vendor), None)
        if name is not None:
            return self.settled(name).in_memory
        again = compiler_by_vendor(vendor).again
        spilled = again is not None and self._has_too_large(compiler_by_vendor(vendor))
        return self._trace(again).in_memory if again and spilled else self._left_at_first(vendor)

    def _left_at_first(self, vendor: str) -> frozenset[Variable]:
        """The same at the compiler's first try."""
        compilers = (self.compiler(name) for name in self.targets)
        compiler = next((each for each in compilers if each.vendor == vendor), None)
        return self._trace(compiler or compiler_by_vendor(vendor)).in_memory

    @cached_property
    def own_slots(self) -> tuple[OwnSlots, ...]:
        """Shared arrays of the kernel's body of which every thread uses only slots of its own."""
        from regpress_lint.source_level.own_slots import own_slots

        function = self.kernel.function
        return own_slots(self.flow_of(function), self.loops, self.environment, self.kernel.launches)

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All automatic variables declared in the body, in source order."""
        declared = self.flow_of(self.kernel.function).declared
        return tuple(variable for variable in declared if variable.storage in ("local", "constexpr"))

    @cached_property
    def modified(self) -> frozenset[Variable]:
        """Variables assigned after their declaration, or whose address or reference is taken."""
        flow = self.flow_of(self.kernel.function)
        return frozenset(flow.modified | self._by_reference(flow))

    def _by_reference(self, flow: Flow) -> set[Variable]:
        found: set[Variable] = set()
        for record in flow.calls:
            names = [argument for argument in record.call.args if isinstance(argument, Name) and argument.variable]
            if not names or (target := self.callee_of(record.call)) is None:
                continue
            for argument, parameter in zip(record.call.args, target.parameters, strict=False):
                type_ = parameter.type
                if type_.reference and not type_.const and isinstance(argument, Name) and argument.variable:
                    found.add(argument.variable)
        return found

    # ------------------------------------------------------------------------------------------------- instances

    @cached_property
    def instances(self) -> dict[Instance, KernelFacts]:
        """Facts of the instantiations that the estimate is made of; none of a kernel that has no more than one."""
        several = self.kernel.instances if len(self.kernel.instances) > 1 else ()
        found = {one: KernelFacts(self.file, one.kernel, self.settings) for one in chosen(several)}
        for one, facts in found.items():
            facts._arguments = one.arguments
        return found

    def typical(self, name: str) -> KernelFacts:
        """Facts of the instantiation whose estimate for an architecture is in the middle; these if there is one."""
        found = list(self.instances.values())
        return found[typical([facts.target(name).registers for facts in found])] if found else self

    # --------------------------------------------------------------------------------------------------- targets

    def target(self, name: str) -> TargetFacts:
        """What the kernel takes on an architecture. Raises UnknownArchitectureError for a name that is none."""
        found = self._targets.get(name)
        if found is None:
            found = self._targets[name] = self._target(name)
        return found

    def compiler(self, name: str) -> Compiler:
        """The compiler for an architecture, with what the kernel asks of it."""
        arch = architecture(name)
        return compiler_for(arch, self.kernel.sub_group_size, self._grf(arch))

    def _grf(self, arch: Architecture) -> int:
        """GRF registers of a hardware thread, on Intel; a kernel that leaves them to IGC gets more if it spills."""
        *few, most = grf_modes(arch, self.kernel, self.settings.registers)
        for tried in () if arch.name in self._grfs else (*few, most):
            self._grfs[arch.name] = tried
            if tried == most or not self.typical(arch.name)._is_tried_again(arch.name):
                break
            self._first_tries.pop(arch.name, None)
            self._targets.pop(arch.name, None)
        return self._grfs[arch.name]

    def peak(self, name: str) -> Peak:
        """What is alive where in the order that the estimate for an architecture is made of."""
        return self._peak(self.compiler(name))

    def _peak(self, compiler: Compiler) -> Peak:
        found = self._peaks.get(compiler)
        if found is None:
            from regpress_lint.passes.peak import Peak
            from regpress_lint.passes.trace import scheduled_kernel, summed

            scheduled = scheduled_kernel(self.kernel.function, self, compiler, self.without)
            self._traces[compiler] = summed(scheduled)
            found = self._peaks[compiler] = Peak(scheduled)
        return found

    def trace(self, name: str) -> Trace:
        """What is left of the kernel when it is executed as an architecture's compiler sees it."""
        return self._trace(self.compiler(name))

    def _trace(self, compiler: Compiler) -> Trace:
        if compiler not in self._traces:
            self._peak(compiler)
        return self._traces[compiler]

    def scratch_bytes(self, name: str) -> int:
        """Private memory per thread on an architecture."""
        return self._scratch(self._array_table, name, self.settled(name))

    def tried_scratch_bytes(self, name: str) -> int:
        """Private memory per thread as the compiler's first try has it, of which the registers are estimated."""
        return self._scratch(self._tried_table, name, self.trace(name))

    def _scratch(self, arrays: Mapping[Variable, PrivateArray], name: str, trace: Trace) -> int:
        flows, vendor = map(self.flow_of, self.functions), architecture(name).vendor
        return scratch_bytes(arrays.values(), flows, trace, vendor, self._crowded_out(name))

    def settled(self, name: str) -> Trace:
        """The kernel as an architecture's compiler leaves it: `trace`, or its second try where the first spilled."""
        again = self.compiler(name).again
        return self._trace(again) if again is not None and self.is_tried_again(name) else self.trace(name)

    def is_tried_again(self, name: str) -> bool:
        """True if an architecture's compiler tries once more, with all that is indexed at run time in memory."""
        if self.compiler(name).again is None:
            return False
        found = self.typical(name)
        return found._is_tried_again(name)

    def _is_tried_again(self, name: str) -> bool:
        spilled = self._tried(architecture(name)).estimate > self.target(name).budget
        return spilled or self._has_too_large(self.compiler(name))

    def _has_too_large(self, compiler: Compiler) -> bool:
        """True if an array alone is too much for the registers of Intel's compiler, which does not see it at first."""
        from regpress_lint.passes.intel_arrays import spills

        return any(spills(array, compiler) for array in self._tried_arrays if array.bytes and array.dynamic)

    def crowded_out(self, name: str) -> tuple[PrivateArray, ...]:
        """Arrays that clang would make vectors of on an architecture if the kernel did not have so many of them."""
        return tuple(self._array_table[array.variable] for array in self._crowded_out(name))

    def _crowded_out(self, name: str) -> tuple[PrivateArray, ...]:
        if not self.described_arrays or architecture(name).vendor != "amd":
            return ()
        trace = self.trace(name)
        return crowded_out(self.resolved_arrays(trace.notes), trace.in_memory, self.target(name).budget)

    def is_indexed_late(self, array: PrivateArray, name: str) -> bool:
        """True if an architecture's compiler leaves an index into an array that is known at run time only."""
        seen = self.resolved_arrays(self.trace(name).notes)
        return any(each.dynamic for each in seen if each.variable is array.variable)

    def intel_limits(self, array: PrivateArray, name: str, element_bytes: int | None = None) -> Limits:
        """What a private array that is indexed at run time may have on an Intel architecture to stay in registers, also
        if its elements had another size.
        """
        from regpress_lint.passes.intel_arrays import limits

        return limits(array, self.compiler(name), architecture(name), element_bytes or array.element_bytes)

    def why_dynamic(self, access: Access) -> tuple[Reason, ...]:
        """What keeps the indices of an access to a private array from being constants."""
        from regpress_lint.source_level.indices import reasons

        return reasons(access, self._lookups)

    def objects_in_memory(self, name: str) -> list[list[Indexed]]:
        """By object, run-time indices into private structs (and the like) that an architecture's compiler keeps in
        memory. It takes an execution of the kernel, like the estimate.
        """
        copied = copies(map(self.flow_of, self.functions))
        return objects_in_memory(self.settled(name), architecture(name).vendor, copied)

    def array_of(self, variable: Variable) -> PrivateArray | None:
        """A private array as the source shows it."""
        return self._described_table.get(variable)

    def _target(self, name: str) -> TargetFacts:
        arch = architecture(name)
        wave = self.kernel.sub_group_size if self.kernel.sub_group_size in arch.wave_sizes else None
        options = self.settings.registers
        grf = self._grf(arch)
        budget = register_budget(arch, self.kernel, options, wave, grf)
        block = max(self.block_size, 1)
        estimated, crowded = partial(self._with_spills, arch), partial(self._is_crowded, name)
        lds, measured = self.lds_at_least, partial(self._measured, name)
        return TargetFacts(arch, estimated, crowded, max(budget, 1), block, lds, wave, grf, measured)

    def _measured(self, name: str) -> Measured | None:
        if not self.settings.measured:
            return None
        from regpress_lint.facts.measured import measured_of

        return measured_of(self.settings.measured, self.file, self.kernel, name, self._arguments)

    def _is_crowded(self, name: str) -> bool:
        return any(facts.source_reaches(name, _CROWDED) for facts in (self, *self.instances.values()))

    def source_reaches(self, name: str, registers: int) -> bool:
        """Whether `source_registers` are that many; the kernel is only executed if its arrays can decide that."""
        return self.source_bound(name) >= registers and self.source_registers(name) >= registers

    def source_registers(self, name: str) -> int:
        """More registers than the values can take that the source names, as an architecture's compiler keeps arrays."""
        return self.written(name).most

    def source_bound(self, name: str) -> int:
        """No less than `source_registers`, and no execution."""
        if not self.described_arrays:
            return self.source_registers(name)
        return at_most(map(self.flow_of, self.functions), self._described_table, self.compiler(name))

    def written(self, name: str) -> Written:
        """What the source says of registers without being executed, as an architecture's compiler reads it."""
        compiler = self.compiler(name)
        found = self._written.get(compiler)
        if found is None:
            flows = [(self.flow_of(function), self.loops_of(function)) for function in self.functions]
            found = written(self.kernel.function, flows, self._tried_table, compiler)
            self._written[compiler] = found
        return found

    def _with_spills(self, arch: Architecture) -> RegisterEstimate:
        """The estimate; where its whole band is beyond the budget, what has no room is private memory. Where only a
        part of it is, nobody knows: RP101 and RP104 say what may happen. IGC tries again before it spills.
        """
        found = self._estimate(arch)
        if self.instances or arch.vendor == "intel":  # each instance has its own
            return found
        # Accumulation registers in a file of their own take what the others have no room for.
        room = self.target(arch.name).budget * (2 if arch.acc_regs == "separate" else 1)
        spilled = spilled_bytes(found.estimate, room) if found.low > room else 0
        return found._replace(scratch_bytes=found.scratch_bytes + spilled)

    def _estimate(self, arch: Architecture) -> RegisterEstimate:
        if self.instances:
            found = combined([facts.target(arch.name).registers for facts in self.instances.values()])
            for facts in self.instances.values():  # their numbers are known: eight graphs are large
                facts._peaks.clear()
            return found
        found = self._tried(arch)
        return found._replace(scratch_bytes=self.scratch_bytes(arch.name)) if self.is_tried_again(arch.name) else found

    def _tried(self, arch: Architecture) -> RegisterEstimate:
        """The estimate of the compiler's first try."""
        name = arch.name
        if name not in self._first_tries:
            certain = not self.unknown_types and self.file.certain
            scratch = self.tried_scratch_bytes(name)
            made = estimate(self.trace(name), self.written(name), arch, scratch, certain=certain)
            self._first_tries[name] = made
        return self._first_tries[name]

    @property
    def wants_hints(self) -> bool:
        """True if hints may be shown, so that it is worth to work out what can be no more than one."""
        chosen = self.settings.select or self.settings.extend_select
        return bool(chosen) or self.settings.threshold is Severity.HINT

    @cached_property
    def unknown_types(self) -> bool:
        """True if a value that may be live has a type whose size the source in view does not give."""
        return any(
            v.type.size is None and not v.type.pointers for v in self.variables if not isinstance(v.init, LambdaExpr)
        )

    @cached_property
    def _described_table(self) -> dict[Variable, PrivateArray]:
        return {array.variable: array for array in self.described_arrays}

    @cached_property
    def _array_table(self) -> dict[Variable, PrivateArray]:
        return {array.variable: array for array in self.arrays}

    @cached_property
    def _tried_table(self) -> dict[Variable, PrivateArray]:
        return {array.variable: array for array in self._tried_arrays}

    @cached_property
    def _lookups(self) -> Lookups:
        callee_of: Callable[[Call], Function | None] = self.callee_of
        return Lookups(self.flow_of, self.liveness_of, self.loops_of, callee_of, self.environment)
