"""Launch arguments that are variables: the kernel (`auto f = k<64>; f<<<1, 32>>>()`, a parameter), and how it is
configured (`cudaLaunchConfig_t`).
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.template_arguments import arguments_of, declaration_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.names.host_values import HostValues

_MOST_CALLS = 64  # of a function that is handed a kernel
_NAME = pattern(rb"[A-Za-z_]\w*")
_CLUSTER = pattern(rb"\bclusterDim\s*\.\s*([xyz])\s*=(?!=)\s*([^;,]+)")
_FIELDS = ("gridDim", "blockDim", "dynamicSmemBytes")  # in the order of the structure


class Config(NamedTuple):
    """Expressions of a structure that configures a launch; None for one that is not found. said: whether one was
    found."""

    grid: Node | None = None
    block: Node | None = None
    lds: Node | None = None
    said: bool = False


def kernels_in(values: HostValues, node: Node) -> tuple[Node, ...]:
    """The expressions that a variable with a kernel was given: its initialiser, or the arguments of calls for a
    parameter; none for a name that is no such variable.
    """
    found = declaration_of(values, node, values.unit.text(node, values.parse_index))
    if found is None:
        return ()
    declaration, declarator = found
    if declaration.type == "declaration":
        value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        return (value,) if value is not None else ()
    return tuple(_handed(values, declaration))


def _handed(values: HostValues, parameter: Node) -> list[Node]:
    listed = parameter.parent
    function = listed
    while function is not None and function.type != "function_definition":
        function = function.parent
    head = listed.parent if listed is not None else None
    name = head.child_by_field_name("declarator") if head is not None else None
    if listed is None or function is None or name is None:
        return []
    position = [child for child in listed.named_children if child.type != "comment"].index(parameter)
    found: list[Node] = []
    for call in (values.calls_of(values.unit.text(name, values.parse_index)) or ())[:_MOST_CALLS]:
        given = arguments_of(call)
        if position < len(given) and not function.start_byte <= call.start_byte < function.end_byte:
            found.append(given[position])
    return found


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
    found = declaration_of(values, at, name) if at is not None else None
    if found is None:
        return Config()
    parts: dict[str, Node] = {}
    value = found[1].child_by_field_name("value")
    for position, child in enumerate(value.named_children if value is not None and "list" in value.type else ()):
        field, given = child.child_by_field_name("designator"), child.child_by_field_name("value")
        if child.type == "initializer_pair" and field is not None and given is not None:
            parts[values.unit.text(field, values.parse_index).lstrip(". ")] = given
        elif position < len(_FIELDS):
            parts[_FIELDS[position]] = child
    member = re.compile(rb"\b" + re.escape(match[0]) + rb"\s*\.\s*(gridDim|blockDim|dynamicSmemBytes)\s*=(?!=)")
    for assigned in member.finditer(values.text, function.start_byte, offset):
        side = values.root.descendant_for_byte_range(assigned.start(1), assigned.end(1))
        while side is not None and side.type != "assignment_expression":
            side = side.parent
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
    known = [size for size in sizes.values() if size is not None]
    return prod(known) if known and len(known) == len(sizes) else None
