"""The names visible to one file: its own definitions first, then those of its project headers, parsed only when asked
for.

A `Resolver` caches answers and decides the order of the tiers; each kind of question has its own module.
"""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from regpress_lint.cpp.answers import Place
from regpress_lint.cpp.constants import Environment, evaluate
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, scopes_around, split_owner
from regpress_lint.cpp.names.definitions import looseness, parsed_expression
from regpress_lint.cpp.names.functions import bound_types, context, is_linked, lowered_function, lowered_lambda, method
from regpress_lint.cpp.names.host_types import LAMBDA
from regpress_lint.cpp.names.parsed_file import CALLED, FUNCTION as NAMED_FUNCTION, OPERATOR, RECORD, TYPE
from regpress_lint.cpp.names.scope import Branches, Headers, parsed_includers
from regpress_lint.cpp.names.templates import explicit_arguments, parameter_counts
from regpress_lint.cpp.names.tree_answers import SyntacticSemantics
from regpress_lint.cpp.syntax_tree import Call, Expr, Function, Name, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.answers import OpenQuestions, Semantics
    from regpress_lint.cpp.constants import CallValue, Number
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode, RecordNode, Scopes
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.syntax_tree import Variable


T = TypeVar("T")
# Templates that name themselves with other arguments have no end: types within types, and template types in all.
_MOST_NESTED, _MOST_TEMPLATES = 12, 400
_MOST_DEEP = 40  # constants within constants: `F<N>::v` that is made of `F<N - 1>::v`
_NOWHERE = Place("", 0, exact=False)  # the trees know names and not places


