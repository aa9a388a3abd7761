"""Branches: the condition, and the state in which both arms meet again."""

from __future__ import annotations

from itertools import compress, islice
from operator import is_not
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Block, Case, Function, If, Index, Loop, Name
from regpress_lint.cpp.traversal import children, uncast
from regpress_lint.model.graph.objects import Closure, Dynamic, Either, Indexed, Join, Memory, Parts, Place, Value
from regpress_lint.model.graph.ops import BRANCH, ELEMENT, SELECT, Kind
from regpress_lint.model.graph.values import BOOL
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.memory import either

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Switch, Variable
    from regpress_lint.model.graph.objects import Gone
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.array_pointers import Reading
    from regpress_lint.model.interpreter.machine import Machine


# Branches: which of them stay, and the reads on one side of those, which do not move across.


_ACCESSES = frozenset((Kind.LOAD, Kind.STORE))
_MOVED = frozenset((Kind.ARITHMETIC, Kind.CONVERSION))
_SPECULATED = 8  # operations without effect that compilers execute on both sides of a condition
_INTO_LOOP = "this `switch` goes into a loop: that all of it is one loop is not in the estimate"
_MOST_WRITES = 16  # of a branch into one array at run-time indices, of which each one is followed


class Fork(NamedTuple):
    """Where the sides of a condition begin: the block, how many blocks there are, the place in the region's order, the
    operations, the values and the accesses to elements of private arrays until then.
    """

    block: int
    blocks: int
    position: int
    operations: int
    values: int
    elements: int


def fork_here(machine: Machine) -> Fork:
    """The place in front of both sides."""
    return Fork(
        machine.block,
        machine.blocks,
        len(machine.region.items),
        machine.tally.operations,
        len(machine.graph),
        len(machine.tally.elements),
    )


def enter_sides(machine: Machine) -> Fork:
    """Begin with a side of a condition within an expression: what it reads holds in it alone."""
    fork = fork_here(machine)
    machine.memory.reads.append({})
    machine.guards += 1
    machine.new_block()
    return fork


def leave_sides(machine: Machine) -> None:
    """Behind all sides of a condition."""
    machine.guards -= 1
    machine.memory.reads.pop()


def is_speculated(machine: Machine, fork: Fork, predicated_reads: int = 0) -> bool:
    """True if compilers execute both sides: little arithmetic, and nothing that has to stand where it is but so many
    reads.
    """
    items = machine.region.items[fork.position :]
    if len(items) > predicated_reads or not _is_little(machine, fork):
        return False
    return all(isinstance(item, int) and machine.graph.ops[item].kind is Kind.LOAD for item in items)


def is_predicated(machine: Machine, fork: Fork) -> bool:
    """True for an `if` whose few reads and writes are instructions with a predicate, and move as others do."""
    items, accesses = machine.region.items[fork.position :], machine.compiler.predicated_ifs
    if not 0 < len(items) <= accesses or not _is_little(machine, fork):
        return False
    if any(note.dynamic for note in machine.tally.elements[fork.elements :]):  # a frame is decided about by branches
        return False
    kinds = {machine.graph.ops[item].kind if isinstance(item, int) else None for item in items}
    return Kind.LOAD in kinds and kinds <= _ACCESSES


def without_branch(machine: Machine, fork: Fork) -> None:
    """Move what is executed under a condition to the block in front of it."""
    machine.block = fork.block
    machine.join_blocks(fork.blocks)
    for item in machine.region.items[fork.position :]:
        if isinstance(item, int):
            machine.block_of[item] = fork.block


def _is_little(machine: Machine, fork: Fork) -> bool:
    return machine.tally.operations - fork.operations <= _SPECULATED


def _may_go(machine: Machine, fork: Fork) -> bool:
    """Whether no branch is left if compilers split the private objects that its sides reach."""
    items = machine.region.items[fork.position :]
    return _is_little(machine, fork) and all(
        isinstance(item, int) and machine.graph.ops[item].about == "private" for item in items
    )


