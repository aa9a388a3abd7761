"""Launches of CUDA and HIP and their configuration: `<<<>>>`, launch functions, and arguments that are variables."""

from __future__ import annotations

import math
import re
from itertools import islice
from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.running import checkpoint
from regpress_lint.core.source import Span
from regpress_lint.cpp.lower.lowering_context import template_arguments
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER
from regpress_lint.cpp.names.host_types import arguments_of, declaration_of
from regpress_lint.cpp.names.host_values import HostValues, Value
from regpress_lint.cpp.parse import children_of, nearest, nodes_around, past
from regpress_lint.cpp.preprocess.macros import expand
from regpress_lint.cpp.types import builtin_type
from regpress_lint.program.model import Launch
from regpress_lint.program.open_conditions import never_compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.scope import Scope


# Launch arguments that are variables: the kernel (`auto f = k<64>; f<<<1, 32>>>()`, a parameter), and how it is
# configured (`cudaLaunchConfig_t`).


_MOST_CALLS = 64  # of a function that is handed a kernel
_NAME = pattern(rb"[A-Za-z_]\w*")
_CLUSTER = pattern(rb"\bclusterDim\s*\.\s*([xyz])\s*=(?!=)\s*([^;,]+)")
_VARIABLES = ("identifier", "subscript_expression", "field_expression")  # that may hold a kernel
_FIELDS = ("gridDim", "blockDim", "dynamicSmemBytes")  # in the order of the structure


class Config(NamedTuple):
    """Expressions of a structure that configures a launch; None for one that is not found. said: whether one was
    found."""

    grid: Node | None = None
    block: Node | None = None
    lds: Node | None = None
    said: bool = False


def kernels_in(values: HostValues, node: Node) -> tuple[Node, ...]:
    """The expressions that a variable with a kernel was given: its initialiser, what is assigned to it, or the
    arguments of calls for a parameter; of a table, `table[i]` and `table[i].run`, all that it may hold. None for a name
    that is no such variable.
    """
    base = node
    while base.type in ("subscript_expression", "field_expression"):
        inner = base.child_by_field_name("argument")
        if inner is None:
            return ()
        base = inner
    declared = declaration_of(values, base, name := values.parsed.text(base, values.parse_index))
    if declared is None:
        return ()
    declaration, declarator = declared
    if declaration.type not in ("declaration", "field_declaration"):
        return tuple(_handed(values, declaration)) if base is node else ()
    value = declarator.child_by_field_name("value") or declarator.child_by_field_name("default_value")
    values_given = [*((value,) if value is not None else ()), *_assigned(values, name, base)]
    return tuple(leaf for value in values_given for leaf in _leaves(value))


def _assigned(values: HostValues, name: str, node: Node) -> Iterator[Node]:
    """The values assigned to a variable, or to an element of it, in the function around its use."""
    function = values.function_at(node.start_byte)
    if function is None:
        return
    assignment = re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*+(?:\[[^\[\];{}]*\]\s*+|\.\w++\s*+)*=(?!=)")
    for match in islice(assignment.finditer(values.text, function.start_byte, function.end_byte), _MOST_CALLS):
        side = values.root.descendant_for_byte_range(match.start(), match.end())
        right = side.child_by_field_name("right") if side is not None else None
        if right is not None:
            yield right


def _leaves(node: Node) -> Iterator[Node]:
    """The expressions in a list, however deep: `{{4, k<4>}, {8, k<8>}}`."""
    if node.type == "conditional_expression":
        sides = (node.child_by_field_name(side) for side in ("consequence", "alternative"))
        yield from (leaf for side in sides if side is not None for leaf in _leaves(side))
    elif node.type == "initializer_list":
        for child in islice(node.named_children, _MOST_CALLS):
            yield from _leaves(child.child_by_field_name("value") or child)
    else:
        yield node


