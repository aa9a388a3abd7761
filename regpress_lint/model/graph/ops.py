"""The operations of a graph. Passes only use its kind, or which of the few below it is.

An operation is the text that it prints as, so that equal ones are equal texts. Nobody reads that text back: a function
may be called `load`.
"""

from __future__ import annotations

from enum import IntEnum, auto
from functools import cache

ACCUMULATED = "mfma"  # what sums of matrix instructions are called


class Kind(IntEnum):
    """The kind of an operation. (A module that uses one often keeps it in a name: looking up a member is slow.)"""

    SOURCE = auto()  # there from the start: an argument, a thread's id
    CONSTANT = auto()
    PHI = auto()  # what a loop carries
    EXIT = auto()  # what a loop leaves behind
    SELECT = auto()
    CONVERSION = auto()
    ARITHMETIC = auto()
    BITS = auto()  # parts of values put together anew
    ADDRESS = auto()
    HIDDEN = auto()  # what empty inline assembly hands on
    LOAD = auto()
    STORE = auto()
    ATOMIC = auto()
    SELECT_ELEMENT = auto()  # reads an array in registers at a place known at run time
    WRITE_ELEMENT = auto()
    ELEMENT = auto()  # of an array that was written like that
    ROUTINE = auto()  # a library's function, worked out where it stands
    BEGUN = auto()  # its first part, in front of a branch of its own
    ENDED = auto()  # what follows behind that branch
    RESULT = auto()  # one of several values that it gives
    CALL = auto()  # of a function that is not visible, or through a pointer
    CONVERGENT = auto()  # lanes exchange values
    SERVICE = auto()  # of the run-time system: printf, malloc
    BARRIER = auto()
    BRANCH = auto()
    UNKNOWN = auto()  # an expression that was not understood


# Operations that are there for their effect, whatever uses their results.
EFFECTS = frozenset(
    (Kind.STORE, Kind.ATOMIC, Kind.CALL, Kind.CONVERGENT, Kind.SERVICE, Kind.BARRIER, Kind.BRANCH, Kind.UNKNOWN)
)


class Op(str):
    """An operation: its text, its kind, and its subject: the space of an access, the name of a function."""

    __slots__ = ("about", "kind")
    about: str
    kind: Kind

    def __new__(cls, text: str, kind: Kind, about: str = "") -> Op:
        """`text` tells it from all others."""
        op = super().__new__(cls, text)
        op.kind, op.about = kind, about
        return op


SOURCE = Op("source", Kind.SOURCE)
CONSTANT = Op("constant", Kind.CONSTANT)
PHI = Op("phi", Kind.PHI)
EXIT = Op("exit", Kind.EXIT)
LEFT = Op("left", Kind.EXIT)  # what a path leaves behind
SELECT = Op("select", Kind.SELECT)
SELECT_01 = Op("select01", Kind.SELECT)  # a predicate as a number
ZEXT, SEXT, TRUNCATE, CONVERT = (Op(text, Kind.CONVERSION) for text in ("zext", "sext", "truncate", "convert"))
NOT_ZERO, NOT, NEGATIVE, COMPLEMENT = (Op(text, Kind.ARITHMETIC) for text in ("!=0", "!", "unary-", "unary~"))
_BINARY = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<", ">", "<=", ">=", "<=>")
BINARY = {text: Op(text, Kind.ARITHMETIC) for text in _BINARY}  # by the operator of the source
ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER = (BINARY[text] for text in _BINARY[:5])
SHIFT_LEFT, SHIFT_RIGHT, AND, OR, XOR = (BINARY[text] for text in _BINARY[5:10])
BITS = Op("bits", Kind.BITS)  # the same bits as another kind of value
ADDRESS = Op("address", Kind.ADDRESS)
SCALED = Op("scaled", Kind.ADDRESS)  # an index times the size of an element
UPPER_HALF = Op("upper half", Kind.ADDRESS)
HIDDEN = Op("hidden", Kind.HIDDEN)
CARRY = Op("carry", Kind.ARITHMETIC)  # the bit that an addition leaves over
SELECT_ELEMENT = Op("select element", Kind.SELECT_ELEMENT)
WRITE_ELEMENT = Op("write element", Kind.WRITE_ELEMENT)
ELEMENT = Op("element", Kind.ELEMENT)
CALL = Op("call", Kind.CALL)
CONVERGENT = Op("convergent", Kind.CONVERGENT)
BARRIER = Op("barrier", Kind.BARRIER)
BRANCH = Op("branch", Kind.BRANCH)
UNKNOWN = Op("unknown", Kind.UNKNOWN)


@cache
def load(space: str) -> Op:
    """A read from "global", "shared", "private" (scratch), "constant" (nothing writes it) or "texture"."""
    return Op(f"load {space}", Kind.LOAD, space)


@cache
def store(space: str) -> Op:
    """A write to a space."""
    return Op(f"store {space}", Kind.STORE, space)


@cache
def atomic(space: str) -> Op:
    """A read and a write that no other thread comes between."""
    return Op(f"atomic {space}", Kind.ATOMIC, space)


@cache
def instruction(text: str) -> Op:
    """An instruction that inline assembly spells and that only computes."""
    return Op(text, Kind.ARITHMETIC)


def bits_from(byte: int) -> Op:
    """The bits from a byte on of adjacent values."""
    return Op(f"bits {byte}", Kind.BITS)


def routine(name: str) -> Op:
    """A library's function."""
    return Op(f"call {name}", Kind.ROUTINE, name)


def begun(name: str) -> Op:
    """The first part of a library's function that branches; it stays where the call is."""
    return Op(f"call {name} begun", Kind.BEGUN, name)


def ended(name: str, result: int | None = None) -> Op:
    """Its second part, behind the branch: the value, or one of those that it gives through pointers."""
    return Op(f"call {name} ended" if result is None else f"{name} out {result} ended", Kind.ENDED, name)


def result_of(name: str, position: int) -> Op:
    """The result of a library's function through one of its pointers."""
    return Op(f"{name} out {position}", Kind.RESULT, name)


def lane_of(name: str, lane: int) -> Op:
    """An element of the vector that a library's function gives."""
    return Op(f"{name} lane {lane}", Kind.RESULT, name)


def service(name: str) -> Op:
    """A routine of the run-time system."""
    return Op(f"service {name}", Kind.SERVICE, name)


LOAD_GLOBAL, LOAD_SHARED, LOAD_CONSTANT = load("global"), load("shared"), load("constant")
LOAD_PRIVATE, LOAD_TEXTURE = load("private"), load("texture")
