"""How often a compiler copies the body of a loop: the only place that decides it.

A decision is a function of the loop's measurements (`Shape`) and of the compiler's table (`traits.Unrolling`).
Sizes are what the compilers count: instructions before the back end has seen them, see `Unrolling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.targets.compilers.traits import Unrolling

ALL = 0  # factor of a pragma that names no number
_POWERS = (2, 4, 8, 16)
# Copies of a loop with a pragma that stays one, as far as further ones change the pressure. LLVM works on copies of
# math functions side by side: 187 VGPRs for 32 of `sinf` and `expf`, 107 for 16, 157 and 93 of `logf` and `cosf`, 102
# and 58 of `expf`, 77 and 45 of `tanhf`. Loads, products and divisions alone it no longer keeps by then: 12 to 18.
_MOST_COPIES, _MOST_OF_CALLS = 16, 64
_PARTIAL_BY_PRAGMA = 8
_PARTIAL = 4
_FEW_VECTORS = 12  # of fewer in a loop of vectors clang makes no copies (1,280 words by 64 threads; 1,536 it copies)
_MOST_BOOST = 4
# A graph of this size is not made larger by copies: their number changes little in the pressure. Copies that take a
# private array out of memory change much, so they end only where the graph does.
_LARGE, _VERY_LARGE, _LARGEST = 1000, 1200, 12_000
BEYOND = 2 * _LARGEST
# Nor are those of a large body all made: behind so many values further copies of a loop that stays one move the
# estimates of three kernels with tensor cores by less than 2 %, and take two thirds of the time.
_FULL = 2 * _VERY_LARGE


class Shape(NamedTuple):
    """Properties of a loop.

    trips: iterations, None if they depend on run-time values. most: of these the largest number, if there is
    one. factor: of a pragma, `ALL` for one without a number, None without a pragma. size: of one copy. exits: the body
    may leave the loop. keeps: a loop inside stays a loop. inner: there is one inside, in the text. countable: the
    iterations can be counted before the loop runs. arrays: bytes of the private arrays that are indexed by a value that
    the loop changes. shared: arrays in LDS that it indexes. written: values of the graph so far. behind: the body is
    begun once more, up to a `break`. counted: iterations by the loop's own test and step, also where another exit is
    folded into them. bounds: what it counts bounds a loop inside. calls: the body calls functions of the library,
    divisions and roots aside. difference: a subtraction at most says how many iterations there are. wide: the counter
    has 64 bits. late: it is copied as one that stays is, and `trips` are the most that it has. sure: iterations
    that every thread makes. by_parts: the iterations that each comparison of its test leaves can be counted so, of a
    loop with a number in its pragma.
    """

    trips: int | None
    factor: int | None = None
    size: int = 0
    exits: bool = False
    keeps: bool = False
    inner: bool = False
    countable: bool = True
    arrays: tuple[int, ...] = ()
    shared: int = 0
    written: int = 0
    most: int | None = None
    behind: bool = False
    counted: int | None = None
    calls: bool = False
    bounds: bool = False
    difference: bool = True
    wide: bool = False
    late: bool = False
    sure: int = 0
    by_parts: bool = False


class Plan(NamedTuple):
    """The outcome for a loop. copies: of its body; whole: they replace the loop. reason: in words. given_up: it is this
    program that makes no more copies, because the graph is large already; the compiler replaces the loop.
    """

    copies: int
    whole: bool
    reason: str
    given_up: bool = False


_LEFT_OUT = Plan(1, False, "copies are left out")


def settled(shape: Shape, table: Unrolling) -> Shape:
    """The shape with its most iterations as their number, where the compiler copies it as one of so many.

    LLVM does so for a pragma and up to eight (`UnrollMaxUpperBound`) or up to the number that it names, IGC and nvcc
    where it takes a private array out of memory. Eight are also the copies that clang for AMD has of a loop that
    indexes LDS, and then no loop is left.
    """
    if shape.trips is not None or shape.most is None or not table.copies:
        return shape
    surely = shape.sure * 2 > table.lds_copies  # else hardly two copies are between the same exits
    if table.counts_cheaply and shape.shared and shape.factor is None and shape.most == table.lds_copies and surely:
        return shape._replace(trips=shape.most, late=True)
    return shape._replace(trips=shape.most) if shape.most <= _most_bounded(shape, table) else shape


def _most_bounded(shape: Shape, table: Unrolling) -> int:
    """The most iterations of a bounded loop with which copies replace it."""
    if shape.factor == ALL:
        return table.bounded_by_pragma
    if shape.factor is not None and table.bounded_by_number == "enough":
        return shape.factor
    if shape.factor is not None and table.bounded_by_number == "stays" and shape.by_parts:
        return 0
    return table.bounded if shape.arrays else 0


def plan(shape: Shape, table: Unrolling) -> Plan:
    """Whether copies replace a loop of which one was measured."""
    allowed, why = allowance(shape, table)
    size = copy_size(shape, table)
    if shape.trips is None or shape.trips * size > allowed:
        return stays(shape, table)
    return Plan(shape.trips, True, f"{shape.trips} copies of {size}, {why} {allowed}")


def stays(shape: Shape, table: Unrolling) -> Plan:
    """Copies of the body in a loop that stays one."""
    if not table.copies:
        return _LEFT_OUT
    given_up = bool(shape.trips) and _is_beyond(shape) and plan(shape._replace(written=0), table).whole
    return Plan(_kept_copies(shape, table), False, _why_kept(shape, table), given_up)


def of_vectors(shape: Shape, table: Unrolling, lanes: int, *, beside: bool) -> Plan:
    """Copies of the body in a loop of vectors: of each lane one, and as many of all lanes as LLVM then makes. beside:
    one instruction reads what is in a vector's lanes.
    """
    size = shape.size * lanes // (table.lanes if beside else 1)
    # The number of vectors is worked out in any case: copies take a shift more, which is dear for 64 bits alone.
    few = shape.most is not None and shape.most // lanes < _FEW_VECTORS
    vectors = shape._replace(trips=shape.trips and shape.trips // lanes, size=size, difference=not (shape.wide or few))
    copied = plan(vectors, table)
    copied = copied if copied.whole else stays(vectors, table)
    return Plan(copied.copies * lanes, False, f"{lanes} lanes of a vector, {copied.reason}", copied.given_up)


def _why_kept(shape: Shape, table: Unrolling) -> str:
    if shape.trips is None:
        return "its iterations are counted at run time" if shape.countable else "its iterations cannot be counted"
    if shape.exits and not shape.arrays:
        return "it is left early"
    if shape.factor and shape.factor < shape.trips:
        return f"a pragma requests {shape.factor}"
    if _is_beyond(shape):
        return "the graph is large enough"
    allowed, why = allowance(shape, table)
    return f"{shape.trips} copies of {copy_size(shape, table)}, {why} {allowed}"


def may_be_copied(shape: Shape) -> bool:
    """False where no size of the body makes copies that replace the loop; `shape.size` is not asked."""
    if not shape.trips or (shape.exits and not shape.arrays):
        return False
    if shape.factor and shape.factor < shape.trips:
        return False
    return not _is_beyond(shape)


def is_full(values: int) -> bool:
    """True for a graph in which a loop that stays one gets no further copy, however many a compiler makes."""
    return values > _FULL


def may_give_up(values: int) -> bool:
    """True for a graph in which a loop may be one that `_is_beyond` keeps."""
    return values > _VERY_LARGE


def _is_beyond(shape: Shape) -> bool:
    """True where it is this program that makes no more copies, whatever the compiler does."""
    return shape.written > (_LARGEST if shape.arrays else _VERY_LARGE)


def most(shape: Shape, table: Unrolling) -> int:
    """Most that the copies which replace a loop may have together, of any size; 0 where none replace it."""
    if not table.copies or not may_be_copied(shape):
        return 0
    allowed, _ = allowance(shape._replace(size=1), table)
    return max(allowed, table.plain)


def copy_size(shape: Shape, table: Unrolling) -> int:
    """Size of a copy: in a loop that is too long to be gone through one by one, counter and test are parts of it."""
    return shape.size + (0 if _is_simulated(shape, table) else table.head)


def _is_simulated(shape: Shape, table: Unrolling) -> bool:
    """True if the compiler goes through the loop iteration by iteration to see what folds away."""
    most = table.simulated if shape.size <= table.simulated_size else table.simulated_large
    return (shape.trips or 0) <= most


def allowance(shape: Shape, table: Unrolling) -> tuple[int, str]:
    """The size limit of all copies together, and its purpose."""
    if not may_be_copied(shape):
        return 0, "no copies"
    if shape.trips == 1:
        return shape.size + table.head, "a single iteration takes"  # no copies, and yet no loop
    if shape.factor is not None:
        return table.by_pragma, "a pragma allows"
    if shape.late:
        return table.counted, "copies of a loop that stays may have"
    trips = shape.trips or 0
    if (shape.keeps or (shape.bounds and table.loop_inside)) and trips > table.outer_trips:
        return table.plain, "around a loop"
    if any(bytes_ <= table.largest_array for bytes_ in shape.arrays):
        return table.private, "a private array allows"
    if shape.shared == 1 and table.local > table.plain:
        return table.local, "an array in LDS allows"
    allowed = table.plain
    if shape.size and _is_simulated(shape, table):
        # What the copies save, the head of each iteration, raises the limit by the same share.
        allowed = min(table.plain * (shape.size + table.saved) // shape.size, _MOST_BOOST * table.plain)
    return allowed, "a loop may have"


def _kept_copies(shape: Shape, table: Unrolling) -> int:
    """Copies of the body in a loop that stays a loop."""
    if shape.written > _LARGE:
        return 1
    beside = table.works_side_by_side and shape.calls
    if shape.factor:
        return min(shape.factor, _MOST_OF_CALLS if beside else _MOST_COPIES)
    if shape.factor == ALL:
        if beside and shape.trips is not None and shape.size:
            return min(_most_equal(shape.trips, table.by_pragma // copy_size(shape, table)), _MOST_OF_CALLS)
        return _PARTIAL if shape.trips is None else _PARTIAL_BY_PRAGMA
    if shape.inner and (shape.keeps or not table.around_gone):
        return 1
    size = shape.size + table.head
    if shape.trips is not None:
        most = min(table.counted // size, shape.trips)
        counts = range(1, most + 1) if table.any_divisor else _POWERS
        copies = max((count for count in counts if shape.trips % count == 0 and count <= most), default=1)
        return copies if copies > 1 or shape.exits or not shape.countable else _odd(table, size, shape.trips)
    return _uncounted(shape, table, size)


def _most_equal(trips: int, most: int) -> int:
    """The most copies that leave no iteration over: of 56, 64 and 96 with `sinf` and `expf` clang makes 28, 32 and 48,
    and each holds as much as in a loop of so many (`test_loop_plan.py`).
    """
    return max((count for count in range(1, min(most, trips) + 1) if trips % count == 0), default=1)


def _odd(table: Unrolling, size: int, trips: int) -> int:
    """Copies where no number of them divides the trip count (251): what is left over has a loop of its own."""
    copies = table.odd_copies
    while copies > 1 and (copies * size > table.counted or copies > trips):
        copies //= 2
    return copies


def _uncounted(shape: Shape, table: Unrolling, size: int) -> int:
    """For a loop whose trip count is only known at run time, LLVM for AMDGPU makes no copies unless it reads LDS, nvcc
    four, or two of a larger body, if the number of iterations can be computed before it: by LLVM with little work, up
    from a number that is known, or down to one, and not in `for (i = t; i < n; i += 256)`.
    """
    if not shape.countable or (shape.most is not None and shape.most <= table.few):
        return 1
    if table.counts_cheaply and not shape.difference:
        return 1
    copies = table.lds_copies if shape.shared else table.runtime_copies
    while copies > 1 and copies * size > table.counted:
        copies //= 2
    return copies
