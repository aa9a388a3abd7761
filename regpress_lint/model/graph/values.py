"""Values and the operations that make them: hash-consed, folded, with the registers that each takes."""

from __future__ import annotations

from functools import cache, partial
from itertools import count
from sys import float_info
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeVar

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.objects import Parts
from regpress_lint.model.graph.ops import ADD, ADDRESS, CONSTANT, MULTIPLY, PHI, SHIFT_LEFT, SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Expr, Loop, Stmt, Variable
    from regpress_lint.model.graph.objects import Access, Path
    from regpress_lint.model.graph.ops import Op


_T = TypeVar("_T")

# What a value is, for C++'s conversions and for where it may live.
SIGNED, FLOAT, UNSIGNED, PREDICATE, POINTER = range(5)

_FEW_LATE = 8  # values of a loop that need a copy of themselves
_ROOM = 23  # registers with which an SM of NVIDIA is full (32), less what a kernel takes besides
_SCALING = frozenset((MULTIPLY, SHIFT_LEFT))
_SUMMING = _SCALING | {ADD}

MAX_VALUES = 12_000  # more are generated code: what was seen until then is measured


class TooManyValuesError(Exception):
    """The graph has reached `MAX_VALUES`."""


class Form(NamedTuple):
    """32-bit registers per thread and kind of a value; a predicate takes none."""

    width: int
    kind: int


made_form = cache(Form)  # there are few of them, and a run makes millions
INT = made_form(1, SIGNED)
BOOL = made_form(0, PREDICATE)


class Site(NamedTuple):
    """An inlined function: its name, the file of its body, the node that calls it, and the site that this is in."""

    name: str
    path: str
    call: Expr | Stmt | None
    outer: Site | None


class Holder(NamedTuple):
    """Whose a value is: a variable, the part of it, and the inlined function around it ("": the kernel)."""

    variable: Variable
    path: Path
    function: str


_holder = partial(tuple.__new__, Holder)  # a third of the time; each value has one


class Region:
    """A stretch of the program: the kernel's body or a loop that stays one. `items` are values in source order that
    have an effect or read memory, and inner regions. node: the loop in the syntax, None for the kernel's body.
    begun: of two regions the one that begins later has the larger number. guards: how many branches the execution was
    under when the region began. epoch: of memory, when it began. scope: of the reads in it. ahead: what is read in
    front of it, with the first such read; checked: the epoch until when no write changes that. latch: its last block.
    trials: loops around whose copies were being tried when it began. copies: of a loop's body that are in it. skipped:
    it may not run at all, and its test is the only way out.
    """

    __slots__ = (
        "ahead",
        "begun",
        "checked",
        "copies",
        "depth",
        "epoch",
        "guards",
        "items",
        "latch",
        "node",
        "parent",
        "scope",
        "skipped",
        "trials",
    )
    _numbers: ClassVar[Iterator[int]] = count()

    def __init__(self, parent: Region | None = None, node: Loop | None = None, guards: int = 0, epoch: int = 0) -> None:
        self.guards = guards
        self.epoch = self.checked = epoch
        self.scope = self.trials = 0
        self.copies = 1
        self.latch = 0
        self.skipped = False
        self.ahead: dict[Access, int] = {}
        self.begun = next(Region._numbers)
        self.node = node
        self.items: list[Item] = []
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent is not None else 0


Item: TypeAlias = "int | Region"


