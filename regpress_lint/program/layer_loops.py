"""The loops in which a portability layer executes a kernel's body, in our own tree.

They decide registers: what the body reads through arguments and makes of constants stays alive around them. Read in
Kokkos 4.6 (`core/src/{Cuda,HIP}/Kokkos_*_ParallelFor_Range.hpp`, `impl/KokkosExp_IterateTileGPU.hpp`): an index of
`unsigned int` steps through the grid, MDRange is one loop over tiles for each of up to three dimensions, in 64 bits.
nvcc 13.0.88 and clang 19.1.7 give such a loop around the body the registers of Kokkos' own kernel for seven of eight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Conditional,
    Declare,
    Evaluate,
    If,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    Type,
    Variable,
)
from regpress_lint.cpp.traversal import walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Expr

_UNSIGNED, _LONG = Type("unsigned int", 4, signed=False), Type("long", 8)
_AXES = "xyz"
_TILED = pattern(r"\bMDRange\w*|\bRank\s*<")
_TEAM = pattern(r"\bTeam(?:Policy|VectorPolicy)\b|\bteam_policy\b")
_MOST_TILED = 3  # dimensions: of more, several share one of the grid


def looped(layer: str, form: str, policy: str, indices: Sequence[Variable], body: Block) -> Block | None:
    """What the kernel of a layer executes around a body whose indices are these; None for the body itself."""
    if layer != "Kokkos" or form.rpartition("::")[2] not in ("parallel_for", "functor") or not indices:
        return None
    if _TEAM.search(policy):
        return None
    inner = _called(body)
    if _TILED.search(policy) or len(indices) > 1:
        return _tiles(indices[:_MOST_TILED], inner) if len(indices) <= _MOST_TILED else None
    return _strided(indices[0], inner)


def _called(body: Block) -> Block:
    """A body that is left by `return`, as a lambda: it leaves no loop around it."""
    if not any(isinstance(node, Return) for node in walk(body)):
        return body
    span = body.span
    closure = LambdaExpr(span, (), body, by_reference=True)
    return Block(span, (Evaluate(span, Call(span, closure, "", "", ())),))


def _strided(index: Variable, body: Block) -> Block:
    """A loop that steps through the range by the size of the grid."""
    span = body.span
    work = _local(span, "work index", _UNSIGNED, _plus(span, _argument(span, "first of the range"), _thread(span, "y")))
    end = _parameter(span, "end of the range", _UNSIGNED)
    # What is made of arguments alone is in uniform registers or scalar ones, which nobody counts: as arguments are.
    stride, reach = (_parameter(span, name, _UNSIGNED) for name in ("size of the grid", "last step of the range"))
    at, last, step, most = (Name(span, each.name, each) for each in (work, end, stride, reach))
    near = Binary(span, "<", at, most)
    move = Assign(span, "=", at, Conditional(span, near, Binary(span, "+", at, step), last))
    given = Evaluate(span, Assign(span, "=", Name(span, index.name, index), at))
    loop = Loop(span, "for", (Declare(span, (work,)),), Binary(span, "<", at, last), move, Block(span, (given, body)))
    return Block(span, (loop,))


def _tiles(indices: Sequence[Variable], body: Block) -> Block:
    """Loops over tiles, that of the last index outermost; a thread has one place in each."""
    span, inner = body.span, body
    for axis, index in enumerate(indices):
        tile, lower, upper, count = (
            _parameter(span, f"{what} of dimension {axis}", _LONG) for what in ("tile", "lower", "upper", "tiles")
        )
        number = _local(span, f"tile {axis}", _LONG, _place(span, "blockIdx", _AXES[axis]))
        name, size, first, end, most = (Name(span, each.name, each) for each in (number, tile, lower, upper, count))
        thread = _place(span, "threadIdx", _AXES[axis])
        sum_ = _plus(span, _plus(span, Binary(span, "*", name, size), thread), first)
        offset = _local(span, f"offset {axis}", _LONG, sum_)
        at = Name(span, offset.name, offset)
        inside = Binary(span, "&&", Binary(span, "<", at, end), Binary(span, "<", thread, size))
        given = Evaluate(span, Assign(span, "=", Name(span, index.name, index), at))
        step = Assign(span, "+=", name, _place(span, "gridDim", _AXES[axis]))
        whole = Block(span, (Declare(span, (offset,)), If(span, inside, Block(span, (given, inner)), None)))
        loop = Loop(span, "for", (Declare(span, (number,)),), Binary(span, "<", name, most), step, whole)
        inner = Block(span, (loop,))
    return inner


def _local(span: Span, name: str, type_: Type, init: Expr) -> Variable:
    return Variable(name, type_, span, span, "local", init=init)


def _parameter(span: Span, name: str, type_: Type) -> Variable:
    return Variable(name, type_, span, span, "parameter")


def _argument(span: Span, name: str) -> Expr:
    variable = _parameter(span, name, _UNSIGNED)
    return Name(span, name, variable)


def _place(span: Span, what: str, axis: str) -> Expr:
    return Member(span, Name(span, what), axis, arrow=False)


def _plus(span: Span, left: Expr, right: Expr) -> Expr:
    return Binary(span, "+", left, right)


def _thread(span: Span, axis: str) -> Expr:
    """A thread's place in a grid of blocks that lie along `axis`, which the grid counts along x."""
    block = Binary(span, "*", _place(span, "blockDim", axis), _place(span, "blockIdx", "x"))
    return _plus(span, _place(span, "threadIdx", axis), block)
