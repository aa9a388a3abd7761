"""Addresses of array elements: which values are made on the way to one, and which of them two accesses share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import ADD, ADDRESS, MULTIPLY, PHI, SCALED, UPPER_HALF, Kind
from regpress_lint.model.graph.ranges import largest
from regpress_lint.model.graph.values import FLOAT, POINTER, SIGNED, UNSIGNED, Form, made_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.model.graph.values import Graph, Region
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.interpreter.state import Stride


_ADDRESS = made_form(2, POINTER)
_NEAR = ("shared", "private")  # what has addresses of 32 bits
_WIDE = 2  # registers of 64 bits
_LINEAR = (ADD, MULTIPLY)


def address_of_element(machine: Machine, base: int, index: int, size: int, space: str) -> int:
    """Address of `base[index]`, elements of `size` bytes."""
    graph = machine.graph
    if space in _NEAR or not machine.compiler.steps_addresses:
        form = made_form(1, POINTER) if space in _NEAR else _ADDRESS
        return graph.pure(ADDRESS, (base, index, graph.constant(size)), form)
    return _stepping(machine, base, index, size) or _scaled(machine, base, _counting(machine, index), size)


def _scaled(machine: Machine, base: int, index: int, size: int) -> int:
    graph = machine.graph
    scale, uniform = graph.constant(size), not graph.divergent[base]
    whole = (base, index, scale)
    if not graph.divergent[index]:
        return graph.pure(ADDRESS, whole, _ADDRESS)
    start, step = _apart(graph, index)
    if start is not None:
        return graph.pure(ADDRESS, (_scaled(machine, base, start, size), step, scale), _ADDRESS)
    if uniform and _fits_word(graph, index, size):
        return graph.pure(ADDRESS, whole, made_form(1, POINTER))  # base and offset are operands of the access
    if size & (size - 1):  # one multiplication with addition in 64 bits
        return graph.pure(ADDRESS, whole, _ADDRESS)
    # An index of 32 bits is extended beside itself first.
    offset = graph.pure(SCALED, (index, scale), made_form(2, SIGNED), 2 - graph.forms[index].width)
    # Of an index that is made for this access alone the lower half stays where it is until the sum is there.
    lower_half = (index,) if graph.ops[index] is ADD and graph.homes[index] is not None else ()
    if not uniform or not machine.compiler.one_scalar_operand:
        return graph.pure(ADDRESS, (base, offset, *lower_half), _ADDRESS)
    # gfx9's vector instructions read one scalar operand, here the carry: the upper half of the base is copied into a
    # vector register, in front of a loop and for all of it.
    around = () if machine.loop_region() is not None else (offset,)
    upper = graph.pure(UPPER_HALF, (base, *around), made_form(1, SIGNED))
    return graph.pure(ADDRESS, (base, offset, upper, *lower_half), _ADDRESS)


def _apart(graph: Graph, index: int) -> tuple[int | None, int]:
    """An index of 64 bits as what differs between threads and what does not: LLVM adds the second to the address that
    the first gives, so that all such indices of an array share that. One of 32 bits is extended as a whole.
    """
    varying, shared = _parts(graph, index) if graph.forms[index].width >= _WIDE else (index, None)
    return (varying, shared) if shared is not None else (None, index)


def _fits_word(graph: Graph, index: int, size: int) -> bool:
    """True if `index * size` is known to have no more than 32 bits and no sign."""
    if size == 1 and graph.kinds[index] == UNSIGNED and graph.forms[index].width == 1:
        return True
    most = largest(graph, index)
    return most is not None and most * size < 1 << 32


# ----------------------------------------------------------------------------------- what a loop makes of addresses


def _stepping(machine: Machine, base: int, index: int, size: int) -> int | None:
    """LLVM's strength reduction: `p[i * n + k]` in a loop over k is a pointer that moves on by a constant."""
    graph, region = machine.graph, machine.loop_region()
    if region is None or not _is_invariant(graph, region, base):
        return None
    start: int | None = None
    counter: int | None = index
    if graph.divergent[index]:
        start, counter = _sum(graph, region, index)
        if graph.kinds[index] == UNSIGNED:  # a sum that may wrap around is no pointer that moves on
            return None
    elif not graph.divergent[base]:
        return None
    if counter not in machine.loops.counters:
        return None

    def first() -> int:
        return base if start is None else graph.pure(ADDRESS, (base, start, graph.constant(size)), _ADDRESS)

    moving = _induction(machine, region, (base, start, counter, size), first, _ADDRESS)
    machine.memory.derived(base, moving)
    return moving


