"""Where a kernel's arrays and objects are: it is executed until they are where its compiler leaves them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from sys import maxsize
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.model.graph.objects import Placement
from regpress_lint.model.graph.values import MAX_VALUES, TooManyValuesError
from regpress_lint.model.interpreter.class_objects import called_type
from regpress_lint.model.interpreter.expressions import evaluate_expression
from regpress_lint.model.interpreter.inlining import run_body
from regpress_lint.model.interpreter.library_calls import combine_results
from regpress_lint.model.interpreter.machine import MAX_WORK, Machine, MisplacedError
from regpress_lint.model.interpreter.state import Home, Watch
from regpress_lint.model.interpreter.statements import execute_statement
from regpress_lint.model.passes.indexed_objects import in_frame, is_own, takes_to_frame
from regpress_lint.model.passes.intel_arrays import is_stored
from regpress_lint.model.passes.nvidia_arrays import close_calls, is_too_large
from regpress_lint.model.passes.nvidia_work import NOTHING, Beside, beside
from regpress_lint.model.passes.scalar_replacement import (
    Seen,
    beyond,
    filled_by_loops,
    if_indexed,
    in_memory,
    notes_of,
    resolved,
)
from regpress_lint.targets.costs import reductions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set

    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.model.interpreter.state import Inputs
    from regpress_lint.model.passes.scalar_replacement import SettledMemory
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.targets.compilers.traits import Compiler


_ROUNDS = 2  # of executing and looking at what stayed in memory
_BEGUN_ANEW = 8_000  # work of executions that are broken off because an array is in memory, unless it is the first
_MANY = 256  # elements, and iterations, of which no compiler makes as many copies as would settle the indices

# Work of an execution that was cut off and of another one because arrays are somewhere else; that may be half at least.
_CUT_OFF_AND_AGAIN = MAX_WORK + MAX_WORK // 2

# Of the text of a template of which an instantiation, whose estimate the kernel has, was cut off.
_OF_LARGE_TEXT = MAX_WORK // 4

_UNWATCHED = Watch()


class KernelInput(NamedTuple):
    """A kernel as one compiler is given it.

    inputs: for the execution. arrays: private ones as the source shows them.
    loops: of the functions that access arrays, as the source shows them. lds_room: bytes per thread that clang for AMD
    may give to private arrays in LDS. settled_memory: what executions of the kernel's other instantiations came to.
    template: the kernel is the text of several instantiations, which have the estimate.
    """

    function: Function
    compiler: Compiler
    inputs: Inputs
    arrays: tuple[PrivateArray, ...]
    loops: Mapping[Function, tuple[LoopFacts, ...]]
    lds_room: int
    settled_memory: SettledMemory
    template: bool = False


def executed(kernel: KernelInput, without: Set[str] = frozenset()) -> Machine:
    """The machine after the execution, see `_settled`, with what may have come out otherwise in its ledger."""
    objects = _Objects(kernel)
    machine = _settled(kernel, without, objects)
    if "scalar-replacement" in without:
        return machine
    machine = objects.settled(machine)
    if machine.compiler.indexing == "select" and machine.tally.picks:
        machine.tally.unknowns += _close_calls(machine, kernel)
    return machine


class _Objects:
    """The objects in memory whose arrays inside are indexed at run time, each member of them. memory: at first as far
    as an execution for another compiler, or one that was broken off, shows them.
    """

    def __init__(self, kernel: KernelInput) -> None:
        self._kernel = kernel
        self.takes = partial(takes_to_frame, compiler=kernel.compiler)
        seen = kernel.settled_memory.seen.get(kernel.function, Seen())
        self.memory = in_frame(seen.indexed, kernel.compiler, seen.work) if seen.indexed else frozenset()
        if kernel.compiler.indexing == "select":
            self.memory |= seen.led_out
        self.left, self._whole = _CUT_OFF_AND_AGAIN, 0
        self._without_room: dict[frozenset[Variable], frozenset[Variable]] = {}

    def note(self, machine: Machine) -> None:
        """Count an execution that was not broken off."""
        self._whole += 1
        self.left -= 0 if machine.tally.complete else machine.work

    def is_enough(self, machine: Machine) -> bool:
        """Whether no further one is made to see where arrays are: two show it for a part of a kernel, one for a part of
        a template.
        """
        return not machine.tally.complete and self._whole > (0 if self._kernel.template else 1)

    def without_room(self, arrays: Sequence[PrivateArray], memory: frozenset[Variable]) -> frozenset[Variable]:
        """Arrays that IGC leaves in memory although they fit into registers, because of the values alive beside them;
        memory: arrays that are there anyway.
        """
        from regpress_lint.model.passes.intel_pressure import without_room

        if not arrays:
            return frozenset()
        placed = memory.union(array.variable for array in arrays)
        if placed not in self._without_room:
            compiler = self._kernel.compiler._replace(forwards_elements=True)
            machine = _Counted(self._kernel, compiler, _Objects(self._kernel))(Placement(placed))
            self._without_room[placed] = without_room(machine, arrays)
        return self._without_room[placed]

    def settled(self, machine: Machine) -> Machine:
        """The machine with exactly those in memory, executed once more if it has had others there."""
        kernel, compiler, indexed = self._kernel, machine.compiler, indexed_objects(machine)
        work = work_beside(machine).work if indexed else 0.0
        arrays = {array.variable for array in kernel.arrays}
        led_out = frozenset(filter(is_own, machine.arrays.led_out))
        _keep(kernel, lambda seen: seen._replace(indexed=indexed, work=work, led_out=led_out))
        self.memory = in_frame(indexed, compiler, work)
        if self.memory == machine.arrays.in_memory - arrays or self.is_enough(machine):
            return machine
        placement = Placement(machine.arrays.in_memory & arrays, machine.arrays.filled_by_loops)
        again = _Counted(kernel, compiler, self)(placement)
        again.spent += machine.spent
        return again


def _close_calls(machine: Machine, kernel: KernelInput) -> Iterator[Unknown]:
    for array in close_calls(_resolved(machine, kernel), kernel.inputs.environment, work_beside(machine)):
        variable, inside = array.variable, array.variable not in machine.arrays.in_memory
        where = "in registers" if inside else "in local memory"
        text = (
            f"whether ptxas keeps `{variable.name}` {where} is a close call: selecting among its elements costs about "
            "as much as it may; `regpress-lint measure` would tell"
        )
        path = array.function.path or machine.home.path
        yield Unknown("memory", variable.name, path, variable.span, text, "up" if inside else "down", 0)


def _settled(kernel: KernelInput, without: Set[str], objects: _Objects) -> Machine:
    """The machine after the execution, with the arrays in memory that the compiler leaves there.

    At first all arrays are in registers, or where they were in another instantiation; each later execution begins
    where the last one left them. `without` names some of `PASSES`.
    """
    compiler, arrays, settled = kernel.compiler, kernel.arrays, kernel.settled_memory
    once = _Counted(kernel, _without_copies(compiler) if "unrolling" in without else compiler, objects)
    if "scalar-replacement" in without:
        return once(Placement(frozenset(array.variable for array in arrays)))
    likely, placed = _likely(kernel), Placement()
    if likely is not None and likely != Placement():
        machine, begun = _begun(kernel, once, likely)
        placed = _seen(machine, kernel, objects)
        if placed == likely:
            settled.note(likely, compiler)
            return machine
        if objects.is_enough(machine):
            return machine
        settled.forget(compiler)
    if likely is None or not placed.memory > likely.memory:  # else the frame is that one and more
        machine, begun = _begun(kernel, once)
        if not arrays or (kernel.template and objects.is_enough(machine)):
            return machine
        placed = begun if begun.memory else _seen(machine, kernel, objects, alone=True)
    for number in range(_ROUNDS):
        if number or placed != begun:
            machine = once(placed)
        seen = _seen(machine, kernel, objects)
        # With more of them in memory, an execution comes further: the answer is the one beside another compiler's.
        further = not number and not kernel.template and seen.memory > placed.memory
        if objects.is_enough(machine) and not further:
            return machine
        if seen == placed:
            settled.note(placed, compiler)
            return machine
        placed = seen
    return once(placed)


def _likely(kernel: KernelInput) -> Placement | None:
    """Where the arrays are by other executions: for this compiler of another instantiation, and of the kernel for
    another compiler; None if neither says so.
    """
    compiler, settled = kernel.compiler, kernel.settled_memory
    likely, seen = settled.like(kernel.arrays, compiler), settled.seen.get(kernel.function)
    if seen is None or compiler.indexing != "select" or not (seen.complete or is_too_large(seen.arrays)):
        return likely
    memory, filled = likely or Placement()
    memory |= in_memory(seen.arrays, compiler, kernel.inputs.environment, kernel.lds_room)
    return Placement(memory, filled - memory)


def _keep(kernel: KernelInput, change: Callable[[Seen], Seen]) -> None:
    """Keep what an execution saw for the next one of the function."""
    seen = kernel.settled_memory.seen
    seen[kernel.function] = change(seen.get(kernel.function, Seen()))


class _Counted:
    """Executions of a kernel by a compiler, one for each placement of its arrays and of the objects that were known to
    be in memory by then; the machine of each knows the work of all so far.
    """

    def __init__(self, kernel: KernelInput, compiler: Compiler, objects: _Objects) -> None:
        self.objects = objects
        self._kernel = kernel
        self._compiler = compiler
        self._spent = 0
        self._made: dict[Placement, Machine] = {}

    def __call__(self, arrays: Placement, watch: Watch = _UNWATCHED) -> Machine:
        placed = Placement(arrays.memory | self.objects.memory, arrays.filled)
        machine = self._made.get(placed)
        if machine is None:
            kernel, settled = self._kernel, self._kernel.settled_memory
            is_large = kernel.template and self._compiler in settled.cut_off
            most = _OF_LARGE_TEXT if is_large else max(self.objects.left, MAX_WORK // 2)
            try:
                machine = self._made[placed] = _executed(kernel, self._compiler, placed, watch, most)
            except MisplacedError as broken_off:
                self._spent += broken_off.work
                raise
            self._spent += machine.work
            self.objects.note(machine)
            settled.cut_off.update(() if machine.tally.complete else (self._compiler,))
            taken = (access.variable for access in machine.tally.indexed if self.objects.takes(access))
            self.objects.memory = self.objects.memory.union(taken)
        machine.spent = self._spent
        return machine


def _begun(kernel: KernelInput, once: _Counted, likely: Placement | None = None) -> tuple[Machine, Placement]:
    """The first execution, and where its arrays were: in registers, except for those that it shows to be certainly in
    memory; it is then broken off and started again. Once that always takes less than executing the rest as well. Those
    that a long loop goes through begin there. likely: where they are at first; only objects are then asked about.
    """
    until, budget, arrays = maxsize, _BEGUN_ANEW, () if likely else kernel.arrays
    certain = if_indexed(arrays, kernel.compiler, kernel.lds_room)
    placed = likely or Placement(certain.intersection(array.variable for array in arrays if _is_walked(array)))
    unsized = beyond(arrays, kernel.compiler, kernel.lds_room)
    while True:
        try:
            return once(placed, Watch(certain - placed.memory, until, once.objects.takes, unsized)), placed
        except MisplacedError as found:
            until = budget = budget - found.work
            confirmed = found.variables & (certain | unsized.keys())
            once.objects.memory |= found.variables - confirmed
            placed = Placement(placed.memory | confirmed, placed.filled)


def _is_walked(array: PrivateArray) -> bool:
    """Whether a loop goes through more elements than there are registers, or through as many as the data say."""
    walks = (access.loops[-1].trip_count for access in array.described if access.indices and access.loops)
    return (array.elements or 0) > _MANY and any(trips is None or trips > _MANY for trips in walks)


def _seen(machine: Machine, kernel: KernelInput, objects: _Objects, *, alone: bool = False) -> Placement:
    """Where an execution's results leave the arrays. alone: without the values beside them, for there are others while
    an array has registers than while it has none.
    """
    notes = _resolved(machine, kernel)
    _keep(kernel, lambda seen: seen._replace(arrays=notes, complete=machine.tally.complete))
    lds, environment = kernel.lds_room, kernel.inputs.environment
    weighs = kernel.compiler.indexing == "select" and any(array.dynamic for array in notes)
    around = work_beside(machine) if weighs and not alone else NOTHING
    uniform = _uniform(machine, notes)
    memory = in_memory(notes, kernel.compiler, environment, lds, around, uniform)
    if kernel.compiler.indexing == "indirect" and kernel.compiler.promotes and machine.tally.complete:
        picked = (array for array in notes if array.dynamic and array.bytes and not is_stored(array))
        memory |= objects.without_room([array for array in picked if array.variable not in memory | uniform], memory)
    machine.arrays.uniform = uniform - memory
    # An array whose elements all had values before the first such write is alive from then on without another try.
    filled = machine.arrays.filled_by_loops | machine.arrays.begun_in_part
    return Placement(memory, filled.intersection(filled_by_loops(notes, kernel.compiler, environment)) - memory)


def _resolved(machine: Machine, kernel: KernelInput) -> tuple[PrivateArray, ...]:
    """The kernel's arrays as its execution saw them."""
    arrays: tuple[PrivateArray, ...] | None = machine.known.resolved
    if arrays is None:
        arrays = machine.known.resolved = resolved(kernel.arrays, notes_of(machine), kernel.loops)
    return arrays


