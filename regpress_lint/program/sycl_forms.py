"""SYCL kernels: lambdas and functors in every form that programs use; `host_task` is host code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern, whole_word
from regpress_lint.core.source import Source, Span
from regpress_lint.cpp.lexical import conditionals, lex
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.host_types import arguments_of
from regpress_lint.cpp.names.parsed_file import ParsedFile
from regpress_lint.cpp.parse import ancestors, children_of, nodes_around, parse_ladder
from regpress_lint.program.macro_instances import written_out
from regpress_lint.targets.builtins import ITEM_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.names.project import Project


_LAUNCH = pattern(
    rb"\b(parallel_for|single_task|parallel_for_work_group|parallel_for_work_item|nd_launch|launch_grouped|sycl_kernel_submit)\b"
)
_ITEM = pattern(
    rb"\b(?:nd_item|h_item|item|kernel_handler|id|group)\s*+(?:<[^<>;{}()]*+>)?\s*+(?:const\s*+)?&?\s*+\w*+\s*+[,)]"
)
_FOREIGN = pattern(rb"(?:Kokkos|tbb|oneapi::tbb|thrust|concurrency|dpl|RAJA|hemi)\s*::\s*$")
_HEADER = b"sycl.hpp"
_AROUND_ITEM = ("lambda_expression", "compound_statement", "function_definition", "argument_list")
_FREE_FUNCTION = pattern(rb"nd_range_kernel|single_task_kernel")


class Entry(NamedTuple):
    """One kernel before it is lowered: the lambda or `operator()` and the launch call, if it is known."""

    body_owner: Node | FunctionNode  # lambda_expression, or the functor's / free function's definition
    call: Node | None
    form: str
    name: str
    parse_index: int


def sycl_entries(parsed: ParsedFile) -> tuple[Entry, ...]:
    """All kernels of a file, each body from the best rung; a body that several calls launch appears once per call."""
    by_owner: dict[int, list[Entry]] = {}
    for entry in (*_launched(parsed), *_unlaunched(parsed)):
        by_owner.setdefault(start_of(entry), []).append(entry)
    return tuple(entry for start in sorted(by_owner) for entry in _best(by_owner[start]))


def other_entries(parsed: ParsedFile) -> tuple[Span, ...]:
    """SYCL kernels in a file that is read as CUDA or HIP, outside of any choice by `#if`."""
    data = parsed.source.data
    if _HEADER not in data or _LAUNCH.search(data) is None:
        return ()
    chosen = conditionals(lex(data))
    starts = (start_of(entry) for entry in sycl_entries(parsed) if entry.call is not None)
    shown = dict.fromkeys(start for start in starts if not any(a[0] <= start < a[-1] for a in chosen))
    return tuple(Span(start, start + 1) for start in shown)


def _best(entries: list[Entry]) -> list[Entry]:
    """Entries of one body from the rung that read it without error; those with a known launch go first."""
    launched = [entry for entry in entries if entry.call is not None] or entries[:1]
    rung = min(launched, key=lambda entry: (broken(entry), entry.parse_index)).parse_index
    calls: dict[int, Entry] = {}
    for entry in launched:
        if entry.parse_index == rung:
            calls.setdefault(entry.call.start_byte if entry.call is not None else -1, entry)
    return list(calls.values())


def broken(entry: Entry) -> bool:
    """True if the body has an error in it."""
    owner = entry.body_owner
    return owner.body.has_error if isinstance(owner, FunctionNode) else owner.has_error


def start_of(entry: Entry) -> int:
    """Where the lambda or the `operator()` begins."""
    owner = entry.body_owner
    return owner.node.start_byte if isinstance(owner, FunctionNode) else owner.start_byte


def _launched(parsed: ParsedFile) -> Iterator[Entry]:
    for index, parse in enumerate(parsed.parses):
        text = parse.masked.text
        for match in _LAUNCH.finditer(text):
            if _FOREIGN.search(text[max(0, match.start() - 24) : match.start()]):
                continue
            call = call_of(parse.tree.root_node, match.start(), match.end())
            if call is None or (match[1] == b"parallel_for_work_item" and _inside_work_group(call, text)):
                continue
            if (entry := _resolve(parsed, index, call, match[1].decode())) is not None:
                yield entry
        if not parse.has_error and not parse.level.one_branch:
            break


def call_of(root: Node, start: int, end: int) -> Node | None:
    """The call whose function part is the word at [start, end)."""
    for node in nodes_around(root, start, end):
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            inside = function is not None and function.start_byte <= start and end <= function.end_byte
            return node if inside else None
        if node.type in ("argument_list", "compound_statement", "parameter_list", "string_literal", "comment"):
            return None
    return None


def _inside_work_group(call: Node, text: bytes) -> bool:
    calls = (node for node in ancestors(call) if node.type == "call_expression")
    called = (node.child_by_field_name("function") for node in calls)
    return any(name and b"parallel_for_work_group" in text[name.start_byte : name.end_byte] for name in called)


def _resolve(parsed: ParsedFile, index: int, call: Node, form: str) -> Entry | None:
    arguments = arguments_of(call)
    if not arguments:
        return None
    kernel = arguments[-1]
    if form in ("nd_launch", "launch_grouped") and kernel.type != "lambda_expression":
        kernel = next((argument for argument in arguments if argument.type == "lambda_expression"), kernel)
    name = _kernel_name(parsed, index, call)
    owner = kernel_owner(parsed, index, call, kernel)
    if owner is None:
        return None
    return Entry(owner, call, form, name or owner_name(owner), index)


def kernel_owner(parsed: ParsedFile, index: int, call: Node, kernel: Node) -> Node | FunctionNode | None:
    """The lambda, or the `operator()`, that an argument of a launch stands for."""
    text = parsed.parses[index].masked.text
    while kernel.type == "parenthesized_expression" and kernel.named_child_count == 1:
        kernel = kernel.named_children[0]
    if kernel.type == "call_expression" and (inner := arguments_of(kernel)) and inner[-1].type == "lambda_expression":
        kernel = inner[-1]  # a wrapper around the lambda: `kernel_fun([=](...) {...})`
    if kernel.type == "lambda_expression":
        return kernel
    if kernel.type == "identifier":
        name = text[kernel.start_byte : kernel.end_byte]
        return (
            _named_lambda(parsed, index, call, name)
            or _object_functor(parsed, index, call, name)
            or _made_lambda(parsed, index, call, name)
        )
    if kernel.type in ("call_expression", "compound_literal_expression"):
        target = kernel.child_by_field_name("function") or kernel.child_by_field_name("type")
        if target is not None:
            target = target.child_by_field_name("name") or target
            type_name = text[target.start_byte : target.end_byte].decode("utf-8", "replace")
            return _functor(parsed, type_name) or _returned_lambda(parsed, type_name)
    return None


def owner_name(owner: Node | FunctionNode) -> str:
    """Name of a functor's class, "" for a lambda."""
    return owner.record or owner.name if isinstance(owner, FunctionNode) else ""


