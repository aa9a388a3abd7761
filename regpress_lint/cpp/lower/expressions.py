"""tree-sitter expression nodes -> our expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.constants import string_bytes
from regpress_lint.cpp.lexical import size_of_pack
from regpress_lint.cpp.lower import braces, commas, lowering_context, opencl_calls, sycl_calls, sycl_items
from regpress_lint.cpp.lower.comparisons import SPELLED, comparison, comparisons, shift
from regpress_lint.cpp.lower.declared_types import lower_type_node, lower_type_text
from regpress_lint.cpp.lower.deduced_arguments import deduced
from regpress_lint.cpp.lower.folds import fold
from regpress_lint.cpp.lower.literals import assembly, literal
from regpress_lint.cpp.lower.lowering_context import MAX_DEPTH, Context, operands, span_of, unknown
from regpress_lint.cpp.syntax_tree import (
    POINTED,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    Expr,
    Index,
    Jump,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    SizeOf,
    Switch,
    Type,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    _Link = tuple[Node, str, Node]  # a binary operation, its operator and its right side


_WITH_ARGUMENTS = ("template_function", "template_type")
_MAYBE_COMPARED = (
    "template_function",
    "qualified_identifier",
    "field_expression",
    "binary_expression",
    "unary_expression",
    "call_expression",
)
_CASTS = {"static_cast", "const_cast", "reinterpret_cast", "dynamic_cast", "bit_cast", "as", "convert_to"}
_VECTORS = frozenset(("vec", "marray"))


def lower_expression(ctx: Context, node: Node) -> Expr:
    """Lower one expression; nodes without a class of their own become `Unknown` with their operands."""
    handler = _HANDLERS.get(node.type)
    if handler is None:
        return _fallback(ctx, node)
    if ctx.depth >= MAX_DEPTH:
        ctx.unparsed.append(span_of(node))
        return unknown(node)
    ctx.depth += 1
    try:
        return handler(ctx, node)
    finally:
        ctx.depth -= 1


def _fallback(ctx: Context, node: Node) -> Expr:
    if node.type == "ERROR" or node.is_missing:
        ctx.unparsed.append(span_of(node))
    if ctx.depth >= MAX_DEPTH or node.child_count == 0:
        return unknown(node)
    ctx.depth += 1
    try:
        return unknown(node, tuple(lower_expression(ctx, child) for child in operands(node)))
    finally:
        ctx.depth -= 1


def _parenthesized(ctx: Context, node: Node) -> Expr:
    inner = operands(node)
    if len(inner) == 1 and inner[0].type == "compound_statement":
        return _statements(ctx, node, inner[0])
    if node.has_error and (parts := commas.assignment_first(ctx, node, lower_expression)) is not None:
        return Binary(span_of(node), ",", *parts)
    return lower_expression(ctx, inner[0]) if len(inner) == 1 else _fallback(ctx, node)


def _statements(ctx: Context, node: Node, body: Node) -> Expr:
    """GNU's `({ int t = a; t > b ? t : b; })`, whose value is its last statement's: a lambda that is called at once.

    One that is left by a jump is none.
    """
    block = ctx.lower_block(ctx, body)
    inner = {inner_node.__class__ for inner_node in walk(block)}
    if not block.statements or Return in inner or (Jump in inner and not inner & {Loop, Switch}):
        return _fallback(ctx, node)
    *before, last = block.statements
    if isinstance(last, Evaluate):
        block = Block(block.span, (*before, Return(last.span, last.expression)))
    return Call(span_of(node), LambdaExpr(span_of(node), (), block), "", "", ())


def _binary(ctx: Context, node: Node) -> Expr:
    if (compared := comparisons(ctx, node, lower_expression)) is not None:
        return compared
    # A sum of a thousand terms is a left-deep tree: unwind it without recursion.
    chain: list[_Link] = []
    while node.type == "binary_expression":
        children = node.children
        if len(children) != 3:  # an error node in between
            break
        left, operator, right = children
        chain.append((node, SPELLED.get(operator.type, operator.type), right))
        node = left
    if not chain:
        return _fallback(ctx, node)
    shifted = shift(ctx, chain[-1][0], lower_expression) if chain[-1][1] == ">" else None
    if shifted is not None:
        chain.pop()
    called = _template_call(ctx, chain[-2], chain[-1]) if len(chain) > 1 else None
    if called is not None:
        del chain[-2:]
    result = called or shifted or lower_expression(ctx, node)
    for outer, symbol, right in reversed(chain):
        operand = lower_expression(ctx, right)
        ordered = _address_first(result, operand) if symbol == "+" else (result, operand)
        result = Binary(span_of(outer), symbol, *ordered)
    return result


def _address_first(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """`i + a`, `i[a]`: the operands as `a + i`, `a[i]` has them."""
    return (right, left) if _is_address(right) and not _is_address(left) else (left, right)


def _is_address(expr: Expr) -> bool:
    if expr.__class__ is Binary:
        return expr.op in ("+", "-") and _is_address(expr.left)
    variable = expr.variable if expr.__class__ is Name else None
    return variable is not None and bool(variable.dims or variable.type.pointers)


_THE_SAME = frozenset(("auto", *(f"{space}std::{word}" for space in ("", "cuda::") for word in ("move", "forward"))))
_TEMPLATE_CALL = ("field_expression", "<", ">", "parenthesized_expression")


def _template_call(ctx: Context, greater: _Link, less: _Link) -> Expr | None:
    """`v.store<4>(x)`, which the grammar reads as two comparisons where it is the whole of an expression."""
    (node, closing, listed), (compared, opening, argument) = greater, less
    field = compared.children[0]
    shape = field.type, opening, closing, listed.type
    callee = lower_expression(ctx, field) if shape == _TEMPLATE_CALL else None
    if not isinstance(callee, Member):
        return None
    inner = operands(listed)
    while inner and inner[-1].type == "comma_expression":
        inner[-1:] = operands(inner[-1])
    args = tuple(lower_expression(ctx, operand) for operand in inner)
    span, arguments = Span(callee.span.start, argument.end_byte), (ctx.text(argument),)
    return _member_call(ctx, node, Member(span, callee.base, callee.field, callee.arrow, arguments), args)


def _comma(ctx: Context, node: Node) -> Expr:
    read = commas.assignment_first(ctx, node, lower_expression)
    parts: tuple[Expr, ...] = read or tuple(lower_expression(ctx, child) for child in operands(node))
    return Binary(span_of(node), ",", parts[0], parts[-1]) if len(parts) == 2 else unknown(node, parts)


def _assignment(ctx: Context, node: Node) -> Expr:
    if node.has_error and (parts := commas.assignment_first(ctx, node, lower_expression)) is not None:
        return Binary(span_of(node), ",", *parts)
    left, right, op = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
    if left is None or right is None or op is None or op.is_missing:
        return _fallback(ctx, node)
    if left.type in _MAYBE_COMPARED and (compared := comparisons(ctx, node, lower_expression)) is not None:
        return compared
    return commas.assignment(ctx, span_of(node), (left, op, right), lower_expression)


def _unary(ctx: Context, node: Node) -> Expr:
    argument, op = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    if argument is None or op is None or op.is_missing:
        return _fallback(ctx, node)
    operand, symbol = lower_expression(ctx, argument), ctx.text(op)
    if symbol == "-" and isinstance(operand, Constant) and operand.value is not None:
        return Constant(span_of(node), -operand.value, operand.kind)
    return Unary(span_of(node), SPELLED.get(symbol, symbol), operand)


def _complement(ctx: Context, node: Node) -> Expr:
    """`(~x)`, which the grammar takes for the name of a destructor."""
    inner = operands(node)
    return Unary(span_of(node), "~", lower_expression(ctx, inner[0])) if inner else unknown(node)


def _update(ctx: Context, node: Node) -> Expr:
    argument, op = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    if argument is None or op is None or op.is_missing:
        return _fallback(ctx, node)
    span, target = span_of(node), lower_expression(ctx, argument)
    atomic = sycl_calls.atomic_assignment(span, target, f"{ctx.text(op)[0]}=", Constant(span, 1, "int"))
    return atomic or Update(span, ctx.text(op), target, op.start_byte < argument.start_byte)


def _conditional(ctx: Context, node: Node) -> Expr:
    parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
    if any(part is None for part in parts):
        return _fallback(ctx, node)
    test, then, other = (lower_expression(ctx, part) for part in parts if part is not None)
    if ctx.opencl and (chosen := opencl_calls.choice(ctx, span_of(node), test, then, other)) is not None:
        return chosen
    return Conditional(span_of(node), test, then, other)


def _subscript(ctx: Context, node: Node) -> Expr:
    argument, indices = node.child_by_field_name("argument"), node.child_by_field_name("indices")
    if argument is None or indices is None:
        return _fallback(ctx, node)
    if argument.type == "qualified_identifier" and (compared := comparisons(ctx, node, lower_expression)) is not None:
        return compared
    result = lower_expression(ctx, argument)
    for index in operands(indices):
        lowered = lower_expression(ctx, index)
        result = sycl_items.subscript(span_of(node), result, lowered) or Index(
            span_of(node), *_address_first(result, lowered)
        )
    return result


def _field(ctx: Context, node: Node) -> Expr:
    argument, field, op = (node.child_by_field_name(name) for name in ("argument", "field", "operator"))
    if argument is None or field is None:
        return _fallback(ctx, node)
    if op is not None and op.type == POINTED:
        operands_ = lower_expression(ctx, argument), lowering_context.identifier(ctx, field)
        return Call(span_of(node), Name(span_of(node), POINTED), POINTED, POINTED, operands_)
    args: tuple[str, ...] = ()
    if field.type == "dependent_name" and (inner := operands(field)):
        field = inner[0]
    if field.type == "template_method":
        args = lowering_context.template_arguments(ctx, field.child_by_field_name("arguments"))
        field = field.child_by_field_name("name") or field
    arrow = op is not None and op.type == "->"
    if ctx.asked is not None:
        ctx.asked.note("." + ctx.text(field), field.start_byte)
    base, name = lower_expression(ctx, argument), ctx.text(field)
    lanes = opencl_calls.component(ctx, span_of(node), base, name, arrow=arrow) if ctx.opencl else None
    return lanes or Member(span_of(node), base, name, arrow, args)


def _call(ctx: Context, node: Node) -> Expr:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return _fallback(ctx, node)
    args = tuple(lower_expression(ctx, child) for child in operands(arguments))
    if function.type in ("primitive_type", "sized_type_specifier"):
        target = ctx.types(ctx.text(function)) or Type(ctx.text(function))
        return Cast(span_of(node), target, args[0]) if len(args) == 1 else unknown(node, args)
    if function.type in _MAYBE_COMPARED and (compared := comparisons(ctx, node, lower_expression)) is not None:
        return compared
    if function.type == "parenthesized_expression" and len(args) == 1:
        within = ctx.text(function)[1:-1].strip()
        if within in ctx.spelled and ctx.find(within) is None:  # `(index)(n + 1)`, of a type from elsewhere
            return Cast(span_of(node), ctx.spelled[within], args[0])
    callee = lower_expression(ctx, function)
    if isinstance(callee, Name):
        return _named_call(ctx, node, callee, args)
    if isinstance(callee, Member):
        return _of_lambda(ctx, node, function, callee, args) or _member_call(ctx, node, callee, args)
    return Call(span_of(node), callee, "", "", args)


def _member_call(ctx: Context, node: Node, callee: Member, args: tuple[Expr, ...]) -> Expr:
    """`a.f(x)`: a member function that has another spelling here, or a call."""
    in_cuda = sycl_items.query(span_of(node), callee, args) if callee.field in sycl_items.QUERIES else None
    in_cuda = in_cuda or sycl_calls.member(ctx, span_of(node), callee, args)
    if in_cuda is None and not args:  # `v.lo()` and `v.swizzle<0, 1>()` of SYCL
        field = callee.field
        if field == "swizzle" and all(len(argument) == 1 and argument.isdigit() for argument in callee.template_args):
            field = "s" + "".join(f"{int(argument):x}" for argument in callee.template_args)
        in_cuda = opencl_calls.component(ctx, span_of(node), callee.base, field, arrow=callee.arrow)
    return in_cuda or Call(span_of(node), callee, callee.field, callee.field, args, callee.template_args)


def _of_lambda(ctx: Context, node: Node, function: Node, callee: Member, args: tuple[Expr, ...]) -> Call | None:
    """`f.operator()<3>(x)` of a lambda `f`; its template's values are parameters behind the others."""
    base, field = callee.base, function.child_by_field_name("field")
    if callee.field != "operator()" or not isinstance(base, Name) or base.variable is None or field is None:
        return None
    if not isinstance(base.variable.init, LambdaExpr):
        return None
    while field.type != "template_method" and field.named_child_count:
        field = field.named_children[0]
    arguments = field.child_by_field_name("arguments")
    values = [
        value.named_children[0] if value.type == "type_descriptor" and value.named_child_count == 1 else value
        for value in (operands(arguments) if arguments is not None else ())
    ]
    if len(args) + len(values) == len(base.variable.init.parameters):
        args = (*args, *(lower_expression(ctx, value) for value in values))
    return Call(span_of(node), base, base.last, base.name, args)


