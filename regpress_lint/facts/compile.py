"""How one kernel is compiled for one architecture, from top to bottom: a mode, an execution, passes, an estimate, and a
second try where the first spilled.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.compilers import habits
from regpress_lint.targets.compilers.amdgpu import MOST_VGPRS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.facts.executions import Executions
    from regpress_lint.model.estimate.registers import RegisterEstimate, Wanted
    from regpress_lint.model.estimate.scratch import Frame
    from regpress_lint.model.estimate.written import Written
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.model.passes.trace import Execution, Trace
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.targets.compilers.traits import Compiler
    from regpress_lint.targets.occupancy import Architecture

# Times a budget that nobody has set: beyond it the whole band, or the estimate.
_ASSUMED, _FAR_BEYOND = 1.5, 2.25
_HARD_TO_ORDER = 0.9  # of the registers, from which no order of a kernel's values has room for IGC
_FULL_UNIT = 32  # registers with which an SM is full of warps


class Mode(NamedTuple):
    """A mode of an architecture that a kernel may be compiled in: lanes of a wave (None: the usual ones), GRF registers
    of a hardware thread on Intel, and the compiler with both.
    """

    compiler: Compiler
    wave: int | None
    grf: int


class Budget(NamedTuple):
    """Registers a thread may have under the launch bounds or their default. begins: what each thread is launched with
    where warp groups hand registers to one another; the budget is then that of the role that gets most.
    """

    registers: int
    begins: int | None = None


class Asked(NamedTuple):
    """A kernel's requests to every compiler.

    budget: registers of a thread on an architecture in a mode. sets_budget: the source or the build says so itself and
    not the compiler's assumption. settles_blocks: launch bounds say how many blocks have to fit on a unit.
    unknowns: questions that the source alone leaves open. costless: the most registers that cost no wave compared with
    so many; as many where nothing says how large a block is.
    """

    budget: Callable[[Architecture, Mode], Budget]
    sets_budget: bool
    settles_blocks: bool
    unknowns: Callable[[], tuple[Unknown, ...]]
    costless: Callable[[Architecture, int], int]


def compiled(executions: Executions, arch: Architecture, modes: Sequence[Mode], asked: Asked) -> Compiled:
    """The kernel in the first mode in which nothing is spilled, or in the last one."""
    *tried, last = modes
    for mode in tried:
        attempt = Compiled(executions, arch, mode, asked)
        if not attempt.spills:
            return attempt
    return Compiled(executions, arch, last, asked)


class Compiled:
    """A kernel as the compiler for an architecture leaves it, in a mode that is settled. The properties below are
    computed on first use, in this order: `execution`, `trace`, `first_try`, `spills`, `settled`, `registers`.
    """

    def __init__(self, executions: Executions, arch: Architecture, mode: Mode, asked: Asked) -> None:
        self._executions = executions
        self._asked = asked
        self.architecture = arch
        self.mode = mode
        self.compiler = mode.compiler

    @cached_property
    def budget(self) -> Budget:
        """Registers a thread may have."""
        return self._asked.budget(self.architecture, self.mode)

    # ------------------------------------------------------------------------------------------------- first try

    @property
    def execution(self) -> Execution:
        """The execution's results for loops, arrays and calls."""
        return self._executions.execution(self.compiler)

    @cached_property
    def unknowns(self) -> tuple[Unknown, ...]:
        """Questions that the source and the execution leave open."""
        return (*self._asked.unknowns(), *self.execution.unknowns, *self._slow_path(), *self._crowding())

    def _slow_path(self) -> Iterator[Unknown]:
        from regpress_lint.model.estimate.scratch import MOST_BESIDE_SLOW_PATH, open_slow_path

        source = self._executions.source
        calls = (record.call.name for function in source.functions for record in source.flow_of(function).calls)
        slow = open_slow_path(source.kernel.function, calls, self.execution, self.compiler)
        if slow is not None and self._executions.trace(self.compiler).held.together <= MOST_BESIDE_SLOW_PATH:
            yield slow

    def _crowding(self) -> Iterator[Unknown]:
        execution, executions = self.execution, self._executions
        if self.compiler.indexing != "select" or not execution.complete:
            return
        arrays = [array for array in executions.resolved(self.compiler) if array.variable not in execution.in_memory]
        if any(array.dynamic for array in arrays):
            from regpress_lint.model.estimate.scratch import open_crowding

            held = executions.trace(self.compiler).held.vector
            yield from open_crowding(executions.source.kernel.function.path, arrays, execution, held)

    @cached_property
    def first_try(self) -> RegisterEstimate:
        """The estimate of the compiler's first try."""
        return self.estimated(self._free)

    def estimated(self, free: int | None) -> RegisterEstimate:
        """The estimate of the first try. free: registers that it may fill because the number of blocks is settled."""
        from regpress_lint.model.estimate.open_band import opened
        from regpress_lint.model.estimate.registers import estimate

        features = self._features  # the execution gives types to some variables that have none in the source
        certain, vgprs = self._is_certain, self._vgprs
        room = self.budget.registers
        estimated = estimate(*features, certain=certain, free=free, room=room, vgprs=vgprs)
        ends = self._squeezed(*estimated[:3])
        return opened(estimated._replace(low=ends[0], estimate=ends[1], high=ends[2]), self.unknowns, self.architecture)

    def _squeezed(self, low: int, middle: int, high: int) -> tuple[int, int, int]:
        """The ends of a band beyond the registers that a thread may have, once ptxas makes again what takes few
        operations.
        """
        room = self.budget.registers
        if middle <= room or not self.compiler.aims_at_full_unit:
            return low, middle, high
        from regpress_lint.model.passes.made_again import spared

        again = spared(self._executions.peak(self.compiler), room)
        return min(low, max(room, low - again)), max(room, middle - again), max(room, high - again)

    @cached_property
    def wanted(self) -> Wanted:
        """Registers that the values need, even beyond those that a thread can address."""
        from regpress_lint.model.estimate.open_band import opened
        from regpress_lint.model.estimate.registers import LEAST_REGISTERS, RegisterEstimate, Wanted, wanted, within

        features = self._features
        certain, vgprs = self._is_certain, self._vgprs
        ends = wanted(*features, certain=certain, free=self._free, vgprs=vgprs)
        low, middle, high = (max(LEAST_REGISTERS, round(end)) for end in ends)
        low, middle, high = self._squeezed(low, middle, high)
        band = opened(RegisterEstimate(low, middle, high, self._features[-1]), self.unknowns, self.architecture)
        return Wanted(band.low, within(middle, self.budget.registers, self.architecture), band.high)

    @cached_property
    def _features(self) -> tuple[Trace, Written, Architecture, int]:
        executions, compiler = self._executions, self.compiler
        scratch = self.scratch(self.execution)
        return executions.trace(compiler), executions.written(compiler), self.architecture, scratch

    @property
    def _vgprs(self) -> int | None:
        """VGPRs beyond which accumulation registers take values, None where they do not."""
        budget = self.budget.registers
        if self.architecture.acc_regs == "separate":
            return budget
        return MOST_VGPRS if self.architecture.acc_regs == "unified" and budget > MOST_VGPRS else None

    @property
    def _is_certain(self) -> bool:
        source = self._executions.source
        return not source.untyped and source.file.certain

    @property
    def _free(self) -> int | None:
        settles = self._asked.settles_blocks and habits(self.architecture.name).aims_at_full_unit
        return self.budget.registers if settles else None

    # ------------------------------------------------------------------------------------------------ second try

    @cached_property
    def spills(self) -> bool:
        """True if the first try has no room for everything. IGC finds an order of reads, and of what can be worked on
        side by side, in which values that it holds have room: of random kernels with an estimate beyond its registers
        and no array in memory, none of six that hold less than nine tenths of them spilled, and three of ten others; of
        `testdata/golden` one of ten, and 44 of 46.
        """
        budget, compiler = self.budget.registers, self.compiler
        if self.first_try.estimate > budget:
            ordered = compiler.tries_again and not self.execution.in_memory
            if not ordered or self._executions.trace(compiler).held.vector > _HARD_TO_ORDER * budget:
                return True
        return self._executions.has_too_large(compiler)

    @property
    def is_tried_again(self) -> bool:
        """True if the compiler tries once more, with all that is indexed at run time in memory."""
        return self.compiler.again is not None and self.spills

    def settled(self, *, again: bool) -> Execution:
        """The kernel as the compiler leaves it: `execution`, or its second try."""
        if again and self.compiler.again is not None:
            return self._executions.execution(self.compiler.again)
        return self.execution

    # ---------------------------------------------------------------------------------------------------- result

    @cached_property
    def registers(self) -> RegisterEstimate:
        """The estimate, and the values without room in registers as private memory."""
        from regpress_lint.model.estimate.registers import within

        estimate = self.first_try
        if self.is_tried_again:
            estimate = estimate._replace(scratch_bytes=self.scratch(self.settled(again=True)))
        best = within(estimate.estimate, self.budget.registers, self.architecture)
        memory = estimate.scratch_bytes + self.spilled(estimate.low, best)
        high = self._filled(estimate.high) if best > _FULL_UNIT else estimate.high
        return estimate._replace(estimate=best, high=high, scratch_bytes=memory)

    def _filled(self, high: int) -> int:
        """The upper end of a kernel that is beyond a full SM, where launch bounds say how large a block is: ptxas may
        take all that costs no wave (`testdata/sweep`: 94 without bounds are 128 with blocks of 256, 56 are 62). Where
        they also say how many blocks have to fit, it does not (`testdata/golden/min_blocks.cu`).
        """
        if not habits(self.architecture.name).aims_at_full_unit:
            return high
        return max(high, min(self._asked.costless(self.architecture, high), self.budget.registers))

    def spilled(self, low: int, registers: int) -> int:
        """Bytes that are spilled: what the estimate is beyond a budget that the source or the build sets. A compiler
        that tries again spills nothing at first.

        An unset budget is clang's own assumption, which launch bounds and an option of the build change:
        there it counts only where the whole band is half as much again, or the estimate far beyond. `excess_bytes` has
        the rest.
        """
        if habits(self.architecture.name).tries_again or self.may_be_given_more(low, registers):
            return 0
        from regpress_lint.model.estimate.scratch import spilled_bytes

        return spilled_bytes(registers, self.room)

    def excess_bytes(self, estimate: RegisterEstimate, *, measured: bool) -> int:
        """Bytes that are spilled if the estimate is right and that are not in `scratch`: by clang under its default
        assumption of 1,024 threads, by IGC if its second try has no room either.

        Of 15 kernels of HeCBench with such estimates clang gives 14 more private memory than with room for 256
        threads, and none with that room. Of 32 kernels of testdata/golden that are beyond pvc's 64 registers and have
        no array for IGC to put into memory, it spills 25.
        """
        from regpress_lint.model.estimate.scratch import spilled_bytes

        if not measured and habits(self.architecture.name).tries_again:
            return 0 if estimate.scratch_bytes else spilled_bytes(estimate.estimate, self.room)
        if measured or not self.may_be_given_more(estimate.low, estimate.estimate):
            return 0
        return spilled_bytes(estimate.estimate, self.room)

    def may_be_given_more(self, low: int, registers: int) -> bool:
        """True where the budget is the compiler's assumption, and the estimate within reach of it."""
        if not habits(self.architecture.name).assumes_full_blocks or self._asked.sets_budget:
            return False
        return low <= _ASSUMED * self.room and registers <= _FAR_BEYOND * self.room

    @property
    def room(self) -> int:
        """Registers that a thread's values may fill: accumulation registers in a file of their own take what the others
        have no room for.
        """
        budget = self.budget.registers
        return budget * 2 if self.architecture.acc_regs == "separate" else budget

    # -------------------------------------------------------------------------------------------- private memory

    def arrays_left(self, execution: Execution) -> tuple[PrivateArray, ...]:
        """Arrays as one execution by the compiler leaves them: in memory is what it has there."""
        return self._executions.arrays(self.compiler, lambda _vendor: execution.framed)

    def scratch(self, execution: Execution) -> int:
        """Private memory per thread, without spills."""
        from regpress_lint.model.estimate.scratch import scratch_bytes

        return scratch_bytes(self.frames(execution), self.compiler)

    def frames(self, execution: Execution) -> tuple[Frame, ...]:
        """The private memory of a thread, without spills."""
        from regpress_lint.model.estimate.scratch import frames

        source = self._executions.source
        arrays = [array for array in self.arrays_left(execution) if self.is_memory(array)]
        flows = map(source.flow_of, source.functions)
        return frames(arrays, flows, execution, self.compiler, self.crowded_out, source.file.is_linked)

    @cached_property
    def bytes_in_lds(self) -> int:
        """Bytes per thread of the private arrays that the compiler moves to LDS."""
        if self.compiler.indexing != "vector" or not self._executions.described_arrays:
            return 0
        from regpress_lint.model.passes.scalar_replacement import bytes_in_lds

        arrays = self._executions.resolved(self.compiler)
        moved = [array for array in arrays if array.handed or not self._executions.is_guessed(array, self.compiler)]
        return bytes_in_lds(moved, self.compiler, self.execution.in_memory)

    def objects_in_memory(self, execution: Execution) -> list[list[Indexed]]:
        """By object, run-time indices into private structs (and the like) that the compiler keeps in memory."""
        from regpress_lint.model.estimate.scratch import copies, objects_in_memory

        source = self._executions.source
        return objects_in_memory(execution, self.compiler, copies(map(source.flow_of, source.functions)))

    def is_memory(self, array: PrivateArray) -> bool:
        """True if the compiler keeps a private array in memory, as far as the known source tells.

        Indices that are constants most likely say nothing. SYCL for NVIDIA is compiled by clang, which makes one
        constant in global memory of a table, as it does for AMD. OpenCL C comes to IGC before other passes have folded
        the smallest tables.
        """
        language = self._executions.source.kernel.language
        shared_table = array.table and habits(self.architecture.name).copies_tables and language == "sycl"
        if self.compiler.indexing == "indirect" and language == "opencl":
            from regpress_lint.model.passes.intel_arrays import is_stored

            shared_table = is_stored(array)
        if array.stays_in_registers(self.compiler.vendor) or shared_table:
            return False
        return array.escapes or array.handed or not self._executions.is_guessed(array, self.compiler)

    @cached_property
    def crowded_out(self) -> tuple[PrivateArray, ...]:
        """Arrays that clang would make vectors of if the kernel did not have so many of them."""
        described = self._executions.described_arrays
        if not described or habits(self.architecture.name).indexing != "vector":
            return ()
        arrays = self._executions.resolved(self.compiler)
        from regpress_lint.model.passes.amd_arrays import crowded_out

        return crowded_out(arrays, self.execution.in_memory, self.budget.registers)
