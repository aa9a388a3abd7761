"""Ranges of a function's integers for every input: values that a narrower type would still hold.

A proof about the source, and no decision of a compiler: an execution is of one launch, one instantiation and the copies
of loops that a compiler makes, and what it knows of a value is on purpose no more than LLVM's known bits
(`model/graph/ranges.py`). A type that is changed has to hold whatever the kernel is given. Both have the results of
operators from `cpp/integer_ranges.py`, and trip counts are the execution's.

A range holds for the value that an expression has after C++'s conversions. A value that the source does not settle
has none, unless its type has 32 bits or fewer: then it has the type's. Undefined behaviour (signed overflow) is
assumed not to happen. If requested, so are some defined cases that programs do not intend: an `int` from a larger
unsigned number, a loop to an unsigned bound that was negative, more work-items than an `int` counts.

Each variable begins without values and gets more of them until none is new; one that does not come to an end that way
has all values of its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import NamedTuple
from regpress_lint.api.facts import Assignments, root_variable
from regpress_lint.api.ranges import (
    FLAG,
    INT,
    INT_MAX,
    NOTHING,
    UNSIGNED,
    ZERO,
    Range,
    arithmetic,
    bits,
    converted,
    is_integer,
    is_unsigned,
    masked,
    negative,
    range_of_type,
    remainder,
    shifted,
    union,
    unsettled,
)
from regpress_lint.api.syntax import (
    COORDINATES,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Declare,
    Index,
    InitList,
    Member,
    Name,
    Unary,
    Unknown,
    Update,
    evaluate,
    expression_type,
    is_name,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.syntax import Expr, Function, Loop, Variable


_DEEPEST = 24
_MOST_ROUNDS = 8  # in which the values of a variable may grow before it is given up
_MOST_THREADS = 1024
_BITS = ("|=", "^=", "&=")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_THREAD, _GRID = Range(0, _MOST_THREADS - 1), Range(0, INT_MAX)
# SYCL's ids are of type size_t; compilers build with the promise that they fit in an int, unless told otherwise.
_IDS = frozenset(("get_global_id", "get_global_linear_id", "get_group", "get_group_linear_id", "get_group_id"))
_SIZES = frozenset(("get_global_range", "get_group_range"))
_LANES = frozenset(("get_local_id", "get_local_linear_id"))
_BLOCKS = frozenset(("get_local_range", "get_max_local_range"))


class _Counted(NamedTuple):
    """Values of a counter in its loop, and how often the loop runs at most."""

    values: Range
    trips: int


class Ranges:
    """The ranges of one function's variables and expressions. promised: what programs do not mean is taken not to
    happen.
    """

    def __init__(self, facts: KernelFacts, function: Function, *, promised: bool = False) -> None:
        self._facts = facts
        self._types = facts.file.type_of
        self._promised = promised
        self._written = Assignments(facts, function)
        self._executed = {loop.loop: loop.trip_count for loop in facts.loops_of(function)}
        self._known: dict[Variable, Range | None] = {}
        self._growing: dict[Variable, Range | None] = {}

    # --------------------------------------------------------------------------------------------------- variables

    def of_variable(self, variable: Variable) -> Range | None:
        """All values that a variable, or any element of an array, gets; None if the source does not settle them."""
        if variable in self._known:
            return self._known[variable]
        of_type = range_of_type(variable.type)
        fixed = variable.type.volatile or variable.type.reference
        if of_type is None or fixed or variable.storage not in ("local", "constexpr"):
            return unsettled(of_type)
        if variable in self._growing:
            return self._growing[variable]
        inner = bool(self._growing)
        self._growing[variable] = NOTHING
        if not inner:
            self._grow()
        return self._known.get(variable, NOTHING)

    def _grow(self) -> None:
        """Ask all variables for their values until none has new ones."""
        rounds: dict[Variable, int] = {}
        moved = True
        while moved:
            moved = False
            for variable in [*self._growing]:
                before, number = self._growing[variable], len(self._growing)
                after = union(before, self._settled(variable))
                moved |= len(self._growing) > number
                if after == before or before is None:
                    continue
                rounds[variable] = rounds.get(variable, 0) + 1
                if rounds[variable] > _MOST_ROUNDS:
                    after = unsettled(range_of_type(variable.type))
                self._growing[variable] = after
                moved |= after != before
        for variable, range_ in self._growing.items():
            self._known[variable] = ZERO if range_ == NOTHING else range_
        self._growing.clear()

    def _settled(self, variable: Variable) -> Range | None:
        of_type = range_of_type(variable.type)
        if variable in self._written.unseen:
            return unsettled(of_type)
        if variable in self._written.counters:
            counted = self._counted(variable, self._written.counters[variable])
            values = counted.values if counted is not None else None
        else:
            values = self._of_sources(variable)
        return self._as_type(values, of_type) if values is not None else unsettled(of_type)

    def _as_type(self, found: Range | None, own: Range | None) -> Range | None:
        """A range in a variable's type."""
        if self._promised and found is not None and own == INT and 0 <= found.low <= INT_MAX and UNSIGNED.holds(found):
            return Range(found.low, min(found.high, INT_MAX))
        return converted(found, own)

    def _of_sources(self, variable: Variable) -> Range | None:
        """Assigned values, and the added ones times the most repetitions."""
        of_type = range_of_type(variable.type)
        values: list[Expr] = list(_leaves(variable.init)) if variable.init is not None else []
        together: Range | None = ZERO if isinstance(variable.init, InitList) else NOTHING
        added, is_masked = ZERO, False
        for change in self._written.changes.get(variable, ()):
            if isinstance(change, Assign) and change.op in ("=", *_BITS):
                values += _leaves(change.value) if change.op != "&=" else ()
                is_masked |= change.op in _BITS
                continue
            by, times = self._step(change), self._times(change)
            if by is None or times is None:
                return None
            if by != NOTHING:
                added = Range(added.low + min(by.low, 0) * times, added.high + max(by.high, 0) * times)
        for value in values:
            together = union(together, self._as_type(self.of(value), of_type))
        if together is None or together == NOTHING:
            return together if added == ZERO else added
        if is_masked:
            return bits(together) if added == ZERO else None
        return Range(together.low + added.low, together.high + added.high)

    def _step(self, change: Assign | Update) -> Range | None:
        """The single added value; None if there is another change."""
        if isinstance(change, Update):
            return Range(1, 1) if change.op == "++" else Range(-1, -1)
        by = self.of(change.value) if change.op in ("+=", "-=") else None
        return negative(by) if change.op == "-=" else by

    def _times(self, change: Assign | Update) -> int | None:
        """How often one element is changed at most in a variable's life."""
        times = 1
        for loop in self._written.around(change):
            trips = self._trips(loop)
            if trips is None:
                return None
            times *= trips
        return times

    def _trips(self, loop: Loop) -> int | None:
        """The execution knows a loop's trip count, the source the most that it can be for every input."""
        if (trips := self._executed.get(loop)) is not None:
            return trips
        counter = self._written.counter_of(loop)
        counted = self._counted(counter, loop) if counter is not None else None
        return counted.trips if counted is not None else None

    # ---------------------------------------------------------------------------------------------------- counters

    def _counted(self, counter: Variable, loop: Loop) -> _Counted | None:
        """None for a loop that does not end by its counter alone, and for a counter that is changed elsewhere."""
        inside = any(isinstance(statement, Declare) and counter in statement.variables for statement in loop.init)
        alone = len(self._written.changes.get(counter, ())) == 1 and counter not in self._written.unseen
        of_type, step = range_of_type(counter.type), loop.step
        if not inside or not alone or of_type is None or counter.init is None or not isinstance(step, (Update, Assign)):
            return None
        test = _bounding(loop.test, counter)
        if test is None or counter.type.volatile:
            return None
        by, first, bound = self._step(step), self._as_type(self.of(counter.init), of_type), self._bound(counter, test)
        if by is None or first is None or bound is None:
            return None
        if NOTHING in (by, first, bound):
            return _Counted(NOTHING, 0)
        return _counts(test.op, first, bound, by, of_type, signed=counter.type.signed)

    def _bound(self, counter: Variable, test: Binary) -> Range | None:
        """The bound that a counter is compared with, in the type of the comparison."""
        bound = self.of(test.right)
        type_ = expression_type(test.right, self._types)
        if bound is None or bound == NOTHING or type_ is None or not is_integer(type_):
            return bound if type_ is not None and is_integer(type_) else None
        size = max(counter.type.size or 4, type_.size or 4, 4)
        if not any(is_unsigned(side) and side.size == size for side in (counter.type, type_)) or bound.low >= 0:
            return bound
        if not self._promised:
            return None
        return Range(max(bound.low, 0), max(bound.high, 0))

    # ------------------------------------------------------------------------------------------------- expressions

    def of(self, expr: Expr, depth: int = 0) -> Range | None:
        """All values of an expression; None if the source does not settle them."""
        spelled = expression_type(expr, self._types)
        type_ = range_of_type(spelled)
        value = evaluate(expr, self._facts.source.environment)
        if isinstance(value, int):
            return converted(Range(int(value), int(value)), type_)
        if depth > _DEEPEST or (spelled is not None and type_ is None):
            return None
        range_ = self._of(expr, depth)
        return converted(range_, type_) if range_ is not None else unsettled(type_)

    def _of(self, expr: Expr, depth: int) -> Range | None:
        if isinstance(expr, (Name, Index)):
            variable = root_variable(expr) if isinstance(expr, Index) else expr.variable
            if variable is not None and (isinstance(expr, Name) or variable.is_array):
                return self.of_variable(variable)
            return self._of(expr.base, depth + 1) if isinstance(expr, Index) and isinstance(expr.base, Call) else None
        if isinstance(expr, Member):
            return self._of_member(expr)
        if isinstance(expr, Cast):
            return None if expr.reinterpret else self.of(expr.operand, depth + 1)
        if isinstance(expr, Conditional):
            return union(self.of(expr.then, depth + 1), self.of(expr.other, depth + 1))
        if isinstance(expr, Assign) and expr.op == "=":
            return self.of(expr.value, depth + 1)
        if isinstance(expr, Call):
            return self._of_call(expr, depth)
        if isinstance(expr, Unary):
            return negative(self.of(expr.operand, depth + 1)) if expr.op == "-" else None
        return self._of_binary(expr, depth) if isinstance(expr, Binary) else None

    def _of_member(self, expr: Member) -> Range | None:
        base = expr.base
        if not isinstance(base, Name) or base.variable is not None or base.name not in COORDINATES:
            return None
        if base.name == "threadIdx":
            return _THREAD
        return Range(1, _MOST_THREADS) if base.name == "blockDim" else _GRID

    def _of_call(self, call: Call, depth: int) -> Range | None:
        if self._facts.callee_of(call) is not None:
            return None
        if call.name in ("min", "max") and len(call.args) == 2:
            both = union(*(self.of(argument, depth + 1) for argument in call.args))
            types = [expression_type(argument, self._types) for argument in call.args]
            alike = all(type_ is not None and is_integer(type_) and not is_unsigned(type_) for type_ in types)
            return both if alike or (both is not None and both.low >= 0) else None
        if self._facts.kernel.language != "sycl":
            return None
        if call.name in _LANES:
            return _THREAD
        if call.name in _BLOCKS:
            return Range(1, _MOST_THREADS)
        return _GRID if self._promised and (call.name in _IDS or call.name in _SIZES) else None

    def _of_binary(self, expr: Binary, depth: int) -> Range | None:
        if expr.op in _COMPARISONS:
            return FLAG
        left, right = self.of(expr.left, depth + 1), self.of(expr.right, depth + 1)
        if NOTHING in (left, right):
            return NOTHING
        type_ = expression_type(expr, self._types)
        plain = type_ is not None and is_integer(type_)
        if expr.op == "&":
            return masked(left, right)
        if expr.op == "%":
            return remainder(left, right, signed=not plain or type_.signed)  # type: ignore[union-attr]
        if expr.op == ">>" and left is None and plain and not type_.signed:  # type: ignore[union-attr]
            return shifted(type_.size or 8, right)  # type: ignore[union-attr]
        return arithmetic(expr.op, left, right) if left is not None and right is not None else None


