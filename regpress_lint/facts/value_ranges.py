"""From where to where the integers of a function go, for every input: what a narrower type would still hold.

A range holds for the value that an expression has after C++'s conversions. What the source does not settle has none,
unless its type has 32 bits or fewer: then it has the type's. What C++ leaves undefined is taken not to happen (signed
overflow), and neither is an `int` made of a larger unsigned number, nor a loop to an unsigned bound made
of a negative one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Declare,
    Index,
    InitList,
    Loop,
    Member,
    Name,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import children, is_name, walk
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.facts.math_functions import is_plain_math
from regpress_lint.source_level.root_variables import root_variable
from regpress_lint.targets.builtins import COORDINATES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax import Expr, Function, Stmt, Type, Variable
    from regpress_lint.facts.kernel import KernelFacts

_DEEPEST = 24
_INT_MAX, _WORD_MAX = (1 << 31) - 1, (1 << 32) - 1
_MOST_THREADS = 1024
_BITS = ("|=", "^=", "&=")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
# SYCL's ids are of type size_t; compilers build with the promise that they fit in an int.
_IDS = frozenset(("get_global_id", "get_global_linear_id", "get_group", "get_group_linear_id", "get_group_id"))
_SIZES = frozenset(("get_global_range", "get_group_range", "get_local_range", "get_max_local_range"))
_LANES = frozenset(("get_local_id", "get_local_linear_id"))


class Range(NamedTuple):
    """From the smallest value to the largest."""

    low: int
    high: int

    @property
    def fits(self) -> str:
        """The 32-bit type that holds it, `int` before `unsigned`; "" if neither does."""
        if INT.holds(self):
            return "int"
        return "unsigned" if self.low >= 0 and self.high <= _WORD_MAX else ""

    def holds(self, other: Range) -> bool:
        """True if the other lies inside."""
        return self.low <= other.low and other.high <= self.high


NOTHING = Range(1, 0)  # of a value that is being asked about: a copy of itself adds nothing to it
INT, UNSIGNED = Range(-_INT_MAX - 1, _INT_MAX), Range(0, _WORD_MAX)
_FLAG, _THREAD, _GRID = Range(0, 1), Range(0, _MOST_THREADS - 1), Range(0, _INT_MAX)


def is_integer(type_: Type | None) -> bool:
    """True for a plain integer whose size is known."""
    if type_ is None or type_.floating or type_.pointers or type_.struct or type_.lanes > 1:
        return False
    return type_.size in (1, 2, 4, 8)


def range_of_type(type_: Type | None) -> Range | None:
    """All values of an integer type; None for others."""
    if type_ is None or not is_integer(type_):
        return None
    if type_.name == "bool":
        return _FLAG
    bits = 8 * (type_.size or 4)
    return Range(-(1 << bits - 1), (1 << bits - 1) - 1) if type_.signed else Range(0, (1 << bits) - 1)


class Ranges:
    """The ranges of one function's variables and expressions."""

    def __init__(self, facts: KernelFacts, function: Function) -> None:
        self._facts = facts
        self._types = facts.file.type_of
        self._known: dict[Variable, Range | None] = {}
        self._asked: set[Variable] = set()
        self._changes: dict[Variable, list[Assign | Update]] = {}
        self._loops: dict[Assign | Update | Declare, tuple[Loop, ...]] = {}
        self._declared: dict[Variable, tuple[Loop, ...]] = {}
        self._unseen: set[Variable] = set()
        self._counters: dict[Variable, Loop] = {}
        self._collect(function.body, ())

    # --------------------------------------------------------------------------------------------- what is written

    def _collect(self, node: Stmt | Expr, loops: tuple[Loop, ...]) -> None:
        stack: list[tuple[Stmt | Expr, tuple[Loop, ...]]] = [(node, loops)]
        while stack:
            node, loops = stack.pop()
            if isinstance(node, Loop):
                loops = (*loops, node)
                self._add_counter(node)
            elif isinstance(node, (Assign, Update)):
                target = root_variable(node.target if isinstance(node, Assign) else node.operand)
                if target is not None:
                    self._changes.setdefault(target, []).append(node)
                    self._loops[node] = loops
            elif isinstance(node, Declare):
                self._declared.update((variable, loops) for variable in node.variables)
                self._unseen.update(filter(None, map(self._bound, node.variables)))
            elif isinstance(node, Call):
                self._unseen.update(self._given(node))
            elif isinstance(node, Unknown) or (isinstance(node, Unary) and node.op == "&"):
                self._unseen.update(name.variable for name in walk(node) if isinstance(name, Name) and name.variable)
            elif isinstance(node, Name) and node.variable is not None and node.variable.is_array:
                self._unseen.add(node.variable)  # its address: an element's name is skipped below
            stack += [(child, loops) for child in _below(node)]

    def _add_counter(self, loop: Loop) -> None:
        step = loop.step
        target = step.operand if isinstance(step, Update) else step.target if isinstance(step, Assign) else None
        if loop.kind == "for" and isinstance(target, Name) and target.variable is not None:
            self._counters[target.variable] = loop

    def _bound(self, variable: Variable) -> Variable | None:
        """What a reference or a pointer is made to stand for."""
        if variable.init is None or not (variable.type.reference or variable.type.pointers):
            return None
        return root_variable(variable.init)

    def _given(self, call: Call) -> Iterator[Variable]:
        """Variables that a call may change: by reference, or as an array."""
        if is_plain_math(call.name) or call.name in ("min", "max", "abs", "printf"):
            return
        target = self._facts.callee_of(call)
        for position, argument in enumerate(call.args):
            parameter = target.parameters[position : position + 1] if target is not None else []
            changed = target is None or (parameter and parameter[0].type.reference and not parameter[0].type.const)
            if changed and (variable := root_variable(argument)) is not None:
                yield variable

    # --------------------------------------------------------------------------------------------------- variables

    def of_variable(self, variable: Variable) -> Range | None:
        """All values that a variable, or any element of an array, gets; None if the source does not settle them."""
        if variable in self._known:
            return self._known[variable]
        if variable in self._asked:
            return NOTHING
        own = range_of_type(variable.type)
        fixed = variable.type.volatile or variable.type.reference
        if own is None or fixed or variable.storage not in ("local", "constexpr"):
            return own
        self._asked.add(variable)
        found = self._settled(variable, own)
        self._asked.discard(variable)
        if not self._asked:  # what was found while another one was asked about may lack its values
            self._known[variable] = found
        return found

    def _settled(self, variable: Variable, own: Range) -> Range | None:
        unknown = own if own.high <= _WORD_MAX else None
        if variable in self._unseen:
            return unknown
        if variable in self._counters:
            found = self._of_counter(variable, self._counters[variable])
        else:
            found = self._of_sources(variable)
        return _converted(found, own) or unknown if found is not None else unknown

    def _of_sources(self, variable: Variable) -> Range | None:
        values: list[Expr] = list(_leaves(variable.init)) if variable.init is not None else []
        found: Range | None = Range(0, 0) if isinstance(variable.init, InitList) else NOTHING
        added, masked = Range(0, 0), False
        for change in self._changes.get(variable, ()):
            if isinstance(change, Assign) and change.op in ("=", *_BITS):
                values += _leaves(change.value) if change.op != "&=" else ()
                masked |= change.op in _BITS
                continue
            by = self._step(change)
            times = self._times(variable, change) if by is not None else None
            if by is None or times is None:
                return None
            added = Range(added.low + min(by.low, 0) * times, added.high + max(by.high, 0) * times)
        for value in values:
            found = _union(found, self.of(value))
        if found is None:
            return None
        if found == NOTHING:
            found = Range(0, 0)
        if masked:  # bits of numbers that are not negative go no higher than the highest
            return Range(0, (1 << found.high.bit_length()) - 1) if found.low >= 0 and added == Range(0, 0) else None
        return Range(found.low + added.low, found.high + added.high)

    def _step(self, change: Assign | Update) -> Range | None:
        """What is added once; None where something else than that happens."""
        if isinstance(change, Update):
            return Range(1, 1) if change.op == "++" else Range(-1, -1)
        by = self.of(change.value) if change.op in ("+=", "-=") else None
        if by is None or by == NOTHING:
            return None
        return by if change.op == "+=" else Range(-by.high, -by.low)

    def _times(self, variable: Variable, change: Assign | Update) -> int | None:
        """How often one element is changed at most in a variable's life."""
        times, around = 1, self._declared.get(variable, ())
        target = change.target if isinstance(change, Assign) else change.operand
        for loop in self._loops[change]:
            counter = self._counter_of(loop)
            if loop in around or (counter is not None and _is_indexed_by(target, counter)):
                continue  # another element in each iteration
            trips = self._trips(loop)
            if trips is None:
                return None
            times *= max(trips, 0)
        return times

    def _counter_of(self, loop: Loop) -> Variable | None:
        return next((each for each, own in self._counters.items() if own is loop), None)

    def _trips(self, loop: Loop) -> int | None:
        counter = self._counter_of(loop)
        found = self.of_variable(counter) if counter is not None else None
        if counter is None or found is None or not isinstance(loop.step, (Update, Assign)):
            return None
        step = self._step(loop.step)
        if step is None or step.low <= 0 <= step.high:
            return None
        return (found.high - found.low) // min(abs(step.low), abs(step.high)) + 1

    def _of_counter(self, counter: Variable, loop: Loop) -> Range | None:
        """Inside of its loop; None for one that is changed or used elsewhere."""
        inside = any(isinstance(each, Declare) and counter in each.variables for each in loop.init)
        if not inside or len(self._changes.get(counter, ())) != 1 or counter.init is None or loop.step is None:
            return None
        step = self._step(loop.step) if isinstance(loop.step, (Update, Assign)) else None
        first, test, own = self.of(counter.init), loop.test, range_of_type(counter.type)
        while isinstance(test, Binary) and test.op == "&&":
            test = test.left if self._is_bound(test.left, counter) else test.right
        if step is None or first is None or not isinstance(test, Binary) or not is_name(test.left, counter):
            return None
        bound = self.of(test.right)
        first = _converted(first, own) if own is not None and first != NOTHING else None
        if bound is None or first is None or bound == NOTHING:
            return None
        if step.low > 0 and test.op in ("<", "<=", "!="):
            last = bound.high if test.op == "<=" else bound.high - 1
            return Range(first.low, max(last, first.low))
        if step.high < 0 and test.op in (">", ">=", "!="):
            last = bound.low if test.op == ">=" else bound.low + 1
            return Range(min(last, first.high), first.high)
        return None

    def _is_bound(self, test: Expr, counter: Variable) -> bool:
        return isinstance(test, Binary) and is_name(test.left, counter)

    # ------------------------------------------------------------------------------------------------- expressions

    def of(self, expr: Expr, depth: int = 0) -> Range | None:
        """All values of an expression; None if the source does not settle them."""
        value = evaluate(expr, self._facts.environment)
        if isinstance(value, int):
            return Range(int(value), int(value))
        spelled = expression_type(expr, self._types)
        type_ = range_of_type(spelled)
        if depth > _DEEPEST or (spelled is not None and type_ is None):
            return None
        found = self._of(expr, depth)
        if found == NOTHING or (found is not None and (type_ is None or type_.holds(found))):
            return found
        return type_ if type_ is not None and type_.high <= _WORD_MAX else None

    def _of(self, expr: Expr, depth: int) -> Range | None:
        if isinstance(expr, (Name, Index)):
            variable = root_variable(expr) if isinstance(expr, Index) else expr.variable
            if variable is not None and (isinstance(expr, Name) or variable.is_array):
                return self.of_variable(variable)
            return self._of(expr.base, depth + 1) if isinstance(expr, Index) and isinstance(expr.base, Call) else None
        if isinstance(expr, Member):
            return self._of_member(expr)
        if isinstance(expr, Cast):
            inner = self.of(expr.operand, depth + 1)
            return None if expr.reinterpret else inner
        if isinstance(expr, Conditional):
            return _union(self.of(expr.then, depth + 1), self.of(expr.other, depth + 1))
        if isinstance(expr, Assign) and expr.op == "=":
            return self.of(expr.value, depth + 1)
        if isinstance(expr, Call):
            return self._of_call(expr, depth)
        if isinstance(expr, Unary):
            inner = self.of(expr.operand, depth + 1) if expr.op == "-" else None
            return Range(-inner.high, -inner.low) if inner is not None and inner != NOTHING else None
        return self._of_binary(expr, depth) if isinstance(expr, Binary) else None

    def _of_member(self, expr: Member) -> Range | None:
        if not isinstance(expr.base, Name) or expr.base.name not in COORDINATES:
            return None
        if expr.base.name == "threadIdx":
            return _THREAD
        return Range(1, _MOST_THREADS) if expr.base.name == "blockDim" else _GRID

    def _of_call(self, call: Call, depth: int) -> Range | None:
        if call.name in _LANES:
            return _THREAD
        if call.name in _IDS or call.name in _SIZES:
            return _GRID
        if call.name in ("min", "max") and len(call.args) == 2:
            both = [self.of(argument, depth + 1) for argument in call.args]
            return _union(both[0], both[1])
        return None

    def _of_binary(self, expr: Binary, depth: int) -> Range | None:
        if expr.op in _COMPARISONS:
            return _FLAG
        left, right = self.of(expr.left, depth + 1), self.of(expr.right, depth + 1)
        left, right = (None if each == NOTHING else each for each in (left, right))
        if expr.op == "&":
            masks = [each.high for each in (left, right) if each is not None and each.low >= 0]
            return Range(0, min(masks)) if masks else None
        type_ = expression_type(expr, self._types)
        if expr.op == "%" and right is not None and right.low > 0:
            most = right.high - 1
            if left is not None and left.low >= 0:
                return Range(0, min(most, left.high))
            return Range(0 if type_ is not None and not type_.signed else -most, most)
        if expr.op == ">>" and left is None and right is not None and type_ is not None and not type_.signed:
            return Range(0, (1 << max(8 * (type_.size or 8) - max(right.low, 0), 0)) - 1)
        return _arithmetic(expr.op, left, right) if left is not None and right is not None else None


