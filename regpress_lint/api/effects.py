"""Two expressions of one value: pure ones, alike in structure, between which nothing that they read changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.memory import base_variable, memory_root, written
from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Call,
    Cast,
    Constant,
    Declare,
    Evaluate,
    Expr,
    Index,
    Jump,
    Label,
    Member,
    Name,
    Return,
    Stmt,
    Unary,
    Unknown,
    Variable,
)
from regpress_lint.cpp.traversal import walk
from regpress_lint.facts.math_functions import is_plain_math
from regpress_lint.facts.unknowns import has_effect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.facts.kernel import KernelFacts

_DEEPEST = 12
_OWN = frozenset(("local", "parameter", "constexpr", "capture"))


class Reads(NamedTuple):
    """The reads of an expression: variables of its own thread, and whether also memory that others may write."""

    signature: str  # equal for two expressions that are alike
    variables: frozenset[Variable]
    memory: bool


class Writes(NamedTuple):
    """The variables that a statement may change, and whether it may leave the sequence of statements. hidden: a macro
    there has an unknown effect.
    """

    variables: frozenset[Variable]
    memory: bool
    leaves: bool
    hidden: bool = False

    def touch(self, reads: Reads) -> bool:
        """True if the value of the expression may be another one afterwards."""
        return self.leaves or self.hidden or (self.memory and reads.memory) or bool(self.variables & reads.variables)


def reads_of(expr: Expr) -> Reads | None:
    """The variables that a pure expression reads; None for one that calls, writes, is volatile or was not
    understood."""
    variables: set[Variable] = set()
    memory = [False]
    signature = _signature(expr, variables, memory, 0)
    return None if signature is None else Reads(signature, frozenset(variables), memory[0])


def _signature(expr: Expr, variables: set[Variable], memory: list[bool], depth: int) -> str | None:
    if depth > _DEEPEST:
        return None
    if isinstance(expr, Constant):
        return None if expr.value is None else f"{expr.kind}:{expr.value!r}"
    if isinstance(expr, Name):
        return _name_signature(expr, variables, memory)
    head: str
    below: tuple[Expr, ...]
    if isinstance(expr, Binary) and expr.op not in ("&&", "||", ","):
        head, below = expr.op, (expr.left, expr.right)
    elif isinstance(expr, Unary) and expr.op in ("-", "+", "~", "*"):
        memory[0] |= expr.op == "*"
        head, below = f"unary{expr.op}", (expr.operand,)
    elif isinstance(expr, Index):
        memory[0] |= memory_root(expr) is not None
        head, below = "[]", (expr.base, expr.index)
    elif isinstance(expr, Member):
        memory[0] |= expr.arrow or memory_root(expr) is not None
        head, below = f".{expr.field}", (expr.base,)
    elif isinstance(expr, Cast) and not expr.reinterpret:
        head, below = f"({expr.type.name})", (expr.operand,)
    else:
        return None
    parts = [_signature(part, variables, memory, depth + 1) for part in below]
    return None if None in parts else f"{head}({','.join(map(str, parts))})"


def _name_signature(expr: Name, variables: set[Variable], memory: list[bool]) -> str | None:
    variable = expr.variable
    if variable is None:
        return expr.name  # a macro or a constant of a header: nothing here can change it
    type_ = variable.type
    if type_.volatile or type_.pointee_volatile:
        return None
    variables.add(variable)
    memory[0] |= type_.reference or (variable.storage not in _OWN and not type_.const)
    return f"{variable.name}@{variable.span.start}"


def writes_of(facts: KernelFacts, stmt: Stmt | Expr, *, without_root: bool = False) -> Writes:
    """The variables that a statement may change; `without_root`: before its outermost assignment or declaration stores
    its value."""
    variables: set[Variable] = set()
    memory = leaves = hidden = False
    root = stmt.expression if isinstance(stmt, Evaluate) else None
    for node in walk(stmt):
        if (target := written(node)) is not None and not (without_root and node is root):
            variable = base_variable(target)
            if variable is not None:
                variables.add(variable)
            memory |= variable is None or variable.type.reference or memory_root(target) is not None
            memory |= isinstance(target, Unary)
        elif isinstance(node, Unary) and node.op == "&":
            variables.update(filter(None, (base_variable(node.operand),)))
        elif isinstance(node, Call) and not is_plain_math(node.name):
            memory = True
            variables.update(_by_reference(facts, node))
        elif isinstance(node, Declare):
            if not without_root:
                variables.update(node.variables)
            bound = (
                reference.init
                for reference in node.variables
                if reference.type.reference and reference.init is not None
            )
            variables.update(filter(None, map(base_variable, bound)))
        elif isinstance(node, Unknown):
            memory = True
        elif isinstance(node, Name):
            hidden |= has_effect(facts.file, node)
        leaves |= isinstance(node, (Jump, Return, Label))
    return Writes(frozenset(variables), memory or hidden, leaves, hidden)


def _by_reference(facts: KernelFacts, call: Call) -> Iterable[Variable]:
    """Variables that a call may change: by reference, or, if its declaration is unknown, any of its arguments."""
    target = facts.callee_of(call)
    parameters = target.parameters if target is not None else ()
    for position, argument in enumerate(call.args):
        variable = base_variable(argument)
        if variable is None or call.name.startswith(("__", "make_")):
            continue
        if target is None or (position < len(parameters) and parameters[position].type.reference):
            yield variable
