"""Declarations -> variables: declarators unwound into type, array extents and initialiser."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.lower import sycl_calls
from regpress_lint.cpp.lower.context import Anchors, Context, operands, span_of, unknown
from regpress_lint.cpp.lower.expressions import is_alias, lower_expression, lower_type_node
from regpress_lint.cpp.lower.work_group_memory import accessor_parameter, to_work_group
from regpress_lint.cpp.syntax import (
    Binary,
    Call,
    Conditional,
    Constant,
    Declare,
    Expr,
    InitList,
    LambdaExpr,
    Name,
    Storage,
    Type,
    Variable,
)
from regpress_lint.cpp.types import pointer_to

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(rb"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)
_WORK_GROUP = re.compile(rb"group_local_memory|work_group_static")
_AUTO = frozenset(("placeholder_type_specifier", "auto", "decltype"))
_DEVICE_WORDS = frozenset(("__constant__", "__device__", "__managed__"))


class _Specifiers:
    """What stands before the declarators of one declaration."""

    __slots__ = ("constexpr", "extern", "is_auto", "static", "type", "volatile_span", "words", "work_group")

    def __init__(self, type_: Type) -> None:
        self.type = type_
        self.is_auto = self.static = self.extern = self.constexpr = False
        self.volatile_span: Span | None = None
        self.words: tuple[str, ...] = ()  # masked words: __shared__, __constant__, ...
        self.work_group = False  # SYCL's local memory, by its words


class _Declarator:
    """One declarator while it is being unwound."""

    __slots__ = (
        "call_parameters",
        "dims",
        "name",
        "names",
        "pointer_const",
        "pointer_volatile",
        "pointers",
        "reference",
        "restrict",
    )

    def __init__(self) -> None:
        self.name: Node | None = None
        self.pointers = 0
        self.reference = self.pointer_const = self.restrict = False
        self.pointer_volatile: Span | None = None
        self.dims: tuple[Node | None, ...] = ()
        self.call_parameters: Node | None = None
        self.names: tuple[Node, ...] = ()  # structured binding


def lower_declaration(ctx: Context, node: Node) -> Declare:
    """Lower a `declaration` node and add its variables to the innermost scope."""
    specifiers = _specifiers(ctx, node)
    specifiers.work_group = _WORK_GROUP.search(ctx.data, node.start_byte, node.end_byte) is not None
    variables: list[Variable] = []
    for child in node.children_by_field_name("declarator"):
        init_node: Node | None = None
        declarator_node = child
        if child.type == "init_declarator":
            init_node = child.child_by_field_name("value")
            declarator_node = child.child_by_field_name("declarator") or child
        declarator = _Declarator()
        _unwind(ctx, declarator_node, declarator)
        init = _initialiser(ctx, init_node, declarator, specifiers)
        for name in declarator.names or ((declarator.name,) if declarator.name is not None else ()):
            variable = _variable(ctx, node, name, declarator, specifiers, init)
            if specifiers.work_group:
                to_work_group(ctx, variable, partial(_extent, ctx))
            if declarator.reference and variable.dims:  # `T (&a)[4] = b;`
                variable.type = variable.type._replace(reference=True)
            ctx.declare(variable)
            if not is_alias(variable):
                variables.append(variable)
    if not variables and (default := node.child_by_field_name("default_value")) is not None:
        lower_expression(ctx, default)
    return Declare(span_of(node), tuple(variables))


def lower_file_variable(ctx: Context, node: Node) -> tuple[Variable, ...]:
    """Variables in device memory that a `declaration` at file or namespace level makes, initialisers left out.

    They are long tables or what only the host sets: as far as a kernel is concerned, memory.
    """
    specifiers = _specifiers(ctx, node)
    space: Storage = "constant" if "__constant__" in specifiers.words else "global"
    if not _DEVICE_WORDS.intersection(specifiers.words):
        return ()
    variables: list[Variable] = []
    for child in node.children_by_field_name("declarator"):
        init = child.child_by_field_name("value") if child.type == "init_declarator" else None
        declarator = _Declarator()
        _unwind(ctx, child.child_by_field_name("declarator") or child if init is not None else child, declarator)
        if declarator.name is None or declarator.call_parameters is not None:  # a function's declaration
            continue
        variable = _variable(ctx, node, declarator.name, declarator, specifiers, None)
        if init is not None and init.type == "initializer_list" and variable.dims and variable.dims[0] is None:
            variable.dims = (Constant(span_of(init), len(operands(init)), "int"), *variable.dims[1:])
        variable.storage = space
        variables.append(variable)
    return tuple(variables)


def lower_parameters(ctx: Context, declarator: Node | None) -> tuple[Variable, ...]:
    """Parameters of a function or lambda declarator; declared in the innermost scope."""
    parameters = _parameter_list(declarator)
    if parameters is None:
        return ()
    result: list[Variable] = []
    for child in operands(parameters):
        if child.type not in (
            "parameter_declaration",
            "optional_parameter_declaration",
            "variadic_parameter_declaration",
        ):
            continue
        specifiers = _specifiers(ctx, child)
        unwound = _Declarator()
        if (inner := child.child_by_field_name("declarator")) is not None:
            _unwind(ctx, inner, unwound)
        variable = _parameter(ctx, child, unwound, specifiers)
        accessor_parameter(ctx, variable)
        if variable.name:
            ctx.declare(variable)
        result.append(variable)
    return tuple(result)


def lower_array_pointer(ctx: Context, statement: Node, expression: Node) -> Declare | None:
    """`float (*a)[4] = p;`, which the grammar reads as `float(*a)[4] = p`; None for anything else."""
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
    if node is None or not dims or function is None or function.type not in ("primitive_type", "sized_type_specifier"):
        return None
    arguments = node.child_by_field_name("arguments")
    inner = operands(arguments) if arguments is not None else []
    name = inner[0].child_by_field_name("argument") if inner and inner[0].type == "pointer_expression" else None
    if name is None or name.type != "identifier":
        return None
    refers = inner[0].children[0].type == "&"  # `float (&a)[4] = b;`
    target = lower_type_node(ctx, function)
    variable = Variable(
        ctx.text(name),
        target._replace(reference=True) if refers else pointer_to(target),
        span_of(name),
        span_of(statement),
        "local",
        tuple(lower_expression(ctx, dim) for dim in dims),
        lower_expression(ctx, init) if init is not None else None,
    )
    ctx.declare(variable)
    return Declare(span_of(statement), () if is_alias(variable) else (variable,))


def lower_range_variable(ctx: Context, loop: Node) -> Declare:
    """The variable of `for (T x : range)`."""
    specifiers = _specifiers(ctx, loop)
    declarator = _Declarator()
    if (node := loop.child_by_field_name("declarator")) is not None:
        _unwind(ctx, node, declarator)
    variables = []
    for name in declarator.names or ((declarator.name,) if declarator.name is not None else ()):
        variable = _variable(ctx, loop, name, declarator, specifiers, None)
        variable.declaration = Span(loop.start_byte, name.end_byte)
        ctx.declare(variable)
        variables.append(variable)
    return Declare(Span(loop.start_byte, loop.start_byte), tuple(variables))


def _parameter_list(node: Node | None) -> Node | None:
    while node is not None:
        if (found := node.child_by_field_name("parameters")) is not None:
            return found
        node = node.child_by_field_name("declarator") or next(
            (c for c in node.named_children if c.type.endswith("declarator")), None
        )
    return None


def _specifiers(ctx: Context, node: Node) -> _Specifiers:
    type_node = node.child_by_field_name("type")
    result = _Specifiers(Type("auto"))
    const = False
    words = list(ctx.anchors.at(node.start_byte))
    for child in node.children:
        kind = child.type
        if kind == "type_qualifier":
            text = ctx.text(child)
            const = const or text in ("const", "constexpr", "constinit")
            result.constexpr = result.constexpr or text == "constexpr"
            if text == "volatile":
                result.volatile_span = span_of(child)
        elif kind == "storage_class_specifier":
            text = ctx.text(child)
            result.static, result.extern = result.static or text == "static", result.extern or text == "extern"
        elif kind.endswith("declarator") or kind in ("identifier", ":", ";"):
            words.extend(ctx.anchors.at(child.start_byte))
            break
        words.extend(ctx.anchors.at(child.start_byte))
    if type_node is not None:
        if type_node.type in _AUTO:
            result.is_auto = True
        elif type_node.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            name = type_node.child_by_field_name("name")
            text = ctx.text(name) if name is not None else ""
            result.type = ctx.types(text) or Type(
                text or "struct", 4 if type_node.type[0] == "e" else None, struct=True
            )
        else:
            result.type = lower_type_node(ctx, type_node)
    if const:
        result.type = result.type._replace(const=True)
    result.words = tuple(words)
    return result


def _unwind(ctx: Context, node: Node, out: _Declarator) -> None:
    while True:
        kind = node.type
        if kind in ("identifier", "field_identifier", "qualified_identifier", "type_identifier"):
            out.name = node
            out.restrict = out.restrict or any("restrict" in word for word in ctx.anchors.at(node.start_byte))
            return
        if kind in ("pointer_declarator", "abstract_pointer_declarator"):
            out.pointers += 1
            for child in node.children:
                if child.type == "type_qualifier":
                    text = ctx.text(child)
                    out.pointer_const = out.pointer_const or text == "const"
                    out.restrict = out.restrict or "restrict" in text
                    if text == "volatile":
                        out.pointer_volatile = span_of(child)
                elif child.type == "ms_pointer_modifier":
                    out.restrict = out.restrict or "restrict" in ctx.text(child)
        elif kind in ("reference_declarator", "abstract_reference_declarator"):
            out.reference = True
        elif kind in ("array_declarator", "abstract_array_declarator"):
            out.dims = (node.child_by_field_name("size"), *out.dims)
        elif kind == "function_declarator":
            out.call_parameters = node.child_by_field_name("parameters")
        elif kind == "structured_binding_declarator":
            out.names = tuple(child for child in operands(node) if child.type == "identifier")
            return
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (c for c in node.named_children if c.type.endswith("declarator") or c.type == "identifier"), None
            )
        if inner is None:
            return
        node = inner


def _initialiser(ctx: Context, node: Node | None, declarator: _Declarator, specifiers: _Specifiers) -> Expr | None:
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
    return _read_again(ctx, span_of(node)) or unknown(node)


def _read_again(ctx: Context, span: Span) -> Expr | None:
    """A part of the file as an expression, whatever its tree made of it."""
    from regpress_lint.cpp.parse import parse_plain

    # Blanks in front keep the offsets of the file.
    prefix = b"auto x=("
    data = prefix.rjust(span.start) + ctx.data[span.start : span.end] + b");"
    root = parse_plain(data).root_node
    found = root.descendant_for_byte_range(span.start, span.end)
    return None if root.has_error or found is None or span.start < len(prefix) else lower_expression(ctx, found)


def _extent(ctx: Context, text: str, declaration: Span) -> Expr | None:
    """An extent that stands among template arguments: `group_local_memory<float[N]>`."""
    at = ctx.data.find(f"[{text}]".encode(), declaration.start, declaration.end)
    if at >= 0:
        return _read_again(ctx, Span(at + 1, at + 1 + len(text.encode()))) if text.strip() else None
    # The template's own arguments were put in: it stands nowhere in the file.
    data = b" " * 8 + text.encode("utf-8", "replace")
    return _read_again(Context(data, ctx.types, Anchors({}), {}, ctx.defined), Span(8, len(data)))


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


def _storage(specifiers: _Specifiers) -> Storage:
    words = " ".join(specifiers.words)
    if "__shared__" in words or "__local" in words or "group_local" in words:
        return "shared"
    if "__constant__" in words:
        return "constant"
    if specifiers.static:
        return "static"
    if "__device__" in words or "__managed__" in words:
        return "global"
    return "constexpr" if specifiers.constexpr else "local"


def _complete_type(ctx: Context, declarator: _Declarator, specifiers: _Specifiers, init: Expr | None) -> Type:
    base = specifiers.type
    if specifiers.is_auto:
        from regpress_lint.cpp.typing_rules import expression_type

        inferred = expression_type(init, ctx.types) if init is not None else None
        base = inferred or Type("auto")
        if declarator.pointers and base.pointers:
            declarator.pointers = 0
    if specifiers.volatile_span is not None:
        base = base._replace(volatile=True)
    if declarator.pointers:
        base = pointer_to(base, declarator.pointers)
        if declarator.pointer_volatile is not None:
            base = base._replace(volatile=True)
        base = base._replace(const=declarator.pointer_const)
    if declarator.reference:
        base = base._replace(reference=True)
    return base._replace(restrict=True) if declarator.restrict else base


def _volatile_span(type_: Type, declarator: _Declarator, specifiers: _Specifiers) -> Span | None:
    if not type_.volatile:
        return None
    return declarator.pointer_volatile if declarator.pointers else specifiers.volatile_span


def _variable(
    ctx: Context, node: Node, name: Node, declarator: _Declarator, specifiers: _Specifiers, init: Expr | None
) -> Variable:
    type_ = _complete_type(ctx, declarator, specifiers, init)
    storage = _storage(specifiers)
    dims = tuple(lower_expression(ctx, dim) if dim is not None else None for dim in declarator.dims)
    if dims and dims[0] is None and init is not None:
        count = _initialised(ctx, init)
        dims = (Constant(init.span, count, "int") if count is not None else None, *dims[1:])
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
        _volatile_span(type_, declarator, specifiers),
        unsized_shared=specifiers.extern and storage == "shared",
    )


def _is_open(ctx: Context, type_: Type, specifiers: _Specifiers, init: Expr | None) -> bool:
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
    found = meant.type
    if len(meant.extents) > len(dims):
        dims = tuple(Constant(span_of(name), extent, "int") for extent in meant.extents)
    elif type_.name != "auto":
        found = found._replace(name=type_.name)
    return found._replace(const=found.const or type_.const, volatile=type_.volatile, reference=type_.reference), dims


def _initialised(ctx: Context, init: Expr) -> int | None:
    """Elements that an initialiser gives an array without an extent."""
    if isinstance(init, InitList):
        return len(init.items)
    if isinstance(init, Constant) and init.kind == "string":
        text = ctx.data[init.span.start : init.span.end].partition(b'"')[2].rpartition(b'"')[0]
        return len(_ESCAPE.sub(b".", text)) + 1
    return None


def _parameter(ctx: Context, node: Node, declarator: _Declarator, specifiers: _Specifiers) -> Variable:
    if declarator.dims:  # `T a[N]` as a parameter is a pointer
        declarator.pointers += len(declarator.dims)
    type_ = _complete_type(ctx, declarator, specifiers, None)
    name = declarator.name
    return Variable(
        ctx.text(name) if name is not None else "",
        type_,
        span_of(name) if name is not None else span_of(node),
        span_of(node),
        "parameter",
        (),
        lower_expression(ctx, default) if (default := node.child_by_field_name("default_value")) is not None else None,
        _volatile_span(type_, declarator, specifiers),
    )
