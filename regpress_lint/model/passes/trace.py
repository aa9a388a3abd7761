"""From a kernel's syntax tree to the numbers behind its register estimate."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.running import checkpoint
from regpress_lint.model.graph.ops import ACCUMULATED, LOAD_PRIVATE, MULTIPLY, Kind, Op
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.model.passes.nvidia_work import NOTHING, Beside
from regpress_lint.model.passes.placement import executed, indexed_objects, work_beside
from regpress_lint.model.passes.scalar_replacement import notes_of
from regpress_lint.model.passes.unread_arrays import unread_arrays
from regpress_lint.targets.costs import reductions, slow_paths

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.frame_writes import FrameWrites
    from regpress_lint.model.passes.liveness import Live, Pressure
    from regpress_lint.model.passes.loop_reads import Loops
    from regpress_lint.model.passes.placement import KernelInput
    from regpress_lint.model.passes.read_clusters import Clusters
    from regpress_lint.model.passes.regions import Regions
    from regpress_lint.model.passes.scalar_replacement import Notes
    from regpress_lint.model.passes.uniformity import Totals, ValueFacts


# Passes that can be left out: without `unrolling` every loop stays one with one body, without `scalar-replacement`
# every private array is in memory, without `dead-code` what no effect needs has its register too, without `uniformity`
# every value has a vector register, without `schedule` the order is the one in which the kernel was executed.
PASSES = ("unrolling", "scalar-replacement", "dead-code", "uniformity", "schedule")


class Scheduled(NamedTuple):
    """An executed kernel with the results of the passes: `live` has the order whose registers determine the
    estimate."""

    machine: Machine
    values: ValueFacts
    totals: Totals
    live: Live


class Execution(NamedTuple):
    """The result of a kernel's execution, before any pass.

    operations: those that were executed and did not fold away, copies of unrolled loops included. libraries: keys of
    `costs.COSTS`. services: printf, assert and malloc, with the bytes of the arguments behind the first.
    unresolved: calls of which neither definition nor cost is known. loops: those that stay loops. complete: False for
    a kernel that is too large; what was executed until then counts. indexed: run-time indices into private objects.
    beside: the work beside them, for a compiler that selects.
    notes: what became of loops and of indices into private arrays. in_memory: arrays that have no registers; unread:
    those of them that are not there after all. kept_volatile: variables that are there for that word.
    uniform: those that all threads of a wave have in common. unknowns: what could not be modelled, each once.
    widest_product: registers of a thread in which one `wgmma` adds up, of that which has most. sums: instructions with
    floats beside routines, of a kernel that reduces the argument of one sine. slow_paths: of the calls and divisions in
    loops, across which reads do not move.
    """

    operations: int
    libraries: tuple[str, ...]
    services: tuple[tuple[str, int], ...]
    unresolved: int
    loops: int
    complete: bool
    indexed: tuple[Indexed, ...]
    beside: Beside
    notes: Notes
    in_memory: frozenset[Variable]
    uniform: frozenset[Variable]
    unknowns: tuple[Unknown, ...]
    widest_product: int
    sums: int
    slow_paths: int = 0
    unread: frozenset[Variable] = frozenset()
    kept_volatile: frozenset[Variable] = frozenset()

    @property
    def framed(self) -> frozenset[Variable]:
        """Arrays that a thread has in memory."""
        return self.in_memory - self.unread


class Trace(NamedTuple):
    """An execution with the passes' results for its values.

    held: registers alive in the order that `liveness.live` keeps. eager: the same with all that can be worked on side
    by side, beside: what routines add to it, those of loops alone in `beside_in_loops`. written: vector registers in
    the order as written, if they are less than those held. regions: the blocks of a kernel that reads private memory,
    for a compiler that orders them one by one. carried: vector registers of the values that one loop changes and hands
    on to its next iteration, of the loop with most. few_waves: a compiler that orders blocks one by one lets it fall to
    four waves.
    loops: what they take, for a compiler whose loops begin with their reads. shifted: registers of the elements of an
    array in memory that change their places together, frame: what writes to the frame take, joined: what a kernel
    takes for elements that it reads at the end of one path only, put_off: what it holds if no read is put off, for
    ptxas. clusters: of reads that follow each other, with their addresses, for clang for gfx9.
    """

    held: Pressure
    eager: Pressure
    totals: Totals
    beside: int
    written: int
    execution: Execution
    regions: Regions | None = None
    carried: int = 0
    few_waves: bool = False
    beside_in_loops: int = 0
    loops: Loops | None = None
    shifted: int = 0
    clusters: Clusters | None = None
    frame: FrameWrites | None = None
    joined: int = 0
    put_off: int = 0


def traced(kernel: KernelInput) -> Trace:
    """Execute a kernel's function as a compiler sees it."""
    return summed(scheduled_kernel(kernel))


