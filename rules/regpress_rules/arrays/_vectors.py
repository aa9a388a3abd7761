"""Private arrays of vectors or structs that clang would keep in registers as one array for each member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.facts import AMD_LDS_BYTES, AMD_VECTOR_ELEMENTS, constant_table
from regpress_lint.api.syntax import Call, Index, Member, expression_type, is_name, nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Function, Variable

_WORD = 4
_SMALLEST = 12  # bytes; the LDS for 1,024 threads then leaves room for all waves
_MOST_WORDS = 64  # of all arrays that clang turns into registers at a run-time index, in one kernel
_MAX_DEPTH = 3


def splittable(facts: KernelFacts, target: str) -> Iterator[tuple[PrivateArray, set[str]]]:
    """Arrays that clang keeps in memory for an AMD target only because an element has several members, and these."""
    env = facts.source.environment
    arrays = facts.arrays_for(target)
    candidates = [array for array in arrays if _is_candidate(array) and constant_table(array, env) is None]
    if not candidates or _words(arrays, candidates) > _MOST_WORDS:
        return
    for array in candidates:
        fields = _fields(facts, array.function, array.variable)
        small = (array.bytes or 0) <= AMD_LDS_BYTES
        if fields and not (small and facts.kernel.launch_bounds is not None):
            yield array, fields  # the LDS of a block that launch bounds make small is little


def is_splittable(facts: KernelFacts, target: str, array: PrivateArray) -> bool:
    """True for one of `splittable`; most arrays are not, and cost next to nothing."""
    return _is_candidate(array) and any(array is candidate for candidate, _ in splittable(facts, target))


def _is_candidate(array: PrivateArray) -> bool:
    type_ = array.variable.type
    vectors = (type_.struct or type_.lanes > 1) and not type_.pointers
    if not vectors or len(array.variable.dims) != 1 or array.escapes or array.table:
        return False
    if array.variable.volatile_span is not None or any(access.kind == "address" for access in array.described):
        return False
    if (array.bytes or 0) <= _SMALLEST or not 1 < (array.elements or 0) <= AMD_VECTOR_ELEMENTS:
        return False
    return bool(array.dynamic)


def _words(arrays: Iterable[PrivateArray], arrays_kept: list[PrivateArray]) -> int:
    """Registers of all arrays that would be there at a run-time index."""
    others = (array for array in arrays if array.dynamic and array.stays_in_registers("amd") and not array.table)
    return sum((array.bytes or 0) // _WORD for array in {*arrays_kept, *others})


def _fields(facts: KernelFacts, function: Function, variable: Variable, depth: int = 0) -> set[str] | None:
    """Members that the accesses name, also in the functions that the array is passed to; None if one is not a
    number."""
    fields: set[str] = set()
    for node in nodes_of(function):
        if isinstance(node, Member) and isinstance(node.base, Index) and is_name(node.base.base, variable):
            type_ = expression_type(node, facts.file.type_of)
            if type_ is None or type_.struct or type_.pointers or type_.decayed or type_.lanes > 1:
                return None
            fields.add(node.field)
        elif isinstance(node, Call) and depth < _MAX_DEPTH:
            target = facts.callee_of(node) if any(is_name(argument, variable) for argument in node.args) else None
            for argument, parameter in zip(node.args, target.parameters if target is not None else (), strict=False):
                if target is not None and is_name(argument, variable):
                    inner = _fields(facts, target, parameter, depth + 1)
                    if inner is None:
                        return None
                    fields |= inner
    return fields
