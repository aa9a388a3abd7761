"""How many iterations a loop has, what its counter can be, and what else is known of it before it is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import COMPARISONS, OPERATIONS
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Constant,
    Declare,
    Expr,
    If,
    Index,
    Jump,
    Loop,
    Member,
    Name,
    Return,
    SizeOf,
    Update,
)
from regpress_lint.cpp.traversal import chained
from regpress_lint.model.graph.objects import Place
from regpress_lint.model.graph.ranges import at_most, largest
from regpress_lint.model.graph.values import POINTER
from regpress_lint.model.interpreter import loop_indices, loop_text, loop_writes
from regpress_lint.model.interpreter.loop_control import Control, Exit, control_of, in_passing, settled
from regpress_lint.model.interpreter.member_calls import has_operator, is_of_class, static_member
from regpress_lint.model.interpreter.private_objects import scalar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from regpress_lint.cpp.syntax_tree import Stmt, Variable
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


_MAX_TRIPS = 1024
_ORDERS = frozenset(("<", "<=", ">", ">="))
_READ_AT_ONCE = (Constant, Member, Name)
_ASKED_AT_ONCE = (Binary, Cast, Constant, Name)
_WORKED_OUT_ONCE = (Binary, Call, Cast, SizeOf)  # and not in each iteration
_WORKED_OUT = frozenset(("+", "-", "*", "/", "%", "<<", ">>"))
_LONG = 8  # bytes
_SAFE = 1 << 31  # numbers below it are the same in `int` and in all wider types, with and without sign


class Trips(NamedTuple):
    """Iterations of a counted loop. behind: the body is begun once more, up to a `break`."""

    number: int
    behind: bool = False


def trip_count(machine: Machine, loop: Loop) -> Trips | None:
    """Iterations of a counted loop, by running the code that decides it; None if they depend on run-time values. A test
    and a step of the plainest kind are worked out instead.
    """
    steps, test = loop_text.steps_of(loop), loop.test
    if loop.kind == "range" or _is_bounded_late(machine, loop) or _orders_moving(machine, loop):
        return None
    apart = isinstance(test, Binary) and _has_two_exits(test)
    if not machine.compiler.unrolling.exits_late and _is_index_behind(machine, loop, apart=apart):
        return None
    if loop.kind != "do" and test is not None and len(steps) == 1 and not _is_written_apart(machine, loop, steps[0]):
        simple = _counted(machine, test, steps[0], loop)
        if simple is not None:
            return Trips(simple)
    if apart and not loop_indices.indexed_arrays(machine, loop):
        return None
    # `k < 8 && v[k] > x`: copies up to the constant, each with an exit, where it takes an array out of memory.
    return _run(machine, control_of(machine, loop, apart=apart))


def _is_index_behind(machine: Machine, loop: Loop, *, apart: bool) -> bool:
    """True if where a loop with two exits ends is the place of a write behind it, `while (j > 0 && v[j - 1] > x) --j;
    v[j] = x;`: copies of the loop would take no array out of memory, and nvcc makes none (`test_insertion.py`).
    apart: the loop's test has both exits; where one is a `break`, the loop has to write the array as well.

    Code in front of a `break` or `return` is also behind the loop: `if (v[j - 1] <= x) { v[j] = x; break; }`.
    """
    is_left = loop_text.is_left(machine, loop)
    if not apart and not (is_left and any(map(_element_written, loop_text.nodes(loop.body)))):
        return False
    arrays = set(loop_indices.indexed_arrays(machine, loop))
    steps = (step.operand for step in loop_text.steps_of(loop) if isinstance(step, Update))
    moved = {counter.variable for counter in steps if isinstance(counter, Name)}
    if not moved or not arrays:
        return False

    def is_behind(node: Expr | Stmt) -> bool:
        target = _element_written(node)
        index = target.index if target is not None else None
        at_counter = isinstance(index, (Name, Binary)) and _is_at(index, moved)
        return target is not None and at_counter and loop_writes.own_array(machine, target) in arrays

    inside = set(loop_text.nodes(loop))
    body = machine.active[-1].body if machine.active else None
    if body is not None and any(is_behind(node) for node in loop_text.nodes(body) if node not in inside):
        return True
    leaving = {node for branch in _leaving(loop.body) for node in loop_text.nodes(branch)} if is_left else set()
    staying = (node for node in inside if isinstance(node, Index) and node not in leaving)
    arrays &= {loop_writes.own_array(machine, node) for node in staying} if leaving else arrays
    return any(map(is_behind, leaving))


def _element_written(node: Expr | Stmt) -> Index | None:
    return node.target if isinstance(node, Assign) and isinstance(node.target, Index) else None


def _is_at(index: Expr, counters: Collection[Variable | None]) -> bool:
    """True for `j`, and for `j - 1`."""
    if isinstance(index, Binary) and index.op in ("+", "-") and isinstance(index.right, Constant):
        index = index.left
    return isinstance(index, Name) and index.variable in counters


def _leaving(statement: Stmt) -> Iterator[Stmt]:
    """The branches in a loop's body at whose end the loop is left, those of loops inside aside."""
    if isinstance(statement, Block):
        for node in statement.statements:
            yield from _leaving(node)
    elif isinstance(statement, If):
        for side in (statement.then, statement.other):
            last = side.statements[-1] if isinstance(side, Block) and side.statements else side
            if isinstance(last, Return) or (isinstance(last, Jump) and last.kind == "break"):
                yield last if side is None else side
            elif side is not None:
                yield from _leaving(side)


