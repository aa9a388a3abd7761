"""Automatic arrays: their size, every access, and which are tables of constants or register tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Call, Constant, Expr, Function, Loop, Type, Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.source.cfg import CallRecord, Flow
    from regpress_lint.source.loop_facts import LoopFacts


Kind = Literal["read", "write", "update", "address"]
# How pointers reach an array (`interpreter/array_pointers.py`): one that a loop moves or exchanges; a library's loop,
# over a known number of bytes or not; one that may point into another array, and that is indexed at run time or not;
# one that may point elsewhere; one that is moved twice; an index that is one constant or another by the path taken;
# a read that another one meets, of something else, where two paths come together. And one in a function that is not
# inlined, and one of which all elements are written before any is picked.
Reach = Literal[
    "moving",
    "walked",
    "by bytes",
    "indexed either",
    "either",
    "elsewhere",
    "offset",
    "joined",
    "met",
    "called",
    "replaced",
]


class Lookups(NamedTuple):
    """Questions about a kernel's functions. loops_of: as the text shows them, or as an execution left them. is_linked:
    whether a name is that of a function of another program unit.
    """

    flow_of: Callable[[Function], Flow]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    environment: Environment
    is_linked: Callable[[str], bool]


class Access(NamedTuple):
    """One access. `dynamic`: some index is no constant after the unrolling that compilers do, as an execution saw it.

    The bare name of the array (passed on, assigned to a pointer) has no indices and kind "address". type: what is
    read or written, None if it is not known. function: where the access stands; calls: those that lead there from the
    kernel. pointer: it is made through a pointer to the array, not by its name. within: a loop that stays one around a
    call of the function, as an execution has seen it.
    """

    span: Span
    indices: tuple[Expr, ...]
    kind: Kind
    loops: tuple[LoopFacts, ...]
    dynamic: bool
    type: Type | None
    function: Function
    calls: tuple[CallRecord, ...] = ()
    pointer: bool = False
    within: Loop | None = None


class Fill(NamedTuple):
    """What an array's elements are set to at indices that are constants: writes of parts, and how many different values
    they write that are no constants.
    """

    writes: int
    values: int


# Elements of arrays by name and declaration, as an execution found them.
Extents: TypeAlias = "Callable[[], Mapping[tuple[str, int], int]]"


def nowhere(_vendor: str) -> Collection[Variable]:
    """No variable, whatever the vendor."""
    return ()


class PrivateArray:
    """An automatic array of a kernel or of a device function that is inlined into it.

    elements: over all dimensions; bytes: of the whole array; where the source does not settle them, an execution that
    begins on first use may, else None.
    escapes: a pointer to it goes where its accesses cannot be seen. handed: one is passed to a known function that is
    not inlined. table: initialised with constants, never written. reached: how pointers reach it, as an execution saw.
    memory: by vendor, the kernel's arrays that stay in memory (`passes.scalar_replacement`). described: its accesses as
    the syntax tree shows them. accesses: as an execution saw them, which begins on first use. fill: how its elements
    are set one by one, None where no execution counted that.
    """

    def __init__(
        self,
        variable: Variable,
        elements: int | None,
        bytes: int | None,
        accesses: tuple[Access, ...],
        function: Function,
        escapes: bool,
        table: bool = False,
        memory: Callable[[str], Collection[Variable]] = nowhere,
        seen: Callable[[], tuple[Access, ...]] | None = None,
        handed: bool = False,
        reached: frozenset[Reach] = frozenset(),
        fill: Fill | None = None,
    ) -> None:
        self.variable = variable
        self._elements = elements
        self._bytes = bytes
        self._extents: Extents | None = None
        self.described = accesses
        self._seen = seen
        self._accesses = accesses if seen is None else None
        self.function = function
        self.escapes = escapes
        self.table = table
        self.memory = memory
        self.handed = handed
        self.reached = reached
        self.fill = fill

    @property
    def elements(self) -> int | None:
        """See the class."""
        self._settle()
        return self._elements

    @property
    def bytes(self) -> int | None:
        """See the class."""
        self._settle()
        return self._bytes

    def _settle(self) -> None:
        if self._extents is None:
            return
        elements, self._extents = self._extents().get((self.variable.name, self.variable.span.start)), None
        if elements is not None:
            self._elements = elements
            self._bytes = None if self.element_bytes is None else elements * self.element_bytes

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
        accesses = (access for access in self.accesses if access.dynamic)
        # Where the element's type is not known, neither is what a pointer of another type reads of it.
        return tuple(access for access in accesses if not (self.presumed and access.pointer))

    @property
    def element_bytes(self) -> int | None:
        """Of an element; a type that no instantiation settles counts as a float, as its values do (`form_of`)."""
        return bytes_of_element(self.variable.type)

    @property
    def presumed(self) -> bool:
        """Whether the bytes are those of a float because the element's type is not known."""
        return self.variable.type.size is None

    def stays_in_registers(self, vendor: str) -> bool:
        """True if that vendor's compiler keeps (or folds) the array in registers; unknown sizes count as kept, and of
        one element the index is known.
        """
        return (self.elements == 1 and not self.escapes) or self.variable not in self.memory(vendor)

    def with_accesses(
        self,
        accesses: tuple[Access, ...],
        *,
        handed: bool,
        reached: frozenset[Reach] = frozenset(),
        fill: Fill | None = None,
    ) -> PrivateArray:
        """The same array with accesses as an execution saw them."""
        args = (self.variable, self.elements, self.bytes, accesses, self.function, self.escapes, self.table)
        return PrivateArray(*args, self.memory, handed=handed, reached=reached, fill=fill)

    def sized(self, extents: Extents) -> PrivateArray:
        """The same array with as many elements as an execution found, where the source alone does not say it."""
        if self.elements is not None:
            return self
        args = (self.variable, None, None, self.described, self.function, self.escapes, self.table, self.memory)
        array = PrivateArray(*args, self._seen, self.handed)
        array._extents = extents
        return array

    def executed(
        self, seen: Callable[[], tuple[Access, ...]], memory: Callable[[str], Collection[Variable]]
    ) -> PrivateArray:
        """The same array with a callback that executes the kernel when its accesses, or those in memory, are needed."""
        args = (self.variable, self._elements, self._bytes, self.described, self.function, self.escapes, self.table)
        array = PrivateArray(*args, memory, seen, self.handed)
        array._extents = self._extents
        return array


def bytes_of_element(type_: Type) -> int | None:
    if type_.size is None and not (type_.struct or type_.pointers or type_.reference):
        return _FLOAT_BYTES
    return type_.size


def _is_literal(access: Access) -> bool:
    return all(isinstance(index, Constant) for index in access.indices)


# Find the automatic arrays of a kernel and of the functions inlined into it, and every access to them.


_FLOAT_BYTES = 4
