"""Functions by name: members of classes, instances of templates, lambdas, and those that a linker brings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import prototypes
from regpress_lint.cpp.lower.declared_types import lower_type_text
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.names.class_templates import bases_of, class_arguments
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, RECORDS, class_name, split_owner
from regpress_lint.cpp.names.host_values import HostValues
from regpress_lint.cpp.names.parsed_file import CALLED, CONVERSIONS, FUNCTION, OPERATOR
from regpress_lint.cpp.names.template_arguments import (
    arguments_in,
    explicit_arguments,
    for_arguments,
    for_class,
    parameter_counts,
    template_parameters,
)
from regpress_lint.cpp.names.written_types import LAMBDA, declaration_of, type_of_declaration
from regpress_lint.cpp.syntax_tree import Name, Type, Variable
from regpress_lint.cpp.types import ASSUMED, OF_A_LIBRARY, VIEW_BYTES, builtin_type, view_member, view_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Headers, Scope
    from regpress_lint.cpp.syntax_tree import Function


# Types of portability layers: views, their members, and names for numbers, whether or not their headers are available.
#
# A layer's own headers spell them in several thousand lines of templates, out of which no reader of sources gets
# further than a compiler's front end would. So built-in knowledge of the layer takes precedence over its headers.


# AMReX is built for double unless somebody asks for float (`AMReX_REAL.H`, `AMReX_INT.H`).
_ALIASES = {
    "amrex": (
        (b"AMREX_", b"AMReX", b"amrex::"),
        {"Real": "double", "ParticleReal": "double", "Long": "long long", "ULong": "unsigned long long"},
    ),
    "RAJA": ((b"RAJA",), {"Index_type": "long", "Real_type": "double"}),
}
_MARKS = (b"KOKKOS_", b"Kokkos", b"AMREX_", b"RAJA", b"mdspan")


def layer_type(scope: Scope, name: str) -> Type | None:
    """A view by its type's name, or a member of one: `Kokkos::View<double**>::data`."""
    if not name.endswith(">"):
        owner, member = split_owner(name) if ">::" in name else ("", "")
        spelled = view_member(owner, member) if owner else None
        return lower_type_text(scope.context_for_text(scope.parsed, 0), spelled) if spelled is not None else None
    if view_shape(name) is None:
        return None
    if not OF_A_LIBRARY.match(name) and not any(mark in scope.parsed.source.data for mark in _MARKS):
        return None
    return Type(name, VIEW_BYTES, struct=True)


def layer_alias(scope: Scope, name: str) -> Type | None:
    """A layer's name for a number where no known header defines it; a view by the name that a function of the
    host gives its type.
    """
    space, _, last = name.rpartition("::")
    if not space and (spelled := _local_view(scope, name)) is not None:
        return lower_type_text(scope.context_for_text(scope.parsed, 0), spelled)
    for layer, (marks, aliases) in _ALIASES.items():
        if last in aliases and space in ("", layer) and any(mark in scope.parsed.source.data for mark in marks):
            return builtin_type(aliases[last])
    return None


# What members of AMReX' containers give, of MultiFab and its like: an `auto` is that.
_MADE = (
    (pattern(rb"(?:\.|->)\s*(?:const_)?arrays\s*\(\s*\)"), "amrex::MultiArray4<amrex::Real>"),
    (pattern(rb"(?:\.|->)\s*(?:const_)?array\s*\("), "amrex::Array4<amrex::Real>"),
)


def made_view(data: bytes, declaration: bytes) -> str | None:
    """The type of a view that is declared `auto`, from its initialiser; None for anything else."""
    if b"AMREX_" not in data or b"auto" not in declaration or declaration.count(b"=") != 1:
        return None
    value = declaration.partition(b"=")[2]
    return next((spelled for form, spelled in _MADE if form.search(value)), None)


