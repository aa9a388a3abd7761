"""What a loop writes: variables, also behind references and pointers, and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import (
    BOUND,
    Assembly,
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Expr,
    Index,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Stmt,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import written
from regpress_lint.model.graph.objects import Closure, Parts, Place
from regpress_lint.model.interpreter.behind_pointers import goes_through_pointer, leads_away
from regpress_lint.model.interpreter.loop_text import SYNCHRONISES, changing_in, inside_of, nodes
from regpress_lint.model.interpreter.macros import expansion_of
from regpress_lint.model.interpreter.member_calls import target_of
from regpress_lint.targets.builtins import MATRIX_WRITERS, STANDARD
from regpress_lint.targets.library import MATH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.source.arrays import Access


_PART = frozenset((BOUND, "get"))  # calls that name a part of what they are given
_EXTENTS = frozenset(f"{library}::{name}" for library in STANDARD for name in ("size", "ssize"))
_MAX_NESTED = 6  # macros and lambdas in macros and lambdas


def assigned(machine: Machine, loop: Loop) -> tuple[Variable, ...]:
    """Variables that the loop may change, also through references and pointers to them."""
    written = machine.known.assigned.get(loop)
    if written is None:
        written = machine.known.assigned[loop] = {}
        heads = _range_heads(loop)
        for variable, itself in _assigned_in(machine, loop, 0):
            written[variable] = itself or written.get(variable, False)
            for behind in _behind(machine, variable, heads):
                written[behind] = True
    # What a reference stands for differs from one call of the function around the loop to the next.
    values = (machine.variables.get(variable) for variable in written)
    places = (place.variable for value in values for place in _led_to(value))
    return tuple(dict.fromkeys((*(variable for variable, itself in written.items() if itself), *places)))


def _led_to(value: Value | None) -> Iterator[Place]:
    """The private objects that a pointer, or one in an object, leads to."""
    parts = value.parts.values() if isinstance(value, Parts) else (value,)
    yield from (part for part in parts if isinstance(part, Place))


def _range_heads(loop: Loop) -> dict[Variable, Expr]:
    """The ranges of inner loops, which are rewritten when they are reached, by the variable that is an element."""
    return {
        variable: node.test
        for node in nodes(loop)
        if isinstance(node, Loop) and node.kind == "range" and node.test is not None
        for declared in node.init
        if isinstance(declared, Declare)
        for variable in declared.variables[:1]
    }


def _behind(machine: Machine, variable: Variable, heads: Mapping[Variable, Expr]) -> Iterator[Variable]:
    """The private object that a reference or a pointer is declared to stand for: of `W& w = acc[i]`, also inside of a
    loop, it is `acc`.
    """
    for _ in range(_MAX_NESTED):
        names_other = variable.type.reference or (variable.type.pointers > 0 and not variable.dims)
        init = variable.init or heads.get(variable)
        root = root_of(machine, init) if names_other and init is not None else None
        if root is None or root is variable:
            return
        variable = root
        if variable.storage == "local" and (variable.dims or not variable.type.pointers):
            yield variable


def writes_of(machine: Machine, loop: Loop) -> tuple[tuple[Expr | Stmt, Variable], ...]:
    """Variables that the iterations of a loop write, and where: an assignment, a step, or a call that is given the
    variable."""
    targets = machine.known.writes.get(loop)
    if targets is None:
        targets = machine.known.writes[loop] = tuple(_writes_of(machine, loop))
    return targets


def _writes_of(machine: Machine, loop: Loop) -> Iterator[tuple[Expr | Stmt, Variable]]:
    for code in (loop.test, loop.body, loop.step):
        for node in changing_in(machine, code) if code is not None else ():
            for variable, itself in _changed(machine, node):
                if itself:
                    yield node, variable
            if isinstance(node, Call) and isinstance(node.callee, Name):
                for variable, itself in _assigned_behind(machine, node, node.callee, 0):
                    if itself:
                        yield node, variable


def _assigned_in(machine: Machine, code: Expr | Stmt, depth: int) -> Iterator[tuple[Variable, bool]]:
    for node in changing_in(machine, code):
        yield from _changed(machine, node)
        if isinstance(node, Call) and isinstance(node.callee, Name) and depth < _MAX_NESTED:
            yield from _assigned_behind(machine, node, node.callee, depth)


def _assigned_behind(machine: Machine, call: Call, callee: Name, depth: int) -> Iterator[tuple[Variable, bool]]:
    """The variables that a macro or a lambda changes; a macro's parameter is its argument."""
    closure = machine.variables.get(callee.variable) if callee.variable is not None else None
    if isinstance(closure, Closure) and isinstance(closure.expression, LambdaExpr):
        yield from _assigned_in(machine, closure.expression.body, depth + 1)
    if callee.variable is not None or machine.inputs.callee_of(call) is not None:
        return
    expansion = expansion_of(machine, call.name, call.args)
    if expansion is None:
        return
    arguments = dict(zip(expansion.parameters, call.args, strict=False))
    for variable, itself in _assigned_in(machine, expansion.body, depth + 1):
        argument = arguments.get(variable)
        if argument is None:
            yield variable, itself
        else:
            yield from _target(machine, argument, itself=itself)


