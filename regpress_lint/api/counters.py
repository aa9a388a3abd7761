"""Private arrays that count: histograms, where a run-time index selects the counter that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Assign, Call, Index, Update
from regpress_lint.cpp.traversal import nodes_of, walk, written
from regpress_lint.source.cfg import root_variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source.arrays import PrivateArray

_LEAST_BINS = 16
_ADDING = frozenset(
    (
        *("atomicAdd", "atomicAdd_block", "atomicAdd_system", "unsafeAtomicAdd", "__hip_atomic_fetch_add"),
        *("atomic_add", "atom_add", "atomic_fetch_add"),  # OpenCL C
    )
)


def is_histogram(facts: KernelFacts, array: PrivateArray) -> bool:
    """Whether it is a one-dimensional array of counters: a run-time index selects the one that changes, always by a
    constant."""
    elements, type_ = array.elements or 0, array.variable.type
    plain = not type_.struct and not type_.pointers and type_.lanes == 1 and (type_.size or 0) > 1
    changed = any(access.kind == "update" and access.dynamic for access in array.accesses)
    if elements < _LEAST_BINS or len(array.variable.dims) != 1 or not plain or not changed or array.escapes:
        return False
    return all(increment is not None for increment in increments(facts, array))


def is_added_up(facts: KernelFacts, array: PrivateArray) -> bool:
    """True for a histogram of which a thread only adds its counts to those of all: one for the block does as well."""
    if not is_histogram(facts, array):
        return False
    reads = sum(access.kind == "read" for access in array.accesses)
    added = 0
    for node in nodes_of(array.function):
        if isinstance(node, Call) and node.name in _ADDING and node.args:
            added += sum(_is_element(inner, array) for argument in node.args[1:] for inner in walk(argument))
    return 0 < reads <= added


def _is_element(node: object, array: PrivateArray) -> bool:
    return isinstance(node, Index) and root_variable(node) is array.variable


def increments(facts: KernelFacts, array: PrivateArray) -> Iterator[int | None]:
    """By how much each change counts, in source order."""
    for node in nodes_of(array.function):
        target = written(node)
        if not isinstance(target, Index) or root_variable(target) is not array.variable:
            continue
        if isinstance(node, Update):
            yield 1
        elif isinstance(node, Assign) and node.op != "=":
            value = evaluate(node.value, facts.source.environment) if node.op in ("+=", "-=") else None
            yield int(value) if value is not None and value == int(value) else None
