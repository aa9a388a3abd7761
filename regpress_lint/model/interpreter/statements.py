"""Statements: declarations, branches and jumps. Loops are in `loops`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Block,
    Case,
    Declare,
    Evaluate,
    Function,
    If,
    InitList,
    Jump,
    Label,
    Loop,
    Return,
    Stmt,
    Switch,
)
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Join, Parts, Value
from regpress_lint.model.graph.ops import BRANCH
from regpress_lint.model.graph.values import BOOL
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.branches import (
    branch_at,
    fork_here,
    is_predicated,
    is_speculated,
    merged,
    note_entered_loop,
    note_met,
    stay_here,
    without_branch,
)
from regpress_lint.model.interpreter.declarations import declare
from regpress_lint.model.interpreter.implicit_calls import converted, ended, listed, temporary_ended
from regpress_lint.model.interpreter.inlining import forget_pointers_of
from regpress_lint.model.interpreter.loops import run_loop
from regpress_lint.model.interpreter.member_lists import bind_references, with_fields
from regpress_lint.model.interpreter.object_writes import note_exit
from regpress_lint.model.interpreter.places import number, place_of
from regpress_lint.model.interpreter.state import Jumps

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.syntax_tree import Expr, Type, Variable
    from regpress_lint.model.graph.values import Region
    from regpress_lint.model.interpreter.machine import Machine


_BACK = "`goto {0}` goes back to a label in front of it: that it is a loop is not in the estimate"


def execute_statement(machine: Machine, statement: Stmt) -> None:
    """Execute one statement; what it makes outside of its expressions has its span."""
    graph = machine.graph
    outer = graph.at
    if machine.region.ahead:
        machine.check_ahead()
    if machine.placed:
        graph.at = statement
    _RULES[statement.__class__](machine, statement)
    graph.at = outer


def _block(machine: Machine, statement: Block) -> None:
    frame = machine.frame
    before = len(frame.owned)
    for inner in statement.statements:
        if machine.frame.dead:
            if not isinstance(inner, (Label, Case)):
                continue
            machine.frame.dead = False
        execute_statement(machine, inner)
    forget_pointers_of(machine, statement)
    if len(frame.owned) > before:
        if not frame.dead:
            ended(machine, before)
        del frame.owned[before:]


def _evaluate(machine: Machine, statement: Evaluate) -> None:
    if machine.placed:
        machine.tally.reached[statement, machine.graph.site] = None
    value = machine.evaluate(statement.expression)
    if value.__class__ is Parts:
        temporary_ended(machine, statement.expression, value)


# --------------------------------------------------------------------------------------------------------- branches


def _if(machine: Machine, statement: If) -> None:
    for inner in statement.init:
        machine.execute(inner)
    graph, frame = machine.graph, machine.frame
    condition = arithmetic.convert(graph, number(machine, statement.test), BOOL)
    if (constant := graph.constants[condition]) is not None:
        if constant:
            machine.execute(statement.then)
        elif statement.other is not None:
            machine.execute(statement.other)
        return
    before, fork = machine.fork(), fork_here(machine)
    machine.last_condition = condition
    frame.conditions.append(condition)
    then, ended_then = _side(machine, condition, statement.then, machine.variables)
    ends = machine.block, fork.block
    otherwise, ended_other = before, False
    if statement.other is not None:
        machine.block = fork.block
        otherwise, ended_other = _side(machine, condition, statement.other, dict(before))
        ends = ends[0], machine.block
    frame.conditions.pop()
    machine.last_condition = condition
    plain = is_speculated(machine, fork) or is_predicated(machine, fork)
    if plain and (frame.chooses or not (ended_then or ended_other)):
        without_branch(machine, fork)
    else:
        branch_at(machine, condition, fork, leaves=ended_then or ended_other)
    if ended_then and ended_other:
        frame.dead = True
        machine.variables = otherwise
    elif ended_then or ended_other:
        machine.guards += 1  # all that follows, up to the end of the loop's iteration or of the function
        machine.under += (condition,)
        machine.variables = otherwise if ended_then else then
    else:
        first = len(graph)
        note_met(machine, fork, then, otherwise)
        machine.variables = merged(machine, condition, then, otherwise)
        if not plain:
            stay_here(machine, first, Join(fork.values, *ends))
    machine.own()


def _side(
    machine: Machine, condition: int, statement: Stmt, variables: dict[Variable, Value]
) -> tuple[dict[Variable, Value], bool]:
    """State after one side of a branch, and whether control leaves it for good."""
    _under(machine, condition, variables, partial(machine.execute, statement))
    ended, machine.frame.dead = machine.frame.dead, False
    return machine.variables, ended


def _under(machine: Machine, condition: int, variables: dict[Variable, Value], run: Callable[[], None]) -> None:
    """Execute a part that a condition decides about, from a state of the variables."""
    machine.variables = variables
    machine.own()
    machine.new_block()
    machine.memory.reads.append({})
    guards, under = machine.guards, machine.under
    machine.guards, machine.under = guards + 1, (*under, condition)
    run()
    machine.guards, machine.under = guards, under
    machine.memory.reads.pop()


def _switch(machine: Machine, statement: Switch) -> None:
    subject = number(machine, statement.subject)
    body = statement.body.statements if isinstance(statement.body, Block) else (statement.body,)
    if (entry := _entry(machine, subject, body)) is not None:
        _straight(machine, body[entry:])
        return
    note_entered_loop(machine, statement)
    machine.effect(BRANCH, (subject,))
    machine.last_condition = subject
    frame, start = machine.frame, machine.fork()
    jumps = Jumps(False, [], [], len(frame.owned))
    machine.loops.jumps.append(jumps)
    frame.conditions.append(subject)
    falling: dict[Variable, Value] | None = None
    for inner in body:
        if not isinstance(inner, Case):
            machine.execute(inner)
            continue
        state = dict(start) if falling is None else merged(machine, subject, dict(start), falling)
        frame.dead = False
        _under(machine, subject, state, partial(_case, machine, inner))
        falling = None if frame.dead else machine.variables
    frame.conditions.pop()
    machine.loops.jumps.pop()
    frame.dead = False
    ends = [*jumps.breaks, *([falling] if falling is not None else [])]
    if not any(isinstance(inner, Case) and inner.value is None for inner in body):
        ends.append(start)
    _meet(machine, subject, ends, apart=machine.compiler.exits_apart)


def _entry(machine: Machine, subject: int, body: tuple[Stmt, ...]) -> int | None:
    """Where a switch over a known number enters its body, after its end if it never does; None if that is unknown."""
    constant = machine.graph.constants[subject]
    if constant is None:
        return None
    default = len(body)
    for position, statement in enumerate(body):
        if not isinstance(statement, Case):
            continue
        if statement.value is None:
            default = position
            continue
        value = machine.graph.constants[number(machine, statement.value)]
        last = value if statement.last is None else machine.graph.constants[number(machine, statement.last)]
        if value is None or last is None:
            return None
        if value <= constant <= last:
            return position
    return default


def _straight(machine: Machine, statements: tuple[Stmt, ...]) -> None:
    """The cases that a known number reaches, up to a `break`."""
    jumps = Jumps(False, [], [], len(machine.frame.owned))
    machine.loops.jumps.append(jumps)
    for statement in statements:
        machine.execute(statement)
    machine.loops.jumps.pop()
    ends = jumps.breaks if machine.frame.dead else [*jumps.breaks, machine.variables]
    if jumps.breaks:
        machine.frame.dead = False
        _meet(machine, machine.branch_condition(), ends)


def _meet(machine: Machine, condition: int, ends: list[dict[Variable, Value]], *, apart: bool = False) -> None:
    if not ends:
        machine.frame.dead = True
        return
    if apart:
        state = ends[0]
        for end in ends[1:]:
            state = merged(machine, condition, state, end)
    else:
        state = ends[-1]
        for end in reversed(ends[:-1]):
            state = merged(machine, condition, end, state, first=True)
    machine.variables = state
    machine.own()
    machine.new_block()


def _case(machine: Machine, statement: Case) -> None:
    for inner in statement.statements:
        machine.execute(inner)


def _return(machine: Machine, statement: Return) -> None:
    frame, expr = machine.frame, statement.value
    value: Value | None = place_of(machine, expr) if frame.reference and expr is not None else None
    if value is None and expr is not None:
        active = machine.active[-1] if machine.active else None
        value = _returned(machine, expr, active.return_type if isinstance(active, Function) else None)
    condition = frame.conditions[-1] if frame.conditions else machine.graph.constant(1, BOOL)
    state = machine.leave() if value is not None and not frame.chooses and len(machine.active) > 1 else None
    frame.returns.append((condition, value, state))
    if frame.owned:
        ended(machine, 0, expr)
    if machine.active and (frame.conditions or machine.region.parent is not None):
        frame.left.append((condition, state or machine.fork()))
    frame.dead = True
    region: Region | None = machine.region
    while region is not None:
        note_exit(machine, region)
        region = region.parent


def _returned(machine: Machine, expr: Expr, type_: Type | None) -> Value:
    """The result of a function that returns a type."""
    listed_value = listed(machine, expr, type_) if isinstance(expr, InitList) else None
    if listed_value is not None:
        return listed_value
    value = machine.evaluate(expr)
    if isinstance(expr, InitList):  # `return {a[i], b[i]};`
        value = with_fields(machine, value, type_)
        bind_references(machine, value, type_, expr.items)
        return value
    return value if type_ is None else converted(machine, expr, value, type_)


def _jump(machine: Machine, statement: Jump) -> None:
    if statement.kind == "goto":
        if _goes_back(machine, statement):
            machine.unknown("loop", statement.label or "", statement.span, _BACK.format(statement.label), "up")
        return
    for jumps in reversed(machine.loops.jumps):
        if statement.kind == "break" or jumps.loop:
            ended(machine, jumps.owned)
            if statement.kind == "break" and jumps.loop:
                note_exit(machine, machine.region)
            (jumps.breaks if statement.kind == "break" else jumps.continues).append(machine.leave())
            break
    machine.frame.dead = True


def _goes_back(machine: Machine, statement: Jump) -> bool:
    """True for a `goto` to a label in front of it: a loop, which is executed once."""
    body = machine.active[-1].body if machine.active else None
    labels = (node for node in walk(body) if isinstance(node, Label) and node.name == statement.label)
    return any(label.span.start < statement.span.start for label in labels)


def _label(machine: Machine, statement: Label) -> None:
    if statement.statement is not None:
        machine.execute(statement.statement)


_RULES: dict[type, Callable[..., None]] = {
    Declare: declare,
    Evaluate: _evaluate,
    Block: _block,
    If: _if,
    Loop: run_loop,
    Switch: _switch,
    Case: _case,
    Return: _return,
    Jump: _jump,
    Label: _label,
}
