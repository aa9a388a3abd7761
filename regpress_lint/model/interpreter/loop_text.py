"""Properties of a loop's text before it is executed: which variables it changes, whether it writes memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assembly,
    Assign,
    Binary,
    Block,
    Call,
    Case,
    Conditional,
    Declare,
    Expr,
    If,
    Index,
    Jump,
    Loop,
    Member,
    Name,
    Return,
    Stmt,
    Switch,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import chained, children, walk_outside_lambdas
from regpress_lint.model.graph.objects import Inside
from regpress_lint.source.loop_facts import last_expression, stepped
from regpress_lint.source.reached_calls import Entered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from regpress_lint.model.interpreter.machine import Machine

SYNCHRONISES = ("__syncthreads", "__syncwarp", "atomic", "barrier", "group_barrier", "__threadfence")
_MEETING = (*SYNCHRONISES, "__shfl")

CHANGING = frozenset((Assign, Update, Unary, Call, Assembly))  # what `_changed` looks at
_ASKED = CHANGING | {Index, Declare, Loop}


def steps_of(loop: Loop) -> tuple[Expr, ...]:
    """The steps of a loop at the end of each iteration, split at commas."""
    step = loop.step if loop.kind == "for" and loop.step is not None else last_step(loop)
    return tuple(chained(step, ",")) if step is not None else ()


def step_of(loop: Loop, variable: Variable | None) -> Expr | None:
    """The part of a loop's step that changes a variable; `i = i + 4` as `i += 4`."""
    steps = (step for step in steps_of(loop) if stepped(step) is variable)
    step = next(steps, None) if variable is not None else None
    return as_step(step) if step is not None else None


def as_step(step: Expr) -> Expr:
    """`i = i + 4` as `i += 4`."""
    if not isinstance(step, Assign) or step.op != "=" or not isinstance(node := step.value, Binary):
        return step
    is_sum = node.op in ("+", "-") and isinstance(node.left, Name) and node.left.variable is stepped(step)
    return Assign(step.span, f"{node.op}=", step.target, node.right) if is_sum else step


def last_step(loop: Loop) -> Expr | None:
    """The step of `while (i < 8) { ...; i++; }`: what its body ends with, if that changes a variable."""
    step = last_expression(loop.body)
    return step if isinstance(step, (Assign, Update)) else None


def loops_inside(machine: Machine, loop: Loop) -> tuple[Loop, ...]:
    """Other loops in a loop, those of functions that are called as well."""
    return tuple(node for node in inside_of(machine, loop).loops if node is not loop)


def counters_of(loop: Loop) -> tuple[Variable, ...]:
    """The variables that the head of a loop steps."""
    counters = map(stepped, steps_of(loop))
    return tuple(dict.fromkeys(variable for variable in counters if variable is not None))


def branches_inside(machine: Machine, loop: Loop) -> int:
    """Branches in the body of a loop about which its counter decides, cases of a `switch` each. Of `i & 1` or `i % 4`
    nvcc knows the result as soon as it has made so many copies.
    """
    branches = machine.read_once.branches.get(loop)
    if branches is None:
        counters, branches = counters_of(loop), 0
        for node in nodes(loop.body):
            if isinstance(node, (If, Conditional, Switch)):
                test = node.subject if isinstance(node, Switch) else node.test
                masked = any(isinstance(part, Binary) and part.op in ("&", "%") for part in nodes(test))
                cases = sum(isinstance(part, Case) for part in nodes(node)) if isinstance(node, Switch) else 1
                branches += cases if not masked and names_one(counters, test) else 0
        machine.read_once.branches[loop] = branches
    return branches


def bounded_inside(machine: Machine, loop: Loop) -> dict[Loop, bool]:
    """Loops inside whose bounds depend on the loop's counter or on a counter of one of them, and whether their start
    does: of `for (i = k; i < 8; i++) for (j = 0; j < i; j++)` in a loop over `k` both, the first from its start.
    """
    bounded = machine.known.bounded.get(loop)
    if bounded is None:
        bounded = machine.known.bounded[loop] = {}
        counters: set[Variable | None] = {*counters_of(loop)}
        for node in loops_inside(machine, loop) if counters else ():
            begins = any(map(partial(names_one, counters), _beginnings(node)))
            if begins or (node.test is not None and names_one(counters, node.test)):
                bounded[node] = begins
                counters |= {stepped(step) for step in steps_of(node)} - {None}
    return bounded


def rows_inside(machine: Machine, loop: Loop) -> int:
    """Accesses in a loop to elements of arrays in arrays, as they are written, `a[i][j]` and `a[i * 6 + j]`."""
    return sum(isinstance(node.base, Index) or _is_row(node.index) for node in inside_of(machine, loop).indexes)


