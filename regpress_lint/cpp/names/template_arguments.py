"""Templates: parameters of a head, the specialisation that a name means, arguments deduced from a call."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.lower.expressions import parse_number
from regpress_lint.cpp.lower.lowering_context import template_arguments
from regpress_lint.cpp.names.definition_nodes import split_owner
from regpress_lint.cpp.parse import above
from regpress_lint.cpp.syntax_tree import TemplateParameter, Type
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode, RecordNode
    from regpress_lint.cpp.names.host_values import Declared, HostValues
    from regpress_lint.cpp.names.parsed_file import ParsedFile


# The content of a definition's head: template parameters, argument counts, qualifiers, bases; and broken bodies.


_NOINLINE = pattern(r"noinline")
_OPEN = itemgetter(0)
_WORD = pattern(r"(?<![\w.:])[A-Za-z_]\w*")


def error_spans(body: Node) -> Iterator[Span]:
    """ERROR and MISSING nodes below a node."""
    stack = [body] if body.has_error else []
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            yield Span(node.start_byte, node.end_byte)
            continue
        stack.extend(child for child in node.children if child.has_error or child.is_missing)


def base_names(parsed: ParsedFile, node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "base_class_clause":
            yield from (parsed.text(base) for base in child.named_children if base.type != "access_specifier")


def _inner_declarator(node: Node) -> Node | None:
    inner = node.child_by_field_name("declarator")
    if inner is None and node.type in ("parenthesized_declarator", "reference_declarator"):
        inner = node.named_children[-1] if node.named_children else None
    return inner


_NAMED_TYPES = ("type_identifier", "qualified_identifier", "template_type")
_VALUES = frozenset(("size_t", "std::size_t", "bool", "int32_t", "uint32_t", "int64_t", "uint64_t", "unsigned"))
_CONCEPTS = frozenset(
    (
        *("integral", "signed_integral", "unsigned_integral", "floating_point", "same_as", "convertible_to"),
        *(
            "derived_from",
            "invocable",
            "regular_invocable",
            "predicate",
            "copyable",
            "movable",
            "semiregular",
            "regular",
        ),
        *("default_initializable", "constructible_from", "ranges::range", "random_access_iterator"),
    )
)
_HEAD = 1000  # bytes of a function's head that are looked at


def template_parameters(parsed: ParsedFile, template: Node | None, parse_index: int) -> tuple[TemplateParameter, ...]:
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
            below = [*child.named_children, *(node for inner in child.named_children for node in inner.named_children)]
            name = next((inner for inner in reversed(below) if inner.type == "type_identifier"), None)
        while not is_type and name is not None and (inside := _inner_declarator(name)) is not None:
            name = inside  # `float (*F)(float)`
        if not is_type and name is not None and template is not None:
            is_type = _is_constrained(parsed, template, child, parsed.text(name, parse_index), parse_index)
        default = child.child_by_field_name("default_type") or child.child_by_field_name("default_value")
        result.append(
            TemplateParameter(
                parsed.text(name, parse_index).lstrip(". ") if name is not None else "",
                is_type,
                parsed.text(default, parse_index) if default is not None else None,
            )
        )
    return tuple(result)


def _is_constrained(parsed: ParsedFile, template: Node, parameter: Node, name: str, parse_index: int) -> bool:
    """True for a type with a concept, `template <std::integral I>`, which reads like a value of a type: by the concept,
    or because a parameter of the function is of it.
    """
    type_ = parameter.child_by_field_name("type")
    if type_ is None or type_.type not in _NAMED_TYPES or not name.isidentifier():
        return False
    text = parsed.text(type_, parse_index).partition("<")[0].strip()
    space, _, last = text.rpartition("::")
    if text in _VALUES:
        return False
    if "concept" in space or (space.startswith("std") and last in _CONCEPTS):
        return True
    end = min(template.end_byte, parameter.end_byte + _HEAD)
    head = parsed.parses[parse_index].masked.text[parameter.end_byte : end].partition(b"{")[0]
    used = rb"[(,]\s*(?:const\s+)?%b\b\s*(?:const\b)?\s*[&*]*\s*\w+\s*[,)=]" % re.escape(name.encode())
    return re.search(used, head) is not None


def parameter_counts(function: FunctionNode) -> range:
    parameters = function.declarator.child_by_field_name("parameters")
    if parameters is None:
        return range(1)
    children = [child for child in parameters.named_children if child.type != "comment"]
    if any("variadic" in child.type for child in children):
        return range(len(children) - 1, 100)
    optional = sum(child.type == "optional_parameter_declaration" for child in children)
    if len(children) == 1 and children[0].child_by_field_name("declarator") is None:
        type_node = children[0].child_by_field_name("type")
        if type_node is not None and type_node.type == "primitive_type" and type_node.text == b"void":
            return range(1)
    return range(len(children) - optional, len(children) + 1)


def qualifiers(words: tuple[str, ...], head: bytes) -> frozenset[str]:
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


def specialised_arguments(parsed: ParsedFile, function: FunctionNode) -> tuple[str, ...]:
    """Template arguments of an explicit specialisation, without blanks."""
    name = function.declarator.child_by_field_name("declarator")
    arguments = name.child_by_field_name("arguments") if name is not None else None
    if arguments is None:
        return ()
    return tuple("".join(parsed.text(child, function.parse_index).split()) for child in arguments.named_children)


# Which definition a name with arguments means: an explicit specialisation, or the template itself.


@lru_cache(maxsize=4096)
def arguments_in(written: str) -> tuple[str, ...]:
    """Template arguments of a name as it is written: of `ns::Traits<float, 4>` the two."""
    _, bracket, rest = written.partition("<")
    return split_template_arguments(rest[: rest.rfind(">") + 1]) if bracket else ()


def same_arguments(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two argument lists mean the same, as far as their texts tell: `unsigned` and `unsigned int` do."""
    return len(one) == len(other) and all(_plain(a) == _plain(b) for a, b in zip(one, other, strict=True))


