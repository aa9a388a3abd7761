"""The parts of a machine's state: memory, notes, frames, arrays, loops, and answers about the source."""

from __future__ import annotations

from sys import maxsize
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.interpreter.array_pointers import Pointed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from regpress_lint.core.source import Span
    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.environment import Environment, Number
    from regpress_lint.cpp.syntax_tree import (
        Assign,
        Block,
        Call,
        Expr,
        Function,
        Index,
        LambdaExpr,
        Loop,
        Member,
        Name,
        Stmt,
        Type,
        Update,
        Variable,
    )
    from regpress_lint.model.graph.objects import (
        Access,
        Element,
        ElementNote,
        ElementWrite,
        HandOver,
        Indexed,
        LoopNote,
        Path,
        Placement,
        ReadOnce,
        Value,
    )
    from regpress_lint.model.graph.values import Form, Region, Site
    from regpress_lint.model.interpreter.loop_control import Control, Event
    from regpress_lint.model.interpreter.loop_writes import Writes
    from regpress_lint.model.interpreter.reinterpret import Layout
    from regpress_lint.program.file import File
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.targets.loop_plan import Shape

# What an iteration adds to an index: a counter and what it is multiplied by, by their numbers.
Stride: TypeAlias = "tuple[int, ...]"
# Of a read: its address, its offset, the space, the registers of its value, and the epoch since which it holds.
ReadKey: TypeAlias = "tuple[int, object, str, int, int]"


# Memory in one symbolic execution: spaces, reads and writes, and possible changes since.


class MemoryState:
    """Addresses are numbers of values. Epochs count writes and fences: a read holds while none came after it."""

    def __init__(self) -> None:
        self.spaces: dict[int, str] = {}
        self.roots: dict[int, int] = {}  # addresses made from a `__restrict__` argument, and that argument
        self.read_only: set[int] = set()
        self.writes: dict[Access, int] = {}
        self.fences: dict[str, int] = {}
        self.reads: list[dict[ReadKey, int]] = [{}]
        self.accesses: dict[int, Access] = {}  # of reads and writes; a read that nothing can change has none
        self.loads: dict[int, Access] = {}  # of these the reads
        self.offsets: dict[int, int] = {}  # bytes that a read or write adds to its address, where they are known
        # Bytes of what a read or write takes, where they are fewer than four, and of a vector that is read as a whole.
        self.sizes: dict[int, int] = {}
        self.stored: dict[object, int] = {}  # the last write to each place
        self.elements: dict[Element, int] = {}  # of private arrays in memory, like `writes`; of an array: any of them
        self.moving: dict[Element, int] = {}  # the same at indices known at run time only
        self.arrays: dict[Variable, int] = {}
        self.forgotten: dict[ReadKey, int] = {}  # the last read of each kind in a scope that is left
        self.twins: dict[int, int] = {}  # reads that are equal to such
        self.epoch = 0

    def written(self, access: Access) -> None:
        """Something wrote: what is read there from now on may be new."""
        self.epoch += 1
        self.writes[access] = self.epoch

    def wrote_element(self, element: Element) -> None:
        """The same for a private array in memory."""
        self.epoch += 1
        written = self.elements if element.indices is not None else self.moving
        written[element] = self.arrays[element.array] = self.epoch

    def last_element(self, element: Element) -> int:
        """When an element of a private array was written that a read may see."""
        if element.indices is None:
            return self.arrays.get(element.array, 0)
        moving = (when for written, when in self.moving.items() if written.meets(element))
        return max(self.elements.get(element, 0), max(moving, default=0))

    def leave_scope(self, *, elements: bool) -> None:
        """Reads of a scope are forgotten, except of private arrays in a scope that is always executed."""
        scope = self.reads.pop()
        if elements:
            self.forgotten.update(scope)
        if elements and self.arrays:
            self.reads[-1].update((key, value) for key, value in scope.items() if key[2] == "private")

    def fenced(self, *spaces: str) -> None:
        """Other threads may have written to whole spaces."""
        self.epoch += 1
        self.fences.update(dict.fromkeys(spaces, self.epoch))

    def last_write(self, access: Access) -> int:
        """When something was written by this thread that a read may see; 0 if nothing was."""
        return max((epoch for written, epoch in self.writes.items() if written.meets(access)), default=0)

    def wrote(self, since: int, reads: Collection[Access]) -> bool:
        """True if something was written after an epoch that one of these reads may see."""
        written = [access for access, epoch in self.writes.items() if epoch > since]
        fenced = [space for space, epoch in self.fences.items() if epoch > since]
        return any(read.space in fenced or any(access.meets(read) for access in written) for read in reads)

    def derived(self, pointer: int, derived: int) -> None:
        """A pointer was made from another: it points into the same space, through the same argument."""
        if pointer in self.spaces:
            self.spaces.setdefault(derived, self.spaces[pointer])
        if pointer in self.roots:
            self.roots.setdefault(derived, self.roots[pointer])

    def close(self) -> None:
        """Keep what decides the order of reads and writes."""
        self.reads = [{}]
        self.stored, self.forgotten, self.spaces, self.roots, self.read_only = {}, {}, {}, {}, set()
        self.elements, self.moving, self.arrays, self.loads, self.sizes = {}, {}, {}, {}, {}


