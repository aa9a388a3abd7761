"""Expressions: what each of them does to the machine, and the value that it gives."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import (
    DESIGNATED,
    Assembly,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Expr,
    Index,
    InitList,
    LambdaExpr,
    Member,
    Name,
    SizeOf,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.types import dereference
from regpress_lint.model.graph.objects import Closure, ElementNote, Join, Memory, Parts, Place, Value, flat, is_dynamic
from regpress_lint.model.graph.ops import SELECT_ELEMENT, UNKNOWN
from regpress_lint.model.graph.values import BOOL, FLOAT, INT, POINTER, SIGNED, UNSIGNED, made_form
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.assignments import (
    assign_expression,
    content,
    operand_value,
    picked,
    swizzled,
    update,
)
from regpress_lint.model.interpreter.branches import (
    chosen,
    element_read,
    enter_sides,
    leave_sides,
    met,
    met_logical,
    note_met_values,
    stay_here,
)
from regpress_lint.model.interpreter.calls import call
from regpress_lint.model.interpreter.class_objects import class_operation, operator_of, returns_reference, under_a_name
from regpress_lint.model.interpreter.constant_tables import named_element, table_element
from regpress_lint.model.interpreter.implicit_calls import converted, has_conversion, is_recast
from regpress_lint.model.interpreter.member_calls import PACK, member_named, static_member, subscript_of
from regpress_lint.model.interpreter.member_lists import NOTHING_LISTED
from regpress_lint.model.interpreter.memory import address_of, read
from regpress_lint.model.interpreter.operators import combined, coordinate, value_of_name
from regpress_lint.model.interpreter.packs import FOLD, folded, not_followed, with_elements
from regpress_lint.model.interpreter.places import element_type, fragment_of, is_row, number, place_of
from regpress_lint.model.interpreter.private_objects import coerced, member, part, scalar
from regpress_lint.model.interpreter.reinterpret import viewed
from regpress_lint.model.interpreter.routines import service
from regpress_lint.model.interpreter.template_arguments import sizes_of
from regpress_lint.targets.builtins import COORDINATES
from regpress_lint.targets.costs import COSTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.environment import Number
    from regpress_lint.model.interpreter.branches import Fork
    from regpress_lint.model.interpreter.machine import Machine


_LITERALS = {
    "double": made_form(2, FLOAT),
    "float": made_form(1, FLOAT),
    "half": made_form(1, FLOAT),
    "bool": BOOL,
    "long": made_form(2, SIGNED),
    "unsigned long": made_form(2, UNSIGNED),
    "pointer": made_form(2, POINTER),
    "unsigned int": made_form(1, UNSIGNED),
}
_POINTER = 8  # bytes
_SIZE = "the size that this `sizeof` gives is not known: it counts as that of a pointer"
_HEAP = {"new_expression": "malloc", "delete_expression": "free"}
_PLACED = "the constructor that `new (place)` calls is not executed: what it reads and stores is not in the estimate"
_NO_CHAIN = frozenset((",", "&&", "||"))


def evaluate_expression(machine: Machine, expr: Expr) -> Value:
    """Value of an expression; what it makes has its span, names and literals aside."""
    if expr.__class__ is Name:
        value = machine.variables.get(expr.variable) if expr.variable is not None else None
        return value if type(value) is int else value_of_name(machine, expr)
    machine.evaluated += 1
    kind = expr.__class__
    if kind is Constant or not machine.placed:
        return _RULES[kind](machine, expr)
    graph = machine.graph
    outer, graph.at = graph.at, expr
    result = _RULES[kind](machine, expr)
    graph.at = outer
    return result


def _constant(machine: Machine, expr: Constant) -> Value:
    if expr.value is None:
        return machine.graph.source("text", made_form(0, POINTER))
    form, value = _LITERALS.get(expr.kind, INT), expr.value
    if isinstance(value, int) and form.kind in (SIGNED, UNSIGNED):  # `-2u` is one literal
        value = arithmetic.wrapped(value, form)
    return machine.graph.constant(value, form)


def _member(machine: Machine, expr: Member) -> Value:
    base = expr.base
    if base.__class__ is Name and base.variable is None and base.name in COORDINATES:
        return coordinate(machine, base.name, expr.field)
    if (fragment := fragment_of(machine, expr, "num_elements")) is not None:
        return machine.graph.constant(fragment.lanes)
    if (fixed := static_member(machine, expr)) is not None:
        return machine.graph.constant(fixed)
    if lanes := swizzled(machine, expr):
        return picked(machine, expr, lanes)
    where = place_of(machine, expr)
    type_ = machine.type_of(expr)
    if isinstance(where, Place):
        return part(machine, where, type_)
    if isinstance(where, Memory):
        return read(machine, where)
    value = evaluate_expression(machine, base)
    if isinstance(value, Parts):
        inner, whole = member(machine, value, (expr.field,), type_), machine.type_of(base)
        if inner != machine.undefined or not value.parts or whole is None or not whole.struct:
            return inner
        named = under_a_name(machine, base, value, whole)  # a union, which has another member
        return evaluate_expression(machine, Member(expr.span, named, expr.field, arrow=False))
    if isinstance(value, Place):
        return part(machine, value.inside(expr.field), type_)
    if isinstance(value, tuple):
        return member(machine, Parts(None, {(): value}), (expr.field,), type_)
    return value


def _index(machine: Machine, expr: Index) -> Value:
    if (listed := named_element(machine, expr)) is not None:
        return listed
    where = place_of(machine, expr)
    if isinstance(where, Place):
        return part(machine, where, element_type(machine, where, expr))
    if isinstance(where, Memory):
        if where.type is not None and where.type.pointers and is_row(expr):
            machine.memory.spaces.setdefault(where.address, where.space)
            return where.address
        constant = table_element(machine, expr, where)
        return read(machine, where) if constant is None else constant
    if (called := subscript_of(machine, expr)) is not None:
        return evaluate_expression(machine, called)
    base = evaluate_expression(machine, expr.base)
    index = number(machine, expr.index)
    if isinstance(base, tuple) and base:
        at = machine.graph.constants[index]
        if isinstance(at, int) and 0 <= at < len(base):
            return base[at]
        return machine.graph.pure(SELECT_ELEMENT, (*base, index), machine.graph.form(base[0]))
    return scalar(machine, base)


# ----------------------------------------------------------------------------------------------------- operators


def _unary(machine: Machine, expr: Unary) -> Value:
    if expr.op == "*":
        if (operator := operator_of(machine, expr)) is not None and not returns_reference(operator[0]):
            done = class_operation(machine, expr)  # `*it` is a proxy
            if done is not None:
                return done
        where = place_of(machine, expr)
        if isinstance(where, Place):
            return part(machine, where, machine.type_of(expr))
        return read(machine, where) if where is not None else machine.undefined
    if expr.op == "&":
        if (meant := member_named(machine, expr.operand)) is not None:
            return Closure(meant)
        where = place_of(machine, expr.operand)
        if isinstance(where, Memory):
            return address_of(machine, where)
        if where is not None:
            _note_pointer(machine, where)
            return where
        value = evaluate_expression(machine, expr.operand)
        return value if isinstance(value, Closure) else scalar(machine, value)
    done = class_operation(machine, expr)
    if done is not None:
        return done
    value = operand_value(machine, expr.operand)
    if isinstance(value, tuple):
        return tuple(arithmetic.negated(machine.graph, expr.op, lane) for lane in value)
    return arithmetic.negated(machine.graph, expr.op, scalar(machine, value))


def _note_pointer(machine: Machine, place: Place) -> None:
    """`&a[i]` of a private array is no access, but only here it is known whether its index is a constant."""
    variable, path = place.variable, place.path
    if machine.arrays.at is not None and variable.dims and len(path) >= len(variable.dims):
        machine.tally.elements.append(ElementNote(variable, machine.arrays.at, is_dynamic(path), path, pointer=True))


def _binary(machine: Machine, expr: Binary) -> Value:
    if expr.op in ("&&", "||"):
        return _logical(machine, expr)
    if (done := class_operation(machine, expr)) is not None:
        return done
    if expr.op == ",":
        evaluate_expression(machine, expr.left)
        return evaluate_expression(machine, expr.right)
    node, operand = expr.left, operand_value if machine.converts else evaluate_expression
    if node.__class__ is not Binary or node.op in _NO_CHAIN:
        return combined(machine, expr.op, operand(machine, node), operand(machine, expr.right))
    chain = [expr]
    while node.__class__ is Binary and node.op not in _NO_CHAIN and operator_of(machine, node) is None:
        chain.append(node)
        node = node.left
    machine.evaluated += len(chain)
    value = operand(machine, node)
    for outer in reversed(chain):
        value = combined(machine, outer.op, value, operand(machine, outer.right))
    return value


def _logical(machine: Machine, expr: Binary) -> Value:
    graph = machine.graph
    left = _truth(machine, expr.left)
    constant = graph.constants[left]
    if constant is not None and bool(constant) == (expr.op == "||"):
        return left
    if constant is not None:
        return arithmetic.logical(graph, expr.op, left, _truth(machine, expr.right))
    fork = enter_sides(machine)
    right = _truth(machine, expr.right)
    return met_logical(machine, expr.op, left, right, fork)


def _truth(machine: Machine, expr: Expr) -> int:
    """A condition; a string in one, `assert(n > 0 && "no elements")`, is true."""
    if expr.__class__ is Constant and expr.kind == "string":
        return machine.graph.constant(1, BOOL)
    return arithmetic.convert(machine.graph, number(machine, expr), BOOL)


def _conditional(machine: Machine, expr: Conditional) -> Value:
    condition = arithmetic.convert(machine.graph, number(machine, expr.test), BOOL)
    if (constant := machine.graph.constants[condition]) is not None:
        taken = evaluate_expression(machine, expr.then if constant else expr.other)
        type_ = machine.type_of(expr)
        widened = isinstance(taken, int) and type_ is not None and (type_.size or 0) >= 4
        return coerced(machine, taken, type_) if widened else taken
    fork = enter_sides(machine)
    then, ends_then = evaluate_expression(machine, expr.then), machine.block
    element = element_read(machine, expr.then)
    machine.memory.reads[-1] = {}
    machine.new_block()
    otherwise = evaluate_expression(machine, expr.other)
    leave_sides(machine)
    if machine.compiler.indexing == "vector":
        note_met_values(machine, fork, then, otherwise, (element, element_read(machine, expr.other)))
    return _met(machine, condition, Join(fork.values, ends_then, machine.block), fork, then, otherwise)


def _met(machine: Machine, condition: int, join: Join, fork: Fork, then: Value, otherwise: Value) -> Value:
    """Where the sides of a condition within an expression meet."""
    stays = met(machine, condition, fork, machine.compiler.predicated_reads)
    first = len(machine.graph)
    value = chosen(machine, condition, then, otherwise)
    if stays:
        stay_here(machine, first, join)
    return value


def _cast(machine: Machine, expr: Cast) -> Value:
    type_ = expr.type
    if type_.reference and (has_conversion(machine, expr.operand, type_) or is_recast(machine, expr)):
        return content(machine, place_of(machine, expr), type_._replace(reference=False))
    value = evaluate_expression(machine, expr.operand)
    if not type_.reference:
        value = converted(machine, expr.operand, value, type_)
    if isinstance(value, Place) and type_.pointers == 1:
        pointee = dereference(type_)
        return viewed(machine, value, pointee) if pointee is not None else value
    if type_.pointers or type_.name == "auto" or type_.size is None:
        return value
    if isinstance(value, tuple) and type_.lanes == 1:
        value = value[0] if value else machine.undefined
    return coerced(machine, scalar(machine, value) if isinstance(value, Place) else value, type_)


def _sizeof(machine: Machine, expr: SizeOf) -> Value:
    size = _bytes_of(machine, expr)
    if size is None:
        machine.unknown("size", "", expr.span, _SIZE)
    return machine.graph.constant(size if size is not None else _POINTER, made_form(2, UNSIGNED))


def _bytes_of(machine: Machine, expr: SizeOf) -> Number | None:
    """What `sizeof` gives: of an array all its elements, also where it is a member or a row of another."""
    operand = expr.operand
    sizes = sizes_of(machine, operand) if isinstance(operand, (Index, Member, Name)) else ()
    element = machine.type_of(operand) if operand is not None else None
    for _ in sizes:
        element = dereference(element) or element if element is not None else None
    size = element.bytes if element is not None else None
    if sizes and size is not None:
        return prod(sizes) * size
    constant = evaluate(expr, machine.environment)
    return size if constant is None else constant


def _braces(machine: Machine, expr: InitList) -> Value:
    result = Parts()
    for at, item in enumerate(with_elements(machine, expr.items)):
        position: int | str = at
        if item.__class__ is Unknown and item.kind.startswith(DESIGNATED):
            position, (item,) = item.kind, item.children
        value = evaluate_expression(machine, item)
        if isinstance(value, Parts) and value.origin is None:
            result.parts.update({(position, *path): item_value for path, item_value in value.parts.items()})
        else:
            result.parts[(position,)] = read(machine, value) if isinstance(value, Memory) else value
    if not result.parts:
        result.owner = NOTHING_LISTED
    return result


def _lambda(machine: Machine, expr: LambdaExpr) -> Value:
    if machine.placed:
        machine.site_of[expr] = machine.graph.site
    return Closure(expr)


def _unknown(machine: Machine, expr: Unknown) -> Value:
    if expr.kind == FOLD and (value := folded(machine, expr)) is not None:
        return value
    operands: list[int] = []
    for child in expr.children:
        operands += flat(evaluate_expression(machine, child))
    if expr.kind in (FOLD, PACK):
        not_followed(machine, expr)
    if (key := _HEAP.get(expr.kind)) is not None:
        first = expr.children[0] if expr.children else None
        if isinstance(first, Unknown) and first.kind == "argument_list":  # `new (place) T(...)`
            machine.unknown("callee", "new", expr.span, _PLACED)
            return operands[0] if operands else machine.undefined
        return service(machine, key, tuple(operands), 0, COSTS[machine.vendor][key].once)
    return machine.effect(UNKNOWN, tuple(operands), INT, divergent=True)


def _assembly(machine: Machine, expr: Assembly) -> Value:
    from regpress_lint.model.interpreter.inline_assembly import assembled

    assembled(machine, expr)
    return machine.undefined


_RULES: dict[type, Callable[..., Value]] = {
    Constant: _constant,
    Name: value_of_name,
    Member: _member,
    Index: _index,
    Unary: _unary,
    Update: update,
    Binary: _binary,
    Assign: assign_expression,
    Conditional: _conditional,
    Call: call,
    Cast: _cast,
    SizeOf: _sizeof,
    InitList: _braces,
    LambdaExpr: _lambda,
    Unknown: _unknown,
    Assembly: _assembly,
}
