"""Which writes of a block the reads behind them must wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.model.graph.objects import Access
    from regpress_lint.model.interpreter.machine import Machine

_WORD = 4
_NONE = -1  # no write
_SHARED = ("global", "shared")  # memory that other threads see


class Writes:
    """The last writes of a block so far, of each kind. moving: those to arrays at indices known at run time only."""

    __slots__ = ("_apart", "_last", "_machine", "_moving", "_order")

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._last: dict[Access, int] = {}
        self._moving: dict[Access, int] = {}
        self._apart: dict[Access, _Apart] = {}
        self._order = {_NONE: -1}

    def add(self, write: int, access: Access) -> None:
        """A write behind all others."""
        offset = self._machine.memory.offsets.get(write)
        self._last[access] = write
        self._order[write] = len(self._order)
        if access.space not in _SHARED or offset is None:
            self._apart.pop(access, None)
        else:
            args = self._machine.graph.args[write]
            size = self._size(write, args[-1])
            self._apart.setdefault(access, _Apart(size)).add(args[0], offset, size, write)
        if access.element is not None and access.element.indices is None:
            self._moving[access] = write

    def before(self, read: int, access: Access | None) -> tuple[int, int]:
        """The last write that a read must not pass by its kind, and by its address too; -1 for none."""
        writes = _met(self._last, self._moving, access)
        by_kind = max(writes, key=self._order.__getitem__, default=_NONE)
        offset = self._machine.memory.offsets.get(read)
        if access is None or access not in self._apart or offset is None:
            return by_kind, by_kind
        others = [write for write in writes if write != self._last[access]]
        address, size = self._machine.graph.args[read][0], self._size(read, read)
        others += self._apart[access].before(address, offset, size)
        return by_kind, max(others, key=self._order.__getitem__, default=_NONE)

    def _size(self, number: int, value: int) -> int:
        """Bytes of a read or write of a value."""
        return self._machine.memory.sizes.get(number) or _WORD * max(self._machine.graph.widths[value], 1)


def settled(reads: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Reads and the writes that they wait for, of reads with both answers of `Writes.before`. Schedulers move reads up
    where that ends the waiting; not in `a[t + i] += b[i]`, where each read of `b` waits for a write to `a` anyway.
    """
    by_kind, by_address = ({read[way] for read in reads} - {_NONE} for way in (1, 2))
    way = 2 if 2 * len(by_address) <= len(by_kind) else 1
    return ((read[0], read[way]) for read in reads)


def _met(last: Mapping[Access, int], moving: Mapping[Access, int], access: Access | None) -> list[int]:
    """Of the last writes of each kind those that may change what a read gives. moving: those to arrays at indices known
    at run time only.
    """
    if access is None:
        return []
    element = access.element
    if element is not None and element.indices is not None:  # there may be as many of them as elements
        same = [last[access]] if access in last else []
        return same + [write for earlier, write in moving.items() if earlier.meets(access)]
    return [write for earlier, write in last.items() if earlier.meets(access)]


class _Apart:
    """The last writes of one kind to memory, by the address that their instructions add a constant to: what is a few
    elements on from the same address is another element (`a[8 * t + 1] *= 2` and `a[8 * t + 2]`). latest: of all;
    other: of those from another address than the latest. size: bytes of each, 0 where they differ.
    """

    __slots__ = ("address", "latest", "other", "size", "written")

    def __init__(self, size: int) -> None:
        self.address = self.latest = self.other = -1
        self.size = size
        self.written: dict[tuple[int, int], int] = {}

    def add(self, address: int, offset: int, size: int, write: int) -> None:
        """A write after all others."""
        if address != self.address:
            self.address, self.other = address, self.latest
        self.size = size if size == self.size and not offset % size else 0
        self.latest = self.written[address, offset] = write

    def before(self, address: int, offset: int, size: int) -> tuple[int, ...]:
        """The writes that a read must not pass."""
        if address != self.address or size != self.size or offset % size:
            return (self.latest,)
        return self.other, self.written.get((address, offset), -1)
