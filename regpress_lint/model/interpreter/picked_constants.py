"""Constants in an array that clang for AMD has in a vector register, picked by an index that is known at run time only:
they are operands of selects, which name few constants by themselves, or lie side by side for an index that all threads
share (`test_picked_constants.py`). Parts of arguments, which it reads where they are.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from regpress_lint.model.graph.objects import Dynamic, Memory, flat
from regpress_lint.model.graph.ops import ADDRESS, SOURCE, Kind
from regpress_lint.model.graph.values import FLOAT, POINTER, made_form
from regpress_lint.model.interpreter.memory import load
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.targets.compilers.amdgpu import AMD_VECTOR_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.graph.objects import Path, Value
    from regpress_lint.model.interpreter.machine import Machine

_NAMED = frozenset((0.0, 0.5, 1.0, 2.0, 4.0))  # and with a sign: floats that an instruction names by itself
_LEAST, _MOST = -16, 64  # of such integers
_BY_SELECTS = 8  # words of an array that selects pick from where all threads share the index
_LONG = 2  # registers of a number of 64 bits
_DEPTH = 6


def same_everywhere(machine: Machine, variable: Variable, value: Value, size: int) -> int | None:
    """The constant that all elements of an array are; None for other arrays: clang 19.1.7 reads none of `float v[6] =
    {0}` that nothing else is written to.
    """
    numbers = flat(value)
    if machine.compiler.indexing != "vector" or len(variable.dims) != 1 or size > AMD_VECTOR_ELEMENTS:
        return None
    if len(set(numbers)) != 1 or len(numbers) != size:
        return None
    return numbers[0] if machine.graph.constants[numbers[0]] is not None else None


def with_literals(machine: Machine, variable: Variable, indices: Sequence[int], value: Value) -> tuple[int, ...]:
    """The elements to pick from, with a register for each constant that needs one."""
    elements, graph = tuple(flat(value)), machine.graph
    if machine.compiler.indexing != "vector" or len(variable.dims) != 1 or len(elements) > AMD_VECTOR_ELEMENTS:
        return elements
    if not machine.compiler.one_scalar_operand:  # RDNA's selects name any constant
        return elements
    words = sum(max(graph.widths[element], 1) for element in elements)
    shared = not any(graph.divergent[index] for index in indices)
    if shared and words > _BY_SELECTS:
        return tuple(_side_by_side(machine, elements))
    if shared and any(graph.widths[element] >= _LONG for element in elements):
        return elements
    if machine.loop_region() is None and (shared or not any(_waits(machine, index, _DEPTH) for index in indices)):
        return elements  # they are picked one after the other
    return tuple(_literal(machine, element) for element in elements)


def _side_by_side(machine: Machine, elements: Sequence[int]) -> Iterator[int]:
    """All words of a vector whose elements are a power of two where they have 64 bits."""
    graph = machine.graph
    for at, element in enumerate(elements):
        constant = graph.constants[element]
        yield element if constant is None else _register(machine, at, max(graph.widths[element], 1))
    if any(graph.widths[element] >= _LONG for element in elements):
        full = 1 << -int(-log2(len(elements)) // 1)
        yield from (_register(machine, at, _LONG) for at in range(len(elements), full))


def _literal(machine: Machine, number: int) -> int:
    graph, constant = machine.graph, machine.graph.constants[number]
    if constant is None or constant in _NAMED or -constant in _NAMED:
        wide = graph.widths[number] >= _LONG and constant
        return _register(machine, constant, 1) if wide and constant is not None else number
    if graph.kinds[number] != FLOAT and graph.widths[number] < _LONG and _LEAST <= constant <= _MOST:
        return number
    return _register(machine, constant, 1)  # of a number of 64 bits the other half is 0 as a rule


def _register(machine: Machine, key: float, width: int) -> int:
    form = made_form(width, FLOAT)
    return machine.graph.source(("literal", key, width), form, divergent=True)


def _waits(machine: Machine, value: int, depth: int) -> bool:
    """True for a value that is worked out of one that is read."""
    graph = machine.graph
    if graph.ops[value].kind is Kind.LOAD:
        return True
    return bool(depth) and any(_waits(machine, arg, depth - 1) for arg in graph.args[value])


def is_as_given(machine: Machine, value: Value) -> bool:
    """Whether all that is known of an object are arguments of the kernel, none of them written since."""
    return all(machine.graph.ops[number] is SOURCE and not machine.graph.divergent[number] for number in flat(value))


def argument_part(machine: Machine, variable: Variable, path: Path, type_: Type | None) -> int:
    """A part of an argument at an index that is known at run time, where it is: clang copies none into registers."""
    graph, indices = machine.graph, (key.value for key in path if isinstance(key, Dynamic))
    base = graph.source(("argument", variable), made_form(machine.compiler.pointer_registers, POINTER))
    machine.memory.spaces[base] = "constant"
    address = graph.pure(ADDRESS, (base, *indices), made_form(machine.compiler.pointer_registers, POINTER))
    fixed = tuple(key for key in path if not isinstance(key, Dynamic))
    return load(machine, Memory(address, (variable.name, fixed), "constant", type_), form_of(type_))
