"""A histogram of each thread that is only added up, counted as one of the block in LDS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.counters import is_added_up
from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Assign, Constant, Evaluate, Index, InitList, Return, Update
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.code_motion import whole
from regpress_lint.lint.advice.lds_spills import EXTENTS, declares_more, lane_of
from regpress_lint.source.cfg import root_variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source.arrays import PrivateArray

_BARRIER = "__syncthreads();"
_COUNTERS = {False: "unsigned int", True: "float"}  # types that every GPU adds to atomically in LDS
_WORD = 4  # bytes


def for_the_block(facts: KernelFacts) -> Iterator[Change]:
    """Each histogram of the kernel's own body that is only added to others, in CUDA and HIP."""
    if facts.kernel.path != facts.file.path or facts.kernel.has_work_items:
        return
    for array in facts.arrays:
        own = array.function is facts.kernel.function and not array.escapes and is_added_up(facts, array)
        edits = _edits(facts, array) if own else ()
        if edits:
            source, name = facts.file.source, array.variable.name
            yield Change(
                "block-histogram",
                f"`{name}` as one histogram of the block in LDS, counted with `atomicAdd`",
                source.line_of(array.variable.span.start),
                edits,
                "atomics in LDS, which take turns where threads count in the same bin, and two barriers",
                "RP403",
            )


def _edits(facts: KernelFacts, array: PrivateArray) -> tuple[Edit, ...]:
    """() for a histogram that is not written so: it is cleared, counted and added up by statements of their own."""
    variable, statements = array.variable, array.function.body.statements
    if any(isinstance(node, Return) for node in nodes_of(array.function)) or declares_more(array.function, variable):
        return ()  # a thread that has left would miss at a barrier
    if variable.type.size is None or variable.type.size > _WORD:
        return ()
    parts = {kind: _holding(statements, array, kind) for kind in ("write", "update", "read")}
    counting, adding = parts["update"], parts["read"]
    if len(counting) != 1 or len(adding) != 1:
        return ()
    if not all(statement.span.end <= counting[0].span.start for statement in parts["write"]):
        return ()
    if adding[0].span.start < counting[0].span.end:
        return ()
    declared = _declared(facts, variable)
    changed = _counted(facts, array)
    if declared is None or changed is None:
        return ()
    lane = lane_of(facts)
    assert lane is not None
    source = facts.file.source
    begin, last = whole(source, counting[0]).start, whole(source, adding[0])
    step = f"for (int at = {lane.number}; at < {array.elements}; at += {facts.block_size})"
    cleared = "" if parts["write"] else f"{step} {variable.name}[at] = 0;\n"
    return (
        declared,
        Edit(Span(begin, begin), f"{cleared}{_BARRIER}\n"),
        *changed,
        Edit(Span(last.start, last.start), f"{_BARRIER}\nif ({lane.number} == 0) {{\n"),
        Edit(Span(last.end, last.end), " }"),
    )


def _holding(statements: Sequence[Stmt], array: PrivateArray, kind: str) -> list[Stmt]:
    """The statements of the kernel's body that access the array in a way."""
    spans = [access.span for access in array.accesses if access.kind == kind]
    return [statement for statement in statements if any(statement.span.contains(span) for span in spans)]


def _declared(facts: KernelFacts, variable: Variable) -> Edit | None:
    """The declaration in LDS; None where it has other values than zeros."""
    source, init = facts.file.source, variable.init
    if init is not None and not (isinstance(init, InitList) and all(_is_zero(expr) for expr in init.items)):
        return None
    tail = source.text(Span(variable.span.end, variable.declaration.end))
    extents = EXTENTS.match(tail)
    if extents is None:
        return None
    type_ = _COUNTERS[variable.type.floating]
    return Edit(variable.declaration, f"__shared__ {type_} {variable.name}{extents[0].strip()};")


def _is_zero(node: object) -> bool:
    return isinstance(node, Constant) and node.value == 0


def _counted(facts: KernelFacts, array: PrivateArray) -> tuple[Edit, ...] | None:
    """Each change of a counter as an atomic one; None where one is a part of something else."""
    source, edits = facts.file.source, []
    for node in nodes_of(array.function):
        if not isinstance(node, Evaluate):
            continue
        change = node.expression
        target = change.target if isinstance(change, Assign) else change.operand if isinstance(change, Update) else None
        if not isinstance(target, Index) or root_variable(target) is not array.variable:
            continue
        if isinstance(change, Update) and change.op == "++":
            amount = "1"
        elif isinstance(change, Assign) and change.op == "+=":
            amount = source.text(change.value.span)
        elif isinstance(change, Assign) and change.op == "=" and _is_zero(change.value):
            continue
        else:
            return None
        edits.append(Edit(change.span, f"atomicAdd(&{source.text(target.span)}, {amount})"))
    updates = sum(access.kind == "update" for access in array.accesses)
    return tuple(edits) if len(edits) == updates else None
