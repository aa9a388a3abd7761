"""Kernels of SYCL: lambdas, functors and the callees of thin lambdas, each with its launches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.host_values import HostValues
from regpress_lint.cpp.names.resolver import Resolver
from regpress_lint.program.accessors import share_as
from regpress_lint.program.instances import Instances
from regpress_lint.program.kernel_bodies import Body, body_of, instances_of
from regpress_lint.program.model import Kernel, Launch, LaunchBounds
from regpress_lint.program.sycl_forms import placed_entries, thin_callee
from regpress_lint.program.sycl_launches import (
    callee_of,
    foreign_entries,
    has_its_own_file,
    property_texts,
    sycl_launch,
)

if TYPE_CHECKING:
    import re

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.program.sycl_forms import Entry, Placed


_SUB_GROUP = pattern(r"(?:reqd_sub_group_size|sub_group_size)\s*(?:<\s*|\(\s*)([^)>]+)")
_WORK_GROUP = pattern(r"\b(reqd_|max_)?work_group_size\s*(?:<\s*|\(\s*)([^)>]+)")
_GRF = pattern(r"\bgrf_size\s*<\s*(128|256|512)\s*>")
_PROPERTY = pattern(r"grf_size|group_size")
_PROPERTIES_TAG = pattern(r"\bproperties_tag\b")
_EXPLICIT = pattern(r"\bSYCL_ESIMD_KERNEL\b|\bsycl_explicit_simd\b")
_NO_ALIAS = pattern(r"\bkernel_args_restrict\b")
_HEAD_WINDOW = 400  # bytes in front of an `operator()` that its attributes may take


def sycl_kernels(scope: Scope) -> tuple[tuple[Kernel, ...], tuple[Launch, ...], tuple[Span, ...]]:
    """Kernels of a SYCL file, its own first, its launches, and where macros are used that write whole kernels.

    The callee of a thin lambda is a kernel of the file that defines it, if that is one of the sources.
    """
    kernels: dict[tuple[str, int], Kernel] = {}
    launches: list[Launch] = []
    lost: dict[Span, None] = {}
    looks: dict[tuple[ParsedFile, int], _Look] = {}
    shared = Instances(scope)
    for placed in placed_entries(scope.project, scope.parsed):
        if placed.use is not None and not _calls_a_function(scope, placed):
            lost[placed.use] = None
            continue
        placed_kernel = _placed_kernel(scope, placed, looks, shared)
        if not has_its_own_file(scope, placed_kernel.kernel.path):
            _add(kernels, placed_kernel, scope)
        if placed_kernel.launch is not None:
            launches.append(placed_kernel.launch)
    for placed in foreign_entries(scope):
        placed_kernel = _placed_kernel(scope, placed, looks, shared)
        if placed_kernel.kernel.path == scope.parsed.source.path:
            placed_kernel.kernel.entry = None  # stands in the other file
            _add(kernels, placed_kernel, scope)
    ordered = sorted(
        kernels.values(), key=lambda kernel: (kernel.path != scope.parsed.source.path, kernel.path, kernel.name_span)
    )
    return tuple(ordered), tuple(sorted(launches, key=lambda launch: launch.span)), tuple(lost)


def _calls_a_function(scope: Scope, placed: Placed) -> bool:
    """Whether a kernel is a lambda that only calls a known function."""
    owner = placed.entry.body_owner
    thin = thin_callee(owner) if not isinstance(owner, FunctionNode) else None
    return thin is not None and callee_of(scope, placed.parsed, placed.entry.parse_index, thin) is not None


def _placed_kernel(
    scope: Scope, placed: Placed, looks: dict[tuple[ParsedFile, int], _Look], shared: Instances
) -> _Launched:
    """The kernel of an entry and its launch; one that a macro writes stands where the macro is used."""
    parsed, entry, use = placed
    key = parsed, entry.parse_index
    if key not in looks:
        values = HostValues(scope, *key)
        # What a launch in another file says is in terms of what that one sees.
        elsewhere = parsed.source.path != scope.parsed.source.path
        host = HostValues(Resolver(scope.project, parsed, scope.language), *key) if elsewhere else values
        looks[key] = _Look(values, shared if use is None else Instances(scope, values), host)
    launched = _sycl_kernel(looks[key], entry)
    if use is None or launched.launch is None:
        return launched
    launched.kernel.entry = None
    line = scope.project.line_of(parsed.source.path, use.start)
    return launched._replace(launch=launched.launch._replace(span=use, line=line, block_span=None))


class _Look(NamedTuple):
    """Look-ups at the entries of a file: for the kernel, for instantiations, for the text of the launch."""

    values: HostValues
    instances: Instances
    host: HostValues


class _Launched(NamedTuple):
    kernel: Kernel
    launch: Launch | None


def _add(kernels: dict[tuple[str, int], Kernel], launched: _Launched, scope: Scope) -> None:
    """Add a kernel, or what another launch says of one that is known."""
    kernel = launched.kernel
    merged = kernels.setdefault((kernel.path, kernel.name_span.start), kernel)
    if merged.function is not kernel.function:  # nor one type for them: its tree without any
        from regpress_lint.cpp.names.functions import unbound

        before, merged.function = merged.function, unbound(scope, merged.function)
        share_as(merged.function, before)
    # A callee that is launched with different template arguments has no one value for them.
    merged.bindings = {name: value for name, value in merged.bindings.items() if kernel.bindings.get(name) == value}
    named = {instance.arguments for instance in merged.instances}
    merged.instances += tuple(instance for instance in kernel.instances if instance.arguments not in named)
    if launched.launch is not None:
        merged.launches = (*merged.launches, launched.launch)


def _sycl_kernel(look: _Look, entry: Entry) -> _Launched:
    values, instances, host = look
    parsed = values.parsed
    owner = entry.body_owner
    lambda_node: Node | None = None if isinstance(owner, FunctionNode) else owner
    body = body_of(values, entry, instances)
    head = f"{_head_text(parsed, entry, lambda_node)} {_properties(values, entry)}"
    if _NO_ALIAS.search(head) is not None:
        _restrict(body.function)
    offset = owner.head_start if isinstance(owner, FunctionNode) else owner.start_byte
    kernel = Kernel(
        body.name,
        "sycl",
        body.function,
        body.source.path,
        body.source.line_of(body.begin.start),
        body.end_line(entry),
        body.begin,
        entry.form,
        _work_group(values, head, body.begin, offset),
        _attribute_value(values, _SUB_GROUP, head, offset) or _of_matrices(body),
        bindings=body.bindings,
        entry=Span(lambda_node.start_byte, lambda_node.end_byte) if lambda_node is not None else None,
        grf_mode=_grf_mode(head),
        explicit_simd=_EXPLICIT.search(head) is not None,
    )
    kernel.instances = instances_of(values, entry, kernel, body, lambda function: function)
    return _Launched(kernel, sycl_launch(host, parsed.source.path, entry, body.name))


_MATRIX_LANES = 16  # of the matrix instructions of pvc, bmg and ptl (`sycl_ext_intel_matrix`); on dg2 they have 8


def _of_matrices(body: Body) -> int | None:
    """The sub-group size that a kernel with a `joint_matrix` is compiled with; None for others."""
    text = body.source.data[body.function.body_span.start : body.function.body_span.end]
    in_source = body.function.path in ("", body.source.path)
    return _MATRIX_LANES if in_source and b"joint_matrix" in text else None


def _restrict(function: Function) -> None:
    """The promise of `[[intel::kernel_args_restrict]]` for the pointers that a kernel captures."""
    for variable in function.captures:
        if variable.type.pointers:
            variable.type = variable.type._replace(restrict=True)


def _head_text(parsed: ParsedFile, entry: Entry, lambda_node: Node | None) -> str:
    """Attributes between a lambda's captures and its body, or in front of and inside an `operator()`'s head."""
    owner = entry.body_owner
    if isinstance(owner, FunctionNode):
        text = parsed.parses[entry.parse_index].masked.text
        window = max(0, owner.head_start - _HEAD_WINDOW)
        start = max(text.rfind(mark, window, owner.head_start) for mark in (b";", b"}", b"{"))
        start, end = max(start, window), owner.body.start_byte
    else:
        assert lambda_node is not None
        body = lambda_node.child_by_field_name("body")
        start, end = lambda_node.start_byte, body.start_byte if body is not None else lambda_node.end_byte
    items = parsed.parses[entry.parse_index].masked.items
    return " ".join(
        (item.expansion or item.text.decode("utf-8", "replace")) for item in items if start <= item.start < end
    )


def _attribute_number(values: HostValues, text: str, offset: int) -> int | None:
    expr = values.scope.expression_of_text(text)
    number = values.number(expr, offset) if expr is not None else None
    return number if isinstance(number, int) else None


def _attribute_value(values: HostValues, pattern: re.Pattern[str], head: str, offset: int) -> int | None:
    match = pattern.search(head)
    return _attribute_number(values, match[1].strip(), offset) if match is not None else None


def _work_group(values: HostValues, head: str, span: Span, offset: int) -> LaunchBounds | None:
    match = _WORK_GROUP.search(head)
    if match is None:
        return None
    required = match[1] != "max_"
    texts = tuple(part.strip() for part in match[2].split(","))
    sizes = [_attribute_number(values, text, offset) for text in texts]
    settled = [size for size in sizes if size is not None]
    if len(settled) < len(sizes):
        return LaunchBounds(span, texts, None, None, required)
    return LaunchBounds(span, texts, math.prod(settled), None, required, tuple(reversed(settled)))


def _grf_mode(head: str) -> int | None:
    """GRF registers that the kernel requests, 0 where it leaves them to IGC."""
    if "grf_size_automatic" in head:
        return 0
    match = _GRF.search(head)
    return int(match[1]) if match is not None else None


def _properties(values: HostValues, entry: Entry) -> str:
    """Properties of a launch as they are written: among its arguments, in variables of it, in the functor's `get`."""
    owner = entry.body_owner
    texts = property_texts(values, entry)
    if isinstance(owner, FunctionNode) and owner.record:
        record = values.parsed.records.get(owner.record)
        text = values.parsed.text(record.node) if record is not None else ""
        texts += [text[match.start() : match.start() + _HEAD_WINDOW] for match in _PROPERTIES_TAG.finditer(text)]
    return " ".join(text for text in texts if _PROPERTY.search(text))
