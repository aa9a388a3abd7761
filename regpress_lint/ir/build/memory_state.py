"""Memory in one symbolic execution: spaces, reads and writes, and possible changes since."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.ir.objects import Access


class MemoryState:
    """Addresses are numbers of values. Epochs count writes and fences: a read holds while none came after it."""

    def __init__(self) -> None:
        self.spaces: dict[int, str] = {}
        self.roots: dict[int, int] = {}  # addresses made from a `__restrict__` argument, and that argument
        self.read_only: set[int] = set()
        self.writes: dict[Access, int] = {}
        self.fences: dict[str, int] = {}
        self.reads: list[dict[object, int]] = [{}]
        self.accesses: dict[int, Access] = {}  # of reads and writes; a read that nothing can change has none
        self.stored: dict[object, int] = {}  # the last write to each place
        self._epoch = 0

    def written(self, access: Access) -> None:
        """Something wrote: what is read there from now on may be new."""
        self._epoch += 1
        self.writes[access] = self._epoch

    def fenced(self, *spaces: str) -> None:
        """Other threads may have written to whole spaces."""
        self._epoch += 1
        self.fences.update(dict.fromkeys(spaces, self._epoch))

    def last_write(self, access: Access) -> int:
        """When something was written by this thread that a read may see; 0 if nothing was."""
        return max((epoch for other, epoch in self.writes.items() if other.meets(access)), default=0)

    def derived(self, pointer: int, made: int) -> None:
        """A pointer was made from another: it points into the same space, through the same argument."""
        if pointer in self.spaces:
            self.spaces.setdefault(made, self.spaces[pointer])
        if pointer in self.roots:
            self.roots.setdefault(made, self.roots[pointer])

    def close(self) -> None:
        """Keep what decides the order of reads and writes."""
        self.reads = [{}]
        self.stored, self.spaces, self.roots, self.read_only = {}, {}, {}, set()
