"""The control of a loop's iterations: its tests, and the statements that change their inputs.

A compiler that wants the number of iterations runs just these from one iteration to the next, whatever else the body
does: `for`, `while`, `do` and a `break` at the start or the end are one loop to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple, TypeVar
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    Expr,
    If,
    Jump,
    LambdaExpr,
    Loop,
    Name,
    Return,
    Switch,
    Update,
)
from regpress_lint.cpp.traversal import chained, children
from regpress_lint.model.graph.ranges import at_most, largest
from regpress_lint.model.interpreter import loop_text, loop_writes
from regpress_lint.model.interpreter.private_objects import scalar
from regpress_lint.source.loop_facts import stepped

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Stmt, Type, Variable
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


T = TypeVar("T")


class Exit(NamedTuple):
    """A test that may end the loop. leaves: its result then. inside: it is in the body, after other code of it. last:
    all of the body is, as before the test of a `do`. moves: the loop changes what it asks.
    """

    test: Expr
    leaves: bool
    inside: bool = False
    last: bool = False
    moves: bool = True


# What a branch that changes a counter must not have in it to be executed as a part of the loop's control.
_NOT_BRANCHES = (Jump, Return, Loop, Switch, Call, LambdaExpr)

Event: TypeAlias = "Exit | Expr | Declare | If"


class Control(NamedTuple):
    """The tests of a loop that can be followed, and their inputs, in the order of an iteration."""

    events: tuple[Event, ...]

    @property
    def exits(self) -> tuple[Exit, ...]:
        """The tests alone."""
        return tuple(event for event in self.events if isinstance(event, Exit))


def control_of(machine: Machine, loop: Loop, *, apart: bool) -> Control:
    """The control of a loop. apart: the sides of `k < 8 && v[k] > x` are tests of their own."""
    key = loop, apart
    control = machine.known.controls.get(key)
    if control is None:
        control = machine.known.controls[key] = _control(machine, loop, apart=apart)
    return control


def _control(machine: Machine, loop: Loop, *, apart: bool) -> Control:
    line = _line(machine, loop, apart=apart)
    writers = _writers(machine, loop)
    # The event that each node is executed with. What a branch writes is executed with all of the branch.
    plain: dict[int, Event] = {id(event): event for event in line if not isinstance(event, Exit)}
    plain |= {id(node): event for event in line if isinstance(event, If) for node in loop_text.nodes(event)}
    blocked = {variable for variable, nodes in writers.items() if any(id(node) not in plain for node in nodes)}
    merged = {
        variable: [event for node in nodes if not isinstance(event := plain[id(node)], Exit)]
        for variable, nodes in writers.items()
        if variable not in blocked
    }
    behind = {id(event): _behind(event.test, merged, blocked) for event in line if isinstance(event, Exit)}
    needed = {node for nodes in behind.values() for node in nodes or ()}
    events: list[Event] = []
    for event in line:
        if not isinstance(event, Exit):
            events += [event] if id(event) in needed else []
        elif (hangs_on := behind[id(event)]) is not None:
            events.append(event._replace(moves=bool(hangs_on) or _changes(event.test)))
    return Control(tuple(_outermost(events)))


def _behind(test: Expr, writers: Mapping[Variable, Sequence[Expr | Stmt]], blocked: set[Variable]) -> set[int] | None:
    """The statements that a test depends on, by identity; None if one of them is not executed in every iteration."""
    needed: set[int] = set()
    pending: list[Expr | Stmt] = [test]
    seen: set[Variable] = set()
    while pending:
        for node in loop_text.nodes(pending.pop()):
            variable = node.variable if isinstance(node, Name) else None
            if variable is None or variable in seen:
                continue
            seen.add(variable)
            if variable in blocked:
                return None
            for writer in writers.get(variable, ()):
                needed.add(id(writer))
                pending.append(writer)
    return needed


def _writers(machine: Machine, loop: Loop) -> dict[Variable, list[Expr | Stmt]]:
    """The nodes that write each variable; including calls that may do so. Changes by a test itself are left out: they
    are executed with the test.
    """
    known = machine.known.writers.get(loop)
    if known is not None:
        return known
    writers = machine.known.writers[loop] = {}
    line = _line(machine, loop, apart=False)
    tests = {id(node) for event in line if isinstance(event, Exit) for node in loop_text.nodes(event.test)}
    for node, variable in loop_writes.writes_of(machine, loop):
        if id(node) not in tests:
            writers.setdefault(variable, []).append(node)
    for node in loop_text.nodes(loop.body):
        if isinstance(node, Declare):
            for variable in node.variables:
                writers.setdefault(variable, []).append(node)
    return writers


def _line(machine: Machine, loop: Loop, *, apart: bool) -> tuple[Event, ...]:
    """The code that every iteration executes, in order; after a `continue` it is the step of a `for` and the test of a
    `do`."""
    known = machine.known.lines.get((loop, apart))
    if known is None:
        known = machine.known.lines[loop, apart] = tuple(_events(loop, apart=apart))
    return known


def _events(loop: Loop, *, apart: bool) -> Iterator[Event]:
    test = loop.test
    if loop.kind != "do" and test is not None:
        yield from _tested(test, apart=apart)
    body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
    yield from _straight(body, outermost=True)
    if loop.kind == "for":
        yield from _effects(loop.step) if loop.step is not None else ()
    if loop.kind == "do" and test is not None:
        yield Exit(test, leaves=False, last=True)


def _tested(test: Expr, *, apart: bool) -> Iterator[Event]:
    if apart and isinstance(test, Binary) and test.op == "&&":
        yield from _tested(test.left, apart=apart)
        yield from _tested(test.right, apart=apart)
    else:
        yield Exit(test, leaves=False)


def _straight(statements: Sequence[Stmt], *, outermost: bool = False) -> Generator[Event, None, bool]:
    """Events of statements one after the other; returns False where an iteration may end before the last of them."""
    for position, statement in enumerate(statements):
        if isinstance(statement, Block):
            whole = yield from _straight(statement.statements)
            if not whole:
                return False
        elif isinstance(statement, Evaluate):
            yield from _effects(statement.expression)
        elif isinstance(statement, Declare):
            yield statement
        elif isinstance(statement, If):
            if (leaves := _leaving_side(statement)) is not None:
                yield Exit(statement.test, leaves, inside=True, last=outermost and position == len(statements) - 1)
            elif not any(isinstance(node, _NOT_BRANCHES) for node in loop_text.nodes(statement)):
                yield statement
            if any((isinstance(node, Jump) and node.kind != "break") for node in loop_text.nodes(statement)):
                return False
        elif any(isinstance(node, Jump) and node.kind == "continue" for node in loop_text.nodes(statement)):
            return False
    return True


def _leaving_side(branch: If) -> bool | None:
    """The result of the test of `if (i == n) break;` that leaves the loop; None for other branches."""
    sides = [_leaves(branch.then), branch.other is not None and _leaves(branch.other)]
    return sides[0] if sides.count(True) == 1 and not branch.init and not branch.is_constexpr else None


def _leaves(statement: Stmt) -> bool:
    while isinstance(statement, Block) and len(statement.statements) == 1:
        statement = statement.statements[0]
    return isinstance(statement, Return) or (isinstance(statement, Jump) and statement.kind == "break")


def _effects(expr: Expr | Stmt) -> Iterator[Event]:
    """Writes within an expression that are executed whenever it is: innermost first."""
    if isinstance(expr, (Conditional, LambdaExpr)):
        return
    below = children(expr)
    if isinstance(expr, Binary) and expr.op in ("&&", "||"):
        below = below[:1]
    for node in below:
        yield from _effects(node)
    if isinstance(expr, (Assign, Update)):
        yield expr


def _outermost(events: Sequence[Event]) -> Iterator[Event]:
    """Without writes that are executed as a part of another one: `i = j++`."""
    within = {id(node) for event in events if isinstance(event, (Assign, Update)) for node in _below(event)}
    return (event for event in events if id(event) not in within)


def _changes(test: Expr) -> bool:
    return any(isinstance(node, (Assign, Update, Call)) for node in loop_text.nodes(test))


def _below(expr: Expr) -> Iterator[Expr | Stmt]:
    return (node for node in loop_text.nodes(expr) if node is not expr)


_WORD, _LONG = 4, 8  # bytes


_CHANGES = (Assign, Call, LambdaExpr, Update)


def settled(machine: Machine, loop: Loop, expr: Expr) -> Number | None:
    """A number that is known before the loop runs, and that it does not change: of `i += C` also the argument that an
    inlined function has for `C`.
    """
    inside = tuple(loop_text.nodes(expr))
    # What a variable holds only the execution knows: in a template's function its initialiser may be all that the text
    # before any execution shows.
    if not any(isinstance(node, Name) and node.variable in machine.variables for node in inside):
        number = evaluate(expr, machine.environment)
        if number is not None:
            return number
    changed = loop_writes.assigned(machine, loop)
    if any(isinstance(node, _CHANGES) or _is_one_of(node, changed) for node in inside):
        return None
    return in_passing(machine, expr, lambda value: machine.graph.constants[value] if isinstance(value, int) else None)


def in_passing(machine: Machine, expr: Expr, answer: Callable[[Value], T]) -> T:
    """An answer about the value of an expression, which leaves the machine as it was."""
    variable = expr.variable if isinstance(expr, Name) else None
    held = machine.variables.get(variable) if variable is not None else None
    if held.__class__ is int and held is not None:  # reading it leaves nothing to take back
        return answer(held)
    mark = machine.mark()
    answered = answer(machine.evaluate(expr))
    machine.rewind(mark)
    return answered


def step_in(machine: Machine, loop: Loop, variable: Variable | None) -> Expr | None:
    """The step of a variable that each iteration makes: in the head of the loop, or as the one write in its body."""
    step = loop_text.step_of(loop, variable)
    if step is not None or variable is None:
        return step
    writers = _writers(machine, loop).get(variable, ())
    only = writers[0] if len(writers) == 1 else None
    if not isinstance(only, (Assign, Update)) or stepped(only) is not variable:  # `a.x[i] = 1`
        return None
    return loop_text.as_step(only) if any(event is only for event in _line(machine, loop, apart=False)) else None


def steps_by_constant(machine: Machine, loop: Loop, variable: Variable) -> bool:
    """True if the loop's head moves a variable on by a constant, or its body one that the test asks."""
    step = loop_text.step_of(loop, variable)
    if step is None and loop.test is not None and loop_text.names_one((variable,), loop.test):
        step = step_in(machine, loop, variable)
    if isinstance(step, Assign):
        return step.op in ("+=", "-=") and settled(machine, loop, step.value) is not None
    return isinstance(step, Update)


