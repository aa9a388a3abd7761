"""References to arrays that are not the thread's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lower.lowering_context import is_alias
from regpress_lint.cpp.syntax_tree import Call, Name, Unary
from regpress_lint.cpp.types import pointer_to

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Variable


def to_array_elsewhere(variable: Variable) -> None:
    """`T (&a)[4] = *(T (*)[4])p;` is `T *a = (T *)p;`: an array that an address or a call gives is not the thread's
    own, and its first element is where the array is.
    """
    init = variable.init
    if is_alias(variable) or variable.storage != "local":
        return
    if isinstance(init, Unary) and init.op == "*" and not isinstance(init.operand, Name):
        variable.init = init.operand
    elif isinstance(init, Call):
        variable.init = Unary(init.span, "&", init)
    else:
        return
    element = variable.type._replace(reference=False)
    if len(variable.dims) == 1:
        variable.type, variable.dims = pointer_to(element), ()
    else:
        variable.type, variable.dims, variable.storage = element, (None, *variable.dims[1:]), "parameter"
