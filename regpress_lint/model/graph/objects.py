"""Private objects of an execution, notes on its loops, and answers about the source that serve every execution."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import (
        Call,
        Declare,
        Expr,
        Function,
        Index,
        LambdaExpr,
        Loop,
        Name,
        Stmt,
        Type,
        Variable,
    )
    from regpress_lint.model.graph.values import Region, Site
    from regpress_lint.targets.loop_plan import Plan


# Values of expressions other than one number: vectors, structs, places in private objects and in memory.


_MOST_DIMENSIONS = 16


class Dynamic(NamedTuple):
    """An index that is known only at run time: the value that gives it."""

    value: int


Key: TypeAlias = "str | int | Dynamic"
Path: TypeAlias = "tuple[Key, ...]"


def is_dynamic(path: Path) -> bool:
    """True if a part of an object is known only at run time."""
    dynamic = False
    for key in path:  # most paths have one step, and a run asks for millions
        if key.__class__ is Dynamic:
            dynamic = True
    return dynamic


class Placement(NamedTuple):
    """Where private arrays are, as an execution begins. memory: those that have no registers. filled: of the others
    those that a loop fills at run-time indices, `stack[top++] = x`: each write is one to all of its registers, so that
    from the first one on they are alive, with a value of their own or not.
    """

    memory: frozenset[Variable] = frozenset()
    filled: frozenset[Variable] = frozenset()


# A byte offset as far as it is known, else the fields and offsets on the way: equal offsets are equal addresses.
Offset: TypeAlias = "int | tuple[object, ...]"

LANES = {name: lane for lane, name in enumerate("xyzw")} | {f"s{digit:x}": digit for digit in range(16)}
LANES |= {"r": 0, "g": 1, "b": 2, "a": 3, "re": 0, "im": 1}


class Element(NamedTuple):
    """A private array, and the indices of one of its elements; None where one is known only when the program runs.
    reach: what each may then be; () where it may be any.
    """

    array: Variable
    indices: Path | None
    reach: tuple[range | Key, ...] = ()

    def meets(self, other: Element) -> bool:
        """True if both may be the same element."""
        if self.array is not other.array:
            return False
        if self.indices is None:
            return other.indices is None or other.indices in self
        return self.indices in other if other.indices is None else self.indices == other.indices

    def __contains__(self, indices: object) -> bool:
        """Whether an index known at run time may be some constant ones."""
        if not self.reach or not isinstance(indices, tuple):
            return True
        pairs = zip(indices, self.reach, strict=True)
        return all(one in within if isinstance(within, range) else one == within for one, within in pairs)


class Gone(NamedTuple):
    """One of two paths that meet was left before the other was executed, by a `break` or a `return`. second: which. at:
    where (`Machine.leave`), None if that is not known.
    """

    second: bool
    at: int | None = None


class Join(NamedTuple):
    """Where the two sides of a branch meet. values: those before it. then, other: the blocks in which its sides end."""

    values: int
    then: int
    other: int


class Memory:
    """An object in memory. space: "global", "shared", "private" (scratch) or "constant" (nothing writes it).

    root: the `__restrict__` argument that the address is made from: only writes through it reach the object. element:
    of a private array that is in memory, and which of its elements.
    """

    __slots__ = ("address", "element", "offset", "root", "space", "type")

    def __init__(
        self,
        address: int,
        offset: Offset,
        space: str,
        type: Type | None = None,
        root: int | None = None,
        element: Element | None = None,
    ) -> None:
        self.address = address
        self.offset = offset
        self.space = space
        self.type = type
        self.root = root
        self.element = element

    def inside(self, more: object, type_: Type | None = None) -> Memory:
        """A part of the object, at an offset or field in it."""
        return Memory(self.address, joined(self.offset, more), self.space, type_, self.root)


class Access(NamedTuple):
    """The properties that decide whether a write may change the result of a read: address space, `__restrict__` root,
    class of type; of a private array which element it is.

    type_class: "i4", "f8", "pointer", or "any" (characters, structs): C++ lets no other class alias.
    """

    space: str
    root: int | None
    type_class: str
    element: Element | None = None

    def meets(self, other: Access) -> bool:
        """True if both may touch the same bytes."""
        if self.space != other.space or self.root != other.root:
            return False
        if self.element is not None and other.element is not None:
            return self.element.meets(other.element)
        return self.type_class == other.type_class or "any" in (self.type_class, other.type_class)


def type_class(type_: Type | None) -> str:
    if type_ is None or type_.struct or type_.lanes > 1 or not type_.size or type_.size == 1:
        return "pointer" if type_ is not None and type_.pointers else "any"
    return "pointer" if type_.pointers else ("f" if type_.floating else "i") + str(type_.size)


class Place:
    """A private object, or a part of one; also the value of a pointer to it."""

    __slots__ = ("path", "variable")

    def __init__(self, variable: Variable, path: Path = ()) -> None:
        self.variable = variable
        self.path = path

    def inside(self, key: Key) -> Place:
        """A part of the object."""
        return Place(self.variable, (*self.path, key))


class View(Place):
    """A pointer into a private object as a pointer to another type: to the bytes at `offset` from the start of the
    variable. steps: an index of the pointer and the members named in the object that it then points to.
    """

    __slots__ = ("offset", "steps", "type")

    def __init__(self, variable: Variable, path: Path, type: Type, offset: int, steps: Path) -> None:
        super().__init__(variable, path)
        self.type = type
        self.offset = offset
        self.steps = steps

    def inside(self, key: Key) -> View:
        """A part of the object, or another element."""
        return View(self.variable, self.path, self.type, self.offset, (*self.steps, key))

    def moved(self, elements: int) -> View:
        """The pointer some elements on."""
        return View(self.variable, self.path, self.type, self.offset + elements * (self.type.size or 0), self.steps)


class Either(Place):
    """One of two private objects, which one is known when the program runs; `variable` and `path` are the first's."""

    __slots__ = ("condition", "other", "then")

    def __init__(self, condition: int, then: Place, other: Place) -> None:
        super().__init__(then.variable, then.path)
        self.condition = condition
        self.then = then
        self.other = other

    def inside(self, key: Key) -> Either:
        """A part of either."""
        return Either(self.condition, self.then.inside(key), self.other.inside(key))


