"""A private array in LDS, a slot for each thread: what that does to registers, and how much LDS it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Declare, InitList
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.lint.advice.advice_data import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.arrays import PrivateArray

_SMALLEST, _LARGEST = 16, 1024  # bytes of a thread
_EXTENTS = pattern(r"\s*(?:\[[^\[\]]*\]\s*)+")
_QUALIFIERS = pattern(r"\b(?:volatile|const)\b\s*")
_ITEM = pattern(r"\bnd_item\b")


class Lane(NamedTuple):
    """A thread's number in its block, the block, and a barrier, as the language writes them; no group but in SYCL."""

    number: str
    group: str
    barrier: str
    word: str = "__shared__"

    def declared(self, element: str, name: str, extents: str) -> str:
        """The declaration of an array in LDS."""
        if not self.group:
            return f"{self.word} {element} {name}{extents};"
        made = f"sycl::ext::oneapi::group_local_memory_for_overwrite<{element}{extents}>({self.group})"
        return f"auto& {name} = *{made};"


def in_local_memory(facts: KernelFacts) -> Iterator[Change]:
    """Each array of the kernel's own body that is indexed at run time, moved to LDS."""
    if facts.kernel.path != facts.file.path:
        return
    lane = lane_of(facts)
    for array in facts.arrays if lane is not None else ():
        size = array.bytes or 0
        if array.function is not facts.kernel.function or array.escapes or not _SMALLEST <= size <= _LARGEST:
            continue
        edits = _edits(facts, array, lane) if lane is not None and array.dynamic else ()
        if edits:
            source, name = facts.file.source, array.variable.name
            yield Change(
                "array-to-lds",
                f"`{name}` in LDS, a column for each of the {facts.block_size} threads of a block",
                source.line_of(array.variable.span.start),
                edits,
                f"{size} bytes of LDS a thread",
                "RP403",
            )


def lane_of(facts: KernelFacts) -> Lane | None:
    """The words of the kernel's language; None where a kernel has no blocks."""
    if facts.kernel.language == "opencl":
        number = "(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)))"
        return Lane(number, "", "barrier(CLK_LOCAL_MEM_FENCE);", "__local")
    if facts.kernel.language != "sycl":
        number = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
        return Lane(number, "", "__syncthreads();")
    for parameter in facts.kernel.function.parameters:
        if _ITEM.search(parameter.type.name):
            group = f"{parameter.name}.get_group()"
            return Lane(f"{parameter.name}.get_local_linear_id()", group, f"sycl::group_barrier({group});")
    return None


def _edits(facts: KernelFacts, array: PrivateArray, lane: Lane) -> tuple[Edit, ...]:
    """The declaration as one of LDS, and one more index at every access; () for an array that is not written so."""
    source, variable = facts.file.source, array.variable
    body = array.function.body.span
    for access in array.described:  # a function that the array is handed to would have to know about the column
        if len(access.indices) != len(variable.dims) or not body.contains(access.span):
            return ()
    if _declares_more(array.function, variable) or not _is_simple(variable):
        return ()
    declaration = variable.declaration
    head = source.text(Span(declaration.start, variable.span.start))
    tail = source.text(Span(variable.span.end, declaration.end))
    extents = _EXTENTS.match(tail)
    if extents is None or "#" in head or "(" in head:
        return ()
    element, own = _QUALIFIERS.sub("", head).strip(), f"{extents[0].strip()}[{facts.block_size}]"
    ends = dict.fromkeys(access.span.end for access in array.described)
    declared = Edit(declaration, lane.declared(element, variable.name, own))
    return (declared, *(Edit(Span(end, end), f"[{lane.number}]") for end in ends))


def _declares_more(function: Function, variable: Variable) -> bool:
    """Whether the statement also declares other variables."""
    return any(
        isinstance(node, Declare) and variable in node.variables and len(node.variables) > 1
        for node in nodes_of(function)
    )


def _is_simple(variable: Variable) -> bool:
    """True for an array without an initialiser, or one of zeros, which a loop would write."""
    init = variable.init
    return init is None or (isinstance(init, InitList) and len(init.items) <= 1)