def assumed_view(data: bytes, name: str, type_: Type) -> Type | None:
    """The type of an object of Kokkos by how it is used, where its class is not known: `x(i, j)` of a `ViewType x`."""
    if type_.size is not None or type_.pointers or b"KOKKOS_" not in data:
        return None
    if re.search(rb"(?<![\w.>])%b\s*\(\s*[\w(]" % re.escape(name.encode()), data) is None:
        return None
    return Type(ASSUMED, VIEW_BYTES, struct=True)


def _local_view(scope: Scope, name: str) -> str | None:
    """The view of `using name = ...;` in a function, if all of a file's agree."""
    data = scope.parsed.source.data
    if not name.isidentifier() or b"using " + name.encode() not in data:
        return None
    found = {
        " ".join(match.decode("utf-8", "replace").split())
        for match in re.findall(rb"\busing\s+%b\s*=\s*([^;]{1,500});" % name.encode(), data)
    }
    spelled = found.pop() if len(found) == 1 else ""
    return spelled if view_shape(spelled.removeprefix("const ").removeprefix("typename ")) is not None else None


# Lambdas of the host that are passed to a kernel: their types have names, and calling one executes its body.
#
# The name of a lambda's type says where it is and the template arguments around it: `(lambda at
# main.cu:812; T = float)`.


_WORDS_OF_INCLUDE = 8  # `include` and the parts of a path
_FILE_LEVEL = ("translation_unit", "declaration_list")
_WORD = pattern(rb"(?<!->)(?<![\w.:])[A-Za-z_]\w*")


def named(text: str, environment: Mapping[str, str]) -> str:
    """Name of a lambda's type with the template parameters around it."""
    if not environment or ";" in text:
        return text
    return text.removesuffix(")") + "".join(f"; {name} = {value}" for name, value in environment.items()) + ")"


def shown(text: str, scope: Scope) -> str:
    """Name of a lambda's type for a reader: file and line."""
    parsed, offset, _ = _parts(scope, text)
    return f"{LAMBDA}{parsed.source.path}:{parsed.source.line_of(offset)})" if parsed is not None else text


def lambda_body(scope: Scope, name: str) -> Function | None:
    """The function that a call of such a lambda executes; what it captures are arguments of the kernel."""
    parsed, offset, environment = _parts(scope, name)
    if parsed is None:
        return None
    node = parsed.parses[0].tree.root_node.descendant_for_byte_range(offset, offset + 1)
    while node is not None and node.type != "lambda_expression":
        node = node.parent
    if node is None or node.start_byte != offset:
        return None
    outside = captured(HostValues(scope, parsed), node, environment)
    return scope.lower_lambda(node, parsed, 0, "operator()", outside, environment)


def _parts(scope: Scope, name: str) -> tuple[ParsedFile | None, int, Mapping[str, str]]:
    place, *bound = name.removeprefix(LAMBDA).removesuffix(")").split("; ")
    path, _, offset = place.rpartition(":")
    parsed = scope.parsed if path == scope.parsed.source.path else scope.project.parsed(path)
    environment = dict(part.split(" = ", 1) for part in bound if " = " in part)
    return parsed, int(offset) if offset.isdigit() else 0, environment


def captured(values: HostValues, node: Node, environment: Mapping[str, str]) -> dict[str, Variable]:
    """Variables of the function around a lambda that its body names."""
    result: dict[str, Variable] = {}
    ctx = values.scope.context_for_text(values.parsed, values.parse_index, environment)
    for name in named_in(values, node):
        found = declaration_of(values, node, name)
        spelled = type_of_declaration(values, *found) if found is not None and _is_local(found[0]) else None
        if found is not None and (spelled is None or spelled.split()[-1] in ("auto", "const")):
            declared = values.text[found[0].start_byte : found[0].end_byte]
            spelled = made_view(values.parsed.source.data, declared) or spelled
        if found is None or spelled is None:
            continue
        text = f"const {spelled}" if spelled.endswith("*") and _is_const(values, found[0]) else spelled
        type_ = lower_type_text(ctx, text)
        type_ = assumed_view(values.parsed.source.data, name, type_) or type_
        result[name] = Variable(name, type_, span_of(node), span_of(node), "capture")
    return result