def _named_call(ctx: Context, node: Node, callee: Name, args: tuple[Expr, ...]) -> Expr:
    """`f(x)`: a cast by the name of a type, a function that has another spelling here, or a call."""
    span = span_of(node)
    if callee.name == "noexcept" and len(args) == 1:
        return Constant(span, None if any(isinstance(node, Call | Unknown) for node in walk(args[0])) else 1, "bool")
    if callee.name in _THE_SAME and len(args) == 1:  # a copy, or the object itself
        return args[0]
    if callee.name == "fdividef" and len(args) == 2:
        return Binary(span, "/", *args)
    if callee.last in _CASTS and callee.template_args and len(args) == 1:
        target = lower_type_text(ctx, callee.template_args[0])
        return Cast(span, target, args[0], callee.last in ("reinterpret_cast", "bit_cast"))
    if callee.variable is None:
        in_cuda = opencl_calls.function(ctx, span, callee, args) if ctx.opencl else None
        in_cuda = in_cuda or sycl_calls.function(span, callee, args)
        if in_cuda is not None:
            return in_cuda
    elif sycl_calls.is_of_work_item(callee, args):
        return callee
    if ctx.asked is not None:
        ctx.asked.call(callee.name)
    is_vector = callee.last in _VECTORS  # `sycl::vec<half, 1>(x)` is the lane
    if len(args) == 1 and callee.variable is None and (not callee.template_args or is_vector):
        named = ctx.types(callee.written)
        if named is not None and not named.struct and named.lanes == 1 and named.size is not None:
            return Cast(span, named, args[0])
    if (
        callee.name in ctx.parameters
        and (bound := lowering_context.of_parameter(ctx, span, callee.name, args)) is not None
    ):
        return bound
    template_args = callee.template_args
    if callee.variable is None and not template_args and (template_args := deduced(ctx, callee.name, args)):
        callee = Name(callee.span, callee.name, None, template_args)
    call = Call(span, callee, callee.last, callee.name, args, template_args)
    if ctx.asked is not None:
        ctx.asked.write(call, ctx.substituted(ctx.text(node)))
    return call


