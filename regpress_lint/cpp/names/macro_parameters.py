"""Parameters that a macro writes: `void k(ARGS(n))` with `#define ARGS(n) float *o, const float *a, int n`."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from regpress_lint.core.source import Source
from regpress_lint.cpp.lower.declarations import lower_parameter_nodes
from regpress_lint.cpp.lower.lowering_context import operands, span_of
from regpress_lint.cpp.mask.keywords import DECLARES_KERNEL, strip_qualifiers
from regpress_lint.cpp.mask.masking import Level
from regpress_lint.cpp.names.declared_defaults import declared_defaults
from regpress_lint.cpp.names.definition_nodes import counts_of, parameter_counts
from regpress_lint.cpp.names.parsed_file import ParsedFile
from regpress_lint.cpp.parse import parse_level
from regpress_lint.cpp.preprocess.macros import expand

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.syntax_tree import Variable


_MOST_BYTES = 65_536  # of a list with its macros expanded


def counts_in(parsed: ParsedFile, function: FunctionNode) -> range:
    """How many arguments a function takes, with the parameters that macros write."""
    written = _written(parsed, function)
    if written is not None:
        return counts_of(written[1])
    counts, values = parameter_counts(function), declared_defaults(parsed, function)
    first = next((place for place, value in enumerate(values) if value is not None), counts.start)
    return range(min(first, counts.start), counts.stop)


def macro_parameters(
    parsed: ParsedFile, function: FunctionNode, ctx: Context, context: Callable[[ParsedFile], Context]
) -> tuple[Variable, ...] | None:
    """The parameters of a function if macros write some of them, declared in `ctx`; None for any other function.

    Each is where its list begins: their own text is in the macros.
    """
    written = _written(parsed, function)
    if written is None:
        return None
    text, nodes = written
    parameters = lower_parameter_nodes(context(text), nodes)
    place = function.declarator.child_by_field_name("parameters")
    span = span_of(place if place is not None else function.declarator)
    for variable in parameters:
        variable.span = variable.declaration = span
        if variable.name:
            ctx.declare(variable)
    return parameters


def _written(parsed: ParsedFile, function: FunctionNode) -> tuple[ParsedFile, tuple[Node, ...]] | None:
    """A list of parameters with its macros expanded, as a text of its own; None for one without macros."""
    listed = function.declarator.child_by_field_name("parameters")
    if listed is None:
        return None
    lists, head = parsed.macro_lists, None if listed.named_child_count else macro_head(parsed, function)
    if head is not None and head[1].endswith(")"):
        text = head[1]
    elif any(_is_macro(parsed, node) for node in listed.named_children):
        # Not as it is masked: `ARGS(double)` has no type there.
        text = parsed.source.data[listed.start_byte : listed.end_byte].decode("utf-8", "replace")
    else:
        return None
    if text not in lists:
        lists[text] = _expanded(parsed, text)
    return lists[text]


def macro_head(parsed: ParsedFile, function: FunctionNode) -> tuple[str, str] | None:
    """The name of a kernel that is one of a macro's arguments, `KERNEL(name, float* p) { ... }`, as the macro writes
    it, and the text behind the name there: the parameters, if they are in the macro.
    """
    at, items = function.name_node.start_byte, parsed.parses[function.parse_index].masked.items
    for item in items[: bisect_right(items, at, key=attrgetter("start"))][-2:]:
        if item.kind == "global" and at < item.end:
            declared = DECLARES_KERNEL.search(strip_qualifiers(item.expansion))
            return None if declared is None else (declared[1], item.expansion.partition(declared[1])[2].strip())
    return None


def _is_macro(parsed: ParsedFile, node: Node) -> bool:
    """Whether a macro is all that a parameter is: `ARGS`, `ARGS()`."""
    type_ = node.child_by_field_name("type") if node.type == "parameter_declaration" else None
    declarator = node.child_by_field_name("declarator")
    if type_ is None or (declarator is not None and declarator.type != "abstract_function_declarator"):
        return False
    macro = parsed.macros.get((type_.text or b"").decode("latin-1"))
    return macro is not None and (macro.params is None) is (declarator is None) and " " in macro.body


def _expanded(parsed: ParsedFile, text: str) -> tuple[ParsedFile, tuple[Node, ...]] | None:
    data = f"void _{expand(text, parsed.macros)} {{ }}".encode("utf-8", "replace")
    if len(data) > _MOST_BYTES:
        return None
    parse = parse_level(data, parsed.macros, Level.M2)
    root = parse.tree.root_node
    function = root.named_children[0] if root.named_child_count == 1 else None
    declarator = function.child_by_field_name("declarator") if function is not None else None
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    if parse.has_error or listed is None:
        return None
    return ParsedFile(Source("", data), parsed.macros, (parse,)), tuple(operands(listed))