def _target(machine: Machine, expr: Expr, *, itself: bool = True) -> Iterator[tuple[Variable, bool]]:
    """The variable that a write reaches, and whether it is the variable itself, not what it points to."""
    if (root := root_of(machine, expr)) is not None:
        points = root.type.pointers > 0 and not root.dims
        is_object = root.type.struct or root.type.name == "auto"
        away = goes_through_pointer(expr) if points else itself and is_object and leads_away(machine, expr)
        yield root, itself and not away


def _changed(machine: Machine, node: Expr | Stmt) -> Iterator[tuple[Variable, bool]]:
    """Variables that a node writes to; behind a pointer it is not the pointer that changes, see `assigned`."""
    target: Expr | None = None
    if isinstance(node, Assign):
        target = node.target
    elif isinstance(node, Update) or (isinstance(node, Unary) and node.op == "&"):
        target = node.operand
    elif isinstance(node, Call):
        yield from _given_away(machine, node)
    elif isinstance(node, Assembly):
        for output in node.outputs:
            yield from _target(machine, output.value)
    if target is not None:
        yield from _target(machine, target)


def asks_extent(expr: Expr) -> bool:
    """Whether a call says how many elements an array has, and looks at none: `std::size(v)`."""
    return isinstance(expr, Call) and expr.qualified in _EXTENTS


def _given_away(machine: Machine, call: Call) -> Iterator[tuple[Variable, bool]]:
    if asks_extent(call):
        return
    function = machine.inputs.callee_of(call) if not isinstance(call.callee, Member) else None
    parameters = function.parameters if function is not None else ()
    for position, arg in enumerate(call.args):
        root = root_of(machine, arg) if isinstance(arg, (Name, Index, Member)) else None
        if root is None:
            continue
        type_ = parameters[position].type if position < len(parameters) else None
        by_reference = type_ is None if function is None else type_ is not None and type_.reference and not type_.const
        by_reference = (by_reference and function is not None) or (not position and call.name in MATRIX_WRITERS)
        if function is None and isinstance(arg, Index) and call.name.removesuffix("f") in MATH:
            continue  # of `sinf(v[5])` a number
        if root.dims or root.type.pointers or by_reference:
            yield from _target(machine, arg, itself=bool(root.dims) or by_reference)
    if isinstance(call.callee, Member):
        root = root_of(machine, call.callee.base)
        if root is not None and not _keeps_its_object(machine, call):
            yield root, not (call.callee.arrow and root.type.pointers > 0)


