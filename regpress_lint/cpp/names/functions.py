"""Functions: found by name, as members of classes and instances of templates, and lowered to our own tree."""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.core.running import checkpoint
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import prototypes
from regpress_lint.cpp.lower.declarations import lower_parameters
from regpress_lint.cpp.lower.declared_types import BY_ATTRIBUTE, gives_an_object, lower_type_text, product, vector_type
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import Context, span_of
from regpress_lint.cpp.lower.statements import lower_block
from regpress_lint.cpp.lower.sycl_calls import as_number
from regpress_lint.cpp.mask.macro_blocks import KIND as BLOCK
from regpress_lint.cpp.names.definition_nodes import CONVERSION, IDENTIFIER, RECORDS, class_name, owner_of, split_owner
from regpress_lint.cpp.names.definitions import file_variables, scoped_names, visible_in
from regpress_lint.cpp.names.host_types import LAMBDA, lambda_body
from regpress_lint.cpp.names.parsed_file import CALLED, CONVERSIONS, FUNCTION, OPERATOR
from regpress_lint.cpp.names.templates import (
    arguments_in,
    base_names,
    bases_of,
    class_arguments,
    explicit_arguments,
    for_arguments,
    for_class,
    parameter_counts,
    qualifiers,
    template_parameters,
)
from regpress_lint.cpp.parse import error_nodes
from regpress_lint.cpp.syntax_tree import Assign, Block, Call, Evaluate, Function, InitList, Member, Name, Unread

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Headers, Scope
    from regpress_lint.cpp.syntax_tree import Stmt, TemplateParameter, Type, Variable


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
    definition = node_of(scope, function)
    if definition is None:
        return function
    parsed, node = definition
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
    definition = node_of(scope, function)
    if definition is None or _owner(definition[1]) or definition[1].template is None:
        return {}
    nodes = definition[0].functions_by_name.get(function.name, ())
    return {own: node for node in nodes if not node.record and (own := explicit_arguments(node))}


def explicit(scope: Scope, function: Function, arguments: Sequence[str]) -> Function | None:
    """The explicit specialisation of a function template for these arguments."""
    definition = node_of(scope, function)
    node = for_arguments(specialisations(scope, function).values(), arguments)
    return scope.lower(node, definition[0]) if definition is not None and node is not None else None


def befriended(scope: Scope, function: Function, type_names: Iterable[str]) -> Function:
    """A friend that a class template defines in its body, with the arguments that one of these types has."""
    definition = node_of(scope, function)
    outer = definition[1].node.parent if definition is not None else None
    while outer is not None and outer.type not in RECORDS:
        outer = outer.parent
    name = outer.child_by_field_name("name") if outer is not None else None
    if definition is None or name is None:
        return function
    owner = definition[0].text(name).partition("<")[0]
    written = next((type_name for type_name in type_names if "<" in type_name and class_name(type_name) == owner), None)
    if written is None:
        return function
    made = scope.lower(definition[1], definition[0], class_arguments(scope, definition[0], owner, written))
    made.owner = written
    return made


def unbound(scope: Scope, function: Function) -> Function:
    """The function lowered with no template parameter bound."""
    definition = node_of(scope, function)
    return scope.lower(definition[1], definition[0]) if definition is not None else function


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
    if (definition := scope.record(owner)) is not None:
        parsed, record = definition
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


_DECLARATORS = ("pointer_declarator", "reference_declarator", "function_declarator")
_DECLARED = pattern(r"(.*?)(\w+)", re.DOTALL)
_ARRAY = pattern(r"([^\[\]]+)((?:\[[^\[\]]*\]\s*)+)$")
_COMPOUND = pattern(r"[*&]|\b(?:const|volatile)\b")


def lowered_function(
    scope: Scope,
    function: FunctionNode,
    parsed: ParsedFile,
    bound: Mapping[str, str],
    captured: Mapping[str, Variable] | None = None,
) -> Function:
    """Our own tree of a function of a file in scope, its template's parameters `bound` to arguments. captured: members
    of a functor that is a kernel.
    """
    checkpoint()
    template = template_parameters(parsed, function.template, function.parse_index)
    seen = {**visible_in(file_variables(scope, parsed), parsed, function, template), **(captured or {})}
    own = {parameter.name for parameter in template}
    owner = owner_of(function.qualified, function.name)
    scoped = scoped_names(parsed, function.node, owner) if function.parse_index == 0 else {}
    table = {**{name: text for name, text in scoped.items() if name not in own}, **bound}
    of_class = parsed.records.get(function.record.partition("<")[0]) if function.record else None
    outer = template_parameters(parsed, of_class.template, 0) if of_class is not None else ()
    if scope.questions is not None:
        scope.questions.hide(parameter.name for parameter in (*template, *outer) if parameter.name not in bound)
    ctx = context(scope, parsed, function.parse_index, bound_types(scope, template, table), seen, table)
    ctx.parameters = frozenset(parameter.name for parameter in (*template, *outer) if parameter.is_type)
    parameters = lower_parameters(ctx, function.declarator)
    words = head_words(function, parsed)

    def read() -> tuple[Block, tuple[Span, ...]]:
        above = {class_name(base) for base in base_names(parsed, of_class.node)} if of_class is not None else set()
        body = _with_members(ctx, function, _block(ctx, parameters, function.body), above | {function.name})
        return body, _unparsed(ctx, function.body)

    made = Function(
        function.name,
        span_of(function.node),
        span_of(function.name_node),
        parameters,
        Unread(span_of(function.body), read),
        _return_type(ctx, function),
        template,
        qualifiers(words, ctx.data[function.node.start_byte : function.body.start_byte], function.node),
        parsed.source.path,
        captures=tuple((captured or {}).values()),
    )
    made.owner = function.record
    return _asking(scope, made)


