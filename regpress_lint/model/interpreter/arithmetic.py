"""C++'s arithmetic on values of the graph: conversions, folding, and simplification."""

from __future__ import annotations

from math import frexp
from struct import pack, unpack
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import COMPARISONS, OPERATIONS
from regpress_lint.model.graph.ops import (
    ADD,
    AND,
    BINARY,
    COMPLEMENT,
    CONVERT,
    LEFT,
    MULTIPLY,
    NEGATIVE,
    NOT,
    NOT_ZERO,
    OR,
    SELECT,
    SELECT_01,
    SEXT,
    SHIFT_LEFT,
    SOURCE,
    SUBTRACT,
    TRUNCATE,
    XOR,
    ZEXT,
)
from regpress_lint.model.graph.ranges import largest
from regpress_lint.model.graph.values import (
    BOOL,
    FLOAT,
    INT,
    POINTER,
    PREDICATE,
    SIGNED,
    UNSIGNED,
    Form,
    Graph,
    made_form,
)
from regpress_lint.model.interpreter import arithmetic

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Number
    from regpress_lint.model.graph.objects import Gone
    from regpress_lint.model.interpreter.machine import Machine


_LONGEST_WALK = 256  # steps of a pointer
_NUMBERS = frozenset((SIGNED, UNSIGNED, FLOAT))
_COMMUTATIVE = frozenset(("+", "*", "&", "|", "^"))
_SIGNLESS = frozenset((ADD, SUBTRACT, MULTIPLY, SHIFT_LEFT, AND, OR, XOR))  # the same instruction with and without sign
_RIGHT_ZERO = frozenset(("+", "-", "|", "^", "<<", ">>"))  # x op 0 is x
_LEFT_ZERO = frozenset(("*", "&", "/", "%", "<<", ">>"))  # 0 op x is 0, of integers


def wrapped(value: int, form: Form) -> int:
    """An integer in the range of a form."""
    if 0 <= value < 1 << 31:
        return value
    bits = 32 * max(form.width, 1)
    value &= (1 << bits) - 1
    return value - (1 << bits) if form.kind == SIGNED and value >> (bits - 1) else value


def convert(graph: Graph, value: int, form: Form) -> int:
    """A value converted to a form; the same value where nothing happens to its bits."""
    current = graph.forms[value]
    if (constant := graph.constants[value]) is not None:
        return _constant(graph, constant, form)
    if current is form or current == form:
        return value
    if current.kind == PREDICATE:
        return value if form.kind == PREDICATE else graph.pure(SELECT_01, (value,), form)
    if form.kind == PREDICATE:
        return graph.pure(NOT_ZERO, (value,), BOOL)
    floating = (current.kind == FLOAT, form.kind == FLOAT)
    if current.width == form.width and floating[0] == floating[1]:
        return value
    if floating == (False, False):
        if form.width < current.width:
            return graph.pure(TRUNCATE, (value,), form)
        return graph.pure(ZEXT if current.kind == UNSIGNED else SEXT, (value,), form)
    return graph.pure(CONVERT, (value,), form)


def resigned(graph: Graph, value: int, form: Form) -> int:
    """An unsigned sum as an `int` variable holds it: the same bits, but as an index it is extended with its sign.

    It is computed again with the other sign, and the first one is then unused: that costs nothing and folds further.
    `int r = blockIdx.x` is a number with a sign as well, and so `r * 2048 + 128` no sum that may wrap around
    (`test_signed_ids.py`). What is read stays as it is.
    """
    if form != INT or graph.kinds[value] != UNSIGNED or graph.forms[value].width != 1:
        return value
    op = graph.ops[value]
    if op is SOURCE:
        return graph.signed_source(value, form)
    if op not in _SIGNLESS:
        return value
    return graph.pure(graph.ops[value], graph.args[value], form, graph.extra[value])


def _constant(graph: Graph, value: Number, form: Form) -> int:
    if form.kind == PREDICATE:
        return graph.constant(int(bool(value)), BOOL)
    try:
        if form.kind == FLOAT:
            return graph.constant(float(value), form)
        return graph.constant(wrapped(int(value), form), form)
    except (OverflowError, ValueError):  # an infinity, or a literal of hundreds of digits
        return graph.constant(0, form)