def _keeps_its_object(machine: Machine, call: Call) -> bool:
    """Whether a call of a member function cannot change the object: `x.size()`."""
    function, _ = target_of(machine, call)
    if function is None:
        return False
    return not function.qualifiers.isdisjoint(("const", "static")) or not changing_in(machine, function.body)


def root_of(machine: Machine, expr: Expr) -> Variable | None:
    """The variable that `a[i].x`, `*p` or `p + 1` is a part of."""
    while expr.__class__ is not Name:
        if isinstance(expr, (Index, Member)):
            expr = expr.base
        elif isinstance(expr, Cast) or (isinstance(expr, Unary) and expr.op in "*&"):
            expr = expr.operand
        elif isinstance(expr, Binary):
            expr = expr.left
        elif isinstance(expr, Call) and expr.name in _PART and len(expr.args) == 1:
            (expr,) = expr.args
        else:
            return None
    variable = expr.variable or machine.names.get(expr.name)
    if variable is None and machine.this is not None:  # a field of the object whose member function this is
        return root_of(machine, machine.this)
    return variable


def own_array(machine: Machine, expr: Expr) -> Variable | None:
    """The array of the thread, or object, that `a[i].x` is a part of, also behind a pointer or a reference."""
    root = root_of(machine, expr)
    return root if root is None or is_private(root) else pointed_array(machine, root)


class Writes(NamedTuple):
    """The possible writes of a loop: through which variables (None: through something else), and whether threads meet
    in it."""

    targets: tuple[tuple[Variable | None, Type | None], ...]
    fences: bool


def writes(machine: Machine, loop: Loop) -> Writes:
    """Memory that the loop, or a function it calls, writes."""
    memory = machine.known.written_in.get(loop)
    if memory is None:
        targets: dict[tuple[Variable | None, Type | None], None] = {}
        fences = False
        for node in inside_of(machine, loop).changing:
            if isinstance(node, Call) and node.name.startswith(SYNCHRONISES):
                fences = True
            if isinstance(node, Assembly):
                fences = fences or node.clobbers_memory
            for target in _targets(node):
                if not isinstance(target, (Index, Unary, Member, Call)):
                    continue
                root = root_of(machine, target)
                if root is None or root.storage in ("shared", "global") or _points(root):
                    targets[root, machine.type_of(target)] = None
        memory = machine.known.written_in[loop] = Writes(tuple(targets), fences)
    return memory


def arrays_written(machine: Machine, loop: Loop) -> frozenset[Variable]:
    """The private arrays in memory of which the loop's text writes elements, also in functions that it calls."""
    calls = {node for node in nodes(loop) if isinstance(node, Call)}
    arrays = filter(None, map(machine.inputs.array_of, machine.arrays.in_memory))
    return frozenset(
        array.variable for array in arrays if any(_is_write(access, loop, calls) for access in array.described)
    )


def _is_write(access: Access, loop: Loop, calls: Collection[Call]) -> bool:
    """True for a write in a loop, or in a function to which one of its calls leads."""
    inside = any(around.loop is loop for around in access.loops) or any(record.call in calls for record in access.calls)
    return inside and access.kind in ("write", "update")


def _targets(node: Expr | Stmt) -> tuple[Expr, ...]:
    """The targets that a node writes to."""
    if isinstance(node, Assembly):
        return tuple(output.value for output in node.outputs)
    target = written(node)
    return () if target is None else (target,)


def _points(variable: Variable) -> bool:
    by_reference = variable.storage == "parameter" and (variable.type.reference or bool(variable.dims))
    return variable.type.pointers > 0 or by_reference


def is_private(variable: Variable) -> bool:
    """True for a thread's own array or struct."""
    type_ = variable.type
    return variable.storage == "local" and (bool(variable.dims) or (type_.struct and not type_.pointers))


def pointed_array(machine: Machine, pointer: Variable) -> Variable | None:
    """The private array that a pointer leads to at this point, None for any other target."""
    place = machine.variables.get(pointer)
    return place.variable if isinstance(place, Place) and is_private(place.variable) else None
