"""Tensor cores through `nvcuda::wmma`: a fragment is a vector of the registers that a thread holds of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.types import is_fragment
from regpress_lint.ir import ops
from regpress_lint.ir.build.accesses import element, load, store
from regpress_lint.ir.build.lvalues import place_of
from regpress_lint.ir.build.machine import Machine, form_of
from regpress_lint.ir.build.private_objects import assign, scalar
from regpress_lint.ir.graph import INT, SIGNED, made_form
from regpress_lint.ir.objects import Memory, Place, flat
from regpress_lint.targets.builtins import MATRIX_WRITERS

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Call, Expr, Type
    from regpress_lint.ir.objects import Value

_FILL, _LOAD, _STORE = "fill_fragment", "load_matrix_sync", "store_matrix_sync"
_BUILTIN = "__builtin_amdgcn_"
# `__builtin_amdgcn_mfma_...` of CDNA and `..._wmma_...` of RDNA.
BUILTIN = pattern(r"__builtin_amdgcn_s?(?:mfmac?|wmmac?)_")
_SIGNS = "_iu"  # of RDNA: integers, each factor with an argument in front that says whether it has a sign
ACCUMULATED = "mfma"  # the name of the operations
_HALVES = pattern(r"matrix_[ab]\b.*\bhalf\b|matrix_[ab]\b.*\b__half\b")
_LANE = 32  # bytes between the registers of one thread, about: all within the reach of one address


def matrix_call(machine: Machine, expr: Call) -> Value | None:
    """Value of a call of `wmma` or of AMD's instructions for matrices; None for any other."""
    name, args = expr.name, expr.args
    if name.startswith(_BUILTIN) and BUILTIN.match(name):
        return _builtin(machine, args, 4 if _SIGNS in name else 2)
    if name != _STORE and name not in MATRIX_WRITERS:
        return None
    fragment = _fragment(machine, args[1 if name == _STORE else 0]) if len(args) > 1 else None
    if fragment is None:
        return None
    lanes = range(fragment.lanes)
    if name == _STORE:
        values = _registers(machine, args[1])
        rows = _rows(machine, args[0], args[2])
        for lane, value in zip(lanes, values, strict=False):
            store(machine, _place_in_memory(machine, rows, fragment, lane), value)
        return machine.undefined
    if name == _FILL:
        made = tuple([scalar(machine, machine.evaluate(args[1]))] * fragment.lanes)
    elif name == _LOAD:
        made = _loaded(machine, args, fragment)
    else:
        made = _products(machine, args, fragment)
    target = place_of(machine, args[0])
    if isinstance(target, Place):
        assign(machine, target, made)
    return machine.undefined


def _builtin(machine: Machine, args: tuple[Expr, ...], at: int) -> Value | None:
    """`d = mfma(a, b, c, ...)`: as many registers as the argument has that is added to, each of all of the factors."""
    if len(args) <= at:
        return None
    values = [flat(machine.evaluate(arg)) for arg in args[: at + 1]]
    *factors, sums = values
    if len(sums) < 2:
        return None
    graph = machine.graph
    used = tuple(number for each in factors for number in each)
    machine.tally.operations += 1
    machine.tally.size += len(sums)
    return tuple(
        graph.pure(ops.lane_of(ACCUMULATED, lane), (value, *used), graph.forms[value])
        for lane, value in enumerate(sums)
    )


def _loaded(machine: Machine, args: tuple[Expr, ...], fragment: Type) -> tuple[int, ...]:
    """One read a register; what a factor of halves has twice is read, and held, once."""
    twice = _HALVES.search(fragment.name) is not None
    rows = _rows(machine, args[1], args[2] if len(args) > 2 else None)
    places = (_place_in_memory(machine, rows, fragment, lane) for lane in range(fragment.lanes // (1 + twice)))
    return tuple(load(machine, place, form_of(fragment)) for place in places) * (1 + twice)


def _products(machine: Machine, args: tuple[Expr, ...], fragment: Type) -> tuple[int, ...]:
    """The addend, and all of both factors: every register of the result depends on them."""
    graph = machine.graph
    factors = tuple(number for arg in args[1:3] for number in _registers(machine, arg))
    sums = _registers(machine, args[3]) if len(args) > 3 else []
    machine.tally.operations += 1
    machine.tally.size += fragment.lanes
    return tuple(
        graph.pure(ops.lane_of("mma", lane), (*sums[lane : lane + 1], *factors), form_of(fragment))
        for lane in range(fragment.lanes)
    )


def _registers(machine: Machine, arg: Expr) -> list[int]:
    return flat(machine.evaluate(arg))


def _fragment(machine: Machine, arg: Expr) -> Type | None:
    type_ = machine.type_of(arg)
    return type_ if type_ is not None and not type_.pointers and is_fragment(type_) else None


def _rows(machine: Machine, pointer: Expr, pitch: Expr | None) -> tuple[int, int]:
    """Where a matrix begins, and how far a thread's row is from there: the pitch, for each row."""
    graph = machine.graph
    base = scalar(machine, machine.evaluate(pointer))
    row = graph.source(("lane of", "wmma"), INT, divergent=True)
    step = scalar(machine, machine.evaluate(pitch)) if pitch is not None else graph.constant(1)
    return base, graph.pure(ops.MULTIPLY, (row, step), made_form(1, SIGNED))


def _place_in_memory(machine: Machine, rows: tuple[int, int], type_: Type, lane: int) -> Memory:
    """Where one of a thread's registers of a matrix lies: all of them near one another."""
    base, index = rows
    space = machine.memory.spaces.get(base, "global")
    word = type_._replace(lanes=1, size=form_of(type_).width * 4)
    return element(machine, base, index, word, space, offset=lane * _LANE)