def _is_const(values: HostValues, declaration: Node) -> bool:
    """Whether what a declared pointer points to is `const`."""
    qualifiers = (child for child in declaration.children if child.type == "type_qualifier")
    return any(values.parsed.text(qualifier, values.parse_index) == "const" for qualifier in qualifiers)


def constants_around(values: HostValues, node: Node, bound: Mapping[str, Number]) -> dict[str, Number]:
    """Values of the `const` and `constexpr` locals around a lambda that its body names: they are no captures.

    bound: the template parameters around it.
    """
    result: dict[str, Number] = {}
    for name in named_in(values, node):
        found = declaration_of(values, node, name)
        if found is None or found[0].type != "declaration" or not _is_local(found[0]):
            continue
        words = {
            values.parsed.text(child, values.parse_index) for child in found[0].children if "qualifier" in child.type
        }
        if words.isdisjoint(("const", "constexpr")) or found[1].type != "init_declarator":
            continue
        span = span_of(node)
        if (number := values.number_in(Name(span, name), node.start_byte, bound)) is not None:
            result[name] = number
    return result


def included_body(scope: Scope, node: Node, parse_index: int) -> ParsedFile | None:
    """The file whose text is the whole body of a lambda, by an `#include`."""
    body = node.child_by_field_name("body")
    inside = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    path = inside[0].child_by_field_name("path") if len(inside) == 1 and inside[0].type == "preproc_include" else None
    if path is None:
        return None
    name = scope.parsed.text(path, parse_index).strip('"<>')
    ending = f"/{name.lstrip('./')}"
    found = (header for header in scope.project.closure(scope.parsed) if f"/{header}".endswith(ending))
    return scope.project.parsed(header) if (header := next(found, None)) is not None else None


def _is_local(declaration: Node) -> bool:
    """False for names that a file or a namespace declares, which are known anyway."""
    parent = declaration.parent
    return parent is not None and parent.type not in _FILE_LEVEL


def named_in(values: HostValues, node: Node) -> list[str]:
    """Words of a lambda's body that may be names, each once, also of its included text."""
    body = node.child_by_field_name("body")
    words = _WORD.findall(values.text, body.start_byte, body.end_byte) if body is not None else []
    annexes = values.parsed.annexes[values.parse_index]
    waiting = [body] if body is not None and annexes else []
    while waiting:  # what is included among the statements, and what that includes
        around = waiting.pop()
        for offset, block in annexes.items():
            if around.start_byte <= offset < around.end_byte:
                words += _WORD.findall(values.text, block.start_byte, block.end_byte)
                waiting.append(block)
    if len(words) <= _WORDS_OF_INCLUDE and (other := included_body(values.scope, node, values.parse_index)) is not None:
        words = _WORD.findall(other.parses[0].masked.text)
    return [word.decode("utf-8", "replace") for word in dict.fromkeys(words)]


# Arguments that instantiations of a template have: what several agree on, how they are shown, which are large.


def agreed_on(found: Iterable[Mapping[str, str]]) -> Mapping[str, str]:
    """Bindings that several instantiations agree on."""
    first, *others = found
    return {name: text for name, text in first.items() if all(other.get(name) == text for other in others)}


def shown_argument(text: str, scope: Scope) -> str:
    """An argument for a reader: a lambda by its line."""
    if not text.startswith(LAMBDA):
        return text

    return shown(text, scope)


def weight(scope: Scope, arguments: Mapping[str, str]) -> float:
    """How large an instantiation is likely to be: sizes of types and values, multiplied."""
    result = 1.0
    for text in arguments.values():
        type_ = scope.type_of(text) if not text[:1].isdigit() else None
        size = type_.size if type_ is not None else scope.value_of_text(text)
        result *= size if size is not None and size > 1 else 1
    return result