class Graph:
    """Values by number; every list has one entry per value.

    ops: what made it. args: operands. forms, kinds: its type, and the kind of that. widths: registers that it takes
    while live, those of its type except values in a constant bank (`source`). constants: its value if it is known.
    homes: the innermost loop that it changes in, None outside of all. extra: additional registers of its evaluation (a
    library call's own). divergent: differs between the threads of a wave, as far as is known so far. limits: the
    largest value of an initial or read value that is never negative. lefts: the values that paths leave
    behind, by what stands for them. vectors: the lanes of each vector of four words that is read as a whole, by the
    last of them.

    nodes: the expression or statement that made it first, and sites: the inlined function around that, None for the
    kernel itself; new values take both from `at` and `site`. Copies of a loop's body share their nodes.
    holders: the variable that a value was first given to, and the part of it. sources: what is there from the start,
    by value: an argument, a thread's id. twins: of those the ones that are there with a sign as well. combined: results
    of binary operations, by operator and operands, and how many values there were then; who makes them keeps them here,
    so that they go with the values. summed: products that are part of a sum, by product and block; parts: those that
    were computed again for one. chained: values that no register holds, as an addition to another gives each again.
    remade: sums that were made again, with their first ones.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.args: list[tuple[int, ...]] = []
        self.forms: list[Form] = []
        self.widths: list[int] = []
        self.kinds: list[int] = []
        self.constants: list[Number | None] = []
        self.homes: list[Region | None] = []
        self.extra: list[int] = []
        self.divergent: list[bool] = []
        self.lefts: dict[int, int] = {}
        self.limits: dict[int, int] = {}
        self.vectors: dict[int, tuple[int, ...]] = {}
        self.at: Expr | Stmt | None = None
        self.site: Site | None = None
        self.nodes: list[Expr | Stmt | None] = []
        self.sites: list[Site | None] = []
        self.holders: dict[int, Holder] = {}
        self.sources: dict[int, object] = {}
        self.twins: dict[int, int] = {}
        self.combined: dict[tuple[str, int, int], tuple[int, int]] = {}
        self.summed: dict[tuple[int, int], int] = {}
        self.parts: set[int] = set()
        self.chained: set[int] = set()
        self.remade: dict[int, int] = {}
        self._known: dict[object, int] = {}
        self._old_sums: set[int] = set()
        self._remade: dict[int, int] = {}
        self._constants: dict[object, int] = {}

    def __len__(self) -> int:
        return len(self.ops)

    def add(
        self,
        op: Op,
        args: tuple[int, ...] = (),
        form: Form = INT,
        home: Region | None = None,
        *,
        divergent: bool = False,
        extra: int = 0,
    ) -> int:
        """A value of its own, equal to no other. Raises TooManyValuesError."""
        number = len(self.ops)
        if number >= MAX_VALUES:
            raise TooManyValuesError
        self.ops.append(op)
        self.args.append(args)
        self.forms.append(form)
        self.widths.append(form.width)
        self.kinds.append(form.kind)
        self.constants.append(None)
        self.homes.append(home)
        self.extra.append(extra)
        self.divergent.append(divergent)
        self.nodes.append(self.at)
        self.sites.append(self.site)
        return number

    def pure(self, op: Op, args: tuple[int, ...], form: Form, extra: int = 0) -> int:
        """The value of an operation without effect: the same operands give the same value."""
        key = (op, args, form)
        if (equal := self._known.get(key)) is not None:
            return equal
        if self._old_sums and op is ADDRESS:
            args = tuple(map(self._fresh, args))
        home: Region | None = None
        latest, homes = -1, self.homes
        divergent, varies = False, self.divergent
        for arg in args:
            if varies[arg]:
                divergent = True
            candidate = homes[arg]
            # The innermost loop began last; one that a `break` has left with values of its own began before those
            # that are open now, or inside of all of them.
            if candidate is not None and candidate.begun > latest:
                home, latest = candidate, candidate.begun
        number = self._known[key] = self.add(op, args, form, home, divergent=divergent, extra=extra)
        return number

    def again(self, value: int) -> int:
        """The operation once more, as a part of the one that it goes into: equal to no other value."""
        op, args, form = self.ops[value], self.args[value], self.forms[value]
        number = self.add(op, args, form, self.homes[value], divergent=self.divergent[value], extra=self.extra[value])
        self.parts.add(number)
        return number

    def source(self, key: object, form: Form, *, divergent: bool = False, held: bool = True) -> int:
        """A value that is there from the start (an argument, a thread's id), one for each key. held: False where it
        waits in a constant bank that instructions name as an operand (NVIDIA), and takes no register.
        """
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.add(SOURCE, (), form, divergent=divergent)
            self.sources[number] = key
            if not held:
                self.widths[number] = 0
        return number

    def signed_source(self, value: int, form: Form) -> int:
        """What is there from the start, as a number with a sign: `close` makes one register of both."""
        key = ("signed", value)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.add(SOURCE, (), form, divergent=self.divergent[value])
            self.widths[number] = self.widths[value]
            self.sources[number] = self.sources[value]
            self.holders.update({number: self.holders[value]} if value in self.holders else {})
            if value in self.limits:
                self.limits[number] = self.limits[value]
            self.twins[value] = number
        return number

    def constant(self, value: Number, form: Form = INT) -> int:
        """A literal: it takes no register, `form` is that of the values made from it."""
        key = (value.__class__, value, form)
        number = self._constants.get(key)
        if number is None:
            number = self._constants[key] = self.add(CONSTANT, (), form)
            self.constants[number] = _finite(value) if isinstance(value, float) else value
        return number

    def form(self, value: int) -> Form:
        """Registers and kind of a value."""
        return self.forms[value]

    def span(self, value: int) -> Span | None:
        """Bytes that made a value, in the file of the function there; None for a value without source text."""
        node = self.nodes[value]
        return node.span if node is not None else None

    def hold(self, variable: Variable, path: Path, value: object) -> None:
        """Remember whose value this is; a value keeps the first name that it got."""
        function = self.site.name if self.site is not None else ""
        if value.__class__ is int:
            if value not in self.holders:
                self.holders[value] = _holder((variable, path, function))
        elif value.__class__ is tuple:
            for lane, number in enumerate(value):
                self.holders.setdefault(number, Holder(variable, (*path, lane), function))
        elif isinstance(value, Parts):
            for within, part in value.parts.items():
                self.hold(variable, (*path, *within), part)

    def holder_of(self, value: int) -> Holder | None:
        """Whose value it is from the first: the variable that it was given to, or the argument.

        An object that only a name stands for, the member of an unknown class, is no variable.
        """
        held, source = self.holders.get(value), self.sources.get(value)
        if held is None and isinstance(source, tuple) and source[0] == "argument" and not isinstance(source[1], str):
            return Holder(source[1], source[2] if len(source) > 2 else (), "")
        return held

    def mark(self, begin: Iterable[int], marked: bytearray) -> None:
        """Mark these values and all their operands; behind a marked one all are marked already."""
        pending = [value for value in begin if not marked[value]]
        for value in pending:
            marked[value] = 1
        args = self.args
        while pending:
            for arg in args[pending.pop()]:
                if not marked[arg]:
                    marked[arg] = 1
                    pending.append(arg)

    def close(self) -> None:
        """No value is made any more: by what equal ones were found is forgotten, a third of the memory."""
        if self.twins:
            first = {signed: value for value, signed in self.twins.items()}  # operands come before what reads them
            self.args = [tuple(first.get(arg, arg) for arg in args) for args in self.args]
        self._known, self._constants, self.combined, self.twins, self.summed = {}, {}, {}, {}, {}
        self.remade = {new: old for old, new in self._remade.items()}
        self._old_sums, self._remade = set(), {}

    def remake_sums(self, first: int) -> None:
        """Behind a loop whose values begin with `first`, addresses that were not yet made get sums of their own where
        an equal one was made before the loop, which does not keep it for them. A value that was already an address
        stays one: it is kept, because no single addition computes 64 bits.

        nvcc 13.0.88 also keeps the sums where the loop reads its carried value after the replacement, as a stencil in
        one line does, and so needs copies (`diffuse_line_40` of `testdata/golden`: 90 registers; six other bodies of
        such a loop: 56), and where all fit: ten floats and their ten indices take 32 registers, twenty and theirs 32.
        Where copies replaced the loop, `first` is the end of the graph: of 64 floats that are read, added up and
        written with one stride nvcc holds no index either (80 registers).
        """
        nexts = {
            value: self.args[value][1]
            for value in range(first, len(self.ops))
            if self.ops[value] is PHI and len(self.args[value]) > 1
        }
        if self._read_late(first, nexts) > _FEW_LATE:
            self._old_sums.clear()
            self._remade.clear()
            return
        values = (*self._known.values(), *self._remade.values())
        sums = [value for value in values if value < first and self.ops[value] in _SUMMING and self.is_sum(value)]
        if len(sums) + sum(self.widths[value] for value in nexts) > _ROOM:
            self._old_sums.update(sums)

    def _read_late(self, first: int, nexts: Mapping[int, int]) -> int:
        """How many values that a loop carries are read behind the ones that take their place."""
        late = {
            arg
            for value in range(first, len(self.ops))
            for arg in self.args[value]
            if value > nexts.get(arg, value) != arg
        }
        return len(late)

    def is_sum(self, value: int) -> bool:
        """Whether each address computes it from a thread's own number and one that all share. A sum of 32 bits without
        a sign is kept: it may carry over, so that no address is a step away from the last one. nvcc 13.0.88 reads,
        adds up and writes 48 floats with 64 registers if their index is an `int` or a `size_t`, and with 148 if it is
        an `unsigned`.
        """
        while self.ops[value] in _SCALING:  # `2 * (t + j * m)`, `(t + j) * m`
            factors = [arg for arg in self.args[value] if self.divergent[arg]]
            if len(factors) != 1:
                return False
            value = factors[0]
        if self.ops[value] is not ADD or self.kinds[value] in (FLOAT, POINTER):
            return False
        if self.widths[value] == 1 and self.kinds[value] == UNSIGNED:
            return False
        return sum(self.divergent[arg] for arg in self.args[value]) == 1

    def _fresh(self, value: int) -> int:
        """The value, or if it is an old sum another one like it, the same for all who ask."""
        while value in self._old_sums:
            if value not in self._remade:
                form, home = self.forms[value], self.homes[value]
                op, args = self.ops[value], self.args[value]
                args = args if op is ADD else tuple(map(self._fresh, args))
                self._remade[value] = self.add(op, args, form, home, divergent=True)
            value = self._remade[value]
        return value


def forget(table: dict[int, _T], first: int, end: int) -> None:
    """Remove what a table knows of the values from `first` to `end`. A loop that is executed twice goes back each time:
    that takes as long as what it made, and not as all that was made before it.
    """
    for value in range(first, end) if end - first < len(table) else [value for value in table if value >= first]:
        table.pop(value, None)


def _finite(value: float) -> float:
    """A number that arithmetic can go on with: of an infinity (`1e999`) the largest, 0 for NaN."""
    return 0.0 if value != value else max(-float_info.max, min(float_info.max, value))