class Indexed(NamedTuple):
    """An access at an index known at run time to a private object that is no array of `PrivateArray`'s.

    bytes: of the whole object. path: where in it, run-time indices as "*". type: of the element. loops: around it,
    that stay loops. element_bytes: of an element, where the object is nothing but one array of numbers; else None.
    words: the object is nothing but numbers of 32 bits. times: how often it was executed, copies of loops included.
    copied: a parameter by value, of a function that is inlined, whose argument is a private object. beside:
    bytes of another object that it may mean, whose frame is the same. elsewhere: its address is one of two, and the
    other is none of the thread's own objects.
    """

    variable: Variable
    bytes: int | None
    path: tuple[str | int, ...]
    type: Type | None
    write: bool
    loops: int
    element_bytes: int | None = None
    words: bool = True
    times: int = 1
    copied: bool = False
    beside: int = 0
    elsewhere: bool = False


class ElementNote(NamedTuple):
    """An access to an element of a private array, as it was executed. at: its subscript in the source. dynamic: the
    index is known at run time only. path: which element, and which part of it. pointer: a pointer to it was made, and
    nothing read or written. within: the innermost loop around it that stays one, also around a call of its function, or
    the kernel's body. block: the basic block in which it stands, 0 in front of all branches and loops.
    """

    variable: Variable
    at: Span
    dynamic: bool
    path: Path
    pointer: bool = False
    within: Region | None = None
    block: int = 0


class ElementWrite(NamedTuple):
    """A write to a private array. values: what is written, the indices known at run time only, and the conditions under
    which the array is there and this is executed. region: where it stands. moving: there are such indices. written: how
    many of the values are what is written.
    """

    variable: Variable
    values: tuple[int, ...]
    region: Region
    moving: bool
    written: int


class Closure:
    """A lambda, or a function by its name, that is called later; `late` if it may be another one as well."""

    __slots__ = ("expression", "late")

    def __init__(self, expression: LambdaExpr | Name, *, late: bool = False) -> None:
        self.expression = expression
        self.late = late


class Parts:
    """A private struct or array, part by part.

    parts: values by path. origin: where a part is read that was not written yet: memory that the whole was copied
    from, the variable of an argument, or None (undefined). owner: the branch that may change this object in place.
    """

    __slots__ = ("origin", "owner", "parts")

    def __init__(
        self, origin: Memory | Variable | None = None, parts: dict[Path, Value] | None = None, owner: object = None
    ) -> None:
        self.origin = origin
        self.parts: dict[Path, Value] = parts if parts is not None else {}
        self.owner = owner

    def copy(self, owner: object = None) -> Parts:
        """The same parts, for another owner."""
        return Parts(self.origin, dict(self.parts), owner)