def _kernel_name(parsed: ParsedFile, index: int, call: Node) -> str:
    function = call.child_by_field_name("function")
    if function is None:
        return ""
    text = parsed.parses[index].masked.text[function.start_byte : function.end_byte].decode("utf-8", "replace")
    match = re.search(
        r"(?:parallel_for|single_task|parallel_for_work_group|nd_launch)\s*<\s*(?:class|struct|typename)?\s*([\w:]+)",
        text,
    )
    return match[1].rsplit("::", 1)[-1] if match is not None else ""


def _named_lambda(parsed: ParsedFile, index: int, call: Node, name: bytes) -> Node | None:
    """`auto name = [...](...) {...}` in an enclosing block or at file level, the nearest before the call."""
    parse = parsed.parses[index]
    text = parse.masked.text
    pattern = re.compile(whole_word(b"auto") + rb"\s*&?\s*" + re.escape(name) + rb"\s*(?:=|\{)\s*\[")
    best: Node | None = None
    for match in pattern.finditer(text, 0, call.start_byte):
        around = nodes_around(parse.tree.root_node, match.end() - 1, match.end())
        node = next((outer for outer in around if outer.type == "lambda_expression"), None)
        if node is not None and not node.start_byte <= call.start_byte < node.end_byte:
            best = node
    return best


