"""The initial value of a variable, in every notation, and the extent that it gives to an array."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lower import sycl_calls
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import Anchors, Context, operands, span_of, unknown
from regpress_lint.cpp.syntax_tree import Call, Constant, Expr, InitList, Name, Type

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.lower.declared_types import Declarator, Specifiers


_ESCAPE = pattern(rb"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)


def initialiser(ctx: Context, node: Node | None, declarator: Declarator, specifiers: Specifiers) -> Expr | None:
    if node is not None:
        if node.type == "number_literal" and declarator.dims:  # `= {},` is masked as a zero, which no array can be
            return InitList(span_of(node), ())
        if node.type == "argument_list":
            args = tuple(lower_expression(ctx, child) for child in operands(node))
            return _constructed(node, specifiers.type, args)
        init = lower_expression(ctx, node)
        if isinstance(init, InitList) and not declarator.dims and specifiers.type.name not in ("auto", ""):
            return _constructed(node, specifiers.type, init.items)
        return init
    if declarator.call_parameters is not None and not declarator.pointers:
        # `dim3 block(bx, by);` parses as a function: inside a function it nearly always is a variable.
        args = tuple(_parameter_as_expression(ctx, child) for child in operands(declarator.call_parameters))
        return _constructed(declarator.call_parameters, specifiers.type, args) if args else None
    return None


def _constructed(node: Node, target: Type, args: tuple[Expr, ...]) -> Expr:
    if len(args) == 1 and not target.struct and target.lanes == 1 and target.size is not None:
        return args[0]
    name, _, rest = target.name.partition("<")
    template_args = tuple(part.strip() for part in rest.rstrip("> ").split(",")) if rest else ()
    callee = Name(span_of(node), name, None, template_args)
    known = sycl_calls.function(span_of(node), callee, args)
    return known or Call(span_of(node), callee, callee.last, name, args, template_args)


def _reparsed(ctx: Context, node: Node) -> Expr:
    """`range<1>(A * B)` of `accessor s(range<1>(A * B), h);`, read as a parameter, once more as an expression."""
    return read_again(ctx, span_of(node)) or unknown(node)


def read_again(ctx: Context, span: Span) -> Expr | None:
    """A part of the file as an expression, whatever its tree made of it."""
    from regpress_lint.cpp.parse import parse_part

    # Blanks in front keep the offsets of the file.
    prefix = b"auto x=("
    if span.start < len(prefix):
        return None
    data = prefix.rjust(span.start) + ctx.data[span.start : span.end] + b");"
    root = parse_part(data, span.start - len(prefix)).root_node
    found = root.descendant_for_byte_range(span.start, span.end)
    return None if root.has_error or found is None else lower_expression(ctx, found)


def extent(ctx: Context, text: str, declaration: Span) -> Expr | None:
    """An extent among template arguments: `group_local_memory<float[N]>`."""
    at = ctx.data.find(f"[{text}]".encode(), declaration.start, declaration.end)
    if at >= 0:
        return read_again(ctx, Span(at + 1, at + 1 + len(text.encode()))) if text.strip() else None
    # The template's own arguments were put in: it stands nowhere in the file.
    data = b" " * 8 + text.encode("utf-8", "replace")
    return read_again(Context(data, ctx.types, Anchors({}), {}, ctx.defined), Span(8, len(data)))


def _parameter_as_expression(ctx: Context, node: Node) -> Expr:
    inner = node.child_by_field_name("type")
    if node.type == "parameter_declaration" and node.child_by_field_name("declarator") is not None:
        return _reparsed(ctx, node)
    if node.type == "parameter_declaration" and inner is not None:
        text = "".join(ctx.text(inner).split())
        if text.isidentifier():
            return Name(span_of(inner), text, ctx.find(text))
        return Name(span_of(inner), text)
    return lower_expression(ctx, node)


def elements_given(ctx: Context, init: Expr) -> int | None:
    """Elements that an initialiser gives an array without an extent."""
    if isinstance(init, InitList):
        return len(init.items)
    if isinstance(init, Constant) and init.kind == "string":
        text = ctx.data[init.span.start : init.span.end].partition(b'"')[2].rpartition(b'"')[0]
        return len(_ESCAPE.sub(b".", text)) + 1
    return None