def _handed(values: HostValues, parameter: Node) -> list[Node]:
    listed = parameter.parent
    function = nearest(listed, ("function_definition",))
    head = listed.parent if listed is not None else None
    name = head.child_by_field_name("declarator") if head is not None else None
    if listed is None or function is None or name is None:
        return []
    position = children_of(listed).index(parameter)
    nodes: list[Node] = []
    for call in (values.calls_of(values.parsed.text(name, values.parse_index)) or ())[:_MOST_CALLS]:
        arguments = arguments_of(call)
        if position < len(arguments) and not function.start_byte <= call.start_byte < function.end_byte:
            nodes.append(arguments[position])
    return nodes


def config_of(values: HostValues, node: Node, offset: int) -> Config:
    """The configuration in the structure that a launch receives as `&config` or `config`: in its initialiser and by
    assignments to its members in front of the launch, in the function around it.
    """
    match = _NAME.search(values.text, node.start_byte, node.end_byte)
    function = values.function_at(offset)
    if match is None or function is None:
        return Config()
    at = values.root.descendant_for_byte_range(match.start(), match.end())
    name = match[0].decode("utf-8", "replace")
    declaration = declaration_of(values, at, name) if at is not None else None
    if declaration is None:
        return Config()
    parts: dict[str, Node] = {}
    value = declaration[1].child_by_field_name("value")
    for position, child in enumerate(value.named_children if value is not None and "list" in value.type else ()):
        field, value_node = child.child_by_field_name("designator"), child.child_by_field_name("value")
        if child.type == "initializer_pair" and field is not None and value_node is not None:
            parts[values.parsed.text(field, values.parse_index).lstrip(". ")] = value_node
        elif position < len(_FIELDS):
            parts[_FIELDS[position]] = child
    member = re.compile(rb"\b" + re.escape(match[0]) + rb"\s*\.\s*(gridDim|blockDim|dynamicSmemBytes)\s*=(?!=)")
    for assigned in member.finditer(values.text, function.start_byte, offset):
        member_node = values.root.descendant_for_byte_range(assigned.start(1), assigned.end(1))
        side = nearest(member_node, ("assignment_expression",))
        right = side.child_by_field_name("right") if side is not None else None
        if right is not None:
            parts[assigned[1].decode()] = right
    grid, block, lds = (parts.get(field) for field in _FIELDS)
    return Config(grid, block, lds, said=bool(parts) or value is not None)


def cluster_of(values: HostValues, offset: int) -> int | None:
    """Blocks of the cluster that the function around a launch puts into an attribute in front of it: the product of
    the last `clusterDim.x = 2` along each axis. None without one, or if a number is not settled.
    """
    function = values.function_at(offset)
    if function is None or values.text.find(b"clusterDim", function.start_byte, offset) < 0:
        return None
    sizes: dict[bytes, int | None] = {}
    for assigned in _CLUSTER.finditer(values.text, function.start_byte, offset):
        expr = values.scope.expression_of_text(assigned[2].decode("utf-8", "replace"))
        number = values.number(expr, assigned.start()) if expr is not None else None
        sizes[assigned[1]] = number if isinstance(number, int) and number > 0 else None
    settled = [size for size in sizes.values() if size is not None]
    return prod(settled) if settled and len(settled) == len(sizes) else None