def _cast(ctx: Context, node: Node) -> Expr:
    target, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if target is None or value is None:
        return _fallback(ctx, node)
    type_, inner = lower_type_node(ctx, target), lower_expression(ctx, value)
    if type_.reference and isinstance(inner, Assign) and value.type == "assignment_expression":
        # `(float&)x = y`, which the grammar reads as `(float&)(x = y)`.
        changed = Cast(Span(node.start_byte, inner.target.span.end), type_, inner.target)
        return Assign(span_of(node), inner.op, changed, inner.value)
    vector = opencl_calls.literal(span_of(node), type_, inner) if ctx.opencl else None
    return vector or Cast(span_of(node), type_, inner)


_STRINGS = frozenset(("string_literal", "concatenated_string"))


def _sizeof(ctx: Context, node: Node) -> Expr:
    target, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if value is not None and any(child.type == "..." for child in node.children):
        return Name(span_of(node), size_of_pack(ctx.text(value)))
    if target is not None:
        return SizeOf(span_of(node), lower_type_node(ctx, target), None)
    if value is None:
        return unknown(node)
    bare = value.named_children[0] if value.type == "parenthesized_expression" and value.named_children else value
    if bare.type == "identifier" and (meant := ctx.bound.get(ctx.text(bare))) and ctx.find(ctx.text(bare)) is None:
        return SizeOf(span_of(node), lower_type_text(ctx, meant), None)  # of an alias
    count = string_bytes(ctx.text(bare)) if bare.type in _STRINGS else None
    if count is not None:
        return Constant(span_of(node), count, "unsigned long")
    return SizeOf(span_of(node), None, lower_expression(ctx, value))


