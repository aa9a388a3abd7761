"""Upper bounds of integers: never below a value that C++ can compute, and as tight as LLVM's known bits."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from hypothesis import example, given, strategies as st
from ssa_helpers import run, stored

from regpress_lint.model.graph.ranges import largest

PARAMETERS = "long long *q, const unsigned char *c, const unsigned short *h, int n, unsigned u, long long l, ULL m"
TYPES = "typedef unsigned long long ULL;"


def bound(expression: str) -> int | None:
    """The known range of an expression that is stored in 64 bits."""
    machine = run(f"q[tid] = {expression};", PARAMETERS, TYPES)
    (value,) = stored(machine)
    return largest(machine.graph, value)


# ------------------------------------------------------------------------------------------- what C++ makes of it


class Kind(NamedTuple):
    """An integer type of C++."""

    bits: int
    signed: bool

    def wrap(self, value: int) -> int:
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value


INT, UNSIGNED, LONG, ULONG = Kind(32, True), Kind(32, False), Kind(64, True), Kind(64, False)


class Leaf(NamedTuple):
    """A source with the values that it can have, or a literal, which has one."""

    text: str
    kind: Kind
    least: int
    most: int


class Node(NamedTuple):
    """An operation; `? :` chooses by whether `n` is above 3."""

    op: str
    a: Tree
    b: Tree

    @property
    def text(self) -> str:
        if self.op == "?":
            return f"(n > 3 ? {self.a.text} : {self.b.text})"
        return f"({self.a.text} {self.op} {self.b.text})"


Tree = Leaf | Node
N = Leaf("n", INT, -(1 << 31), (1 << 31) - 1)
SOURCES = (
    N,
    Leaf("threadIdx.x", UNSIGNED, 0, 1023),
    Leaf("blockDim.x", UNSIGNED, 1, 65535),  # the 16 bits that the dispatch packet has
    Leaf("u", UNSIGNED, 0, (1 << 32) - 1),
    Leaf("c[3]", INT, 0, 255),
    Leaf("h[3]", INT, 0, 65535),
    Leaf("l", LONG, -(1 << 63), (1 << 63) - 1),
    Leaf("m", ULONG, 0, (1 << 64) - 1),
)
LITERALS = (0, 1, 2, 3, 7, 8, 31, 100, 255, 1023, 65535, 1 << 20)
OPERATIONS = ("+", "-", "*", "&", "|", "^", "%", "/", ">>", "<<", "?")


class UndefinedError(Exception):
    """C++ gives no result."""


def literals() -> st.SearchStrategy[Tree]:
    kinds = st.sampled_from((("", INT), ("u", UNSIGNED), ("ull", ULONG)))
    return st.builds(lambda value, kind: Leaf(f"{value}{kind[0]}", kind[1], value, value), NUMBERS, kinds)


NUMBERS = st.sampled_from(LITERALS)
# Mostly what is bounded: of a tree with an arbitrary number in it nothing is known.
LEAVES: st.SearchStrategy[Tree] = st.one_of(st.sampled_from(SOURCES[1:6]), literals(), st.sampled_from(SOURCES))
BOUNDED: st.SearchStrategy[Tree] = st.one_of(
    st.sampled_from(SOURCES[1:6]),
    st.builds(Node, st.sampled_from("&%"), st.sampled_from(SOURCES), literals()),
    st.builds(Node, st.just(">>"), st.sampled_from(SOURCES[1:6]), literals()),
)
TREES = st.builds(
    Node,
    st.sampled_from(OPERATIONS),
    st.recursive(BOUNDED, lambda inner: st.builds(Node, st.sampled_from(OPERATIONS), inner, inner), max_leaves=3),
    st.one_of(BOUNDED, LEAVES),
)


def leaves(tree: Tree) -> set[Leaf]:
    return {tree} if isinstance(tree, Leaf) else leaves(tree.a) | leaves(tree.b) | {N}


def kind_of(tree: Tree) -> Kind:
    if isinstance(tree, Leaf):
        return tree.kind
    a, b = kind_of(tree.a), kind_of(tree.b)
    if tree.op in ("<<", ">>"):
        return a
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return b if a.signed else a


def value_of(tree: Tree, values: dict[Leaf, int]) -> int:
    """Raises UndefinedError."""
    if isinstance(tree, Leaf):
        return values[tree]
    kind = kind_of(tree)
    if tree.op == "?":
        return kind.wrap(value_of(tree.a if values[N] > 3 else tree.b, values))
    shift = tree.op in ("<<", ">>")
    a, b = kind.wrap(value_of(tree.a, values)), value_of(tree.b, values)
    b = b if shift else kind.wrap(b)
    exact = operated(tree.op, a, b, kind)
    if kind.signed and kind.wrap(exact) != exact:
        raise UndefinedError
    return kind.wrap(exact)


def operated(op: str, a: int, b: int, kind: Kind) -> int:
    if op in ("<<", ">>"):
        if not 0 <= b < kind.bits or (op == "<<" and a < 0):
            raise UndefinedError
        return a << b if op == "<<" else a >> b
    if op in "/%":
        if not b:
            raise UndefinedError
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - quotient * b
    return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[op]


@given(TREES)
@example(Node("%", N, Leaf("7", INT, 7, 7)))  # negative for a negative `n`
@example(Node("/", Leaf("u", UNSIGNED, 0, (1 << 32) - 1), N))
@example(Node("?", Leaf("c[3]", INT, 0, 255), Leaf("h[3]", INT, 0, 65535)))
def test_no_value_that_occurs_is_above_the_bound(tree: Tree) -> None:
    known = bound(tree.text)
    if known is None:
        return
    generator, sources = random.Random(tree.text), sorted(leaves(tree))
    for trial in range(60):
        values = {leaf: chosen(leaf, generator, trial) for leaf in sources}
        try:
            value = value_of(tree, values)
        except UndefinedError:
            continue
        assert LONG.wrap(value) & ((1 << 64) - 1) <= known, (tree.text, values)


def chosen(leaf: Leaf, generator: random.Random, trial: int) -> int:
    """The largest values first, then the ends of the range and any between them."""
    if trial == 0:
        return leaf.most
    some = (leaf.most, leaf.most, leaf.least, leaf.most >> 1, 5, generator.randint(leaf.least, leaf.most))
    return max(leaf.least, min(leaf.most, generator.choice(some)))


# ------------------------------------------------------------------------------------------------- how tight it is


@pytest.mark.parametrize(
    ("expression", "most"),
    [
        ("threadIdx.x", 1023),
        ("threadIdx.x + 4", 1027),
        ("threadIdx.x * 64 + 5", 1023 * 64 + 5),
        ("threadIdx.x << 4", 1023 << 4),
        ("threadIdx.x >> 5", 31),
        ("threadIdx.x + blockDim.x", 1023 + 65535),
        ("threadIdx.x * blockDim.x", 1023 * 65535),
        ("n & 1023", 1023),
        ("1023 & l", 1023),
        ("u % 100", 99),
        ("u / 100", ((1 << 32) - 1) // 100),
        ("u >> 3", ((1 << 32) - 1) >> 3),
        ("c[3]", 255),
        ("c[3] * 4 + h[3]", 255 * 4 + 65535),
        ("c[3] | 256", 511),
        ("n > 3 ? c[3] : threadIdx.x", 1023),
        ("u", (1 << 32) - 1),
        ("7", 7),
    ],
)
def test_ranges_known_to_a_compiler(expression: str, most: int) -> None:
    assert bound(expression) == most


@pytest.mark.parametrize(
    "expression",
    ["n", "n + 1", "l", "-7", "n % 100", "n >> 3", "threadIdx.x - 1", "n / 2", "c[3] - 1", "c[3] * n", "n | 255", "m"],
)
def test_possibly_negative_value_has_no_range(expression: str) -> None:
    known = bound(expression)
    assert known is None or known >= (1 << 31) - 1


def test_bound_that_does_not_fit_is_dropped() -> None:
    assert bound("h[3] * h[3] * c[3]") is None  # a signed product that may overflow
    assert bound("threadIdx.x << 28") == (1 << 32) - 1
