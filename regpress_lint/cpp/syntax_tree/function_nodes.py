"""Functions: a head that is always there, and a body that is created on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree.expression_nodes import Expr, Variable
    from regpress_lint.cpp.syntax_tree.statement_nodes import Block, Stmt
    from regpress_lint.cpp.syntax_tree.value_type import Type


class TemplateParameter:
    """`default` is the source text of the default argument."""

    __slots__ = ("default", "is_type", "name")

    def __init__(self, name: str, is_type: bool, default: str | None = None) -> None:
        self.name = name
        self.is_type = is_type
        self.default = default


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
        "name",
        "name_span",
        "parameters",
        "path",
        "qualified",
        "qualifiers",
        "return_type",
        "span",
        "template",
        "template_args",
        "walked",
    )

    def __init__(
        self,
        name: str,
        qualified: str,
        span: Span,
        name_span: Span,
        parameters: tuple[Variable, ...],
        body: Block | Unread,
        return_type: Type | None = None,
        template: tuple[TemplateParameter, ...] = (),
        template_args: tuple[str, ...] = (),
        qualifiers: frozenset[str] = frozenset(),
        path: str = "",
        captures: tuple[Variable, ...] = (),
    ) -> None:
        self.name = name  # last component, "" for a lambda
        self.qualified = qualified
        self.span = span  # from the return type (or `[`) to the closing brace
        self.name_span = name_span
        self.parameters = parameters
        self._body = body
        self._unparsed: tuple[Span, ...] = ()
        self.walked: tuple[Expr | Stmt, ...] | None = None  # see `traversal.nodes_of`
        self.return_type = return_type
        self.template = template
        self.template_args = template_args  # of an explicit specialisation
        self.qualifiers = qualifiers  # global, device, host, noinline, forceinline, inline, virtual
        self.path = path  # the file that defines it
        self.captures = captures
        # What a portability layer's kernel executes: the body in the layer's loops. None for the body alone.
        self.around: Block | None = None

    @property
    def body(self) -> Block:
        """Its statements."""
        found = self._body
        if isinstance(found, Unread):
            found, self._unparsed = found.read()
            self._body = found
        return found

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
