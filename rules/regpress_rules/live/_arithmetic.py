"""The operands of an expression that could equally be computed elsewhere: no effect, no jump."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import NamedTuple
from regpress_lint.api.math import is_plain_math
from regpress_lint.api.memory import is_load
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Call,
    Conditional,
    InitList,
    LambdaExpr,
    Member,
    Name,
    Unary,
    Unknown,
    Update,
    walk,
)

if TYPE_CHECKING:
    from regpress_lint.api.syntax import Expr, Variable

_EFFECTS = (Assign, Update, LambdaExpr, Unknown, InitList)
_SLOW = frozenset(("/", "%"))
_THREAD = frozenset(("threadIdx",))  # a register that has to be held for it


class Arithmetic(NamedTuple):
    """An expression without effects: the variables that it reads, the math functions that it calls, how many other
    operations it has; loads: it reads memory that others may write, slow: it divides, thread: it reads the thread's id.
    """

    reads: frozenset[Variable]
    functions: tuple[str, ...]
    operations: int
    loads: bool
    slow: bool
    thread: bool


def arithmetic(expr: Expr) -> Arithmetic | None:
    """The arithmetic of an expression; None if it does anything but compute a value, or reads a volatile object."""
    reads: set[Variable] = set()
    functions: list[str] = []
    operations = 0
    loads = slow = thread = False
    for node in walk(expr):
        if isinstance(node, _EFFECTS) or (isinstance(node, Unary) and node.op == "&"):
            return None
        if isinstance(node, Call):
            if not _is_pure(node):
                return None
            thread |= isinstance(node.callee, Member)
            functions += [node.name] if is_plain_math(node.name) else []
        elif isinstance(node, Name):
            thread |= node.variable is None and node.name in _THREAD
            if node.variable is not None:
                type_ = node.variable.type
                if type_.volatile or type_.pointee_volatile:
                    return None
                reads.add(node.variable)
                loads |= node.variable.storage in ("shared", "global") and not node.variable.dims
        elif isinstance(node, Binary | Unary | Conditional):
            operations += 1
            slow |= isinstance(node, Binary) and node.op in _SLOW
        loads |= is_load(node) or (isinstance(node, Member) and node.arrow)
    return Arithmetic(frozenset(reads), tuple(functions), operations, loads, slow, thread)


def _is_pure(call: Call) -> bool:
    """True for a math function, a vector made of its parts, and a question about the place in the grid."""
    if isinstance(call.callee, Member):
        return call.name.startswith("get_")
    return is_plain_math(call.name) or call.name.startswith("make_")
