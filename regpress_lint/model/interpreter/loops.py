"""Loops: the ones that compilers replace by copies of their body are executed so, the others once, with phis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.model.graph.values import MAX_VALUES, TooManyValuesError
from regpress_lint.model.interpreter import loop_indices, loop_text
from regpress_lint.model.interpreter.kept_loops import iteration, keep, leave, meet, note_plan
from regpress_lint.model.interpreter.loop_shape import asked_factor, shape_of
from regpress_lint.model.interpreter.open_sizes import note_turns
from regpress_lint.model.interpreter.private_objects import in_registers
from regpress_lint.model.interpreter.state import TooManyOperationsError
from regpress_lint.model.interpreter.trip_counts import trip_count
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.targets import loop_plan
from regpress_lint.targets.loop_plan import Plan, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Loop, Variable
    from regpress_lint.model.graph.objects import LoopNote, Value
    from regpress_lint.model.interpreter.machine import Machine

_MEASURED = 3  # copies by which it is decided
_WITH_INVARIANTS = 2  # the first copy may be so many times as large as the others
_WITH_ACCESSES = 8  # or with accesses to private arrays that do not count
_SURELY = 1.25  # times as many values as a graph may have: copies behind the measured ones may be smaller by a fifth
# What the copies of a loop take whose counter bounds one inside is known up to this factor: of 13 programs of linear
# algebra nvcc copies the loops up to 6 to 9 rows, and for 4 another number was said.
_CLOSE = 1.4
_CLOSE_CALL = (
    "whether `{}` is in registers is a close call: the copies of a loop whose counter bounds another one are about as "
    "many as ptxas makes; `regpress-lint measure` would tell"
)


def run_loop(machine: Machine, loop: Loop) -> None:
    guards, under = machine.guards, machine.under
    _run(machine, loop)
    machine.guards, machine.under = guards, under


def _run(machine: Machine, loop: Loop) -> None:
    if loop.kind == "range":
        from regpress_lint.model.interpreter.range_loops import counted

        loop = counted(machine, loop)
    for statement in loop.init:
        machine.execute(statement)
    if machine.frame.dead:
        return
    if loop.kind == "do" and loop.test is not None and evaluate_int(loop.test, machine.environment) == 0:
        breaks: list[dict[Variable, Value]] = []  # do { } while (0)
        iteration(machine, loop, breaks)
        leave(machine, breaks)
        return
    factor = asked_factor(machine, loop)
    trips = trip_count(machine, loop)
    if trips == (0, False):
        if loop.test is not None:
            machine.evaluate(loop.test)
        return
    if trips is None:
        note_turns(machine, loop)
    shape = loop_plan.settled(shape_of(machine, loop, trips, factor), machine.compiler.unrolling)
    most = loop_plan.most(shape, machine.compiler.unrolling)
    whole = bool(most) and _unrolled(machine, loop, shape, most)
    if _CLOSE**-1 < machine.known.shares.get(loop, 0.0) < _CLOSE:
        _note_close_call(machine, loop, whole=whole)
    if not whole:
        keep(machine, loop, shape._replace(written=loop_plan.BEYOND) if loop in machine.known.beyond else shape)


def _note_close_call(machine: Machine, loop: Loop, *, whole: bool) -> None:
    """An entry for each array that is in registers or in memory by a loop of which it is not sure that it is copied.
    whole: copies replace it, so that what is in memory all the same is there for another reason.
    """
    for array in loop_indices.indexed_arrays(machine, loop):
        if whole and not in_registers(machine, array):
            continue
        text = _CLOSE_CALL.format(array.name)
        count = prod(size for dim in array.dims if (size := machine.known_int(dim)) is not None)
        machine.unknown("memory", array.name, loop.span, text, "both", count * (form_of(array.type).width))


def _unrolled(machine: Machine, loop: Loop, shape: Shape, most: int) -> bool:
    """Execute every iteration for itself; False, and nothing done, where compilers keep the loop."""
    tried = (loop, shape._replace(written=0))
    if tried in machine.known.kept:  # in another call of the function that it is in, or another copy of a loop around
        return False
    mark, limit = machine.mark(), machine.tally.limit
    machine.memory.reads.append({})
    machine.loops.copying.append(loop)
    breaks: list[dict[Variable, Value]] = []
    try:
        plan = _copies(machine, loop, shape, most, breaks)
    except TooManyOperationsError as stopped:
        if loop in stopped.args:
            raise TooManyOperationsError from None
        plan = None
        machine.known.kept.add(tried)
    except TooManyValuesError:
        if len(machine.graph) == mark.values or machine.is_spent:  # work does not come back with the values
            raise
        plan = None
        machine.known.beyond.add(loop)
    else:
        if plan is None:
            machine.known.kept.add(tried)
    machine.tally.limit = limit
    if plan is None:
        machine.rewind(mark)
        return False
    machine.memory.leave_scope(elements=not breaks)
    machine.loops.copying.pop()
    note_plan(machine, loop, shape, plan)
    leave(machine, breaks)
    outermost = not machine.loops.copying and machine.region.parent is None
    if machine.compiler.remakes_sums and not shape.shared and outermost:
        machine.graph.remake_sums(len(machine.graph))
    return True


def _copies(machine: Machine, loop: Loop, shape: Shape, most: int, breaks: list[dict[Variable, Value]]) -> Plan | None:
    """The iterations one after the other; None as soon as it shows that compilers keep the loop.

    The first copies decide. The very first contains the loop-invariant code, which compilers hoist before they count;
    after it, much may also fold away in the second.
    """
    table, trips, loops_kept = machine.compiler.unrolling, shape.trips or 0, machine.tally.loops_kept
    around = machine.tally.limit
    bounds = loop_text.bounded_inside(machine, loop)
    forgets = shape.inner and _forgets_accesses(machine, loop, shape, bounds)
    limit = machine.tally.size + (_WITH_ACCESSES if forgets else _WITH_INVARIANTS) * most // trips
    machine.tally.limit = None if bounds else limit
    plan: Plan | None = None
    first: tuple[int, int] | None = None  # values behind the first copy, and the size
    sides = 0
    for trip in range(trips + shape.behind):
        if trip or (shape.arrays and loop.kind != "do"):
            now = _test_now(machine, loop)
            if trip and now == 0:  # the body, too, changes the counter
                return plan
            if now is None and shape.arrays and loop.test is not None:  # `i > 0 && v[i] > x`: an exit in each copy
                breaks.append(machine.fork())
        if trip == 1 and shape.arrays and (branches := loop_text.branches_inside(machine, loop)):
            sides = _with_all_sides(machine, loop) + branches * table.branch if table.branch else 0
        before, noted, touched = machine.tally.size, len(machine.tally.plans), machine.tally.touched
        _copy(machine, loop, breaks, around, decides=trip < _MEASURED and trips > 1)
        if machine.frame.dead:
            return plan or Plan(trip + 1, True, "it is left in its first iteration")
        meet(machine, breaks)
        if loop.step is not None:
            machine.evaluate(loop.step)
        machine.tally.limit = None
        if trip < _MEASURED:
            # Copies with an exit each would hold every exit's values at once; compilers keep them in one place.
            size, keeps = max(machine.tally.size - before, 1), machine.tally.loops_kept > loops_kept
            if bounds:  # it is decided about before the inner loop can be
                size = _rolled(machine, loop, bounds, trips - 1, size, machine.tally.plans[noted:])
            elif not trip and trips > 1 and not keeps:
                size = max(size // _WITH_INVARIANTS, 1)
            size = max(size, sides)
            seen = shape._replace(size=size, exits=bool(breaks), keeps=keeps, bounds=bool(bounds))
            if bounds and table.loop_inside and shape.arrays and trips > 1:
                share = trips * size / max(loop_plan.allowance(seen, table)[0], 1)
                machine.known.shares[loop] = max(share, machine.known.shares.get(loop, 0.0) if trip else 0.0)
            plan = loop_plan.plan(seen, table)
            if not plan.whole and forgets and not keeps:
                late = size - (machine.tally.touched - touched) // (1 if trip else _WITH_INVARIANTS)
                plan = loop_plan.plan(seen._replace(size=max(late, 1) + table.beside_gone), table)
            if not plan.whole:
                return None
            first = first or (len(machine.graph), machine.tally.size)
            if trip == _MEASURED - 1 and _is_too_many(machine, loop, first, trips, around):
                machine.known.beyond.add(loop)
                return None
    return plan if not _test_now(machine, loop) else None


def _with_all_sides(machine: Machine, loop: Loop) -> int:
    """The size of an iteration whose number is unknown: with both sides of each branch that the counter decides."""
    mark, before = machine.mark(), machine.tally.size
    machine.tally.apart = len(machine.graph)
    machine.own()
    for variable in loop_text.counters_of(loop):
        if isinstance(machine.variables.get(variable), int):
            machine.variables[variable] = machine.graph.source(("any", variable), form_of(variable.type))
    iteration(machine, loop, [])
    size = machine.tally.size - before
    machine.rewind(mark)
    return size


def _copy(
    machine: Machine, loop: Loop, breaks: list[dict[Variable, Value]], around: int | None, *, decides: bool
) -> None:
    """One iteration. around: the limit of a loop around this one, whose own copy is too large if it is exceeded by
    copies of this one that are certain: those behind the ones that decide, and a single iteration.
    """
    if decides:
        iteration(machine, loop, breaks)
        return
    machine.tally.limit = around
    try:
        iteration(machine, loop, breaks)
    except TooManyOperationsError:
        raise TooManyOperationsError(loop) from None


def _forgets_accesses(machine: Machine, loop: Loop, shape: Shape, bounds: Mapping[Loop, bool]) -> bool:
    """True where accesses to private arrays do not count around copies that have replaced loops: clang asks once more
    when these arrays have become registers, and for NVVM only arithmetic counts at indices that are constants by then.
    """
    table = machine.compiler.unrolling
    if table.own_counter:
        return not shape.shared
    return table.around_gone and not bounds and loop_indices.indexes_itself(machine, loop)


def _rolled(
    machine: Machine, loop: Loop, bounds: Mapping[Loop, bool], most: int, size: int, plans: Sequence[LoopNote]
) -> int:
    """The size of a copy while the loops that its counter bounds are loops still, from the size with their copies."""
    table = machine.compiler.unrolling
    if not table.loop_inside:
        return max(size // max((note.trips or 1 for note in plans), default=1), 1)
    trips: dict[Loop, int] = {}
    for note in plans:
        if note.loop in bounds or bounds.keys() & loop_text.loops_inside(machine, note.loop):
            trips.setdefault(note.loop, note.trips or 1)

    size //= max((_copies_of_body(machine, inner, trips) for inner in trips), default=1)
    size += sum(table.loop_inside + begins * table.begins_inside for begins in bounds.values())
    at_most = {inner: max(number, most) if inner in bounds else number for inner, number in trips.items()}
    many = max((_copies_of_body(machine, inner, at_most, waiting=True) for inner in trips), default=1)
    if many > 1:
        rows = loop_text.rows_inside(machine, loop)
        inside = max(loop_text.rows_inside(machine, inner) for inner in trips)
        # Without a count of its own, the body of the loop that waits has its share of the rows in the size.
        size = (size + table.row_inside * rows) * (rows + (many - 1) * inside) // rows if rows else many * size
    return max(size, 1)


def _copies_of_body(machine: Machine, loop: Loop, trips: Mapping[Loop, int], *, waiting: bool = False) -> int:
    """Copies of the innermost body in a loop; waiting: of loops alone that are copied around one that cannot be."""
    inner_loops = loop_text.loops_inside(machine, loop)
    is_copied = not waiting or (bool(inner_loops) and not loop_text.bounded_inside(machine, loop))
    inside = (_copies_of_body(machine, inner, trips, waiting=waiting) for inner in inner_loops if inner in trips)
    return (trips[loop] if is_copied else 1) * max(inside, default=1)


def _is_too_many(machine: Machine, loop: Loop, first: tuple[int, int], trips: int, around: int | None) -> bool:
    """True if copies like the measured ones end in `TooManyValuesError`: it is not tried, and where the loop is in
    another one, not tried for each copy of that. first: values and size behind the first copy. Raises
    TooManyOperationsError if they exceed a limit around.
    """
    behind = _MEASURED - 1
    values, size = (len(machine.graph) - first[0]) / behind, (machine.tally.size - first[1]) / behind
    if values * trips > _SURELY * MAX_VALUES and not loop_text.bounded_inside(machine, loop):
        return True
    if around is not None and machine.tally.size + size * (trips - _MEASURED) / _SURELY > around:
        raise TooManyOperationsError(loop)
    return False


def _test_now(machine: Machine, loop: Loop) -> int | float | None:
    """The result of the test at this point, None if that is known at run time only."""
    value = machine.evaluate(loop.test) if loop.test is not None else None
    return machine.graph.constants[value] if isinstance(value, int) else None