def _uniform(machine: Machine, arrays: Sequence[PrivateArray]) -> frozenset[Variable]:
    """Arrays at run-time indices to which all threads write the same, for a compiler that asks."""
    if machine.compiler.uniform_share == 1 or not machine.tally.complete:
        return frozenset()
    asked = frozenset(array.variable for array in arrays if array.dynamic) - machine.arrays.handed_on
    if not asked:
        return asked
    from regpress_lint.model.passes.uniformity import uniform_arrays

    forwarded = frozenset(array.variable for array in arrays if all(access.kind == "write" for access in array.dynamic))
    return uniform_arrays(machine, asked, forwarded)


def work_beside(machine: Machine) -> Beside:
    """The work beside the private objects of an executed kernel; several callers use it."""
    work: Beside | None = machine.known.beside
    if work is None:
        around = machine.loops.around_gone
        copies = {loop: number for loop, number in notes_of(machine).copies.items() if loop not in around}
        reduces = reductions(machine.vendor, machine.tally.libraries) > 0
        tally, hoisted = machine.tally, machine.loops.hoisted
        straight, basic = machine.straight, machine.basic
        above = {block: basic(outer) for block, outer in machine.above.items() if block not in straight}
        work = beside(machine.graph, copies, tally.picks, around, hoisted, tally.elements, above, reduces=reduces)
        machine.known.beside = work
    return work