# Device functions that a linker brings: declared here, defined in another program unit.


def is_linked(headers: Headers, name: str) -> bool:
    """True for the name of a device function with a visible declaration but no visible definition. Of other files a
    compiler sees nothing when it compiles this one, so it cannot inline the call.
    """
    if not name.isidentifier() or name.startswith("__"):  # what vendors bring with the compiler is inlined
        return False
    for parsed in headers.saying(name, CALLED):
        if name in parsed.words and name.encode() in prototypes(parsed.source.data):
            return not any(name in parsed.functions_by_name for parsed in headers.saying(name, FUNCTION))
    return False


# Functions asked for in another form: a template with its types bound, a member function of a class.


_NAME = pattern(r"(?!(?:true|false)$)[A-Za-z_:(]")  # a type, a function or a lambda, no number
_LATE = pattern(rb"\b(?:virtual|override)\b")
_FINAL = pattern(rb"\)[^(]*\bfinal\b")
_OPERATOR = pattern(r"operator\b\s*(.+)$")
_SUM = pattern(r"\(*\d+(?:\s*[-+*/%]\s*[\d()]+)+")  # numbers alone, with an operator
_MAX_BASES = 4  # levels of base classes and aliases


def specialised(scope: Scope, function: Function, bound: Mapping[str, str]) -> Function:
    """The function lowered with parameters of its template bound to texts of types and functions, or the explicit
    specialisation for them; the same object if nothing is bound.
    """
    if not bound:
        return function
    key = ("specialised", function, tuple(bound.items()))
    return scope.remember(key, lambda: _specialised(scope, function, bound))


def _specialised(scope: Scope, function: Function, bound: Mapping[str, str]) -> Function:
    found = node_of(scope, function)
    if found is None:
        return function
    parsed, node = found
    arguments = [
        bound.get(parameter.name, "") for parameter in template_parameters(parsed, node.template, node.parse_index)
    ]
    if (special := for_arguments(parsed.functions_by_name.get(function.name, ()), arguments)) is not None:
        return scope.lower(special, parsed)
    names = _parameters(parsed, node)
    wanted = {name: text for name, text in bound.items() if name in names and _NAME.match(text)}
    return scope.lower(node, parsed, wanted) if wanted else function


def specialisations(scope: Scope, function: Function) -> Mapping[tuple[str, ...], FunctionNode]:
    """The explicit specialisations of a function template beside it, or beside one of them where the template has no
    body, by their arguments; none of member functions.
    """
    return scope.remember(("specialisations", function), lambda: _specialisations(scope, function))


def _specialisations(scope: Scope, function: Function) -> Mapping[tuple[str, ...], FunctionNode]:
    found = node_of(scope, function)
    if found is None or _owner(found[1]) or found[1].template is None:
        return {}
    nodes = found[0].functions_by_name.get(function.name, ())
    return {own: node for node in nodes if not node.record and (own := explicit_arguments(node))}


def explicit(scope: Scope, function: Function, arguments: Sequence[str]) -> Function | None:
    """The explicit specialisation of a function template for these arguments."""
    found = node_of(scope, function)
    node = for_arguments(specialisations(scope, function).values(), arguments)
    return scope.lower(node, found[0]) if found is not None and node is not None else None


def befriended(scope: Scope, function: Function, type_names: Iterable[str]) -> Function:
    """A friend that a class template defines in its body, with the arguments that one of these types has."""
    found = node_of(scope, function)
    outer = found[1].node.parent if found is not None else None
    while outer is not None and outer.type not in RECORDS:
        outer = outer.parent
    name = outer.child_by_field_name("name") if outer is not None else None
    if found is None or name is None:
        return function
    owner = found[0].text(name).partition("<")[0]
    written = next((type_name for type_name in type_names if "<" in type_name and class_name(type_name) == owner), None)
    if written is None:
        return function
    made = scope.lower(found[1], found[0], class_arguments(scope, found[0], owner, written))
    made.owner = written
    return made


