"""Accessors of SYCL that a kernel captures: arrays in local memory, pointers, buffers in global memory."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import split_list
from regpress_lint.cpp.lower.declarations import lower_declaration
from regpress_lint.cpp.lower.declared_types import lower_type_text
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.lower.vector_memory import IMAGE_ACCESSOR
from regpress_lint.cpp.names.host_types import arguments_of, declaration_of, type_of_name
from regpress_lint.cpp.names.templates import template_parameters
from regpress_lint.cpp.parse import nearest, nodes_around
from regpress_lint.cpp.syntax_tree import Call, Constant, InitList, Name, Type, Variable
from regpress_lint.cpp.traversal import nodes_of, written
from regpress_lint.cpp.types import dereference, pointer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.host_values import HostValues
    from regpress_lint.cpp.syntax_tree import Expr, Function


# Local accessors of SYCL: the local memory that a launch gives its kernel.


_WRITTEN = rb"local_accessor\s*[<(]|accessor\s*+<[^;]{0,2000}?\btarget::local\b"
_AROUND_ACCESSOR = ("declaration", "compound_statement", "alias_declaration")
_ACCESSOR = pattern(r"\b(?:local_accessor|accessor)\s*<\s*(.+)", re.DOTALL)
_ALIAS_HEAD = pattern(r"(?:\w++::)*+(\w++)\s*+(?:<(.*)>)?\s*+$", re.DOTALL)
_LOCAL_ARRAY = pattern(r"(?:(?:std|sycl)::)?m?array\s*<\s*(.+),([^,<>]+)>$|([^\[\]]+)((?:\[[^\[\]]+\])+)$")
_POINTER_BYTES = 8
_SIZE = pattern(r"\b([A-Za-z_]\w*)\.size\(\)")
RANKS = ("0", "1", "2", "3")
"""Dimensions of an accessor or a range as SYCL has them."""


class LocalAccessor(NamedTuple):
    """One local accessor of a command group: its name, its bytes where they are settled, the type of its elements as
    it is written and how many there are along each dimension; no extents for one that a kernel cannot index as an
    array.
    """

    name: str
    bytes: int | None
    element: str = ""
    extents: tuple[int | None, ...] = ()


def local_accessor_bytes(values: HostValues, call: Node) -> int | None:
    """Bytes of all local accessors that a launch can name, those of its group; None if one is not settled."""
    sizes = [accessor.bytes for accessor in local_accessors(values, call)]
    settled = [size for size in sizes if size is not None]
    return sum(settled) if len(settled) == len(sizes) else None


def local_accessors(values: HostValues, call: Node) -> tuple[LocalAccessor, ...]:
    """The local accessors of a launch's command group.

    One of a block that is closed before the launch belongs to another one: several `submit`s in a function, or the
    branches of an `if`.
    """
    key = ("local accessors", call.start_byte, call.end_byte)
    if key not in values.remembered:
        values.remembered[key] = tuple(_local_accessors(values, call))
    accessors: tuple[LocalAccessor, ...] = values.remembered[key]
    return accessors


def _local_accessors(values: HostValues, call: Node) -> Iterator[LocalAccessor]:
    scope = nearest(call.parent, ("lambda_expression", "function_definition"))
    if scope is None:
        return
    aliases = _aliases(values)
    words = b"|".join((_WRITTEN, *(rb"%s\b" % name.encode() for name in aliases)))
    seen: set[int] = set()
    for match in re.finditer(rb"\b(?:" + words + rb")", values.text[scope.start_byte : call.start_byte]):
        start, end = match.start() + scope.start_byte, match.end() + scope.start_byte
        around = nodes_around(values.root, start, end)
        node = next((outer for outer in around if outer.type in _AROUND_ACCESSOR), None)
        if node is None or node.type != "declaration" or node.start_byte in seen:
            continue
        seen.add(node.start_byte)
        if _block_around(node, scope, call):
            ctx = values.scope.context_for_text(values.parsed, values.parse_index)
            type_node = node.child_by_field_name("type")
            written = values.parsed.text(type_node, values.parse_index) if type_node is not None else "auto"
            for variable in lower_declaration(ctx, node).variables:
                yield _described(values, variable, written, aliases, call.start_byte)


def _block_around(declaration: Node, scope: Node, call: Node) -> bool:
    """Whether the block around a declaration extends to the call."""
    block = declaration.parent
    while block is not None and block != scope and block.type not in ("compound_statement", "lambda_expression"):
        block = block.parent
    return block is not None and block.start_byte <= call.start_byte and call.end_byte <= block.end_byte


def _aliases(values: HostValues) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Names that the file gives to types of local accessors: what they stand for, and their template's parameters."""
    aliases: dict[str, tuple[str, tuple[str, ...]]] = {}
    if b"local_accessor" not in values.text and b"target::local" not in values.text:
        return aliases
    for name, node in values.parsed.aliases.items():
        text = values.parsed.text(node)
        if "local_accessor" in text or ("accessor" in text and "target::local" in text):
            parent = node.parent.parent if node.parent is not None else None
            template = parent if parent is not None and parent.type == "template_declaration" else None
            parameters = template_parameters(values.parsed, template, 0) if template is not None else ()
            aliases[name] = (text, tuple(parameter.name for parameter in parameters))
    return aliases