# name -> positions of kernel, block and dynamic LDS among the arguments (None: not there, or inside a structure); the
# grid stands before the block
_FUNCTIONS: dict[str, tuple[int, int | None, int | None]] = {
    "hipLaunchKernelGGL": (0, 2, 3),
    "hipLaunchKernel": (0, 2, 4),
    "hipLaunchCooperativeKernel": (0, 2, 4),
    "cudaLaunchKernel": (0, 2, 4),
    "cudaLaunchCooperativeKernel": (0, 2, 4),
    "cudaLaunchKernelEx": (1, None, None),
    "cudaLaunchKernelExC": (1, None, None),
    "hipLaunchKernelExC": (1, None, None),
    "cuLaunchKernel": (0, None, 7),
    "hipModuleLaunchKernel": (0, None, 7),
}
_CONFIGURED = ("cudaLaunchKernelEx", "hipLaunchKernelEx")  # take both from a structure
_LONGEST_PREFIX, _LONGEST_NAME = len("hipModule"), 64
_MODULE_LAUNCHES = frozenset(("cuLaunchKernel", "hipModuleLaunchKernel"))
_FUNCTION_PATTERN = pattern(rb"\b(" + "|".join(_FUNCTIONS).encode() + rb")\s*\(")
_KERNEL_WRAPPERS = frozenset(("HIP_KERNEL_NAME", "KERNEL_NAME", "reinterpret_cast", "static_cast"))
_LITERAL_GRID = pattern(rb"(?:dim3\s*[({])?[\d\s,*]+[)}]?")


def cuda_launches(scope: Scope, path: str) -> tuple[Launch, ...]:
    """Launches of a CUDA or HIP file in file order, each from the first rung of the ladder that reads it as one.

    An `#if` among the arguments breaks a launch in the whole tree; a rung with one branch of it has the launch whole.
    Code that no build compiles launches nothing.
    """
    launches: list[Launch] = []
    for index in range(len(scope.parsed.parses)):
        values = HostValues(scope, scope.parsed, index)
        read = (*_chevrons(values, path), *_launch_functions(values, path))
        seen = [launch.span for launch in launches]
        launches += [launch for launch in read if not any(_overlap(launch.span, span) for span in seen)]
    dead = never_compiled(scope, [launch.span.start for launch in launches])
    alive = (launch for launch in launches if not any(arm.contains(launch.span) for arm in dead))
    return tuple(sorted(alive, key=lambda launch: launch.span))


def _overlap(span: Span, against: Span) -> bool:
    return span.start < against.end and against.start < span.end


def _chevrons(values: HostValues, path: str) -> Iterator[Launch]:
    for item in values.parsed.parses[values.parse_index].masked.items:
        if item.kind != "launch_open":
            continue
        checkpoint()
        opening = values.text.find(b"(", item.start, item.end)
        around = iter(nodes_around(values.root, opening, opening + 1))
        node = next((outer_node for outer_node in around if outer_node.type == "argument_list"), None)
        inner, outer = next(around, None), next(around, None)
        if inner is None or outer is None or inner.type != "call_expression" or outer.type != "call_expression":
            continue
        callee = inner.child_by_field_name("function")
        if node is None or callee is None:
            continue
        arguments = children_of(node)
        handed = arguments_of(outer)
        count = None if any(b"..." in (argument.text or b"") for argument in handed) else len(handed)
        for name, template in kernel_references(values, callee):
            launch = _launch(values, path, outer, name, template, "<<<>>>", arguments, 1, 2)
            yield launch._replace(given=count)


def _launch_calls(text: bytes) -> Iterator[re.Match[bytes]]:
    """Calls of launch functions. Their common middle is looked for first: most files have none of it."""
    done = text.find(b"Launch")
    while done >= 0:
        match = _FUNCTION_PATTERN.search(text, max(0, done - _LONGEST_PREFIX), done + _LONGEST_NAME)
        if match is not None:
            yield match
        done = text.find(b"Launch", (match.end() if match is not None else done) + 1)


def _launch_functions(values: HostValues, path: str) -> Iterator[Launch]:
    for match in _launch_calls(values.text):
        function = match[1].decode()
        node = values.root.descendant_for_byte_range(match.start(1), match.end(1))
        call = past(node.parent if node is not None else None, ("qualified_identifier", "template_function"))
        if node is None or call is None or call.type != "call_expression":
            continue
        function_node, list_node = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if list_node is None or function_node is None or not function_node.end_byte >= match.end(1):
            continue
        arguments = children_of(list_node)
        kernel_at, block_at, lds_at = _FUNCTIONS[function]
        kernel = _nth(arguments, kernel_at)
        if kernel is None:
            continue
        if function in _MODULE_LAUNCHES and len(arguments) > 6:
            name, _ = kernel_reference(values, kernel)
            yield _module_launch(values, path, call, name, function, arguments)
            continue
        for name, template in kernel_references(values, kernel):
            yield _launch(values, path, call, name, template, function, arguments, block_at, lds_at)


