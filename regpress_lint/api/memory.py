"""Reads and writes of memory that all threads see, and where private objects go that do not stay in registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.targets import gpu, lds_bytes
from regpress_lint.api.text import listing
from regpress_lint.cpp.syntax_tree import Cast, Index, Member, Name, Unary
from regpress_lint.cpp.traversal import written as written
from regpress_lint.source.cfg import root_variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable
    from regpress_lint.source.arrays import Access, PrivateArray


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


def places(frames: Mapping[str, str]) -> str:
    """Where arrays went, by target: "scratch memory on gfx90a and local memory on sm_90"."""
    kinds: dict[str, list[str]] = {}
    for target, where in frames.items():
        kinds.setdefault(where, []).append(target)
    return listing(f"{where} on {listing(targets)}" for where, targets in kinds.items())


def memory_of(targets: Iterable[str], bytes_: int, nvidia: str = "private memory") -> str:
    """Where an object that AMD's compiler cannot keep in registers goes, by target if that differs."""
    on_amd = {True: "LDS", False: "private memory"}
    frames = {t: on_amd[bytes_ <= lds_bytes(t)] if gpu(t).is_amd else nvidia for t in targets}
    kinds = set(frames.values())
    return kinds.pop() if len(kinds) == 1 else places(frames)


def first_dynamic(array: PrivateArray) -> Access | None:
    """The first access with a run-time index in the function that owns the array."""
    body = array.function.span
    return next((access for access in array.dynamic if access.indices and body.contains(access.span)), None)