def met(machine: Machine, condition: int, fork: Fork, predicated_reads: int = 0) -> bool:
    """Behind both sides of a condition within an expression: True if a branch is left of it. To LLVM `?:` and `&&` are
    branches as `if` is, because it reads no memory that may not be there.
    """
    if is_speculated(machine, fork, predicated_reads):
        without_branch(machine, fork)
        return False
    branch_at(machine, condition, fork)
    return True


def met_logical(machine: Machine, op: str, left: int, right: int, fork: Fork) -> int:
    """`&&` or `||`, whose right side has been executed."""
    join = Join(fork.values, fork.block, machine.block)
    leave_sides(machine)
    stays, first = met(machine, left, fork), len(machine.graph)
    value = arithmetic.logical(machine.graph, op, left, right)
    if stays and value >= first:
        machine.sides[value] = join
    return value


def branch_at(machine: Machine, condition: int, fork: Fork, *, leaves: bool = False) -> None:
    """The branch itself, in front of what its sides left behind. leaves: one of them does not come back."""
    straight = _may_go(machine, fork)
    number = machine.graph.add(BRANCH, (condition,), BOOL, machine.loop_region())
    machine.block_of[number] = fork.block
    machine.region.items.insert(fork.position, number)
    machine.block = fork.block
    sides = range(fork.blocks + 1, machine.blocks + 1)
    machine.new_block(straight=straight)
    if not leaves:
        machine.forks.append(sides)


def stay_here(machine: Machine, first: int, join: Join) -> None:
    """Where two sides of a real branch meet, values are phis: what goes into them does not sink behind the branch."""
    graph = machine.graph
    for number in range(first, len(graph)):
        if graph.ops[number] is SELECT:
            machine.block_of[number], machine.sides[number] = machine.block, join
            if machine.compiler.shares_by_sides:
                machine.joins[number] = join
            machine.region.items.append(number)


# Where paths of control meet: one state out of two.


def merged(
    machine: Machine,
    condition: int,
    a: dict[Variable, Value],
    b: dict[Variable, Value],
    *,
    exits: bool = False,
    first: bool = False,
    second: bool = False,
) -> dict[Variable, Value]:
    """The variables after `if (condition)` with state `a` after the one branch and `b` after the other. exits: the
    branch leaves a loop. first, second: one of them was left before the other was executed.
    """
    # Both began as copies of one state, so that they mostly name the same variables in the same order; few differ, and
    # those are found without a step of the interpreter for each of the others.
    names = [*a]
    alike = names == [*islice(b, len(a))]
    if alike:
        ones, others = [*a.values()], [*b.values()]
        places = compress(range(len(a)), map(is_not, ones, others))
        changed = [(names[place], ones[place], others[place]) for place in places]
    else:
        changed = [(variable, held, b[variable]) for variable, held in a.items() if b.get(variable, held) is not held]
    result = a.copy()
    gone = machine.gone(b if second else a, second=second) if first or second else None
    for variable, one, other in changed:
        result[variable] = chosen(machine, condition, one, other, gone)
    if not alike:
        result.update((variable, value) for variable, value in b.items() if variable not in a)
    elif len(b) > len(a):
        result.update(islice(b.items(), len(a), None))
    machine.own()
    # Numbers that depend on the path taken; of a branch that writes no array compilers make selects.
    if exits or any(variable.dims for variable, _, _ in changed):
        for variable, one, other in changed:
            met = result[variable]
            if isinstance(one, int) and isinstance(other, int) and isinstance(met, int):
                machine.arrays.pointed.met(machine.graph, met, one, other)
    return result


