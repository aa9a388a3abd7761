"""Loops that stay: their bodies as often as the compiler writes them, and one iteration of any loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Constant, Declare, Name, Update
from regpress_lint.model.graph.objects import Element, LoopNote, Memory, Value, flat
from regpress_lint.model.graph.ops import BRANCH, LOAD_CONSTANT, LOAD_GLOBAL, Kind, store
from regpress_lint.model.graph.values import BOOL, UNSIGNED, Region, made_form
from regpress_lint.model.interpreter import arithmetic, loop_text, loop_writes
from regpress_lint.model.interpreter.branches import merged
from regpress_lint.model.interpreter.carried_values import (
    carried,
    changed,
    closed,
    closed_value,
    phis_of,
    starts_of,
    steady_numbers,
    visible,
)
from regpress_lint.model.interpreter.machine import SPACES, Machine
from regpress_lint.model.interpreter.memory import access_of, are_too_many
from regpress_lint.model.interpreter.object_writes import forget_last_written
from regpress_lint.model.interpreter.private_objects import scalar, variable_value
from regpress_lint.model.interpreter.state import Jumps, WrittenLaterError
from regpress_lint.model.interpreter.trip_counts import bound_counter
from regpress_lint.targets import loop_plan
from regpress_lint.targets.compilers.traits import NEVER
from regpress_lint.targets.costs import call_size, reductions
from regpress_lint.targets.loop_plan import Plan, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.cpp.syntax_tree import Loop, Variable
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.vector_loops import Lanes

_FROM_MEMORY = frozenset((LOAD_CONSTANT, LOAD_GLOBAL))
_TO_TILE = store("shared")
_PARTS = frozenset(("/", "%", ">>", "&"))  # of an index: a row and a column of a tile
_MOST_BEFORE = 8  # copies by nvcc to which ptxas adds its own
_FEW_FOR_VECTORS = 16  # of fewer iterations none may be left over behind those that vectors do side by side
_CALLED = frozenset((Kind.ROUTINE, Kind.BEGUN))
_INSTRUCTIONS = dict.fromkeys(
    (
        Kind.ARITHMETIC,
        Kind.CONVERSION,
        Kind.SELECT,
        Kind.BITS,
        Kind.ADDRESS,
        Kind.CONVERGENT,
        Kind.BARRIER,
        Kind.BRANCH,
    ),
    1,
) | dict.fromkeys((Kind.LOAD, Kind.STORE, Kind.ATOMIC), 2)  # with the address of an element; `ADDRESS` extends an index


def note_plan(machine: Machine, loop: Loop, shape: Shape, plan_: Plan) -> None:
    """Remember what becomes of a loop."""
    machine.tally.plans.append(LoopNote(loop, tuple(machine.active), shape.trips, plan_, shape.counted))


def iteration(machine: Machine, loop: Loop, breaks: list[dict[Variable, Value]]) -> None:
    """The body once; where it `continue`s, the paths meet at its end."""
    jumps, guards = Jumps(True, breaks, [], len(machine.frame.owned)), machine.guards
    under = machine.under
    machine.loops.jumps.append(jumps)
    machine.execute(loop.body)
    machine.loops.jumps.pop()
    if not breaks:  # else what follows runs only where the loop was not left
        machine.guards, machine.under = guards, under
    if not jumps.continues:
        return
    state = jumps.continues.pop() if machine.frame.dead else machine.variables
    for continued in jumps.continues:
        state = merged(machine, machine.branch_condition(), state, continued, second=True)
    machine.variables = state
    machine.frame.dead = False


def meet(machine: Machine, breaks: list[dict[Variable, Value]]) -> None:
    """Make one path of those that have left so far: compilers have one register for a value after the loop, and
    not one for each copy's exit until the last has been executed.
    """
    while len(breaks) > 1:
        last = breaks.pop()
        breaks[-1] = merged(machine, machine.branch_condition(), last, breaks[-1], exits=True, second=True)


def leave(machine: Machine, breaks: list[dict[Variable, Value]], *, apart: bool = False) -> None:
    """Behind a loop: the paths of its end and of all `break`s meet. apart: each has registers for what it leaves."""
    if not breaks:
        return
    state = breaks.pop() if machine.frame.dead else machine.variables
    for broken in breaks:
        state = merged(machine, machine.branch_condition(), state, broken, exits=True, second=not apart)
    machine.variables = state
    machine.frame.dead = False
    machine.own()


def keep(machine: Machine, loop: Loop, shape: Shape) -> None:
    """Execute a loop that stays: its body as often as the compiler writes it, with a phi for each carried value."""
    forget_last_written(machine)
    mark, named = machine.mark(), visible(machine, loop)
    outer, region = machine.region, Region(machine.region, loop, machine.guards, machine.memory.epoch)
    machine.tally.loops_kept += 1
    phis = phis_of(machine, loop, region)
    starts, moving = starts_of(machine, loop), frozenset(machine.arrays.pointed.moving)
    bound_counter(machine, loop, shape.trips, phis)
    machine.region = region
    machine.new_block()
    machine.loop_starts.add(machine.block)
    region.scope, region.trials = len(machine.memory.reads), len(machine.loops.copying)
    machine.memory.reads.append({})
    _write_before(machine, loop)
    (announced, expected), writes = _announce(machine, loop), machine.arrays.writes
    began = machine.memory.epoch
    breaks: list[dict[Variable, Value]] = []
    indexed, noted = len(machine.tally.indexed), len(machine.tally.elements)
    (plan, missed, lanes), late = _tried_bodies(machine, loop, shape, named, phis, breaks)
    _note_writes(machine, loop, writes)
    written = {array for array, epoch in machine.memory.arrays.items() if epoch > began}
    rewritten, spared = written - announced, expected - written
    key = loop, machine.graph.site
    asked = not missed and shape.trips is None and key not in machine.known.steady
    steady = steady_numbers(machine, loop, phis) if asked else frozenset()
    # What was assumed in front of it is wrong: execute it again, knowing that.
    if missed or rewritten or spared or late or steady:
        machine.rewind(mark)
        machine.known.carried[loop, machine.graph.site] = (*carried(machine, loop), *missed)
        machine.known.rewritten[loop, machine.graph.site] = (announced - spared) | rewritten
        machine.known.reads_inside.update((loop,) if late else ())
        if steady:
            machine.known.steady[key] = steady
        keep(machine, loop, shape)
        return
    note_plan(machine, loop, shape, plan)
    region.copies = max(1, plan.copies)
    region.skipped = shape.trips is None and loop.kind != "do" and region.copies == 1 and not breaks
    _hold_what_is_left(machine, loop, shape, plan, phis)
    if plan.given_up:
        machine.loops.copied.update(starts, (number for phi in phis.values() for number in flat(phi)))
        _settle_indices(machine, indexed, noted, moving)
    if loop.kind == "do" and not machine.frame.dead:
        _test(machine, loop)
    machine.memory.reads.pop()
    _note_again(machine, loop, region, shape, plan, phis)
    machine.region = outer
    _end(machine, loop, region, phis, lanes, breaks)
    if machine.compiler.remakes_sums and (outer.parent is None or outer.parent.parent is None):
        machine.graph.remake_sums(mark.values)


def _end(
    machine: Machine,
    loop: Loop,
    region: Region,
    phis: dict[Variable, Value],
    lanes: Lanes | None,
    breaks: list[dict[Variable, Value]],
) -> None:
    """Behind the last copy: what the loop carries goes round, and the paths that leave it meet."""
    dead, machine.frame.dead = machine.frame.dead and loop.test is None, False
    region.latch = machine.block
    machine.region.items.append(region)
    endless = loop.test is None or (isinstance(loop.test, Constant) and bool(loop.test.value))
    came_round: dict[Variable, Value] | None = None
    if endless and breaks:  # its end is no way out
        came_round = None if dead else machine.variables
        machine.variables, dead = breaks.pop(), False
    _close(machine, region, phis, lanes, came_round)
    machine.frame.dead = dead
    leave(machine, breaks, apart=machine.compiler.exits_apart)
    machine.own()
    machine.new_block()


def _tried_bodies(
    machine: Machine,
    loop: Loop,
    shape: Shape,
    named: tuple[Variable, ...],
    phis: dict[Variable, Value],
    breaks: list[dict[Variable, Value]],
) -> tuple[tuple[Plan, tuple[Variable, ...], Lanes | None], bool]:
    """See `_bodies`; and whether a read in front of the loop was wrong there."""
    region, hoisted, limit = machine.region, len(machine.loops.hoisted), machine.tally.limit
    try:
        bodies = _bodies(machine, loop, shape, named, phis, breaks)
        if region.ahead:
            machine.check_ahead()
        return bodies, bool(region.ahead) and are_too_many(machine, region, hoisted)
    except WrittenLaterError:
        machine.tally.limit = limit
        return (Plan(1, False, ""), (), None), True


def _note_again(
    machine: Machine, loop: Loop, region: Region, shape: Shape, plan: Plan, phis: dict[Variable, Value]
) -> None:
    """Remember a loop that the assembler may copy once more: none whose counter has 64 bits and goes one by one from a
    number that is known.
    """
    if machine.compiler.copies_again and shape.factor is None and 1 < plan.copies <= _MOST_BEFORE:
        graph, by_one = machine.graph, isinstance(loop.step, Update)
        counters = [phi for phi in phis.values() if isinstance(phi, int) and phi in machine.loops.counters]
        if any(not (by_one and graph.widths[phi] > 1 and _begins_known(graph, phi)) for phi in counters):
            machine.loops.again.append(region)


def _begins_known(graph: Graph, phi: int) -> bool:
    """True if a counter's first value is a known number; one that nothing changes in the end has no first value."""
    begins = graph.args[phi]
    return bool(begins) and graph.constants[begins[0]] is not None


