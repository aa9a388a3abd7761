"""Launches of SYCL: the `parallel_for` family, and thin lambdas whose kernel is a function of a header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.language import detect_language
from regpress_lint.cpp.lower.lowering_context import template_arguments
from regpress_lint.cpp.names.definition_nodes import FunctionNode, parameter_counts
from regpress_lint.cpp.names.host_types import arguments_of, declaration_of, type_of_name
from regpress_lint.cpp.names.host_values import HostValues, Value
from regpress_lint.cpp.names.name_index import FUNCTION
from regpress_lint.cpp.names.resolver import Resolver
from regpress_lint.cpp.parse import children_of
from regpress_lint.cpp.syntax_tree import Call, Constant, Expr, InitList, Name
from regpress_lint.program.accessors import RANKS, local_accessor_bytes, local_accessors
from regpress_lint.program.launches import block_count, grid_matters, make_launch, span_at
from regpress_lint.program.sycl_forms import Placed, placed_entries, thin_callee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.program.model import Launch
    from regpress_lint.program.sycl_forms import Entry


_SCRATCH = pattern(r"\bwork_group_scratch_size\b[\s\w]*[({]((?:[^(){}]|\([^()]*\))+)[)}]")


def sycl_launch(values: HostValues, path: str, entry: Entry, name: str) -> Launch | None:
    """The launch of a SYCL kernel; None for an entry without a known call."""
    if entry.call is None:
        return None
    launch = _sycl_launch(values, path, entry, entry.call, name)
    if launch.dynamic_lds_bytes is not None:
        return launch
    settled = [accessor.bytes for accessor in local_accessors(values, entry.call) if accessor.bytes is not None]
    return launch._replace(dynamic_lds_at_least=sum(settled) + (_scratch_bytes(values, entry) or 0))


def _sycl_launch(values: HostValues, path: str, entry: Entry, call: Node, name: str) -> Launch:
    """The block is the local range, whose place among the arguments depends on the form, in CUDA's order: x first."""
    nodes = children_of(call, "arguments")
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
        text = values.slice(node)
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
    return next(((int(all_), int(extent)) for all_, extent in pairs if extent >= 1 and all_ % extent), None)


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
        texts.append(values.parsed.text(child, entry.parse_index))
        if child.type == "identifier" and (declared := declaration_of(values, child, texts[-1])) is not None:
            texts.append(values.parsed.text(declared[0], entry.parse_index))
    return texts


def _scratch_bytes(values: HostValues, entry: Entry) -> int | None:
    """Local memory that the property `work_group_scratch_size` requests."""
    matches = (_SCRATCH.search(text) for text in property_texts(values, entry))
    match_found = next((match for match in matches if match is not None), None)
    if match_found is None:
        return 0
    expr = values.scope.expression_of_text(match_found[1])
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
        ranks = [count for part in parts if part is not None and (count := _rank(values, part, node.start_byte))]
        if ranks:
            return "nd_item", ranks[0]
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
        type_of_name(values, node, values.parsed.text(node, values.parse_index)) if node.type == "identifier" else ""
    )
    type_ = values.scope.type_of(spelled) if spelled else None
    return type_ is not None and not (type_.struct or type_.pointers or type_.floating) and type_.size is not None


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


# SYCL kernels with body and launch in different files: a thin lambda calls a function of a header, or one that
# another source file of the folder defines (`SYCL_EXTERNAL`).


_MOST_FILES = 32  # that include a header
_EXTERNAL = b"SYCL_EXTERNAL"


def has_its_own_file(scope: Scope, path: str) -> bool:
    """True for a kernel in another file of the sources, which sees from there who launches it."""
    home, project = scope.parsed.source.path, scope.project
    if path == home or not project.is_source(path):
        return False
    data = project.read(path)
    if data is None or detect_language(path, data) != "sycl":
        return False
    return home in project.includers(path)[:_MOST_FILES] or (_EXTERNAL in data and home in project.beside(path))


def foreign_entries(scope: Scope) -> Iterator[Placed]:
    """Thin lambdas of other files, as far as they may call one of this one's functions: of those that include it, and
    of those beside it where it has functions for other translation units.
    """
    parsed, project = scope.parsed, scope.project
    if not parsed.functions or not project.is_source(parsed.source.path):
        return
    functions = parsed.functions_by_name
    beside = project.beside(parsed.source.path) if _EXTERNAL in parsed.source.data else ()
    for path in dict.fromkeys((*project.includers(parsed.source.path)[:_MOST_FILES], *beside)):
        if functions.keys().isdisjoint(_called_in(project, path)) or (caller := project.parsed(path)) is None:
            continue
        for placed in placed_entries(project, caller):
            name = _called(placed)
            if name in functions and (name not in caller.functions_by_name or _means_one_of(scope, placed)):
                yield placed


def _means_one_of(scope: Scope, placed: Placed) -> bool:
    """Whether a call in a file that has a function of that name itself means this file's, as that file sees it."""
    owner = placed.entry.body_owner
    thin = thin_callee(owner) if not isinstance(owner, FunctionNode) else None
    if thin is None:
        return False
    resolver = Resolver(scope.project, placed.parsed, scope.language)
    callee = callee_of(resolver, placed.parsed, placed.entry.parse_index, thin)
    return callee is not None and callee[0].source.path == scope.parsed.source.path


def _called_in(project: Project, path: str) -> frozenset[str]:
    """The functions that the thin lambdas of another file of the run call."""

    def read() -> frozenset[str]:
        parsed = project.parsed(path)
        if parsed is None or b"sycl" not in parsed.source.data:
            return frozenset()
        return frozenset(map(_called, placed_entries(project, parsed)))

    return project.once(("thin SYCL kernels", path), read)


def _called(placed: Placed) -> str:
    parsed, entry, owner = placed.parsed, placed.entry, placed.entry.body_owner
    thin = thin_callee(owner) if not isinstance(owner, FunctionNode) else None
    function = thin.child_by_field_name("function") if thin is not None else None
    text = parsed.text(function, entry.parse_index) if function is not None else ""
    return text.partition("<")[0].rpartition("::")[2].strip()


def callee_of(
    scope: Scope, parsed: ParsedFile, parse_index: int, call: Node
) -> tuple[ParsedFile, FunctionNode, tuple[str, ...]] | None:
    """The function that a thin lambda's call means, and the template arguments that the call writes."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    tail = function
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    template: tuple[str, ...] = ()
    if tail.type == "template_function" and (inner := tail.child_by_field_name("name")) is not None:
        template = template_arguments(
            scope.context_for_text(parsed, parse_index), tail.child_by_field_name("arguments")
        )
        tail = inner
    count = len(children_of(arguments))
    name = parsed.text(tail, parse_index)
    definition = scope.find_node(name, count) or scope.find_node(name, -1) or _external(scope, parsed, name, count)
    return (*definition, template) if definition is not None else None


def _external(scope: Scope, parsed: ParsedFile, name: str, count: int) -> tuple[ParsedFile, FunctionNode] | None:
    """The definition of a `SYCL_EXTERNAL` function in another source file of the folder."""
    project = scope.project
    for path in project.beside(parsed.source.path):
        if not project.index_of(path).get(name, 0) & FUNCTION or (foreign := project.parsed(path)) is None:
            continue
        named = foreign.functions_by_name.get(name, ()) if _EXTERNAL in foreign.source.data else ()
        function_node = next((function for function in named if count in parameter_counts(function)), None)
        if function_node is not None:
            return foreign, function_node
    return None
