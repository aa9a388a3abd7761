"""Launches of SYCL and their configuration: the `parallel_for` family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.host_values import HostValues, Value
from regpress_lint.cpp.names.template_arguments import arguments_of, declaration_of, type_of_name
from regpress_lint.cpp.syntax_tree import Call, Constant, Expr, InitList, Name
from regpress_lint.program.launches import block_count, grid_matters, make_launch, span_at
from regpress_lint.program.local_memory import RANKS, local_accessor_bytes, local_accessors

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.program.model import Launch
    from regpress_lint.program.sycl_forms import Entry

_SCRATCH = pattern(r"\bwork_group_scratch_size\b[\s\w]*[({]((?:[^(){}]|\([^()]*\))+)[)}]")


def sycl_launch(values: HostValues, path: str, entry: Entry, name: str) -> Launch | None:
    """The launch of a SYCL kernel; None for an entry without a known call."""
    if entry.call is None:
        return None
    made = _sycl_launch(values, path, entry, entry.call, name)
    if made.dynamic_lds_bytes is not None:
        return made
    settled = [each.bytes for each in local_accessors(values, entry.call) if each.bytes is not None]
    return made._replace(dynamic_lds_at_least=sum(settled) + (_scratch_bytes(values, entry) or 0))


def _sycl_launch(values: HostValues, path: str, entry: Entry, call: Node, name: str) -> Launch:
    arguments_node = call.child_by_field_name("arguments")
    nodes = [child for child in arguments_node.named_children if child.type != "comment"] if arguments_node else []
    lds = local_accessor_bytes(values, call)
    scratch = _scratch_bytes(values, entry)
    lds = lds + scratch if lds is not None and scratch is not None else None
    if entry.form == "single_task":
        return make_launch(values, path, call, name, (), entry.form, Value((1,), "constant"), lds, "1")
    value: Value | None = None
    text = ""
    written: Node | None = None
    items: Expr | None = None
    if (entry.form == "sycl_kernel_submit" and len(nodes) >= 2) or (
        entry.form == "parallel_for_work_group" and len(nodes) >= 3
    ):
        candidates: list[Node] = [nodes[1]]
        is_range = True
    else:
        candidates = nodes[:-1]
        is_range = False
    for node in candidates[:3]:
        expr = values.lower(node)
        local = expr if is_range else _range_part(values, expr, node.start_byte, entry.form, 1)
        if local is None:
            continue
        text = values.text[node.start_byte : node.end_byte].decode("utf-8", "replace")
        value = values.dims(local, call.start_byte)
        written = node
        items = None if is_range else _range_part(values, expr, node.start_byte, entry.form, 0)
        break
    if value is not None:
        value = Value(tuple(reversed(value.dims)), value.certainty)
    launch = make_launch(values, path, call, name, (), entry.form, value, lds, text)
    launch = launch._replace(block_span=span_at(written))
    size = launch.block_size
    if items is None or size is None or value is None:
        return launch
    whole = values.dims(items, call.start_byte)
    launch = launch._replace(uneven=_uneven(whole, value))
    total = block_count(whole) if grid_matters(size, _written(values, items)) else None
    return launch._replace(blocks=total // size if total else None)


def _uneven(whole: Value | None, group: Value) -> tuple[int, int] | None:
    """The first extents of a global and a local range (which is given in CUDA's order) that do not go together."""
    if whole is None or whole.certainty == "last-assignment" or len(whole.dims) != len(group.dims):
        return None
    pairs = zip(whole.dims, reversed(group.dims), strict=True)
    return next(((int(all_), int(one)) for all_, one in pairs if one >= 1 and all_ % one), None)


def _written(values: HostValues, range_: Expr) -> bytes:
    """The extents of a range as they are written, in a variable's declaration as well."""
    if isinstance(range_, Name):
        range_ = values.initial_of(range_.name, range_.span.start) or range_
    parts = range_.args if isinstance(range_, Call) else range_.items if isinstance(range_, InitList) else ()
    return values.text[parts[0].span.start : parts[-1].span.end] if parts else b""


def property_texts(values: HostValues, entry: Entry) -> list[str]:
    """The arguments before a launch's kernel, and the declarations of the variables among it."""
    texts: list[str] = []
    for child in arguments_of(entry.call)[:-1] if entry.call is not None else ():
        texts.append(values.unit.text(child, entry.parse_index))
        if child.type == "identifier" and (found := declaration_of(values, child, texts[-1])) is not None:
            texts.append(values.unit.text(found[0], entry.parse_index))
    return texts


def _scratch_bytes(values: HostValues, entry: Entry) -> int | None:
    """Local memory that the property `work_group_scratch_size` requests."""
    matches = (_SCRATCH.search(text) for text in property_texts(values, entry))
    found = next((match for match in matches if match is not None), None)
    if found is None:
        return 0
    expr = values.scope.expression_of_text(found[1])
    assert entry.call is not None
    number = values.number(expr, entry.call.start_byte) if expr is not None else None
    return int(number) if number is not None else None


def launch_shape(values: HostValues, entry: Entry) -> tuple[str, int] | None:
    """Which kind of item a `parallel_for` hands its kernel, and of how many dimensions."""
    assert entry.call is not None
    for node in arguments_of(entry.call)[:-1]:
        expr = values.lower(node)
        if isinstance(expr, Name):
            expr = values.initial_of(expr.name, node.start_byte) or expr
        parts = [_range_part(values, expr, node.start_byte, entry.form, part) for part in (0, 1)]
        known = [count for part in parts if part is not None and (count := _rank(values, part, node.start_byte))]
        if known:
            return "nd_item", known[0]
        if isinstance(expr, Call) and expr.name in ("nd_range", "range") and expr.template_args[:1]:
            rank = expr.template_args[0]
            return ("nd_item" if expr.name == "nd_range" else "item", int(rank)) if rank in RANKS else None
        if isinstance(expr, Call) and expr.name == "range":
            return "item", len(expr.args)
        if entry.form == "parallel_for" and _is_number(values, node, expr):
            return "item", 1  # a range of one dimension is made of it
    return None


def _is_number(values: HostValues, node: Node, expr: Expr) -> bool:
    """Whether an argument of a launch is surely a number: a literal, or a variable of an integer's type."""
    if isinstance(expr, Constant):
        return True
    spelled = (
        type_of_name(values, node, values.unit.text(node, values.parse_index)) if node.type == "identifier" else ""
    )
    found = values.scope.type_of(spelled) if spelled else None
    return found is not None and not (found.struct or found.pointers or found.floating) and found.size is not None


def _rank(values: HostValues, expr: Expr, offset: int) -> int:
    """Dimensions of a range as it is written, 0 if it does not say."""
    if isinstance(expr, Name) and expr.variable is None:
        expr = values.initial_of(expr.name, offset) or expr
    if isinstance(expr, Call) and expr.name == "range":
        rank = expr.template_args[0] if expr.template_args else ""
        return int(rank) if rank in RANKS else len(expr.args)
    return len(expr.items) if isinstance(expr, InitList) else int(isinstance(expr, Constant))


def _range_part(values: HostValues, expr: Expr, offset: int, form: str, part: int, depth: int = 0) -> Expr | None:
    """The global (`part` 0) or local (1) range of `nd_range(global, local)`, a variable of it, or `{global, local}`."""
    if depth > 4:
        return None
    if isinstance(expr, Call) and expr.name in ("nd_range", "nd_range_t") and len(expr.args) >= 2:
        return expr.args[part]
    if isinstance(expr, Call) and expr.name == "nd_range" and len(expr.args) == 1:
        return _range_part(values, expr.args[0], offset, form, part, depth + 1)
    if isinstance(expr, InitList) and len(expr.items) == 2 and all(isinstance(i, (Call, InitList)) for i in expr.items):
        return expr.items[part]
    if isinstance(expr, Call) and expr.name == "range" and form == "parallel_for_work_group":
        return None
    if isinstance(expr, Name):
        initial = values.initial_of(expr.name, offset)
        return _range_part(values, initial, offset, form, part, depth + 1) if initial is not None else None
    return None