def _hold_what_is_left(machine: Machine, loop: Loop, shape: Shape, plan: Plan, phis: Mapping[Variable, Value]) -> None:
    """Iterations that no group of copies takes have code of their own. Of a loop from a thread's place that fills a
    tile, in a loop around that changes nothing of where this one begins and ends, nvcc works out in front of that one
    which of them there are, and where they are in memory.
    """
    graph, region = machine.graph, machine.region
    around = region.parent.node if region.parent is not None else None
    copied = shape.trips is None and plan.copies >= machine.compiler.unrolling.runtime_copies
    if not (machine.compiler.remainder and copied and around is not None):
        return
    ops = [graph.ops[item] for item in region.items if isinstance(item, int)]
    reads = sum(op in _FROM_MEMORY for op in ops) // plan.copies
    if not reads or _TO_TILE not in ops:
        return
    counters = frozenset(loop_text.counters_of(loop))
    begins = (loop.test, *loop.init, *(counter.init for counter in counters))
    names = [node for expr in begins if expr is not None for node in loop_text.nodes(expr) if isinstance(node, Name)]
    inside = (variable for node in loop_text.nodes(around) if isinstance(node, Declare) for variable in node.variables)
    changing = {*loop_writes.assigned(machine, around), *inside} - counters
    firsts = [graph.args[phi][0] for counter in counters if isinstance(phi := phis.get(counter), int)]
    if any(node.variable in changing for node in names) or not any(graph.divergent[first] for first in firsts):
        return
    tests = (graph.args[one][0] for one in region.items if isinstance(one, int) and graph.ops[one] == BRANCH)
    if region.parent is not None and _is_made_anew(graph, region.parent, [*firsts, *tests], frozenset(phis.values())):
        return  # by a function that is called in the loop around, which has them under other names
    parts = any(
        isinstance(node, Binary) and node.op in _PARTS and loop_text.names_one(counters, node)
        for node in loop_text.nodes(loop.body)
    )
    form = made_form(machine.compiler.remainder * (reads + parts), UNSIGNED)
    machine.effect(BRANCH, (graph.source(("what is left of copies", loop, graph.site), form),))


