"""Elements of constant tables in device memory that compilers know: `__device__ const int offset[4] = {0, 1, n, 3};`.

nvcc 13 and clang 19 read none of them from memory at an index that is a constant, whether the table is `__device__` or
`__constant__`. Without `const` the host may write a table before the kernel begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import convert, evaluate
from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.syntax_tree import Call, Cast, Index, InitList, LambdaExpr, Name, Unary, Variable
from regpress_lint.model.graph.values import FLOAT, INT, made_form
from regpress_lint.model.interpreter.indexed_parts import extents
from regpress_lint.model.interpreter.places import number
from regpress_lint.model.interpreter.value_forms import form_of

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.model.graph.objects import Memory
    from regpress_lint.model.interpreter.machine import Machine


def table_element(machine: Machine, expr: Index, where: Memory) -> int | None:
    """The value of an element of a constant table; None where the table or the index is not known."""
    key = machine.graph.sources.get(where.address)
    table = key[1] if isinstance(key, tuple) and key[0] == "global" else None
    if not isinstance(table, Variable) or not isinstance(table.init, InitList) or not isinstance(where.offset, int):
        return None
    sizes, size = extents(machine, table), table.type.size
    if sizes is None or not size or where.offset % size or not _is_whole(expr, table):
        return None
    item = _item(table.init, sizes, where.offset // size)
    value = evaluate(item, machine.environment) if item is not None else 0
    if value is None and isinstance(item, Call):  # a macro, or a function that compilers execute
        value = machine.graph.constants[number(machine, item)]
    value = convert(table.type, value) if value is not None else None
    return machine.graph.constant(value, form_of(table.type)) if value is not None else None


def named_element(machine: Machine, expr: Index) -> int | None:
    """The value of an element of a table that only its scope's name leads to: `Stencil::offset[2]`."""
    indices: list[Expr] = []
    base: Expr = expr
    while isinstance(base, Index):
        indices.append(base.index)
        base = base.base
    if not isinstance(base, Name) or base.variable is not None or base.name in machine.names:
        return None
    name, names = with_values(base.written, machine.constants), machine.environment.names
    if names(".".join((name, *("0" for _ in indices)))) is None:  # no table: its index is evaluated elsewhere
        return None
    places = [machine.graph.constants[number(machine, index)] for index in reversed(indices)]
    value = names(".".join((name, *map(str, places)))) if None not in places else None
    form = made_form(2, FLOAT) if isinstance(value, float) else INT
    return machine.graph.constant(value, form) if value is not None else None


def held_function(machine: Machine, callee: Index) -> LambdaExpr | Name | None:
    """The function or lambda that a table has at a known index, as it is initialised: `ops[1](x)`. None where it may be
    another one.
    """
    table = callee.base.variable if isinstance(callee.base, Name) else None
    if table is None or not isinstance(table.init, InitList) or len(table.dims) != 1:
        return None
    place, items = machine.known_int(callee.index), table.init.items
    item = items[place] if place is not None and place < len(items) else None
    while isinstance(item, (Cast, Unary)):
        item = item.operand
    if isinstance(item, LambdaExpr) or (isinstance(item, Name) and item.variable is None):
        return None if _is_changed(machine, table) else item
    return None


def _is_changed(machine: Machine, table: Variable) -> bool:
    """Whether a table may have other elements than it begins with."""
    if table.type.const:
        return False
    array = machine.inputs.array_of(table) if table.storage == "local" else None
    return array is None or array.escapes or any(access.kind != "read" for access in array.described)


def _is_whole(expr: Index, table: Variable) -> bool:
    """Whether as many indices as the table has are written, or a pointer goes along its only dimension."""
    count = 0
    base: Expr = expr
    while isinstance(base, Index):
        count, base = count + 1, base.base
    return count == len(table.dims) and (count == 1 or (isinstance(base, Name) and base.variable is table))


def _item(items: InitList, sizes: tuple[int, ...], place: int) -> Expr | None:
    """The initialiser of an element by its place in memory; None for one that is left out, which is zero."""
    listed: Expr = items
    for dimension in range(len(sizes)):
        assert isinstance(listed, InitList)
        inner = 1
        for extent in sizes[dimension + 1 :]:
            inner *= extent
        if inner > 1 and not any(isinstance(item, InitList) for item in listed.items):  # `{1, 2, 3, 4}` of two rows
            inner = 1
        index, place = divmod(place, inner)
        if index >= len(listed.items):
            return None
        listed = listed.items[index]
        if not isinstance(listed, InitList):
            return listed
    return listed.items[0] if isinstance(listed, InitList) and listed.items else None