class WrittenLaterError(Exception):
    """The innermost loop that stays writes what was read in front of it."""


# Counts and notes of one symbolic execution.


class TooManyOperationsError(Exception):
    """More than `Tally.limit` were executed; with a loop whose copies are certain, more than one around it may have."""


class Tally:
    """Counts of executed operations that did not fold away, and notes for the later passes.

    size: instructions as compilers count them to decide about loops, see `traits.Unrolling`; limit: of it, while it is
    tried whether copies of a loop are few enough; apart: the first value from which operations count in it though there
    are equal ones; touched: of it, accesses to arrays in registers. services: key and bytes of the variadic arguments.
    elements: accesses to private arrays, each time that one is executed. plans: what became of each loop, copy by copy
    of the loops around it. unknowns: what could not be modelled. extents: elements of arrays, by name and place, that
    only the executed call settles. widest_product: registers of a thread in which one `wgmma` adds up, of that which
    has most. handed_over: each `setmaxnreg`. reached, private_writes: expression statements that were executed, and
    expressions that wrote private objects, each with its function. writes: to private arrays, for a compiler with
    arrays that all threads share. exits: loops that stay and may be left inside, and the conditions for that.
    """

    def __init__(self) -> None:
        self.operations = self.size = self.touched = self.unresolved = self.loops_kept = self.widest_product = 0
        self.limit: int | None = None
        self.apart = maxsize
        self.complete = True
        self.plans: list[LoopNote] = []
        self.elements: list[ElementNote] = []
        self.libraries: list[str] = []
        self.services: list[tuple[str, int]] = []
        self.indexed: list[Indexed] = []
        self.picks: list[tuple[Variable, Path]] = []
        self.unknowns: list[Unknown] = []
        self.extents: dict[tuple[str, int], int] = {}
        self.handed_over: list[HandOver] = []
        self.writes: list[ElementWrite] = []
        self.exits: list[tuple[Region, tuple[int, ...]]] = []
        self.reached: dict[tuple[Stmt, Site | None], None] = {}
        self.private_writes: dict[tuple[Expr | Stmt, Site | None], None] = {}

    def check(self) -> None:
        """Raises TooManyOperationsError behind the limit of a trial."""
        if self.limit is not None and self.size > self.limit:
            raise TooManyOperationsError


# What an execution knows: its frames, its variables, and answers about the source.


class Jumps(NamedTuple):
    """States at the `break`s and `continue`s of a loop, at the `break`s of a switch."""

    loop: bool
    breaks: list[dict[Variable, Value]]
    continues: list[dict[Variable, Value]]
    owned: int  # objects with a destructor that there were in front of it


Variables: TypeAlias = "dict[Variable, Value]"


class Left(NamedTuple):
    """Where a path is left: the variables there, and how many loops had stayed until then."""

    state: Variables
    at: int
    loops: int


class Frame:
    """A function that is being executed. dead: nothing behind this point runs; conditions: branches around it.
    reference: it returns one, where an object lies and not what it holds. chooses: it only chooses among values, so
    that no branch of it stays. owned: objects whose destructors are still to run, the newest last. left: the variables
    as early `return`s of a function left them.
    """

    __slots__ = ("chooses", "conditions", "dead", "left", "owned", "reference", "returns")

    def __init__(self, *, reference: bool = False, chooses: bool = False) -> None:
        self.reference = reference
        self.chooses = chooses
        self.returns: list[tuple[int, Value | None, Variables | None]] = []
        self.left: list[tuple[int, dict[Variable, Value]]] = []
        self.conditions: list[int] = []
        self.owned: list[Variable] = []
        self.dead = False


