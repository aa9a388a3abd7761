"""The names visible to one file: its own definitions first, then those of its project headers, parsed only when asked
for.

A `Resolver` caches answers and decides the order of the tiers; each kind of question has its own module.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cpp.answers import Place
from regpress_lint.cpp.environment import Environment
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, split_owner
from regpress_lint.cpp.names.definitions import looseness, parsed_expression
from regpress_lint.cpp.names.function_trees import bound_types, context, lowered_function, lowered_lambda
from regpress_lint.cpp.names.functions import method
from regpress_lint.cpp.names.host_types import LAMBDA
from regpress_lint.cpp.names.scope import Scope
from regpress_lint.cpp.names.tree_answers import SyntacticSemantics
from regpress_lint.cpp.syntax_tree import Call, Expr, Function, Name, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.answers import Semantics
    from regpress_lint.cpp.environment import CallValue, Number
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.syntax_tree import Variable


# Templates that name themselves with other arguments have no end: types within types, template types in all, and
# characters of a name in which a pack stands for itself.
_MOST_NESTED, _MOST_TEMPLATES, _LONGEST = 12, 400, 4_000
_MOST_DEEP = 40  # constants within constants: `F<N>::v` that is made of `F<N - 1>::v`
_NOWHERE = Place("", 0, exact=False)  # the trees know names and not places


class Resolver(Scope):
    """The scope of one file, which knows every kind of look-up."""

    def __init__(self, project: Project, parsed: ParsedFile, language: Language, *, is_includer: bool = False) -> None:
        super().__init__(project, parsed, language, is_includer=is_includer)
        self._types: dict[str, Type | None] = {}
        self._nested = self._templates = self._deep = 0
        self._constants: dict[str, Number | None] = {}
        self._expressions: dict[str, Expr | None] = {}
        self._functions: dict[tuple[str, int, str], Function] = {}

    def _trees(self) -> Semantics:
        """The first tier."""
        return SyntacticSemantics(self)

    # --------------------------------------------------------------------------------------------------- types

    def type_of(self, name: str) -> Type | None:
        if name in self._types:
            return self._types[name]
        self._types[name] = None  # a cycle of aliases ends here
        self._templates += "<" in name
        if self._nested >= _MOST_NESTED or len(name) > _LONGEST or ("<" in name and self._templates > _MOST_TEMPLATES):
            return None
        self._nested += 1
        try:
            type_ = self._types[name] = self._settled_type(name)
        finally:
            self._nested -= 1
        if type_ is None and self.questions is not None and self.questions.is_only_called(name):
            del self._types[name]  # it may be spelled as a type further down
        return type_

    def _settled_type(self, name: str) -> Type | None:
        answer = self._trees().type_named(name, _NOWHERE)
        known_type = answer.value.type if answer is not None else None
        if self.questions is None or name.startswith(LAMBDA) or (known_type is not None and not _is_open(known_type)):
            return known_type
        if self.defined(name) is not None and self.macro(name) is None:  # a macro with parameters
            return known_type
        meant = self.questions.type_of(name)
        if meant is None:
            return known_type
        for field, type_ in meant.fields:
            if self._types.get(f"{name}::{field}") is None:
                self._types[f"{name}::{field}"] = type_
        return meant.type

    # -------------------------------------------------------------------------------------------------- values

    def constant(self, name: str) -> Number | None:
        if name in self._constants:
            return self._constants[name]
        self._constants[name] = None
        if self._deep >= _MOST_DEEP:
            return None
        self._deep += 1
        try:
            answer = self._trees().value(name, _NOWHERE)
        finally:
            self._deep -= 1
        value = answer.value if answer is not None else None
        if value is None and self.questions is not None:
            value = self.questions.constant(name)
        self._constants[name] = value
        return value

    def environment_of(self, names: Callable[[str], Number | None]) -> Environment:
        return Environment(
            names=names, types=self.type_of, loose=partial(looseness, self), alias=self.macro, called=self.value_of_call
        )

    @property
    def value_of_call(self) -> CallValue | None:
        return self._value_of_call

    def _value_of_call(self, call: Call, values: tuple[Number, ...]) -> Number | None:
        from regpress_lint.cpp.names.constant_calls import value_of_call

        value = value_of_call(self, call, values)
        if value is not None or self.questions is None or call.callee.__class__ is not Name:
            return value
        return self.questions.called(call, values)

    def expression_of_text(self, text: str) -> Expr | None:
        if text in self._expressions:
            return self._expressions[text]
        self._expressions[text] = result = parsed_expression(self, text)
        return result

    # ----------------------------------------------------------------------------------------------- functions

    def find_function(self, name: str, arguments: int) -> Function | None:
        if "::" in name and (member := self._static_member(name, arguments)) is not None:
            return member
        if (definition := self.find_node(name, arguments)) is not None:
            return self.lower(definition[1], definition[0])
        if self.questions is not None and (asked := self.defined_elsewhere(name)) is not None:
            return asked
        others = (includer.find_function(name, arguments) for includer in self.includer_scopes())
        return next((function for function in others if function is not None), None)

    def _static_member(self, name: str, arguments: int) -> Function | None:
        """`Op::apply`, with the arguments of a class template bound."""
        owner, last = split_owner(name)
        return method(self, owner, last, arguments) if owner and IDENTIFIER.match(last) else None

    # --------------------------------------------------------------------------------------------------- trees

    def lower(
        self, function: FunctionNode, parsed: ParsedFile | None = None, bound: Mapping[str, str] | None = None
    ) -> Function:
        owner = parsed or self.parsed
        key = (owner.source.path, function.body.start_byte, repr(sorted(bound.items())) if bound else "")
        if key not in self._functions:
            self._functions[key] = lowered_function(self, function, owner, bound or {})
        return self._functions[key]

    def lower_lambda(
        self,
        node: Node,
        parsed: ParsedFile,
        parse_index: int,
        name: str,
        captured: Mapping[str, Variable] | None = None,
        bound: Mapping[str, str] | None = None,
        item: str = "",
    ) -> Function:
        return lowered_lambda(self, node, parsed, parse_index, name, captured or {}, bound or {}, item)

    def lower_expression(self, node: Node, parsed: ParsedFile | None = None, parse_index: int = 0) -> Expr:
        return lower_expression(context(self, parsed or self.parsed, parse_index), node)

    def context_for_text(self, parsed: ParsedFile, parse_index: int, bound: Mapping[str, str] | None = None) -> Context:
        if not bound:
            return context(self, parsed, parse_index)
        table = dict(bound)
        return context(self, parsed, parse_index, bound_types(self, (), table), None, table)


def _is_open(type_: Type) -> bool:
    """True for a type whose size is not known: `void` has none."""
    return type_.size is None and not type_.pointers and type_.name != "void"