def _return_type(ctx: Context, function: FunctionNode) -> Type | None:
    """The return type of a function: the type in front of its name with the `*` and `&` behind that, or what follows
    `->`."""
    behind = next((part for part in function.declarator.children if part.type == "trailing_return_type"), None)
    node = behind if behind is not None else function.node.child_by_field_name("type")
    if node is not None and gives_an_object(node, function.body):
        return lower_type_text(ctx, "auto&")
    if behind is not None:
        return lower_type_text(ctx, ctx.text(behind).lstrip("->").strip())
    if node is None:
        converts = function.name_node.type == CONVERSION
        return lower_type_text(ctx, function.name.removeprefix("operator")) if converts else None
    marks, between = "", function.node.child_by_field_name("declarator")
    while between is not None and between.type in ("pointer_declarator", "reference_declarator"):
        marks += "*" if between.type == "pointer_declarator" else "&"
        between = next((child for child in between.named_children if child.type in _DECLARATORS), None)
    return lower_type_text(ctx, ctx.text(node) + marks)


def _asking(scope: Scope, function: Function) -> Function:
    """A function whose body is read at once if libclang is used: its answers depend on the order."""
    if scope.questions is not None:
        _ = function.body
    return function


def _with_members(ctx: Context, function: FunctionNode, body: Block, constructors: Collection[str]) -> Block:
    """A constructor's body behind what its list gives to the members: `Point(float a) : x(a), y{a} {}`. constructors:
    names in the list that are those of base classes, or its own: calls for the same object.
    """
    given = next((child for child in function.node.named_children if child.type == "field_initializer_list"), None)
    made: list[Stmt] = []
    for node in given.named_children if given is not None else ():
        name, values = node.named_children[0], node.named_children[-1]
        if name is values:
            continue
        span, args = span_of(node), tuple(lower_expression(ctx, child) for child in values.named_children)
        last, this = class_name(ctx.text(name)), Name(span_of(name), "this")
        target = Member(span_of(name), this, last, arrow=True)
        if last in constructors:
            made += [Evaluate(span, Call(span, target, last, last, args))] if args else []
        elif name.type == "field_identifier":
            value = args[0] if len(args) == 1 else InitList(span_of(values), args)
            made.append(Evaluate(span, Assign(span, "=", target, value)))
    return Block(body.span, (*made, *body.statements)) if made else body


def lowered_lambda(
    scope: Scope,
    node: Node,
    parsed: ParsedFile,
    parse_index: int,
    name: str,
    captured: Mapping[str, Variable],
    bound: Mapping[str, str],
    item: str,
) -> Function:
    """Our own tree of a lambda expression; names from outside are captures, known ones `captured`."""
    table = {**scoped_names(parsed, node), **bound}
    seen = {**file_variables(scope, parsed), **captured}
    ctx = context(scope, parsed, parse_index, bound_types(scope, (), table), seen, table)
    body = node.child_by_field_name("body")
    assert body is not None
    parameters = lower_parameters(ctx, node.child_by_field_name("declarator"))
    _of_item(parameters, item)
    _of_macro(ctx, parameters, parsed, parse_index, node)

    def read() -> tuple[Block, tuple[Span, ...]]:
        block = _block(ctx, parameters, body)
        return block, _unparsed(ctx, body)

    span = span_of(node)
    made = Function(
        name, span, Span(node.start_byte, node.start_byte + 1), parameters, Unread(span_of(body), read),
        path=parsed.source.path, captures=tuple(captured.values()),
    )  # fmt: skip
    return _asking(scope, made)


def lowered_include(
    scope: Scope,
    node: Node,
    parsed: ParsedFile,
    parse_index: int,
    name: str,
    captured: Mapping[str, Variable],
    bound: Mapping[str, str],
    included: ParsedFile,
    item: str,
) -> Function:
    """The function of a lambda whose body is an `#include`: its statements are those of the other file."""
    table = dict(bound)
    heads = context(scope, parsed, parse_index, bound_types(scope, (), table), None, table)
    parameters = lower_parameters(heads, node.child_by_field_name("declarator"))
    _of_item(parameters, item)
    seen = {**file_variables(scope, parsed), **captured, **{parameter.name: parameter for parameter in parameters}}
    root = included.parses[0].tree.root_node
    ctx = context(scope, included, 0, bound_types(scope, (), table), seen, table)

    def read() -> tuple[Block, tuple[Span, ...]]:
        return _block(ctx, parameters, root), _unparsed(ctx, root)

    span = span_of(root)
    made = Function(
        name, span, Span(0, 0), parameters, Unread(span, read), path=included.source.path,
        captures=tuple(captured.values()),
    )  # fmt: skip
    return _asking(scope, made)


