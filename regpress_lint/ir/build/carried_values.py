"""Values that a loop carries from one iteration to the next, as one iteration of it has shown.

The text of a loop says which variables it names; what it changes through references that it binds itself, through calls
that give one, and through members of objects, only its execution knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.build.loop_text import root_of
from regpress_lint.ir.objects import Parts, Place, Value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from regpress_lint.cpp.syntax_tree import Loop, Variable
    from regpress_lint.ir.build.machine import Machine


def visible(machine: Machine, loop: Loop) -> tuple[Variable, ...]:
    """Variables that the function around a loop can name, or reach through its references and its object; no others:
    variables of functions that were called before are out of scope.
    """
    found = dict.fromkeys(one for one in machine.names.values() if not _is_inside(one, loop))
    values = (machine.variables.get(variable) for variable in found)
    found |= dict.fromkeys(value.variable for value in tuple(values) if isinstance(value, Place))
    root = root_of(machine, machine.this) if machine.this is not None else None
    return (*found, *(() if root is None or root in found else (root,)))


def _is_inside(variable: Variable, loop: Loop) -> bool:
    return loop.span.start <= variable.declaration.start < loop.span.end


def changed(
    machine: Machine,
    variables: Iterable[Variable],
    before: Mapping[Variable, Value],
    known: Collection[Variable],
) -> tuple[Variable, ...]:
    """Variables that hold something else after an iteration than before it, except those already known."""
    return tuple(
        each
        for each in variables
        if each not in known and each in before and _differs(machine, before[each], machine.variables.get(each))
    )


def _differs(machine: Machine, before: Value, now: Value | None) -> bool:
    if before is now or now is None or before.__class__ is not now.__class__:
        return False
    if isinstance(before, Parts) and isinstance(now, Parts):
        pairs = ((value, now.parts.get(path)) for path, value in before.parts.items())
        return any(_differs(machine, value, other) for value, other in pairs)
    if isinstance(before, tuple):
        return before != now
    return isinstance(before, int) and before != now and before != machine.undefined
