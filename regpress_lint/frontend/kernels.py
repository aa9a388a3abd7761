"""CUDA and HIP kernels: `__global__` definitions in every order, with their launch bounds."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from regpress_lint.model import LaunchBounds
from regpress_lint.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.frontend.unit import FunctionNode, Unit
    from regpress_lint.frontend.view import View

_BOUNDS_NAMES = re.compile(r"__launch_bounds__\s*\(")
_BLANKS = b" \t\r\n\f\v"


def global_functions(unit: Unit) -> Iterator[FunctionNode]:
    """Definitions that carry `__global__` (or a macro that stands for it), in file order."""
    positions = sorted({item.start for parsed in unit.parses for item in parsed.masked.items if item.kind == "global"})
    if not positions:
        return
    for function in unit.functions:
        if _has_global(unit, function, positions):
            yield function


def _has_global(unit: Unit, function: FunctionNode, positions: list[int]) -> bool:
    end = function.declarator.end_byte
    index = bisect_left(positions, end) - 1
    if index < 0:
        return False
    position = positions[index]
    if position >= function.head_start:
        return position < function.body.start_byte
    # In front of the definition: nothing but blanks (that is, masked words) may lie between.
    text = unit.parses[function.parse_index].masked.text
    return not text[position : function.head_start].strip(_BLANKS)


def launch_bounds(unit: Unit, function: FunctionNode, view: View) -> LaunchBounds | None:
    """`__launch_bounds__` of a definition, wherever it stands in the head; values None where they are not constants."""
    start, end = _head(unit, function), function.body.start_byte
    for item in unit.parses[function.parse_index].masked.items:
        if item.start >= end:
            break
        if item.start < start or item.kind != "launch_bounds":
            continue
        text = item.expansion or item.text.decode("utf-8", "replace")
        texts = bounds_arguments(text)
        if texts:
            hidden = frozenset(parameter.name for parameter in view.parameters_of(function, unit))
            values = [_integer(view, text, hidden) for text in texts]
            return LaunchBounds(Span(item.start, item.end), texts, values[0], values[1] if len(values) > 1 else None)
    return None


def _head(unit: Unit, function: FunctionNode) -> int:
    """Start of the definition including masked words directly in front of it."""
    text = unit.parses[function.parse_index].masked.text
    start = function.head_start
    return (
        len(text[:start].rstrip(_BLANKS))
        if start < 4096
        else start - 4096 + len(text[start - 4096 : start].rstrip(_BLANKS))
    )


def _integer(view: View, text: str, hidden: frozenset[str]) -> int | None:
    value = view.value_with(text, {}, hidden)
    return value if isinstance(value, int) else None


def bounds_arguments(text: str) -> tuple[str, ...]:
    """Argument texts of `__launch_bounds__(a, b)` inside `text`."""
    match = _BOUNDS_NAMES.search(text)
    if match is None:
        return ()
    depth, start, parts = 0, match.end(), []
    for index in range(match.end(), len(text)):
        char = text[index]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                parts.append(text[start:index].strip())
                return tuple(part for part in parts if part)
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return ()