Value: TypeAlias = "int | tuple[int, ...] | Parts | Place | Memory | Closure"


def joined(offset: Offset, more: object) -> Offset:
    """An offset inside of an offset."""
    if isinstance(offset, int) and isinstance(more, int):
        return offset + more
    return (offset, more) if offset else (more,)


def lane_of(key: Key) -> int | None:
    """Number of a vector's component."""
    return LANES.get(key) if isinstance(key, str) else key if isinstance(key, int) else None


def same_path(first: Path, second: Path) -> bool:
    """Whether two paths mean one place: a lane of a vector has a name and a number."""
    if first == second or len(first) != len(second) or first[:-1] != second[:-1]:
        return first == second
    return lane_of(first[-1]) == lane_of(second[-1]) is not None


def flat(value: Value) -> list[int]:
    """All single values in a value."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, Parts):
        return [number for part in value.parts.values() for number in flat(part)]
    return list(value) if isinstance(value, tuple) else []


def index_paths(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Indices of the elements of an array, the last one fastest; each is created on use, so that the size costs
    nothing. None of an array with more dimensions than anybody writes.
    """
    if len(sizes) > _MOST_DIMENSIONS:
        return
    for number in range(prod(sizes)):
        indices = []
        for size in reversed(sizes):
            number, index = divmod(number, size)
            indices.append(index)
        yield tuple(reversed(indices))


# The outcome of a loop in an execution.


class HandOver(NamedTuple):
    """A `setmaxnreg` that was executed. at: where the kernel's own body runs it. certain: its number is known, and no
    branch around it is open.
    """

    registers: int
    at: Span
    certain: bool


class LoopNote(NamedTuple):
    """The outcome of a loop. inside: the functions that were entered on the way to it. counted: as in `Shape`."""

    loop: Loop
    inside: tuple[Function | LambdaExpr, ...]
    trips: int | None
    plan: Plan
    counted: int | None = None


# Answers about a kernel's source that are the same in each of its executions, for whichever compiler.


class Inside(NamedTuple):
    """The nodes of a loop and the functions that it calls that queries need: few of all, in the order of a walk.

    changing: nodes that may write a variable, calls included. loops: including the loop itself.
    """

    changing: tuple[Expr | Stmt, ...]
    calls: tuple[Call, ...]
    indexes: tuple[Index, ...]
    declares: tuple[Declare, ...]
    loops: tuple[Loop, ...]


class ReadOnce:
    """Properties that the executions of one kernel have read.

    types: of expressions, as the known declarations give them. inside: of loops. changing: what may write a variable in
    a piece of code, without the functions that it calls.
    left: whether a loop has another exit than its test.
    branches: how many in a loop its counter decides about.
    operators: whether a known class may define one, by its spelling. ranges: loops over arrays that only the
    execution knows, as counted ones. numbers: whole numbers of expressions, as the file and its constants give them.
    extents: of arrays, likewise.
    written: private arrays of which a loop writes elements, as an execution has shown, also in functions.
    ends: classes by name, and whether the end of an object runs a destructor. plain: operations on numbers, which no
    class defines.
    """

    __slots__ = (
        "branches",
        "changing",
        "ends",
        "extents",
        "inside",
        "left",
        "numbers",
        "operators",
        "plain",
        "ranges",
        "types",
        "written",
    )

    def __init__(self) -> None:
        self.types: dict[Expr, Type | None] = {}
        self.inside: dict[Loop, Inside] = {}
        self.changing: dict[Expr | Stmt, tuple[Expr | Stmt, ...]] = {}
        self.left: dict[Loop, bool] = {}
        self.branches: dict[Loop, int] = {}
        self.operators: dict[str, bool] = {}
        self.plain: set[Expr] = set()
        self.ends: dict[str, bool] = {}
        self.ranges: dict[tuple[Loop, Expr | None, tuple[int, ...]], Loop | None] = {}
        self.numbers: dict[Expr, int | None] = {}
        self.extents: dict[Variable, tuple[int, ...]] = {}
        self.written: dict[tuple[Loop, Site | None], frozenset[Variable]] = {}