_NEAR = 20_000  # bytes in front of a launch in which its functor is made


def _object_functor(parsed: ParsedFile, index: int, call: Node, name: bytes) -> FunctionNode | None:
    """`Functor name(...)` / `auto name = Functor(...)` before the call."""
    text = parsed.parses[index].masked.text
    pattern = re.compile(
        rb"\b(?:auto\s+"
        + re.escape(name)
        + rb"\s*=\s*([A-Za-z_]\w*)|([A-Za-z_]\w*)(?:\s*<[^;{}]*>)?\s+"
        + re.escape(name)
        + rb"\s*[({;=])"
    )
    function: FunctionNode | None = None
    # Where the name is followed by an initialiser; to look for the type in front of it at every word takes long.
    begun = re.compile(rb"%b(?<=\s%b)\s*[({;=]" % (re.escape(name), re.escape(name)))
    for place in begun.finditer(text, max(0, call.start_byte - _NEAR), call.start_byte):
        start = max(text.rfind(mark, 0, place.start()) for mark in (b";", b"{", b"}")) + 1
        if (match := pattern.search(text, start, place.end())) is not None:
            candidate = (match[1] or match[2]).decode("utf-8", "replace")
            function = _functor(parsed, candidate) or function
    return function


def _made_lambda(parsed: ParsedFile, index: int, call: Node, name: bytes) -> Node | None:
    """`auto name = make<...>(...)` before the call, where `make` returns a lambda."""
    text = parsed.parses[index].masked.text
    made_by = rb"\s*(?:=\s*|\{\s*)(?:\w+::)*([A-Za-z_]\w*)\s*[<(]"
    pattern = re.compile(whole_word(b"auto") + rb"\s*&?&?\s*" + re.escape(name) + made_by)
    makers = [match[1].decode() for match in pattern.finditer(text, 0, call.start_byte)]
    return _returned_lambda(parsed, makers[-1]) if makers else None


def _functor(parsed: ParsedFile, type_name: str) -> FunctionNode | None:
    base = type_name.rsplit("::", 1)[-1]
    for function in parsed.functions_by_name.get("operator()", ()):
        if function.record == base:
            return function
    return None


def _returned_lambda(parsed: ParsedFile, function_name: str) -> Node | None:
    for function in parsed.functions_by_name.get(function_name.rsplit("::", 1)[-1], ()):
        for node in _returned(parsed, function):
            return node
    return None


def _returned(parsed: ParsedFile, function: FunctionNode) -> Iterator[Node]:
    for child in function.body.named_children:
        for inner in child.named_children if child.type == "return_statement" else ():
            if inner.type == "lambda_expression":
                yield inner
            elif inner.type == "identifier":
                name = parsed.text(inner, function.parse_index).encode()
                node = _named_lambda(parsed, function.parse_index, inner, name)
                if node is not None and node.start_byte > function.body.start_byte:
                    yield node


def _unlaunched(parsed: ParsedFile) -> Iterator[Entry]:
    """Lambdas and `operator()` that take an item but whose launch is not visible, and free-function kernels."""
    parse = parsed.parses[0]
    text = parse.masked.text
    for function in parsed.functions_by_name.get("operator()", ()):
        if _takes_item(function.declarator, text):
            yield Entry(function, None, "functor", function.record or "operator()", function.parse_index)
    nested: dict[int, bool] = {}
    for match in _ITEM.finditer(text):
        around = nodes_around(parse.tree.root_node, match.start(), match.start() + 1)
        at = next((position for position, node in enumerate(around) if node.type in _AROUND_ITEM), None)
        if at is None or (node := around[at]).type != "lambda_expression" or not _lambda_takes_item(node, text):
            continue
        if not _is_nested_item(around[at + 1 :], text, nested):
            yield Entry(node, None, "lambda", "", 0)
    yield from _free_functions(parsed)


