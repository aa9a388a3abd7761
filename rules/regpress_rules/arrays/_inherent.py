"""Private arrays that are inherent to the algorithm, so that no change of its loops brings them into registers: lists,
stacks and queues in order, in which what the thread meets decides where an element stands, and what has to be held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.memory import base_variable, memory_root, own_root
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Call,
    Constant,
    Evaluate,
    If,
    Index,
    Jump,
    Loop,
    Member,
    Name,
    Unary,
    Update,
    names_in,
    nodes_of,
    walk,
)
from regpress_rules.arrays._price import registers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api import Span
    from regpress_lint.api.facts import Access, PrivateArray
    from regpress_lint.api.syntax import Expr, Stmt, Variable
    from regpress_rules.arrays._private import Case

_SHORT = 16  # elements that a network of comparisons at constant places can keep in order, in registers


def is_list(array: PrivateArray) -> bool:
    """True if the array is written behind its last element, `a[n++] = x` or `a[n] = x; ++n;`, as the data decides.

    How many elements it has is then known at run time alone: no copies of a loop make its indices constant.
    """
    written = [access for access in array.dynamic if access.kind == "write" and access.indices]
    return any(_appends(access, array) or _is_taken(access, array) for access in written)


def counts_lists(array: PrivateArray) -> bool:
    """True for the numbers of elements of several lists, `int n = count[k]++; all[k][n] = x;`."""
    places = (
        node.index.variable.init
        for function in dict.fromkeys(access.function for access in array.dynamic)
        for node in nodes_of(function)
        if isinstance(node, Index) and isinstance(node.index, Name) and node.index.variable is not None
    )
    return any(
        isinstance(place, Update) and place.op == "++" and own_root(place.operand) is array.variable for place in places
    )


def _is_taken(access: Access, array: PrivateArray) -> bool:
    """True for a write to a place that was counted before, `int n = count[k]++; all[k][n] = x;`, as data decides."""
    place = _origin(access.indices[-1])
    if not isinstance(place, Update) or place.op != "++":
        return False
    around = _conditions(list(nodes_of(access.function)), access, array)
    return bool(around) or (bool(access.loops) and _is_skipped(access.loops[-1].loop, access))


def _conditions(nodes: Sequence[Expr | Stmt], access: Access, array: PrivateArray) -> list[Span]:
    """The conditions around an access, behind the declaration of the array."""
    around = [node.span for node in nodes if isinstance(node, If) and node.span.contains(access.span)]
    if access.function is array.function:
        around = [span for span in around if span.start > array.variable.span.start]
    return around


def _is_skipped(loop: Loop, access: Access) -> bool:
    """True if an iteration may end in front of an access: `if (...) continue;`."""
    conditions = (node for node in walk(loop.body) if isinstance(node, If) and node.span.end <= access.span.start)
    return any(isinstance(inner, Jump) for node in conditions for inner in walk(node))


def is_ordered(array: PrivateArray) -> bool:
    """True if elements of a long array are moved to the place beside, `a[k] = a[k - 1]`, where a condition on data
    holds: one is inserted into what is in order. A short one can be kept in order at constant places.
    """
    if (array.elements or 0) <= _SHORT:
        return False
    for function in dict.fromkeys(access.function for access in array.dynamic):
        nodes = list(nodes_of(function))
        moved = [node.span for node in nodes if isinstance(node, Assign) and _moves(node)]
        written = [a.span for a in array.dynamic if a.kind == "write" and a.function is function]
        inner = [node for node in nodes if _decides(node)]
        if function is array.function:
            inner = [node for node in inner if node.span.start > array.variable.span.start]
        for span in moved:
            if any(span.contains(write) for write in written) and any(node.span.contains(span) for node in inner):
                return True
    return False


def is_heap(array: PrivateArray) -> bool:
    """True if elements of a long array are compared with those at twice their own place, as in a heap: `a[2 * i + 1]`,
    or by a name that is given that. Which of the two goes up is decided by the data, level by level.
    """
    if (array.elements or 0) <= _SHORT:
        return False
    return any(_is_child(_origin(index)) for access in array.dynamic for index in access.indices)


def _origin(index: Expr) -> Expr | None:
    """The initialiser of a name's declaration; another expression unchanged."""
    return index.variable.init if isinstance(index, Name) and index.variable is not None else index