def narrowed(graph: Graph, value: int, size: int, *, signed: bool) -> int:
    """A known integer as a type of `size` bytes below four holds it; other values keep their register."""
    constant, form = graph.constants[value], graph.form(value)
    if not isinstance(constant, int) or form.kind not in (SIGNED, UNSIGNED):
        return value
    bits = 8 * size
    low = constant & ((1 << bits) - 1)
    return graph.constant(low - (1 << bits) if signed and low >> (bits - 1) else low, form)


def common_form(graph: Graph, op: str, a: int, b: int) -> Form:
    """Form of a binary operation's result, by the usual arithmetic conversions."""
    left, right = graph.forms[a], graph.forms[b]
    if left.kind != PREDICATE and left.width and (left == right or op in ("<<", ">>")):
        return left
    if op in ("<<", ">>"):
        return left if left.kind != PREDICATE else INT
    if left.kind == FLOAT or right.kind == FLOAT:
        return made_form(max(form.width for form in (left, right) if form.kind == FLOAT), FLOAT)
    width = max(left.width, right.width, 1)
    if left.kind == POINTER or right.kind == POINTER:
        return made_form(width, POINTER)
    for form in (left, right):
        if form.kind == UNSIGNED and form.width == width:
            return made_form(width, UNSIGNED)
    return made_form(width, SIGNED)


def compare(graph: Graph, op: str, a: int, b: int) -> int:
    """A comparison; predicates live in predicate or scalar registers."""
    left, right = graph.constants[a], graph.constants[b]
    if left is not None and right is not None:
        form = common_form(graph, op, a, b)
        left, right = _converted(left, form), _converted(right, form)
        return graph.constant(COMPARISONS[op](left, right), BOOL)
    if graph.kinds[a] == POINTER == graph.kinds[b]:
        (base, distance), (other_base, other_distance) = _from_its_base(graph, a), _from_its_base(graph, b)
        if base == other_base:  # `p != p + 8`
            return graph.constant(COMPARISONS[op](distance, other_distance), BOOL)
    return graph.pure(BINARY[op], (a, b), BOOL)


def _from_its_base(graph: Graph, pointer: int) -> tuple[int, int]:
    """The pointer that a known number of elements was added to, and that number."""
    total = 0
    for _ in range(_LONGEST_WALK):
        step = graph.args[pointer][1] if graph.ops[pointer] is ADD and len(graph.args[pointer]) == 2 else None
        elements = graph.constants[step] if step is not None else None
        if not isinstance(elements, int):
            break
        total += elements
        pointer = graph.args[pointer][0]
    return pointer, total


def logical(graph: Graph, op: str, a: int, b: int) -> int:
    """`&&` and `||` of two predicates."""
    for this, other in ((a, b), (b, a)):
        if (constant := graph.constants[this]) is not None:
            return graph.constant(int(op == "||"), BOOL) if bool(constant) == (op == "||") else other
    return graph.pure(BINARY[op], (a, b), BOOL) if a != b else a


def binary(graph: Graph, op: str, a: int, b: int, extra: int = 0) -> int:
    """An arithmetic operation; `extra` are registers that it takes by itself (a division's)."""
    left, right = graph.constants[a], graph.constants[b]
    form = graph.forms[a]
    if left is None and right is None and form is graph.forms[b] and form.kind in _NUMBERS and form.width and a != b:
        # Most are of this kind: nothing to convert, to fold or to simplify.
        if op in "+-" and _is_wide_or_signed(form) and (apart := _constant_apart(graph, op, a, b)) is not None:
            return apart
        return graph.pure(BINARY[op], (b, a) if b < a and op in _COMMUTATIVE else (a, b), form, extra)
    form = common_form(graph, op, a, b)
    if left is not None and right is not None and (result := _folded(op, left, right, form)) is not None:
        return graph.constant(result, form)
    if (simple := _simpler(graph, op, a, b, form)) is not None:
        return simple
    if form.kind == POINTER and op in "+-" and graph.kinds[a] != graph.kinds[b]:
        return _moved_pointer(graph, op, a, b, form, extra)
    a, b = _as_operands(graph, op, a, b, form)
    right = graph.constants[b]
    if op in "+-" and right is None and _is_wide_or_signed(form):
        apart = _constant_apart(graph, op, a, b)
        if apart is not None:
            return apart
    if op in "+-" and isinstance(right, int) and form.kind != FLOAT:
        added = right if op == "+" else -right
        inner_constant = graph.constants[graph.args[a][1]] if graph.ops[a] is ADD else None
        if isinstance(inner_constant, int):  # (x + 1) + 2
            total = graph.constant(wrapped(inner_constant + added, form), form)
            return resigned(graph, binary(graph, "+", graph.args[a][0], total), form)
        if op == "-":
            op, b = "+", graph.constant(wrapped(added, form), form)
    return graph.pure(BINARY[op], (a, b), form, extra)