def _below(node: Stmt | Expr) -> list[Expr | Stmt]:
    """What stands below a node; of an element of an array its indices alone."""
    if not isinstance(node, Index):
        return children(node)
    indices: list[Expr | Stmt] = []
    base: Expr = node
    while isinstance(base, Index):
        indices.append(base.index)
        base = base.base
    whole = isinstance(base, Name) and base.variable is not None and len(indices) >= len(base.variable.dims)
    return indices if whole else [*indices, base]


def _is_indexed_by(target: Expr, counter: Variable) -> bool:
    while isinstance(target, Index):
        if is_name(target.index, counter):
            return True
        target = target.base
    return False


def _converted(found: Range, own: Range) -> Range | None:
    """A range in a variable's type; None where it does not fit, unless an `int` is made of an unsigned number."""
    if own.holds(found) or found == NOTHING:
        return found
    return Range(found.low, _INT_MAX) if own == INT and 0 <= found.low <= _INT_MAX and UNSIGNED.holds(found) else None


def _leaves(value: Expr) -> Iterator[Expr]:
    """The elements of an initialiser list."""
    if not isinstance(value, InitList):
        yield value
        return
    for item in value.items:
        yield from _leaves(item)


def _union(one: Range | None, other: Range | None) -> Range | None:
    if one is None or other is None:
        return None
    if NOTHING in (one, other):
        return other if one == NOTHING else one
    return Range(min(one.low, other.low), max(one.high, other.high))


def _arithmetic(op: str, left: Range, right: Range) -> Range | None:
    if op == "+":
        return Range(left.low + right.low, left.high + right.high)
    if op == "-":
        return Range(left.low - right.high, left.high - right.low)
    if op == "*":
        corners = [a * b for a in left for b in right]
        return Range(min(corners), max(corners))
    if left.low < 0 or right.low < 0:
        return None
    if op == "/" and right.low > 0:
        return Range(left.low // right.high, left.high // right.low)
    if op in ("|", "^"):
        return Range(0, (1 << max(left.high, right.high).bit_length()) - 1)
    if op == ">>" and right.high < 64:
        return Range(left.low >> right.high, left.high >> right.low)
    return Range(left.low << right.low, left.high << right.high) if op == "<<" and right.high < 64 else None
