"""The parts of a machine's state, and how those that a trial changes are taken back."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.values import forget

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.syntax_tree import Call, Expr, Function, Index, Loop, Member, Name, Stmt, Type, Variable
    from regpress_lint.model.graph.objects import (
        Access,
        Element,
        ElementNote,
        ElementWrite,
        HandOver,
        Indexed,
        LoopNote,
        Path,
        Value,
    )
    from regpress_lint.model.graph.values import Form, Region, Site
    from regpress_lint.model.interpreter.loop_control import Control
    from regpress_lint.model.interpreter.loop_text import Writes
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.targets.loop_plan import Shape


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
        self.narrow: dict[int, int] = {}  # bytes of what a read or write takes, where they are fewer than four
        self.stored: dict[object, int] = {}  # the last write to each place
        self.elements: dict[Element, int] = {}  # of private arrays in memory, like `writes`; of an array: any of them
        self.moving: dict[Element, int] = {}  # the same at indices known at run time only
        self.arrays: dict[Variable, int] = {}
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
        moving = (when for other, when in self.moving.items() if other.meets(element))
        return max(self.elements.get(element, 0), max(moving, default=0))

    def leave_scope(self, *, elements: bool) -> None:
        """What was read in a scope is forgotten, but for elements of private arrays in one that is always executed."""
        left = self.reads.pop()
        if elements and self.arrays:
            self.reads[-1].update((key, value) for key, value in left.items() if key[2] == "private")

    def fenced(self, *spaces: str) -> None:
        """Other threads may have written to whole spaces."""
        self.epoch += 1
        self.fences.update(dict.fromkeys(spaces, self.epoch))

    def last_write(self, access: Access) -> int:
        """When something was written by this thread that a read may see; 0 if nothing was."""
        return max((epoch for other, epoch in self.writes.items() if other.meets(access)), default=0)

    def wrote(self, since: int, reads: Collection[Access]) -> bool:
        """True if something was written after an epoch that one of these reads may see."""
        written = [access for access, epoch in self.writes.items() if epoch > since]
        fenced = [space for space, epoch in self.fences.items() if epoch > since]
        return any(read.space in fenced or any(access.meets(read) for access in written) for read in reads)

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
        self.elements, self.moving, self.arrays, self.loads, self.narrow = {}, {}, {}, {}, {}


class WrittenLaterError(Exception):
    """The innermost loop that stays writes what was read in front of it."""


# Counts and notes of one symbolic execution.


class TooManyOperationsError(Exception):
    """More than `Tally.limit` were executed."""


class Tally:
    """Counts of executed operations that did not fold away, and notes for the later passes.

    size: instructions as compilers count them to decide about loops, see `traits.Unrolling`; limit: of it, while it is
    tried whether copies of a loop are few enough; touched: of it, accesses to arrays in registers. services: key and
    variadic arguments. elements: accesses to private arrays, each time that one is executed. plans: what became of
    each loop, copy by copy of the loops around it. unknowns: what could not be modelled. extents: elements of arrays,
    by name and place, that only the executed call settles. widest_product: registers of a thread in which one `wgmma`
    adds up, of that which has most. handed_over: each `setmaxnreg`. writes: to private arrays, for a compiler that asks
    whether all threads write the same. exits: loops that stay and may be left inside, and the conditions for that.
    """

    def __init__(self) -> None:
        self.operations = self.size = self.touched = self.unresolved = self.loops_kept = self.widest_product = 0
        self.limit: int | None = None
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

    def check(self) -> None:
        """Raises TooManyOperationsError behind the limit of a trial."""
        if self.limit is not None and self.size > self.limit:
            raise TooManyOperationsError


# Undo in an execution: the one place that says how each part of its state goes back to a mark.
#
# A loop is executed to see whether copies of its body may replace it, and then in another way. Each field of the state
# is named here once, by how it goes back; a test compares with the classes, so that a new one cannot be forgotten.


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
        self.assigned: dict[Loop, dict[Variable, bool]] = {}
        self.writes: dict[Loop, tuple[tuple[Expr | Stmt, Variable], ...]] = {}
        self.written_in: dict[Loop, Writes] = {}
        self.arrays_in: dict[tuple[Loop, Expr | None], tuple[Variable, ...]] = {}
        self.shared_in: dict[Loop, int] = {}
        self.controls: dict[tuple[Loop, bool], Control] = {}
        self.kept: set[tuple[Loop, Shape]] = set()  # loops of which copies were too large, values before them aside
        self.answers: dict[tuple[str, object], bool] = {}
        self.bounded: dict[Loop, dict[Loop, bool]] = {}
        self.operators: dict[Expr, tuple[Function, Call, Expr | None] | None] = {}
        self.carried: dict[tuple[Loop, Site | None], tuple[Variable, ...]] = {}
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
        self.named_parts: dict[tuple[Expr, Expr | None, int | None], Expr | None] = {}
        self.subscripts: dict[tuple[Expr, Expr | None], Call | None] = {}  # see `member_calls.subscript_of`
        self.applied: dict[tuple[Expr, Expr | None, str], Call | None] = {}  # see `member_calls.called_operator`
        # Calls of functions with constants that are constants, with the form of each, see `inlining`.
        self.worked_out: dict[tuple[Function, tuple[tuple[int | float, Form], ...]], tuple[int | float, Form]] = {}
        self.scratch: dict[Variable | Expr, Variable] = {}  # arrays in LDS that views of a team's memory are
        self.layer_plans: dict[Call, Any] = {}  # see `layer_calls`
        self.notes: Any = None  # see `scalar_replacement.notes_of`
        self.beside: Any = None  # see `trace._beside`
        self.resolved: Any = None  # see `trace._resolved`


class Fields(NamedTuple):
    """Fields of one part of the state, by how they go back.

    restored: to the object that they held. copied: tables, to their former content. cut: lists, to the length that they
    had. popped: tables that only grow, likewise. keyed: tables by numbers of values; those made since are dropped.
    newest: tables that hold numbers of values, newest last. holding: others that hold such. scopes: lists of such, cut
    as well. among: sets of numbers of values. counted: tables that hold how many values there were, newest last.
    kept: fields that do not go back, because they do not depend on the execution, or must outlast a trial.
    """

    restored: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    popped: tuple[str, ...] = ()
    keyed: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


MACHINE = Fields(
    restored=(
        *(
            "region",
            "frame",
            "names",
            "constants",
            "this",
            "expanding",
            "in_lanes",
            "guards",
            "under",
            "placed",
        ),  # where the execution is
        *("block", "last_condition", "carry", "packs", "number_packs", "deduced"),
    ),
    cut=("active", "again", "copying", "jumps"),
    popped=("hoisted", "left_at", "reached", "private_writes", "strides"),
    keyed=("block_of", "joins", "routines"),
    holding=("begun", "inductions"),
    among=("counters", "copied"),
    kept=(
        *("graph", "memory", "tally"),  # parts of their own
        *("variables", "owner", "filled"),  # see `rewind`
        *"""
            in_memory _watch filled_by_loops uniform inputs file read_once converts compiler vendor home start end
            undefined top
        """.split(),
        *("_evaluate", "_execute", "_called"),
        # Answers about the source, whoever asks.
        *("known", "site_of", "references", "league"),
        # New numbers, and bounds on what is executed at all.
        *("_blocks", "_steps", "_most_steps", "_in_vain", "evaluated", "spent"),
        # A trial may say too much: more accesses than there are, never fewer.
        *("handed_on", "begun_in_part", "element_writes", "last_write", "pointed", "around_gone", "_element", "at"),
        "declared_under",
    ),
)
GRAPH = Fields(
    restored=("at", "site"),
    cut=(*("ops", "args", "forms", "widths", "kinds", "constants", "homes", "extra", "divergent", "nodes", "sites"),),
    keyed=("holders", "lefts", "limits", "sources", "vectors"),
    newest=("_known", "_constants", "twins", "_remade"),
    among=("_old_sums",),
    counted=("combined",),
    kept=("chained", "remade"),  # found when the execution has ended
)
TALLY = Fields(
    restored=("operations", "size", "touched", "unresolved", "loops_kept", "widest_product"),
    cut=(
        *("plans", "elements", "libraries", "services", "indexed", "picks", "unknowns", "handed_over"),
        *("writes", "exits"),
    ),
    kept=("limit", "complete", "extents"),
)
MEMORY = Fields(
    copied=("writes", "fences", "elements", "moving", "arrays"),
    keyed=("accesses", "loads", "offsets", "narrow", "spaces", "roots"),
    holding=("stored",),
    scopes=("reads",),
    among=("read_only",),
    kept=("epoch",),
)
FRAME = Fields(restored=("dead",), cut=("returns", "left", "conditions", "owned"), kept=("reference", "chooses"))
REGION = Fields(
    cut=("items",),
    newest=("ahead",),
    kept=("begun", "checked", "copies", "depth", "epoch", "guards", "node", "parent", "scope", "trials"),
)


# The parts of the state from a machine on, the one that names others first. A run makes many marks, so that the fields
# of all parts are read and written at once.
_PARTS = {"": MACHINE, "graph.": GRAPH, "tally.": TALLY, "memory.": MEMORY, "frame.": FRAME, "region.": REGION}


class _Named:
    """Fields of one sort in all parts: the part of each, by its place in `_PARTS`, and its name; what they hold now."""

    __slots__ = ("each", "held")

    def __init__(self, *sorts: str) -> None:
        found = [
            (number, prefix, name)
            for sort in sorts
            for number, (prefix, fields) in enumerate(_PARTS.items())
            for name in getattr(fields, sort)
        ]
        self.each = tuple((number, name) for number, _, name in found)
        self.held: Callable[[Machine], tuple[Any, ...]] = attrgetter(*(f"{prefix}{name}" for _, prefix, name in found))


_RESTORED, _COPIED, _CUT, _POPPED = _Named("restored"), _Named("copied"), _Named("cut", "scopes"), _Named("popped")


class Mark(NamedTuple):
    """State to return to. values: how many there were. filled: entries of `Machine.filled`. parts: of the state.
    restored, copied: what they held; cut, popped: lengths of what only grows.
    """

    values: int
    variables: dict[Variable, Value]
    filled: int
    parts: tuple[Any, ...]
    restored: tuple[Any, ...]
    copied: tuple[dict[Any, Any], ...]
    cut: tuple[int, ...]
    popped: tuple[int, ...]


def mark(machine: Machine) -> Mark:
    """The state now, for `rewind`."""
    parts = (machine, machine.graph, machine.tally, machine.memory, machine.frame, machine.region)
    copied = tuple(map(dict, _COPIED.held(machine)))
    cut, popped = tuple(map(len, _CUT.held(machine))), tuple(map(len, _POPPED.held(machine)))
    variables = machine.fork()
    return Mark(
        len(machine.graph.ops), variables, len(machine.filled), parts, _RESTORED.held(machine), copied, cut, popped
    )


def rewind(machine: Machine, to: Mark) -> None:
    """As if nothing had been executed since the mark."""
    end, parts = len(machine.graph.ops), to.parts
    for named, held in ((_RESTORED, to.restored), (_COPIED, to.copied)):
        for (number, name), value in zip(named.each, held, strict=True):
            setattr(parts[number], name, value)
    for grown, length in zip(_CUT.held(machine), to.cut, strict=True):
        if len(grown) > length:
            del grown[length:]
    for table, length in zip(_POPPED.held(machine), to.popped, strict=True):
        while len(table) > length:
            table.popitem()
    if end > to.values:
        for part, fields in zip(parts, _PARTS.values(), strict=True):
            _forget_values(part, fields, to.values, end)
    while len(machine.filled) > to.filled:
        written, path = machine.filled.pop()
        written.pop(path, None)
    machine.variables = to.variables
    machine.own()
    _drop_hoisted(machine, to.values)


def _drop_hoisted(machine: Machine, values: int) -> None:
    """Take out what was executed in front of the loops around, see `memory.load`."""
    region = machine.region.parent
    while region is not None:
        while region.items and isinstance(region.items[-1], int) and region.items[-1] >= values:
            region.items.pop()
        _drop_newest(region.ahead, values)
        region = region.parent


def _forget_values(part: Any, fields: Fields, values: int, end: int) -> None:
    for name in fields.keyed:
        forget(getattr(part, name), values, end)
    for name in fields.newest:
        _drop_newest(getattr(part, name), values)
    for name in fields.counted:
        table = getattr(part, name)
        while table and next(reversed(table.values()))[1] > values:
            table.popitem()
    for name in fields.holding:
        if table := getattr(part, name):
            setattr(part, name, _older(table, values))
    for name in fields.scopes:
        setattr(part, name, [_older(table, values) for table in getattr(part, name)])
    for name in fields.among:
        if numbers := getattr(part, name):
            numbers.difference_update(range(values, end))


def _drop_newest(table: dict[Any, int], values: int) -> None:
    while table and next(reversed(table.values())) >= values:
        table.popitem()


def _older(table: dict[Any, int], values: int) -> dict[Any, int]:
    if max(table.values(), default=-1) < values:  # as a rule, for most trials only look
        return table
    return {key: value for key, value in table.items() if value < values}
