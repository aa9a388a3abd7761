"""Kernels that are functions: `__global__` definitions of CUDA and HIP with their launch bounds, `__kernel` of OpenCL C
with its attributes.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from math import prod
from operator import attrgetter
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.core.running import checkpoint
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import conditionals, lex, split_arguments
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER
from regpress_lint.cpp.names.definitions import redefined_names, scoped_names, value_with
from regpress_lint.cpp.names.macro_parameters import macro_head
from regpress_lint.cpp.names.templates import parameters_of
from regpress_lint.cpp.preprocess.macros import expand
from regpress_lint.cpp.types import dereference
from regpress_lint.program.model import Kernel, Launch, LaunchBounds, RegisterLimits
from regpress_lint.program.open_conditions import open_conditions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.mask.draft import MaskedItem
    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Variable


_BOUNDS_NAMES = pattern(r"__launch_bounds__\s*\(")
# By the word that states it: the field of `RegisterLimits`.
_LIMITS = {
    "__maxnreg__": "max_registers",
    "amdgpu_num_vgpr": "vgprs",
    "amdgpu_waves_per_eu": "waves",
    "amdgpu_flat_work_group_size": "max_threads",
}
_LIMIT = pattern(rf"\b_*({'|'.join(_LIMITS)})_*\s*\(([^()]*)\)")
_CLUSTER = pattern(r"\b_*cluster_dims_*\s*\(([^()]*)\)")
_PUNCTUATION = pattern(rb"[(){};]")
_ENDS = pattern(rb"[{};]")  # of another definition
_WRITTEN = pattern(rb"[^ \t\r\n\f\v]")
_DIRECTIVES = pattern(rb"^[ \t]*#[^\n]*", re.MULTILINE)
_NEAR = 64
_USE = pattern(rb"\s*([A-Za-z_]\w*)\s*(?:\(|$)")
_LONGEST_HEAD = 16_384
_BLANKS = b" \t\r\n\f\v"


def global_functions(parsed: ParsedFile) -> tuple[list[FunctionNode], tuple[Span, ...]]:
    """Definitions that carry `__global__` (or a macro that stands for it), in file order; and the words that head a
    definition which no tree holds.
    """
    words = {
        item.start: Span(item.start, item.end)
        for parse in parsed.parses
        for item in parse.masked.items
        if item.kind == "global" and not item.expansion.endswith(";")  # a macro that writes a whole prototype
    }
    if not words:
        return [], ()
    positions = sorted(words)
    functions: list[FunctionNode] = []
    for function in parsed.functions:
        checkpoint()
        if (position := _global_of(parsed, function, positions)) is not None:
            functions.append(function)
            for word in _words_in_head(parsed, function, position, positions):
                words.pop(word, None)
    return functions, tuple(words[start] for start in sorted(words) if _heads_a_definition(parsed, words[start].end))


def written_name(parsed: ParsedFile, function: FunctionNode) -> str:
    """The name of a kernel as a macro writes it: `axpy_f32` for `FN(axpy)` with `#define FN(x) x##_f32`, and for
    `KERNEL(axpy)` with `void x##_f32` in the macro; the current meaning of a macro that the file redefines for each of
    its kernels.
    """
    written = function.declarator.child_by_field_name("declarator") or function.name_node
    if (head := macro_head(parsed, function)) is not None:
        return head[0]
    text = parsed.text(written, function.parse_index)
    if text not in parsed.macros and "(" not in text:
        return function.name
    name = redefined_names(parsed, function.node).get(text) or expand(text, parsed.macros).strip()
    return name if IDENTIFIER.fullmatch(name) else function.name


def other_words(parsed: ParsedFile) -> tuple[Span, ...]:
    """Definitions with `__global__` and launches in a file that is read as SYCL, outside of any choice by `#if`."""
    if b"__global__" not in parsed.source.data and b"<<<" not in parsed.source.data:
        return ()
    starts = {
        item.start: item
        for parse in parsed.parses
        for item in parse.masked.items
        if item.kind in ("global", "launch_open")
    }
    chosen = conditionals(lex(parsed.source.data))
    heads = (item for start, item in sorted(starts.items()) if not any(a[0] <= start < a[-1] for a in chosen))
    return tuple(
        Span(item.start, item.end)
        for item in heads
        if item.kind == "launch_open" or _heads_a_definition(parsed, item.end)
    )


def _global_of(parsed: ParsedFile, function: FunctionNode, positions: list[int]) -> int | None:
    """Position of the `__global__` that belongs to a definition."""
    index = bisect_left(positions, function.declarator.end_byte) - 1
    if index < 0:
        return None
    position = positions[index]
    if position >= function.head_start:
        return position if position < function.body.start_byte else None
    # In front of the definition: nothing but blanks (that is, masked words) may lie between.
    text = parsed.parses[function.parse_index].masked.text
    written = _WRITTEN.search(text, position, function.head_start)
    if written is not None and written[0] != b"#":
        return None  # before all that lies between is looked through, for each function of a file
    between = _DIRECTIVES.sub(b"", text[position : function.head_start])
    return None if between.strip(_BLANKS) else position


def _words_in_head(parsed: ParsedFile, function: FunctionNode, position: int, positions: list[int]) -> Iterator[int]:
    """The `__global__` of a definition, and those of its head in the other branches of an `#if`."""
    yield position
    text, end = parsed.parses[0].masked.text, function.declarator.start_byte
    for start in reversed(positions[: bisect_left(positions, end)]):
        between = text[start:end] if end - start <= _LONGEST_HEAD else b";"
        if _ENDS.search(_DIRECTIVES.sub(b"", between) if b"#" in between else between) is not None:
            return
        if _has_macro_body(parsed, start):
            return
        yield start


def _heads_a_definition(parsed: ParsedFile, start: int) -> bool:
    """True if parameters and a body that is not empty follow; a prototype ends in `;`, and a bare word in some macro
    has neither.
    """
    depth, parameters = 0, False
    text = parsed.parses[0].masked.text
    for match in _PUNCTUATION.finditer(text, start, start + _LONGEST_HEAD):
        char = match[0]
        if char == b"(":
            depth, parameters = depth + 1, True
        elif char == b")":
            depth -= 1
            if depth == 0 and parameters and _is_macro_body(parsed, text[match.end() : match.end() + _NEAR]):
                return True
        elif depth == 0:
            return parameters and char == b"{" and not text[match.end() : match.end() + _NEAR].lstrip().startswith(b"}")
    return False


def _has_macro_body(parsed: ParsedFile, start: int) -> bool:
    """True if the next parameters are followed by a macro that stands for a body, so that a definition ends there."""
    depth, text = 0, parsed.parses[0].masked.text
    for match in _PUNCTUATION.finditer(text, start, start + _LONGEST_HEAD):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth == 0:
            return match[0] == b")" and _is_macro_body(parsed, text[match.end() : match.end() + _NEAR])
    return False


def _is_macro_body(parsed: ParsedFile, behind: bytes) -> bool:
    """True if a macro of the file that stands for a body follows the parameters: `k(int n) BODY(n)`."""
    match = _USE.match(behind)
    if match is None:
        return False
    define = rb"^[ \t]*#[ \t]*define[ \t]+" + re.escape(match[1]) + rb"\b(?:\([^()\n]*\))?(?:[ \t]|\\\n)*\{"
    return re.search(define, parsed.source.data, re.MULTILINE) is not None


def launch_bounds(parsed: ParsedFile, function: FunctionNode, scope: Scope) -> LaunchBounds | None:
    """`__launch_bounds__` of a definition, anywhere in the head; values None where they are not constants."""
    from regpress_lint.cpp.names.templates import substituted

    for item, text in head_items(parsed, function):
        texts = bounds_arguments(text) if item.kind == "launch_bounds" else ()
        if texts:
            scoped = scoped_names(parsed, function.node, names=WORD.findall(text))
            values = [_integer(scope, substituted(text, scoped), _hidden(parsed, function)) for text in texts]
            return stated_bounds(Span(item.start, item.end), texts, values)
    return None


def stated_bounds(span: Span, texts: tuple[str, ...], values: Sequence[int | None]) -> LaunchBounds:
    """Launch bounds with these arguments; what no compiler takes (a block of no threads) settles nothing."""
    threads, blocks = values[0], values[1] if len(values) > 1 else None
    return LaunchBounds(
        span,
        texts,
        threads if threads is not None and threads > 0 else None,
        blocks if blocks is not None and blocks >= 0 else None,
    )


def register_limits(
    parsed: ParsedFile, function: FunctionNode, scope: Scope, bindings: Mapping[str, Number]
) -> RegisterLimits | None:
    """`__maxnreg__` and clang's AMDGPU attributes of a definition, None for one without."""
    limits: dict[str, int | None] = {}
    first: MaskedItem | None = None
    for item, text in head_items(parsed, function):
        for match in _LIMIT.finditer(text) if any(name in text for name in _LIMITS) else ():
            name, arguments = _LIMITS[match[1]], match[2].split(",")
            # Of a range of waves the least counts, of one of block sizes the largest.
            value = value_with(scope, arguments[-1 if name == "max_threads" else 0].strip(), bindings, frozenset())
            limits[name] = value if isinstance(value, int) and value > 0 else None
            first = first or item
    if first is None:
        return None
    text = " ".join(first.text.decode("utf-8", "replace").split())
    return RegisterLimits(Span(first.start, first.end), text, **limits)