def _without_copies(compiler: Compiler) -> Compiler:
    return compiler._replace(unrolling=compiler.unrolling._replace(copies=False))


class _Execution(Machine):
    """A machine that knows all parts of the syntax."""

    evaluate = evaluate_expression
    execute_reached = execute_statement
    called = called_type


def _executed(kernel: KernelInput, compiler: Compiler, arrays: Placement, watch: Watch, most: int) -> Machine:
    function = kernel.function
    path = kernel.inputs.file.path
    home = Home(function.path or path, function.span, function.span.end if function.path in ("", path) else None)
    machine = _Execution(kernel.inputs, home, compiler, arrays, watch)
    machine.end_after(most)
    machine.active.append(function)
    machine.names.update((parameter.name, parameter) for parameter in function.parameters)
    machine.names.update((capture.name, capture) for capture in function.captures)
    try:
        run_body(machine, function.around or function.body, None)
        combine_results(machine, function)
    except (TooManyValuesError, RecursionError):
        machine.tally.complete = False
        machine.tally.unknowns.append(_cut_off(function, machine.home.path))
    machine.close()
    return machine


def _cut_off(function: Function, path: str) -> Unknown:
    text = (
        f"`{function.name or 'the kernel'}` is too large to be executed whole ({MAX_VALUES:,} values, "
        f"{MAX_WORK:,} expressions and statements, with the copies of loops; fewer where much is not known, or to "
        "repeat one that was cut off): what comes after that is not in the estimate"
    )
    return Unknown("limit", function.name, path, function.name_span, text, "up")


def indexed_objects(machine: Machine) -> tuple[Indexed, ...]:
    """Private objects that are indexed at run time, each with how often."""
    return tuple(access._replace(times=times) for access, times in Counter(machine.tally.indexed).items())