def _orders_moving(machine: Machine, loop: Loop) -> bool:
    """True for `p < v + 8` with a pointer into a private array and for `i < j` with two numbers that the loop moves,
    for a compiler that counts no such loop.
    """
    test = loop.test
    if machine.compiler.unrolling.orders_moving or not isinstance(test, Binary) or test.op not in _ORDERS:
        return False
    left = test.left
    sides = [_variables_in(machine, side) for side in (left, test.right)]
    moving = {variable for _, variable in loop_writes.writes_of(machine, loop)} if all(sides) else set()
    if all(side & moving for side in sides):
        return True
    walked = left.variable or machine.names.get(left.name) if isinstance(left, Name) else None
    return walked is not None and walked.type.pointers > 0 and isinstance(machine.variables.get(walked), Place)


def _variables_in(machine: Machine, expr: Expr) -> set[Variable | None]:
    """The variables that an expression reads; `tile.size` and `tile.size()`, constants of the class of `tile`, read
    none, nor does `std::size(v)`.
    """
    if (isinstance(expr, Member) and static_member(machine, expr) is not None) or loop_writes.asks_extent(expr):
        return set()
    if isinstance(expr, Call) and isinstance(expr.callee, Member) and is_of_class(machine, expr):
        return set()
    return {name.variable for name in loop_text.nodes(expr) if isinstance(name, Name)}


def _is_bounded_late(machine: Machine, loop: Loop) -> bool:
    """True if a loop with two exits begins at the counter of a surrounding loop that is copied; the compiler then does
    not copy it.
    """
    test = loop.test
    if (
        machine.compiler.unrolling.exits_late
        or not machine.loops.copying
        or test is None
        or not (_has_two_exits(test) or loop_text.is_left(machine, loop))
    ):
        return False
    asked = {name.variable for name in loop_text.nodes(test) if isinstance(name, Name)}
    return any(loop_text.hangs_on_counter(machine, around, asked) for around in machine.loops.copying)


def _is_written_apart(machine: Machine, loop: Loop, step: Expr) -> bool:
    """True if a loop changes its counter by more than its step, or a `while` goes on without it."""
    if loop.kind == "while" and any(
        isinstance(node, Jump) and node.kind == "continue" for node in loop_text.nodes(loop)
    ):
        return True
    writes = loop_writes.writes_of(machine, loop)
    changed = [variable for node, variable in writes if node is step]
    return any(variable in changed for node, variable in writes if node is not step)


def most_trips(machine: Machine, loop: Loop) -> int | None:
    """Most iterations of a loop whose number depends on run-time values, `i < min(n, 8)` or `i < 8 && i < n`:
    it has one exit. None if nothing bounds it.
    """
    steps = loop_text.steps_of(loop)
    if loop.kind not in ("for", "while") or loop.test is None or len(steps) != 1 or _has_two_exits(loop.test):
        return None
    if _is_bounded_late(machine, loop):
        return None
    if not machine.compiler.unrolling.exits_late and _is_index_behind(machine, loop, apart=False):
        return None
    (step,) = steps
    changed = loop_writes.assigned(machine, loop)
    steady = (side for side in chained(loop.test, "&&") if not _is_changed(side, changed))
    limits = (_bounded(machine, side, step) for side in steady)
    return min((limit for limit in limits if limit is not None), default=None)


def is_folded(machine: Machine, loop: Loop) -> bool:
    """True if `if (i >= n) break;`, first in the body (for clang also last), is one exit with the loop's own test.

    Nothing is done between the two, and neither reads: LLVM asks both at once. After a write there are two exits, also
    if the loop does not change the tested value: compilers copy the loop for either answer.
    """
    table = machine.compiler.unrolling
    body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
    first, last = body[:1] if table.folds_first else (), body[-1:] if table.folds_last else ()
    ends = (*first, *(end for end in last if isinstance(end, If) and not _works_on(end)))
    return any(isinstance(end, If) and _leaves_by_number(machine, loop, end) for end in ends)


