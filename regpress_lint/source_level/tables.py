"""Private arrays that are tables of constants: every thread makes the same one for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Assign
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.source_level.root_variables import root_variable

if TYPE_CHECKING:
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.source_level.arrays import PrivateArray

Fill = Literal["initialiser", "assignments"]


def constant_table(array: PrivateArray, env: Environment) -> Fill | None:
    """How an array gets its constants if all that is ever in it are constants; None for an array with other contents.

    An array that is filled by assignments is one if each of them stores a constant at a constant index, and nothing
    else can write to it.
    """
    if array.table:
        return "initialiser"
    if array.variable.init is not None or array.escapes or not array.described:
        return None
    if {access.kind for access in array.described} != {"read", "write"}:
        return None
    values = [
        node.value
        for node in nodes_of(array.function)
        if isinstance(node, Assign) and root_variable(node.target) is array.variable
    ]
    stored = sum(access.kind == "write" for access in array.described)
    if len(values) != stored or any(evaluate(value, env) is None for value in values):
        return None
    # What an execution says comes last: it may not have happened yet.
    written = [access for access in array.accesses if access.kind == "write"]
    late = any(access.dynamic or any(not loop.unrolled for loop in access.loops) for access in written)
    return None if late else "assignments"
