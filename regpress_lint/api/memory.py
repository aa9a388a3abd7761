"""Reads and writes of memory that all threads see, as the source writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Assign, Cast, Index, Member, Name, Unary, Update
from regpress_lint.source.cfg import root_variable

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable


def base_variable(expr: Expr) -> Variable | None:
    """The variable that a chain of subscripts, members and casts begins with, pointers followed."""
    while isinstance(expr, (Index, Member, Cast)):
        expr = expr.operand if isinstance(expr, Cast) else expr.base
    return expr.variable if isinstance(expr, Name) else None


def memory_root(expr: Expr) -> Variable | None:
    """The pointer or shared array (not the private array) that a subscript or member goes through."""
    variable = base_variable(expr)
    if variable is None or (variable.dims and variable.storage != "shared"):
        return None
    return variable if variable.type.pointers or variable.storage == "shared" else None


def is_load(node: Expr | Stmt) -> bool:
    """True for `*p` and for a subscript of something that is not the thread's own."""
    if isinstance(node, Unary) and node.op == "*":
        return True
    return isinstance(node, Index) and memory_root(node) is not None


def written(node: Expr | Stmt) -> Expr | None:
    """The target of an assignment or an update, None for other nodes."""
    if isinstance(node, Assign):
        return node.target
    return node.operand if isinstance(node, Update) else None


def own_root(expr: Expr) -> Variable | None:
    """The variable that an expression is a part of, or the address of; None for an object behind a pointer."""
    while isinstance(expr, (Index, Member, Cast, Unary)):
        if isinstance(expr, Member) and expr.arrow:
            return None
        expr = expr.base if isinstance(expr, (Index, Member)) else expr.operand
    return expr.variable if isinstance(expr, Name) else None


def is_handed(argument: Expr, variable: Variable) -> bool:
    """True if an argument of a call is a variable as a whole, its address, or that of a part of it."""
    if isinstance(argument, Unary) and argument.op == "&":
        return root_variable(argument.operand) is variable
    return isinstance(argument, Name) and argument.variable is variable
