"""Statements: declarations, branches and jumps. Loops are in `loops`."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Block,
    Call,
    Case,
    Cast,
    Conditional,
    Declare,
    Evaluate,
    Function,
    If,
    Index,
    InitList,
    Jump,
    Label,
    Loop,
    Member,
    Name,
    Return,
    Stmt,
    Switch,
    Unary,
    Update,
)
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Join, Memory, Parts, Path, Place, Value, index_paths
from regpress_lint.model.graph.ops import BRANCH
from regpress_lint.model.graph.values import BOOL, FLOAT
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
from regpress_lint.model.interpreter.expression_types import note_own_type
from regpress_lint.model.interpreter.implicit_calls import (
    bare_name,
    converted,
    ended,
    listed,
    made_by_default,
    owned,
    referred,
    temporary_ended,
)
from regpress_lint.model.interpreter.inlining import forget_pointers_of, inline
from regpress_lint.model.interpreter.kept_calls import kept_call
from regpress_lint.model.interpreter.loops import run_loop
from regpress_lint.model.interpreter.machine import Machine, form_of, is_object
from regpress_lint.model.interpreter.member_calls import constructor_of, subscript_of
from regpress_lint.model.interpreter.member_lists import bind_references, elements_of, fresh, with_fields
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.object_writes import note_exit, note_write
from regpress_lint.model.interpreter.open_sizes import note_size
from regpress_lint.model.interpreter.places import number, place_of
from regpress_lint.model.interpreter.private_objects import MAX_FILLED, coerced, in_registers, part, scalar
from regpress_lint.model.interpreter.state import Jumps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Expr, Type, Variable
    from regpress_lint.model.graph.values import Region


_IN_MEMORY = frozenset(("shared", "static", "constant", "global"))
_CONVERTED = "what makes a `{1}` of a `{0}` is not in view: what it reads is not in the estimate"
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


_REPEATED = "members of `{}` and of its bases have one name, and count as one"


def _declare(machine: Machine, statement: Declare) -> None:
    called = kept_call(machine)
    for variable in statement.variables:
        machine.names[variable.name] = variable
        if called:
            machine.arrays.called[variable.name, variable.span.start] = called
        if variable.type.name == "auto" and machine.this is not None:
            note_own_type(machine, variable, machine.this)
        if variable.storage not in _IN_MEMORY:
            value = machine.variables[variable] = _initial(machine, variable)
            machine.graph.hold(variable, (), value)
            if variable.type.struct and not variable.type.pointers and machine.file.repeats_members(variable.type.name):
                machine.unknown("type", variable.name, variable.span, _REPEATED.format(variable.type.name), "both")
            if variable.type.struct or variable.type.name == "auto":
                owned(machine, variable)
        else:
            machine.variables.pop(variable, None)


def _initial(machine: Machine, variable: Variable) -> Value:
    type_, init = variable.type, variable.init
    row = type_.reference and isinstance(init, (Index, Member, Conditional))  # `auto& row = m[i]`
    if variable.dims and variable.storage != "parameter" and not row:  # else a pointer to rows
        return _array(machine, variable)
    if init is None:
        return made_by_default(machine, variable) if is_object(type_) else machine.undefined
    if type_.reference and isinstance(init, (Name, Index, Member, Unary, Cast, Call, Conditional, Assign, Update)):
        where = place_of(machine, init)
        if where is not None:
            return where
    constructor = constructor_of(machine, variable, init)
    if constructor is not None and isinstance(init, Call):
        return _constructed(machine, variable, constructor, init)
    value = machine.evaluate(init)
    if type_.reference and isinstance(value, Parts) and (bound := referred(machine, init, value, type_)) is not None:
        return bound
    if isinstance(value, Memory):
        value = read(machine, value)
    object_ = converted(machine, init, value, type_) if not type_.reference and type_.name != "auto" else value
    if object_ is value and isinstance(init, Index) and type_.struct:
        _note_conversion(machine, init, type_)
    value = object_
    if variable.dims:
        return value
    if isinstance(value, Place):
        if type_.pointers or type_.reference or type_.name == "auto":
            return value
        value = part(machine, value, type_)
    value = with_fields(machine, value, type_)
    if isinstance(init, InitList):
        bind_references(machine, value, type_, init.items)
    if isinstance(value, Parts):
        return _from_parts(machine, variable, value)
    if value == machine.undefined and is_object(type_):
        return Parts(owner=machine.owner)
    return coerced(machine, value, type_)


def _note_conversion(machine: Machine, init: Index, type_: Type) -> None:
    """An object that is converted from one of another class, `Vec a = p[i]` of a proxy: the conversion is not
    executed."""
    source = machine.type_of(init) if subscript_of(machine, init) is not None else None
    if source is None or not source.struct or type_.pointers or bare_name(source) == bare_name(type_):
        return
    name = f"operator {type_.name}"
    machine.unknown("callee", name, init.span, _CONVERTED.format(source.name, type_.name), "both")


def _constructed(machine: Machine, variable: Variable, constructor: Function, init: Call) -> Value:
    machine.variables[variable] = fresh(machine, variable.type)
    inline(machine, constructor, init, Name(variable.span, variable.name, variable))
    return machine.variables[variable]


def _from_parts(machine: Machine, variable: Variable, value: Parts) -> Value:
    type_ = variable.type
    is_list = value.origin is None and bool(value.parts)
    if is_list and not type_.struct and type_.size is not None:
        return coerced(machine, scalar(machine, value), type_)
    return value.copy(machine.owner)


def _array(machine: Machine, variable: Variable) -> Parts:
    result = Parts(owner=machine.owner)
    init = variable.init
    note_size(machine, variable)
    machine.arrays.declared_under[variable] = machine.under
    if not isinstance(init, InitList):
        if init is None and _is_filled_by_loops(machine, variable):
            _set_to_zero(machine, variable, result, [machine.known_int(size) for size in variable.dims])
        if init is None and is_object(variable.type) and in_registers(machine, variable):
            begun = made_by_default(machine, variable).parts
            paths = _element_paths([machine.known_int(size) for size in variable.dims]) if begun else ()
            result.parts.update(((*at, *path), value) for at in paths for path, value in begun.items())
        return result
    array = machine.inputs.array_of(variable)
    if not in_registers(machine, variable) and not (array is not None and array.table):
        if any(isinstance(node, (Assign, Update)) for node in walk(init)):  # `int x[] = {(p[I] = v[I], 0)...}`
            machine.evaluate(init)
        return result
    braces = machine.evaluate(init)
    note_write(machine, variable, (), braces)
    sizes = [machine.known_int(size) for size in variable.dims]
    if isinstance(braces, Parts) and variable.type.struct and is_object(variable.type):
        most = 1 + max((path[0] for path in braces.parts if path and isinstance(path[0], int)), default=0)
        result.parts.update(elements_of(machine, braces, variable.type, tuple(size or most for size in sizes)).parts)
    elif isinstance(braces, Parts):
        held = variable.type if variable.type.lanes == 1 else None
        for path, value in braces.parts.items():
            result.parts[_unravelled(path, sizes)] = coerced(machine, value, held)
    if len(sizes) == 1 and sizes[0] is None:  # `float v[] = {1, 2}`
        sizes = [array.elements if array is not None else None]
    _set_to_zero(machine, variable, result, sizes)
    return result


def _set_to_zero(machine: Machine, variable: Variable, whole: Parts, sizes: Sequence[int | None]) -> None:
    """Give all elements that have no value yet the value 0."""
    form = form_of(variable.type)
    zero = machine.graph.constant(0.0 if form.kind == FLOAT else 0, form)
    written = {path[: len(sizes)] for path in whole.parts}
    paths = _element_paths(sizes)
    whole.parts.update((path, coerced(machine, zero, variable.type)) for path in paths if path not in written)


def _is_filled_by_loops(machine: Machine, variable: Variable) -> bool:
    """True for an array in registers of which all are alive from the first write on, see `Placement`."""
    scalars = not variable.type.struct and variable.type.lanes <= 1
    return scalars and variable in machine.arrays.filled_by_loops


def _unravelled(path: Path, sizes: Sequence[int | None]) -> Path:
    """The element that is meant where the inner braces are left out: `float s[2][2] = {1, 2, 3, 4}`."""
    position = path[0]
    if len(path) > 1 or len(sizes) < 2 or not isinstance(position, int):
        return path
    result: list[int] = []
    for size in reversed(sizes):
        if not size:
            return path
        position, index = divmod(position, size)
        result.insert(0, index)
    return tuple(result)


def _element_paths(sizes: Sequence[int | None]) -> Iterator[Path]:
    """Paths of the first elements of an array, none if its size is unknown."""
    settled = [size for size in sizes if size]
    if len(settled) < len(sizes):
        return iter(())
    return islice(index_paths(settled), MAX_FILLED)


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
    Declare: _declare,
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
