"""Private arrays that are tables of constants: every thread makes the same one for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Assign
from regpress_lint.cpp.traversal import walk
from regpress_lint.source_level.root_variables import root_variable

if TYPE_CHECKING:
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.source_level.arrays import PrivateArray

Fill = Literal["initialiser", "assignments"]


def constant_table(array: PrivateArray, env: Environment) -> Fill | None:
    """How an array gets its constants if all that is ever in it are constants; None for an array with other contents.

    An array that is filled by assignments is one if each of them stores a constant at a constant index, and nobody
    else can write to it.
    """
    if array.table:
        return "initialiser"
    if array.variable.init is not None or array.escapes or not array.described:
        return None
    if {access.kind for access in array.described} != {"read", "write"}:
        return None
    if any(access.dynamic for access in array.accesses if access.kind == "write"):
        return None
    stored = [access for access in array.accesses if access.kind == "write"]
    if any(not loop.unrolled for access in stored for loop in access.loops):
        return None
    values = [
        node.value
        for node in walk(array.function.body)
        if isinstance(node, Assign) and root_variable(node.target) is array.variable
    ]
    constants = len(values) == len(stored) and all(evaluate(value, env) is not None for value in values)
    return "assignments" if constants else None