def unbound(scope: Scope, function: Function) -> Function:
    """The function lowered with no template parameter bound."""
    found = node_of(scope, function)
    return scope.lower(found[1], found[0]) if found is not None else function


def node_of(scope: Scope, function: Function) -> tuple[ParsedFile, FunctionNode] | None:
    """The definition that a function was lowered from."""
    parsed = scope.parsed if function.path == scope.parsed.source.path else scope.project.parsed(function.path)
    if parsed is None:
        return None
    nodes = parsed.functions_by_name.get(function.name, ())
    return next(((parsed, node) for node in nodes if node.body.start_byte == function.body_span.start), None)


def _parameters(parsed: ParsedFile, node: FunctionNode) -> frozenset[str]:
    """Names of the template parameters of a function and of the class around it."""
    record = parsed.records.get(node.record)
    heads = ((node.template, node.parse_index), (record.template if record is not None else None, 0))
    return frozenset(
        parameter.name
        for template, parse_index in heads
        for parameter in template_parameters(parsed, template, parse_index)
    )


def method(scope: Scope, type_name: str, name: str, arity: int) -> Function | None:
    """Definition of a member function of a visible class, of its bases if it has none of that name and arity itself."""
    type_name = _computed(scope, type_name)
    return scope.remember(("method", type_name, name, arity), lambda: _lowered(scope, type_name, name, arity))


def _computed(scope: Scope, type_name: str) -> str:
    """`Steps<4 - 1>` as `Steps<3>`: which specialisation is meant hangs on it."""
    if _SUM.search(type_name) is None:
        return type_name
    base, _, rest = type_name.partition("<")
    arguments = arguments_in(type_name)
    values = [scope.value_of_text(text) if _SUM.fullmatch(text) else None for text in arguments]
    texts = [text if value is None else str(value) for text, value in zip(arguments, values, strict=True)]
    return f"{base}<{', '.join(texts)}>" if rest.endswith(">") else type_name


def specialised_method(scope: Scope, type_name: str, name: str, arguments: tuple[str, ...]) -> Function | None:
    """The explicit specialisation of a member function, `template <> float Rng::next<float>()`, for these arguments."""
    return scope.remember(
        ("specialised method", type_name, name, arguments), lambda: _special(scope, type_name, name, arguments)
    )


def _special(scope: Scope, type_name: str, name: str, arguments: tuple[str, ...]) -> Function | None:
    for parsed in scope.headers.saying(name, CALLED):
        own = for_class(parsed, parsed.members.get((class_name(type_name), name), ()), type_name, scope.value_of_text)
        if (found := for_arguments(own, arguments)) is not None:
            return scope.lower(found, parsed, class_arguments(scope, parsed, found.record, type_name))
    return None