def _is_made_anew(graph: Graph, around: Region, values: list[int], own: frozenset[Value]) -> bool:
    """Whether one of these values comes from a read or a carried value of a loop, so that each iteration may have
    another one. own: the values that an inner loop carries.
    """
    inside = {one for one in around.items if isinstance(one, int)}
    outermost = around.parent is None or around.parent.node is None
    asked, seen = values, set(own)
    while asked:
        value = asked.pop()
        if value in seen:
            continue
        seen.add(value)
        if value in inside or (outermost and graph.ops[value].kind == Kind.PHI):
            return True
        asked.extend(graph.args[value] if graph.ops[value].kind != Kind.PHI else ())
    return False


def _settle_indices(machine: Machine, indexed: int, noted: int, moving: frozenset[Variable]) -> None:
    """In the copies that a compiler makes the indices are constants."""
    del machine.tally.indexed[indexed:]
    machine.settle_elements(noted)
    dynamic = {note.variable for note in machine.tally.elements[noted:] if note.dynamic}
    machine.arrays.pointed.moving &= moving | dynamic


def _close(
    machine: Machine,
    region: Region,
    phis: dict[Variable, Value],
    lanes: Lanes | None,
    came_round: dict[Variable, Value] | None,
) -> None:
    """The values behind a loop of the variables that it carries, and the sums of its lanes if it is one of vectors.
    came_round: what they hold at its end, where only a `break` leaves it.
    """
    state = dict(machine.variables)
    for variable, phi in phis.items():
        leaving = state.get(variable)
        after = leaving if came_round is None else came_round.get(variable)
        if after is not None and leaving is not None:
            state[variable] = closed(machine, region, phi, after, leaving)
    machine.variables = state
    forget_last_written(machine)
    if lanes is not None:
        pairs = [zip(phis, now, strict=True) for phis, now in zip(lanes.phis[1:], lanes.now[1:], strict=True)]
        lanes.add_up(machine, [[closed_value(machine, region, *pair) for pair in lane] for lane in pairs])