class Elements(NamedTuple):
    """The use of private arrays' elements: an array that nothing reads is dropped.

    last: by array, the execution's own variable that holds what was written last, see `object_writes._remember`. read:
    arrays that are read, reads of what was written last aside. writes: arrays by the values that write an element.
    under: the conditions under which `last` was written. begun: arrays that had values before: a branch that writes
    nothing leaves these.
    """

    last: dict[Variable, Variable | None]
    read: set[Variable]
    writes: dict[int, Variable]
    under: dict[Variable, tuple[int, ...]]
    begun: set[Variable]


class Known:
    """Answers about the source that do not change while it is executed, each asked for once; those that are the same
    in the next execution are in `ReadOnce`.
    """

    def __init__(self) -> None:
        self.aliases: dict[str, str | None] = {}
        self.unions: dict[str, bool] = {}  # classes by name: whether there is a union in them
        self.layouts: dict[tuple[Type, tuple[int, ...]], Layout] = {}  # see `reinterpret.layout_of`
        self.assigned: dict[Loop, dict[Variable, bool]] = {}
        self.writes: dict[Loop, tuple[tuple[Expr | Stmt, Variable], ...]] = {}
        self.written_in: dict[Loop, Writes] = {}
        self.arrays_in: dict[tuple[Loop, Expr | None], tuple[Variable, ...]] = {}
        self.shared_in: dict[Loop, int] = {}
        self.steps_asked: dict[Loop, tuple[Assign | Update, ...]] = {}  # of counters that a loop's test names
        self.lines: dict[tuple[Loop, bool], tuple[Event, ...]] = {}  # see `loop_control`, as the next two
        self.writers: dict[Loop, dict[Variable, list[Expr | Stmt]]] = {}
        self.controls: dict[tuple[Loop, bool], Control] = {}
        self.kept: set[tuple[Loop, Shape]] = set()  # loops of which copies were too large, values before them aside
        self.beyond: set[Loop] = set()  # loops whose copies would be more values than a graph may have
        self.shares: dict[Loop, float] = {}  # of what a compiler allows, copies of loops whose counters bound others
        self.answers: dict[tuple[str, object], bool] = {}
        self.pointers: dict[Function | LambdaExpr | Block, tuple[Variable, ...]] = {}  # that each declares
        self.given: dict[tuple[object, ...], Number | None] = {}
        self.bounded: dict[Loop, dict[Loop, bool]] = {}
        self.operators: dict[Expr, tuple[Function, Call, Expr | None] | None] = {}
        self.carried: dict[tuple[Loop, Site | None], tuple[Variable, ...]] = {}
        # Numbers that are the same in each iteration, see `steady_numbers`.
        self.steady: dict[tuple[Loop, Site | None], frozenset[tuple[Variable, Path]]] = {}
        # Private arrays in memory that a loop writes, as an execution has shown.
        self.rewritten: dict[tuple[Loop, Site | None], frozenset[Variable]] = {}
        self.reads_inside: set[Loop | None] = set()  # loops whose reads stay in them
        self.called_types: dict[tuple[Expr, Expr | None, tuple[tuple[str, int | float], ...]], Type | None] = {}
        # Nodes that an execution makes, each time the same ones for the same code, by what `this` is there.
        self.own_parts: dict[tuple[Expr, Expr], Expr] = {}
        self.own_members: dict[tuple[Expr, Expr], Member] = {}
        self.elements = Elements({}, set(), {}, {}, set())
        self.objects: dict[Variable, Name] = {}  # whose virtual functions are called through a reference
        self.view_elements: dict[tuple[Expr, Expr | None], Index | None] = {}  # see `layer_elements`
        # See `library_calls.named_part`; by the index, which the executed call settles.
        self.named_parts: dict[tuple[Expr, Expr | None, int | str | None], Expr | None] = {}
        self.subscripts: dict[tuple[Expr, Expr | None], Call | Index | None] = {}  # see `member_calls.subscript_of`
        self.applied: dict[tuple[Expr, Expr | None, str], Call | None] = {}  # see `member_calls.called_operator`
        # Calls of functions with constants that are constants, with the form of each, see `inlining`.
        self.worked_out: dict[tuple[Function, tuple[tuple[int | float, Form], ...]], tuple[int | float, Form]] = {}
        # Uses of macros, by body and arguments, and whether an argument may mean a name of the body.
        self.meant: dict[tuple[Expr | Stmt, tuple[Expr, ...]], bool] = {}
        self.scratch: dict[Variable | Expr, Variable] = {}  # arrays in LDS that views of a team's memory are
        self.layer_plans: dict[Call, Any] = {}  # see `layer_calls`
        self.indexing: dict[str, frozenset[str]] = {}  # by class, see `fences`
        self.notes: Any = None  # see `scalar_replacement.notes_of`
        self.beside: Any = None  # see `placement.work_beside`
        self.resolved: Any = None  # see `placement._resolved`