def _plain(text: str) -> object:
    known = builtin_type(text)
    return known._replace(name="") if known is not None else "".join(text.split()).rpartition("::")[2]


def record_named(parsed: ParsedFile, base: str, written: str) -> RecordNode | None:
    """The class of a file that `written` means, `base` without its arguments: the specialisation for them, an explicit
    one before a partial one, of partial ones the one with the fewest parameters left open.
    """
    arguments = arguments_in(written)
    fitting: list[tuple[int, RecordNode]] = []
    for record in parsed.specialised.get(base, ()) if arguments else ():
        bound = matched_arguments(parsed, record, arguments)
        if bound is not None:
            fitting.append((len(bound), record))
    return min(fitting, key=_OPEN)[1] if fitting else parsed.records.get(base)


def matched_arguments(parsed: ParsedFile, record: RecordNode, arguments: Sequence[str]) -> dict[str, str] | None:
    """The meanings that a specialisation's own parameters have for these arguments, none for an explicit one; None if
    it is not for them, or is the template itself.
    """
    name = record.node.child_by_field_name("name")
    patterns = arguments_in(parsed.text(name)) if name is not None else ()
    if patterns and len(arguments) < len(patterns) and (template := parsed.records.get(record.name)) is not None:
        arguments = tuple(by_parameter(template_parameters(parsed, template.template, 0), arguments).values())
    if not patterns or len(patterns) != len(arguments):
        return None
    bound: dict[str, str] = {}
    own = {parameter.name for parameter in template_parameters(parsed, record.template, 0)}
    fits = all(_match(one, given, own, bound) for one, given in zip(patterns, arguments, strict=True))
    return bound if fits else None


def _match(written: str, given: str, own: Collection[str], bound: dict[str, str]) -> bool:
    """Whether a specialisation's argument as `written` stands for the `given` one: `T`, `T *`, `const T`, `Vec<T, N>`
    in terms of its `own` parameters, which are `bound` to what they mean.
    """
    written, given = written.strip(), given.strip()
    if written in own:
        return bound.setdefault(written, given) == given
    for mark in ("*", "&"):
        if written.endswith(mark):
            return given.endswith(mark) and _match(written[:-1], given[:-1], own, bound)
    if written.startswith("const "):
        return given.startswith("const ") and _match(written[6:], given[6:], own, bound)
    inner, outer = arguments_in(written), arguments_in(given)
    if not inner or len(inner) != len(outer):
        return not inner and same_arguments((written,), (given,))
    same = same_arguments((written.partition("<")[0],), (given.partition("<")[0],))
    return same and all(_match(one, other, own, bound) for one, other in zip(inner, outer, strict=True))