def _announce(machine: Machine, loop: Loop) -> tuple[frozenset[Variable], frozenset[Variable]]:
    """Note writes to the arrays in memory that the loop writes, and return these: those that executions have shown,
    which may be for another compiler, or with the arrays in registers. A loop that none has seen may write what its
    text does; these arrays are returned once more, for the execution to confirm.
    """
    nothing: frozenset[Variable] = frozenset()
    if not machine.compiler.forwards_elements or not machine.arrays.in_memory:
        return nothing, nothing
    key = loop, machine.graph.site
    seen = machine.read_once.written.get(key)
    rewritten = machine.known.rewritten.get(key, nothing) | ((seen or nothing) & machine.arrays.in_memory)
    expected = loop_writes.arrays_written(machine, loop) - rewritten if seen is None else nothing
    for array in rewritten | expected:
        machine.memory.wrote_element(Element(array, None))
    return rewritten | expected, expected


def _note_writes(machine: Machine, loop: Loop, since: int) -> None:
    written, key = machine.read_once.written, (loop, machine.graph.site)
    since_then = (variable for variable, when in machine.arrays.last_write.items() if when > since)
    written[key] = written.get(key, frozenset()).union(since_then)


def _bodies(
    machine: Machine,
    loop: Loop,
    shape: Shape,
    named: tuple[Variable, ...],
    phis: dict[Variable, Value],
    breaks: list[dict[Variable, Value]],
) -> tuple[Plan, tuple[Variable, ...], Lanes | None]:
    """The copies of a kept loop's body, and the plan that says how many. Where the first shows that the loop carries
    more variables than its text says, these, and no more is executed. Last the lanes of a loop of vectors.
    """
    lanes: Lanes | None = None
    start, calls, start_values = machine.tally.size, len(machine.tally.libraries), machine.fork()
    loops_kept, first = machine.tally.loops_kept, len(machine.graph)
    copy, plan = 0, Plan(1, False, "")
    while True:
        if loop.test is not None and loop.kind != "do" and (copy == 0 or (shape.trips is None and breaks)):
            _test(machine, loop)
        iteration(machine, loop, breaks)
        if copy == 0:
            size, keeps = machine.tally.size - start, machine.tally.loops_kept > loops_kept
            if machine.compiler.unrolling.around_gone:
                size = min(size, _instructions(machine, loop, first))
            shape = shape._replace(size=size, keeps=keeps, calls=_calls(machine, calls))
            plan = loop_plan.stays(shape, machine.compiler.unrolling)
            if shape.inner and not keeps and not shape.factor:
                machine.loops.around_gone[loop] = plan.copies
        if machine.frame.dead:
            return plan, (), None
        if loop.step is not None:
            machine.evaluate(loop.step)
        missed = changed(machine, named, start_values, phis) if copy == 0 else ()
        if missed or (not shape.factor and _reduces(machine, calls)):
            return plan, missed, None
        if copy == 0 and _may_be_vectors(machine, loop, shape):
            from regpress_lint.model.interpreter.vector_loops import lanes_of

            lanes = lanes_of(machine, machine.region, phis, first, wide=shape.wide)
            plan = (
                loop_plan.of_vectors(shape, machine.compiler.unrolling, len(lanes), beside=lanes.beside)
                if lanes is not None
                else plan
            )
        copy += 1
        if copy >= plan.copies or loop_plan.is_full(len(machine.graph)):
            machine.in_lanes = 0
            if lanes is not None:
                lanes.end(machine)
            return plan, (), lanes
        if lanes is not None:
            lanes.switch(machine, copy)
            machine.in_lanes = 0 if lanes.beside else len(lanes)


