"""Where paths of control meet: one state out of two."""

from __future__ import annotations

from itertools import compress, islice
from operator import is_not
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Name
from regpress_lint.ir.build import arithmetic
from regpress_lint.ir.build.accesses import either
from regpress_lint.ir.objects import Closure, Memory, Parts, Place, Value

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.ir.build.machine import Machine


def merged(
    machine: Machine, condition: int, a: dict[Variable, Value], b: dict[Variable, Value]
) -> dict[Variable, Value]:
    """The variables after `if (condition)` with state `a` after the one branch and `b` after the other."""
    result = a.copy()
    # Both began as copies of one state, so that they mostly name the same variables in the same order; few differ, and
    # those are found without a step of the interpreter for each of the others.
    if any(map(is_not, a, b)):
        for variable, one in a.items():
            other = b.get(variable, one)
            if one is not other:
                result[variable] = chosen(machine, condition, one, other)
        result.update((variable, value) for variable, value in b.items() if variable not in a)
    else:
        values = zip(a, a.values(), b.values(), strict=False)
        for variable, one, other in compress(values, map(is_not, a.values(), b.values())):
            result[variable] = chosen(machine, condition, one, other)
        if len(b) > len(a):
            result.update(islice(b.items(), len(a), None))
    machine.own()
    return result


def chosen(machine: Machine, condition: int, a: Value, b: Value) -> Value:
    """`condition ? a : b` for anything; what was never written takes the other side's value."""
    if isinstance(a, int) and isinstance(b, int):
        return _number(machine, condition, a, b)
    if isinstance(a, tuple) or isinstance(b, tuple):
        return _lanes(machine, condition, a, b)
    if isinstance(a, Parts) and isinstance(b, Parts):
        return _parts(machine, condition, a, b)
    if isinstance(a, Closure) and isinstance(b, Closure):
        return Closure(a.expression, late=True) if _are_two_functions(a, b) else a
    if isinstance(a, Memory) and isinstance(b, Memory):
        return either(machine, condition, a, b)
    for side in (a, b):
        if isinstance(side, (Place, Memory, Closure, Parts)):
            return side
    return a


def _are_two_functions(a: Closure, b: Closure) -> bool:
    """Whether it is unknown until the kernel runs which of them is called."""
    one, other = a.expression, b.expression
    different = isinstance(one, Name) and isinstance(other, Name) and one.name != other.name
    return a.late or b.late or different


def _number(machine: Machine, condition: int, a: int, b: int) -> int:
    if machine.undefined in (a, b):
        return b if a == machine.undefined else a
    result = arithmetic.choose(machine.graph, condition, a, b)
    for side in (a, b):
        if side in machine.memory.spaces:
            machine.memory.spaces.setdefault(result, machine.memory.spaces[side])
    if a in machine.memory.roots and machine.memory.roots[a] == machine.memory.roots.get(b):
        machine.memory.roots.setdefault(result, machine.memory.roots[a])
    return result


def _lanes(machine: Machine, condition: int, a: Value, b: Value) -> Value:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(_number(machine, condition, one, other) for one, other in zip(a, b, strict=False))
    lanes, single = (a, b) if isinstance(a, tuple) else (b, a)
    if not isinstance(single, int) or not isinstance(lanes, tuple):
        return lanes
    return tuple(_number(machine, condition, lane, single) for lane in lanes)


def _parts(machine: Machine, condition: int, a: Parts, b: Parts) -> Parts:
    if a is b:
        return a
    result = a.copy()
    for path, other in b.parts.items():
        one = result.parts.get(path)
        if one is None:
            result.parts[path] = other
        elif one is not other:
            result.parts[path] = chosen(machine, condition, one, other)
    return result
