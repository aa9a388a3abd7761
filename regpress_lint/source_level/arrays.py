"""Automatic arrays: their size, every access, and which indices are no compile-time constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Constant, Expr, Function, Type, Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from regpress_lint.core.source import Span
    from regpress_lint.source_level.loop_facts import LoopFacts


Kind = Literal["read", "write", "update", "address"]
AMD_VECTOR_ELEMENTS = 16  # clang 19 turns arrays up to here into vector registers
AMD_LDS_BYTES = 32  # other arrays up to here are moved to LDS on gfx9


class Access(NamedTuple):
    """One access. `dynamic`: some index is no constant after the unrolling that compilers do.

    The bare name of the array (passed on, assigned to a pointer) has no indices and kind "address". type: what is
    read or written, None if it is not known. function: where the access stands; static: the variables that are
    constants there, as a set of its flow's. pointer: it is made through a pointer to the array, not by its name.
    """

    span: Span
    indices: tuple[Expr, ...]
    kind: Kind
    loops: tuple[LoopFacts, ...]
    dynamic: bool
    type: Type | None
    function: Function
    static: int
    pointer: bool = False


def _nowhere(_vendor: str) -> Collection[Variable]:
    return ()


class PrivateArray:
    """An automatic array of a kernel or of a device function that is inlined into it.

    elements: over all dimensions; bytes: of the whole array; None where the source does not settle them.
    escapes: a pointer to it goes where its accesses cannot be seen. handed: one is passed to a known function that is
    not inlined. table: initialised with constants, never written.
    memory: by vendor, the kernel's arrays that stay in memory (`passes.scalar_replacement`). described: its accesses as
    the syntax tree shows them. accesses: as an execution saw them, which begins on first use.
    """

    __slots__ = (
        "_accesses",
        "_seen",
        "bytes",
        "described",
        "elements",
        "escapes",
        "function",
        "handed",
        "memory",
        "table",
        "variable",
    )

    def __init__(
        self,
        variable: Variable,
        elements: int | None,
        bytes: int | None,
        accesses: tuple[Access, ...],
        function: Function,
        escapes: bool,
        table: bool = False,
        memory: Callable[[str], Collection[Variable]] = _nowhere,
        seen: Callable[[], tuple[Access, ...]] | None = None,
        handed: bool = False,
    ) -> None:
        self.variable = variable
        self.elements = elements
        self.bytes = bytes
        self.described = accesses
        self._seen = seen
        self._accesses = accesses if seen is None else None
        self.function = function
        self.escapes = escapes
        self.table = table
        self.memory = memory
        self.handed = handed

    @property
    def accesses(self) -> tuple[Access, ...]:
        """See the class."""
        if self._accesses is None:
            assert self._seen is not None
            self._accesses = self._seen()
        return self._accesses

    @property
    def dynamic(self) -> tuple[Access, ...]:
        """Accesses at an index that is known only at run time."""
        if self._seen is not None and all(map(_is_literal, self.described)):
            return ()
        return tuple(access for access in self.accesses if access.dynamic)

    @property
    def element_bytes(self) -> int | None:
        """Bytes of one element."""
        return self.variable.type.size

    def stays_in_registers(self, vendor: str) -> bool:
        """True if that vendor's compiler keeps (or folds) the array in registers; unknown sizes count as kept, and of
        one element the index is known.
        """
        return (self.elements == 1 and not self.escapes) or self.variable not in self.memory(vendor)

    def with_accesses(self, accesses: tuple[Access, ...], *, handed: bool) -> PrivateArray:
        """The same array with accesses as an execution saw them."""
        args = (self.variable, self.elements, self.bytes, accesses, self.function, self.escapes, self.table)
        return PrivateArray(*args, self.memory, handed=handed)

    def sized(self, extents: Mapping[tuple[str, int], int]) -> PrivateArray:
        """The same array with as many elements as an execution found, where the source alone does not say it."""
        found = extents.get((self.variable.name, self.variable.span.start)) if self.elements is None else None
        if found is None:
            return self
        size = None if self.element_bytes is None else found * self.element_bytes
        args = (self.variable, found, size, self.described, self.function, self.escapes, self.table, self.memory)
        return PrivateArray(*args, self._seen, self.handed)

    def executed(
        self, seen: Callable[[], tuple[Access, ...]], memory: Callable[[str], Collection[Variable]]
    ) -> PrivateArray:
        """The same array with a callback that executes the kernel when its accesses, or those in memory, are needed."""
        args = (self.variable, self.elements, self.bytes, self.described, self.function, self.escapes, self.table)
        return PrivateArray(*args, memory, seen, self.handed)


def _is_literal(access: Access) -> bool:
    return all(isinstance(index, Constant) for index in access.indices)
