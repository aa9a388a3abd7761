"""Declarations -> variables: declarators unwound into type, array extents and initialiser."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import split_template_arguments, squeezed
from regpress_lint.cpp.lower import sycl_calls
from regpress_lint.cpp.lower.declared_types import (
    Declarator,
    Specifiers,
    accessor_parameter,
    complete_type,
    extents_of,
    is_attributed,
    lower_type_node,
    parameter_list,
    read_specifiers,
    storage_of,
    to_array_elsewhere,
    to_work_group,
    unwind,
    volatile_span,
)
from regpress_lint.cpp.lower.deduced_arguments import deduced_class
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import Anchors, Context, is_alias, operands, span_of, unknown
from regpress_lint.cpp.syntax_tree import (
    BOUND,
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Expr,
    InitList,
    LambdaExpr,
    Name,
    Type,
    Variable,
)
from regpress_lint.cpp.types import dereference, pointer_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node


# The initial value of a variable, in every notation, and the extent that it gives to an array.


_ESCAPE = pattern(rb"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)


def initialiser(ctx: Context, node: Node | None, declarator: Declarator, specifiers: Specifiers) -> Expr | None:
    if node is not None:
        if node.type == "number_literal" and declarator.dims:  # `= {},` is masked as a zero, which no array can be
            return InitList(span_of(node), ())
        if node.type == "argument_list":
            args = tuple(lower_expression(ctx, child) for child in operands(node))
            return _constructed(ctx, node, specifiers.type, args)
        init = lower_expression(ctx, node)
        if isinstance(init, InitList) and not declarator.dims and specifiers.type.name not in ("auto", ""):
            return _constructed(ctx, node, specifiers.type, init.items)
        return init
    if declarator.call_parameters is not None and not declarator.pointers:
        # `dim3 block(bx, by);` parses as a function: inside a function it nearly always is a variable.
        args = tuple(_parameter_as_expression(ctx, child) for child in operands(declarator.call_parameters))
        return _constructed(ctx, declarator.call_parameters, specifiers.type, args) if args else None
    return None


def _constructed(ctx: Context, node: Node, target: Type, args: tuple[Expr, ...]) -> Expr:
    if len(args) == 1 and not target.struct and target.lanes == 1 and target.size is not None:
        return args[0]
    if len(args) == 1 and target.size is None and (target.name in ctx.parameters or isinstance(args[0], Constant)):
        return Cast(span_of(node), target, args[0])  # `T sum(0)`
    if target.lanes > 1 and is_attributed(target):  # no function has its name; lanes that are not given are 0
        if len(args) == 1 and node.type == "argument_list":
            return args[0]
        zeros = (Constant(span_of(node), 0, "int"),) * (target.lanes - len(args))
        return InitList(span_of(node), (*args, *zeros))
    name, _, behind = target.name.partition("<")
    template_args = split_template_arguments(behind) if behind else ()
    callee = Name(span_of(node), name, None, template_args)
    in_cuda = sycl_calls.function(span_of(node), callee, args)
    return in_cuda or Call(span_of(node), callee, callee.last, name, args, template_args)


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
    node = root.descendant_for_byte_range(span.start, span.end)
    return None if root.has_error or node is None else lower_expression(ctx, node)


def extent(ctx: Context, text: str, declaration: Span) -> Expr | None:
    """An extent among template arguments: `group_local_memory<float[N]>`."""
    at = ctx.data.find(f"[{text}]".encode(), declaration.start, declaration.end)
    if at >= 0:
        return read_again(ctx, Span(at + 1, at + 1 + len(text.encode()))) if text.strip() else None
    # The template's own arguments were put in: this text is nowhere in the file.
    data = b" " * 8 + text.encode("utf-8", "replace")
    return read_again(Context(data, ctx.types, Anchors({}), {}, ctx.defined), Span(8, len(data)))


def _parameter_as_expression(ctx: Context, node: Node) -> Expr:
    inner = node.child_by_field_name("type")
    if node.type == "parameter_declaration" and node.child_by_field_name("declarator") is not None:
        return _reparsed(ctx, node)
    if node.type == "parameter_declaration" and inner is not None:
        text = squeezed(ctx.text(inner))
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


_TYPE_LIKE = ("primitive_type", "sized_type_specifier", "identifier", "template_function")
_WORK_GROUP = pattern(rb"group_local_memory|work_group_static")


def lower_declaration(ctx: Context, node: Node) -> Declare:
    """Lower a `declaration` node and add its variables to the innermost scope."""
    specifiers = read_specifiers(ctx, node)
    specifiers.work_group = _WORK_GROUP.search(ctx.data, node.start_byte, node.end_byte) is not None
    by_item = ctx.data.find(b"private_memory", node.start_byte, node.end_byte) >= 0  # the group is no value
    variables: list[Variable] = []
    for child in node.children_by_field_name("declarator"):
        init_node = node.child_by_field_name("value")  # of a condition, `if (T x = f())`
        declarator_node = child
        if child.type == "init_declarator":
            init_node = child.child_by_field_name("value")
            declarator_node = child.child_by_field_name("declarator") or child
        declarator = Declarator()
        unwind(ctx, declarator_node, declarator)
        init = initialiser(ctx, init_node, declarator, specifiers) if not by_item else None
        if init is not None and not declarator.pointers:
            specifiers.type, init = deduced_class(ctx, specifiers.type, init)
        if declarator.names:
            variables += _bound(ctx, node, declarator, specifiers, init)
        for name in (declarator.name,) if declarator.name is not None and not declarator.names else ():
            variable = made_variable(ctx, node, name, declarator, specifiers, init)
            if specifiers.work_group:
                to_work_group(ctx, variable, partial(extent, ctx))
            elif declarator.pointers == 1 and specifiers.type.extents and declarator.dims:  # `row *p[2]`
                variable.type = variable.type._replace(extents=specifiers.type.extents)
            elif declarator.pointers == 1 and specifiers.type.extents:  # `row *p`
                variable.dims = extents_of(specifiers.type, variable.span)
                _to_rows(variable, init)
            elif declarator.rows or (specifiers.is_auto and not declarator.reference):
                _to_rows(variable, init)
            if declarator.reference and variable.dims:  # `T (&a)[4] = b;`
                variable.type = variable.type._replace(reference=True)
                to_array_elsewhere(variable)
            ctx.declare(variable)
            if init_node is not None and (specifiers.constexpr or variable.type.const):
                _note_constant(ctx, variable, init_node)
            if not is_alias(variable):
                variables.append(variable)
    if not variables and (default := node.child_by_field_name("default_value")) is not None:
        lower_expression(ctx, default)
    return Declare(span_of(node), tuple(variables))


_FLOATING = frozenset(("float", "double", "half", "__half"))


def _note_constant(ctx: Context, variable: Variable, init: Node) -> None:
    """`constexpr int N = 4;`, `const int N{M};`: an integer that arguments of templates may name."""
    if init.type in ("initializer_list", "argument_list") and init.named_child_count == 1:
        init = init.named_children[0]
    type_ = variable.type
    if not (variable.dims or type_.pointers or type_.reference or type_.struct or type_.name in _FLOATING):
        ctx.declare_constant(variable, ctx.text(init))


def lower_enumerators(ctx: Context, node: Node) -> Declare | None:
    """The names of an `enum` in a function, each a constant; None for one without a body or with a scope of its own."""
    body = node.child_by_field_name("body")
    if body is None or any(child.type in ("class", "struct") for child in node.children):
        return None
    variables: list[Variable] = []
    first: tuple[str, Expr] = "", Constant(Span(node.start_byte, node.start_byte), 0, "int")
    ahead = 0  # enumerators since the last one that has a value
    for child in body.named_children:
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if child.type != "enumerator" or name is None:
            continue
        if value is not None:
            first, ahead = (ctx.text(value), lower_expression(ctx, value)), 0
        text, init = first
        if ahead:
            init = Binary(init.span, "+", init, Constant(span_of(name), ahead, "int"))
        variable = Variable(
            ctx.text(name), Type("int", 4, const=True), span_of(name), span_of(child), "local", (), init
        )
        ctx.declare(variable)
        ctx.declare_constant(variable, f"({text or 0}) + {ahead}" if ahead or not text else text)
        variables.append(variable)
        ahead += 1
    return Declare(span_of(node), tuple(variables))


def _bound(
    ctx: Context, node: Node, declarator: Declarator, specifiers: Specifiers, init: Expr | None
) -> list[Variable]:
    """`auto [x, y] = f(a);`: the object, which has no name, and what names its members in their order."""
    whole = made_variable(ctx, node, declarator.names[0], declarator, specifiers, init)
    whole.name = ""
    variables = [whole]
    for position, name in enumerate(declarator.names):
        span = span_of(name)
        callee, arguments = Name(span, BOUND), (Name(span, "", whole),)
        part = Call(span, callee, BOUND, BOUND, arguments, (str(position),))
        type_ = Type("auto", reference=declarator.reference)
        variable = Variable(ctx.text(name), type_, span, span_of(node), "local", (), part)
        ctx.declare(variable)
        variables.append(variable)
    return variables


def _to_rows(variable: Variable, init: Expr | None) -> None:
    """`T (*p)[N]`, or `auto p = a` with `T a[M][N]`, is what a parameter `T p[][N]` is: its elements are arrays."""
    array = init.variable if isinstance(init, Name) else None
    if variable.dims:
        variable.type, dims = dereference(variable.type) or variable.type, variable.dims
    elif array is not None and len(array.dims) > 1:
        variable.type, dims = array.type, array.dims[1:]
    else:
        return
    variable.dims, variable.storage = (None, *dims), "parameter"


def lower_captures(ctx: Context, captures: Node | None) -> tuple[Variable, ...]:
    """What a lambda makes for itself: `w` of `[w = f(x), &r = a[i]]`. The others are the variables around it."""
    variables: list[Variable] = []
    for child in captures.named_children if captures is not None else ():
        left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
        if child.type != "lambda_capture_initializer" or left is None or right is None:
            continue
        declarator, specifiers = Declarator(), Specifiers(Type("auto"))
        specifiers.is_auto = True
        before = child.prev_sibling
        declarator.reference = (before is not None and before.type == "&") or ctx.text(child).startswith("&")
        init = lower_expression(ctx, right)
        type_ = complete_type(ctx, declarator, specifiers, init)
        variables.append(Variable(ctx.text(left), type_, span_of(left), span_of(child), "local", (), init))
    return tuple(variables)


def lower_parameters(ctx: Context, declarator: Node | None) -> tuple[Variable, ...]:
    """Parameters of a function or lambda declarator; declared in the innermost scope."""
    parameters = parameter_list(declarator)
    return () if parameters is None else lower_parameter_nodes(ctx, operands(parameters))


def lower_parameter_nodes(ctx: Context, nodes: Iterable[Node]) -> tuple[Variable, ...]:
    """Parameters of a list, also those of a lambda's template that are values; declared in the innermost scope."""
    result: list[Variable] = []
    for child in nodes:
        if child.type not in (
            "parameter_declaration",
            "optional_parameter_declaration",
            "variadic_parameter_declaration",
        ):
            continue
        specifiers, unwound = _read(ctx, child)
        variable = _parameter(ctx, child, unwound, specifiers)
        accessor_parameter(ctx, variable)
        variable.is_pack = child.type == "variadic_parameter_declaration"
        if variable.name:
            ctx.declare(variable)
        result.append(variable)
    return tuple(result)