def _is_row(index: Expr) -> bool:
    product = index.left if isinstance(index, Binary) and index.op == "+" else None
    return isinstance(product, Binary) and product.op == "*"


def _beginnings(loop: Loop) -> Iterator[Expr | Stmt]:
    """Initial values of a loop's counters."""
    for statement in loop.init:
        yield statement
        if isinstance(statement, Declare):
            yield from (variable.init for variable in statement.variables if variable.init is not None)


def names_one(variables: Collection[Variable | None], node: Expr | Stmt) -> bool:
    """True if code mentions one of some variables."""
    return any(isinstance(expr, Name) and expr.variable in variables for expr in nodes(node))


def hangs_on_counter(machine: Machine, loop: Loop, variables: Collection[Variable | None]) -> bool:
    """True if what a loop counts decides about one of some variables, by the declarations and assignments in it."""
    counters = counters_of(loop)
    pending, seen = [variable for variable in variables if variable is not None], set[Variable]()
    values: dict[Variable, list[Expr]] = {}
    for node in changing_in(machine, loop.body):
        target = stepped(node) if isinstance(node, Assign) else None
        if isinstance(node, Assign) and target is not None:
            values.setdefault(target, []).append(node.value)
    while pending:
        variable = pending.pop()
        if variable in counters:
            return True
        if variable in seen:
            continue
        seen.add(variable)
        sources = values.get(variable, []) + ([variable.init] if variable.init is not None else [])
        pending += [
            name.variable for value in sources for name in nodes(value) if isinstance(name, Name) and name.variable
        ]
    return False


def is_left(machine: Machine, loop: Loop) -> bool:
    """True if the loop has another exit than its test; what a function that it calls returns from is that function."""
    left = machine.read_once.left.get(loop)
    if left is None:
        left = machine.read_once.left[loop] = any(
            isinstance(node, Return) or (isinstance(node, Jump) and node.kind != "continue")
            for node in walk_outside_lambdas(loop)
        )
    return left


def meets(machine: Machine, loop: Loop) -> bool:
    """True if threads do something together in the loop, for a compiler that does not copy that."""
    if machine.compiler.copies_barriers:
        return False
    return any(call.name.startswith(_MEETING) for call in inside_of(machine, loop).calls)


def inside_of(machine: Machine, loop: Loop) -> Inside:
    """The nodes of a loop and the functions that it calls, collected in one walk for all queries."""
    inside = machine.read_once.inside.get(loop)
    if inside is None:
        asked = [node for node in nodes(loop, machine) if node.__class__ in _ASKED]
        inside = machine.read_once.inside[loop] = Inside(
            tuple(node for node in asked if node.__class__ in CHANGING),
            tuple(node for node in asked if isinstance(node, Call)),
            tuple(node for node in asked if isinstance(node, Index)),
            tuple(node for node in asked if isinstance(node, Declare)),
            tuple(node for node in asked if isinstance(node, Loop)),
        )
    return inside


def changing_in(machine: Machine, code: Expr | Stmt) -> tuple[Expr | Stmt, ...]:
    changing = machine.read_once.changing.get(code)
    if changing is None:
        exprs = tuple(node for node in nodes(code) if node.__class__ in CHANGING)
        changing = machine.read_once.changing[code] = exprs
    return changing


def nodes(code: Expr | Stmt, machine: Machine | None = None) -> Iterable[Expr | Stmt]:
    """Everything inside a loop or other code; with a machine also the bodies of functions that it calls, each once.

    The nodes of a statement are kept: each execution walks most statements many times. A range-based loop is rewritten
    when it is reached.
    """
    if machine is not None:
        return _with_callees(code, machine)
    if not isinstance(code, (Loop, Block, If)):
        return _nodes(code)
    if code.walked is None:
        walked = tuple(_nodes(code))
        if any(node.__class__ is Loop and node.kind == "range" for node in walked):
            return walked
        code.walked = walked
    return code.walked


def _nodes(code: Expr | Stmt) -> Iterator[Expr | Stmt]:
    pending: list[Expr | Stmt] = [code]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)


def _with_callees(code: Expr | Stmt, machine: Machine) -> Iterator[Expr | Stmt]:
    pending: list[Expr | Stmt] = [code]
    entered = Entered()
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, Call) and not isinstance(node.callee, Member):
            function = machine.inputs.callee_of(node)
            if function is not None and entered.first(function):
                pending.append(function.body)
        pending.extend(children(node))
