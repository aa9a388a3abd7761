"""Whether a function's results from an array's 64-bit integers stay the same if they have 32 bits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api.facts import root_variable
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Cast,
    Conditional,
    Declare,
    Evaluate,
    Expr,
    If,
    Index,
    Loop,
    SizeOf,
    Unary,
    Update,
    children,
    expression_type,
    names_in,
    nodes_of,
)
from regpress_rules.arrays._value_ranges import INT, UNSIGNED, is_integer

if TYPE_CHECKING:
    from regpress_lint.api import File
    from regpress_lint.api.syntax import Function, Stmt, Type, TypeLookup, Variable
    from regpress_rules.arrays._value_ranges import Range, Ranges

_OF_ITS_TYPE = re.compile(r"\b(?:decltype|__decltype|typeof|__typeof__|__typeof|typeid)\b")
_WORD, _WIDE = 4, 8  # bytes
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))
_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "&", "|", "^"))


def reads_alike(function: Function, variable: Variable, ranges: Ranges, file: File, new: str) -> bool:
    """True if every use of a variable's elements has the same result when they are `int` or `unsigned` (`new`).

    The function is in the file, and the values themselves are in the range of that type. False where a use was not
    understood.
    """
    above: dict[Expr | Stmt, Expr | Stmt] = {}
    for node in nodes_of(function):
        above.update((child, node) for child in children(node))
    if _OF_ITS_TYPE.search(file.source.text(function.span)) is not None:
        return False
    uses = _Uses(variable, above, ranges, file, UNSIGNED if new == "unsigned" else INT)
    for node in nodes_of(function):
        if isinstance(node, SizeOf) and node.operand is not None and root_variable(node.operand) is variable:
            return False
        outermost = isinstance(node, Index) and not _is_base(node, above.get(node))
        if outermost and root_variable(node) is variable and not uses.alike(node):  # type: ignore[arg-type]
            return False
    return True


def truncated(function: Function, variable: Variable, types: TypeLookup) -> bool:
    """True if no use of a variable's elements needs more than 32 bits of them, except changes of the array itself."""
    above: dict[Expr | Stmt, Expr | Stmt] = {}
    for node in nodes_of(function):
        above.update((child, node) for child in children(node))
    for node in nodes_of(function):
        use = above.get(node)
        if not isinstance(node, Index) or _is_base(node, use) or root_variable(node) is not variable:
            continue
        if isinstance(use, (Evaluate, Update)) or (isinstance(use, Assign) and use.target is node):
            continue
        if isinstance(use, Assign):
            wanted = expression_type(use.target, types) if use.op == "=" else None
        elif isinstance(use, Declare):
            wanted = next((each.type for each in use.variables if each.init is node), None)
        else:
            wanted = use.type if isinstance(use, Cast) else None
        own = isinstance(use, Assign) and use.op == "=" and root_variable(use.target) is variable
        if not own and (wanted is None or not is_integer(wanted) or wanted.size == 8):
            return False
    return True


def _is_base(node: Expr | Stmt, above: Expr | Stmt | None) -> bool:
    return isinstance(above, Index) and above.base is node


class _Uses:
    """The uses of expressions that become narrower."""

    def __init__(
        self, variable: Variable, above: dict[Expr | Stmt, Expr | Stmt], ranges: Ranges, file: File, new: Range
    ) -> None:
        self._variable = variable
        self._above = above
        self._ranges = ranges
        self._types = file.type_of
        self._source = file.source
        self._new = new

    def alike(self, node: Expr) -> bool:
        """True if nothing that an expression is a part of changes."""
        use = self._above.get(node)
        if isinstance(use, (Evaluate, Index, If, Loop)):
            return not isinstance(use, Index) or use.index is node
        if isinstance(use, Assign):
            return self._assigned(node, use)
        if isinstance(use, Update):
            return self.alike(use)
        if isinstance(use, Declare):
            own = next((variable for variable in use.variables if variable.init is node), None)
            spelled = own is not None and "auto" not in self._source.text(own.declaration)
            return own is not None and spelled and _is_plain(own.type) and not own.type.reference
        if isinstance(use, Cast):
            return not use.reinterpret and _is_plain(use.type)
        if isinstance(use, Unary):
            return use.op == "!" or (use.op == "-" and self._stays(use) and self.alike(use))
        if isinstance(use, Conditional):
            return use.test is node or self._chosen(use.other if use.then is node else use.then, node, use)
        return isinstance(use, Binary) and self._combined(node, use)

    def _assigned(self, node: Expr, use: Assign) -> bool:
        if use.target is node:  # written: the value fits, and so do the sums on the way to it
            return use.op in ("=", "+=", "-=", "|=", "^=", "&=") and self.alike(use)
        type_ = expression_type(use.target, self._types)
        if use.op == "=":
            return _is_plain(type_)
        return type_ is not None and _is_plain(type_) and (type_.floating or type_.size == 8)

    def _combined(self, node: Expr, use: Binary) -> bool:
        other = use.right if use.left is node else use.left
        type_ = expression_type(other, self._types)
        if use.op in _LOGICAL:
            return True
        if type_ is None or not _is_plain(type_) or not (use.op in _COMPARISONS or use.op in _ARITHMETIC):
            return False
        if type_.floating or self._is_as_wide(other, type_):
            return True
        if use.op in _COMPARISONS:
            known = self._ranges.of(other)
            return known is not None and self._new.holds(known) and self._keeps_its_sign(type_, node)
        return self._stays(use) and self._keeps_its_sign(type_, node, use) and self.alike(use)

    def _chosen(self, other: Expr, node: Expr, use: Conditional) -> bool:
        """True if a choice between the narrower number and another one has the same result."""
        type_ = expression_type(other, self._types)
        if type_ is None or not _is_plain(type_):
            return False
        if type_.floating or self._is_as_wide(other, type_):
            return True
        known = self._ranges.of(other)
        fits = known is not None and self._new.holds(known)
        return fits and self._keeps_its_sign(type_, node) and self.alike(use)

    def _is_as_wide(self, other: Expr, type_: Type) -> bool:
        """An operand of 64 bits and the same sign makes the operation one of 64 bits, as it was; an operand from the
        same array's elements does not, because these become narrower as well.
        """
        own = any(name.variable is self._variable for name in names_in(other))
        return not own and type_.size == _WIDE and type_.signed == (self._new is INT)

    def _keeps_its_sign(self, type_: Type, *nodes: Expr) -> bool:
        """False for an `int` that may be negative where the other operand makes it unsigned."""
        if self._new is not INT or type_.signed or type_.size != _WORD:
            return True
        ranges = [self._ranges.of(node) for node in nodes]
        return all(each is not None and each.low >= 0 for each in ranges)

    def _stays(self, node: Expr) -> bool:
        """True if the result, and each operand, is a number that the narrower type holds."""
        operands = (node.left, node.right) if isinstance(node, Binary) else ()
        ranges = [self._ranges.of(each) for each in (node, *operands)]
        return all(each is not None and self._new.holds(each) for each in ranges)


def _is_plain(type_: Type | None) -> bool:
    if type_ is None:
        return False
    return is_integer(type_) or (type_.floating and type_.lanes == 1 and not type_.pointers and type_.size in (2, 4, 8))