def lower_array_pointer(ctx: Context, statement: Node, expression: Node) -> Declare | None:
    """`float (*a)[4] = p;`, which the grammar reads as `float(*a)[4] = p`, and `row (&a) = b;`; None for anything else.

    If the template is not visible, `tile<16> (&a)[2] = b;`, nothing but the new name tells that it is a class.
    """
    init: Node | None = None
    node: Node | None = expression
    if expression.type == "assignment_expression":
        node, init = expression.child_by_field_name("left"), expression.child_by_field_name("right")
    dims: list[Node] = []
    while node is not None and node.type == "subscript_expression":
        indices = node.child_by_field_name("indices")
        dims = [*(operands(indices) if indices is not None else ()), *dims]
        node = node.child_by_field_name("argument")
    function = node.child_by_field_name("function") if node is not None and node.type == "call_expression" else None
    if node is None or function is None or not function.type.endswith(_TYPE_LIKE) or not (dims or init is not None):
        return None
    arguments = node.child_by_field_name("arguments")
    inner = operands(arguments) if arguments is not None else []
    name = inner[0].child_by_field_name("argument") if inner and inner[0].type == "pointer_expression" else None
    if name is None or name.type != "identifier":
        return None
    # `row (&a) = b;` may also be what a function returns: only a type that is known tells.
    # A local alias is a type as well, of a class that is not visible.
    spelled = ctx.text(function)
    is_type = bool(dims) and (function.type == "template_function" or spelled in ctx.bound)
    is_type = is_type or ctx.types(spelled) is not None
    if function.type.endswith(("identifier", "template_function")) and (ctx.find(ctx.text(name)) or not is_type):
        return None
    target = lower_type_node(ctx, function)
    refers = inner[0].children[0].type == "&"  # `float (&a)[4] = b;`
    variable = Variable(
        ctx.text(name),
        target._replace(reference=True) if refers else pointer_to(target),
        span_of(name),
        span_of(statement),
        "local",
        tuple(lower_expression(ctx, dim) for dim in dims),
        lower_expression(ctx, init) if init is not None else None,
    )
    if _WORK_GROUP.search(ctx.data, statement.start_byte, statement.end_byte) is not None:
        to_work_group(ctx, variable, partial(extent, ctx))
    elif not refers:
        _to_rows(variable, variable.init)
    elif dims:
        to_array_elsewhere(variable)
    ctx.declare(variable)
    return Declare(span_of(statement), () if is_alias(variable) else (variable,))