def cluster_blocks(
    parsed: ParsedFile, function: FunctionNode, scope: Scope, bindings: Mapping[str, Number]
) -> int | None:
    """Blocks of the cluster that `__cluster_dims__` sets, None if it is absent or not settled."""
    for item, text in head_items(parsed, function):
        match = _CLUSTER.search(text) if "cluster_dims" in text else None
        if match is None or item.kind == "pragma":
            continue
        sizes = [value_with(scope, part.strip(), bindings, frozenset()) for part in match[1].split(",") if part.strip()]
        settled = [size for size in sizes if isinstance(size, int) and size > 0]
        return prod(settled) if settled and len(settled) == len(sizes) else None
    return None


def head_items(parsed: ParsedFile, function: FunctionNode) -> Iterator[tuple[MaskedItem, str]]:
    """The masked text of a definition's head, as its macros spell it."""
    start, end = _head(parsed, function), function.body.start_byte
    items = parsed.parses[function.parse_index].masked.items
    for number in range(bisect_left(items, start, key=attrgetter("start")), len(items)):
        item = items[number]
        if item.start >= end:
            break
        yield item, item.expansion or item.text.decode("utf-8", "replace")


def _hidden(parsed: ParsedFile, function: FunctionNode) -> frozenset[str]:
    return frozenset(parameter.name for parameter in parameters_of(parsed, function))