def is_countable(machine: Machine, loop: Loop) -> bool:
    """True if the iterations can be counted before the loop runs: one exit, a simple test, a constant step, and no
    operation that threads do together.
    """
    if not isinstance(loop.step, Update):  # what it steps by may be behind a reference
        return _is_countable(machine, loop)
    key = "countable", (loop, machine.this)
    answer = machine.known.answers.get(key)
    if answer is None:
        answer = machine.known.answers[key] = _is_countable(machine, loop)
    return answer


def is_countable_in_parts(machine: Machine, loop: Loop) -> bool:
    """The same of each comparison in `i < 8 && i < n`: nvcc can count these, the fewer iterations decide."""
    return loop.test is not None and all(_counts(machine, loop, part) for part in chained(loop.test, "&&"))


def _is_countable(machine: Machine, loop: Loop) -> bool:
    return _counts(machine, loop, loop.test)


def _counts(machine: Machine, loop: Loop, test: Expr | None) -> bool:
    if isinstance(test, Name):  # `while (n)`
        test = Binary(test.span, "!=", test, Constant(test.span, 0, "int"))
    if not isinstance(test, Binary) or test.op not in ("<", "<=", ">", ">=", "!="):
        return False
    named = (node.variable for node in loop_text.nodes(test) if isinstance(node, Name))
    step = next((expr for variable in named if (expr := step_in(machine, loop, variable)) is not None), None)
    if not isinstance(step, (Assign, Update)):
        return False
    reached = _is_reached(machine, loop, test, step) if machine.compiler.unrolling.counts_by_types else None
    if reached is None:
        evenly = isinstance(step, Update) or _steps_evenly(machine, loop, step)
        reached = evenly and _compares_numbers(machine, test, step)
    return reached and not loop_text.is_left(machine, loop) and not loop_text.meets(machine, loop)


