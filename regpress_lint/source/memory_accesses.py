"""Reads and writes of memory that other threads may see: where in a function they stand, through which pointer, and
which of the writes may come before a read.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Expr,
    Index,
    LambdaExpr,
    Member,
    Name,
    Stmt,
    Type,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import children
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.source.cfg import is_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.cpp.types import TypeLookup
    from regpress_lint.source.cfg import Flow


Kind = Literal["read", "write", "atomic"]
_READS = frozenset(("__ldg", "__ldcg", "__ldca", "__ldcs", "__builtin_nontemporal_load"))
_ATOMICS = ("atomic", "unsafeAtomic", "safeAtomic", "__hip_atomic_", "__atomic_", "red_")
_MOST_STEPS = 8  # pointers made from pointers


class MemoryAccess(NamedTuple):
    """One read or write. An update (`+=`) is both.

    origin: the parameter, shared or file-level array that the address is made from; None where it is not certain (a
    pointer read from memory or returned by a function).
    type: what is accessed, None if unknown. loop: index of the innermost loop around it (-1: none). block, op: its
    place in the flow graph.
    """

    expr: Expr
    origin: Variable | None
    kind: Kind
    type: Type | None
    loop: int
    block: int
    op: int


class FunctionMemory:
    """The accesses of a function in source order, and what may come before what."""

    def __init__(self, flow: Flow, types: TypeLookup) -> None:
        self._flow = flow
        self._types = types
        self._made: dict[Variable, Variable | None] = {}
        self._reached: dict[int, frozenset[int]] = {}
        self._given: dict[Variable, list[Expr]] = {}  # what is assigned to a variable by its name
        for assign in flow.assigns:
            if assign.op == "=" and isinstance(assign.target, Name) and assign.target.variable is not None:
                self._given.setdefault(assign.target.variable, []).append(assign.value)
        self._ops = sorted(
            (op.span.start, b, n) for b, block in enumerate(flow.blocks) for n, op in enumerate(block.ops)
        )
        self._starts = [start for start, _, _ in self._ops]
        accesses = (self._access(*touched) for touched in _touched(flow.function.body, types))
        self.accesses = sorted(
            (access for access in accesses if access is not None), key=lambda access: access.expr.span
        )

    def before(self, write: tuple[int, int], read: tuple[int, int]) -> bool:
        """True if there is a way from one place (block, op) to another, around a loop as well."""
        if write[0] == read[0] and write[1] < read[1]:
            return True
        reached = self._reached.get(write[0])
        if reached is None:
            reached = self._reached[write[0]] = self._from(write[0])
        return read[0] in reached

    def place(self, expr: Expr) -> tuple[int, int] | None:
        """Block and op that an expression is a part of."""
        index = bisect_right(self._starts, expr.span.start) - 1
        while index >= 0:
            _, block, number = self._ops[index]
            if self._flow.blocks[block].ops[number].span.contains(expr.span):
                return block, number
            index -= 1
            if expr.span.start - self._starts[index] > _FAR:
                break
        return None

    def origin(self, expr: Expr, depth: int = 0) -> Variable | None:
        """The parameter or array that a pointer is made from, if it is only one."""
        while isinstance(expr, (Cast, Unary)):
            inner = expr.operand
            if isinstance(expr, Unary) and expr.op == "&" and isinstance(inner, Unary) and inner.op == "*":
                inner = inner.operand  # `&*p` is `p`: an `atomic_ref` of `*p`
            elif isinstance(expr, Unary) and expr.op == "*":
                return None
            expr = inner
        if isinstance(expr, Binary) and expr.op in ("+", "-"):
            return self.origin(expr.left, depth) or self.origin(expr.right, depth)
        while isinstance(expr, (Index, Member)):  # of `&a[i]` and of a decayed array
            expr = expr.base
        variable = expr.variable if isinstance(expr, Name) else None
        return None if variable is None else self._origin_of(variable, depth)

    def _origin_of(self, variable: Variable, depth: int) -> Variable | None:
        if variable.storage in ("shared", "global", "static", "constant"):
            return variable
        if not variable.type.pointers or depth > _MOST_STEPS:
            return None
        values = list(self._given.get(variable, ()))
        if variable.storage in ("parameter", "capture"):
            return None if values else variable
        if variable not in self._made:
            self._made[variable] = None  # a pointer made from itself
            values += [variable.init] if variable.init is not None else []
            variables = {self.origin(value, depth + 1) for value in values}
            self._made[variable] = variables.pop() if len(variables) == 1 else None
        return self._made[variable]

    def _access(self, expr: Expr, root: Expr | None, kind: Kind) -> MemoryAccess | None:
        by = root.variable if isinstance(root, Name) else None
        if by is not None and is_private(by):
            return None
        place = self.place(expr)
        if place is None:
            return None
        loop = self._flow.blocks[place[0]].loop
        origin = self.origin(root) if root is not None else None
        return MemoryAccess(expr, origin, kind, expression_type(expr, self._types), loop, *place)

    def _from(self, start: int) -> frozenset[int]:
        blocks: set[int] = set()
        pending = [start]
        while pending:
            for target in self._flow.blocks[pending.pop()].following:
                if target.index >= 0 and target.index not in blocks:
                    blocks.add(target.index)
                    pending.append(target.index)
        return frozenset(blocks)


_FAR = 4000  # bytes: a longer expression is not looked for


def is_atomic(call: Call) -> bool:
    """True for an atomic operation on memory, by its name."""
    return call.name.startswith(_ATOMICS) and bool(call.args)


def passed_writes(
    call: Call, target: Function, memory_of: Callable[[Function], FunctionMemory]
) -> Iterator[tuple[Expr, MemoryAccess]]:
    """Arguments of a call that the called function writes through, each with the write."""
    for access in memory_of(target).accesses:
        if access.kind != "read" and access.origin in target.parameters:
            position = target.parameters.index(access.origin)
            if position < len(call.args):
                yield call.args[position], access


# ------------------------------------------------------------------------------------------------ what is touched


def _touched(body: Stmt, types: TypeLookup) -> Iterator[tuple[Expr, Expr | None, Kind]]:
    """Every expression that reads or writes through a pointer, subscript or arrow, what it starts from, and how."""
    stack: list[tuple[Expr | Stmt, str]] = [(body, "read")]
    while stack:
        node, how = stack.pop()
        if isinstance(node, Assign):
            stack += [(node.value, "read"), (node.target, "write" if node.op == "=" else "update")]
        elif isinstance(node, Update):
            stack.append((node.operand, "update"))
        elif isinstance(node, Unary) and node.op == "&":
            stack.append((node.operand, "address"))
        elif isinstance(node, Unary) and node.op == "*":
            yield from _kinds(node, node.operand, how)
            stack.append((node.operand, "read"))
        elif isinstance(node, (Index, Member)):
            yield from _chain(node, how, types, stack)
        elif isinstance(node, Call):
            yield from _call(node, stack)
        elif isinstance(node, Declare):
            for variable in node.variables:
                if variable.init is not None and not isinstance(variable.init, LambdaExpr):
                    bound = variable.type.reference and not isinstance(variable.init, Name)
                    stack.append((variable.init, "address" if bound else "read"))
        else:
            stack += [(child, "read") for child in children(node)]


def _kinds(expr: Expr, root: Expr | None, how: str) -> Iterator[tuple[Expr, Expr | None, Kind]]:
    if how in ("read", "update"):
        yield expr, root, "read"
    if how in ("write", "update"):
        yield expr, root, "write"


def _chain(
    node: Index | Member, how: str, types: TypeLookup, stack: list[tuple[Expr | Stmt, str]]
) -> Iterator[tuple[Expr, Expr | None, Kind]]:
    """`p[i].f`, `p->f[i]`: one access, unless a pointer is read on the way; what it goes through comes from memory."""
    links: list[Index | Member] = []
    link: Expr = node
    while isinstance(link, (Index, Member)):
        if isinstance(link, Index):
            stack.append((link.index, "read"))
        links.append(link)
        link = link.base
    memory = any(isinstance(step, Index) or step.arrow for step in links)
    rows = len(link.variable.dims) if isinstance(link, Name) and link.variable is not None else 0
    for step in links[: len(links) - max(rows, 1)]:
        type_ = expression_type(step.base, types) if isinstance(step, Index) or step.arrow else None
        if type_ is not None and type_.pointers and not type_.decayed:
            stack.append((step.base, "read"))
            yield from _kinds(node, None, how)
            return
    if isinstance(link, Name):
        if memory:
            yield from _kinds(node, link, how)
        return
    if memory:
        yield from _kinds(node, link, how)
    stack.append((link, "read" if memory else how))


def _call(call: Call, stack: list[tuple[Expr | Stmt, str]]) -> Iterator[tuple[Expr, Expr | None, Kind]]:
    stack += [(argument, "read") for argument in call.args]
    if isinstance(call.callee, Member):
        stack.append((call.callee.base, "read"))
    first = call.args[0] if call.args else None
    if first is None:
        return
    if is_atomic(call):
        yield first, first, "atomic"
    elif call.name in _READS:
        stack.append((first.operand, "read") if isinstance(first, Unary) else (Unary(first.span, "*", first), "read"))
