"""Who changes the integers of a function, and how often; and which writes may change the memory that a load reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Call,
    Cast,
    Declare,
    Index,
    InitList,
    Jump,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import children, depends_on, is_name, walk, written, written_alike
from regpress_lint.facts.math_functions import is_plain_math
from regpress_lint.facts.unknowns import macro_words
from regpress_lint.model.graph.objects import Access, type_class
from regpress_lint.source.cfg import root_variable
from regpress_lint.source.memory_accesses import is_atomic, passed_writes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source.memory_accesses import MemoryAccess


_HARMLESS = frozenset(("min", "max", "abs", "printf"))


class Assignments:
    """Changes to variables in a function's own text. changes: assignments and updates. unseen: variables that
    something else may change, or whose changes may be repeated by more than loops: by a pointer or a reference, a call,
    a lambda, a macro, assembly, a `goto`. counters: loops by the variable that their step changes.
    """

    def __init__(self, facts: KernelFacts, function: Function) -> None:
        self._facts = facts
        self.changes: dict[Variable, list[Assign | Update]] = {}
        self.counters: dict[Variable, Loop] = {}
        self.unseen: set[Variable] = set()
        self._loops: dict[Assign | Update, tuple[Loop, ...]] = {}
        self._declared: dict[Variable, tuple[Loop, ...]] = {}
        self._hidden = False
        self._collect(function.body)
        if self._hidden:
            self.unseen.update(self.changes)
        hidden = macro_words(facts.file.source)
        self.unseen.update(variable for variable in self._declared if variable.name in hidden)

    def around(self, change: Assign | Update) -> tuple[Loop, ...]:
        """Loops that a change is repeated by, from the outside in, without those where its variable is initialised
        again, and without those that change another element in each iteration.
        """
        target = change.target if isinstance(change, Assign) else change.operand
        variable = root_variable(target)
        anew = self._declared.get(variable, ()) if variable is not None else ()
        return tuple(loop for loop in self._loops[change] if loop not in anew and not self._is_indexed(target, loop))

    def counter_of(self, loop: Loop) -> Variable | None:
        return next((variable for variable, counted in self.counters.items() if counted is loop), None)

    def _is_indexed(self, target: Expr, loop: Loop) -> bool:
        counter = self.counter_of(loop)
        while isinstance(target, Index) and counter is not None:
            if is_name(target.index, counter):
                return True
            target = target.base
        return False

    # ------------------------------------------------------------------------------------------------- what is found

    def _collect(self, body: Stmt) -> None:
        stack: list[tuple[Stmt | Expr, tuple[Loop, ...]]] = [(body, ())]
        while stack:
            node, loops = stack.pop()
            if isinstance(node, Loop):
                loops = (*loops, node)
                self._add_counter(node)
            elif isinstance(node, (Assign, Update)):
                self._add_change(node, loops)
            elif isinstance(node, Declare):
                self._declared.update((variable, loops) for variable in node.variables)
                for variable in node.variables:
                    self._add_bound(variable)
            elif isinstance(node, Call):
                self.unseen.update(self._given(node))
            elif isinstance(node, (Unknown, LambdaExpr)) or (isinstance(node, Unary) and node.op == "&"):
                self._add_named(node)
            elif isinstance(node, Jump):
                self._hidden |= node.kind == "goto"
            elif isinstance(node, Name) and node.variable is not None and node.variable.is_array:
                self.unseen.add(node.variable)  # its address: an element's name is skipped below
            stack += [(child, loops) for child in _below(node)]

    def _add_counter(self, loop: Loop) -> None:
        step = loop.step
        target = written(step)
        if loop.kind == "for" and isinstance(target, Name) and target.variable is not None:
            self.counters[target.variable] = loop

    def _add_change(self, change: Assign | Update, loops: tuple[Loop, ...]) -> None:
        target = change.target if isinstance(change, Assign) else change.operand
        variable = root_variable(target)
        if variable is None:
            return
        self.changes.setdefault(variable, []).append(change)
        self._loops[change] = loops
        if any(isinstance(expr, Cast) for expr in walk(target)):  # a part of it, or its bits
            self.unseen.add(variable)

    def _add_bound(self, variable: Variable) -> None:
        """Note that the operands of a reference, a pointer or an object can be changed through it."""
        type_, init = variable.type, variable.init
        if init is None or (type_.size is not None and not (type_.reference or type_.pointers or type_.struct)):
            return
        if type_.size is None or type_.struct or isinstance(init, (Call, InitList)):
            self._add_named(init)
        elif (root := root_variable(init)) is not None:
            self.unseen.add(root)

    def _add_named(self, node: Expr | Stmt) -> None:
        self.unseen.update(name.variable for name in walk(node) if isinstance(name, Name) and name.variable)

    def _given(self, call: Call) -> Iterator[Variable]:
        """Variables that a call may change: by reference, or as an array."""
        target = self._facts.callee_of(call)
        free = target is None and not isinstance(call.callee, Member)
        if free and (is_plain_math(call.name) or call.name in _HARMLESS):
            return
        for position, argument in enumerate(call.args):
            parameter = target.parameters[position : position + 1] if target is not None else []
            type_ = parameter[0].type if parameter else None
            changed = type_ is None or (type_.reference and not type_.const) or "..." in type_.name
            if changed and (variable := root_variable(argument)) is not None:
                yield variable


def _below(node: Stmt | Expr) -> list[Expr | Stmt]:
    """The nodes below a node; for an element of an array only its indices."""
    if not isinstance(node, Index):
        return children(node)
    indices: list[Expr | Stmt] = []
    base: Expr = node
    while isinstance(base, Index):
        indices.append(base.index)
        base = base.base
    whole = isinstance(base, Name) and base.variable is not None and len(indices) >= len(base.variable.dims)
    return indices if whole else [*indices, base]


# Loads, the writes that may change what they read by all that a compiler knows, and the bytes that loads bring.

WORD = 4  # bytes; smaller loads are vector loads in any case up to gfx11
_MOST_BYTES = 1024


class Write(NamedTuple):
    """A write or atomic that may change what a load reads: its place and the pointer it uses."""

    span: Span
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
    return Write(access.expr.span, origin, "any" if atomic else type_class(access.type), place, atomic)


def _shared(variable: Variable | None) -> bool:
    return variable is not None and variable.storage == "shared"


def clobbers(facts: KernelFacts, write: Write, load: MemoryAccess) -> bool:
    """True if a write may come before a load and, by all that the compiler knows, change what it reads.

    C++ lets a write of one scalar type not change an object of another; `__restrict__` on either pointer decides too.
    """
    same = write.origin is load.origin and write.origin is not None
    if not same and any(variable is not None and variable.type.restrict for variable in (write.origin, load.origin)):
        return False
    written, read = (Access("global", None, name) for name in (write.type_class, type_class(load.type)))
    if not written.meets(read):
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