def _read(ctx: Context, node: Node) -> tuple[Specifiers, Declarator]:
    """The specifiers of a parameter or variable, and its declarator taken apart."""
    specifiers, declarator = read_specifiers(ctx, node), Declarator()
    if (inner := node.child_by_field_name("declarator")) is not None:
        unwind(ctx, inner, declarator)
    return specifiers, declarator


def lower_range_variable(ctx: Context, loop: Node) -> Declare:
    """The variable of `for (T x : range)`."""
    specifiers, declarator = _read(ctx, loop)
    if declarator.names:  # `for (auto& [x, y] : range)`
        return Declare(Span(loop.start_byte, loop.start_byte), tuple(_bound(ctx, loop, declarator, specifiers, None)))
    variables = []
    for name in (declarator.name,) if declarator.name is not None else ():
        variable = made_variable(ctx, loop, name, declarator, specifiers, None)
        variable.declaration = Span(loop.start_byte, name.end_byte)
        ctx.declare(variable)
        variables.append(variable)
    return Declare(Span(loop.start_byte, loop.start_byte), tuple(variables))


def made_variable(
    ctx: Context, node: Node, name: Node, declarator: Declarator, specifiers: Specifiers, init: Expr | None
) -> Variable:
    """A declared variable. `init` is its initial value."""
    type_ = complete_type(ctx, declarator, specifiers, init)
    if specifiers.is_auto and isinstance(init, InitList) and (listed := _listed_type(ctx, init)) is not None:
        type_ = listed
    if specifiers.is_auto and (atomic := sycl_calls.type_of_reference(ctx, init)) is not None:
        type_ = atomic
    storage = storage_of(specifiers, pointer=type_.pointers > 0)
    dims = tuple(lower_expression(ctx, dim) if dim is not None else None for dim in declarator.dims)
    if dims and dims[0] is None and init is not None:
        count = elements_given(ctx, init)
        dims = (Constant(init.span, count, "int") if count is not None else None, *dims[1:])
    dims, type_ = (*dims, *extents_of(type_, span_of(name))), type_._replace(extents=())
    if ctx.asked is not None and not isinstance(init, LambdaExpr) and _is_open(ctx, type_, specifiers, init):
        type_, dims = _asked(ctx, name, type_, dims)
    return Variable(
        ctx.text(name),
        type_,
        span_of(name),
        span_of(node),
        storage,
        dims,
        init,
        volatile_span(type_, declarator, specifiers),
        unsized_shared=specifiers.extern and storage == "shared",
    )


