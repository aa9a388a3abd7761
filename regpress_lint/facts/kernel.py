"""Facts about one kernel that rules and reports ask for. Everything is worked out on first use and only once."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from regpress_lint.estimate.instantiations import chosen, combined, typical
from regpress_lint.estimate.opened import opened
from regpress_lint.estimate.registers import LEAST_REGISTERS, RegisterEstimate, Wanted, estimate, wanted, within
from regpress_lint.estimate.scratch import copies, frames, objects_in_memory, scratch_bytes, spilled_bytes
from regpress_lint.estimate.written import Written, at_most, written
from regpress_lint.facts.executed_facts import ExecutedFacts
from regpress_lint.facts.register_budget import grf_modes, register_budget
from regpress_lint.facts.target import TargetFacts
from regpress_lint.passes.vectors import crowded_out
from regpress_lint.targets.codegen import compiler_for, compiler_of, habits
from regpress_lint.targets.gpu import gpu
from regpress_lint.targets.occupancy import Architecture, architecture

if TYPE_CHECKING:
    from regpress_lint.core.settings import Settings
    from regpress_lint.core.unknown import Unknown
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.estimate.scratch import Frame
    from regpress_lint.facts.allocated import Measured
    from regpress_lint.facts.budgets import KernelBudget
    from regpress_lint.facts.warp_roles import WarpRoles
    from regpress_lint.ir.objects import Indexed
    from regpress_lint.passes.intel_arrays import Limits
    from regpress_lint.passes.trace import Execution
    from regpress_lint.program.model import File, Instance, Kernel
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.targets.codegen import Compiler

# Times a budget that nobody has set: beyond it the whole band, or the estimate.
_ASSUMED, _FAR_BEYOND = 1.5, 2.25
_CROWDED = 60  # registers: below it the estimate stays below 90


def kernel_facts(file: File, kernel: Kernel, settings: Settings) -> KernelFacts:
    """Facts of one kernel of a file under these settings; nothing is computed yet."""
    return KernelFacts(file, kernel, settings)


class KernelFacts(ExecutedFacts):
    """Facts of one kernel: what its source says (`SourceFacts`), its launch (`LaunchFacts`), its executions
    (`ExecutedFacts`), and what it takes on each target and in each instantiation.
    """

    def __init__(self, file: File, kernel: Kernel, settings: Settings) -> None:
        super().__init__(file, kernel, settings)
        self._targets: dict[str, TargetFacts] = {}
        self._written: dict[Compiler, Written] = {}
        self._first_tries: dict[str, RegisterEstimate] = {}
        self._grfs: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._ledger: dict[str, tuple[Unknown, ...]] = {}
        self._arguments: str | None = None  # of a template, where these are the facts of one instantiation

    def forget(self) -> None:
        """Drop all that was worked out. The answers refer to these facts in turn: this breaks the circle, so that the
        trees of a file go with its last kernel and not when the garbage collector comes around.
        """
        for facts in self.__dict__.get("instances", {}).values():
            facts.forget()
        self.source.forget()
        self.__dict__.clear()

    @cached_property
    def budgets(self) -> tuple[KernelBudget, ...]:
        """What its authors say it may take."""
        mentions = self.file.source.mentions
        if not self.settings.budgets and not mentions(b"regpress:") and not mentions(b"regpress-lint:"):
            return ()
        from regpress_lint.facts.budgets import budgets_of

        return budgets_of(self)

    @cached_property
    def instances(self) -> dict[Instance, KernelFacts]:
        """Facts of the instantiations that the estimate is made of; none of a kernel that has no more than one."""
        several = self.kernel.instances if len(self.kernel.instances) > 1 else ()
        found = {one: KernelFacts(self.file, one.kernel, self.settings) for one in chosen(several)}
        for one, facts in found.items():
            facts._arguments = one.arguments
            facts.settled_memory = self.settled_memory
        return found

    def typical(self, name: str) -> KernelFacts:
        """Facts of the instantiation whose estimate for an architecture is in the middle; these if there is one."""
        found = list(self.instances.values())
        return found[typical([facts.target(name).registers for facts in found])] if found else self

    def target(self, name: str) -> TargetFacts:
        """What the kernel takes on an architecture. Raises UnknownArchitectureError for a name that is none."""
        found = self._targets.get(name)
        if found is None:
            found = self._targets[name] = self._target(name)
        return found

    def compiler(self, name: str) -> Compiler:
        """The compiler for an architecture, with what the kernel asks of it."""
        arch = architecture(name)
        found = compiler_for(arch, self.kernel.sub_group_size, self._grf(arch))
        wave = self._wave_option(arch)
        return found if wave is None else found._replace(wave=wave)

    def _wave_option(self, arch: Architecture) -> int | None:
        """Lanes of a wave that the command asks for, of a GPU that has waves of several sizes."""
        asked = self.settings.registers.wave if gpu(arch.name).is_amd else None
        return asked if asked in arch.wave_sizes else None

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

    def scratch_bytes(self, name: str) -> int:
        """Private memory per thread on an architecture."""
        return self._scratch(name, self.settled(name))

    def tried_scratch_bytes(self, name: str) -> int:
        """Private memory per thread as the compiler's first try has it, of which the registers are estimated."""
        return self._scratch(name, self.execution(name))

    def _scratch(self, name: str, execution: Execution) -> int:
        return scratch_bytes(self._frames(name, execution), self.compiler(name))

    def frames(self, name: str) -> tuple[Frame, ...]:
        """What a thread has in private memory on an architecture, besides what is spilled; of these facts alone."""
        return self._frames(name, self.settled(name))

    def _frames(self, name: str, execution: Execution) -> tuple[Frame, ...]:
        flows = map(self.flow_of, self.functions)
        kept = [array for array in self.arrays_left(name, execution) if self.is_memory(array, name)]
        return frames(kept, flows, execution, self.compiler(name), self._crowded_out(name))

    def is_memory(self, array: PrivateArray, name: str) -> bool:
        """True if an architecture's compiler keeps a private array in memory, as far as the source in view tells.

        Indices that are constants most likely say nothing. SYCL for NVIDIA is compiled by clang, which makes one
        constant in global memory of a table, as it does for AMD.
        """
        compiler = habits(name)
        shared_table = array.table and compiler.copies_tables and self.kernel.language == "sycl"
        if array.stays_in_registers(compiler.vendor) or shared_table:
            return False
        return array.escapes or array.handed or not self.is_guessed(array, name)

    def settled(self, name: str) -> Execution:
        """The kernel as an architecture's compiler leaves it: `execution`, or its second try if the first spilled."""
        again = self.compiler(name).again
        return self._execution(again) if again is not None and self.is_tried_again(name) else self.execution(name)

    def is_tried_again(self, name: str) -> bool:
        """True if an architecture's compiler tries once more, with all that is indexed at run time in memory."""
        if self.compiler(name).again is None:
            return False
        found = self.typical(name)
        return found._is_tried_again(name)

    def _is_tried_again(self, name: str) -> bool:
        spilled = self._tried(architecture(name)).estimate > self.target(name).budget
        return spilled or self._has_too_large(self.compiler(name))

    def crowded_out(self, name: str) -> tuple[PrivateArray, ...]:
        """Arrays that clang would make vectors of on an architecture if the kernel did not have so many of them."""
        crowded = {array.variable for array in self._crowded_out(name)}
        return tuple(array for array in self.arrays_for(name) if array.variable in crowded)

    def _crowded_out(self, name: str) -> tuple[PrivateArray, ...]:
        if not self.described_arrays or habits(name).indexing != "vector":
            return ()
        seen = self.execution(name)
        arrays = self.resolved_arrays(seen.notes, self.compiler(name))
        return crowded_out(arrays, seen.in_memory, self.target(name).budget)

    def intel_limits(self, array: PrivateArray, name: str, element_bytes: int | None = None) -> Limits:
        """What a private array that is indexed at run time may have on an Intel architecture to stay in registers, also
        if its elements had another size.
        """
        from regpress_lint.passes.intel_arrays import limits

        return limits(array, self.compiler(name), architecture(name), element_bytes or array.element_bytes)

    def objects_in_memory(self, name: str) -> list[list[Indexed]]:
        """By object, run-time indices into private structs (and the like) that an architecture's compiler keeps in
        memory. It takes an execution of the kernel, like the estimate.
        """
        copied = copies(map(self.flow_of, self.functions))
        return objects_in_memory(self.settled(name), self.compiler(name), copied)

    def _target(self, name: str) -> TargetFacts:
        arch = architecture(name)
        options = self.settings.registers
        own = self.kernel.sub_group_size
        wave = own if own in arch.wave_sizes else self._wave_option(arch)
        grf = self._grf(arch)
        budget = register_budget(arch, self.kernel, options, wave, grf)
        block = max(self.block_size, 1)
        estimated, crowded = partial(self._with_spills, arch), partial(self._is_crowded, name)
        lds, measured = self.lds_at_least, partial(self._measured, name)
        begins = None
        if (roles := self.roles_on(name)) is not None:
            begins, budget = budget, max(budget, roles.most)
        apart = partial(self._accumulators, name) if arch.acc_regs == "separate" else None
        return TargetFacts(arch, estimated, crowded, max(budget, 1), block, lds, wave, grf, measured, begins, apart)

    def _accumulators(self, name: str) -> int:
        """Registers in which MFMA adds up, where these are in a file of their own."""
        from regpress_lint.facts.register_files import accumulators

        if name not in self._held:
            self._held[name] = accumulators(self.typical(name), name)
        return self._held[name]

    @cached_property
    def warp_roles(self) -> WarpRoles | None:
        """What its warp groups hand to one another with `setmaxnreg`, None for a kernel without any."""
        from regpress_lint.facts.warp_roles import warp_roles

        return warp_roles(self)

    def roles_on(self, name: str) -> WarpRoles | None:
        """The same for an architecture that has it, of a kernel whose roles the compiler does not ignore."""
        if not gpu(name).is_nvidia or self.warp_roles is None or self.warp_roles.ignored:
            return None
        return self.warp_roles if self.unserved(name) is None else None

    def _measured(self, name: str) -> Measured | None:
        if not self.settings.measured:
            return None
        from regpress_lint.facts.allocated import measured_of

        return measured_of(self.settings.measured, self.file, self.kernel, name, self._arguments)

    def _is_crowded(self, name: str) -> bool:
        return any(facts.source_reaches(name, _CROWDED) for facts in self._estimated)

    def source_reaches(self, name: str, registers: int) -> bool:
        """Whether `source_registers` are that many; the kernel is only executed if its arrays can decide that."""
        return self.source_bound(name) >= registers and self.source_registers(name) >= registers

    @property
    def _estimated(self) -> tuple[KernelFacts, ...]:
        """What the estimate is made of: the instantiations, or these facts if there is one."""
        return (*self.instances.values(),) or (self,)

    def source_registers(self, name: str) -> int:
        """More registers than the values can take that the source names, as an architecture's compiler keeps arrays."""
        return max(facts.written(name).most for facts in self._estimated)

    def source_bound(self, name: str) -> int:
        """No less than `source_registers`, and no execution."""
        return max(facts._source_bound(name) for facts in self._estimated)

    def _source_bound(self, name: str) -> int:
        if not self.described_arrays:
            return self.written(name).most
        compiler = self.compiler(name)
        described = [(self.flow_of(each), self._loops_before(each, compiler)) for each in self.functions]
        return at_most(described, self._described_table, compiler)

    def written(self, name: str) -> Written:
        """What the source says of registers without being executed, as an architecture's compiler reads it."""
        compiler = self.compiler(name)
        found = self._written.get(compiler)
        if found is None:
            read = self._loops_by if self.described_arrays else self._loops_before
            flows = [(self.flow_of(each), read(each, compiler)) for each in self.functions]
            arrays: dict[Variable, PrivateArray] = {}
            if self.described_arrays:
                arrays = {array.variable: array for array in self.arrays_left(name, self.execution(name))}
            found = written(self.kernel.function, flows, arrays, compiler)
            self._written[compiler] = found
        return found

    def _with_spills(self, arch: Architecture) -> RegisterEstimate:
        """The estimate, and what has no room in registers as private memory."""
        found = self._estimate(arch)
        best = found.estimate if self.instances else within(found.estimate, self.target(arch.name).budget, arch)
        memory = found.scratch_bytes + self.spilled(arch.name, found.low, best)
        return found._replace(estimate=best, scratch_bytes=memory)

    def spilled(self, name: str, low: int, estimate: int) -> int:
        """Bytes that are spilled on an architecture: what the estimate is beyond a budget that the source or the build
        sets. A compiler that tries again spills nothing at first.

        A budget that nobody sets is clang's own assumption, which launch bounds and an option of the build change:
        there it counts only where the whole band is half as much again, or the estimate far beyond. `excess_bytes` has
        the rest.
        """
        if self.instances or habits(name).tries_again:  # each instance has its own
            return 0
        return 0 if self._may_be_given_more(name, low, estimate) else spilled_bytes(estimate, self.room(name))

    def most_static_lds(self, name: str) -> int:
        """Bytes of LDS that a block may have on an architecture that no launch asks for; in SYCL and OpenCL C all."""
        arch = architecture(name)
        most = arch.lds_static_max if not self.kernel.has_work_items else None
        return min(most or arch.lds_max_per_group, arch.lds_max_per_group)

    def excess_bytes(self, name: str) -> int:
        """Bytes that are spilled on an architecture if the estimate is right and that are not in `scratch_bytes`: by
        clang if nobody changes its assumption of 1,024 threads, by IGC if its second try has no room either.

        Of 15 kernels of HeCBench with such estimates clang gives 14 more private memory than with room for 256
        threads, and none with that room. Of 32 kernels of testdata/golden that are beyond pvc's 64 registers and have
        no array for IGC to put into memory, it spills 25.
        """
        own = self.target(name)
        if own.measured is None and compiler_of(own.architecture).tries_again:
            return 0 if own.registers.scratch_bytes else spilled_bytes(own.registers.estimate, self.room(name))
        if own.measured is not None or not self._may_be_given_more(name, own.registers.low, own.registers.estimate):
            return 0
        return spilled_bytes(own.registers.estimate, self.room(name))

    def _may_be_given_more(self, name: str, low: int, estimate: int) -> bool:
        """True where the budget is the compiler's assumption, and the estimate within reach of it."""
        if not habits(name).assumes_full_blocks or self.sets_budget:
            return False
        room = self.room(name)
        return low <= _ASSUMED * room and estimate <= _FAR_BEYOND * room

    @property
    def sets_budget(self) -> bool:
        """True if the source or the build says how many registers a thread may have, or for how many threads."""
        kernel, options = self.kernel, self.settings.registers
        return bool(kernel.launch_bounds is not None or kernel.register_limits is not None or options.max_threads)

    def room(self, name: str) -> int:
        """Registers that a thread's values may fill on an architecture: accumulation registers in a file of their own
        take what the others have no room for.
        """
        budget = self.target(name).budget
        return budget * 2 if architecture(name).acc_regs == "separate" else budget

    def _estimate(self, arch: Architecture) -> RegisterEstimate:
        if self.instances:
            found = combined([facts.target(arch.name).registers for facts in self.instances.values()])
            for facts in self.instances.values():  # their numbers are known: eight graphs are large
                facts.forget_graphs()
            return found
        found = self._tried(arch)
        return found._replace(scratch_bytes=self.scratch_bytes(arch.name)) if self.is_tried_again(arch.name) else found

    def _settles_warps(self, arch: Architecture) -> bool:
        """True if the source says how many blocks have to fit on a unit, to a compiler that else aims at a full one."""
        bounds = self.kernel.launch_bounds
        return compiler_of(arch).aims_at_full_unit and bounds is not None and bool(bounds.min_blocks)

    def _tried(self, arch: Architecture) -> RegisterEstimate:
        """The estimate of the compiler's first try."""
        name = arch.name
        if name not in self._first_tries:
            self._first_tries[name] = self._by_trace(
                arch, self.target(name).budget if self._settles_warps(arch) else None
            )
        return self._first_tries[name]

    def _by_trace(self, arch: Architecture, free: int | None) -> RegisterEstimate:
        name = arch.name
        certain, scratch = not self.unknown_types and self.file.certain, self.tried_scratch_bytes(name)
        found = estimate(self.trace(name), self.written(name), arch, scratch, certain=certain, free=free)
        return opened(found, self._unknowns_now(name), arch)

    def unknowns(self, name: str) -> tuple[Unknown, ...]:
        """What is not known of the kernel on an architecture, in the order of the source; of a template that has
        several instantiations, of any of them. Nothing is open where a compiler's numbers are at hand.
        """
        if self.target(name).measured is not None:
            return ()
        found: dict[Unknown, None] = {}
        for facts in self._estimated:
            if self.instances:
                # One after the other, with the estimate: graphs of all of them would be large, or made twice.
                _ = facts.target(name).registers
            found.update(dict.fromkeys(facts._unknowns_now(name)))
            if self.instances:
                facts.forget_graphs()
        return tuple(sorted(found, key=lambda one: (one.path != self.kernel.path, one.path, one.span.start)))

    def decisive_unknowns(self, name: str) -> tuple[Unknown, ...]:
        """Of `unknowns` those on which the numbers hang. A kernel of which the source keeps little alive and leaves
        nothing open is not executed for them.
        """
        from regpress_lint.facts.unknowns import settled_by_text

        if not self.target(name).crowded and all(map(settled_by_text, self._estimated)):
            return ()
        return tuple(one for one in self.unknowns(name) if one.matters)

    def _unknowns_now(self, name: str) -> tuple[Unknown, ...]:
        from regpress_lint.facts.unknowns import of_source

        if name not in self._ledger:
            self._ledger[name] = (*of_source(self), *self.execution(name).unknowns)
        return self._ledger[name]

    def wanted(self, name: str) -> Wanted:
        """What the values want on an architecture, beyond what a thread can address too; of these facts alone."""
        arch = architecture(name)
        free = self.target(name).budget if self._settles_warps(arch) else None
        certain = not self.unknown_types and self.file.certain
        scratch = self.tried_scratch_bytes(name)
        ends = wanted(self.trace(name), self.written(name), arch, scratch, certain=certain, free=free)
        low, middle, high = (max(LEAST_REGISTERS, round(end)) for end in ends)
        band = opened(RegisterEstimate(low, middle, high, scratch), self._unknowns_now(name), arch)
        return Wanted(band.low, within(middle, self.target(name).budget, arch), band.high)

    @property
    def arguments(self) -> str | None:
        """Template arguments, where these are the facts of one of several instantiations."""
        return self._arguments

    def aimed_at(self, name: str) -> RegisterEstimate:
        """The estimate for an architecture if no second argument of `__launch_bounds__` settled how many blocks there
        are: ptxas then aims at a full SM.
        """
        return self.typical(name)._by_trace(architecture(name), None)