def _may_be_vectors(machine: Machine, loop: Loop, shape: Shape) -> bool:
    """True for an innermost loop whose iterations are counted before it runs, for a compiler that has vectors."""
    table = machine.compiler.unrolling
    few = (shape.most or shape.trips or NEVER) < _FEW_FOR_VECTORS and (not shape.trips or shape.trips % table.lanes)
    return table.lanes > 1 and table.copies and shape.countable and loop.kind != "do" and not few


def _instructions(machine: Machine, loop: Loop, since: int) -> int:
    """Instructions of an iteration without what folded away in it, as counters of loops that are gone do, and what goes
    in front of the loop because it does not change there.
    """
    graph, region, instructions = machine.graph, machine.region, 0
    writes = loop_writes.writes(machine, loop)
    hoists = not writes.targets and not writes.fences
    for number in range(since, len(graph)):
        op = graph.ops[number]
        if graph.homes[number] is not region:
            continue
        if op.kind is Kind.LOAD and hoists and graph.homes[graph.args[number][0]] is not region:
            continue
        instructions += call_size(op.about) or 1 if op.kind in _CALLED else _INSTRUCTIONS.get(op.kind, 0)
    return instructions


def _calls(machine: Machine, since: int) -> bool:
    return any(not key.startswith(("/", "%", "sqrt:")) for key in machine.tally.libraries[since:])


def _reduces(machine: Machine, since: int) -> bool:
    """True if an argument reduction was called: it is a loop, so that the loop around it is no innermost one."""
    return reductions(machine.vendor, machine.tally.libraries[since:]) > 0


def _write_before(machine: Machine, loop: Loop) -> None:
    """Record that the next iteration may read the writes of this one."""
    writes = loop_writes.writes(machine, loop)
    if writes.fences:
        machine.memory.fenced(*SPACES)
    for variable, type_ in writes.targets:
        space, root = "global", None
        if variable is not None:
            pointer = machine.variables.get(variable)
            if pointer is None and variable.storage == "parameter":
                pointer = variable_value(machine, variable)
            if isinstance(pointer, int):
                space, root = machine.memory.spaces.get(pointer, "global"), machine.memory.roots.get(pointer)
            elif isinstance(pointer, Memory):
                space, root = pointer.space, pointer.root
            space = "shared" if variable.storage == "shared" else space
        machine.memory.written(access_of(machine, space, root, type_))


def _test(machine: Machine, loop: Loop) -> None:
    if loop.test is None:
        return
    value = scalar(machine, machine.evaluate(loop.test))
    condition = arithmetic.convert(machine.graph, value, BOOL)
    machine.effect(BRANCH, (condition,))
    machine.last_condition = condition
    machine.under += (condition,)
    machine.new_block()