def by_parameter(parameters: Iterable[TemplateParameter], arguments: Sequence[str]) -> dict[str, str]:
    """Arguments by the names of a template's parameters; a default, in terms of the others, where there is none."""
    result: dict[str, str] = {}
    for position, parameter in enumerate(parameters):
        text = arguments[position] if position < len(arguments) else parameter.default if arguments else None
        if text is not None and parameter.name:
            result[parameter.name] = substituted(text, result)
    return result


def substituted(text: str, bound: Mapping[str, str]) -> str:
    """A text with parameters replaced by their arguments."""
    return _WORD.sub(lambda match: bound.get(match[0], match[0]), text) if bound else text


def alias_arguments(parsed: ParsedFile, target: Node, written: str) -> dict[str, str]:
    """Arguments of the template `template <...> using name = target;` by its parameters, for the name as written."""
    definition = target.parent
    around = definition.parent if definition is not None and definition.type == "alias_declaration" else None
    if around is None or around.type != "template_declaration":
        return {}
    return by_parameter(template_parameters(parsed, around, 0), arguments_in(written))


def for_class(parsed: ParsedFile, functions: Iterable[FunctionNode], written: str) -> list[FunctionNode]:
    """Member functions of one class of a file, first those of the specialisation that `written` means."""
    arguments = arguments_in(written)
    chosen: dict[str, RecordNode | None] = {}

    def rank(function: FunctionNode) -> int:
        owner = function.record or split_owner(function.qualified)[0]
        own = arguments_in(owner)
        if not function.record and function.template is not None:  # `template <class T> void Foo<T>::run()`
            own = own if not function.template.child_by_field_name("parameters") else ()
        if not own or same_arguments(own, arguments):
            return 1 if not own else 0
        base = owner.partition("<")[0].rpartition("::")[2].strip()
        if base not in chosen:
            chosen[base] = record_named(parsed, base, written)
        record = chosen[base]
        name = record.node.child_by_field_name("name") if record is not None else None
        return 0 if name is not None and arguments_in(parsed.text(name)) == own else 2

    return sorted(functions, key=rank)


def explicit_arguments(function: FunctionNode) -> tuple[str, ...]:
    """Arguments of an explicit specialisation of a function template, `template <> float largest<float>()`."""
    last = split_owner(function.qualified)[1]
    return arguments_in(last) if not last.startswith("operator") else ()


def for_arguments(functions: Iterable[FunctionNode], arguments: Sequence[str]) -> FunctionNode | None:
    """The explicit specialisation for these arguments."""
    found = (
        function for function in functions if (own := explicit_arguments(function)) and same_arguments(own, arguments)
    )
    return next(found, None)


# Types of host expressions, as their declarations spell them: what a call deduces template arguments from.


LAMBDA = "(lambda at "  # begins the name of a lambda's type; the file and the byte offset follow
_CAPTURED_BYTES = 8  # of a lambda's object; what it captures are arguments of the kernel, one by one
_MAX_DEPTH = 6  # of expressions around a variable
_QUALIFIER = pattern(r"\b(?:const|volatile|typename|struct|class)\b")
_POINTERS = ("pointer_declarator", "abstract_pointer_declarator", "array_declarator", "abstract_array_declarator")
_DECLARATIONS = ("declaration", "parameter_declaration", "optional_parameter_declaration")
_ALIASES = ("alias_declaration", "type_definition")
_SCOPES = frozenset(("compound_statement", "translation_unit", "for_statement", "declaration_list", "case_statement"))


class _Written(NamedTuple):
    """A type as it is spelled, without qualifiers, and the pointers around it."""

    base: str
    pointers: int


def lambda_type(name: str) -> Type:
    """Type of a lambda's object."""
    return Type(name, _CAPTURED_BYTES, struct=True)


