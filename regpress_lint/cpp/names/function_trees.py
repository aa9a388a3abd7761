"""Functions, lambdas and bodies of files, lowered to our own tree in the scope that sees them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import ChainMap
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.running import checkpoint
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import bare_name, with_meanings
from regpress_lint.cpp.lower.declarations import lower_parameters
from regpress_lint.cpp.lower.declared_types import BY_ATTRIBUTE, gives_an_object, lower_type_text, product, vector_type
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import Context, span_of
from regpress_lint.cpp.lower.statements import lower_block
from regpress_lint.cpp.lower.sycl_items import as_number
from regpress_lint.cpp.mask.macro_blocks import KIND as BLOCK
from regpress_lint.cpp.names.declared_defaults import declared_defaults
from regpress_lint.cpp.names.deduced_classes import deduced_arguments, is_class_template
from regpress_lint.cpp.names.definition_nodes import (
    CONVERSION,
    IDENTIFIER,
    FunctionNode,
    class_name,
    owner_of,
    split_owner,
)
from regpress_lint.cpp.names.definitions import (
    file_variables,
    names_of_headers,
    own_classes,
    redefined_names,
    scoped_names,
    visible_in,
)
from regpress_lint.cpp.names.host_types import LAMBDA
from regpress_lint.cpp.names.macro_parameters import macro_parameters
from regpress_lint.cpp.names.templates import base_names, parameters_of, qualifiers, template_parameters
from regpress_lint.cpp.parse import error_nodes, nodes_around
from regpress_lint.cpp.syntax_tree import Assign, Block, Call, Evaluate, Function, InitList, Member, Name, Type, Unread

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Stmt, TemplateParameter, Variable

_DECLARATORS = ("pointer_declarator", "reference_declarator", "function_declarator")
_DECLARED = pattern(r"(.*?)(\w+)", re.DOTALL)
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
    template = parameters_of(parsed, function)
    seen = {**visible_in(file_variables(scope, parsed), parsed, function, template), **(captured or {})}
    names = {parameter.name for parameter in template}
    owner = owner_of(function.qualified, function.name)
    scoped = _meanings(scope, parsed, function.node, owner) if function.parse_index == 0 else {}
    table = {**{name: text for name, text in scoped.items() if name not in names}, **bound}
    of_class = parsed.records.get(function.record.partition("<")[0]) if function.record else None
    outer = template_parameters(parsed, of_class.template, 0) if of_class is not None else ()
    if scope.questions is not None:
        scope.questions.hide(parameter.name for parameter in (*template, *outer) if parameter.name not in bound)
    ctx = context(scope, parsed, function.parse_index, bound_types(scope, template, table), seen, table)
    ctx.parameters = frozenset(parameter.name for parameter in (*template, *outer) if parameter.is_type)
    for name, text in own_classes(parsed, function.template).items():
        ctx.alias(name, text)
    written = macro_parameters(parsed, function, ctx, partial(context, scope, parse_index=0))
    parameters = written if written is not None else lower_parameters(ctx, function.declarator)
    for parameter, value in zip(parameters, declared_defaults(parsed, function), strict=False):
        if value is not None and parameter.init is None:
            parameter.init = lower_expression(ctx, value)
    words = head_words(function, parsed)

    def read() -> tuple[Block, tuple[Span, ...]]:
        above = {class_name(base) for base in base_names(parsed, of_class.node)} if of_class is not None else set()
        body = _with_members(ctx, function, _block(ctx, parameters, function.body), above | {function.name})
        return body, _unparsed(ctx, function.body)

    tree = Function(
        function.name,
        span_of(function.node),
        span_of(function.name_node),
        parameters,
        Unread(span_of(function.body), read),
        _return_type(ctx, function),
        template,
        qualifiers(words, ctx.data[function.node.start_byte : function.body.start_byte], function),
        parsed.source.path,
        captures=tuple((captured or {}).values()),
    )
    tree.owner = function.record or _class_outside(scope, function)
    tree.meanings = ChainMap(table, dict.fromkeys(ctx.parameters, ""))
    return _asking(scope, tree)


def _meanings(scope: Scope, parsed: ParsedFile, node: Node, owner: str = "") -> dict[str, str]:
    """Meanings at a node of names that the file defines several times: constants of scopes, macros."""
    names = redefined_names(parsed, node).items()
    types = {name: text for name, text in names if _argument_type(scope, text) is not None}
    return {**types, **names_of_headers(scope, parsed, node, owner), **scoped_names(parsed, node, owner)}


def _class_outside(scope: Scope, function: FunctionNode) -> str:
    """The class, without a template's arguments, that a function is defined outside of: `void Tile::load() {}`."""
    owner = bare_name(split_owner(function.qualified)[0])
    return owner if owner and scope.record(owner) is not None else ""


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
    listed = next((child for child in function.node.named_children if child.type == "field_initializer_list"), None)
    statements: list[Stmt] = []
    for node in listed.named_children if listed is not None else ():
        name, values = node.named_children[0], node.named_children[-1]
        if name is values:
            continue
        span, args = span_of(node), tuple(lower_expression(ctx, child) for child in values.named_children)
        last, this = class_name(ctx.text(name)), Name(span_of(name), "this")
        target = Member(span_of(name), this, last, arrow=True)
        if last in constructors:
            statements += [Evaluate(span, Call(span, target, last, last, args))] if args else []
        elif name.type == "field_identifier":
            is_one = len(args) == 1 and values.named_children[0].type != "parameter_pack_expansion"
            value = args[0] if is_one else InitList(span_of(values), args)
            statements.append(Evaluate(span, Assign(span, "=", target, value)))
    return Block(body.span, (*statements, *body.statements)) if statements else body


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
    table = {**_meanings(scope, parsed, node), **bound}
    seen = {**file_variables(scope, parsed), **captured}
    ctx = context(scope, parsed, parse_index, bound_types(scope, (), table), seen, table)
    root = parsed.parses[parse_index].tree.root_node
    for around in nodes_around(root, node.start_byte, node.end_byte):
        if around.type == "template_declaration":
            for inner_name, text in own_classes(parsed, around).items():
                ctx.alias(inner_name, text)
    body = node.child_by_field_name("body")
    assert body is not None
    parameters = _parameters_of_lambda(ctx, node, item)
    _of_macro(ctx, parameters, parsed, parse_index, node)
    name_span = Span(node.start_byte, node.start_byte + 1)
    return _of_body(scope, ctx, name, (span_of(node), name_span), parameters, body, parsed, captured)


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
    parameters = _parameters_of_lambda(heads, node, item)
    seen = {**file_variables(scope, parsed), **captured, **{parameter.name: parameter for parameter in parameters}}
    root = included.parses[0].tree.root_node
    ctx = context(scope, included, 0, bound_types(scope, (), table), seen, table)
    return _of_body(scope, ctx, name, (span_of(root), Span(0, 0)), parameters, root, included, captured)


