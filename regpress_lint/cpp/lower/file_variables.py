"""Variables in device memory at file or namespace level."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cpp.lower.braces import listed
from regpress_lint.cpp.lower.declarations import extent, made_variable
from regpress_lint.cpp.lower.declared_types import Declarator, read_specifiers, to_work_group, unwind
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.syntax_tree import Constant
from regpress_lint.cpp.types import FUNCTION

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Storage, Variable

_STATIC_WORK_GROUP = b"work_group_static"
_DEVICE_WORDS = frozenset(("__constant__", "__device__", "__managed__"))
_LONGEST_TABLE = 4096  # bytes of its text


def lower_file_variable(ctx: Context, node: Node) -> tuple[Variable, ...]:
    """Variables in device memory that a `declaration` at file or namespace level makes, and `constexpr` arrays there,
    with the initialisers of short constant tables.

    Others are long tables or what only the host sets: as far as a kernel is concerned, memory.
    """
    specifiers = read_specifiers(ctx, node)
    space: Storage = "constant" if "__constant__" in specifiers.words else "global"
    work_group = _STATIC_WORK_GROUP in ctx.data[node.start_byte : node.end_byte]
    table = specifiers.constexpr and not specifiers.is_auto
    if not work_group and not table and not _DEVICE_WORDS.intersection(specifiers.words):
        return ()
    variables: list[Variable] = []
    for child in node.children_by_field_name("declarator"):
        init = child.child_by_field_name("value") if child.type == "init_declarator" else None
        declarator = Declarator()
        unwind(ctx, child.child_by_field_name("declarator") or child if init is not None else child, declarator)
        if declarator.name is None or declarator.call_parameters is not None:  # a function's declaration
            continue
        if table and not declarator.dims:
            continue
        variable = made_variable(ctx, node, declarator.name, declarator, specifiers, None)
        if init is not None and init.type == "initializer_list" and variable.dims:
            if variable.dims[0] is None:
                values = listed(ctx, init)
                if not init.has_error:  # as of an `#include` that is not found
                    variable.dims = (Constant(span_of(init), len(values), "int"), *variable.dims[1:])
            is_plain = not variable.type.pointers or variable.type.name == FUNCTION
            if variable.type.const and is_plain and init.end_byte - init.start_byte < _LONGEST_TABLE:
                variable.init = lower_expression(ctx, init)
        variable.storage = space
        if work_group:
            to_work_group(ctx, variable, partial(extent, ctx))
        variables.append(variable)
    return tuple(variables)