def _compares_numbers(machine: Machine, test: Binary, step: Update | Assign) -> bool:
    """False for a test with a float, and where an unsigned counter of 32 bits might never reach a bound of 64."""
    types = [type_ for side in (test.left, test.right) if (type_ := machine.type_of(side)) is not None]
    if any(type_.floating and not type_.pointers for type_ in types):
        return False
    counter = machine.type_of(step.operand if isinstance(step, Update) else step.target)
    narrow = counter is not None and not counter.signed and not counter.pointers and counter.size == _WORD
    return not narrow or all(type_.size is None or type_.size <= _WORD for type_ in types)


def _is_reached(machine: Machine, loop: Loop, test: Binary, step: Update | Assign) -> bool | None:
    """Whether nvcc knows that a counter comes to its bound, by the type in which C++ compares them: an
    unsigned counter may wrap around where it steps by more than 1, and an `int` stay below a bound of 64 bits for ever.
    None where the types are others than integers of 32 and 64 bits (`test_types_of_counters.py`).
    """
    target = step.operand if isinstance(step, Update) else step.target
    counter = target.variable if isinstance(target, Name) else None
    is_left = any(_is_one_of(node, (counter,)) for node in loop_text.nodes(test.left) if counter is not None)
    bound = test.right if is_left else test.left
    counted, bounding = machine.type_of(target), machine.type_of(bound)
    if counter is None or counted is None or bounding is None or not (_is_integer(counted) and _is_integer(bounding)):
        return None
    if isinstance(step, Assign) and step.op not in ("+=", "-="):
        return False
    by = 1 if isinstance(step, Update) else settled(machine, loop, step.value)
    if settled(machine, loop, bound) is None:
        if (bounding.size or 0) > (counted.size or 0):
            return _reaches_wider(machine, test, counter, bounding, by)
    elif by is not None:
        return True
    narrower = (bounding.size or 0) < (counted.size or 0)
    signed = counted.signed and (bounding.signed or narrower)
    if by is None:
        return isinstance(step, Assign) and _steps_on(machine, loop, step, counted, signed=signed)
    if signed or (narrower and not bounding.signed and test.op != "!="):
        return True
    if by == 1:
        return counted.signed or test.op not in ("<=", ">=")
    return counted.signed and _begins_high(machine, counter, counted)