def _works_on(branch: If) -> bool:
    """Whether a branch does something where it does not leave the loop, as in `if (found) break; else sum += x;`."""
    sides = [side for side in (branch.then, branch.other) if side is not None]
    return any(not _is_break(side) and not (isinstance(side, Block) and not side.statements) for side in sides)


def _leaves_by_number(machine: Machine, loop: Loop, branch: If) -> bool:
    leaves = [side for side in (branch.then, branch.other) if side is not None and _is_break(side)]
    if len(leaves) != 1 or branch.init or branch.is_constexpr:
        return False
    asked = branch.test
    while isinstance(asked, Binary) and asked.op == ("||" if leaves[0] is branch.then else "&&"):
        asked = asked.left
    inside = tuple(loop_text.nodes(asked))
    changed = loop_writes.assigned(machine, loop)
    moves = any(isinstance(node, Name) and node.variable in changed for node in inside)
    if not moves or not all(isinstance(node, _ASKED_AT_ONCE) for node in inside):
        return False
    constant = in_passing(machine, asked, lambda value: machine.graph.constants[scalar(machine, value)])
    return constant is None  # else it is known in every iteration: the loop is a shorter one


def _is_break(statement: Stmt) -> bool:
    while isinstance(statement, Block) and len(statement.statements) == 1:
        statement = statement.statements[0]
    return isinstance(statement, Jump) and statement.kind == "break"


def _is_changed(test: Expr, changed: Collection[Variable]) -> bool:
    """True if the loop changes what its counter is compared with."""
    bound = test.right if isinstance(test, Binary) else test
    return any(isinstance(node, Name) and node.variable in changed for node in loop_text.nodes(bound))