def _described(
    values: HostValues, variable: Variable, text: str, aliases: dict[str, tuple[str, tuple[str, ...]]], offset: int
) -> LocalAccessor:
    init, name = variable.init, variable.name
    if isinstance(init, Call) and init.name in ("local_accessor", *aliases) and text == "auto":
        text = f"{init.name}<{', '.join(init.template_args)}>"
    if (head := _ALIAS_HEAD.match(text)) is not None and head[1] in aliases:
        text, parameters = aliases[head[1]]
        for parameter, argument in zip(parameters, split_list(head[2] or ""), strict=False):
            text = re.sub(rf"\b{parameter}\b", argument, text)
    match = _ACCESSOR.search(text)
    parts = split_list(match[1].rstrip().removesuffix(">")) if match is not None else []
    if not parts:
        return LocalAccessor(name, None)
    rank = parts[1].strip() if len(parts) > 1 else "1"
    unknown = (None,) * int(rank) if rank in RANKS else ()
    args = init.args if isinstance(init, Call) else init.items if isinstance(init, InitList) else ()
    if len(args) == 1 or rank == "0":  # a zero-dimensional accessor takes the handler alone
        return LocalAccessor(name, _element_bytes(values, parts[0], offset), parts[0])
    sizes = _extents(values, args[0], offset) if args else None
    if sizes is not None and min(sizes, default=0) < 0:  # no range: nothing is known
        sizes = None
    element = _element_bytes(values, parts[0], offset) if sizes is not None else None
    size = element * math.prod(sizes) if element is not None and sizes is not None else None
    return LocalAccessor(name, size, parts[0], sizes if sizes is not None and len(sizes) == len(unknown) else unknown)


def _extents(values: HostValues, expr: Expr, offset: int) -> tuple[int, ...] | None:
    """Elements of a range along its dimensions, also of one that takes the size of another."""
    value = values.dims(expr, offset)
    if value is not None:
        return tuple(int(dim) for dim in value.dims)
    text = values.text[expr.span.start : expr.span.end].decode("utf-8", "replace")
    for name in set(_SIZE.findall(text)):
        operand = values.dims(Name(expr.span, name), offset)
        if operand is None:
            return None
        text = re.sub(rf"\b{name}\.size\(\)", str(math.prod(int(dim) for dim in operand.dims)), text)
    replaced = values.scope.expression_of_text(text) if ".size" not in text else None
    value = values.dims(replaced, offset) if replaced is not None and "size()" not in text else None
    return tuple(int(dim) for dim in value.dims) if value is not None else None


def _element_bytes(values: HostValues, text: str, offset: int) -> int | None:
    """Size of an accessor's elements, arrays of the language and of the library included."""
    if text.endswith("*"):
        return _POINTER_BYTES
    match = _LOCAL_ARRAY.match(text)
    if match is None:
        type_ = values.scope.type_of(text)
        return type_.size if type_ is not None else None
    inner, extents = (match[1], [match[2]]) if match[1] else (match[3], re.findall(r"\[([^\[\]]+)\]", match[4]))
    size = _element_bytes(values, inner.strip(), offset)
    for extent in extents:
        expr = values.scope.expression_of_text(extent)
        number = values.number(expr, offset) if expr is not None else None
        if size is None or number is None:
            return None
        size *= int(number)
    return size