def _head(parsed: ParsedFile, function: FunctionNode) -> int:
    """Start of the definition including masked words directly in front of it."""
    text = parsed.parses[function.parse_index].masked.text
    start = function.head_start
    return (
        len(text[:start].rstrip(_BLANKS))
        if start < 4096
        else start - 4096 + len(text[start - 4096 : start].rstrip(_BLANKS))
    )


def _integer(scope: Scope, text: str, hidden: frozenset[str]) -> int | None:
    value = value_with(scope, text, {}, hidden)
    return value if isinstance(value, int) else None


def bounds_arguments(text: str) -> tuple[str, ...]:
    """Argument texts of `__launch_bounds__(a, b)` inside `text`."""
    match = _BOUNDS_NAMES.search(text)
    return tuple(filter(None, _arguments(text, match.end()))) if match is not None else ()


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
    kernel = Kernel(
        written_name(parsed, node),
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
    kernel.unknowns = open_conditions(scope, kernel)
    return kernel


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
    attributes: dict[str, tuple[Span, tuple[str, ...], tuple[int | None, ...]]] = {}
    for item, text in head_items(scope.parsed, node):
        for match in _ATTRIBUTE.finditer(text):
            texts = _arguments(text, match.end())
            values = tuple(_positive(scope, text) for text in texts)
            attributes.setdefault(match[1], (Span(item.start, item.end), texts, values))
    return attributes


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
    settled = tuple(value for value in values if value is not None)
    if not settled or len(settled) < len(values):
        return LaunchBounds(span, texts, None, None, required=True)
    return LaunchBounds(span, texts, math.prod(settled), None, required=True, dims=settled)


def _hinted(
    scope: Scope, name: str, line: int, attributes: dict[str, tuple[Span, tuple[str, ...], tuple[int | None, ...]]]
) -> tuple[Launch, ...]:
    """The work-group that `work_group_size_hint` names, as a launch, because the host code is not known."""
    if HINT not in attributes or _REQUIRED in attributes:
        return ()
    span, texts, values = attributes[HINT]
    settled = tuple(value for value in values if value is not None)
    if not settled or len(settled) < len(values):
        return ()
    size = math.prod(settled)
    path = scope.parsed.source.path
    return (Launch(path, span, line, name, (), HINT, size, settled, None, ", ".join(texts), "constant"),)
