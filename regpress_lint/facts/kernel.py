"""Facts about one kernel for rules and reports. Everything is worked out on first use and only once."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.facts.compile import Asked, Budget, Mode, compiled
from regpress_lint.facts.executions import AcrossTargets, Executions
from regpress_lint.facts.instantiations import Instantiations, chosen, combined, typical
from regpress_lint.facts.launch_facts import LaunchFacts
from regpress_lint.facts.register_budget import grf_modes, register_budget
from regpress_lint.facts.target import TargetFacts, Unserved, explicit_simd, unserved
from regpress_lint.source.kernel_source import KernelSource
from regpress_lint.source.reached_calls import CallSite, reachable
from regpress_lint.targets.compilers import compiler_for
from regpress_lint.targets.occupancy import Architecture, architecture, register_steps
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.settings import Settings
    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.syntax_tree import Binary, Expr, Function, Variable
    from regpress_lint.facts.compile import Compiled
    from regpress_lint.facts.register_budget import KernelBudget, Measured
    from regpress_lint.facts.warp_roles import WarpRoles
    from regpress_lint.model.estimate.registers import RegisterEstimate
    from regpress_lint.model.estimate.scratch import Frame
    from regpress_lint.model.estimate.written import Written
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.model.passes.intel_arrays import Limits
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.model.passes.trace import Execution
    from regpress_lint.program.file import File
    from regpress_lint.program.gpu_words import Word
    from regpress_lint.program.model import Instance, Kernel
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.source.indices import Reason
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.source.per_thread_slots import PerThreadSlots
    from regpress_lint.targets.compilers.traits import Compiler

_LANES_OF_CALLS = 16
_CROWDED = 60  # registers: below it the estimate stays below 90


def kernel_facts(file: File, kernel: Kernel, settings: Settings) -> KernelFacts:
    """Facts of one kernel of a file under these settings; nothing is computed yet."""
    return KernelFacts(file, kernel, settings)


class KernelFacts:
    """Facts of one kernel. It has four parts, each of which knows only the ones before it: what the source says
    (`KernelSource`), how it is launched (`LaunchFacts`), its executions (`Executions`), and how it is compiled for an
    architecture (`Compiled`). Facts over several targets (`AcrossTargets`) or instantiations are combined here.
    """

    def __init__(self, file: File, kernel: Kernel, settings: Settings) -> None:
        self.file = file
        self.kernel = kernel
        self.settings = settings
        self.source = source = KernelSource(file, kernel)
        self.launch = LaunchFacts(source, settings.assumed_block_size)
        self.executions = executions = Executions(source, self.launch)
        self._compiled: dict[str, Compiled] = {}
        self._targets: dict[str, TargetFacts] = {}
        self._held: dict[str, int] = {}
        self.arguments: str | None = None  # of a template, where these are the facts of one of several instantiations
        self.flow_of = source.flow_of
        self.memory_of = source.memory_of
        self.callee_of = source.callee_of
        self.input_for = executions.input_for

    def forget(self) -> None:
        """Drop all that was worked out. The answers refer to these facts in turn: this breaks the circle, so that the
        trees of a file go with its last kernel and not when the garbage collector comes around.
        """
        several: Instantiations | None = self.__dict__.get("_several")
        for facts in several.facts.values() if several is not None else ():
            facts.forget()
        for part in (self.source, self.launch, self.executions, self.__dict__.get("_across")):
            if part is not None:
                part.__dict__.clear()
        self.__dict__.clear()

    # --------------------------------------------------------------------------------------------------- targets

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
        """Why the source cannot be compiled for an architecture, or nothing can be said of it there; None where it can,
        as far as it says.
        """
        if self.kernel.explicit_simd:
            return explicit_simd(self.kernel, name)
        return unserved(self.asked_of_gpu, name)

    @cached_property
    def asked_of_gpu(self) -> tuple[Word, ...]:
        """The source's requirements on a GPU, in the kernel and in the functions that it reaches."""
        return tuple(word for function in self.source.reached for word in self.file.asked_of_gpu(function))

    @property
    def wants_hints(self) -> bool:
        """True if hints may be shown, so that it is worth to work out what can be no more than one."""
        chosen = self.settings.select or self.settings.extend_select
        return bool(chosen) or self.settings.threshold is Severity.HINT

    @property
    def hints_count(self) -> bool:
        """Whether hints may be shown, made more severe, or silenced by a suppression: else they have no effect."""
        data = self.file.source.data
        ordered = any(word in data for word in (b"regpress:", b"regpress-lint:", b"NOLINT"))
        return self.wants_hints or bool(self.settings.severities) or ordered

    # ---------------------------------------------------------------------------------------------------- source

    @cached_property
    def calls(self) -> tuple[CallSite, ...]:
        return tuple(reachable(self.kernel.function, self.flow_of, self.loops_of, self.callee_of))

    def forms_of(self, function: Function) -> tuple[Function, ...]:
        """A function that the kernel reaches, as its calls mean it: a template's with the types that the text gives."""
        return self.source.forms.get(function, (function,)) if function.template else (function,)

    # ---------------------------------------------------------------------------------------------------- launch

    @property
    def sets_budget(self) -> bool:
        """True if the source or the build says how many registers each thread may use, or the number of threads."""
        kernel, options = self.kernel, self.settings.registers
        return bool(kernel.launch_bounds is not None or kernel.register_limits is not None or options.max_threads)

    @cached_property
    def budgets(self) -> tuple[KernelBudget, ...]:
        """Its authors' register budgets."""
        mentions = self.file.source.mentions
        if not self.settings.budgets and not mentions(b"regpress:") and not mentions(b"regpress-lint:"):
            return ()
        from regpress_lint.facts.register_budget import budgets_of

        return budgets_of(self)

    @cached_property
    def warp_roles(self) -> WarpRoles | None:
        """Registers that its warp groups exchange with `setmaxnreg`, None for a kernel without any."""
        from regpress_lint.facts.warp_roles import warp_roles

        return warp_roles(self)

    @property
    def exchanges_registers(self) -> bool:
        """Whether the kernel, or one of its instantiations, has warp roles."""
        return any(facts.warp_roles is not None for facts in (self, *self.instances.values()))

    def roles_on(self, name: str) -> WarpRoles | None:
        """The same for an architecture that has it, of a kernel whose roles the compiler does not ignore."""
        if not gpu(name).is_nvidia or self.warp_roles is None or self.warp_roles.ignored:
            return None
        return self.warp_roles if self.unserved(name) is None else None

    def _measured(self, name: str) -> Measured | None:
        if not self.settings.measured:
            return None
        from regpress_lint.facts.register_budget import measured_of

        return measured_of(self.settings.measured, self.file, self.kernel, name, self.arguments)

    # ---------------------------------------------------------------------------------------------- compilations

    def compiled(self, name: str) -> Compiled:
        """The kernel as the compiler for an architecture leaves it; of these facts alone."""
        kernel = self._compiled.get(name)
        if kernel is None:
            arch = architecture(name)
            kernel = self._compiled[name] = compiled(self.executions, arch, self._modes(arch), self._asked)
        return kernel

    def _modes(self, arch: Architecture) -> tuple[Mode, ...]:
        """Modes that the kernel may be compiled in, in the order in which the compiler tries them; of a template with
        several instantiations the one that the middle one ends in.
        """
        sizes, lanes = grf_modes(arch, self.kernel, self.settings.registers), self.kernel.sub_group_size
        if len(sizes) > 1 and self.instances:
            sizes = sizes[-1:] if self.typical(arch.name).compiled(arch.name).spills else sizes[:1]
        asked = self._wave_option(arch)
        compilers = [compiler_for(arch, lanes, grf) for grf in sizes]
        compilers = compilers if asked is None else [compiler._replace(wave=asked) for compiler in compilers]
        wave = lanes if lanes in arch.wave_sizes else asked
        return tuple(Mode(compiler, wave, grf) for compiler, grf in zip(compilers, sizes, strict=True))

    def _wave_option(self, arch: Architecture) -> int | None:
        """Lanes of a wave that the command sets; IGC: of a kernel that calls a function (`test_intel_calls.py`)."""
        asked = self.settings.registers.wave if gpu(arch.name).is_amd else None
        if gpu(arch.name).is_intel and self.source.calls_functions:
            asked = _LANES_OF_CALLS
        return asked if asked in arch.wave_sizes else None

    @cached_property
    def _asked(self) -> Asked:
        bounds = self.kernel.launch_bounds
        settles = bounds is not None and bool(bounds.min_blocks)
        return Asked(self._budget, self.sets_budget, settles, lambda: self._open_in_source, self._costless)

    def _costless(self, arch: Architecture, registers: int) -> int:
        bounds = self.kernel.launch_bounds
        if bounds is None or not bounds.max_threads or bounds.min_blocks:
            return registers
        steps = register_steps(arch, bounds.max_threads)
        return next((most for most, _ in steps if registers <= most), registers)

    def _budget(self, arch: Architecture, mode: Mode) -> Budget:
        budget = register_budget(arch, self.kernel, self.settings.registers, mode.wave, mode.grf)
        roles_of_parts = [self.roles_on(arch.name)]
        # A header's kernel, of which only the launches say all.
        if roles_of_parts == [None] and self.kernel.language == "cuda":
            roles_of_parts = [facts.roles_on(arch.name) for facts in self.instances.values()] or roles_of_parts
        settled = [roles for roles in roles_of_parts if roles is not None]
        roles = max(settled, key=lambda roles: roles.most) if len(settled) == len(roles_of_parts) else None
        bounds = self.kernel.launch_bounds
        if roles is None or (bounds is not None and bounds.max_threads is None):
            return Budget(max(budget, roles.most if roles is not None else 1, 1))
        return Budget(max(budget, roles.most, 1), budget)

    @cached_property
    def _open_in_source(self) -> tuple[Unknown, ...]:
        from regpress_lint.facts.unknowns import of_source

        return tuple(of_source(self))

    def compiler(self, name: str) -> Compiler:
        """The compiler for an architecture, with the kernel's requests to it."""
        return self.compiled(name).compiler

    def execution(self, name: str) -> Execution:
        """Loops, arrays and calls from an execution of the kernel as an architecture's compiler sees it. It takes less
        time than `trace`, which also computes liveness.
        """
        return self.compiled(name).execution

    def settled(self, name: str) -> Execution:
        """The kernel as an architecture's compiler leaves it: `execution`, or its second try if the first spilled."""
        return self.compiled(name).settled(again=self.is_tried_again(name))

    def is_tried_again(self, name: str) -> bool:
        """True if an architecture's compiler tries once more, with all that is indexed at run time in memory."""
        return self.compiler(name).again is not None and self.typical(name).compiled(name).spills

    def peak(self, name: str) -> Peak:
        """Live values at each place of the order behind the estimate for an architecture."""
        return self.executions.peak(self.compiler(name))

    def differs(self, expr: Expr, name: str, held: Binary | None = None) -> bool | None:
        """Whether the execution for an architecture made of an expression values that differ between the threads of a
        wave, if those of `held` do not; None if it made none.
        """
        return self.peak(name).differs(expr, held)

    def written(self, name: str) -> Written:
        """Registers from the source without an execution, as an architecture's compiler reads it."""
        return self.executions.written(self.compiler(name))

    def frames(self, name: str) -> tuple[Frame, ...]:
        """The private memory of a thread on an architecture, without spills; of these facts alone."""
        return self.compiled(name).frames(self.settled(name))

    def objects_in_memory(self, name: str) -> list[list[Indexed]]:
        """By object, run-time indices into private structs (and the like) that an architecture's compiler keeps in
        memory. It takes an execution of the kernel, like the estimate.
        """
        return self.compiled(name).objects_in_memory(self.settled(name))

    def excess_bytes(self, name: str) -> int:
        """Bytes that are spilled on an architecture if the estimate is right and that are not in `scratch_bytes`."""
        target = self.target(name)
        return self.compiled(name).excess_bytes(target.registers, measured=target.measured is not None)

    # ------------------------------------------------------------------------------------------ loops and arrays

    @cached_property
    def _across(self) -> AcrossTargets:
        return AcrossTargets(self.executions, self.targets or self.chosen_targets, self.compiler, self.settled)

    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's function or of a device function, as the compiler for the first target sees them."""
        return self._across.loops_of(function)

    def loops_for(self, function: Function, name: str) -> tuple[LoopFacts, ...]:
        """The same as an architecture's compiler sees them."""
        return self.executions.loops(function, self.compiler(name))

    @cached_property
    def loops(self) -> tuple[LoopFacts, ...]:
        """All loops of the kernel's body in source order."""
        return self.loops_of(self.kernel.function)

    @cached_property
    def per_thread_slots(self) -> dict[PerThreadSlots, tuple[str, ...]]:
        """Shared arrays of the kernel's body of which every thread uses only slots of its own, with the targets for
        which loops that count the slots are copied.
        """
        return self._across.per_thread_slots(self.targets)

    @property
    def arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays of the kernel's body and of inlined functions. An index that a compiler for one of the
        targets does not know counts as one known at run time.
        """
        return self._across.arrays

    def arrays_for(self, name: str) -> tuple[PrivateArray, ...]:
        """`arrays` as an architecture's compiler alone sees and leaves them."""
        return self._across.arrays_for(name)

    def array_for(self, name: str, array: PrivateArray) -> PrivateArray:
        """One of `arrays` as an architecture's compiler alone sees it."""
        return next((candidate for candidate in self.arrays_for(name) if candidate.variable is array.variable), array)

    def array_of(self, variable: Variable) -> PrivateArray | None:
        """A private array as the source shows it."""
        return self._across.described_table.get(variable)

    def why_dynamic(self, access: Access, name: str = "") -> tuple[Reason, ...]:
        """The reasons why the indices of an access to a private array are not constants, for an architecture's compiler
        or the one for the first target.
        """
        return self.executions.why_dynamic(access, self.compiler(name) if name else self._across.first)

    def is_guessed(self, array: PrivateArray, name: str) -> bool:
        """True if every index of a private array that an architecture's compiler knows only at run time rests on
        unknown names, see `Executions`.
        """
        return self.executions.is_guessed(array, self.compiler(name))

    def crowded_out(self, name: str) -> tuple[PrivateArray, ...]:
        """Arrays that clang would make vectors of on an architecture if the kernel did not have so many of them."""
        crowded = {array.variable for array in self.compiled(name).crowded_out}
        return tuple(array for array in self.arrays_for(name) if array.variable in crowded)

    def intel_limits(self, array: PrivateArray, name: str, element_bytes: int | None = None) -> Limits:
        """The limits within which a private array with run-time indices stays in registers on an Intel architecture,
        also if its elements had another size.
        """
        from regpress_lint.model.passes.intel_arrays import limits

        return limits(array, self.compiler(name), architecture(name), element_bytes or array.element_bytes)

    # -------------------------------------------------------------------------------------------- instantiations

    @cached_property
    def _several(self) -> Instantiations:
        kernel = self.kernel
        several = kernel.instances if len(kernel.instances) > 1 else ()
        parts = {instance: KernelFacts(self.file, instance.kernel, self.settings) for instance in chosen(several)}
        for instance, facts in parts.items():
            facts.arguments = instance.arguments
            facts.executions.settled_memory = self.executions.settled_memory
        return Instantiations(parts)

    @property
    def instances(self) -> dict[Instance, KernelFacts]:
        """Facts of the instantiations behind the estimate; empty for a kernel with at most one."""
        return self._several.facts

    @property
    def _estimated(self) -> tuple[KernelFacts, ...]:
        """The facts behind the estimate: the instantiations, or these facts if there is one."""
        return (*self.instances.values(),) or (self,)

    def estimated_on(self, name: str) -> tuple[KernelFacts, ...]:
        """The instantiations behind the estimate for an architecture; none for a kernel that has no more than one."""
        return self._several.estimated_on(name)

    def parts_on(self, name: str) -> Iterator[KernelFacts]:
        """The parts of the kernel on an architecture: each instantiation, or these facts if it has none. Those for
        which a kernel has no expressions left are not among them.
        """
        return self._several.parts_on(name) if self.instances else iter((self,))

    def work(self, name: str) -> int:
        """Work of these facts' executions for an architecture, or of those of all instantiations: expressions and
        statements, to which time is proportional; 0 as long as there is none.
        """
        if self.instances:
            return sum(facts.work(name) for facts in self.instances.values())
        compiled = self._compiled.get(name)
        return self.executions.work.get(compiled.compiler, 0) if compiled is not None else 0

    def typical(self, name: str) -> KernelFacts:
        """Facts of the instantiation whose estimate for an architecture is in the middle; these if there is one."""
        estimated = self.estimated_on(name)
        return estimated[typical([facts.target(name).registers for facts in estimated])] if estimated else self

    def target(self, name: str) -> TargetFacts:
        """The kernel's use of an architecture. Raises UnknownArchitectureError for an unknown name."""
        facts = self._targets.get(name)
        if facts is None:
            facts = self._targets[name] = self._target(name)
        return facts

    def _target(self, name: str) -> TargetFacts:
        compiled = self.compiled(name)
        mode, budget = compiled.mode, compiled.budget
        estimated = partial(self._registers, name)

        def crowded() -> bool:
            return any(facts.source_reaches(name, _CROWDED) for facts in self.parts_on(name))

        lds, block = self.launch.lds_at_least, max(self.launch.block_size, 1)
        measured = partial(self._measured, name)
        (registers, begins), arch = budget, compiled.architecture
        apart = partial(self._accumulators, name) if arch.acc_regs == "separate" else None
        moved = partial(self._arrays_in_lds, name) if compiled.compiler.indexing == "vector" else None
        return TargetFacts(
            arch, estimated, crowded, registers, block, lds, mode.wave, mode.grf, measured, begins, apart, moved
        )

    def _arrays_in_lds(self, name: str) -> int:
        """Bytes of LDS that a compiler sets aside in each block for private arrays."""
        return self.typical(name).compiled(name).bytes_in_lds * self.launch.most_threads

    def _accumulators(self, name: str) -> int:
        """Registers in which MFMA adds up, where these are in a file of their own."""
        from regpress_lint.facts.register_budget import accumulators

        if name not in self._held:
            self._held[name] = accumulators(self.typical(name), name)
        return self._held[name]

    def _registers(self, name: str) -> RegisterEstimate:
        if not self.instances:
            return self.compiled(name).registers
        from regpress_lint.model.estimate.open_band import opened

        estimate = combined([facts.target(name).registers for facts in self.estimated_on(name)])
        left_out = self._several.left_out(name, self.kernel)
        return opened(estimate, () if left_out is None else (left_out,), architecture(name))

    def aimed_at(self, name: str) -> RegisterEstimate:
        """The estimate for an architecture if no second argument of `__launch_bounds__` settled how many blocks there
        are: ptxas then aims at a full SM.
        """
        return self.typical(name).compiled(name).estimated(None)

    def source_reaches(self, name: str, registers: int) -> bool:
        """Whether `source_registers` are that many; the kernel is only executed if its arrays can decide that."""
        return self.source_bound(name) >= registers and self.source_registers(name) >= registers

    def source_registers(self, name: str) -> int:
        """More registers than the values can take that the source names, as an architecture's compiler keeps arrays."""
        return max(facts.written(name).most for facts in self.parts_on(name))

    def source_bound(self, name: str) -> int:
        """No less than `source_registers`, and no execution."""
        return max(facts.executions.source_bound(facts.compiler(name)) for facts in self._estimated)

    def is_open_upwards(self, name: str) -> bool:
        """Whether something unknown may take any number of registers: the upper end of the band is no estimate."""
        from regpress_lint.model.estimate.open_band import is_unbounded

        return any(is_unbounded(unknown, architecture(name)) for unknown in self.unknowns(name))

    def unknowns(self, name: str) -> tuple[Unknown, ...]:
        """The unknowns of the kernel on an architecture, in the order of the source; of a template that has
        several instantiations, of any of them. Nothing is open where a compiler's numbers are at hand.
        """
        if self.target(name).measured is not None:
            return ()
        unknowns: dict[Unknown, None] = {}
        for facts in self.estimated_on(name) or (self,):
            unknowns.update(dict.fromkeys(facts.compiled(name).unknowns))
        if (left_out := self._several.left_out(name, self.kernel)) is not None:
            unknowns[left_out] = None
        return tuple(
            sorted(unknowns, key=lambda unknown: (unknown.path != self.kernel.path, unknown.path, unknown.span.start))
        )

    def decisive_unknowns(self, name: str) -> tuple[Unknown, ...]:
        """Of `unknowns` those on which the numbers hang. A kernel of which the source keeps little alive and leaves
        nothing open is not executed for them.
        """
        from regpress_lint.facts.unknowns import settled_by_text

        if not self.target(name).crowded and all(map(settled_by_text, self._estimated)):
            return ()
        return tuple(unknown for unknown in self.unknowns(name) if unknown.matters)