def _is_child(place: Expr | None) -> bool:
    """True for `2 * i + 1`, `(i << 1) + 2` and the like, with an `i` that is no constant."""
    if not isinstance(place, Binary) or place.op != "+" or not isinstance(place.right, Constant):
        return False
    double = place.left
    if not isinstance(double, Binary) or place.right.value not in (1, 2):
        return False
    left, right = double.left, double.right
    if double.op == "<<":
        return isinstance(left, Name) and isinstance(right, Constant) and right.value == 1
    both = (left, right) if isinstance(left, Constant) else (right, left)
    twice = double.op == "*" and isinstance(both[0], Constant) and both[0].value == 2
    return twice and isinstance(both[1], Name)


def _decides(node: Expr | Stmt) -> bool:
    """True for a condition, and for a `while` or `for` whose test has one beside that of its counter."""
    if isinstance(node, If):
        return True
    return isinstance(node, Loop) and node.test is not None and any(isinstance(expr, Index) for expr in walk(node.test))


def _moves(node: Assign) -> bool:
    """True for `a[i] = a[i - 1]`, and for the same member of both."""
    to, of = _element(node.target), _element(node.value)
    if node.op != "=" or to is None or of is None or to[0] is not of[0]:
        return False
    (_, variable, near), (_, source, far) = to, of
    return variable is source and near != far


def _element(expr: Expr) -> tuple[Variable, Variable, int] | None:
    """Array, counter and distance from it: of `a[k - 1].x` `a`, `k` and -1."""
    while isinstance(expr, Member) and not expr.arrow:
        expr = expr.base
    if not isinstance(expr, Index) or not isinstance(expr.base, Name) or expr.base.variable is None:
        return None
    index, distance = expr.index, 0
    if isinstance(index, Binary) and index.op in ("+", "-") and isinstance(index.right, Constant):
        distance = int(index.right.value or 0) * (1 if index.op == "+" else -1)
        index = index.left
    if not isinstance(index, Name) or index.variable is None:
        return None
    return expr.base.variable, index.variable, distance


def _appends(access: Access, array: PrivateArray) -> bool:
    if len(access.indices) != 1:
        return False
    index = access.indices[0]
    place = index.operand if isinstance(index, Update) and index.op == "++" else index
    behind = isinstance(place, Unary) and place.op == "*"
    counter = _counter(place)
    if counter is None or (counter.storage != "local" and not (behind or counter.type.reference)):
        return False
    return _counts_as_data_decides(array, access, counter)


def _counter(place: Expr) -> Variable | None:
    """`n` of `n` and of `*n`, a counter that a function is handed."""
    if isinstance(place, Unary) and place.op == "*":
        place = place.operand
    return place.variable if isinstance(place, Name) else None


def _counts_as_data_decides(array: PrivateArray, access: Access, counter: Variable) -> bool:
    """True if the counter's step stands with the write under a condition, behind the declaration of the array, or in a
    loop that goes on until something else holds.
    """
    nodes = list(nodes_of(access.function))
    steps = list(_steps(nodes, counter))
    loop_steps = [loop.loop.step.span for loop in access.loops if loop.loop.step is not None]
    if any(span.contains(step) for span in loop_steps for step in steps):
        return False  # the counter of a loop
    around = _conditions(nodes, access, array)
    around += [
        loop.loop.span
        for loop in access.loops
        if loop.loop.kind in ("while", "do") and loop.loop.test is not None and not _says(loop.loop.test, counter)
    ]
    return any(span.contains(step) for span in around for step in steps)