def _parameters_of_lambda(ctx: Context, node: Node, item: str) -> tuple[Variable, ...]:
    parameters = lower_parameters(ctx, node.child_by_field_name("declarator"))
    if item and parameters and parameters[0].type.name == "auto":
        parameters[0].type = parameters[0].type._replace(name=item)
    return parameters


def _of_body(
    scope: Scope,
    ctx: Context,
    name: str,
    spans: tuple[Span, Span],
    parameters: tuple[Variable, ...],
    body: Node,
    parsed: ParsedFile,
    captured: Mapping[str, Variable],
) -> Function:
    """A function of no name in the source, whose body is a node of a file. spans: its own, and where its name is."""

    def read() -> tuple[Block, tuple[Span, ...]]:
        return _block(ctx, parameters, body), _unparsed(ctx, body)

    unread, captures = Unread(span_of(body), read), tuple(captured.values())
    return _asking(scope, Function(name, *spans, parameters, unread, path=parsed.source.path, captures=captures))


def _block(ctx: Context, parameters: tuple[Variable, ...], body: Node) -> Block:
    """A body, in front of it what an item of SYCL is as a number."""
    item = as_number(parameters)
    for variable in item.variables if item is not None else ():
        ctx.declare(variable)
    block = lower_block(ctx, body)
    return block if item is None else Block(block.span, (item, *block.statements))


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
    ctx.deduce, ctx.is_template = partial(deduced_arguments, scope), partial(is_class_template, scope)
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
            name = with_meanings(name, bound)
        return scope.type_of(name)

    return look_up


def _argument_type(scope: Scope, text: str) -> Type | None:
    """Type of a template argument; `float *` and `const T` included."""
    element, _, attribute = text.partition(BY_ATTRIBUTE)
    if attribute:
        of_one = _argument_type(scope, element)
        return vector_type(of_one, attribute, lambda size: _size(scope, size)) if of_one is not None else None
    if text.startswith(LAMBDA) or not _COMPOUND.search(text):
        return scope.type_of(text)
    type_ = lower_type_text(context(scope, scope.parsed, 0), text)
    return type_ if type_.size is not None else None


def _size(scope: Scope, text: str) -> Number | None:
    number = product(text, scope.type_of)
    return number if number is not None else scope.value_of_text(text)


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