def _moved_pointer(graph: Graph, op: str, a: int, b: int, form: Form, extra: int) -> int:
    """A pointer and an index, in this order: what widens the index is the address."""
    if graph.kinds[b] == POINTER and op == "+":
        a, b = b, a
    if op == "-" and isinstance(graph.constants[b], int):
        op, b = "+", negated(graph, "-", b)
    return graph.pure(BINARY[op], (a, b), form, extra)


def _as_operands(graph: Graph, op: str, a: int, b: int, form: Form) -> tuple[int, int]:
    """Both sides in the form of the result, except how far is shifted; constants last, equal operations alike."""
    if graph.constants[a] is not None or graph.forms[a] is not form:
        a = convert(graph, a, form)
    if op not in ("<<", ">>") and (graph.constants[b] is not None or graph.forms[b] is not form):
        b = convert(graph, b, form)
    if op in _COMMUTATIVE and (graph.constants[a] is not None or (graph.constants[b] is None and b < a)):
        return b, a
    return a, b


def product_apart(graph: Graph, op: str, a: int, b: int, *, always: bool) -> int | None:
    """`(x + 1) * 8` as `x * 8 + 8`, None for anything else.

    In 32 bits LLVM no longer knows that the new sum does not overflow, and as a part of an index it stays one: unless
    `always`, `x` has to have 64 bits or a largest value.
    """
    scale, form = graph.constants[b], graph.forms[a]
    if not isinstance(scale, int) or graph.ops[a] is not ADD or not _is_wide_or_signed(form):
        return None
    inner, offset = graph.args[a]
    distance = graph.constants[offset]
    if not isinstance(distance, int) or not (always or form.width == 2 or largest(graph, inner) is not None):
        return None
    total = _folded(op, distance, scale, form)
    if total is None:
        return None
    most = largest(graph, inner)
    if most is not None and abs(most * scale + total) < 1 << 31:  # `int x = u + 16` is one with its sign inside as well
        inner = resigned(graph, inner, form)
    return binary(graph, "+", binary(graph, op, inner, b), graph.constant(total, form))


def _is_wide_or_signed(form: Form) -> bool:
    """True for integers whose sums do not overflow, as far as they form an index of 64 bits."""
    return form.kind == SIGNED or (form.kind == UNSIGNED and form.width == 2)


def _constant_apart(graph: Graph, op: str, a: int, b: int) -> int | None:
    """`a + (x + 1)` as `(a + x) + 1`: of an index the constant goes into the access. None without a constant."""
    for this, other in ((a, b), (b, a)):
        if graph.ops[this] is ADD:
            inner, offset = graph.args[this]
            constant = graph.constants[offset]
            if isinstance(constant, int):
                varying = binary(graph, op, inner, other) if this == a else binary(graph, op, other, inner)
                form = graph.forms[varying]
                more = constant if this == a or op == "+" else -constant
                return binary(graph, "+", varying, graph.constant(wrapped(more, form), form))
    return None


def _simpler(graph: Graph, op: str, a: int, b: int, form: Form) -> int | None:
    left, right = graph.constants[a], graph.constants[b]
    if left is None and right is None and a != b:
        return None
    exact = form.kind != FLOAT
    if right is not None:
        if (right == 0 and op in _RIGHT_ZERO and exact) or (right == 1 and op in "*/"):
            return convert(graph, a, form)
        if exact and ((right == 0 and op in "*&") or (right == 1 and op == "%")):
            return graph.constant(0, form)
    elif left is not None:
        if (left == 0 and op in "+|^" and exact) or (left == 1 and op == "*"):
            return convert(graph, b, form)
        if exact and left == 0 and op in _LEFT_ZERO:
            return graph.constant(0, form)
    return graph.constant(0, form) if a == b and exact and op in "-^" else None


def _folded(op: str, a: Number, b: Number, form: Form) -> Number | None:
    try:
        if form.kind == FLOAT:
            exact = OPERATIONS[op](float(a), float(b)) if op in "+-*/" else None
            return exact if exact is None or form.width > 1 else single(exact)
        if op not in ("<<", ">>"):  # both operands as the result's type: -1 / 2u divides the largest unsigned number
            a, b = wrapped(int(a), form), wrapped(int(b), form)
        elif not 0 <= b < 32 * max(form.width, 1):  # C++ leaves it open
            return None
        result = OPERATIONS[op](int(a), int(b)) if op in OPERATIONS else None
        return None if result is None else wrapped(int(result), form)
    except (OverflowError, ValueError):
        return None


