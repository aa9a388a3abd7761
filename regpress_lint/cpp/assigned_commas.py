"""`(m = 0, k > 0)`: the grammar begins to read a fold expression, and leaves an error where an operator is expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node


class AssignedComma(NamedTuple):
    """The parts of `(target operator value, rest)`."""

    target: Node
    operator: Node
    value: Node
    rest: Node


def assigned_comma(node: Node) -> AssignedComma | None:
    """The parts of an expression in brackets. node: the brackets, or the one expression in them."""
    children = node.children
    if not node.has_error or len(children) != 4:
        return None
    if node.type == "parenthesized_expression":
        _, error, behind, _ = children
        target, operator, *value = error.children if error.is_error and len(error.children) == 4 else (error, error)
        return AssignedComma(target, operator, value[0], behind) if value and _assigns(operator) else None
    if node.parent is None or node.parent.type != "parenthesized_expression":
        return None
    if node.type == "assignment_expression" and children[2].is_error:  # one expression follows
        target, operator, error, behind = children
        if len(error.children) == 2 and error.children[1].type == ",":
            return AssignedComma(target, operator, error.children[0], behind)
    elif node.type == "comma_expression" and children[1].is_error:  # several
        target, error, _, behind = children
        if len(error.children) == 2 and _assigns(error.children[0]):
            return AssignedComma(target, error.children[0], error.children[1], behind)
    return None


def _assigns(operator: Node) -> bool:
    return operator.type.endswith("=") and operator.type not in ("==", "!=", "<=", ">=")
