"""Values that a loop only carries through, kept in LDS while it runs: a spill by hand, with the room that there is.

Compilers see what was stored and keep it in its register all the same, unless a barrier separates the two: with one,
clang 19 and nvcc 13 went from 124 to 72 and from 86 to 56 registers (`lds_spill` in testdata/seeds), without one the
number stayed.

A private array in LDS, a slot for each thread: what that does to registers, and how much LDS it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Declare, InitList
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.facts.loop_groups import carried_through, free_lds
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.code_motion import Around, around, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.loop_groups import CarriedVariable
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts


_SMALLEST, _LARGEST = 16, 1024  # bytes of a thread
EXTENTS = pattern(r"\s*(?:\[[^\[\]]*\]\s*)+")
_QUALIFIERS = pattern(r"\b(?:volatile|const)\b\s*")


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
        memory = f"sycl::ext::oneapi::group_local_memory_for_overwrite<{element}{extents}>({self.group})"
        return f"auto& {name} = *{memory};"


def in_local_memory(facts: KernelFacts) -> Iterator[Change]:
    """Each array of the kernel's own body that is indexed at run time, moved to LDS."""
    if facts.kernel.path != facts.file.path:
        return
    lane = lane_of(facts)
    for array in facts.arrays if lane is not None else ():
        size = array.bytes or 0
        if array.function is not facts.kernel.function or array.escapes or not _SMALLEST <= size <= _LARGEST:
            continue
        if array.variable.type.name != array.variable.type.shown:  # a class without a name
            continue
        edits = _edits(facts, array, lane) if lane is not None and array.dynamic else ()
        if edits:
            source, name = facts.file.source, array.variable.name
            yield Change(
                "array-to-lds",
                f"`{name}` in LDS, a column for each of the {facts.launch.block_size} threads of a block",
                source.line_of(array.variable.span.start),
                edits,
                f"{size} bytes of LDS a thread",
                "RP403",
            )


def lane_of(facts: KernelFacts) -> Lane | None:
    """The words of the kernel's language; None where a kernel has no blocks."""
    number, item = facts.launch.thread_number, facts.launch.item
    if facts.kernel.language == "opencl":
        return Lane(number, "", "barrier(CLK_LOCAL_MEM_FENCE);", "__local")
    if facts.kernel.language != "sycl":
        return Lane(number, "", "__syncthreads();")
    if item is None:
        return None
    group = f"{item}.get_group()"
    return Lane(number, group, f"sycl::group_barrier({group});")


def _edits(facts: KernelFacts, array: PrivateArray, lane: Lane) -> tuple[Edit, ...]:
    """The declaration as one of LDS, and one more index at every access; () for an array that is not written so."""
    source, variable = facts.file.source, array.variable
    body = array.function.body.span
    for access in array.described:  # a function that the array is handed to would have to know about the column
        if len(access.indices) != len(variable.dims) or not body.contains(access.span):
            return ()
    if declares_more(array.function, variable) or not _is_simple(variable):
        return ()
    declaration = variable.declaration
    head = source.text(Span(declaration.start, variable.span.start))
    tail = source.text(Span(variable.span.end, declaration.end))
    extents = EXTENTS.match(tail)
    if extents is None or "#" in head or "(" in head:
        return ()
    element, columns = _QUALIFIERS.sub("", head).strip(), f"{extents[0].strip()}[{facts.launch.block_size}]"
    ends = dict.fromkeys(access.span.end for access in array.described)
    declared = Edit(declaration, lane.declared(element, variable.name, columns))
    return (declared, *(Edit(Span(end, end), f"[{lane.number}]") for end in ends))


def declares_more(function: Function, variable: Variable) -> bool:
    """Whether the statement also declares other variables."""
    return any(
        isinstance(node, Declare) and variable in node.variables and len(node.variables) > 1
        for node in nodes_of(function)
    )


def _is_simple(variable: Variable) -> bool:
    """True for an array without an initialiser, or one of zeros, which a loop would write."""
    init = variable.init
    return init is None or (isinstance(init, InitList) and len(init.items) <= 1)


def spilled_by_hand(facts: KernelFacts) -> Iterator[Change]:
    """For each loop that stays one: the values that it carries through and that are used least after it."""
    lane = lane_of(facts)
    if facts.kernel.path != facts.file.path or lane is None:
        return
    for loop in facts.loops:
        place = None if loop.unrolled or loop.parent is not None else around(facts.kernel.function, loop.loop)
        held = _held(facts, loop, place) if place is not None else []
        if held:
            yield _change(facts, loop, held, lane)


def _held(facts: KernelFacts, loop: LoopFacts, place: Around) -> list[CarriedVariable]:
    """Values that the loop carries to the code right after it."""
    end = place.behind[-1].span.end if place.behind else 0
    variables = carried_through(facts, loop, facts.targets)
    return [variable for variable in variables if all(span.end <= end for span in variable.uses)]


def _change(facts: KernelFacts, loop: LoopFacts, held: Sequence[CarriedVariable], lane: Lane) -> Change:
    source, start = facts.file.source, loop.loop.span.start
    line = source.line_of(start)
    stored = "".join(_stored(facts, value, lane) for value in held)
    edits = [Edit(Span(start, start), f"\n{stored}{lane.barrier}\n")]
    for variable in held:
        edits += _used(variable, lane)
    names = [value.variable.name for value in held]
    total = sum(value.bytes for value in held)
    spans = (_spanned(facts, value) for value in held[:3])
    return Change(
        "value-to-lds",
        f"{listed(names)} in LDS while the loop at line {line} runs ({', '.join(spans)})",
        source.line_of(held[0].variable.span.start),
        tuple(edits),
        f"{total} bytes of LDS a thread and a barrier before the loop{_free(facts)}",
    )


def _spanned(facts: KernelFacts, held: CarriedVariable) -> str:
    source = facts.file.source
    first, last = source.line_of(held.variable.span.start), source.line_of(held.uses[-1].start)
    return f"`{held.variable.name}`: {held.registers} registers, lines {first} to {last}"


def _free(facts: KernelFacts) -> str:
    """LDS that a thread may take without a wave lost, on the target with the least."""
    room = free_lds(facts, facts.targets)
    block = max(facts.launch.block_size, 1)
    return f"; {room} bytes per thread are free in blocks of {block}" if room is not None else ""


def _stored(facts: KernelFacts, held: CarriedVariable, lane: Lane) -> str:
    name, type_ = held.variable.name, held.variable.type.name
    rows = f"[{held.array.elements}]" if held.array is not None else ""
    extents = f"{rows}[{facts.launch.block_size}]"
    declared = f"{lane.declared(type_, f'{name}_kept', extents)}\n"
    if held.array is None:
        return f"{declared}{name}_kept[{lane.number}] = {name};\n"
    loop = f"for (int at = 0; at < {held.array.elements}; ++at)"
    return f"{declared}#pragma unroll\n{loop} {name}_kept[at][{lane.number}] = {name}[at];\n"


def _used(held: CarriedVariable, lane: Lane) -> Iterator[Edit]:
    column = f"{held.variable.name}_kept"
    if held.array is None:
        for span in held.uses:
            yield Edit(span, f"{column}[{lane.number}]")
        return
    starts = {span.start for span in held.uses}
    for access in held.array.described:
        if access.span.start in starts:
            yield Edit(Span(access.span.end, access.span.end), f"[{lane.number}]")
    for span in held.uses:
        yield Edit(span, column)
