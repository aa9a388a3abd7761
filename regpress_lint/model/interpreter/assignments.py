"""Assignments and steps: what they write, and the value that they give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Assign, Conditional, Expr, InitList, Member, Update
from regpress_lint.cpp.traversal import written
from regpress_lint.cpp.typing_rules import swizzle
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Memory, Parts, Place, Value, flat
from regpress_lint.model.graph.values import BOOL
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.branches import chosen
from regpress_lint.model.interpreter.class_objects import class_operation, member_constructed
from regpress_lint.model.interpreter.implicit_calls import converted
from regpress_lint.model.interpreter.library_calls import tied
from regpress_lint.model.interpreter.member_lists import bound_member, elements_of_member, with_fields
from regpress_lint.model.interpreter.memory import read, store
from regpress_lint.model.interpreter.object_writes import assign
from regpress_lint.model.interpreter.operators import binary, combined
from regpress_lint.model.interpreter.places import number, place_of
from regpress_lint.model.interpreter.private_objects import coerced, part, scalar
from regpress_lint.model.interpreter.reinterpret import read_whole

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.model.interpreter.machine import Machine


_ADDRESS = 8  # registers: of a place that is not known, with the index


def swizzled(machine: Machine, expr: Expr) -> tuple[int, ...]:
    """The lanes of `v.s013`, several of a vector's; empty for anything else."""
    if not isinstance(expr, Member) or not (lanes := swizzle(expr.field)):
        return ()
    type_ = machine.type_of(expr.base)
    return lanes if type_ is not None and (type_.lanes > 1 or type_.pointers > 0) and not type_.struct else ()


def picked(machine: Machine, expr: Member, lanes: tuple[int, ...]) -> Value:
    """Several lanes of a vector: those of one in memory are read, and no others."""
    where = None if expr.arrow else place_of(machine, expr.base)
    if expr.arrow or isinstance(where, Memory):
        return tuple(number(machine, _lane(expr, lane)) for lane in lanes)
    value = machine.evaluate(expr.base)
    if isinstance(value, tuple):
        return tuple(value[lane] if lane < len(value) else machine.undefined for lane in lanes)
    return tuple(number(machine, _lane(expr, lane)) for lane in lanes)


def _lane(expr: Member, lane: int) -> Member:
    return Member(expr.span, expr.base, f"s{lane:x}", expr.arrow)


def _assign_lanes(machine: Machine, expr: Assign, target: Member, lanes: tuple[int, ...]) -> Value:
    """`v.s02 = w`: each lane by itself."""
    right = machine.evaluate(expr.value)
    if expr.op != "=":
        right = combined(machine, expr.op[:-1], picked(machine, target, lanes), right)
    values = flat(right) or [scalar(machine, right)]
    for position, lane in enumerate(lanes):
        lane_of_target = _lane(target, lane)
        value = values[position] if position < len(values) else values[0]
        write(machine, place_of(machine, lane_of_target), value, machine.type_of(lane_of_target))
    return right


def update(machine: Machine, expr: Update) -> Value:
    if (done := class_operation(machine, expr)) is not None:
        return done
    type_ = machine.type_of(expr.operand)
    where = place_of(machine, expr.operand)
    old = content(machine, where, type_)
    if isinstance(old, Place):  # a pointer into a private array
        moved = combined(machine, expr.op[0], old, machine.graph.constant(1))
        write(machine, where, moved, type_)
        return moved if expr.prefix else old
    before = scalar(machine, old)
    sum_ = binary(machine, expr.op[0], before, machine.graph.constant(1))
    after = write(machine, where, sum_, type_)
    return after if expr.prefix else before


def content(machine: Machine, where: Place | Memory | None, type_: Type | None) -> Value:
    if isinstance(where, Place):
        return part(machine, where, type_)
    return read(machine, where) if where is not None else machine.undefined


def write(machine: Machine, where: Place | Memory | None, value: Value, type_: Type | None) -> Value:
    """Write an object; the value is what it holds then."""
    held = coerced(machine, value, type_)
    if isinstance(held, Parts) and held.origin is not None and (not isinstance(where, Place) or where.path):
        held = read_whole(machine, held, type_)
    if isinstance(where, Place):
        if machine.graph.at is not None:
            machine.tally.private_writes[machine.graph.at, machine.graph.site] = None
        assign(machine, where, held)
    elif where is not None:
        store(machine, where, held)
    else:
        _lost(machine, held)
    return held


def _lost(machine: Machine, value: Value) -> None:
    """A write to an unknown object: the value is still computed, and its effect stays in place."""
    from regpress_lint.source.indices import spelled

    at = machine.graph.at
    target = written(at)
    name = spelled(target) if target is not None else ""
    text = f"where `{name or 'this'}` writes is not known: its value is kept, the address is not in the estimate"
    machine.unknown("store", name, None, text, "up", _ADDRESS)
    machine.effect(ops.store("global"), (machine.undefined, *flat(value)))


def _assign_either(machine: Machine, target: Conditional, value: Value) -> Value:
    """`(c ? a : b) = x`: one store if both are in memory, else each keeps what it held or gets the value."""
    if (where := place_of(machine, target)) is not None:
        return write(machine, where, value, where.type if isinstance(where, Memory) else machine.type_of(target))
    condition = arithmetic.convert(machine.graph, number(machine, target.test), BOOL)
    for side, is_then in ((target.then, True), (target.other, False)):
        type_ = machine.type_of(side)
        own_place = place_of(machine, side)
        before = content(machine, own_place, type_)
        pair = (value, before) if is_then else (before, value)
        write(machine, own_place, chosen(machine, condition, *pair), type_)
    return value


def assign_expression(machine: Machine, expr: Assign) -> Value:
    if lanes := swizzled(machine, expr.target):
        assert isinstance(expr.target, Member)
        return _assign_lanes(machine, expr, expr.target, lanes)
    type_ = machine.type_of(expr.target)
    if expr.op == "=":
        if isinstance(expr.value, InitList) and member_constructed(machine, expr.target, type_, expr.value):
            return machine.undefined
        if type_ is not None and type_.reference and bound_member(machine, expr):
            return machine.undefined
        if type_ is not None and type_.struct and not isinstance(expr.value, InitList):
            done = class_operation(machine, expr)  # a proxy's, for one
            if done is not None:
                return done
        if isinstance(expr.target, Conditional):
            return _assign_either(machine, expr.target, machine.evaluate(expr.value))
        value = machine.evaluate(expr.value)
        if type_ is not None and type_.decayed:
            value = elements_of_member(machine, expr.target, value)
        if parts := tuple(tied(machine, expr, value)):
            for target, new, new_type in parts:
                write(machine, place_of(machine, target), coerced(machine, new, new_type), machine.type_of(target))
            return value
        where = place_of(machine, expr.target)
        if type_ is not None:
            value = converted(machine, expr.value, value, type_)
        if isinstance(value, Place) and type_ is not None and not type_.pointers and not type_.reference:
            value = part(machine, value, type_)
    else:
        done = class_operation(machine, expr)
        if done is not None:
            return done
        right = operand_value(machine, expr.value)
        where = place_of(machine, expr.target)
        value = combined(machine, expr.op[:-1], content(machine, where, type_), right)
    value = with_fields(machine, value, type_)
    return write(machine, where, value, type_)


def operand_value(machine: Machine, expr: Expr) -> Value:
    """The value of an operand, of an object whose class has no such operator as the number that it becomes."""
    value = machine.evaluate(expr)
    return converted(machine, expr, value, None) if machine.converts else value
