"""`for (float& x : v)` of an array as the loop over its elements that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Binary,
    Block,
    Constant,
    Declare,
    Expr,
    Index,
    Loop,
    Name,
    Stmt,
    Type,
    Update,
    Variable,
)

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Unroll

_INT = Type("int", 4)


def over_array(
    span: Span, declared: Declare, range_: Expr | None, array: Variable | None, body: Stmt, unroll: Unroll | None
) -> Loop | None:
    """The counted loop over an array in one dimension; None for another range. Its parts except the body are placed at
    the range.
    """
    if not isinstance(range_, Name) or array is None or len(array.dims) != 1 or array.dims[0] is None:
        return None
    if len(declared.variables) != 1:
        return None
    at, (variable,) = range_.span, declared.variables
    counter = Variable("", _INT, at, at, "local", (), Constant(at, 0, "int"))
    name = Name(at, "", counter)
    variable.init = Index(at, Name(at, array.name, array), name)
    if variable.type.name == "auto":
        given = variable.type
        variable.type = array.type._replace(reference=given.reference, const=given.const or array.type.const)
    test, step = Binary(at, "<", name, array.dims[0]), Update(at, "++", name, prefix=True)
    return Loop(span, "for", (Declare(at, (counter,)),), test, step, Block(body.span, (declared, body)), unroll)