def single(value: float) -> float:
    """Rounded to single precision; raises OverflowError for a number outside of its range."""
    rounded: float = unpack("f", pack("f", value))[0]
    return rounded


def _converted(value: Number, form: Form) -> Number:
    """An operand as the usual arithmetic conversions leave it."""
    if form.kind == FLOAT or isinstance(value, float):
        return value
    return wrapped(value, form)


def negated(graph: Graph, op: str, value: int) -> int:
    """A unary operation: `-`, `~`, `!`, `+`."""
    form, constant = graph.form(value), graph.constants[value]
    if op == "+":
        return value
    if op == "!":
        if constant is not None:
            return graph.constant(int(not constant), BOOL)
        return graph.pure(NOT, (convert(graph, value, BOOL),), BOOL)
    if form.kind == PREDICATE:
        form = made_form(1, SIGNED)
    if constant is not None:
        if form.kind == FLOAT:
            return graph.constant(-constant, form)
        return graph.constant(wrapped(-int(constant) if op == "-" else ~int(constant), form), form)
    if form.kind == FLOAT:
        return value  # a modifier of the instruction that uses it
    return graph.pure(NEGATIVE if op == "-" else COMPLEMENT, (convert(graph, value, form),), form)


def choose(graph: Graph, condition: int, a: int, b: int, gone: Gone | None = None) -> int:
    """`condition ? a : b`, also the meeting of two branches. gone: one of them was left early."""
    if a == b:
        return a
    if (constant := graph.constants[condition]) is not None:
        return a if constant else b
    left, right = graph.form(a), graph.form(b)
    if left.kind == PREDICATE and right.kind == PREDICATE:
        return graph.pure(SELECT, (condition, a, b), BOOL)
    kind = next((kind for kind in (FLOAT, POINTER) if kind in (left.kind, right.kind)), left.kind)
    least = 0 if left.kind == right.kind == FLOAT else 1  # of two packed halves one takes none
    form = made_form(max(left.width, right.width, least), kind if kind != PREDICATE else right.kind)
    if gone is not None:
        a, b = (a, left_behind(graph, b, gone.at)) if gone.second else (left_behind(graph, a, gone.at), b)
    return graph.pure(SELECT, (condition, a, b), form)


def left_behind(graph: Graph, value: int, at: int | None) -> int:
    """The value that a path leaves in a variable with a register on the other path as well. at: where it is left."""
    if not graph.widths[value] or graph.constants[value] is not None:
        return value
    form = made_form(0, graph.kinds[value])
    if at is None:
        return graph.pure(LEFT, (value,), form)
    number = graph.pure(LEFT, (at, value), form)
    graph.lefts[number] = value
    return number


# The kind of division that a compiler generates for `/` and `%`.


_HALF = 0.5  # `frexp` of a power of two


def division_key(machine: Machine, a: int, b: int) -> str | None:
    """Key into `COSTS` of the division or remainder of two values; None for one that folds, shifts or multiplies."""
    graph = machine.graph
    form = arithmetic.common_form(graph, "/", a, b)
    dividend, divisor = graph.constants[a], graph.constants[b]
    if dividend is not None and (divisor is not None or (dividend == 0 and form.kind != FLOAT)):
        return None
    if divisor is not None and (not divisor or abs(frexp(divisor)[0]) == _HALF):
        return None
    if form.kind == FLOAT:  # IEEE's division is exact: a constant is no exception
        return "/:d" if form.width > 1 else "/:f"
    size = "i" if form.width < 2 or (machine.compiler.short_divisions and _is_word(machine, a)) else "l"
    if divisor is not None:
        return f"/constant:{size}"
    return f"/:{size}" if graph.divergent[a] or graph.divergent[b] else f"/uniform:{size}"


def _is_word(machine: Machine, value: int) -> bool:
    """True if the upper half of 64 bits is known to be 0 or made of sign bits: clang divides that as 32 bits, nvcc
    does not.
    """
    graph = machine.graph
    if graph.ops[value] is SEXT and graph.kinds[value] == SIGNED and graph.forms[graph.args[value][0]].width == 1:
        return True
    most = largest(graph, value)
    return most is not None and most < 1 << 32