def summed(scheduled: Scheduled) -> Trace:
    """The numbers of a kernel that was executed and scheduled."""
    now, machine = scheduled.live, scheduled.machine
    blocks, few, moved, frame, joined = None, False, 0, None, 0
    reads_memory = any(op is LOAD_PRIVATE for op in machine.graph.ops)
    if machine.compiler.block_by_block:
        from regpress_lint.model.passes.regions import may_lose_waves, regions

        few = may_lose_waves(machine, scheduled.values, now.lifetimes.order)
        if reads_memory:
            blocks = regions(machine, scheduled.values)
    elif reads_memory and machine.compiler.indexing == "select":
        from regpress_lint.model.passes.frame_writes import frame_writes
        from regpress_lint.model.passes.joined_reads import joined_reads
        from regpress_lint.model.passes.regions import shifted

        moved = max(shifted(machine, scheduled.values).values(), default=0)
        frame = frame_writes(machine, scheduled.values)
        joined = joined_reads(machine, scheduled.values)
    held = now.held, now.eager, scheduled.totals, now.beside, now.written
    loops = None
    if machine.compiler.reads_first:
        from regpress_lint.model.passes.loop_reads import in_loops

        loops = in_loops(machine, scheduled.values, now)
    clusters = None
    if machine.compiler.keeps_addresses:
        from regpress_lint.model.passes.read_clusters import clustered

        clusters = clustered(machine, scheduled.values, now)
    more = few, now.beside_in_loops, loops, moved, clusters
    return Trace(
        *held,
        execution_of(machine),
        blocks,
        _carried(scheduled),
        *more,
        frame=frame,
        joined=joined,
        put_off=now.put_off,
    )


def _carried(scheduled: Scheduled) -> int:
    """`Trace.carried`; sums of matrix instructions, which have registers of their own, do not count."""
    ops, args, registers = scheduled.machine.graph.ops, scheduled.machine.graph.args, scheduled.values.registers
    loops = scheduled.live.lifetimes.order.phis.values()
    changed = ([phi for phi in phis if phi not in args[phi][1:]] for phis in loops)
    return max((sum(registers[phi] for phi in phis if not _is_product(ops, args[phi])) for phis in changed), default=0)


def _is_product(ops: Sequence[Op], values: Sequence[int]) -> bool:
    return any(ops[value].about == ACCUMULATED for value in values)


def execution_of(machine: Machine) -> Execution:
    """An execution's own results: loops, arrays and calls."""
    tally = machine.tally
    return Execution(
        tally.operations,
        tuple(tally.libraries),
        tuple(tally.services),
        tally.unresolved,
        tally.loops_kept,
        tally.complete,
        indexed_objects(machine),
        work_beside(machine) if tally.indexed and machine.compiler.indexing == "select" else NOTHING,
        notes_of(machine),
        machine.arrays.in_memory,
        machine.arrays.uniform,
        tuple(dict.fromkeys(tally.unknowns)),
        tally.widest_product,
        _sums(machine.graph) if reductions(machine.vendor, tally.libraries) == 1 else 0,
        slow_paths(
            machine.vendor, (key for number, (key, _) in machine.routines.items() if machine.graph.homes[number])
        ),
        unread_arrays(machine),
        frozenset(machine.arrays.kept_volatile),
    )


def _sums(graph: Graph) -> int:
    """Instructions with floats; a product that goes into one sum is part of it."""
    uses = Counter(value for values in graph.args for value in values)
    return sum(
        op.kind is Kind.ARITHMETIC and graph.kinds[number] == FLOAT and not (op == MULTIPLY and uses[number] == 1)
        for number, op in enumerate(graph.ops)
    )


def scheduled_kernel(kernel: KernelInput, without: Set[str] = frozenset()) -> Scheduled:
    """Execute a kernel's function and put its values in an order; `without` names some of `PASSES`."""
    return in_order(executed(kernel, without), without)


def in_order(machine: Machine, without: Set[str] = frozenset()) -> Scheduled:
    """Put the values of an executed kernel in an order; `without` names some of `PASSES`."""
    from regpress_lint.model.passes.liveness import live
    from regpress_lint.model.passes.remade_sums import keep_for_writes, remake_sums, sink_sums
    from regpress_lint.model.passes.routine_registers import settle_routines
    from regpress_lint.model.passes.uniformity import analysed, totals

    checkpoint()
    if machine.graph.remade:
        keep_for_writes(machine)
    values = analysed(machine, uniformity="uniformity" not in without, dead_code="dead-code" not in without)
    settle_routines(machine, values.needed)
    sums = totals(machine, values)
    if machine.compiler.remakes_sums:
        sink_sums(machine.graph, values)
        remake_sums(machine, values)
    checkpoint()
    return Scheduled(machine, values, sums, live(machine, values, sums, schedule="schedule" not in without))
