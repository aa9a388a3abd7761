"""The type of a variable or expression, as far as the source shows it."""

from __future__ import annotations

from math import prod

from regpress_lint.core.named import NamedTuple


class Type(NamedTuple):
    """Type of a variable or expression as far as the source shows it.

    `size` is the bytes of ONE element (arrays keep their extents in `Variable.dims`); a pointer or reference to
    memory has `pointers >= 1` and `size` 8, `pointee_size` is then the size of the object it points to. None = unknown.
    `decayed` marks an array member of a struct: its name is an address, and no pointer is read for it.
    `lanes` is 2..16 for vector types (float4, sycl::vec<float, 4>), else 1. `pointee_const` and
    `pointee_volatile` qualify what a pointer points to. `extents` are those of a name for an array
    (`typedef float row[8]`): what is declared with it has them in its `Variable.dims`.
    """

    name: str
    size: int | None = None
    pointers: int = 0
    pointee_size: int | None = None
    reference: bool = False
    const: bool = False
    volatile: bool = False
    pointee_volatile: bool = False
    pointee_const: bool = False
    restrict: bool = False
    lanes: int = 1
    struct: bool = False
    floating: bool = False
    signed: bool = True
    decayed: bool = False
    extents: tuple[int, ...] = ()

    @property
    def bytes(self) -> int | None:
        """The result of `sizeof`."""
        return self.size if not self.extents or self.size is None else self.size * prod(self.extents)

    @property
    def double(self) -> bool:
        """True for a 64-bit floating scalar."""
        return self.floating and self.size == 8 and self.lanes == 1 and not self.pointers

    @property
    def registers(self) -> int | None:
        """32-bit registers per thread that one value takes; 8- and 16-bit values take a whole one."""
        size = self.size
        return None if size is None else (size + 3) // 4 or 1
