"""Statements, the request of a pragma before a loop, and functions, whose body is made on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree.expression_nodes import Expr, Type, Variable


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

    __slots__ = ("span", "statements", "walked")

    def __init__(self, span: Span, statements: tuple[Stmt, ...]) -> None:
        self.span = span
        self.statements = statements
        self.walked: tuple[Expr | Stmt, ...] | None = None  # see `loop_text.nodes`


class If:
    """`if`; `init` holds `if (T x = ...)` declarations."""

    __slots__ = ("init", "is_constexpr", "other", "span", "test", "then", "walked")

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
        self.walked: tuple[Expr | Stmt, ...] | None = None


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

    __slots__ = ("body", "init", "kind", "span", "step", "test", "unroll", "walked")

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
        self.walked: tuple[Expr | Stmt, ...] | None = None


class Switch:
    """`switch`; cases are `Case` statements inside the body, which may fall through."""

    __slots__ = ("body", "span", "subject")

    def __init__(self, span: Span, subject: Expr, body: Stmt) -> None:
        self.span = span
        self.subject = subject
        self.body = body


class Case:
    """`case value:` / `default:` (value None) with the statements up to the next label. last: of GNU C++'s
    `case value ... last:`.
    """

    __slots__ = ("last", "span", "statements", "value")

    def __init__(self, span: Span, value: Expr | None, statements: tuple[Stmt, ...], last: Expr | None = None) -> None:
        self.span = span
        self.value = value
        self.statements = statements
        self.last = last


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


# Functions: a head that is always there, and a body that is created on first use.


class TemplateParameter:
    """`default` is the source text of the default argument. is_pack: it stands for any number of arguments."""

    __slots__ = ("default", "is_pack", "is_type", "name")

    def __init__(self, name: str, is_type: bool, default: str | None = None, is_pack: bool = False) -> None:
        self.name = name
        self.is_type = is_type
        self.default = default
        self.is_pack = is_pack


class Unread(NamedTuple):
    """A body that is not yet needed: its place; `read` gives its tree, and the parts not understood."""

    span: Span
    read: Callable[[], tuple[Block, tuple[Span, ...]]]


class Function:
    """A function definition (or a lambda / functor that is a kernel's body) in our own tree. The body is created on
    first use: most functions are only needed for their heads.
    """

    __slots__ = (
        "_body",
        "_unparsed",
        "around",
        "captures",
        "meanings",
        "name",
        "name_span",
        "owner",
        "parameters",
        "path",
        "qualifiers",
        "return_type",
        "span",
        "template",
        "walked",
    )

    def __init__(
        self,
        name: str,
        span: Span,
        name_span: Span,
        parameters: tuple[Variable, ...],
        body: Block | Unread,
        return_type: Type | None = None,
        template: tuple[TemplateParameter, ...] = (),
        qualifiers: frozenset[str] = frozenset(),
        path: str = "",
        captures: tuple[Variable, ...] = (),
    ) -> None:
        self.name = name  # last component, "" for a lambda
        self.span = span  # from the return type (or `[`) to the closing brace
        self.name_span = name_span
        self.parameters = parameters
        self._body = body
        self._unparsed: tuple[Span, ...] = ()
        self.walked: tuple[Expr | Stmt, ...] | None = None  # see `traversal.nodes_of`
        self.return_type = return_type
        self.template = template
        self.qualifiers = (
            qualifiers  # global, device, host, noinline, forceinline, inline, virtual, friend, static, const
        )
        self.path = path  # the file that defines it
        self.captures = captures
        self.owner = ""  # the class of a member function, with its arguments if they are known
        # What parameters of templates and aliases stand for in it, for macros that name them; empty where that is open.
        self.meanings: Mapping[str, str] = {}
        # What a portability layer's kernel executes: the body in the layer's loops. None for the body alone.
        self.around: Block | None = None

    @property
    def body(self) -> Block:
        body = self._body
        if isinstance(body, Unread):
            body, self._unparsed = body.read()
            self._body = body
        return body

    @body.setter
    def body(self, body: Block) -> None:  # for who finishes it
        self._body, self.walked = body, None

    @property
    def body_span(self) -> Span:
        """The place of the body, its braces included."""
        return self._body.span

    @property
    def unparsed(self) -> tuple[Span, ...]:
        """ERROR or MISSING nodes inside the body."""
        _ = self.body
        return self._unparsed
