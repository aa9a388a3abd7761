"""What one file can see: its own definitions first, then those of its project headers, parsed only when asked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, TypeVar

from regpress_lint.core.source import Span
from regpress_lint.cpp.answers import Place
from regpress_lint.cpp.constants import Environment, evaluate
from regpress_lint.cpp.lower.context import Anchors, Context
from regpress_lint.cpp.lower.declarations import lower_parameters
from regpress_lint.cpp.lower.expressions import lower_expression, lower_type_node, lower_type_text
from regpress_lint.cpp.lower.statements import lower_block
from regpress_lint.cpp.names.declarators import error_spans, parameter_counts, qualifiers, template_parameters
from regpress_lint.cpp.names.definitions import looseness
from regpress_lint.cpp.names.file_variables import file_variables, visible_in
from regpress_lint.cpp.names.header_search import Headers
from regpress_lint.cpp.names.macro_views import MAX_INCLUDERS, Branches
from regpress_lint.cpp.names.name_index import FUNCTION, RECORD
from regpress_lint.cpp.names.template_arguments import LAMBDA
from regpress_lint.cpp.names.tree_answers import SyntacticSemantics
from regpress_lint.cpp.parse import parse_plain
from regpress_lint.cpp.syntax import Call, Expr, Function, Name, TemplateParameter, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.answers import Semantics, Settled
    from regpress_lint.cpp.constants import CallValue, Number
    from regpress_lint.cpp.names.parsed_file import FunctionNode, RecordNode, Unit
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.names.questions import Questions
    from regpress_lint.cpp.syntax import Variable

# Templates that name themselves with other arguments have no end: types within types, and template types in all.
_MOST_NESTED, _MOST_TEMPLATES = 12, 400
_MOST_DEEP = 40  # constants within constants: `F<N>::v` that is made of `F<N - 1>::v`
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
_WORD = re.compile(r"(?<![\w.:])[A-Za-z_]\w*")
_COMPOUND = re.compile(r"[*&]|\b(?:const|volatile)\b")
_EMPTY_ANCHORS = Anchors({})
_NOWHERE = Place("", 0, exact=False)  # the trees know names and not places


_Answer = TypeVar("_Answer")


class View:
    """Look-ups from the position of one file."""

    def __init__(self, project: Project, unit: Unit, language: Language, *, is_includer: bool = False) -> None:
        self.project = project
        self.unit = unit
        self.language: Language = language
        self._predefined = project.predefined(unit.source.path, language)
        self.branches = Branches(project, unit, self._predefined, is_includer=is_includer)
        self._types: dict[str, Type | None] = {}
        self._nested = self._templates = self._deep = 0
        self._constants: dict[str, Number | None] = {}
        self._functions: dict[tuple[str, int, str], Function] = {}
        self._found: dict[tuple[str, int], tuple[Unit, FunctionNode] | None] = {}
        self._macro_values: dict[str, Expr | None] = {}
        self.is_includer = is_includer
        self._includers: list[View] | None = None
        self.headers = Headers(project, unit)
        # The second tier, asked for what the first leaves open.
        self.questions: Questions | None = project.questions(unit, language)
        self.file_variables: dict[str, Mapping[str, Variable]] = {}

    # -------------------------------------------------------------------------------------------------- macros

    def macro(self, name: str) -> str | None:
        """Body of an object-like macro in view, the device compiler's own ones included."""
        found = self.branches.definition(name)
        if found is not None:
            return found.body if found.params is None else None
        return self._predefined.get(name)

    def defined(self, name: str) -> str | None:
        """Body of any macro in view, "" for one without; None if it is not defined."""
        found = self.branches.definition(name)
        return found.body if found is not None else self._predefined.get(name)

    def defined_before(self, name: str, position: int, path: str = "") -> str | None:
        """`defined` at a byte offset of a file (default: this one): what the file defines only later does not count."""
        return self.branches.defined_before(name, position, path or self.unit.source.path)

    def _trees(self) -> Semantics:
        """The first tier."""
        return SyntacticSemantics(self)

    def predefined_macro(self, name: str) -> str | None:
        """Body of a macro that the device compiler defines by itself."""
        return self._predefined.get(name)

    # --------------------------------------------------------------------------------------------------- types

    def type_of(self, name: str) -> Type | None:
        """Type by name; `Record::field` gives the type of a member."""
        if name in self._types:
            return self._types[name]
        self._types[name] = None  # a cycle of aliases ends here
        self._templates += "<" in name
        if self._nested >= _MOST_NESTED or ("<" in name and self._templates > _MOST_TEMPLATES):
            return None
        self._nested += 1
        try:
            found = self._types[name] = self._settled_type(name)
        finally:
            self._nested -= 1
        if found is None and self.questions is not None and self.questions.is_only_called(name):
            del self._types[name]  # it may be spelled as a type further down
        return found

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

    def type_of_node(self, unit: Unit, node: Node) -> Type:
        """Type that a node of a file spells."""
        return lower_type_node(self._context(unit, 0), node)

    def record(self, name: str) -> tuple[Unit, RecordNode] | None:
        """Definition of a class, struct or union in this file or its headers."""
        base = name.partition("<")[0].rpartition("::")[2].strip()
        if _IDENTIFIER.match(base):
            for unit in self.headers.saying(base, RECORD):
                _ = unit.aliases  # anonymous structs are named by their typedef
                if (record := unit.records.get(base)) is not None:
                    return unit, record
        return None

    # ----------------------------------------------------------------------------------------------- constants

    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator; None if unknown or if definitions disagree."""
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

    def includer_views(self) -> list[View]:
        """Views of the files that include this one; none of a view that was itself made for that."""
        if self.is_includer:
            return []
        if self._includers is None:
            units = (self.project.unit(path) for path in self.project.includers(self.unit.source.path)[:MAX_INCLUDERS])
            self._includers = [
                View(self.project, unit, self.language, is_includer=True) for unit in units if unit is not None
            ]
        return self._includers

    @property
    def environment(self) -> Environment:
        """Evaluation in the view of this file."""
        return self.environment_of(self.constant)

    def environment_of(self, names: Callable[[str], Number | None]) -> Environment:
        """Evaluation in the view of this file with names looked up elsewhere first."""
        return Environment(
            names=names, types=self.type_of, loose=self.looseness, alias=self.macro, called=self.value_of_call
        )

    @property
    def value_of_call(self) -> CallValue | None:
        """Value of a call whose arguments have these values, if it has one before the program runs."""
        return self._value_of_call if self.questions is not None else None

    def _value_of_call(self, call: Call, values: tuple[Number, ...]) -> Number | None:
        if self.questions is None or call.callee.__class__ is not Name:
            return None
        return self.questions.called(call, values)

    def bound_environment(self, bound: Mapping[str, str]) -> Environment:
        """Evaluation with template parameters bound to argument texts."""

        def names(name: str) -> Number | None:
            return self.value_of_text(bound[name]) if name in bound else self.constant(name)

        return self.environment_of(names)

    def value_of_text(self, text: str) -> Number | None:
        """Value of an expression given as text (a template argument, a macro's body)."""
        return evaluate(self.expression_of_text(text), self.environment)

    def value_with(
        self, text: str, bindings: Mapping[str, Number], hidden: frozenset[str] = frozenset()
    ) -> Number | None:
        """`value_of_text` with some names bound (parameters of one instantiation), others `hidden`: unknown."""

        def names(name: str) -> Number | None:
            return bindings[name] if name in bindings else None if name in hidden else self.constant(name)

        return evaluate(self.expression_of_text(text), self.environment_of(names))

    def parameters_of(self, function: FunctionNode, unit: Unit | None = None) -> tuple[TemplateParameter, ...]:
        """Template parameters of a definition."""
        return template_parameters(unit or self.unit, function.template, function.parse_index)

    def expression_of_text(self, text: str) -> Expr | None:
        """Expression given as text, without position; None if it is not one."""
        if text in self._macro_values:
            return self._macro_values[text]
        self._macro_values[text] = result = self._parse_text(text)
        return result

    def _parse_text(self, text: str) -> Expr | None:
        if not text.strip() or len(text) > 400 or text.count("(") != text.count(")"):
            return None
        data = b"auto x = (" + text.encode("utf-8", "replace") + b");"
        tree = parse_plain(data)
        if tree.root_node.has_error or tree.root_node.child_count != 1:
            return None
        ctx = Context(data, self.type_of, _EMPTY_ANCHORS, {}, self.defined)
        ctx.lower_block = lower_block
        for node in tree.root_node.children[0].children_by_field_name("declarator"):
            value = node.child_by_field_name("value")
            return lower_expression(ctx, value) if value is not None else None
        return None

    def looseness(self, name: str) -> int:
        """How much a macro's body lacks parentheses; see `definitions.looseness`."""
        return looseness(self, name)

    # ----------------------------------------------------------------------------------------------- functions

    def find_node(self, name: str, arguments: int) -> tuple[Unit, FunctionNode] | None:
        """Definition of a function by name and argument count, in this file or its project headers."""
        key = (name, arguments)
        if key not in self._found:
            self._found[key] = self._find_node(name, arguments)
        return self._found[key]

    def _find_node(self, name: str, arguments: int) -> tuple[Unit, FunctionNode] | None:
        last = name.rpartition("::")[2]
        if not _IDENTIFIER.match(last):
            return None
        fallback: tuple[Unit, FunctionNode] | None = None
        for unit in self.headers.saying(last, FUNCTION):
            for function in unit.functions_by_name.get(last, ()):
                parameters = parameter_counts(function)
                if arguments in parameters:
                    return unit, function
                fallback = fallback or (unit, function)
        return fallback if fallback is not None and arguments < 0 else None

    def find_function(self, name: str, arguments: int) -> Function | None:
        """Lowered definition of a device function, or None if it is not in view.

        A header sees the functions of the files that include it.
        """
        found = self.find_node(name, arguments)
        if found is not None:
            return self.lower(found[1], found[0])
        if self.questions is not None and (asked := self.defined_elsewhere(name)) is not None:
            return asked
        return self.of_includers(lambda view: view.find_function(name, arguments))

    def defined_elsewhere(self, name: str) -> Function | None:
        """Lowered definition of a function of the project that only the second tier finds; `.name` is a member's."""
        found = self.questions.definition(name) if self.questions is not None else None
        path = self.project.spelled(found.path) if found is not None and found.defined else None
        unit = self.project.unit(path) if path is not None else None
        if unit is None or found is None:
            return None
        nodes = unit.functions_by_name.get(name.lstrip(".").rpartition("::")[2], ())
        return next((self.lower(node, unit) for node in nodes if node.name_node.start_byte == found.offset), None)

    def settled(self) -> Sequence[Settled]:
        """What the second tier has answered so far."""
        return self.questions.settled if self.questions is not None else ()

    def of_includers(self, ask: Callable[[View], _Answer | None]) -> _Answer | None:
        """The first answer of the files that include this one: a header sees what they define."""
        return next((answer for view in self.includer_views() if (answer := ask(view)) is not None), None)

    def lower(
        self, function: FunctionNode, unit: Unit | None = None, bound: Mapping[str, str] | None = None
    ) -> Function:
        """Our own tree of a function; `bound` gives template parameters their arguments."""
        owner = unit or self.unit
        key = (owner.source.path, function.body.start_byte, repr(sorted((bound or {}).items())))
        if key not in self._functions:
            self._functions[key] = self._lower(function, owner, bound or {})
        return self._functions[key]

    def _lower(self, function: FunctionNode, unit: Unit, bound: Mapping[str, str]) -> Function:
        template = template_parameters(unit, function.template, function.parse_index)
        seen = visible_in(file_variables(self, unit), unit, function, template)
        table = dict(bound)
        if self.questions is not None:
            of_class = unit.records.get(function.record.partition("<")[0]) if function.record else None
            outer = template_parameters(unit, of_class.template, 0) if of_class is not None else ()
            self.questions.hide(parameter.name for parameter in (*template, *outer) if parameter.name not in bound)
        ctx = self._context(unit, function.parse_index, self._binding_types(template, table), seen, table)
        parameters = lower_parameters(ctx, function.declarator)
        words = self.head_words(function, unit)
        return_node = function.node.child_by_field_name("type")
        body = lower_block(ctx, function.body)
        specialised = function.declarator.child_by_field_name("declarator")
        arguments = specialised.child_by_field_name("arguments") if specialised is not None else None
        return Function(
            function.name,
            function.qualified,
            Span(function.node.start_byte, function.node.end_byte),
            Span(function.name_node.start_byte, function.name_node.end_byte),
            parameters,
            body,
            lower_type_text(ctx, ctx.text(return_node)) if return_node is not None else None,
            template,
            tuple(ctx.text(child) for child in arguments.named_children) if arguments is not None else (),
            qualifiers(words, ctx.data[function.node.start_byte : function.body.start_byte]),
            tuple(word for word in words if word.startswith(("[[", "__attribute__"))),
            unit.source.path,
            unparsed=_unparsed(ctx, function.body),
        )

    def lower_lambda(
        self,
        node: Node,
        unit: Unit,
        parse_index: int,
        name: str,
        captured: Mapping[str, Variable] | None = None,
        bound: Mapping[str, str] | None = None,
    ) -> Function:
        """Our own tree of a lambda expression; names from outside are captures, known ones `captured`."""
        table = dict(bound or {})
        seen = {**file_variables(self, unit), **(captured or {})}
        ctx = self._context(unit, parse_index, self._binding_types((), table), seen, table)
        body = node.child_by_field_name("body")
        assert body is not None
        parameters = lower_parameters(ctx, node.child_by_field_name("declarator"))
        block = lower_block(ctx, body)
        span = Span(node.start_byte, node.end_byte)
        return Function(
            name, name, span, Span(node.start_byte, node.start_byte + 1), parameters, block, path=unit.source.path,
            captures=tuple((captured or {}).values()), unparsed=_unparsed(ctx, body),
        )  # fmt: skip

    def _binding_types(
        self, template: tuple[TemplateParameter, ...], bound: Mapping[str, str]
    ) -> Callable[[str], Type | None]:
        names = {parameter.name for parameter in template}

        def lookup(name: str) -> Type | None:
            if name in bound:
                return self._argument_type(bound[name])
            if name in names:
                return None
            if bound and not _IDENTIFIER.match(name):  # `Vec<T, N>`, `Traits::type`
                name = _WORD.sub(lambda match: bound.get(match[0], match[0]), name)
            return self.type_of(name)

        return lookup

    def _argument_type(self, text: str) -> Type | None:
        """Type of a template argument; `float *` and `const T` included."""
        if text.startswith(LAMBDA):
            return self.type_of(text)
        if not _COMPOUND.search(text):
            return self.type_of(text)
        found = lower_type_text(self._context(self.unit, 0), text)
        return found if found.size is not None else None

    def head_words(self, function: FunctionNode, unit: Unit) -> tuple[str, ...]:
        """Masked words around a function's head (`__global__`, `__launch_bounds__(256)`, attributes)."""
        anchors = unit.anchors[function.parse_index]
        offsets = anchors.offsets
        words: list[str] = []
        low = bisect_left(offsets, function.head_start)
        high = bisect_left(offsets, function.body.start_byte + 1)
        for offset in offsets[low:high]:
            words.extend(anchors.at(offset))
        return tuple(words)

    def context_for_text(self, unit: Unit, parse_index: int, bound: Mapping[str, str] | None = None) -> Context:
        """A fresh lowering context, for callers that lower single nodes; `bound` as in `lower`."""
        if not bound:
            return self._context(unit, parse_index)
        table = dict(bound)
        return self._context(unit, parse_index, self._binding_types((), table), None, table)

    def _context(
        self,
        unit: Unit,
        parse_index: int,
        types: Callable[[str], Type | None] | None = None,
        names: Mapping[str, Variable] | None = None,
        bound: dict[str, str] | None = None,
    ) -> Context:
        ctx = Context(
            unit.parses[parse_index].masked.text,
            types or self.type_of,
            unit.anchors[parse_index],
            unit.unrolls,
            self.defined,
            names,
            bound,
        )
        ctx.lower_block = lower_block
        if self.questions is not None and unit.source.path:  # a macro's body by itself stands nowhere
            ctx.asked = self.questions.of(unit.source.path)
        return ctx

    def lower_expression(self, node: Node, unit: Unit | None = None, parse_index: int = 0) -> Expr:
        """Our own tree of an expression outside a kernel (a launch's configuration)."""
        return lower_expression(self._context(unit or self.unit, parse_index), node)


def _is_open(found: Type) -> bool:
    """True for a type whose size is not known: `void` has none."""
    return found.size is None and not found.pointers and found.name != "void"


def _unparsed(ctx: Context, body: Node) -> tuple[Span, ...]:
    """Error nodes of a body, and what was nested too deeply to be looked at."""
    return tuple(sorted({*error_spans(body), *ctx.unparsed}))