def methods(scope: Scope, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
    """All member functions of that name and arity of the class, or base, that `method` finds one in."""
    key = ("methods", type_name, name, arity)
    own = scope.remember(key, lambda: tuple(_all_lowered(scope, type_name, name, arity)))
    if own or type_name.startswith(LAMBDA):
        return own
    return next(filter(None, (methods(other, type_name, name, arity) for other in scope.includer_scopes())), ())


def _all_lowered(scope: Scope, type_name: str, name: str, arity: int) -> Iterator[Function]:
    found = () if type_name.startswith(LAMBDA) else _methods(scope, type_name, name, arity, 0)
    for parsed, node, written in found:
        made = scope.lower(node, parsed, bound := class_arguments(scope, parsed, node.record, written))
        if bound:
            made.owner = written.replace("const ", "").strip(" *&")
        yield made


def _lowered(scope: Scope, type_name: str, name: str, arity: int) -> Function | None:
    if type_name.startswith(LAMBDA):
        return _of_lambda(scope, type_name, name)
    return next(iter(methods(scope, type_name, name, arity)), None)


def conversions(scope: Scope, type_name: str) -> tuple[Function, ...]:
    """The functions that convert objects of a class to other types, of its bases if it has none itself."""
    return methods(scope, type_name, CONVERSIONS, 0) if scope.has_operator(CONVERSIONS) else ()


def destructors(scope: Scope, type_name: str, depth: int = 0) -> tuple[Function, ...]:
    """What runs when an object of a class ends, its members' aside: its own destructor, then those of its bases."""
    owner = class_name(type_name)
    if depth > _MAX_BASES or not IDENTIFIER.match(owner):
        return ()
    above = (destructor for base in bases_of(scope, type_name) for destructor in destructors(scope, base, depth + 1))
    return (*methods(scope, type_name, f"~{owner}", 0), *above)


def is_virtual(scope: Scope, type_name: str, name: str) -> bool:
    """True if calls of a member function through a pointer to that class are bound at run time: the class or one of its
    bases declares it `virtual` or `override`, and neither it nor the class is `final`.
    """
    return bool(
        scope.remember(("virtual", type_name, name), lambda: _is_virtual(scope, class_name(type_name), name, 0))
    )


def _is_virtual(scope: Scope, owner: str, name: str, depth: int) -> bool | None:
    """None if neither the class nor its bases have the function, as far as they are known."""
    if depth > _MAX_BASES or not IDENTIFIER.match(owner):
        return None
    if (found := scope.record(owner)) is not None:
        parsed, record = found
        body = record.node.child_by_field_name("body")
        if body is not None and b"final" in parsed.source.data[record.node.start_byte : body.start_byte]:
            return False
        for member in body.named_children if body is not None else ():
            head = _head_of_member(parsed, member, name)
            if head and _LATE.search(head):
                return _FINAL.search(head) is None
    inherited = (_is_virtual(scope, class_name(other), name, depth + 1) for other in bases_of(scope, owner))
    return next((answer for answer in inherited if answer is not None), None)


def _head_of_member(parsed: ParsedFile, member: Node, name: str) -> bytes:
    """A member function's text without its body, nothing for other members."""
    if member.type not in ("field_declaration", "function_definition"):
        return b""
    body = member.child_by_field_name("body")
    head = parsed.source.data[member.start_byte : body.start_byte if body is not None else member.end_byte]
    return head if re.search(rb"\b%s\s*\(" % re.escape(name.encode()), head) else b""


def _of_lambda(scope: Scope, type_name: str, name: str) -> Function | None:

    return lambda_body(scope, type_name) if name == "operator()" else None


def _methods(
    scope: Scope, type_name: str, name: str, arity: int, depth: int
) -> list[tuple[ParsedFile, FunctionNode, str]]:
    """Member functions, each with the class that it is of as its arguments spell it."""
    owner = class_name(type_name)
    if depth > _MAX_BASES or not IDENTIFIER.match(owner):
        return []
    operator = _OPERATOR.match(name) is not None
    if not operator and not IDENTIFIER.match(name.removeprefix("~")):
        return []
    key = owner, "".join(name.split()) if operator else name
    for parsed in scope.headers.saying(OPERATOR if operator else name.removeprefix("~"), CALLED):
        own = for_class(parsed, parsed.members.get(key, ()), type_name, scope.value_of_text)
        fitting = [(parsed, function) for function in own if arity < 0 or arity in parameter_counts(function)]
        fitting = [each for each in fitting if not explicit_arguments(each[1])] or fitting
        if fitting:  # of one class: another specialisation's are none of its overloads
            first = _owner(fitting[0][1])
            return [(parsed, function, type_name) for _, function in fitting if _owner(function) == first]
    inherited = (_methods(scope, other, name, arity, depth + 1) for other in bases_of(scope, type_name))
    return next(filter(None, inherited), [])


def _owner(function: FunctionNode) -> str:
    return function.record or split_owner(function.qualified)[0]