def arguments_of(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def template_arguments_of(values: HostValues, call: Node) -> tuple[str, ...]:
    """Template arguments that a call writes out."""
    tail = call.child_by_field_name("function")
    while tail is not None and tail.type == "qualified_identifier":
        tail = tail.child_by_field_name("name")
    if tail is None or tail.type != "template_function":
        return ()
    ctx = values.scope.context_for_text(values.parsed, values.parse_index)
    return template_arguments(ctx, tail.child_by_field_name("arguments"))


def deduced(
    values: HostValues, function: FunctionNode, parsed: ParsedFile, name: str, arguments: Iterable[Node]
) -> Iterator[str]:
    """Template argument that each argument of type `T`, `T *`, `const T &`, ... gives, as the host spells it."""
    listed = function.declarator.child_by_field_name("parameters")
    wanted = [child for child in listed.named_children if child.type != "comment"] if listed is not None else []
    for child, argument in zip(wanted, arguments, strict=False):
        type_node = child.child_by_field_name("type")
        if type_node is None or parsed.text(type_node, function.parse_index) != name or "variadic" in child.type:
            continue
        given = _type_of(values, argument, 0)
        rest = given.pointers - _pointers(child.child_by_field_name("declarator")) if given is not None else -1
        if given is not None and rest >= 0:
            yield given.base + " *" * rest


@lru_cache(maxsize=1024)
def _written(text: str) -> _Written | None:
    head, bracket, tail = text.rpartition(">")  # pointers among template arguments are theirs
    outside = tail.replace("*", " ").replace("&", " ")
    base = " ".join(_QUALIFIER.sub(" ", head + bracket + outside).split())
    return _Written(base, tail.count("*")) if base and base not in ("auto", "void") else None


def _pointers(declarator: Node | None) -> int:
    """Levels of pointers and array extents around a declared name."""
    count = 0
    while declarator is not None:
        count += declarator.type in _POINTERS
        declarator = declarator.child_by_field_name("declarator") or next(
            (child for child in declarator.named_children if child.type.endswith("declarator")), None
        )
    return count


def _type_of(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of a host expression as its declarations spell it."""
    if depth > _MAX_DEPTH:
        return None
    kind = node.type
    if kind == "lambda_expression":
        return _Written(f"{LAMBDA}{values.parsed.source.path}:{node.start_byte})", 0)
    if kind == "compound_literal_expression":
        target = node.child_by_field_name("type")
        return _written(values.parsed.text(target)) if target is not None else None
    if kind == "identifier":
        return _declared(values, node, depth)
    if kind == "parenthesized_expression" and node.named_child_count == 1:
        return _type_of(values, node.named_children[0], depth + 1)
    if kind == "cast_expression":
        target = node.child_by_field_name("type")
        return _written(values.parsed.text(target)) if target is not None else None
    if kind == "number_literal":
        literal = parse_number(values.parsed.text(node))
        return _Written(literal.kind, 0) if literal is not None else None
    if kind == "call_expression":
        return _type_of_call(values, node, depth)
    if kind in ("pointer_expression", "subscript_expression"):
        inner = node.child_by_field_name("argument")
        found = _type_of(values, inner, depth + 1) if inner is not None else None
        step = 1 if kind == "pointer_expression" and node.children[0].type == "&" else -1
        return found._replace(pointers=found.pointers + step) if found is not None else None
    if kind == "binary_expression":
        sides = [node.child_by_field_name(field) for field in ("left", "right")]
        types = [_type_of(values, side, depth + 1) for side in sides if side is not None]
        return next((type_ for type_ in types if type_ is not None and type_.pointers), None)
    return None


def _type_of_call(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of a cast, of `std::move(x)`, or of an object made on the spot: `Functor<float>()`."""
    callee = node.child_by_field_name("function")
    text = values.parsed.text(callee) if callee is not None else ""
    name = text.partition("<")[0].rpartition("::")[2].strip()
    if name.endswith("_cast"):
        given = template_arguments_of(values, node)
        return _written(given[0]) if len(given) == 1 else None
    arguments = arguments_of(node)
    if name in ("move", "ref", "forward") and len(arguments) == 1:
        return _type_of(values, arguments[0], depth + 1)
    if not name or (values.parsed.records.get(name) is None and values.scope.record(name) is None):
        return None
    return _written(text)


def _declared(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of the declaration that a name means."""
    return _declared_name(values, node, values.parsed.text(node), depth)


def type_of_name(values: HostValues, node: Node, name: str) -> str | None:
    """Type of a variable as seen at a node, as the host spells it."""
    found = declaration_of(values, node, name)
    return type_of_declaration(values, *found) if found is not None else None


def type_of_declaration(values: HostValues, declaration: Node, declarator: Node) -> str | None:
    """Type that a declaration gives a variable, as the host spells it."""
    found = _declared_type(values, declaration, declarator, 0)
    return found.base + " *" * found.pointers if found is not None else None


def declaration_of(values: HostValues, node: Node, name: str) -> tuple[Node, Node] | None:
    """The declaration and the declarator that a name means as seen at a node: the nearest, from the inside out."""
    for declared, end in _scopes_around(values, node):
        for found in reversed(declared.get(name, ())):
            if end is None or found[0].start_byte < end:
                return found
    return None


def _scopes_around(values: HostValues, node: Node) -> list[tuple[Declared, int | None]]:
    """The declarations of the scopes around a node, from the inside out, and the end of those that apply (None: all of
    a function's parameters do); looked up once, because a lambda needs them for each of its words.
    """
    known = values.around.get(node.id)
    if known is None:
        known = values.around[node.id] = []
        child = node
        for scope in above(values.root, node):
            if scope.type == "function_definition":
                known.append((_declarations_in(values, scope), None))
            elif scope.type in _SCOPES:
                known.append((_declarations_in(values, scope), child.start_byte))
            child = scope
    return known


def _declarations_in(values: HostValues, scope: Node) -> Declared:
    """The declarations of a scope itself, or a function's parameters; looked up once."""
    found = values.declared.get(scope.id)
    if found is None:
        found = values.declared[scope.id] = {}
        for candidate in _parameters(scope) if scope.type == "function_definition" else scope.named_children:
            if candidate.type in _DECLARATIONS:
                for name, declarator in _declarators(values, candidate).items():
                    found.setdefault(name, []).append((candidate, declarator))
    return found


def _declared_name(values: HostValues, node: Node, name: str, depth: int) -> _Written | None:
    found = declaration_of(values, node, name)
    return _declared_type(values, *found, depth) if found is not None else None


def _in_front(node: Node) -> Iterator[Node]:
    """Statements and parameters that may declare what a name means: the nearest first, from the inside out."""
    child, scope = node, node.parent
    while scope is not None:
        if scope.type == "function_definition":
            yield from reversed(_parameters(scope))
        elif scope.type in _SCOPES:
            yield from reversed([other for other in scope.named_children if other.start_byte < child.start_byte])
        child, scope = scope, scope.parent


def local_alias(values: HostValues, name: str, offset: int) -> Node | None:
    """The type that `using` or `typedef` gives a name inside the function around an offset."""
    node = values.root.descendant_for_byte_range(offset, offset) if values.may_be_alias(name) else None
    for candidate in _in_front(node) if node is not None else ():
        if candidate.type not in _ALIASES:
            continue
        parent = candidate.parent
        if parent is not None and parent.type in ("translation_unit", "declaration_list"):
            return None
        declared = candidate.child_by_field_name("name" if candidate.type == "alias_declaration" else "declarator")
        if declared is not None and values.parsed.text(declared) == name:
            return candidate.child_by_field_name("type")
    return None


def _parameters(function: Node) -> list[Node]:
    """The parameters in the parentheses of a function's head."""
    head = function.child_by_field_name("declarator")
    while head is not None and head.type != "function_declarator":
        head = head.child_by_field_name("declarator")
    listed = head.child_by_field_name("parameters") if head is not None else None
    return listed.named_children if listed is not None else []


def _declarators(values: HostValues, declaration: Node) -> dict[str, Node]:
    """The names that a declaration gives, each with its declarator."""
    found: dict[str, Node] = {}
    for declarator in declaration.children_by_field_name("declarator"):
        inner: Node | None = declarator
        while inner is not None and inner.type != "identifier":
            inner = inner.child_by_field_name("declarator") or next(
                (other for other in inner.named_children if other.type.endswith(("declarator", "identifier"))), None
            )
        if inner is not None:
            found.setdefault(values.parsed.text(inner), declarator)
    return found


def _declared_type(values: HostValues, declaration: Node, declarator: Node, depth: int) -> _Written | None:
    type_node = declaration.child_by_field_name("type")
    if type_node is None or declarator.type == "structured_binding_declarator":
        return None
    if type_node.type == "placeholder_type_specifier":
        value = declarator.child_by_field_name("value")
        return _type_of(values, value, depth + 1) if value is not None else None
    found = _written(values.parsed.text(type_node))
    return found._replace(pointers=_pointers(declarator)) if found is not None else None
