"""What one file can see: its own definitions first, then those of its project headers, parsed only when asked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, TypeVar

from regpress_lint.constants import Environment, evaluate
from regpress_lint.frontend.branches import MAX_INCLUDERS, Branches
from regpress_lint.frontend.classes import split_owner, static_constant
from regpress_lint.frontend.definitions import declared_constant, looseness, macro_constant
from regpress_lint.frontend.filescope import file_variables, visible_in
from regpress_lint.frontend.headers import Headers
from regpress_lint.frontend.heads import (
    error_spans,
    parameter_counts,
    qualifiers,
    split_arguments,
    template_parameters,
    two_last,
)
from regpress_lint.frontend.lowering.context import Anchors, Context
from regpress_lint.frontend.lowering.declarations import lower_parameters
from regpress_lint.frontend.lowering.expressions import lower_expression, lower_type_text
from regpress_lint.frontend.lowering.statements import lower_block
from regpress_lint.frontend.parse import parse_plain
from regpress_lint.frontend.records import member_type, record_type
from regpress_lint.frontend.typeargs import LAMBDA, lambda_type
from regpress_lint.source import Span
from regpress_lint.syntax import Expr, Function, TemplateParameter, Type
from regpress_lint.types import builtin_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from regpress_lint.frontend.project import Project
    from regpress_lint.frontend.unit import FunctionNode, RecordNode, Unit
    from regpress_lint.model import Number
    from regpress_lint.settings import Language
    from regpress_lint.syntax import Variable

# Templates that name themselves with other arguments have no end: types within types, and template types in all.
_MOST_NESTED, _MOST_TEMPLATES = 12, 400
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
_WORD = re.compile(r"(?<![\w.:])[A-Za-z_]\w*")
_COMPOUND = re.compile(r"[*&]|\b(?:const|volatile)\b")
_RECORDS = ("struct_specifier", "union_specifier", "class_specifier")
# What stands behind a name where it is a constant or an enumerator, and where a function of that name is defined. They
# have no name in them: to compile a pattern for every name that is looked up takes longer than the search.
_HAS_VALUE = re.compile(rb"(?!\w)\s*(?:=|\{|,|\})")
_IS_DEFINED = re.compile(rb"\s*(?:<[^;{}()]*>)?\s*\([^;{}]*\{")
_RECORD = r"\b(?:struct|class|union)\b[^;{}()=]*\bNAME\b|\}\s*NAME\s*;"
_EMPTY_ANCHORS = Anchors({})


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
        self._nested = self._templates = 0
        self._constants: dict[str, Number | None] = {}
        self._functions: dict[tuple[str, int, str], Function] = {}
        self._found: dict[tuple[str, int], tuple[Unit, FunctionNode] | None] = {}
        self._macro_values: dict[str, Expr | None] = {}
        self.is_includer = is_includer
        self._includers: list[View] | None = None
        self.headers = Headers(project, unit)
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
            found = self._types[name] = self._found_type(name)
        finally:
            self._nested -= 1
        return found

    def _found_type(self, name: str) -> Type | None:
        found = lambda_type(name) if name.startswith(LAMBDA) else builtin_type(name)
        if found is None:
            found = self._declared_type(name)
        elif found.lanes == 3 and self.language == "sycl" and "::" not in name:
            # `using namespace sycl` (three lanes take the room of four), or a type of a ported file's own.
            found = self._declared_type(name) or builtin_type("sycl::" + name)
        if found is None and "::" not in name:
            found = self.of_includers(lambda view: view.type_of(name))
        return found

    def record(self, name: str) -> tuple[Unit, RecordNode] | None:
        """Definition of a class, struct or union in this file or its headers."""
        base = name.partition("<")[0].rpartition("::")[2].strip()
        if _IDENTIFIER.match(base):
            seems = re.compile(_RECORD.replace("NAME", base).encode())
            for unit in self.headers.where(base.encode(), seems.search):
                _ = unit.aliases  # anonymous structs are named by their typedef
                if (record := unit.records.get(base)) is not None:
                    return unit, record
        return None

    def _declared_type(self, name: str) -> Type | None:
        plain = name.removeprefix("typename ").removeprefix("struct ").strip()
        owner, member = split_owner(plain)
        if owner and "<" not in member:
            if (field_type := member_type(self, owner, member)) is not None:
                return field_type
            plain = member
        base, _, arguments = plain.partition("<")
        base = base.strip()
        if not _IDENTIFIER.match(base):
            return None
        body = self.macro(base)
        if body is not None and not arguments and body != base and (found := self._macro_type(body)) is not None:
            return found
        for unit in self.headers.with_type(base):
            if (target := unit.aliases.get(base)) is not None and target.type not in _RECORDS:
                if target.type == "enum_specifier":
                    return Type(base, 4)
                return lower_type_text(self._context(unit, 0), unit.text(target)) if unit.text(target) != base else None
            if (record := unit.records.get(base)) is not None:
                # An anonymous struct is known by its typedef's name: its members are looked up by it.
                found = record_type(self, unit, record, split_arguments(arguments))
                return found if record.name else found._replace(name=base)
            if (underlying := unit.enums.get(base)) is not None:
                scalar = builtin_type(underlying)
                return scalar._replace(name=base) if scalar is not None else Type(base)
        return None

    def _macro_type(self, body: str) -> Type | None:
        words = body.replace("*", " ").split()
        if not words or len(words) > 4 or not all(_IDENTIFIER.match(word.replace("::", "_")) for word in words):
            return None
        return self.type_of(" ".join(words)) if "*" not in body else None

    # ----------------------------------------------------------------------------------------------- constants

    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator; None if unknown or if definitions disagree."""
        if name in self._constants:
            return self._constants[name]
        self._constants[name] = None
        value = self._macro_constant(name)
        if value is None and "<" in name:
            value = static_constant(self, name)
        elif value is None:
            value = self._declared_constant(name)
        if value is None:
            value = self._includers_constant(name)
        self._constants[name] = value
        return value

    def _includers_constant(self, name: str) -> Number | None:
        """A header sees what the file that includes it defined before; all including files must agree."""
        if self.is_includer or not _IDENTIFIER.match(name):
            return None
        values = {view.constant(name) for view in self._includer_views()}
        values.discard(None)
        return next(iter(values)) if len(values) == 1 else None

    def _includer_views(self) -> list[View]:
        if self._includers is None:
            units = (self.project.unit(path) for path in self.project.includers(self.unit.source.path)[:MAX_INCLUDERS])
            self._includers = [
                View(self.project, unit, self.language, is_includer=True) for unit in units if unit is not None
            ]
        return self._includers

    @property
    def environment(self) -> Environment:
        """Evaluation in the view of this file."""
        return self._environment(self.constant)

    def _environment(self, names: Callable[[str], Number | None]) -> Environment:
        return Environment(names=names, types=self.type_of, loose=self.looseness, alias=self.macro)

    def bound_environment(self, bound: Mapping[str, str]) -> Environment:
        """Evaluation with template parameters bound to argument texts."""

        def names(name: str) -> Number | None:
            return self.value_of_text(bound[name]) if name in bound else self.constant(name)

        return self._environment(names)

    def value_of_text(self, text: str) -> Number | None:
        """Value of an expression given as text (a template argument, a macro's body)."""
        return evaluate(self.expression_of_text(text), self.environment)

    def value_with(
        self, text: str, bindings: Mapping[str, Number], hidden: frozenset[str] = frozenset()
    ) -> Number | None:
        """`value_of_text` with some names bound (parameters of one instantiation), others `hidden`: unknown."""

        def names(name: str) -> Number | None:
            return bindings[name] if name in bindings else None if name in hidden else self.constant(name)

        return evaluate(self.expression_of_text(text), self._environment(names))

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

    def _macro_constant(self, name: str) -> Number | None:
        value = macro_constant(self, name)
        return self.value_of_text(self._predefined[name]) if value is None and name in self._predefined else value

    def _declared_constant(self, name: str) -> Number | None:
        qualifier, _, last = name.rpartition("::")
        if not _IDENTIFIER.match(last):
            return None
        for unit in self.headers.with_name(last, _HAS_VALUE):
            entries = unit.constants.get(two_last(name))
            if entries is None and (not qualifier or not unit.has_owner(last)):
                entries = unit.constants.get(last)
            if entries and not qualifier:
                entries = unit.free_constants(last) or entries
            if entries:
                return declared_constant(self, unit, entries)
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
        for unit in self.headers.with_name(last, _IS_DEFINED):
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
        return self.of_includers(lambda view: view.find_function(name, arguments))

    def of_includers(self, ask: Callable[[View], _Answer | None]) -> _Answer | None:
        """The first answer of the files that include this one: a header sees what they define."""
        others = () if self.is_includer else self._includer_views()
        return next((answer for view in others if (answer := ask(view)) is not None), None)

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
        return ctx

    def lower_expression(self, node: Node, unit: Unit | None = None, parse_index: int = 0) -> Expr:
        """Our own tree of an expression outside a kernel (a launch's configuration)."""
        return lower_expression(self._context(unit or self.unit, parse_index), node)


def _unparsed(ctx: Context, body: Node) -> tuple[Span, ...]:
    """Error nodes of a body, and what was nested too deeply to be looked at."""
    return tuple(sorted({*error_spans(body), *ctx.unparsed}))