def _free_functions(parsed: ParsedFile) -> Iterator[Entry]:
    for item in parsed.parses[0].masked.items:
        if _FREE_FUNCTION.search(item.text) is None:
            continue
        for function in parsed.functions:
            if function.body.start_byte > item.end:
                between = parsed.parses[function.parse_index].masked.text[item.end : function.head_start]
                if not between.strip() or function.head_start <= item.start:
                    yield Entry(function, None, "free-function", function.name, function.parse_index)
                break


def _takes_item(declarator: Node, text: bytes) -> bool:
    parameters = declarator.child_by_field_name("parameters")
    if parameters is None:
        return False
    for child in parameters.named_children:
        type_node = child.child_by_field_name("type")
        if type_node is not None and ITEM_TYPE.search(
            text[type_node.start_byte : type_node.end_byte].decode("utf-8", "replace")
        ):
            return True
    return False


def _lambda_takes_item(node: Node, text: bytes) -> bool:
    declarator = node.child_by_field_name("declarator")
    return declarator is not None and _takes_item(declarator, text)


def _is_nested_item(around: Sequence[Node], text: bytes, answers: dict[int, bool]) -> bool:
    """`h_item` and helper lambdas inside another kernel's lambda belong to that kernel; `around`: from inside out.

    answers: for the contents of lambdas, including the lambda itself, by the lambda; it grows.
    """
    passed = []
    nested = False
    for outer in around:
        if outer.type == "lambda_expression":
            if (before := answers.get(outer.id)) is not None:
                nested = before
                break
            passed.append(outer.id)
            if nested := _lambda_takes_item(outer, text):
                break
        elif outer.type == "call_expression":
            function = outer.child_by_field_name("function")
            name = text[function.start_byte : function.end_byte] if function is not None else b""
            if nested := b"host_task" in name or b"parallel_for_work_item" in name:
                break
    answers.update(dict.fromkeys(passed, nested))
    return nested


def thin_callee(node: Node) -> Node | None:
    """The call that is the whole body of a lambda, if its body is just that."""
    body = node.child_by_field_name("body")
    if body is None:
        return None
    statements = children_of(body)
    if len(statements) != 1 or statements[0].type not in ("expression_statement", "return_statement"):
        return None
    inner = children_of(statements[0])
    if len(inner) != 1 or inner[0].type != "call_expression":
        return None
    function = inner[0].child_by_field_name("function")
    return inner[0] if function is not None and function.type != "field_expression" else None


# Launches of SYCL that macros write, or whose lambda they write:
# `#define LAUNCH(N) q.parallel_for(range, [=](auto it) { work<N>(p, it); })`.
#
# Each use counts as its expansion. A thin lambda's kernel is its callee, which is in a file; a body that a macro writes
# is in no file, and so is not understood.


_LAUNCHES = pattern(
    r"\b(?:parallel_for|single_task)\b[^;]*\[[=&]|\A\s*\[[=&]\]\s*\([^()]*\)[^;{}()]*\{.*\}\s*\Z", re.DOTALL
)


class Placed(NamedTuple):
    """A kernel that something launches, the trees that contain it, and the use of a macro that writes it, if one
    does."""

    parsed: ParsedFile
    entry: Entry
    use: Span | None = None


def placed_entries(project: Project, parsed: ParsedFile) -> Iterator[Placed]:
    """The kernels of a file as it is written, and those that macros write."""
    yield from (Placed(parsed, entry) for entry in sycl_entries(parsed))
    if any(_LAUNCHES.search(macro.body) for macro in parsed.macros):
        yield from project.once(("SYCL launches of macros", parsed.source.path), lambda: _of_macros(parsed))


def _of_macros(parsed: ParsedFile) -> tuple[Placed, ...]:
    replaced = written_out(parsed, lambda body: _LAUNCHES.search(body) is not None)
    if replaced is None:
        return ()
    source = Source(parsed.source.path, replaced.data)
    written = ParsedFile(source, parsed.macros, parse_ladder(replaced.data, parsed.macros))
    placed = []
    for entry in sycl_entries(written):
        starts = (start_of(entry), entry.call.start_byte) if entry.call is not None else ()
        use = next((use for at in starts for span, use in replaced.places if span.start <= at < span.end), None)
        if use is not None:
            placed.append(Placed(written, entry, use))
    return tuple(placed)