# Accessors that a kernel's lambda captures, by their role in the kernel: arrays in local memory, pointers.


_OBJECT = pattern(r"(?:[\w:]*::)?(accessor|buffer)\s*(?:<(.*)>)?", re.DOTALL)
_ARRAY = pattern(r"([^\[\]]+?)(?<!\s)((?:\s*+\[[^\[\]]++\])+)$")
_EXTENT = pattern(r"\[([^\[\]]+)\]")
_WHOLE = pattern(r"&?\s*(\w+)(?:\s*(?:\[\s*0\s*\]|\.\s*(?:template\s+)?get\w*\s*(?:<[^()]*>)?\s*\(\s*\)))*")
_IMAGE = pattern(r"(?:[\w:]*::)?image\s*<")
_PIXEL = pattern(r"\bget_access\s*<\s*(?:[\w:]*::)?(\w+)")
_READ = pattern(r"\bread\b|\bread_only\b")


def accessor_variables(
    values: HostValues, owner: Node, call: Node | None, names: frozenset[str], bound: Mapping[str, str]
) -> dict[str, Variable]:
    """Those accessors among `names`, which a kernel's body mentions, whose elements are settled.

    bound: the template parameters around the kernel.
    """
    if call is None or (b"accessor" not in values.text and b"get_access" not in values.text):
        return {}
    ctx = values.scope.context_for_text(values.parsed, values.parse_index, bound)
    variables = dict(_local(values, ctx, owner, call))
    for name in names - variables.keys():
        element = _element(values, owner, name)
        type_ = lower_type_text(ctx, element) if element is not None else None
        if type_ is not None and type_.size is not None:
            variables[name] = Variable(name, pointer_to(type_), span_of(owner), span_of(owner), "capture")
        elif element is None and (image := _image(values, owner, name)) is not None:
            variables[name] = Variable(name, Type(image), span_of(owner), span_of(owner), "capture")
    return variables


def share_parameters(
    values: HostValues,
    function: Function,
    text: bytes,
    arguments: Sequence[Node],
    call: Node | None,
    bound: Mapping[str, str],
) -> None:
    """Make those parameters of a thin lambda's callee arrays in local memory that are handed a local accessor.

    text: of the callee's body.
    """
    if call is None or b"accessor" not in values.text:
        return
    ctx = values.scope.context_for_text(values.parsed, values.parse_index, bound)
    local = dict(_local(values, ctx, call, call))
    moved: frozenset[Variable] | None = None
    for parameter, argument in zip(function.parameters, arguments, strict=False) if local else ():
        match = _WHOLE.fullmatch(values.parsed.text(argument, values.parse_index))
        accessor = local.get(match[1]) if match is not None else None
        if accessor is None:
            continue
        if parameter.storage == "shared":
            parameter.dims = accessor.dims
        elif (inner := _pointee(parameter)) is not None:
            if moved is None and _may_move(text, parameter.name):
                moved = _moved(function)
            if moved is not None and parameter in moved:
                continue
            same = inner.size == accessor.type.size and len(accessor.dims) == 1
            parameter.type, parameter.storage = inner, "shared"
            parameter.dims = accessor.dims if same else (None,)


def share_as(function: Function, lowered: Function) -> None:
    """Make those parameters arrays in local memory that are so in another lowering of the same function."""
    for parameter, like in zip(function.parameters, lowered.parameters, strict=True):
        if like.storage == "shared" and parameter.storage != "shared" and (inner := _pointee(parameter)) is not None:
            parameter.type, parameter.storage, parameter.dims = inner, "shared", (None,) * len(like.dims)


def _pointee(parameter: Variable) -> Type | None:
    return dereference(parameter.type) if parameter.type.pointers == 1 and not parameter.dims else None


def _may_move(text: bytes, name: str) -> bool:
    """Whether a text may set a variable; if not, reading the tree is unnecessary."""
    word = re.escape(name.encode())
    match = re.search(
        rb"\b%b\b[\s)]*(?:\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)[\s(]*%b\b" % (word, word), text
    )
    return match is not None