class Resolver:
    """The scope of one file: what its methods answer is in `scope.Scope`."""

    def __init__(self, project: Project, parsed: ParsedFile, language: Language, *, is_includer: bool = False) -> None:
        self.project = project
        self.parsed = parsed
        self.language: Language = language
        self._predefined = project.predefined(parsed.source.path, language)
        self.branches = Branches(project, parsed, self._predefined, is_includer=is_includer)
        self.headers = Headers(project, parsed)
        # The second tier, asked for what the first leaves open.
        self.questions: OpenQuestions | None = project.questions(parsed, language)
        self._is_includer = is_includer
        self._includers: tuple[Resolver, ...] | None = None
        self._types: dict[str, Type | None] = {}
        self._nested = self._templates = self._deep = 0
        self._constants: dict[str, Number | None] = {}
        self._expressions: dict[str, Expr | None] = {}
        self._functions: dict[tuple[str, int, str], Function] = {}
        self._remembered: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        remembered = self._remembered
        if key not in remembered:
            remembered[key] = make()
        known: T = remembered[key]
        return known

    def includer_scopes(self) -> tuple[Resolver, ...]:
        if self._includers is None:
            files = () if self._is_includer else parsed_includers(self.project, self.parsed)
            self._includers = tuple(Resolver(self.project, parsed, self.language, is_includer=True) for parsed in files)
        return self._includers

    def _trees(self) -> Semantics:
        """The first tier."""
        return SyntacticSemantics(self)

    # -------------------------------------------------------------------------------------------------- macros

    def macro(self, name: str) -> str | None:
        if (macro := self.branches.definition(name)) is not None:
            return macro.body if macro.params is None else None
        return self._predefined.get(name)

    def defined(self, name: str) -> str | None:
        macro = self.branches.definition(name)
        if macro is not None and self.branches.taken(macro) is not False:
            return macro.body
        return self._predefined.get(name)

    def defined_before(self, name: str, position: int, path: str = "") -> str | None:
        return self.branches.defined_before(name, position, path or self.parsed.source.path)

    def predefined_macro(self, name: str) -> str | None:
        return self._predefined.get(name)

    # --------------------------------------------------------------------------------------------------- types

    def type_of(self, name: str) -> Type | None:
        if name in self._types:
            return self._types[name]
        self._types[name] = None  # a cycle of aliases ends here
        self._templates += "<" in name
        if self._nested >= _MOST_NESTED or ("<" in name and self._templates > _MOST_TEMPLATES):
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
        found = answer.value.type if answer is not None else None
        if self.questions is None or name.startswith(LAMBDA) or (found is not None and not _is_open(found)):
            return found
        if self.defined(name) is not None and self.macro(name) is None:  # a macro with parameters
            return found
        meant = self.questions.type_of(name)
        if meant is None:
            return found
        for field, type_ in meant.fields:
            if self._types.get(f"{name}::{field}") is None:
                self._types[f"{name}::{field}"] = type_
        return meant.type

    def record(self, name: str) -> tuple[ParsedFile, RecordNode] | None:
        """Definition of a class, struct or union in this file or its headers; a header sees those of the files that
        include it.
        """
        base = name.partition("<")[0].rpartition("::")[2].strip()
        if not IDENTIFIER.match(base):
            return None
        own = self.remember(("record", base), partial(self._record, base))
        return own or next(filter(None, (other.record(base) for other in self.includer_scopes())), None)

    def _record(self, base: str) -> tuple[ParsedFile, RecordNode] | None:
        for parsed in self.headers.saying(base, RECORD | TYPE):
            _ = parsed.aliases  # anonymous structs are named by their typedef
            if (record := parsed.records.get(base)) is not None:
                return parsed, record
        return None

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

    @property
    def environment(self) -> Environment:
        return self.environment_of(self.constant)

    def environment_of(self, names: Callable[[str], Number | None]) -> Environment:
        return Environment(
            names=names, types=self.type_of, loose=partial(looseness, self), alias=self.macro, called=self.value_of_call
        )

    @property
    def value_of_call(self) -> CallValue | None:
        return self._value_of_call if self.questions is not None else None

    def _value_of_call(self, call: Call, values: tuple[Number, ...]) -> Number | None:
        if self.questions is None or call.callee.__class__ is not Name:
            return None
        return self.questions.called(call, values)

    def value_of_text(self, text: str) -> Number | None:
        return evaluate(self.expression_of_text(text), self.environment)

    def expression_of_text(self, text: str) -> Expr | None:
        if text in self._expressions:
            return self._expressions[text]
        self._expressions[text] = result = parsed_expression(self, text)
        return result

    # ----------------------------------------------------------------------------------------------- functions

    def find_node(self, name: str, arguments: int) -> tuple[ParsedFile, FunctionNode] | None:
        return self.remember(("function", name, arguments), partial(self._find_node, name, arguments))

    def _find_node(self, name: str, arguments: int) -> tuple[ParsedFile, FunctionNode] | None:
        owner, _, last = name.rpartition("::")
        if not IDENTIFIER.match(last) or owner.startswith("std::"):  # a member of a class of the library
            return None
        fallback: tuple[ParsedFile, FunctionNode] | None = None
        for parsed in self.headers.saying(last, NAMED_FUNCTION):
            for function in parsed.functions_by_name.get(last, ()):
                parameters = parameter_counts(function)
                if arguments in parameters:
                    return parsed, function
                fallback = fallback or (parsed, function)
        return fallback if fallback is not None and arguments < 0 else None

    def find_function(self, name: str, arguments: int) -> Function | None:
        if "::" in name and (member := self._static_member(name, arguments)) is not None:
            return member
        if (found := self.find_node(name, arguments)) is not None:
            return self.lower(found[1], found[0])
        if self.questions is not None and (asked := self.defined_elsewhere(name)) is not None:
            return asked
        others = (other.find_function(name, arguments) for other in self.includer_scopes())
        return next((function for function in others if function is not None), None)

    def overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        """Visible lowered definitions of that name and argument count, explicit specialisations left out; this file's
        first, and functions before members. A header that has none sees those of the files that include it.
        """
        own = self.remember(("overloads", name, arguments), partial(self._overloads, name, arguments))
        return own or next(filter(None, (other.overloads(name, arguments) for other in self.includer_scopes())), ())

    def _overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        last = name.rpartition("::")[2]
        found = [
            (bool(node.record) or "::" in node.qualified, node, parsed)
            for parsed in self._units_with(last)
            for node in parsed.functions_by_name.get(last, ())
            if arguments in parameter_counts(node) and not explicit_arguments(node)
        ]
        found.sort(key=itemgetter(0))
        return tuple(self.lower(node, parsed) for _, node, parsed in found)

    def overloads_beside(self, type_name: str, name: str, arguments: int) -> tuple[Function, ...]:
        """Those of them that are in the namespace of a class, where a call with an object of it also looks."""
        owner = self.record(type_name)
        if owner is None:
            return ()
        home = scopes_around(owner[1].node, owner[0].text)
        return tuple(
            overload
            for overload in self.overloads(name, arguments)
            if not overload.owner and self._namespace_of(overload) == home
        )

    def _namespace_of(self, function: Function) -> Scopes | None:
        for parsed in self._units_with(function.name):
            if parsed.source.path == function.path:
                for node in parsed.functions_by_name.get(function.name, ()):
                    if node.node.start_byte == function.span.start:
                        return scopes_around(node.node, parsed.text)
        return None

    def _units_with(self, function: str) -> Iterator[ParsedFile]:
        is_operator = function.startswith(OPERATOR) and not function.isidentifier()
        return self.headers.saying(OPERATOR, CALLED) if is_operator else self.headers.saying(function, NAMED_FUNCTION)

    def is_linked(self, name: str) -> bool:
        """True for a device function with a visible declaration, defined in no file that a compiler sees with it: not
        in those that include this one either. An unknown header may define it.
        """
        return self.remember(("linked", name), partial(self._is_linked, name))

    def _is_linked(self, name: str) -> bool:
        if not is_linked(self.headers, name) or not self.project.sees_all(self.parsed):
            return False
        return not any(name in u.functions_by_name for view in self.includer_scopes() for u in view._units_with(name))

    def is_unread(self, name: str) -> bool:
        return self.headers.has_unread(name.lstrip(".").rpartition("::")[2])

    def has_operator(self, name: str) -> bool:
        own = self.remember(
            ("operator", name), lambda: any(name in u.functions_by_name for u in self._units_with(name))
        )
        return own or any(other.has_operator(name) for other in self.includer_scopes())

    def _static_member(self, name: str, arguments: int) -> Function | None:
        """`Op::apply`, with the arguments of a class template bound."""
        owner, last = split_owner(name)
        return method(self, owner, last, arguments) if owner and IDENTIFIER.match(last) else None

    def defined_elsewhere(self, name: str) -> Function | None:
        definition = self.questions.definition(name) if self.questions is not None else None
        path = self.project.spelled(definition.path) if definition is not None and definition.defined else None
        parsed = self.project.parsed(path) if path is not None else None
        if parsed is None or definition is None:
            return None
        nodes = parsed.functions_by_name.get(name.lstrip(".").rpartition("::")[2], ())
        return next(
            (self.lower(node, parsed) for node in nodes if node.name_node.start_byte == definition.offset), None
        )

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
