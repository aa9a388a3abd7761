"""OpenCL C kernels: `__kernel` definitions with their attributes. Their launches are in host programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import split_arguments
from regpress_lint.cpp.names.definitions import value_with
from regpress_lint.cpp.types import dereference
from regpress_lint.program.kernel_functions import global_functions, head_items, register_limits
from regpress_lint.program.model import Kernel, Launch, LaunchBounds
from regpress_lint.program.open_conditions import open_conditions

if TYPE_CHECKING:
    from regpress_lint.cpp.mask.draft import MaskedItem
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Variable


HINT = "work_group_size_hint"
_REQUIRED = "reqd_work_group_size"
_SUB_GROUP = "intel_reqd_sub_group_size"
_ATTRIBUTE = pattern(rf"\b_*({_REQUIRED}|{HINT}|{_SUB_GROUP})_*\s*\(")
_LOCAL = frozenset(("__local", "local"))
_CONSTANT = frozenset(("__constant", "constant"))


def opencl_kernels(scope: Scope) -> tuple[tuple[Kernel, ...], tuple[Span, ...]]:
    """Kernels of a file in its order, and the words that head a definition which no tree holds."""
    nodes, lost = global_functions(scope.parsed)
    return tuple(_kernel(scope, node) for node in nodes), lost


def _kernel(scope: Scope, node: FunctionNode) -> Kernel:
    parsed = scope.parsed
    function = scope.lower(node, parsed, {})
    attributes = _attributes(scope, node)
    local = False
    for parameter in function.parameters:
        words = _words_before(scope, node, parameter)
        local = _in_local_memory(parameter, words) or local
        if words & _CONSTANT:  # nothing writes there while a kernel runs
            parameter.type = parameter.type._replace(restrict=True, pointee_const=True)
    sub_group = attributes.get(_SUB_GROUP)
    size = sub_group[2][0] if sub_group is not None and sub_group[2] else None
    line = parsed.source.line_of(node.name_node.start_byte)
    made = Kernel(
        function.name,
        "opencl",
        function,
        parsed.source.path,
        line,
        parsed.source.line_of(max(node.body.end_byte - 1, 0)),
        function.name_span,
        "__kernel",
        _bounds(attributes),
        size,
        _hinted(scope, function.name, line, attributes),
        local_accessors_bytes=None if local else 0,
        register_limits=register_limits(parsed, node, scope, {}),
    )
    made.unknowns = open_conditions(scope, made)
    return made


def _in_local_memory(parameter: Variable, words: frozenset[str]) -> bool:
    """Make of `__local T* s`, which the host gives its size, what `extern __shared__ T s[]` is elsewhere."""
    inner = dereference(parameter.type) if words & _LOCAL else None
    if inner is None:
        return False
    parameter.type, parameter.storage = inner, "shared"
    parameter.dims, parameter.unsized_shared = (None, *parameter.dims[1:]), True
    return True


def _words_before(scope: Scope, node: FunctionNode, parameter: Variable) -> frozenset[str]:
    """The masked words in a parameter's declaration: its address space among them."""
    anchors = scope.parsed.anchors[node.parse_index]
    start, end = parameter.declaration
    return frozenset(word for at in anchors.between(start, end) for word in anchors.at(at))


def _attributes(scope: Scope, node: FunctionNode) -> dict[str, tuple[Span, tuple[str, ...], tuple[int | None, ...]]]:
    """By name, where an attribute is, its arguments as they are written and their values."""
    found: dict[str, tuple[Span, tuple[str, ...], tuple[int | None, ...]]] = {}
    for item, text in head_items(scope.parsed, node):
        for match in _ATTRIBUTE.finditer(text):
            texts = _arguments(text, match.end())
            values = tuple(_positive(scope, each) for each in texts)
            found.setdefault(match[1], (_span(item), texts, values))
    return found


def _span(item: MaskedItem) -> Span:
    return Span(item.start, item.end)


def _arguments(text: str, start: int) -> tuple[str, ...]:
    depth = 1
    for end in range(start, len(text)):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if depth == 0:
            return tuple(text[a:b].strip() for a, b in split_arguments(text, start, end))
    return ()


def _positive(scope: Scope, text: str) -> int | None:
    value = value_with(scope, text, {}, frozenset())
    return value if isinstance(value, int) and value > 0 else None


def _bounds(attributes: dict[str, tuple[Span, tuple[str, ...], tuple[int | None, ...]]]) -> LaunchBounds | None:
    if _REQUIRED not in attributes:
        return None
    span, texts, values = attributes[_REQUIRED]
    known = tuple(value for value in values if value is not None)
    if not known or len(known) < len(values):
        return LaunchBounds(span, texts, None, None, required=True)
    return LaunchBounds(span, texts, math.prod(known), None, required=True, dims=known)


def _hinted(
    scope: Scope, name: str, line: int, attributes: dict[str, tuple[Span, tuple[str, ...], tuple[int | None, ...]]]
) -> tuple[Launch, ...]:
    """The work-group that `work_group_size_hint` names, as a launch, because the host code is not known."""
    if HINT not in attributes or _REQUIRED in attributes:
        return ()
    span, texts, values = attributes[HINT]
    known = tuple(value for value in values if value is not None)
    if not known or len(known) < len(values):
        return ()
    size = math.prod(known)
    path = scope.parsed.source.path
    return (Launch(path, span, line, name, (), HINT, size, known, None, ", ".join(texts), "constant"),)