def _reaches_wider(machine: Machine, test: Binary, counter: Variable, bound: Type, by: Number | None) -> bool:
    """The same where the bound has 64 bits and the counter 32: only an `int` that begins at a constant."""
    start = machine.variables.get(counter)
    if by is None or not counter.type.signed or not isinstance(start, int) or machine.graph.constants[start] is None:
        return False
    exact = test.op in ("<=", ">=")
    return (by == 1 and not exact) if bound.signed else (by == 1 or not exact)


def _steps_on(machine: Machine, loop: Loop, step: Assign, counted: Type, *, signed: bool) -> bool:
    """The same of steps that are known at run time: they cannot wrap around, and stay the same in the loop."""
    value = machine.type_of(step.value)
    if value is None or value.floating or value.pointers or not counted.signed:
        return False
    narrower = (value.size or _LONG) < (counted.size or 0)
    if not narrower and (not value.signed or value.size != counted.size):
        return False
    target = step.target
    counter = target.variable if isinstance(target, Name) else None
    if not signed and (value.signed or counter is None or not _begins_high(machine, counter, counted)):
        return False
    changed = loop_writes.assigned(machine, loop)
    return not any(isinstance(node, Call) or _is_one_of(node, changed) for node in loop_text.nodes(step.value))


def _begins_high(machine: Machine, counter: Variable, type_: Type) -> bool:
    """True for a counter that begins at no negative number: an `int` at a constant, one of 64 bits anywhere that the
    conversion of an unsigned number shows.
    """
    start = machine.variables.get(counter)
    if not isinstance(start, int):
        return False
    begin = machine.graph.constants[start]
    return (begin is not None and begin >= 0) or (type_.size == _LONG and largest(machine.graph, start) is not None)


def _is_integer(type_: Type) -> bool:
    return not (type_.floating or type_.pointers or type_.struct) and type_.lanes == 1 and type_.size in (_WORD, _LONG)


def _steps_evenly(machine: Machine, loop: Loop, step: Assign) -> bool:
    """True for `i += 4` and `i += stride` on signed integers: without a sign the counter might wrap around and miss the
    end, which only a step of 1 cannot, and for LLVM a power of two. There the step may have no sign if it is narrower.
    """
    if step.op not in ("+=", "-="):
        return False
    by = settled(machine, loop, step.value)
    if by == 1:
        return True
    by_llvm = machine.compiler.unrolling.counts_powers
    target, value = machine.type_of(step.target), machine.type_of(step.value)
    if target is None or target.floating or (value is None and by is None):
        return False
    if by_llvm and _never_wraps(machine, loop, step, target):
        return True
    if by_llvm and isinstance(by, int) and not target.pointers and by > 0 and by & (by - 1) == 0:
        return True
    widened = by_llvm and value is not None and target.size == _LONG and (value.size or _LONG) < _LONG
    if not target.signed or (value is not None and (value.floating or not (value.signed or widened))):
        return False
    if by is not None:
        return True
    changed = loop_writes.assigned(machine, loop)
    return not any(isinstance(node, Call) or _is_one_of(node, changed) for node in loop_text.nodes(step.value))


def _never_wraps(machine: Machine, loop: Loop, step: Assign, target: Type) -> bool:
    """True for `i < 512` with `i += blockDim.x`, which is at most 1,024: the counter cannot pass the end of its type,
    whatever that is.
    """
    test = loop.test
    if step.op != "+=" or target.pointers or not isinstance(test, Binary) or test.op not in ("<", "<="):
        return False
    if any(_is_one_of(node, loop_writes.assigned(machine, loop)) for node in loop_text.nodes(step.value)):
        return False
    limits = [_at_most(machine, side) for side in (test.right, step.value)]
    return None not in limits and sum(limit or 0 for limit in limits) < 1 << (8 * (target.size or 1) - target.signed)


def _at_most(machine: Machine, expr: Expr) -> int | None:
    return in_passing(machine, expr, lambda value: at_most(machine.graph, scalar(machine, value)))


def _is_one_of(node: Expr | Stmt, variables: tuple[Variable, ...]) -> bool:
    return isinstance(node, Name) and node.variable in variables