def _moved(function: Function) -> frozenset[Variable]:
    """Variables that are set to something else, pointers among them."""
    targets = map(written, nodes_of(function))
    return frozenset(target.variable for target in targets if isinstance(target, Name) and target.variable is not None)


def _local(values: HostValues, ctx: Context, owner: Node, call: Node) -> Iterator[tuple[str, Variable]]:
    for accessor in local_accessors(values, call):
        base, inner = accessor.element.strip(), ""
        if (array := _ARRAY.fullmatch(base)) is not None:
            base, inner = array[1], array[2]
        type_ = lower_type_text(ctx, base) if base else Type("")
        extents = [Constant(span_of(owner), extent, "int") if extent else None for extent in accessor.extents]
        dims = (*extents, *(values.scope.expression_of_text(text) for text in _EXTENT.findall(inner)))
        if type_.size is None or (not dims and accessor.bytes is None):  # one of no dimension is a variable
            continue
        # How large it is belongs to the launch.
        yield accessor.name, Variable(accessor.name, type_, span_of(owner), span_of(owner), "shared", dims)


def _element(values: HostValues, node: Node, name: str) -> str | None:
    """How the elements of an accessor of one dimension to global memory are spelled; `const` if they are only read."""
    declared = declaration_of(values, node, name)
    if declared is None:
        return None
    declaration, declarator = declared
    type_node = declaration.child_by_field_name("type")
    text = values.parsed.text(type_node, values.parse_index) if type_node is not None else ""
    whole = values.parsed.text(declaration, values.parse_index)
    # `accessor a(b, h);` is read as a function's declaration.
    field = "parameters" if declarator.type == "function_declarator" else "value"
    value = declarator.child_by_field_name(field)
    if (match := _OBJECT.fullmatch(" ".join(text.split()))) is not None and match[1] == "accessor":
        parts = split_list(match[2] or "")
        if parts and "target::local" not in text:
            return _plain(parts, whole)
    elif "get_access" not in whole and "accessor" not in whole:
        return None
    buffer = _buffer(value) if value is not None else None
    if buffer is None:
        return None
    spelled = type_of_name(values, buffer, values.parsed.text(buffer, values.parse_index))
    match = _OBJECT.fullmatch(spelled) if spelled is not None else None
    return _plain(split_list(match[2]), whole) if match is not None and match[2] else None


def _image(values: HostValues, node: Node, name: str) -> str | None:
    """The type of an accessor of an image, as it is written or as `img.get_access<float4, mode>(h)` has it."""
    declared = declaration_of(values, node, name)
    if declared is None:
        return None
    whole = " ".join(values.parsed.text(declared[0], values.parse_index).split())
    if (match := IMAGE_ACCESSOR.match(whole)) is not None:
        return match[0]
    value = declared[1].child_by_field_name("value")
    image = _buffer(value) if value is not None else None
    spelled = type_of_name(values, image, values.parsed.text(image, values.parse_index)) if image is not None else None
    match = _PIXEL.search(whole)
    if spelled is None or match is None or _IMAGE.match(spelled) is None:
        return None
    return f"sampled_image_accessor<{match[1]}, 2>"


def _plain(parts: list[str], declaration: str) -> str | None:
    is_flat = len(parts) < 2 or parts[1].strip() == "1"
    const = "const " if _READ.search(declaration) and "write" not in declaration else ""
    return f"{const}{parts[0]}" if parts and is_flat and parts[0] else None


def _buffer(value: Node) -> Node | None:
    """The buffer of `b.get_access<...>(h)`, `accessor(b, h)` or the arguments `(b, h)`."""
    if value.type == "call_expression":
        function = value.child_by_field_name("function")
        if function is not None and function.type == "field_expression":
            node = function.child_by_field_name("argument")
        else:
            node = next(iter(arguments_of(value)), None)
    else:
        node = value.named_children[0] if value.named_children else None
    if node is not None and node.type == "parameter_declaration":
        node = node.child_by_field_name("type") if node.named_child_count == 1 else None
    return node if node is not None and node.type in ("identifier", "type_identifier") else None