def _initializer_list(ctx: Context, node: Node) -> Expr:
    return braces.initializer_list(ctx, node, lower_expression)


def _designated(ctx: Context, node: Node) -> Expr:
    return braces.designated(ctx, node, lower_expression) or _fallback(ctx, node)


def _compound_literal(ctx: Context, node: Node) -> Expr:
    return braces.compound_literal(ctx, node, lower_expression) or _fallback(ctx, node)


def _lambda(ctx: Context, node: Node) -> Expr:
    body = node.child_by_field_name("body")
    if body is None:
        return _fallback(ctx, node)
    from regpress_lint.cpp.lower.declarations import lower_captures, lower_parameter_nodes, lower_parameters

    template = node.child_by_field_name("template_parameters")
    values = operands(template) if template is not None else []
    if any(value.type != "parameter_declaration" for value in values):
        values = []  # which argument of a call belongs to which is not looked into
    captures = lower_captures(ctx, node.child_by_field_name("captures"))
    ctx.enter()
    try:
        for variable in captures:
            ctx.declare(variable)
        declarator = node.child_by_field_name("declarator")
        parameters = (*lower_parameters(ctx, declarator), *lower_parameter_nodes(ctx, values))
        block = ctx.lower_block(ctx, body)
    finally:
        ctx.leave()
    if captures:
        ctx.held.append(Declare(span_of(node), captures))
    return LambdaExpr(span_of(node), parameters, block, _returns_reference(ctx, declarator))


