"""Values of expressions that are known as texts: template arguments, macros' bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import NO_ANCHORS, Context
from regpress_lint.cpp.lower.statements import lower_block
from regpress_lint.cpp.parse import parse_plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.cpp.constants import Environment, Number
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Expr

_LONGEST = 400  # characters of an expression
PREFIX = b"auto x = ("  # what an expression's spans count from


def parsed_expression(scope: Scope, text: str) -> Expr | None:
    """Expression given as text, without position; None if it is not one."""
    if not text.strip() or len(text) > _LONGEST or text.count("(") != text.count(")"):
        return None
    data = PREFIX + text.encode("utf-8", "replace") + b");"
    tree = parse_plain(data)
    if tree.root_node.has_error or tree.root_node.child_count != 1:
        return None
    ctx = Context(data, scope.type_of, NO_ANCHORS, {}, scope.defined)
    ctx.lower_block = lower_block
    for node in tree.root_node.children[0].children_by_field_name("declarator"):
        value = node.child_by_field_name("value")
        return lower_expression(ctx, value) if value is not None else None
    return None


def bound_environment(scope: Scope, bound: Mapping[str, str]) -> Environment:
    """Evaluation with template parameters bound to argument texts."""

    def names(name: str) -> Number | None:
        return scope.value_of_text(bound[name]) if name in bound else scope.constant(name)

    return scope.environment_of(names)


def value_with(
    scope: Scope, text: str, bindings: Mapping[str, Number], hidden: frozenset[str] = frozenset()
) -> Number | None:
    """Value of a text with some names bound (parameters of one instantiation), others `hidden`: unknown."""

    def names(name: str) -> Number | None:
        return bindings[name] if name in bindings else None if name in hidden else scope.constant(name)

    return evaluate(scope.expression_of_text(text), scope.environment_of(names))