def _counting(machine: Machine, index: int) -> int:
    """The same where the step is not a constant, `p[k * n + i]`: the index itself has a register and moves on."""
    graph, region = machine.graph, machine.loop_region()
    if region is None or not graph.divergent[index]:
        return index
    if graph.ops[index] is ADD and graph.constants[graph.args[index][1]] is not None:  # as far as it may wrap around
        inner, apart = graph.args[index]
        counted = _counting(machine, inner)
        return index if counted == inner else graph.pure(ADD, (counted, apart), graph.form(index))
    start, step = _sum(graph, region, index)
    if start is None or step is None:
        return index
    form = graph.form(index)
    varying, shared = _parts(graph, start)
    stride = _stride(machine, region, step)
    if stride is None:
        return _induction(machine, region, (start, step), lambda: start, form)
    first = machine.loops.strides.setdefault((region, varying, stride), (shared, step))
    counted = _induction(machine, region, (varying, *first), lambda: start, form)
    if first == (shared, step):
        return counted
    # LLVM's strength reduction has one register that moves on for all indices that differ by what all threads share.
    return graph.pure(ADD, (counted, step if shared is None or first[0] == shared else shared), form)


def _parts(graph: Graph, start: int) -> tuple[int, int | None]:
    """Split an index into the part that differs between threads, and the addend that all of them share."""
    if graph.ops[start] is not ADD:
        return start, None
    a, b = graph.args[start]
    if graph.divergent[a] == graph.divergent[b] or graph.constants[a] is not None or graph.constants[b] is not None:
        return start, None
    return (a, b) if graph.divergent[a] else (b, a)


def _stride(machine: Machine, region: Region, step: int) -> Stride | None:
    """The increment per iteration of a number that all threads share, such that equal ones are the same: `(r * 32 + k)
    * m` adds as much as `r * 32 * m`. None where it is not told.
    """
    graph = machine.graph
    if step in machine.loops.counters:
        return (step,)
    op, operands = graph.ops[step], graph.args[step]
    if op.kind is Kind.CONVERSION and len(operands) == 1:
        return _stride(machine, region, operands[0])
    if op not in _LINEAR:
        return None
    moving = [arg for arg in operands if not _is_invariant(graph, region, arg)]
    if len(moving) != 1:
        return None
    inner = _stride(machine, region, moving[0])
    if inner is None or op is ADD:
        return inner
    by = operands[1] if moving[0] == operands[0] else operands[0]
    return tuple(sorted((*inner, by)))


def _induction(
    machine: Machine, region: Region, key: tuple[int | None, ...], first: Callable[[], int], form: Form
) -> int:
    """A value that every iteration moves on, one for each key; `first` gives its start value."""
    graph = machine.graph
    phi = machine.loops.inductions.get((region, key))
    if phi is None:
        start = first()
        phi = machine.loops.inductions[region, key] = graph.add(PHI, (start,), form, region, divergent=True)
        graph.args[phi] = (start, phi)
    return phi


def _sum(graph: Graph, region: Region, index: int) -> tuple[int | None, int | None]:
    """Split an index into the part that the loop does not change and that differs between threads, and the part that it
    changes for all of them."""
    if graph.ops[index] is not ADD or graph.kinds[index] == FLOAT:
        return None, None
    a, b = graph.args[index]
    for start, step in ((a, b), (b, a)):
        varies = graph.homes[step] is region and not graph.divergent[step]
        if varies and graph.divergent[start] and _is_invariant(graph, region, start):
            return start, step
    return None, None


def _is_invariant(graph: Graph, region: Region, value: int) -> bool:
    home = graph.homes[value]
    return home is None or home.depth < region.depth