def _returns_reference(ctx: Context, declarator: Node | None) -> bool:
    """True for `-> double&`, `-> auto&` and `-> decltype(auto)`."""
    parts = declarator.children if declarator is not None else ()
    texts = [ctx.text(part) for part in parts if part.type == "trailing_return_type"]
    return any("&" in text or "decltype(auto)" in text for text in texts)


def _assembly(ctx: Context, node: Node) -> Expr:
    return assembly(ctx, node, lower_expression)


def _new(ctx: Context, node: Node) -> Expr:
    """`new (place) T(x);` as the store that it is where nothing asks for the pointer; memory of the heap by itself."""
    place, type_ = node.child_by_field_name("placement"), node.child_by_field_name("type")
    arguments = node.child_by_field_name("arguments")
    alone = node.parent is not None and node.parent.type == "expression_statement"
    if place is None or type_ is None or arguments is None or not alone or len(operands(place)) != 1:
        return _fallback(ctx, node)
    target = Unary(span_of(place), "*", lower_expression(ctx, operands(place)[0]))
    if arguments.type == "initializer_list":
        return Assign(span_of(node), "=", target, lower_expression(ctx, arguments))
    name, args = ctx.text(type_), tuple(lower_expression(ctx, operand) for operand in operands(arguments))
    constructor = Call(span_of(arguments), Name(span_of(type_), name), name.rpartition("::")[2], name, args)
    return Assign(span_of(node), "=", target, constructor)


def _fold(ctx: Context, node: Node) -> Expr:
    return fold(ctx, node, lower_expression)


def _named(ctx: Context, node: Node) -> Expr:
    """A qualified name, or one with template arguments; with a variable in front it is a comparison."""
    if (read := comparison(ctx, node, lower_expression)) is not None:
        return read
    if node.type == "qualified_identifier":
        return lowering_context.qualified(ctx, node)
    return lowering_context.template_name(ctx, node)


def _missing_text(_ctx: Context, node: Node) -> Expr:
    return Unknown(span_of(node), node.type)


_HANDLERS: dict[str, Callable[[Context, Node], Expr]] = {
    **dict.fromkeys(("identifier", "field_identifier", "type_identifier", "this"), lowering_context.identifier),
    **dict.fromkeys(("qualified_identifier", "template_function", "template_type"), _named),
    "destructor_name": _complement,
    **dict.fromkeys(("number_literal", "true", "false", "null", "nullptr", "char_literal"), literal),
    **dict.fromkeys(("string_literal", "raw_string_literal", "concatenated_string"), literal),
    "parenthesized_expression": _parenthesized,
    "binary_expression": _binary,
    "comma_expression": _comma,
    "assignment_expression": _assignment,
    "new_expression": _new,
    "unary_expression": _unary,
    "pointer_expression": _unary,
    "update_expression": _update,
    "conditional_expression": _conditional,
    "subscript_expression": _subscript,
    "field_expression": _field,
    "call_expression": _call,
    "cast_expression": _cast,
    "sizeof_expression": _sizeof,
    "initializer_list": _initializer_list,
    "gnu_asm_expression": _assembly,
    "compound_literal_expression": _compound_literal,
    "initializer_pair": _designated,
    "lambda_expression": _lambda,
    "fold_expression": _fold,
    "type_descriptor": _missing_text,
    "primitive_type": _missing_text,
}
