"""Loops of a function's text: nesting, counters, and the trips that the text alone shows. Only the execution knows
which of them compilers copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Declare,
    Evaluate,
    Expr,
    Jump,
    Loop,
    Name,
    Stmt,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import children, uncast, written
from regpress_lint.targets.costs import call_size

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.source.cfg import Flow


_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "==": "=="}
_INSTRUCTIONS_PER_OPERATION = 2


class LoopFacts:
    """A loop. `depth` is 1 for an outermost one; `trip_count` is None where the source does not settle it.

    unrolled: compilers replace the loop by copies of its body, so that its counter is a constant in each of them, as an
    execution has found.
    written_trips: iterations that the text alone shows, before the kernel is executed.
    """

    def __init__(
        self,
        loop: Loop,
        parent: LoopFacts | None,
        depth: int,
        trip_count: int | None,
        counter: Variable | None,
        has_break: bool,
        unrolled: bool = False,
        cost: int = 0,
    ) -> None:
        self.loop = loop
        self.parent = parent
        self.depth = depth
        self.trip_count = self.written_trips = trip_count
        self.counter = counter
        self.has_break = has_break
        self.unrolled = unrolled
        self.cost = cost
        # Without itself: that would be a circle, and keep its trees until the garbage collector comes around.
        self._around: tuple[LoopFacts, ...] = parent.chain() if parent is not None else ()

    def resolved(self, parent: LoopFacts | None, *, unrolled: bool, trip_count: int | None) -> LoopFacts:
        """The same loop inside of another, with what an execution found out."""
        loop = LoopFacts(self.loop, parent, self.depth, trip_count, self.counter, self.has_break, unrolled, self.cost)
        loop.written_trips = self.written_trips
        return loop

    def chain(self) -> tuple[LoopFacts, ...]:
        """This loop and those around it, outermost first."""
        return (*self._around, self)


def loop_facts(flow: Flow, env: Environment) -> tuple[LoopFacts, ...]:
    """Loops of a function in source order, as `flow.loops` numbers them."""
    if not flow.loops:
        return ()
    costs = _costs(flow)
    result: list[LoopFacts] = []
    for number, record in enumerate(flow.loops):
        parent = result[record.parent] if record.parent >= 0 else None
        counter = counter_of(record.loop)
        spoiled = counter is not None and (_changed_inside(flow, number, counter) or _may_skip_step(record.loop))
        trips = None if spoiled else trip_count(record.loop, env, counter)
        result.append(
            LoopFacts(record.loop, parent, record.depth, trips, counter, record.has_break, cost=costs[number])
        )
    return tuple(result)


def trip_count(loop: Loop, env: Environment, counter: Variable | None = None) -> int | None:
    """Iterations of a counted loop with constant bounds (early exits aside), or None."""
    counter = counter if counter is not None else counter_of(loop)
    if counter is None or loop.kind == "range":
        return None
    start = evaluate_int(_start(loop, counter), env)
    bound = bound_of(loop.test, counter)
    step = _step(loop, counter)
    if start is None or bound is None or step is None:
        return None
    limit, amount = evaluate_int(bound[1], env), evaluate_int(step[1], env)
    if limit is None or amount is None:
        return None
    return _count(start, bound[0], limit, step[0], amount, at_least_one=loop.kind == "do")


def counter_of(loop: Loop) -> Variable | None:
    """The variable that the step of a `for` (or the body's last statement of a `while`) changes."""
    step = loop.step if loop.kind == "for" else last_expression(loop.body)
    while isinstance(step, Binary) and step.op == ",":
        step = step.left if stepped(step.right) is None or _tests(loop.test, stepped(step.left)) else step.right
    if (variable := stepped(step)) is not None and variable.storage in ("local", "parameter"):
        return variable
    return None


def stepped(step: Expr | None) -> Variable | None:
    """The variable that a step changes."""
    target = written(step)
    return target.variable if isinstance(target, Name) else None


def _tests(test: Expr | None, variable: Variable | None) -> bool:
    return variable is not None and bound_of(test, variable) is not None


def last_expression(body: Stmt) -> Expr | None:
    """The expression at the end of a body."""
    last = body.statements[-1] if isinstance(body, Block) and body.statements else body
    return last.expression if isinstance(last, Evaluate) else None


def _start(loop: Loop, counter: Variable) -> Expr | None:
    for stmt in loop.init:
        if isinstance(stmt, Declare) and counter in stmt.variables:
            return counter.init
        if isinstance(stmt, Evaluate):
            expr: Expr = stmt.expression
            while isinstance(expr, Binary) and expr.op == ",":
                expr = expr.right if stepped(expr.right) is counter else expr.left
            if isinstance(expr, Assign) and expr.op == "=" and stepped(expr) is counter:
                return expr.value
    return counter.init if loop.kind != "for" else None


def bound_of(test: Expr | None, counter: Variable) -> tuple[str, Expr] | None:
    """Operator and limit of `counter op limit`; of `a && b` the side that tests the counter (a guarded bound)."""
    if isinstance(test, Binary) and test.op == "&&":
        return bound_of(test.left, counter) or bound_of(test.right, counter)
    if not isinstance(test, Binary) or test.op not in _FLIP:
        return None
    left, right = uncast(test.left), uncast(test.right)
    if isinstance(left, Name) and left.variable is counter:
        return test.op, test.right
    if isinstance(right, Name) and right.variable is counter:
        return _FLIP[test.op], test.left
    return None


_ONE_STEP = {"++": "+", "--": "-"}


def _step(loop: Loop, counter: Variable) -> tuple[str, Expr | None] | None:
    """Operator and amount of the counter's step; the amount of `++` is None until it is given as one."""
    step = loop.step if loop.kind == "for" else last_expression(loop.body)
    while isinstance(step, Binary) and step.op == ",":
        step = step.right if stepped(step.right) is counter else step.left
    if isinstance(step, Update):
        from regpress_lint.cpp.syntax_tree import Constant

        return _ONE_STEP[step.op], Constant(step.span, 1, "int")
    if not isinstance(step, Assign):
        return None
    if step.op in ("+=", "-=", "*=", "/=", "<<=", ">>="):
        return step.op[:-1], step.value
    value = step.value
    if step.op == "=" and isinstance(value, Binary) and value.op in ("+", "-", "*", "/", "<<", ">>"):
        if isinstance(value.left, Name) and value.left.variable is counter:
            return value.op, value.right
        if value.op in ("+", "*") and isinstance(value.right, Name) and value.right.variable is counter:
            return value.op, value.left
    return None


def _count(start: int, op: str, limit: int, step: str, amount: int, *, at_least_one: bool) -> int | None:
    if step not in "+-":
        return None  # the execution counts it
    trips = _linear(start, op, limit, amount if step == "+" else -amount)
    return max(trips, 1) if trips is not None and at_least_one else trips


def _linear(start: int, op: str, limit: int, delta: int) -> int | None:
    if op == "!=":
        if delta == 0 or (limit - start) % delta:
            return None
        trips = (limit - start) // delta
        return trips if trips >= 0 else None
    if op in ("<", "<="):
        distance = limit - start + (op == "<=")
        return 0 if distance <= 0 else -(-distance // delta) if delta > 0 else None
    if op in (">", ">="):
        distance = start - limit + (op == ">=")
        return 0 if distance <= 0 else -(-distance // -delta) if delta < 0 else None
    return None


def _changed_inside(flow: Flow, number: int, counter: Variable) -> bool:
    """Whether the body writes the counter outside of its step."""
    bit = flow.bits.get(counter, 0)
    record = flow.loops[number]
    writes = sum(bool(op.defs & bit) for block in flow.blocks[record.first : record.last] for op in block.ops)
    return writes > 1


def _may_skip_step(loop: Loop) -> bool:
    """True for a `while` whose step is the end of its body, which a `continue` leaves out."""
    if loop.kind == "for":
        return False
    pending: list[Expr | Stmt] = [loop.body]
    while pending:
        node = pending.pop()
        if isinstance(node, Jump) and node.kind == "continue":
            return True
        if not isinstance(node, Loop):
            pending += children(node)
    return False


def _costs(flow: Flow) -> list[int]:
    """Instructions of one iteration of each loop, inner loops once, calls by their known cost."""
    costs = [0] * len(flow.loops)
    for block in flow.blocks:
        cost = 0
        for op in block.ops:
            cost += (op.cost + 1) * _INSTRUCTIONS_PER_OPERATION
            for record in op.calls:
                cost += call_size(record.call.name)
        loop = block.loop
        while loop >= 0:
            costs[loop] += cost
            loop = flow.loops[loop].parent
    return costs