def _steps(nodes: Sequence[Expr | Stmt], counter: Variable) -> Iterator[Span]:
    """Where a counter becomes larger by one or so."""
    for node in nodes:
        stepped = node.operand if isinstance(node, Update) and node.op == "++" else None
        stepped = node.target if isinstance(node, Assign) and node.op == "+=" else stepped
        if stepped is not None and _counter(stepped) is counter:
            yield node.span


def _says(test: Expr, counter: Variable) -> bool:
    return any(isinstance(node, Name) and node.variable is counter for node in walk(test))


# What has to be held however the loops are written: all indices are counters of loops with run-time bounds.

_FEW_REGISTERS = 16  # that copies of a loop take from any kernel


def held(case: Case) -> str:
    """Why a case's arrays are inherent to the algorithm, in words; empty if they are not.

    All their indices are counters of loops whose bounds are known only at run time, and no pragma requests copies.
    """
    reasons = [reason for by_target in case.reasons.values() for reason in by_target]
    if not reasons or any(reason.kind != "bound" or reason.loop is None for reason in reasons):
        return ""
    if any(loop.loop.unroll is not None for loop in case.loops) or registers(case.arrays) <= _FEW_REGISTERS:
        return ""
    if any(_is_drawn(array) for array in case.arrays):
        return "it holds what was drawn at random, which cannot be drawn again"
    if any(_is_written_back(array) for array in case.arrays):
        return (
            "it is written back to where the loop that fills it reads, so that it has to be held until that has ended"
        )
    return ""


def _stored(array: PrivateArray) -> Iterator[Expr]:
    """The values that are written to elements of an array."""
    for node in nodes_of(array.function):
        if isinstance(node, Assign) and isinstance(node.target, Index) and own_root(node.target) is array.variable:
            yield node.value


def _is_drawn(array: PrivateArray) -> bool:
    """Whether an element is computed by a function from an object of the thread that it receives by address: a
    random-number generator, whose state changes with the call.
    """
    return any(
        isinstance(call, Call) and any(_is_state(argument) for argument in call.args)
        for value in _stored(array)
        for call in walk(value)
    )


def _is_state(argument: Expr) -> bool:
    if not isinstance(argument, Unary) or argument.op != "&" or not isinstance(argument.operand, Name):
        return False
    variable = argument.operand.variable
    if variable is None or variable.storage != "local" or variable.dims or variable.type.pointers:
        return False
    return variable.type.struct or variable.type.size is None


def _is_written_back(array: PrivateArray) -> bool:
    """Whether elements, each computed from many places behind a pointer, are stored behind the same pointer.

    An element that is loaded from a place and stored back there is a copy that may belong in registers.
    """
    read = {root for access in array.accesses if access.kind != "read" for root in _summed(access)}
    if not read:
        return False
    for node in nodes_of(array.function):
        if isinstance(node, Assign) and base_variable(node.target) in read and _mentions(node.value, array):
            return True
        call = node.expression if isinstance(node, Evaluate) and isinstance(node.expression, Call) else None
        handed = call.args if call is not None else ()
        if any(base_variable(expr) in read for expr in handed) and any(_mentions(expr, array) for expr in handed):
            return True
    return False


def _summed(access: Access) -> Iterator[Variable]:
    """Pointers that are read at many places for the element that an access writes."""
    inner = max(access.loops, key=lambda loop: loop.depth, default=None)
    if inner is None or inner.counter is None:
        return
    if any(name.variable is inner.counter for index in access.indices for name in names_in(index)):
        return
    for node in walk(inner.loop.body):
        root = memory_root(node) if isinstance(node, Index) else None
        if root is not None and any(name.variable is inner.counter for name in names_in(node)):
            yield root


def _mentions(expr: Expr, array: PrivateArray) -> bool:
    return any(name.variable is array.variable for name in names_in(expr))
