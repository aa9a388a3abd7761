"""`memcpy` and `memset`: of a constant size compilers move the values, and no function is called.

With a run-time size, or at a run-time place of a private object, they are a loop over its bytes, and it is in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import builtin_type
from regpress_lint.model.graph.objects import Dynamic, Indexed, Memory, Place, Value, is_dynamic
from regpress_lint.model.graph.ops import bits_from
from regpress_lint.model.graph.values import SIGNED, made_form
from regpress_lint.model.interpreter.indexed_parts import extents
from regpress_lint.model.interpreter.memory import pointed, store
from regpress_lint.model.interpreter.object_writes import assign
from regpress_lint.model.interpreter.private_objects import part, scalar
from regpress_lint.model.interpreter.reinterpret import (
    Bytes,
    bytes_of,
    held_leaves,
    piece_of,
    read_memory,
    write_memory,
)
from regpress_lint.model.interpreter.value_forms import form_of

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Call, Variable
    from regpress_lint.model.interpreter.machine import Machine

COPIES = frozenset(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memcpy_inline", "__builtin_memmove"))
_FILLS = frozenset(("memset", "__builtin_memset"))
_MOVES = COPIES | _FILLS
_BYTE, _UNSIGNED = Type("unsigned char", 1, signed=False), Type("unsigned int", 4, signed=False)
_MOST = 256  # bytes between two places in memory: beyond that compilers write a loop
# Bytes: of more, those in flight take as many registers as words do; between two places in memory, and of an object.
_MOST_SINGLE, _MOST_SINGLE_PRIVATE = 40, 64
_MOST_PRIVATE = 4096  # bytes of a private object, which nvcc and clang take apart; of 16 KiB nvcc copies none


def copied(machine: Machine, expr: Call) -> Value | None:
    """Value of such a call; None for any other call, and for addresses that nothing says anything about."""
    if expr.name not in _MOVES or len(expr.args) != 3:
        return None
    size = machine.evaluate(expr.args[2])
    count = machine.graph.constants[size] if isinstance(size, int) else None
    if isinstance(count, int) and count <= 0:
        return None
    target = machine.evaluate(expr.args[0])
    source = machine.evaluate(expr.args[1])
    ends = [end for end in (target, source) if isinstance(end, Place)]
    if not isinstance(count, int) or any(is_dynamic(end.path) for end in ends):
        return _by_bytes(machine, expr, target, source)
    if _is_loop(machine, expr.name, count):
        for end in ends:
            _walked(machine, end, machine.arrays.pointed.walked, written=end is target)
        if isinstance(target, Place) and target.variable in machine.arrays.in_memory and target.variable.dims:
            return _one_turn(machine, target, source if expr.name in _FILLS else _object(machine, source))
    if count > (_MOST_PRIVATE if ends else _MOST):
        return None
    done = _filled(machine, target, source, count) if expr.name in _FILLS else _copied(machine, target, source, count)
    return target if done else None


def _is_loop(machine: Machine, name: str, size: int) -> bool:
    """True for a function of the library, and not of the compiler, that stays a loop."""
    compiler = machine.compiler
    limits = {"memset": compiler.fills_by_loop, "memcpy": compiler.copies_by_loop}
    return machine.file.language in ("cuda", "hip") and size > limits.get(name, size)


def _walked(machine: Machine, place: Place, arrays: set[Variable], *, written: bool) -> None:
    """A loop of the library stays one and goes through the bytes of an object."""
    variable = place.variable
    if variable.dims:
        arrays.add(variable)
    else:
        machine.note_indexed(Indexed(variable, variable.type.size, ("*",), builtin_type("char"), written, 1))


def _by_bytes(machine: Machine, expr: Call, target: Value, source: Value) -> Value | None:
    """A loop goes through the bytes, from a place or up to one that is known when the program runs only."""
    machine.arrays.at = expr.span  # no subscript in front of the call is meant
    moved: Value | None = source if expr.name in _FILLS else _object(machine, source)
    if isinstance(moved, Place):
        _walked(machine, moved, machine.arrays.pointed.by_bytes, written=False)
        moved = scalar(machine, part(machine, _somewhere(machine, moved), moved.variable.type))
    to, byte = _object(machine, target), builtin_type("unsigned char")
    if isinstance(to, Place):
        _walked(machine, to, machine.arrays.pointed.by_bytes, written=True)
        if to.variable in machine.arrays.in_memory or not to.variable.dims:
            _one_turn(machine, to, moved)
        return target
    if isinstance(moved, Memory) and byte is not None:
        moved = read_memory(machine, moved, byte)[0][1]
    if to is None or not isinstance(moved, int):
        return None
    write_memory(machine, to, [moved])
    return target


def _somewhere(machine: Machine, place: Place) -> Place:
    """An element of an array that a loop has come to; the first of one that has registers here."""
    count = len(place.variable.dims)
    if place.variable not in machine.arrays.in_memory:
        return Place(place.variable, (0,) * count)
    turn = machine.graph.source(("turn", place.variable), made_form(0, SIGNED))
    return Place(place.variable, (Dynamic(turn),) * count)


def _one_turn(machine: Machine, target: Place, source: Value | None) -> Value | None:
    """One turn of a loop that fills an object in memory or copies to it: registers hold a word at a time."""
    word = builtin_type("unsigned int")
    if isinstance(source, Memory) and word is not None:
        source = read_memory(machine, source, word)[0][1]
    if not isinstance(source, int):
        return None
    assign(machine, _somewhere(machine, target), source)
    return target


def _object(machine: Machine, value: Value) -> Place | Memory | None:
    """The target of a pointer argument."""
    if isinstance(value, Place):
        machine.arrays.handed_on.add(value.variable)
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
    if target is None or source is None:
        return False
    single = _is_single(machine, target, size, _MOST_SINGLE_PRIVATE if isinstance(source, Place) else _MOST_SINGLE)
    if isinstance(source, Place):
        where = _place(machine, source)
        leaves = held_leaves(machine, where, size) if where is not None else []
        if not leaves:
            return False
        values = [scalar(machine, part(machine, Place(source.variable, leaf.path), leaf.type)) for leaf in leaves]
    else:
        word = _UNSIGNED if size % 4 == 0 and not single else _BYTE
        values = [value for _, value in read_memory(machine, source, word, (size // (word.size or 1),))]
    if not single:
        write_memory(machine, target, values)
        return True
    offset = 0
    for value in values:
        width = 4 * machine.graph.forms[value].width if isinstance(source, Place) else 1
        for place in range(width):
            piece = machine.graph.pure(bits_from(place), (value,), form_of(_BYTE)) if width > 1 else value
            store(machine, target.inside(offset + place, _BYTE), piece)
        offset += width
    return True


def _is_single(machine: Machine, memory: Memory, size: int, most: int) -> bool:
    """Whether the bytes are moved one by one: nothing says how what a pointer leads to is aligned."""
    return machine.compiler.moves_bytes and memory.space == "global" and size <= most


def _read(machine: Machine, memory: Memory, type_: Type, *, single: bool) -> int:
    """A scalar in memory, put together from its bytes where each is read alone."""
    size = type_.size or 1
    if not single or size == 1:
        return read_memory(machine, memory, type_)[0][1]
    pieces = [read_memory(machine, memory.inside(place), _BYTE)[0][1] for place in range(size)]
    return machine.graph.pure(bits_from(0), tuple(pieces), form_of(type_))


def _into_private(machine: Machine, target: Place, source: Place | Memory | None, size: int) -> bool:
    where = _place(machine, target)
    leaves = held_leaves(machine, where, size) if where is not None else []
    if where is None or not leaves:
        return False
    origin = _place(machine, source) if isinstance(source, Place) else None
    if source is None or (isinstance(source, Place) and origin is None):
        return False
    values: list[int] = []
    single = isinstance(source, Memory) and _is_single(machine, source, size, _MOST_SINGLE_PRIVATE)
    for leaf in leaves:
        apart = leaf.offset - where.offset
        if isinstance(source, Memory):
            values.append(_read(machine, source.inside(apart), leaf.type, single=single))
        elif origin is not None:
            values.append(piece_of(machine, origin, apart, leaf.type))
    for leaf, value in zip(leaves, values, strict=True):
        assign(machine, Place(target.variable, leaf.path), value)
    return True


def _filled(machine: Machine, to: Value, byte: Value, size: int) -> bool:
    target = _object(machine, to)
    fill = machine.graph.constants[byte] if isinstance(byte, int) else None
    if not isinstance(target, Place) or fill is None:
        return False
    where = _place(machine, target)
    leaves = held_leaves(machine, where, size) if where is not None else []
    for leaf in leaves:
        value = machine.graph.constant(0 if fill == 0 else -1, form_of(leaf.type))
        assign(machine, Place(target.variable, leaf.path), value)
    return bool(leaves)
