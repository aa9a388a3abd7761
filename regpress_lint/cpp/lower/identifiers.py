"""Names in expressions: variables, arguments of templates, qualified names, names with template arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.lower.lowering_context import Context, operands, span_of
from regpress_lint.cpp.syntax_tree import Expr, Member, Name, Unary
from regpress_lint.targets.builtins import SPELLED

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.syntax_tree import Variable

# What a template's parameter may stand for in an expression: a type or a function, no number.
_NAMED = pattern(r"(?!(?:true|false)\b)((?:::)?[A-Za-z_]\w*(?:::\w+)*)(?:<(.*)>)?")


def identifier(ctx: Context, node: Node) -> Expr:
    name = ctx.text(node)
    variable = ctx.find(name)
    if variable is None:
        # The mask writes a T for such a word; a parse of another level may have left the word itself.
        if name[:1] == "T" and node.start_byte in ctx.type_words:
            return Name(span_of(node), ctx.type_words[node.start_byte])
        if name in SPELLED:
            base, axis = SPELLED[name]
            return Member(span_of(node), Name(span_of(node), base), axis, arrow=False)
        if name in ctx.bound and (found := _NAMED.fullmatch(ctx.bound[name])) is not None:
            return Name(span_of(node), found[1], None, split_template_arguments(found[2]) if found[2] else ())
        if ctx.asked is not None:
            ctx.asked.note(name, node.start_byte)
    return _named(node, name, variable)


def is_alias(variable: Variable) -> bool:
    """True for `float (&t)[64] = s;`: another name for an array, or for the array behind a pointer."""
    if not variable.dims or not variable.type.reference or variable.storage != "local":
        return False
    init = variable.init.operand if isinstance(variable.init, Unary) and variable.init.op == "*" else variable.init
    return isinstance(init, Name) and init.variable is not None and bool(init.variable.dims)


def _named(node: Node, name: str, variable: Variable | None) -> Expr:
    span = span_of(node)
    if variable is None or not variable.dims or not is_alias(variable):
        return Name(span, name, variable)
    init = variable.init
    inner = init.operand if isinstance(init, Unary) else init
    assert isinstance(inner, Name)
    array = Name(span, inner.name, inner.variable)
    return Unary(span, "*", array) if isinstance(init, Unary) else array


def template_arguments(ctx: Context, node: Node | None) -> tuple[str, ...]:
    """Source texts of a template argument list."""
    return () if node is None else tuple(ctx.substituted(" ".join(ctx.text(child).split())) for child in operands(node))


def qualified(ctx: Context, node: Node) -> Expr:
    text = "".join(ctx.text(node).split())
    tail = node
    args: tuple[str, ...] = ()
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    if tail.type in ("template_function", "template_type", "template_method"):
        last = tail.child_by_field_name("name")
        args = template_arguments(ctx, tail.child_by_field_name("arguments"))
        head = ctx.data[node.start_byte : tail.start_byte].decode("utf-8", "replace")
        text = "".join(head.split()) + (ctx.text(last) if last is not None else "")
    name = ctx.substituted(text)
    if ctx.asked is not None:
        ctx.asked.note(name, node.start_byte, exact=name == text)
    return Name(span_of(node), name, None, args)


def template_name(ctx: Context, node: Node) -> Expr:
    name = node.child_by_field_name("name")
    text = ctx.text(name) if name is not None else ctx.text(node)
    if ctx.asked is not None:
        ctx.asked.note(text, node.start_byte)
    return Name(span_of(node), text, None, template_arguments(ctx, node.child_by_field_name("arguments")))
