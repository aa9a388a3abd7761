"""Accessors to buffers in global memory that a kernel's lambda captures: how they are called, and their dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.names.lambdas import named_in
from regpress_lint.cpp.names.template_arguments import declaration_of, type_of_name
from regpress_lint.program.accessors import described
from regpress_lint.program.local_memory import template_parts
from regpress_lint.program.model import BufferAccessor

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.names.host_values import HostValues
    from regpress_lint.program.accessors import Described

_USED = pattern(rb"\bbuffer\b|(?<!local_)\baccessor\s*<")
_RANGE = pattern(r"\brange\s*(?:<\s*([123])\s*>)?\s*[({]([^(){};]*(?:\([^()]*\)[^(){};]*)*)[)}]")
_RANGE_TYPE = pattern(r"(?:[\w:]*::)?range\s*<\s*([123])\s*>")
_WORD = pattern(r"[A-Za-z_]\w*")
_LOCAL = pattern(r"\blocal_accessor\b|\btarget::local\b")


def buffer_accessors(values: HostValues, owner: Node) -> tuple[BufferAccessor, ...]:
    """Those that the body of a lambda mentions, in its order."""
    key = ("buffers", 0, 0)
    if key not in values.remembered:
        values.remembered[key] = _USED.search(values.text) is not None
    if not values.remembered[key]:
        return ()
    found = []
    for name in named_in(values, owner):
        accessor = described(values, owner, name)
        if accessor is not None and _LOCAL.search(accessor.whole) is None:
            node = accessor.declaration
            found.append(BufferAccessor(name, Span(node.start_byte, node.end_byte), _dimensions(values, accessor)))
    return tuple(found)


def _dimensions(values: HostValues, accessor: Described) -> int | None:
    """As its type says, or as the range of its buffer's constructor says; None where neither does."""
    if accessor.parts:
        rank = accessor.parts[1].strip() if len(accessor.parts) > 1 else "1"
        return int(rank) if rank in ("1", "2", "3") else None
    name = values.unit.text(accessor.buffer, values.parse_index) if accessor.buffer is not None else ""
    declared = declaration_of(values, accessor.declaration, name) if name else None
    if declared is None:
        return None
    # `buffer b(p, range(m, n));` is read as a function's declaration.
    value = declared[1].child_by_field_name("value") or declared[1].child_by_field_name("parameters")
    text = values.unit.text(value, values.parse_index) if value is not None else ""
    if (match := _RANGE.search(text)) is not None:
        return int(match[1]) if match[1] else len(template_parts(match[2])) or None
    for word in _WORD.findall(text):
        spelled = type_of_name(values, declared[1], word)
        if spelled is not None and (known := _RANGE_TYPE.fullmatch(spelled)) is not None:
            return int(known[1])
    return 1 if len(template_parts(text[1:-1])) == 1 else None  # made from a container