def _block(ctx: Context, parameters: tuple[Variable, ...], body: Node) -> Block:
    """A body, in front of it what an item of SYCL is as a number."""
    own = as_number(parameters)
    for variable in own.variables if own is not None else ():
        ctx.declare(variable)
    block = lower_block(ctx, body)
    return block if own is None else Block(block.span, (own, *block.statements))


def _of_item(parameters: tuple[Variable, ...], item: str) -> None:
    if item and parameters and parameters[0].type.name == "auto":
        parameters[0].type = parameters[0].type._replace(name=item)


def _of_macro(ctx: Context, parameters: tuple[Variable, ...], parsed: ParsedFile, parse_index: int, node: Node) -> None:
    """Types of the parameters of a lambda that a macro creates from a block: the file has their names only."""
    items = parsed.parses[parse_index].masked.items
    index = bisect_left(items, node.start_byte, key=attrgetter("start"))
    stated = items[index] if index < len(items) else None
    if stated is None or stated.start != node.start_byte or stated.kind != BLOCK:
        return
    texts = stated.expansion.partition("(")[2].rpartition(")")[0].split(",")
    for parameter, text in zip(parameters, texts, strict=False):
        if (declared := _DECLARED.fullmatch(text.strip())) is not None:
            parameter.name, parameter.type = declared[2], lower_type_text(ctx, declared[1])
            ctx.declare(parameter)


def context(
    scope: Scope,
    parsed: ParsedFile,
    parse_index: int,
    types: Callable[[str], Type | None] | None = None,
    names: Mapping[str, Variable] | None = None,
    bound: dict[str, str] | None = None,
) -> Context:
    """The context for lowering a part of a file in scope."""
    ctx = Context(
        parsed.parses[parse_index].masked.text,
        types or scope.type_of,
        parsed.anchors[parse_index],
        parsed.unrolls,
        scope.defined,
        names,
        bound,
        parsed.heads,
        parsed.type_words,
        parsed.calls,
        parsed.annexes[parse_index],
    )
    ctx.lower_block = lower_block
    ctx.opencl = scope.language == "opencl"
    if scope.questions is not None and parsed.source.path:  # a macro's body by itself has no place in a file
        ctx.asked = scope.questions.of(parsed.source.path)
    return ctx


def bound_types(
    scope: Scope, template: tuple[TemplateParameter, ...], bound: Mapping[str, str]
) -> Callable[[str], Type | None]:
    """Look-up of types where the parameters of a template are visible, those with arguments as these."""
    names = {parameter.name for parameter in template}

    def look_up(name: str) -> Type | None:
        if name in bound:
            return _argument_type(scope, bound[name])
        if name in names:
            return None
        if bound and not IDENTIFIER.match(name):  # `Vec<T, N>`, `Traits::type`
            name = OWN_WORD.sub(lambda match: bound.get(match[0], match[0]), name)
        return scope.type_of(name)

    return look_up


def _argument_type(scope: Scope, text: str) -> Type | None:
    """Type of a template argument; `float *` and `const T` included."""
    element, _, attribute = text.partition(BY_ATTRIBUTE)
    if attribute:
        of_one = _argument_type(scope, element)
        return vector_type(of_one, attribute, lambda size: _size(scope, size)) if of_one is not None else None
    if text.endswith("]") and (array := _ARRAY.match(text)) is not None:  # `using row = float[8];` in the function
        sizes = [scope.value_of_text(size) for size in array[2].strip("[] ").split("][")]
        row = _argument_type(scope, array[1].strip())
        extents = tuple(size for size in sizes if isinstance(size, int) and size > 0)
        known = row is not None and len(extents) == len(sizes)
        return row._replace(extents=(*extents, *row.extents)) if row is not None and known else None
    if text.startswith(LAMBDA) or not _COMPOUND.search(text):
        return scope.type_of(text)
    type_ = lower_type_text(context(scope, scope.parsed, 0), text)
    return type_ if type_.size is not None else None


def _size(scope: Scope, text: str) -> Number | None:
    known = product(text, scope.type_of)
    return known if known is not None else scope.value_of_text(text)


def head_words(function: FunctionNode, parsed: ParsedFile) -> tuple[str, ...]:
    """Masked words around a function's head (`__global__`, `__launch_bounds__(256)`, attributes)."""
    anchors = parsed.anchors[function.parse_index]
    offsets = anchors.offsets
    words: list[str] = []
    low = bisect_left(offsets, function.head_start)
    high = bisect_left(offsets, function.body.start_byte + 1)
    for offset in offsets[low:high]:
        words.extend(anchors.at(offset))
    return tuple(words)


def _unparsed(ctx: Context, body: Node) -> tuple[Span, ...]:
    """Error nodes of a body, and nodes nested too deeply to be read."""
    return tuple(sorted({*map(span_of, error_nodes(body)), *ctx.unparsed}))
