"""The scope of one file: what every look-up may ask. Look-ups take this protocol, so that none imports another's way
to answer; `view.View` is what answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.constants import CallValue, Environment, Number
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode, RecordNode
    from regpress_lint.cpp.names.header_search import Headers
    from regpress_lint.cpp.names.macro_views import Branches
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.names.questions import Questions
    from regpress_lint.cpp.syntax_tree import Expr, Function, Type, Variable

Remembered = TypeVar("Remembered")


class Macros(Protocol):
    """Macros in scope."""

    branches: Branches

    def macro(self, name: str) -> str | None:
        """Body of an object-like macro, the device compiler's own ones included."""
        ...

    def defined(self, name: str) -> str | None:
        """Body of any macro, "" for one without; None if it is not defined."""
        ...

    def defined_before(self, name: str, position: int, path: str = "") -> str | None:
        """`defined` at a byte offset of a file (default: this one): what the file defines only later does not count."""
        ...

    def predefined_macro(self, name: str) -> str | None:
        """Body of a macro that the device compiler defines by itself."""
        ...


class Types(Protocol):
    """Types in scope."""

    def type_of(self, name: str) -> Type | None:
        """Type by name; `Record::field` gives the type of a member."""
        ...

    def record(self, name: str) -> tuple[Unit, RecordNode] | None:
        """Definition of a class, struct or union in this file or its headers."""
        ...


class Values(Protocol):
    """Constants in scope, and values of texts made of them."""

    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator; None if unknown or if definitions disagree."""
        ...

    @property
    def environment(self) -> Environment:
        """Evaluation in this scope."""
        ...

    def environment_of(self, names: Callable[[str], Number | None]) -> Environment:
        """Evaluation in this scope with names looked up elsewhere first."""
        ...

    @property
    def value_of_call(self) -> CallValue | None:
        """Value of a call whose arguments have these values, if it has one before the program runs."""
        ...

    def expression_of_text(self, text: str) -> Expr | None:
        """Expression given as text, without position; None if it is not one."""
        ...

    def value_of_text(self, text: str) -> Number | None:
        """Value of an expression given as text (a template argument, a macro's body)."""
        ...


class Functions(Protocol):
    """Functions in scope."""

    def find_node(self, name: str, arguments: int) -> tuple[Unit, FunctionNode] | None:
        """Definition of a function by name and argument count, in this file or its project headers."""
        ...

    def find_function(self, name: str, arguments: int) -> Function | None:
        """Lowered definition of a device function; a header sees those of the files that include it."""
        ...

    def overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        """Visible lowered definitions of that name and argument count, explicit specialisations left out."""
        ...

    def is_linked(self, name: str) -> bool:
        """True for a device function with a visible declaration, defined in no file that a compiler sees with it."""
        ...

    def is_unread(self, name: str) -> bool:
        """True for a function of a project's header that was not read, because so many others were before it."""
        ...

    def has_operator(self, name: str) -> bool:
        """Whether a visible function or member has that name: `operator+`."""
        ...

    def defined_elsewhere(self, name: str) -> Function | None:
        """Lowered definition of a function that only the second tier finds; `.name` is a member's."""
        ...


class Trees(Protocol):
    """Parts of the files in scope in our own tree."""

    def lower(
        self, function: FunctionNode, unit: Unit | None = None, bound: Mapping[str, str] | None = None
    ) -> Function:
        """Our own tree of a function; `bound` gives template parameters their arguments."""
        ...

    def lower_expression(self, node: Node, unit: Unit | None = None, parse_index: int = 0) -> Expr:
        """Our own tree of an expression outside a kernel (a launch's configuration)."""
        ...

    def lower_lambda(
        self,
        node: Node,
        unit: Unit,
        parse_index: int,
        name: str,
        captured: Mapping[str, Variable] | None = None,
        bound: Mapping[str, str] | None = None,
        item: str = "",
    ) -> Function:
        """Our own tree of a lambda expression; names from outside are captures, known ones `captured`. item: the type
        that `auto` stands for among its parameters.
        """
        ...

    def context_for_text(self, unit: Unit, parse_index: int, bound: Mapping[str, str] | None = None) -> Context:
        """A fresh lowering context, for callers that lower single nodes; `bound` as in `lower`."""
        ...


class Scope(Macros, Types, Values, Functions, Trees, Protocol):
    """All of it, from the position of one file: its own definitions first, then those of its project headers.

    headers: those headers, parsed only when asked for. questions: the questions for libclang; None if it is off.
    """

    project: Project
    unit: Unit
    language: Language
    headers: Headers
    questions: Questions | None

    def includer_scopes(self) -> Iterable[Scope]:
        """Scopes of the files that include this one; none of a scope that was itself made for that."""
        ...

    def remember(self, key: Hashable, make: Callable[[], Remembered]) -> Remembered:
        """The result of `make`, computed once for this file."""
        ...