def _module_launch(values: HostValues, path: str, call: Node, name: str, form: str, arguments: list[Node]) -> Launch:
    parts = [values.number(values.lower(node), call.start_byte) for node in arguments[4:7]]
    dims = tuple(part for part in parts if part is not None)
    value = Value(dims, "constant") if len(dims) == 3 else None
    lds = _bytes(values, _nth(arguments, 7), call.start_byte)
    return make_launch(values, path, call, name, (), form, value, lds, "")


def _nth(nodes: list[Node], index: int | None) -> Node | None:
    return nodes[index] if index is not None and index < len(nodes) else None


def kernel_references(values: HostValues, node: Node) -> Iterator[tuple[str, tuple[str, ...]]]:
    """`kernel_reference` for all kernels that an expression may name: of a variable those that it was given."""
    inner = _unwrapped(node)
    kernels = kernels_in(values, inner) if inner.type in _VARIABLES else ()
    named = {reference: None for kernel in kernels if (reference := kernel_reference(values, kernel))[0]}
    yield from named or (kernel_reference(values, node),)


def _unwrapped(node: Node) -> Node:
    """What stands within parentheses, casts and `&`."""
    while node.type in ("parenthesized_expression", "cast_expression", "pointer_expression"):
        inner = node.child_by_field_name("value") or node.child_by_field_name("argument")
        inner = inner or next(iter(children_of(node)), None)
        if inner is None:
            break
        node = inner
    return node


def kernel_reference(values: HostValues, node: Node) -> tuple[str, tuple[str, ...]]:
    """Name and template arguments of the kernel that an expression names; "" if it is computed."""
    node = _unwrapped(node)
    if node.type == "call_expression":
        word = values.slice(node.child_by_field_name("function"))
        handed = children_of(node, "arguments")
        if word.partition("<")[0] not in _KERNEL_WRAPPERS or not handed:
            return _name_of_macro(values, word, node), ()
        if len(handed) == 1:
            return kernel_reference(values, handed[0])
        # HIP_KERNEL_NAME(k<A, B>) parsed as two comparisons
        return _template_text(values, handed[0].start_byte, handed[-1].end_byte)
    if node.type in ("identifier", "template_function", "qualified_identifier", "field_identifier", "field_expression"):
        tail = node
        while tail.type in ("qualified_identifier", "field_expression"):
            inner = tail.child_by_field_name("name") or tail.child_by_field_name("field")
            if inner is None:
                break
            tail = inner
        if tail.type in ("template_function", "template_method"):
            ctx = values.scope.context_for_text(values.parsed, values.parse_index)
            arguments = template_arguments(ctx, tail.child_by_field_name("arguments"))
            return values.slice(tail.child_by_field_name("name")), arguments
        return values.slice(tail), ()
    return _template_text(values, node.start_byte, node.end_byte)


def _name_of_macro(values: HostValues, word: str, call: Node) -> str:
    """The name that a use of a macro writes: `FN(axpy)<<<...>>>`; "" for another call."""
    if word not in values.parsed.macros:
        return ""
    name = expand(values.parsed.text(call, values.parse_index), values.parsed.macros).strip()
    return name if IDENTIFIER.fullmatch(name) else ""


def _template_text(values: HostValues, start: int, end: int) -> tuple[str, tuple[str, ...]]:
    text = values.text[start:end].decode("utf-8", "replace")
    match = re.match(r"\s*\(?\s*([A-Za-z_][\w:]*)\s*<(.*)>", text, re.DOTALL)
    if match is None:
        return "", ()
    return match[1].rsplit("::", 1)[-1], tuple(part.strip() for part in match[2].split(","))


