"""Look-up by name for analyses, out of the scope of a file.

Most commands ask no macros' expansions and no member functions: what answers them is imported with the first question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.cpp.answers import Settled
    from regpress_lint.cpp.constants import CallValue
    from regpress_lint.cpp.names.expansions import Expansion, Expansions
    from regpress_lint.cpp.names.gpu_words import Word
    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function, Type, Variable


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
        from regpress_lint.cpp.names.member_functions import method

        found = method(self._scope, type_name, name, arity)
        asked = found is None and self._scope.questions is not None
        return self._scope.defined_elsewhere("." + name) if asked else found

    def methods(self, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
        """See `Lookup`."""
        from regpress_lint.cpp.names.member_functions import methods

        return methods(self._scope, type_name, name, arity)

    def parts_of(self, type_name: str) -> tuple[Part, ...] | None:
        """See `Lookup`."""
        from regpress_lint.cpp.names.records import parts_of

        return self._scope.remember(("parts", type_name), lambda: parts_of(self._scope, type_name))

    def is_virtual(self, type_name: str, name: str) -> bool:
        """See `Lookup`."""
        from regpress_lint.cpp.names.member_functions import is_virtual

        questions = self._scope.questions
        if questions is not None and self._scope.record(type_name) is None:
            found = questions.definition("." + name)
            return found is not None and found.virtual
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
        from regpress_lint.cpp.names.member_functions import specialised

        return specialised(self._scope, function, bound)

    @property
    def built(self) -> bool:
        """See `Lookup`."""
        return self._scope.project.command_of(self._scope.unit.source.path) is not None

    def asked_of_gpu(self, function: Function) -> tuple[Word, ...]:
        """See `Lookup`."""
        from regpress_lint.cpp.names.gpu_words import asked_of_gpu

        return asked_of_gpu(self._scope, function)

    def settled(self) -> Sequence[Settled]:
        """See `Lookup`."""
        return self._scope.questions.settled if self._scope.questions is not None else ()