def chosen(machine: Machine, condition: int, a: Value, b: Value, gone: Gone | None = None) -> Value:
    """`condition ? a : b` for anything; what was never written takes the other side's value. gone: see
    `arithmetic.choose`.
    """
    if isinstance(a, int) and isinstance(b, int):
        return _number(machine, condition, a, b, gone)
    if isinstance(a, tuple) or isinstance(b, tuple):
        return _lanes(machine, condition, a, b, gone)
    if isinstance(a, Parts) and isinstance(b, Parts):
        return _parts(machine, condition, a, b, gone)
    if isinstance(a, Closure) and isinstance(b, Closure):
        return Closure(a.expression, late=True) if _are_two_functions(a, b) else a
    if isinstance(a, Memory) and isinstance(b, Memory):
        return either(machine, condition, a, b)
    machine.arrays.pointed.chosen(a, b)
    note_elsewhere(machine, a, b)
    if isinstance(a, Place) and isinstance(b, Place) and are_apart(a, b):
        return Either(condition, a, b)
    for side in (a, b):
        if isinstance(side, (Place, Memory, Closure, Parts)):
            return side
    return a


def note_met(machine: Machine, fork: Fork, then: dict[Variable, Value], other: dict[Variable, Value]) -> None:
    """Note the variables that hold reads of private arrays on one side of an `if`, and other reads on the other."""
    reads = machine.arrays.pointed.reads
    for variable, one in then.items() if reads else ():
        two = other.get(variable)
        if isinstance(one, int) and isinstance(two, int) and one != two:
            note_met_values(machine, fork, *_operands(machine.graph, one, two))


def _operands(graph: Graph, one: int, two: int) -> tuple[int, int]:
    """The operands in which two values differ, where the rest is computed behind the branch: of `r += a[i]` and
    `r += b[i]` the reads.
    """
    if graph.ops[one] != graph.ops[two] or graph.ops[one].kind not in _MOVED:
        return one, two
    different = [pair for pair in zip(graph.args[one], graph.args[two], strict=True) if pair[0] != pair[1]]
    return different[0] if len(different) == 1 else (one, two)


def note_met_values(
    machine: Machine,
    fork: Fork,
    one: Value,
    other: Value,
    elements: tuple[Reading | None, Reading | None] = (None, None),
) -> None:
    """The same for the values of two sides. elements: as which they are named there."""
    sides = [_read_on_side(machine, fork, *side) for side in zip((one, other), elements, strict=True)]
    for (first, _), (second, is_read) in (sides, sides[::-1]):
        if first is not None and is_read:
            machine.arrays.pointed.meets(fork, first, second)


def element_read(machine: Machine, side: Expr) -> Reading | None:
    """The read of a private array's element that a side of a condition is; it was evaluated last."""
    side = uncast(side)
    base = side.base if isinstance(side, Index) else None
    while isinstance(base, Index):
        base = base.base
    is_own = isinstance(base, Name) and base.variable is not None and machine.inputs.array_of(base.variable) is not None
    reading = machine.arrays.pointed.reading if is_own else None
    return reading if reading is not None and isinstance(base, Name) and reading.variable is base.variable else None


def _read_on_side(machine: Machine, fork: Fork, value: Value, element: Reading | None) -> tuple[Reading | None, bool]:
    """The element of an array that was read on a side of a branch, and whether anything was."""
    if element is not None or not isinstance(value, int):
        return element, element is not None
    op = machine.graph.ops[value]
    if op.kind not in (Kind.LOAD, Kind.SELECT_ELEMENT) or value < fork.values:
        return None, False
    if op.kind is Kind.LOAD and op.about != "private":
        return None, True
    reading = machine.arrays.pointed.reads.get(value)
    return reading, reading is not None


def note_elsewhere(machine: Machine, a: Value | None, b: Value | None) -> None:
    """A pointer leads to a private object or out of all of them: nvcc 13 has no registers for such an object, and makes
    a copy of an argument that a function has by value. For another compiler it is only kept in mind.
    """
    arrays, of_ptxas = machine.arrays, machine.compiler.indexing == "select"
    for place, other in ((a, b), (b, a)):
        if not isinstance(place, Place) or not _leads_out(machine, other):
            continue
        variable = place.variable
        if variable.dims:
            arrays.pointed.elsewhere.update((variable,) if of_ptxas else ())
        elif variable.type.struct and not variable.type.pointers and _is_own(machine, variable):
            arrays.led_out.add(variable)
            if of_ptxas:
                path = tuple("*" if isinstance(key, Dynamic) else key for key in place.path)
                size, depth = variable.type.size, machine.region.depth
                machine.note_indexed(Indexed(variable, size, path, None, False, depth, copied=True, elsewhere=True))