def _listed_type(ctx: Context, items: InitList) -> Type | None:
    """The type of `auto list = {a, b};`; None where that of its elements is not known."""
    from regpress_lint.cpp.typing_rules import expression_type

    element = expression_type(items.items[0], ctx.types) if items.items else None
    return ctx.types(f"std::initializer_list<{element.name}>") if element is not None and not element.pointers else None


def _is_open(ctx: Context, type_: Type, specifiers: Specifiers, init: Expr | None) -> bool:
    """True if the tree does not show a variable's type, or guesses it."""
    return (type_.size is None and not type_.pointers) or (specifiers.is_auto and not _is_typed(ctx, init))


def _is_typed(ctx: Context, init: Expr | None) -> bool:
    """True if all operands of an initialiser have types; of `4 * f(x)` the rest only suggests one."""
    from regpress_lint.cpp.typing_rules import expression_type

    if isinstance(init, Binary):
        return _is_typed(ctx, init.left) and _is_typed(ctx, init.right)
    if isinstance(init, Conditional):
        return _is_typed(ctx, init.then) and _is_typed(ctx, init.other)
    return init is not None and expression_type(init, ctx.types) is not None


def _asked(
    ctx: Context, name: Node, type_: Type, dims: tuple[Expr | None, ...]
) -> tuple[Type, tuple[Expr | None, ...]]:
    """Type and extents of a variable whose type the tree does not show: `auto`, or a name from elsewhere, which may
    stand for an array (`typedef real rvec[3]`).
    """
    meant = ctx.asked.declared(ctx.text(name), type_.name, name.start_byte) if ctx.asked is not None else None
    if meant is None:
        return type_, dims
    answered = meant.type
    if len(meant.extents) > len(dims):
        dims = tuple(Constant(span_of(name), extent, "int") for extent in meant.extents)
    elif type_.name != "auto":
        answered = answered._replace(name=type_.name)
    return answered._replace(
        const=answered.const or type_.const, volatile=type_.volatile, reference=type_.reference
    ), dims