class Watch(NamedTuple):
    """Arrays in registers that one run-time index takes to memory, whatever else the kernel does. until: `work`
    after which it no longer pays to begin again. object: whether such an access also takes an object there. unsized:
    arrays that the executed call gives a size, with the most elements that have registers.
    """

    arrays: frozenset[Variable] = frozenset()
    until: int = 0
    object: Callable[[Indexed], bool] | None = None
    unsized: Mapping[Variable, int] = MappingProxyType({})


class ArrayUse:
    """Where private arrays are, and what became of them: an execution that finds one misplaced begins again, so that
    nothing of it goes back.

    in_memory, filled_by_loops: as the execution before found them. uniform: arrays in registers once for all threads of
    a wave. begun_in_part: arrays in registers that were written at a run-time index before each element had a value.
    writes: how many there were to elements, and last_write: the last one to each array. handed_on: arrays of which more
    may be read and written than `Tally.elements` says. declared_under: the conditions under which each is declared.
    in_vain: arrays and objects with registers here, and none by the compiler. led_out: those that a pointer leads to
    which may lead elsewhere. element: that was read or written last. at: the subscript that was evaluated last. called:
    by name and declaration, the functions around a variable that are not inlined, the outermost first. kept_volatile:
    `volatile` variables that a compiler that drops the word has in memory all the same.
    """

    def __init__(self, placement: Placement, watch: Watch) -> None:
        self.in_memory, self.filled_by_loops = placement
        self.watch = watch
        self.uniform: frozenset[Variable] = frozenset()
        self.begun_in_part: set[Variable] = set()
        self.writes = 0
        self.last_write: dict[Variable, int] = {}
        self.handed_on: set[Variable] = set()
        self.pointed = Pointed()
        self.declared_under: dict[Variable, tuple[int, ...]] = {}
        self.in_vain: set[Variable] = set()
        self.led_out: set[Variable] = set()
        self.element: object = None
        self.at: Span | None = None
        self.called: dict[tuple[str, int], tuple[str, ...]] = {}
        self.kept_volatile: set[Variable] = set()


class LoopState:
    """Loops around, and values that they move on by a constant, with the addresses behind them.

    copied: what loops carry that a compiler copies, and this execution does not. inductions: values by loop and
    operands. strides: the index behind all others of a loop with the same start and stride, see `addresses`.
    again: loops that ptxas may copy again, with a counter of 32 bits and a constant step. around_gone: copies of loops
    that stay, around others that are gone. hoisted: reads in front of loops, with the outermost of these and the one
    that makes them. copying: loops around that copies of their bodies replace. jumps: of the loops and switches around.
    """

    def __init__(self) -> None:
        self.counters: set[int] = set()
        self.copied: set[int] = set()
        self.inductions: dict[tuple[Region, tuple[int | None, ...]], int] = {}
        self.strides: dict[tuple[Region, int, Stride], tuple[int | None, int]] = {}
        self.again: list[Region] = []
        self.around_gone: dict[Loop, int] = {}
        self.hoisted: dict[int, tuple[Region, Region]] = {}
        self.copying: list[Loop] = []
        self.jumps: list[Jumps] = []


class Bindings:
    """What the call that is executed gives to names of its function.

    packs: parameters of executed templates with their elements. deduced: what
    `auto` is of a lambda's parameters. number_packs: template parameters, `I` of `index_sequence<I...>`.
    """

    def __init__(self) -> None:
        self.packs: dict[Variable, tuple[Variable, ...]] = {}
        self.deduced: dict[Variable, Type] = {}
        self.number_packs: dict[str, tuple[int, ...]] = {}


class Inputs(NamedTuple):
    """An execution's input from the kernel.

    file: where macros, types, methods and templates are looked up. environment: constants as the compiler sees them.
    bound_threads: that a block has at most by the kernel's launch bounds. read_once: what executions of the kernel have
    read of its source. callee_of: the definition of a called device function. array_of: a private array as the source
    shows it. thread: `threadIdx.x`, for an execution that follows one thread.
    """

    file: File
    environment: Environment
    bound_threads: int | None
    read_once: ReadOnce
    callee_of: Callable[[Call], Function | None]
    array_of: Callable[[Variable], PrivateArray | None]
    thread: int | None = None


class Home(NamedTuple):
    """Where the code is from: the file of the kernel's function, where that begins, and the byte offset of its end if
    the execution's own file defines it.
    """

    path: str
    span: Span
    end: int | None
