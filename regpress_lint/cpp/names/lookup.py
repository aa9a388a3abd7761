"""Queries of analyses about the names in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.cpp.answers import Settled
    from regpress_lint.cpp.constants import CallValue, Number
    from regpress_lint.cpp.names.expansions import Expansion, Expansions, Word
    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Expr, Function, Type, Variable


class Lookup(Protocol):
    """Look-up by name in a file and its project headers. It remembers: equal questions get the same object."""

    @property
    def called(self) -> CallValue | None:
        """Value of a call with constant arguments that the compiler works out; None without an evaluator."""
        ...

    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator that is visible and unambiguous."""
        ...

    def type_of(self, name: str) -> Type | None:
        """A type (struct, typedef, alias or built-in)."""
        ...

    def macro(self, name: str) -> str | None:
        """Body of an object-like macro."""
        ...

    def find_function(self, name: str, arguments: int) -> Function | None:
        """A device function by its name and argument count."""
        ...

    def overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        """All of that name and argument count."""
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

    def method(self, type_name: str, name: str, arity: int) -> Function | None:
        """A member function of a class."""
        ...

    def methods(self, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
        """All member functions of a class, or of a base of it, with that name and arity."""
        ...

    def parts_of(self, type_name: str) -> tuple[Part, ...] | None:
        """Data members of a class or union in order, with their byte offsets; None if one is not known."""
        ...

    def is_virtual(self, type_name: str, name: str) -> bool:
        """Whether calls of a member function through a pointer are bound at run time."""
        ...

    def is_macro(self, name: str) -> bool:
        """Whether there is a visible `#define` of a name: otherwise it has no `expansion`."""
        ...

    def expansion(
        self,
        name: str,
        arity: int | None,
        names: Mapping[str, Variable],
        types: tuple[Type | None, ...],
        before: int | None,
        spelled: tuple[str | None, ...] = (),
    ) -> Expansion | None:
        """A macro's definition: object-like for arity None, else function-like with that many arguments, of several
        in this file the last one before that byte offset. `names` are the variables in scope at the use, `types` those
        of the arguments, `spelled` the words of those that take a parameter's place as they are written, None for
        others; the parameter has no name then.
        """
        ...

    def specialised(self, function: Function, bound: Mapping[str, str]) -> Function:
        """A function with parameters of its template bound to texts of types and functions; else the same one."""
        ...

    def expression(self, text: str) -> Expr | None:
        """The tree of an expression that is known as text, a template argument."""
        ...

    @property
    def built(self) -> bool:
        """True if a compile command says how the file is compiled."""
        ...

    @property
    def fast_math(self) -> bool:
        """True if the compile command, or a build file beside the file, requests fast mathematics of nvcc."""
        ...

    def asked_of_gpu(self, function: Function) -> tuple[Word, ...]:
        """Requirements of a function's text on a GPU: assembly, built-ins, headers."""
        ...

    def settled(self) -> Sequence[Settled]:
        """The questions so far that only libclang had an answer to."""
        ...


class NoLookup:
    """Look-up in a file of which nothing is known but that it holds no kernel."""

    called: CallValue | None = None
    built = False
    fast_math = False

    def constant(self, _name: str) -> Number | None:
        """None."""
        return None

    def type_of(self, _name: str) -> Type | None:
        """None."""
        return None

    def macro(self, _name: str) -> str | None:
        """None."""
        return None

    def find_function(self, _name: str, _arguments: int) -> Function | None:
        """None."""
        return None

    def overloads(self, _name: str, _arguments: int) -> tuple[Function, ...]:
        """None."""
        return ()

    def methods(self, _type_name: str, _name: str, _arity: int) -> tuple[Function, ...]:
        """None."""
        return ()

    def is_linked(self, _name: str) -> bool:
        """False."""
        return False

    def is_unread(self, _name: str) -> bool:
        """False."""
        return False

    def has_operator(self, _name: str) -> bool:
        """False."""
        return False

    def method(self, _type_name: str, _name: str, _arity: int) -> Function | None:
        """None."""
        return None

    def parts_of(self, _type_name: str) -> tuple[Part, ...] | None:
        """None."""
        return None

    def is_virtual(self, _type_name: str, _name: str) -> bool:
        """False."""
        return False

    def is_macro(self, _name: str) -> bool:
        """False."""
        return False

    def expansion(self, *_question: object) -> Expansion | None:
        """None."""
        return None

    def specialised(self, function: Function, _bound: Mapping[str, str]) -> Function:
        """The function as it is."""
        return function

    def expression(self, _text: str) -> Expr | None:
        """None."""
        return None

    def asked_of_gpu(self, _function: Function) -> tuple[Word, ...]:
        """Nothing."""
        return ()

    def settled(self) -> Sequence[Settled]:
        """Nothing."""
        return ()


# Look-up by name for analyses, out of the scope of a file.
#
# Most commands ask no macros' expansions and no member functions: what answers them is imported with the first
# question.


class FileLookup:
    """See `lookup.Lookup`."""

    __slots__ = (
        "_expansions",
        "_macros",
        "_scope",
        "called",
        "constant",
        "expression",
        "find_function",
        "has_operator",
        "is_linked",
        "is_unread",
        "macro",
        "overloads",
        "type_of",
    )

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._expansions: Expansions | None = None
        self._macros: dict[str, bool] = {}
        self.called: CallValue | None = scope.value_of_call
        # The same questions as a scope's: they are asked often, and need no step in between.
        self.constant = scope.constant
        self.type_of = scope.type_of
        self.macro = scope.macro
        self.find_function = scope.find_function
        self.overloads = scope.overloads
        self.has_operator = scope.has_operator
        self.is_linked = scope.is_linked
        self.is_unread = scope.is_unread
        self.expression = scope.expression_of_text

    def method(self, type_name: str, name: str, arity: int) -> Function | None:
        """See `Lookup`."""
        from regpress_lint.cpp.names.functions import method

        function = method(self._scope, type_name, name, arity)
        asked = function is None and self._scope.questions is not None
        return self._scope.defined_elsewhere("." + name) if asked else function

    def methods(self, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
        """See `Lookup`."""
        from regpress_lint.cpp.names.functions import methods

        return methods(self._scope, type_name, name, arity)

    def parts_of(self, type_name: str) -> tuple[Part, ...] | None:
        """See `Lookup`."""
        from regpress_lint.cpp.names.records import parts_of

        return self._scope.remember(("parts", type_name), lambda: parts_of(self._scope, type_name))

    def is_virtual(self, type_name: str, name: str) -> bool:
        """See `Lookup`."""
        from regpress_lint.cpp.names.functions import is_virtual

        questions = self._scope.questions
        if questions is not None and self._scope.record(type_name) is None:
            definition = questions.definition("." + name)
            return definition is not None and definition.virtual
        return is_virtual(self._scope, type_name, name)

    def is_macro(self, name: str) -> bool:
        """See `Lookup`."""
        known = self._macros.get(name)
        if known is None:
            known = self._macros[name] = self._scope.branches.is_defined(name)
        return known

    def expansion(
        self,
        name: str,
        arity: int | None,
        names: Mapping[str, Variable],
        types: tuple[Type | None, ...],
        before: int | None,
        spelled: tuple[str | None, ...] = (),
    ) -> Expansion | None:
        """See `Lookup`."""
        if self._expansions is None:
            from regpress_lint.cpp.names.expansions import Expansions

            self._expansions = Expansions(self._scope)
        return self._expansions.expansion(name, arity, names, types, before, spelled)

    def specialised(self, function: Function, bound: Mapping[str, str]) -> Function:
        """See `Lookup`."""
        from regpress_lint.cpp.names.functions import specialised

        return specialised(self._scope, function, bound)

    @property
    def built(self) -> bool:
        """See `Lookup`."""
        return self._scope.project.command_of(self._scope.parsed.source.path) is not None

    @property
    def fast_math(self) -> bool:
        """See `Lookup`."""
        return self._scope.project.fast_math(self._scope.parsed.source.path)

    def asked_of_gpu(self, function: Function) -> tuple[Word, ...]:
        """See `Lookup`."""
        from regpress_lint.cpp.names.expansions import asked_of_gpu

        return asked_of_gpu(self._scope, function)

    def settled(self) -> Sequence[Settled]:
        """See `Lookup`."""
        return self._scope.questions.settled if self._scope.questions is not None else ()