def _parameter(ctx: Context, node: Node, declarator: Declarator, specifiers: Specifiers) -> Variable:
    dims = tuple(lower_expression(ctx, dim) if dim is not None else None for dim in declarator.dims)
    named = extents_of(specifiers.type, span_of(node))
    if named:  # `row a` is `T a[N]`, and `row *a` is `T (*a)[N]`
        specifiers.type = specifiers.type._replace(extents=())
        declarator.rows = declarator.pointers == 1 and not dims
        dims = (*dims, *named) if declarator.rows or not declarator.pointers else dims
    bounds = dims if declarator.reference else ()
    if declarator.reference or (len(dims) == 1 and not declarator.rows):  # `T a[N]` as a parameter is a pointer
        declarator.pointers += len(dims)
        dims = ()
    type_ = complete_type(ctx, declarator, specifiers, None)
    name = declarator.name
    variable = Variable(
        ctx.text(name) if name is not None else "",
        type_,
        span_of(name) if name is not None else span_of(node),
        span_of(node),
        "parameter",
        (None, *dims[1:]) if dims and not declarator.rows else dims,
        lower_expression(ctx, default) if (default := node.child_by_field_name("default_value")) is not None else None,
        volatile_span(type_, declarator, specifiers),
        grid_constant=any("grid_constant" in word.casefold() for word in specifiers.words),
    )
    variable.bounds = bounds
    if declarator.rows and dims:
        _to_rows(variable, None)
    return variable
