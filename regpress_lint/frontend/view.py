"""What one file can see: its own definitions first, then those of its project headers, parsed only when asked for."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from regpress_lint.constants import Environment, array_elements, evaluate
from regpress_lint.frontend.lowering.context import Anchors, Context
from regpress_lint.frontend.lowering.declarations import lower_declaration, lower_parameters
from regpress_lint.frontend.lowering.expressions import lower_expression, lower_type_text
from regpress_lint.frontend.lowering.statements import lower_block
from regpress_lint.frontend.macros import MacroTable, scan_macros
from regpress_lint.frontend.parse import parse_ladder
from regpress_lint.frontend.preprocessor import predefined
from regpress_lint.frontend.unit import FunctionNode, RecordNode, Unit
from regpress_lint.model import Launch, Number
from regpress_lint.settings import Language
from regpress_lint.source import Source, Span
from regpress_lint.syntax import Expr, Function, TemplateParameter, Type, Variable
from regpress_lint.types import builtin_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.frontend.includes import IncludeResolver

_MAX_UNITS = 24  # parsed files kept per process: trees are some twenty times the size of their text
_MAX_INCLUDERS = 3  # files asked for the constants that a header leaves to them
_MAX_HEADER_BYTES = 600 * 1024  # larger headers are generated tables
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\r\n]+)[">]', re.MULTILINE)
_NOINLINE = re.compile(r"noinline")
_EMPTY_ANCHORS = Anchors({})


class Project:
    """Parsed files of one process, least recently used first out."""

    def __init__(
        self, includes: IncludeResolver | None = None, peers: Callable[[str], Iterable[str]] = lambda _path: ()
    ) -> None:
        self.includes = includes
        self.peers = peers
        self._units: OrderedDict[str, Unit] = OrderedDict()
        self._launches: dict[str, tuple[Launch, ...]] = {}
        self._includes_of: dict[str, frozenset[str]] = {}

    def unit(self, path: str, data: bytes | None = None) -> Unit | None:
        """Parsed file, or None if it cannot be read. `data` is given for the file that is being linted."""
        known = self._units.get(path)
        if known is not None and (data is None or known.source.data == data):
            self._units.move_to_end(path)
            return known
        if data is None:
            data = self.includes.read(path) if self.includes is not None else None
            if data is None or len(data) > _MAX_HEADER_BYTES:
                return None
        macros = self.includes.macros(path, data) if self.includes is not None else MacroTable.of(scan_macros(data, path))
        unit = Unit(Source(path, data), macros, parse_ladder(data, macros))
        self._units[path] = unit
        if len(self._units) > _MAX_UNITS:
            self._units.popitem(last=False)
        return unit

    def closure(self, unit: Unit) -> tuple[str, ...]:
        """Project files that a file includes, transitively."""
        return self.includes.closure(unit.source.path, unit.source.data) if self.includes is not None else ()

    def read(self, path: str) -> bytes | None:
        """Bytes of a project file."""
        return self.includes.read(path) if self.includes is not None else None

    def includers(self, path: str) -> tuple[str, ...]:
        """Files of this run, in the same folder or a sibling of it, that include `path` by its name."""
        name = path.rpartition("/")[2]
        return tuple(other for other in self.peers(path) if other != path and name in self._included_names(other))

    def _included_names(self, path: str) -> frozenset[str]:
        if path not in self._includes_of:
            data = self.read(path) or b""
            names = (match[1].decode("utf-8", "replace") for match in _INCLUDE.finditer(data))
            self._includes_of[path] = frozenset(name.rpartition("/")[2] for name in names)
        return self._includes_of[path]

    def launches(self, path: str, language: Language) -> tuple[Launch, ...]:
        """Launches of another file of the run (kernels often live in a header, launches in the file that includes it)."""
        if path not in self._launches:
            from regpress_lint.frontend.hostvalues import HostValues
            from regpress_lint.frontend.launches import cuda_launches

            unit = self.unit(path)
            found = cuda_launches(HostValues(View(self, unit, language), unit), path) if unit is not None else ()
            self._launches[path] = tuple(found)
        return self._launches[path]


class View:
    """Look-ups from the position of one file."""

    def __init__(self, project: Project, unit: Unit, language: Language, *, is_includer: bool = False) -> None:
        self.project = project
        self.unit = unit
        self.language: Language = language
        self._predefined = predefined(language)
        self._types: dict[str, Type | None] = {}
        self._constants: dict[str, Number | None] = {}
        self._functions: dict[tuple[str, int, str], Function] = {}
        self._found: dict[tuple[str, int], tuple[Unit, FunctionNode] | None] = {}
        self._macro_values: dict[str, Expr | None] = {}
        self.is_includer = is_includer
        self._includers: list[View] | None = None

    # ------------------------------------------------------------------------------------------------ headers

    def _units_with(self, name: str, pattern: str) -> Iterator[Unit]:
        yield self.unit
        needle = name.encode()
        compiled: re.Pattern[bytes] | None = None
        for path in self.project.closure(self.unit):
            data = self.project.read(path)
            if data is None or needle not in data:
                continue
            compiled = compiled or re.compile(pattern.replace("NAME", re.escape(name)).encode())
            if compiled.search(data) is not None and (unit := self.project.unit(path)) is not None:
                yield unit

    # -------------------------------------------------------------------------------------------------- macros

    def macro(self, name: str) -> str | None:
        """Body of an object-like macro in view, the device compiler's own ones included."""
        found = self.unit.macros.get(name)
        if found is not None:
            return found.body if found.params is None else None
        return self._predefined.get(name)

    def defined(self, name: str) -> str | None:
        """Body of any macro in view, "" for one without; None if it is not defined."""
        found = self.unit.macros.get(name)
        return found.body if found is not None else self._predefined.get(name)

    # --------------------------------------------------------------------------------------------------- types

    def type_of(self, name: str) -> Type | None:
        """Type by name; `Record::field` gives the type of a member."""
        if name in self._types:
            return self._types[name]
        self._types[name] = None  # a cycle of aliases ends here
        found = builtin_type(name) or self._declared_type(name)
        self._types[name] = found
        return found

    def _declared_type(self, name: str) -> Type | None:
        plain = name.removeprefix("typename ").removeprefix("struct ").strip()
        owner, _, member = plain.rpartition("::")
        if owner and "<" not in member:
            if (field_type := self._member_type(owner, member)) is not None:
                return field_type
            plain = member
        base, _, arguments = plain.partition("<")
        base = base.strip()
        if not _IDENTIFIER.match(base):
            return None
        body = self.macro(base)
        if body is not None and not arguments and body != base and (found := self._macro_type(body)) is not None:
            return found
        pattern = r"\b(?:struct|class|union|enum|using)\b[^;{}()=]*\bNAME\b|\btypedef\b[^;]*\bNAME\s*;|\}\s*NAME\s*;"
        for unit in self._units_with(base, pattern):
            if (target := unit.aliases.get(base)) is not None and target.type not in ("struct_specifier", "union_specifier"):
                return lower_type_text(self._context(unit, 0), unit.text(target)) if unit.text(target) != base else None
            if (record := unit.records.get(base)) is not None:
                return self._record_type(unit, record, _split_arguments(arguments))
        return None

    def _macro_type(self, body: str) -> Type | None:
        words = body.replace("*", " ").split()
        if not words or len(words) > 4 or not all(_IDENTIFIER.match(word.replace("::", "_")) for word in words):
            return None
        return self.type_of(" ".join(words)) if "*" not in body else None

    def _fields(self, unit: Unit, record: RecordNode) -> list[Variable]:
        body = record.node.child_by_field_name("body")
        if body is None:
            return []
        ctx = self._context(unit, 0)
        result: list[Variable] = []
        for child in body.named_children:
            if child.type == "field_declaration" and any(
                declarator.type != "function_declarator" for declarator in child.children_by_field_name("declarator")
            ):
                result.extend(lower_declaration(ctx, child).variables)
        return [variable for variable in result if variable.storage not in ("static", "constexpr")]

    def _member_type(self, owner: str, member: str) -> Type | None:
        base = owner.rpartition("::")[2].partition("<")[0].strip()
        if not _IDENTIFIER.match(base):
            return None
        for unit in self._units_with(base, r"\b(?:struct|class|union)\b[^;{}()=]*\bNAME\b|\}\s*NAME\s*;"):
            _ = unit.aliases  # anonymous structs are named by their typedef
            if (record := unit.records.get(base)) is not None:
                for variable in self._fields(unit, record):
                    if variable.name == member:
                        from regpress_lint.types import pointer_to

                        return pointer_to(variable.type, len(variable.dims)) if variable.dims else variable.type
        return None

    def _record_type(self, unit: Unit, record: RecordNode, arguments: tuple[str, ...]) -> Type:
        name = record.name or "struct"
        parameters = _template_parameters(unit, record.template, 0)
        bound = dict(zip((parameter.name for parameter in parameters), arguments, strict=False))
        is_union = record.node.type == "union_specifier"
        env = self._bound_environment(bound)
        total, alignment = 0, 1
        for variable in self._fields(unit, record):
            size = variable.type.size
            if size is None and variable.type.name in bound:
                inner = self.type_of(bound[variable.type.name])
                size = inner.size if inner is not None else None
            count = array_elements(variable, env) if variable.dims else 1
            if size is None or count is None:
                return Type(name, None, struct=True)
            align = min(size, 16) if variable.type.lanes > 1 else min(size & -size or 1, 8)
            alignment = max(alignment, align)
            total = max(total, size * count) if is_union else -(-total // align) * align + size * count
        for base in _bases(unit, record.node):
            base_type = self.type_of(base)
            if base_type is None or base_type.size is None:
                return Type(name, None, struct=True)
            total += base_type.size
        return Type(name, max(1, -(-total // alignment) * alignment), struct=True)

    # ----------------------------------------------------------------------------------------------- constants

    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator; None if unknown or if definitions disagree."""
        if name in self._constants:
            return self._constants[name]
        self._constants[name] = None
        value = self._macro_constant(name)
        if value is None:
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
            units = (self.project.unit(path) for path in self.project.includers(self.unit.source.path)[:_MAX_INCLUDERS])
            self._includers = [View(self.project, unit, self.language, is_includer=True) for unit in units if unit is not None]
        return self._includers

    @property
    def environment(self) -> Environment:
        """Evaluation in the view of this file."""
        return Environment(names=self.constant, types=self.type_of)

    def _bound_environment(self, bound: Mapping[str, str]) -> Environment:
        def names(name: str) -> Number | None:
            return self.value_of_text(bound[name]) if name in bound else self.constant(name)

        return Environment(names=names, types=self.type_of)

    def value_of_text(self, text: str) -> Number | None:
        """Value of an expression given as text (a template argument, a macro's body)."""
        return evaluate(self.expression_of_text(text), self.environment)

    def value_with(self, text: str, bindings: Mapping[str, Number]) -> Number | None:
        """`value_of_text` with some names bound (template parameters of one instantiation)."""

        def names(name: str) -> Number | None:
            return bindings[name] if name in bindings else self.constant(name)

        return evaluate(self.expression_of_text(text), Environment(names=names, types=self.type_of))

    def template_parameters(self, function: FunctionNode, unit: Unit | None = None) -> tuple[TemplateParameter, ...]:
        """Template parameters of a definition."""
        return _template_parameters(unit or self.unit, function.template, function.parse_index)

    def expression_of_text(self, text: str) -> Expr | None:
        """Expression given as text, without position; None if it is not one."""
        if text in self._macro_values:
            return self._macro_values[text]
        self._macro_values[text] = result = self._parse_text(text)
        return result

    def _parse_text(self, text: str) -> Expr | None:
        if not text.strip() or len(text) > 400 or text.count("(") != text.count(")"):
            return None
        from regpress_lint.frontend.parse import parse_plain

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
        values: set[Number] = set()
        for macro in self.unit.macros.all(name):
            if macro.params is None and macro.body:
                value = self.value_of_text(macro.body)
                if value is not None:
                    values.add(value)
                    break  # the first definition that is a number: alternatives stand in other `#if` branches
        if not values and name in self._predefined:
            return self.value_of_text(self._predefined[name])
        return next(iter(values)) if len(values) == 1 else None

    def _declared_constant(self, name: str) -> Number | None:
        last = name.rpartition("::")[2]
        if not _IDENTIFIER.match(last):
            return None
        for unit in self._units_with(last, r"\bNAME\b\s*(?:=|\{|,|\})"):
            entries = unit.constants.get(name) or unit.constants.get(_two_last(name)) or unit.constants.get(last)
            if not entries:
                continue
            values = {self._entry_value(unit, entry) for entry in entries}
            return next(iter(values)) if len(values) == 1 else None
        return None

    def _entry_value(self, unit: Unit, entry: Node | int) -> Number | None:
        if isinstance(entry, int):
            return entry
        return evaluate(lower_expression(self._context(unit, 0), entry), self.environment)

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
        for unit in self._units_with(last, r"\bNAME\s*(?:<[^;{}()]*>)?\s*\("):
            for function in unit.functions_by_name.get(last, ()):
                parameters = _parameter_count(function)
                if arguments in parameters:
                    return unit, function
                fallback = fallback or (unit, function)
        return fallback if fallback is not None and arguments < 0 else None

    def find_function(self, name: str, arguments: int) -> Function | None:
        """Lowered definition of a device function, or None if it is not in view."""
        found = self.find_node(name, arguments)
        return self.lower(found[1], found[0]) if found is not None else None

    def lower(self, function: FunctionNode, unit: Unit | None = None, bound: Mapping[str, str] | None = None) -> Function:
        """Our own tree of a function; `bound` gives template parameters their arguments."""
        owner = unit or self.unit
        key = (owner.source.path, function.body.start_byte, repr(sorted((bound or {}).items())))
        if key not in self._functions:
            self._functions[key] = self._lower(function, owner, bound or {})
        return self._functions[key]

    def _lower(self, function: FunctionNode, unit: Unit, bound: Mapping[str, str]) -> Function:
        template = _template_parameters(unit, function.template, function.parse_index)
        ctx = self._context(unit, function.parse_index, self._binding_types(template, bound))
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
            _qualifiers(words, ctx.data[function.node.start_byte : function.body.start_byte]),
            tuple(word for word in words if word.startswith(("[[", "__attribute__"))),
            unit.source.path,
            unparsed=tuple(error_spans(function.body)),
        )

    def lower_lambda(self, node: Node, unit: Unit, parse_index: int, name: str) -> Function:
        """Our own tree of a lambda expression; names from outside are captures."""
        ctx = self._context(unit, parse_index)
        body = node.child_by_field_name("body")
        assert body is not None
        parameters = lower_parameters(ctx, node.child_by_field_name("declarator"))
        block = lower_block(ctx, body)
        span = Span(node.start_byte, node.end_byte)
        return Function(
            name, name, span, Span(node.start_byte, node.start_byte + 1), parameters, block, path=unit.source.path,
            unparsed=tuple(error_spans(body)),
        )  # fmt: skip

    def _binding_types(
        self, template: tuple[TemplateParameter, ...], bound: Mapping[str, str]
    ) -> Callable[[str], Type | None]:
        names = {parameter.name for parameter in template}

        def lookup(name: str) -> Type | None:
            if name in names:
                return self.type_of(bound[name]) if name in bound else None
            return self.type_of(name)

        return lookup

    def head_words(self, function: FunctionNode, unit: Unit) -> tuple[str, ...]:
        """Masked words in front of and inside a function's head (`__global__`, `__launch_bounds__(256)`, attributes)."""
        anchors = unit.anchors[function.parse_index]
        offsets = anchors.offsets
        from bisect import bisect_left

        words: list[str] = []
        low = bisect_left(offsets, function.head_start)
        high = bisect_left(offsets, function.body.start_byte + 1)
        for offset in offsets[low:high]:
            words.extend(anchors.at(offset))
        return tuple(words)

    def context_for_text(self, unit: Unit, parse_index: int) -> Context:
        """A fresh lowering context, for callers that lower single nodes."""
        return self._context(unit, parse_index)

    def _context(
        self, unit: Unit, parse_index: int, types: Callable[[str], Type | None] | None = None
    ) -> Context:
        ctx = Context(
            unit.parses[parse_index].masked.text,
            types or self.type_of,
            unit.anchors[parse_index],
            unit.unrolls,
            self.defined,
        )
        ctx.lower_block = lower_block
        return ctx

    def lower_expression(self, node: Node, unit: Unit | None = None, parse_index: int = 0) -> Expr:
        """Our own tree of an expression outside a kernel (a launch's configuration)."""
        return lower_expression(self._context(unit or self.unit, parse_index), node)


def error_spans(body: Node) -> Iterator[Span]:
    """ERROR and MISSING nodes below a node."""
    stack = [body] if body.has_error else []
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            yield Span(node.start_byte, node.end_byte)
            continue
        stack.extend(child for child in node.children if child.has_error or child.is_missing)


def _two_last(name: str) -> str:
    return "::".join(name.split("::")[-2:])


def _split_arguments(text: str) -> tuple[str, ...]:
    text = text.strip().removesuffix(">")
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char in "<(":
            depth += 1
        elif char in ">)":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return tuple(part for part in parts if part)


def _bases(unit: Unit, node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "base_class_clause":
            yield from (unit.text(base) for base in child.named_children if base.type != "access_specifier")


def _template_parameters(unit: Unit, template: Node | None, parse_index: int) -> tuple[TemplateParameter, ...]:
    parameters = template.child_by_field_name("parameters") if template is not None else None
    if parameters is None:
        return ()
    result: list[TemplateParameter] = []
    for child in parameters.named_children:
        if child.type == "comment":
            continue
        is_type = "type_parameter" in child.type or child.type == "template_template_parameter_declaration"
        name = child.child_by_field_name("name") or child.child_by_field_name("declarator")
        if name is None and is_type:
            name = next((inner for inner in child.named_children if inner.type == "type_identifier"), None)
        default = child.child_by_field_name("default_type") or child.child_by_field_name("default_value")
        result.append(
            TemplateParameter(
                unit.text(name, parse_index).lstrip(". ") if name is not None else "",
                is_type,
                unit.text(default, parse_index) if default is not None else None,
            )
        )
    return tuple(result)


def _parameter_count(function: FunctionNode) -> range:
    parameters = function.declarator.child_by_field_name("parameters")
    if parameters is None:
        return range(0, 1)
    children = [child for child in parameters.named_children if child.type != "comment"]
    if any("variadic" in child.type for child in children):
        return range(len(children) - 1, 100)
    optional = sum(child.type == "optional_parameter_declaration" for child in children)
    if len(children) == 1 and children[0].child_by_field_name("declarator") is None:
        type_node = children[0].child_by_field_name("type")
        if type_node is not None and type_node.type == "primitive_type" and type_node.text == b"void":
            return range(0, 1)
    return range(len(children) - optional, len(children) + 1)


def _qualifiers(words: tuple[str, ...], head: bytes) -> frozenset[str]:
    text = " ".join(words)
    found = {name for name in ("global", "device", "host") if f"__{name}__" in text}
    if _NOINLINE.search(text):
        found.add("noinline")
    if "__forceinline__" in text or "always_inline" in text:
        found.add("forceinline")
    if b"inline" in head:
        found.add("inline")
    if b"virtual" in head:
        found.add("virtual")
    return frozenset(found)
