"""Statements, and the request of a pragma before a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree.expression_nodes import Expr, Variable


class Declare:
    """One declaration statement."""

    __slots__ = ("span", "variables")

    def __init__(self, span: Span, variables: tuple[Variable, ...]) -> None:
        self.span = span
        self.variables = variables


class Evaluate:
    """Expression statement."""

    __slots__ = ("expression", "span")

    def __init__(self, span: Span, expression: Expr) -> None:
        self.span = span
        self.expression = expression


class Block:
    """`{ ... }`."""

    __slots__ = ("span", "statements")

    def __init__(self, span: Span, statements: tuple[Stmt, ...]) -> None:
        self.span = span
        self.statements = statements


class If:
    """`if`; `init` holds `if (T x = ...)` declarations."""

    __slots__ = ("init", "is_constexpr", "other", "span", "test", "then")

    def __init__(
        self,
        span: Span,
        test: Expr,
        then: Stmt,
        other: Stmt | None,
        init: tuple[Stmt, ...] = (),
        is_constexpr: bool = False,
    ) -> None:
        self.span = span
        self.test = test
        self.then = then
        self.other = other
        self.init = init
        self.is_constexpr = is_constexpr


class Unroll:
    """`#pragma unroll [factor]` (or a macro that stands for it) in front of a loop.

    factor None: no factor written (unroll fully). `#pragma nounroll` has `factor` a literal 1.
    """

    __slots__ = ("factor", "span", "text")

    def __init__(self, span: Span, factor: Expr | None, text: str) -> None:
        self.span = span
        self.factor = factor
        self.text = text


class Loop:
    """`for`, `while`, `do`, range `for` and loop macros. `test` is None for `for (;;)`."""

    __slots__ = ("body", "init", "kind", "span", "step", "test", "unroll")

    def __init__(
        self,
        span: Span,
        kind: Literal["for", "while", "do", "range"],
        init: tuple[Stmt, ...],
        test: Expr | None,
        step: Expr | None,
        body: Stmt,
        unroll: Unroll | None = None,
    ) -> None:
        self.span = span
        self.kind = kind
        self.init = init
        self.test = test
        self.step = step
        self.body = body
        self.unroll = unroll


class Switch:
    """`switch`; cases are `Case` statements inside the body, which may fall through."""

    __slots__ = ("body", "span", "subject")

    def __init__(self, span: Span, subject: Expr, body: Stmt) -> None:
        self.span = span
        self.subject = subject
        self.body = body


class Case:
    """`case value:` / `default:` (value None) with the statements up to the next label."""

    __slots__ = ("span", "statements", "value")

    def __init__(self, span: Span, value: Expr | None, statements: tuple[Stmt, ...]) -> None:
        self.span = span
        self.value = value
        self.statements = statements


class Return:
    """`return`."""

    __slots__ = ("span", "value")

    def __init__(self, span: Span, value: Expr | None) -> None:
        self.span = span
        self.value = value


class Jump:
    """`break`, `continue`, `goto label`."""

    __slots__ = ("kind", "label", "span")

    def __init__(self, span: Span, kind: Literal["break", "continue", "goto"], label: str | None = None) -> None:
        self.span = span
        self.kind = kind
        self.label = label


class Label:
    """`name: statement`."""

    __slots__ = ("name", "span", "statement")

    def __init__(self, span: Span, name: str, statement: Stmt | None) -> None:
        self.span = span
        self.name = name
        self.statement = statement


Stmt: TypeAlias = Declare | Evaluate | Block | If | Loop | Switch | Case | Return | Jump | Label
