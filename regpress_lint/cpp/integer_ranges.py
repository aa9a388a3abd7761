"""Ranges of integers, and the results of C++'s operators and conversions on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type


INT_MAX, WORD_MAX = (1 << 31) - 1, (1 << 32) - 1
_WIDEST = 64


class Range(NamedTuple):
    """From the smallest value to the largest."""

    low: int
    high: int

    @property
    def fits(self) -> str:
        """The 32-bit type that holds it, `int` before `unsigned`; "" if neither does."""
        if INT.holds(self):
            return "int"
        return "unsigned" if self.low >= 0 and self.high <= WORD_MAX else ""

    def holds(self, other: Range) -> bool:
        return self.low <= other.low and other.high <= self.high


NOTHING = Range(1, 0)  # of a variable of which no value is known so far
ZERO, FLAG = Range(0, 0), Range(0, 1)
INT, UNSIGNED = Range(-INT_MAX - 1, INT_MAX), Range(0, WORD_MAX)


def is_integer(type_: Type | None) -> bool:
    """True for a plain integer whose size is known."""
    if type_ is None or type_.floating or type_.pointers or type_.struct or type_.lanes > 1:
        return False
    return type_.size in (1, 2, 4, 8)


def is_unsigned(type_: Type) -> bool:
    """True for an integer that arithmetic leaves without a sign; narrower ones become an `int`."""
    return not type_.signed and (type_.size or 0) >= 4


def range_of_type(type_: Type | None) -> Range | None:
    """All values of an integer type; None for others."""
    if type_ is None or not is_integer(type_):
        return None
    if type_.name == "bool":
        return FLAG
    bits = 8 * (type_.size or 4)
    return Range(-(1 << bits - 1), (1 << bits - 1) - 1) if type_.signed else Range(0, (1 << bits) - 1)


def unsettled(type_: Range | None) -> Range | None:
    """The range of a value with a known type (`range_of_type`) and nothing else."""
    return type_ if type_ is not None and type_.high <= WORD_MAX else None


def converted(values: Range | None, type_: Range | None) -> Range | None:
    """A range as values of a type: what does not fit wraps around."""
    if type_ is None or values == NOTHING or (values is not None and type_.holds(values)):
        return values
    return unsettled(type_)


def union(first: Range | None, second: Range | None) -> Range | None:
    """The values of both."""
    if first is None or second is None:
        return None
    if NOTHING in (first, second):
        return second if first == NOTHING else first
    return Range(min(first.low, second.low), max(first.high, second.high))


def negative(values: Range | None) -> Range | None:
    """`-x`, before it is converted."""
    return Range(-values.high, -values.low) if values is not None and values != NOTHING else values


def bits(values: Range) -> Range | None:
    """The range of any combination of the bits of such numbers; None if they may be negative."""
    return Range(0, (1 << values.high.bit_length()) - 1) if values.low >= 0 else None


def remainder(left: Range | None, right: Range | None, *, signed: bool) -> Range | None:
    """`left % right`."""
    if right is None or right.low <= 0:
        return None
    most = right.high - 1
    if left is not None and left.low >= 0:
        return Range(0, min(most, left.high))
    return Range(-most if signed else 0, most)


def masked(left: Range | None, right: Range | None) -> Range | None:
    """`left & right`: no more than the smaller one that has no sign."""
    masks = [side.high for side in (left, right) if side is not None and side.low >= 0]
    return Range(0, min(masks)) if masks else None


def shifted(size: int, right: Range | None) -> Range | None:
    """`x >> right` of an otherwise unknown unsigned number of so many bytes."""
    return Range(0, (1 << max(8 * size - max(right.low, 0), 0)) - 1) if right is not None else None


def arithmetic(op: str, left: Range, right: Range) -> Range | None:
    """The result of an operation, before it is converted to the type that it has."""
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
        return bits(Range(0, max(left.high, right.high)))
    if right.high >= _WIDEST:
        return None
    if op == ">>":
        return Range(left.low >> right.high, left.high >> right.low)
    return Range(left.low << right.low, left.high << right.high) if op == "<<" else None