def _bounding(test: Expr | None, counter: Variable) -> Binary | None:
    """The part of a loop's test that compares its counter; it comes first, or the test does nothing else."""
    quiet = test is not None and not any(isinstance(node, (Assign, Update, Call, Unknown)) for node in walk(test))
    while isinstance(test, Binary) and test.op == "&&":
        binary = _bounding(test.left, counter)
        if binary is not None or not quiet:
            return binary
        test = test.right
    return test if isinstance(test, Binary) and is_name(test.left, counter) else None


def _counts(op: str, first: Range, bound: Range, by: Range, own: Range, *, signed: bool) -> _Counted | None:
    """From the first value in steps to the bound. None for a step of unknown direction, for a number without sign that
    wraps around on its way, and for one that may step over a bound that it must equal.
    """
    if by.low > 0 and op in ("<", "<=", "!="):
        last = min(bound.high if op == "<=" else bound.high - 1, own.high)
        if (op == "!=" and (by != Range(1, 1) or first.high > bound.low)) or (not signed and last + by.high > own.high):
            return None
        values = Range(first.low, max(last, first.low))
    elif by.high < 0 and op in (">", ">=", "!="):
        last = max(bound.low if op == ">=" else bound.low + 1, own.low)
        if (op == "!=" and (by != Range(-1, -1) or first.low < bound.high)) or (not signed and last + by.low < own.low):
            return None
        values = Range(min(last, first.high), first.high)
    else:
        return None
    return _Counted(values, (values.high - values.low) // min(abs(by.low), abs(by.high)) + 1)


def _leaves(value: Expr) -> Iterator[Expr]:
    """The elements of an initialiser list."""
    if not isinstance(value, InitList):
        yield value
        return
    for item in value.items:
        yield from _leaves(item)
