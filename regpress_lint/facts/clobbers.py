"""Loads, the writes that may change what they read by all that a compiler knows, and the bytes that loads bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.traversal import depends_on, written_alike
from regpress_lint.model.graph.objects import Access, type_class
from regpress_lint.source.memory_accesses import is_atomic, passed_writes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source.memory_accesses import MemoryAccess

WORD = 4  # bytes; smaller loads are vector loads in any case up to gfx11
_MOST_BYTES = 1024


class Write(NamedTuple):
    """A write or atomic that may change what a load reads: its place and the pointer it uses."""

    span: Span
    path: str
    origin: Variable | None
    type_class: str
    place: tuple[int, int]
    atomic: bool


def writes(facts: KernelFacts) -> Iterator[Write]:
    """Writes to global memory of the kernel and of the device functions that it hands pointers to."""
    function = facts.kernel.function
    memory = facts.memory_of(function)
    for access in memory.accesses:
        if access.kind != "read" and not _shared(access.origin):
            yield _write(access, access.origin, (access.block, access.op))
    for record in facts.flow_of(function).calls:
        target = None if is_atomic(record.call) else facts.callee_of(record.call)
        place = memory.place(record.call) if target is not None else None
        if target is None or place is None:
            continue
        for argument, access in passed_writes(record.call, target, facts.memory_of):
            origin = memory.origin(argument)
            if not _shared(origin):
                yield _write(access, origin, place)._replace(span=record.call.span)


def _write(access: MemoryAccess, origin: Variable | None, place: tuple[int, int]) -> Write:
    atomic = access.kind == "atomic"
    return Write(access.expr.span, "", origin, "any" if atomic else type_class(access.type), place, atomic)


def _shared(variable: Variable | None) -> bool:
    return variable is not None and variable.storage == "shared"


def clobbers(facts: KernelFacts, write: Write, load: MemoryAccess) -> bool:
    """True if a write may come before a load and, by all that the compiler knows, change what it reads.

    C++ lets a write of one scalar type not change an object of another; `__restrict__` on either pointer decides too.
    """
    same = write.origin is load.origin and write.origin is not None
    if not same and any(each is not None and each.type.restrict for each in (write.origin, load.origin)):
        return False
    one, other = (Access("global", None, name) for name in (write.type_class, type_class(load.type)))
    if not one.meets(other):
        return False
    return facts.memory_of(facts.kernel.function).before(write.place, (load.block, load.op))


def bytes_at_a_time(facts: KernelFacts, loads: Iterable[MemoryAccess], stores: Sequence[Write]) -> int:
    """Bytes of those loads that a compiler may have in registers at a time: none moves over a write that may change
    what it reads, so that those between two writes count, and of a loop with such a write one iteration.
    """
    groups: dict[int, list[MemoryAccess]] = {}
    for load in loads:
        before = sum(store.span.start < load.expr.span.start and clobbers(facts, store, load) for store in stores)
        groups.setdefault(before, []).append(load)
    return max((bytes_of(facts, group, stores) for group in groups.values()), default=0)


def bytes_of(facts: KernelFacts, loads: Iterable[MemoryAccess], stores: Sequence[Write] = ()) -> int:
    """Bytes of the different loads among these, the copies of unrolled loops counted; not of those in which one of
    `stores` stands.
    """
    sizes: dict[object, int] = {}
    for load in loads:
        size = load.type.size if load.type is not None else None
        if size is None or size < WORD:
            continue
        loop = facts.loops[load.loop] if load.loop >= 0 else None
        copies = 1
        for around in reversed(loop.chain() if loop is not None else ()):
            if any(around.loop.span.contains(store.span) and clobbers(facts, store, load) for store in stores):
                break
            if around.unrolled and around.counter is not None and depends_on(load.expr, around.counter):
                copies *= around.trip_count or 1
        sizes[written_alike(load.expr)] = min(size * copies, _MOST_BYTES)
    return sum(sizes.values())
