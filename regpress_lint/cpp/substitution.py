"""Arguments of a macro in the place of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from regpress_lint.cpp.syntax_tree import (
    AssemblyOperand,
    Block,
    Case,
    Expr,
    If,
    LambdaExpr,
    Loop,
    Name,
    Unroll,
    Variable,
)
from regpress_lint.cpp.traversal import is_node

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCOPES = (Block, Case, If, LambdaExpr, Loop)
_FIRST = ("init", "parameters")  # declarations whose names the rest of a node sees


Body = TypeVar("Body", bound="Expr | Block")


def with_arguments(body: Body, given: Mapping[Variable, Expr], most: int) -> tuple[Body | None, int]:
    """The body of a macro as the preprocessor makes it: an argument's names mean what the body declares there. And how
    many nodes were copied; no body if that is more than `most`.
    """
    copy = _Copy(given, most)
    made: Body = copy.node(body, {}, inside=False)
    return made if copy.left >= 0 else None, most - copy.left


class _Copy:
    """One copy of a body; its own variables are copied, too, because their initialisers and extents may change."""

    def __init__(self, given: Mapping[Variable, Expr], left: int) -> None:
        self._given = given
        self.left = left
        self._own: dict[Variable, Variable] = {}

    def node(self, node: Any, visible: dict[str, Variable], *, inside: bool) -> Any:
        """A node, in an argument (`inside`) or in the body; `visible` are the body's variables by name."""
        self.left -= 1
        if self.left < 0:
            return node
        if isinstance(node, Name):
            variable = node.variable
            if not inside and variable is not None and variable in self._given:
                return self.node(self._given[variable], visible, inside=True)
            meant = visible.get(node.name) if inside else self._own.get(variable) if variable is not None else None
            return Name(node.span, node.name, meant, node.template_args) if meant is not None else node
        if isinstance(node, _SCOPES):
            visible = dict(visible)
        slots = [slot for owner in node.__class__.__mro__ for slot in getattr(owner, "__slots__", ())]
        copy = node.__class__.__new__(node.__class__)
        for slot in sorted(slots, key=lambda each: each not in _FIRST):
            setattr(copy, slot, self._part(getattr(node, slot), visible, inside))
        return copy

    def _part(self, part: Any, visible: dict[str, Variable], inside: bool) -> Any:
        if is_node(part):
            return self.node(part, visible, inside=inside)
        if part.__class__ is tuple:
            return tuple([self._part(each, visible, inside) for each in part])
        if part.__class__ is Variable:
            return part if inside else self._variable(part, visible)
        if part.__class__ is AssemblyOperand:
            return part._replace(value=self.node(part.value, visible, inside=inside))
        if part.__class__ is Unroll:
            return Unroll(part.span, self._part(part.factor, visible, inside), part.text)
        return part

    def _variable(self, variable: Variable, visible: dict[str, Variable]) -> Variable:
        """The body's own variable. Its name is not yet visible in its extents, and arguments do not mean it in its
        initialiser: `float x = (x);` would be nothing.
        """
        dims, init = (self._part(part, visible, False) for part in (variable.dims, variable.init))
        made = self._own[variable] = Variable(
            variable.name,
            variable.type,
            variable.span,
            variable.declaration,
            variable.storage,
            dims,
            init,
            variable.volatile_span,
            variable.unsized_shared,
            variable.grid_constant,
        )
        made.bounds = variable.bounds
        visible[made.name] = made
        return made