def _bounded(machine: Machine, test: Expr, step: Expr) -> int | None:
    """Most iterations before a comparison fails."""
    counted = _counted(machine, test, step)
    if counted is not None or not isinstance(test, Binary) or test.op not in ("<", "<="):
        return counted
    counter = test.left.variable if isinstance(test.left, Name) else None
    now = _held_number(machine, counter) if counter is not None else None
    start = machine.variables.get(counter) if counter is not None else None
    if now is None and machine.compiler.unrolling.lanes > 1 and isinstance(start, int):
        now = 0 if largest(machine.graph, start) is not None else None  # from `threadIdx.x` at most as many as from 0
    by = increment_of(machine, step, counter) if counter is not None else None
    if now is None or by is None or by < 0:
        return None
    limit = in_passing(machine, test.right, lambda value: at_most(machine.graph, scalar(machine, value)))
    return None if limit is None else max(0, -(-(limit + (test.op == "<=") - now) // by))


def _has_two_exits(test: Expr) -> bool:
    """True for conditions of which the second is not asked in any case: a read, a call. Others are one to compilers."""
    return any(
        not isinstance(node, _ASKED_AT_ONCE) for side in [*chained(test, "&&")][1:] for node in loop_text.nodes(side)
    )


def _run(machine: Machine, control: Control) -> Trips | None:
    """How often the loop is gone through before one of its tests ends it; its effects on the machine are undone. A test
    of run-time values is left out: it ends the loop earlier, or never.
    """
    open_, counted = {id(event) for event in control.exits}, None
    for event in control.events:
        if not isinstance(event, Exit) or not _is_plainly_open(machine, event.test):
            break
        open_.discard(id(event))
    if not open_:
        return None
    mark, limit = machine.mark(), machine.tally.limit
    machine.tally.limit = None
    for trip in range(_MAX_TRIPS + 1):
        if not open_:
            break
        counted = _gone_through(machine, control, open_, trip)
        if counted is not None:
            break
    machine.rewind(mark)
    machine.tally.limit = limit
    return counted


def _is_plainly_open(machine: Machine, test: Expr) -> bool:
    """True if a test compares a number of which nothing is known now, as in `i < n`: it is not executed to see that."""
    if not isinstance(test, Binary) or test.op not in COMPARISONS or not isinstance(test.right, _READ_AT_ONCE):
        return False
    variable = test.left.variable if isinstance(test.left, Name) else None
    held = machine.variables.get(variable) if variable is not None else None
    if not isinstance(held, int) or machine.graph.constants[held] is not None or machine.graph.kinds[held] == POINTER:
        return False
    if has_operator(machine, f"operator{test.op}"):
        return False
    machine.evaluated += 1 + (test.right.__class__ is not Name)  # as if it had been
    return True


def _gone_through(machine: Machine, control: Control, open_: set[int], trip: int) -> Trips | None:
    """One iteration of what decides; its number if the loop ends in it. open_: the tests that can be followed."""
    for event in control.events:
        if isinstance(event, (Declare, If)):
            machine.execute(event)
        elif not isinstance(event, Exit):
            machine.evaluate(event)
        elif id(event) in open_:
            constant = machine.graph.constants[scalar(machine, machine.evaluate(event.test))]
            if constant is not None and bool(constant) == event.leaves:
                return Trips(trip + 1) if event.last else Trips(trip, event.inside)
            if constant is None or not event.moves:
                open_.discard(id(event))
                if not open_:  # nothing of what follows decides any more
                    return None
    return None


def bound_counter(machine: Machine, loop: Loop, trips: int | None, phis: Mapping[Variable, Value]) -> None:
    """The counter of a loop with a known number of iterations has a largest value."""
    counter = loop.test.left.variable if isinstance(loop.test, Binary) and isinstance(loop.test.left, Name) else None
    phi = phis.get(counter) if counter is not None else None
    if not trips or counter is None or not isinstance(phi, int) or loop.step is None:
        return
    graph = machine.graph
    by, start = increment_of(machine, loop.step, counter), graph.constants[graph.args[phi][0]]
    if by and by > 0 and isinstance(start, int) and start >= 0:
        graph.limits[phi] = start + trips * by


def _counted(machine: Machine, test: Expr, step: Expr, loop: Loop | None = None) -> int | None:
    """Iterations of `for (i = 0; i < 8; i++)`, its numbers such that no type of C++ changes them; None for others.
    loop: of which the test is all, so that its bound may be any expression that the loop does not change.
    """
    if not isinstance(test, Binary) or not isinstance(test.left, Name) or test.op not in COMPARISONS:
        return None
    counter = test.left.variable
    if counter is None or counter.type.size not in (4, 8) or counter.type.floating or counter.type.pointers:
        return None
    now, bound = _held_number(machine, counter), plain_number(machine, test.right, counter)
    by = increment_of(machine, step, counter)
    if now is None or by is None:
        return None
    if bound is None and loop is not None and isinstance(test.right, _WORKED_OUT_ONCE):
        known = settled(machine, loop, test.right)
        bound = known if isinstance(known, int) and 0 <= known < _SAFE else None
    if bound is None:
        return None
    if not COMPARISONS[test.op](now, bound):
        return 0
    if (test.op[0] == "<") != (by > 0) or test.op[0] not in "<>":
        return None
    distance = abs(bound - now) + (test.op[1:] == "=")
    trips = -(-distance // abs(by))
    return trips if 0 <= now + trips * by < _SAFE else None


def increment_of(machine: Machine, step: Expr, counter: Variable) -> int | None:
    """The increment of the counter by `i++` or `i += 2`."""
    if isinstance(step, Update):
        target, by = step.operand, 1
    elif isinstance(step, Assign) and step.op in ("+=", "-="):
        target, by = step.target, plain_number(machine, step.value, counter) or 0
    else:
        return None
    if not by or not isinstance(target, Name) or target.variable is not counter:
        return None
    return -by if step.op[0] == "-" else by


def plain_number(machine: Machine, expr: Expr, counter: Variable) -> int | None:
    """A literal, or a name other than the loop's counter whose value is known, or what these make; None if it
    is no safe number.
    """
    number: object = None
    if isinstance(expr, Constant):
        number = expr.value
    elif isinstance(expr, Binary):
        left = plain_number(machine, expr.left, counter) if expr.op in _WORKED_OUT else None
        right = plain_number(machine, expr.right, counter) if left is not None else None
        if left is not None and right is not None:
            number = OPERATIONS[expr.op](left, right)
    elif isinstance(expr, Name):
        variable = expr.variable or (machine.names.get(expr.name) if expr.name not in machine.constants else None)
        if variable is not None:
            return _held_number(machine, variable) if variable is not counter else None
        number = machine.constants.get(expr.name)
        if number is None:
            number = machine.environment.names(expr.name)
    elif isinstance(expr, Member):
        number = static_member(machine, expr)
    return number if isinstance(number, int) and 0 <= number < _SAFE else None


def _held_number(machine: Machine, variable: Variable) -> int | None:
    value = machine.variables.get(variable)
    number = machine.graph.constants[value] if isinstance(value, int) else None
    return number if isinstance(number, int) and 0 <= number < _SAFE else None
