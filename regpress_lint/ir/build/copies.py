"""`memcpy` and `memset` of a constant size: compilers move the values, and no function is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.types import builtin_type
from regpress_lint.ir.build.accesses import pointed
from regpress_lint.ir.build.machine import Machine, form_of
from regpress_lint.ir.build.private_objects import assign, extents, part, scalar
from regpress_lint.ir.build.reinterpret import (
    Bytes,
    bytes_of,
    held_leaves,
    piece_of,
    read_memory,
    write_memory,
)
from regpress_lint.ir.objects import Memory, Place, Value

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Call

COPIES = frozenset(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memcpy_inline", "__builtin_memmove"))
_FILLS = frozenset(("memset", "__builtin_memset"))
_MOST = 256  # bytes that are moved in registers


def copied(machine: Machine, expr: Call) -> Value | None:
    """Value of such a call, None for any other call, or for a run-time size."""
    if expr.name not in COPIES | _FILLS or len(expr.args) != 3:
        return None
    size = machine.evaluate(expr.args[2])
    known = machine.graph.constants[size] if isinstance(size, int) else None
    if not isinstance(known, int) or not 0 < known <= _MOST:
        return None
    target = machine.evaluate(expr.args[0])
    source = machine.evaluate(expr.args[1])
    made = _filled(machine, target, source, known) if expr.name in _FILLS else _copied(machine, target, source, known)
    return target if made else None


def _object(machine: Machine, value: Value) -> Place | Memory | None:
    """The target of a pointer argument."""
    if isinstance(value, Place):
        machine.handed_on.add(value.variable)
    if isinstance(value, (Place, Memory)):
        return value
    return pointed(machine, value, builtin_type("char")) if isinstance(value, int) else None


def _place(machine: Machine, place: Place) -> Bytes | None:
    if not place.path and place.variable.dims and extents(machine, place.variable) is not None:
        return Bytes(place.variable, 0, place.variable.type)
    return bytes_of(machine, place)


def _copied(machine: Machine, to: Value, of: Value, size: int) -> bool:
    target, source = _object(machine, to), _object(machine, of)
    if isinstance(target, Place):
        return _into_private(machine, target, source, size)
    word = builtin_type("unsigned int" if size % 4 == 0 else "unsigned char")
    if target is None or source is None or word is None:
        return False
    if isinstance(source, Place):
        where = _place(machine, source)
        leaves = held_leaves(machine, where, size) if where is not None else []
        if not leaves:
            return False
        values = [scalar(machine, part(machine, Place(source.variable, leaf.path), leaf.type)) for leaf in leaves]
    else:
        values = [value for _, value in read_memory(machine, source, word, (size // (word.size or 1),))]
    write_memory(machine, target, values)
    return True


def _into_private(machine: Machine, target: Place, source: Place | Memory | None, size: int) -> bool:
    where = _place(machine, target)
    leaves = held_leaves(machine, where, size) if where is not None else []
    if where is None or not leaves:
        return False
    origin = _place(machine, source) if isinstance(source, Place) else None
    if source is None or (isinstance(source, Place) and origin is None):
        return False
    values: list[int] = []
    for leaf in leaves:
        apart = leaf.offset - where.offset
        if isinstance(source, Memory):
            found = read_memory(machine, source.inside(apart), leaf.type)
            values.append(found[0][1])
        elif origin is not None:
            values.append(piece_of(machine, origin, apart, leaf.type))
    for leaf, value in zip(leaves, values, strict=True):
        assign(machine, Place(target.variable, leaf.path), value)
    return True


def _filled(machine: Machine, to: Value, byte: Value, size: int) -> bool:
    target = _object(machine, to)
    known = machine.graph.constants[byte] if isinstance(byte, int) else None
    if not isinstance(target, Place) or known is None:
        return False
    where = _place(machine, target)
    leaves = held_leaves(machine, where, size) if where is not None else []
    for leaf in leaves:
        value = machine.graph.constant(0 if known == 0 else -1, form_of(leaf.type))
        assign(machine, Place(target.variable, leaf.path), value)
    return bool(leaves)