def _bytes(values: HostValues, node: Node | None, offset: int) -> int | None:
    if node is None:
        return 0
    number = values.number(values.lower(node), offset)
    return int(number) if number is not None and number >= 0 else None


def _launch(
    values: HostValues,
    path: str,
    call: Node,
    name: str,
    template: tuple[str, ...],
    form: str,
    arguments: list[Node],
    block_at: int | None,
    lds_at: int | None,
) -> Launch:
    offset = call.start_byte
    block, lds = _nth(arguments, block_at), _nth(arguments, lds_at)
    grid = _nth(arguments, block_at - 1) if block_at is not None else None
    config = Config()
    if block_at is None and form.startswith(_CONFIGURED):
        config = config_of(values, arguments[0], offset)
        grid, block = config.grid, config.block
    value = values.dims(values.lower(block), offset) if block is not None else None
    text = values.slice(block)
    if block_at is None:
        bytes_ = _bytes(values, config.lds, offset) if config.said else None  # filled elsewhere
    else:
        bytes_ = _bytes(values, lds, offset)
    launch = make_launch(values, path, call, name, template, form, value, bytes_, text)
    blocks = None
    if grid is not None and grid_matters(launch.block_size, values.text[grid.start_byte : grid.end_byte]):
        blocks = block_count(values.dims(values.lower(grid), offset))
    cluster = cluster_of(values, offset) if form.startswith(_CONFIGURED) else None
    return launch._replace(blocks=blocks, block_span=span_at(block), cluster=cluster)


def span_at(node: Node | None) -> Span | None:
    return Span(node.start_byte, node.end_byte) if node is not None else None


def grid_matters(block_size: int | None, text: bytes) -> bool:
    """To settle a grid takes as long as to settle a block, and most depend on run-time sizes: only where it is a
    literal, or the block size one that is odd, small or large enough to waste something, is it looked at.
    """
    if _LITERAL_GRID.fullmatch(text):
        return True
    return block_size is not None and block_size > 1 and (block_size <= 64 or block_size >= 768 or block_size % 64 > 0)


def make_launch(
    values: HostValues,
    path: str,
    call: Node,
    name: str,
    template: tuple[str, ...],
    form: str,
    value: Value | None,
    lds: int | None,
    block_text: str,
) -> Launch:
    """A launch whose block is that value."""
    dims = _dimensions(value)
    span = Span(call.start_byte, call.end_byte)
    return Launch(
        path,
        span,
        values.parsed.source.line_of(span.start),
        name,
        template,
        form,
        math.prod(dims) if dims is not None else None,
        dims,
        lds,
        " ".join(block_text.split())[:80],
        value.certainty if value is not None and dims is not None else "unknown",
        argument_values(values, template, span.start),
    )


def argument_values(values: HostValues, template: tuple[str, ...], offset: int) -> tuple[Number | None, ...]:
    """Values of template arguments as seen at `offset`; None for types and for values not settled there."""
    result: list[Number | None] = []
    for text in template:
        expr = values.scope.expression_of_text(text) if builtin_type(text) is None else None
        result.append(values.number(expr, offset) if expr is not None else None)
    return tuple(result)


def _dimensions(value: Value | None) -> tuple[int, ...] | None:
    """Positive integer dimensions, or None for a value that cannot be a block."""
    if value is None or not 1 <= len(value.dims) <= 3:
        return None
    dims = tuple(int(dim) for dim in value.dims if dim == int(dim))
    return dims if len(dims) == len(value.dims) and all(0 < dim <= 1 << 20 for dim in dims) else None


def block_count(value: Value | None) -> int | None:
    """Blocks of a grid; a variable that is assigned several times may have another value at another call."""
    if value is None or value.certainty == "last-assignment":
        return None
    dims = _dimensions(value)
    return math.prod(dims) if dims is not None else None