def _leads_out(machine: Machine, value: Value | None) -> bool:
    if isinstance(value, Memory):
        return value.space != "private"
    return isinstance(value, int) and value != machine.undefined and machine.graph.constants[value] is None


def _is_own(machine: Machine, variable: Variable) -> bool:
    """True for a local object, and for a copy that an inlined function has for itself."""
    if variable.storage != "parameter":
        return variable.storage == "local"
    return any(variable in function.parameters for function in machine.active[1:] if isinstance(function, Function))


def are_apart(a: Place, b: Place) -> bool:
    """True for two private objects of which a condition may choose one, and neither is such a choice itself."""
    plain = a.__class__ is Place and b.__class__ is Place
    return plain and (a.variable is not b.variable or a.path != b.path)


def _are_two_functions(a: Closure, b: Closure) -> bool:
    """Whether it is unknown until the kernel runs which of them is called."""
    first, second = a.expression, b.expression
    different = isinstance(first, Name) and isinstance(second, Name) and first.name != second.name
    return a.late or b.late or different


def _number(machine: Machine, condition: int, a: int, b: int, gone: Gone | None) -> int:
    if machine.undefined in (a, b):
        return b if a == machine.undefined else a
    for new, old in ((a, b), (b, a)):
        if _is_in_place(machine.graph, new, old):
            return new
    result = arithmetic.choose(machine.graph, condition, a, b, gone)
    for side in (a, b):
        if side in machine.memory.spaces:
            machine.memory.spaces.setdefault(result, machine.memory.spaces[side])
    if a in machine.memory.roots and machine.memory.roots[a] == machine.memory.roots.get(b):
        machine.memory.roots.setdefault(result, machine.memory.roots[a])
    return result


def _is_in_place(graph: Graph, new: int, old: int) -> bool:
    """True for an element of an array that one branch writes at a run-time index, of what it is without: the threads
    that take the branch write to its register, the others leave it as it is, and no thread holds both.
    """
    for _ in range(_MOST_WRITES):
        if graph.ops[new] is not ELEMENT:
            return False
        new = graph.args[new][1]
        if new == old:
            return True
    return False


def _lanes(machine: Machine, condition: int, a: Value, b: Value, gone: Gone | None) -> Value:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(_number(machine, condition, one, other, gone) for one, other in zip(a, b, strict=False))
    if not isinstance(a, tuple):
        gone = None if gone is None else gone._replace(second=not gone.second)
    lanes, single = (a, b) if isinstance(a, tuple) else (b, a)
    if not isinstance(single, int) or not isinstance(lanes, tuple):
        return lanes
    return tuple(_number(machine, condition, lane, single, gone) for lane in lanes)


def _parts(machine: Machine, condition: int, a: Parts, b: Parts, gone: Gone | None) -> Parts:
    if a is b:
        return a
    result = a.copy()
    for path, second in b.parts.items():
        part = result.parts.get(path)
        if part is None:
            result.parts[path] = second
        elif part is not second:
            result.parts[path] = chosen(machine, condition, part, second, gone)
    return result


def note_entered_loop(machine: Machine, switch: Switch) -> None:
    """Note a label of a switch that is within a loop, as in Duff's device."""
    pending: list[tuple[Expr | Stmt, bool]] = [(switch.body, False)]
    while pending:
        node, within = pending.pop()
        if isinstance(node, Case) and within:
            machine.unknown("loop", "switch", switch.span, _INTO_LOOP, "both")
            return
        if isinstance(node, (Block, Case, If, Loop)):
            pending += [(child, within or isinstance(node, Loop)) for child in children(node)]
