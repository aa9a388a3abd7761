"""Values carried by a loop from one iteration to the next: which variables, a phi for each, what they hold afterwards.

The text of a loop says which variables it names; what it changes through references that it binds itself, through calls
that give one, and through members of objects, only its execution knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.objects import Dynamic, Parts, Place, Value, View
from regpress_lint.model.graph.ops import ADD, EXIT, LEFT, PHI, SELECT, SUBTRACT
from regpress_lint.model.graph.values import FLOAT, POINTER, PREDICATE, SIGNED, Region, made_form
from regpress_lint.model.interpreter import arithmetic, loop_writes
from regpress_lint.model.interpreter.loop_control import steps_by_constant
from regpress_lint.model.interpreter.loop_writes import root_of
from regpress_lint.model.interpreter.private_objects import variable_value
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.model.interpreter.written_members import written_members

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Loop, Variable
    from regpress_lint.model.graph.objects import Path
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine


def visible(machine: Machine, loop: Loop) -> tuple[Variable, ...]:
    """Variables that the function around a loop can name, or reach through its references and its object; no others:
    variables of functions that were called before are out of scope.
    """
    variables = dict.fromkeys(name for name in machine.names.values() if not _is_inside(name, loop))
    values = (machine.variables.get(variable) for variable in variables)
    variables |= dict.fromkeys(value.variable for value in tuple(values) if isinstance(value, Place))
    root = root_of(machine, machine.this) if machine.this is not None else None
    return (*variables, *(() if root is None or root in variables else (root,)))


def _is_inside(variable: Variable, loop: Loop) -> bool:
    return loop.span.start <= variable.declaration.start < loop.span.end


def changed(
    machine: Machine, variables: Iterable[Variable], before: Mapping[Variable, Value], known: Collection[Variable]
) -> tuple[Variable, ...]:
    """Variables that hold something else after an iteration than before it, except those already known."""
    return tuple(
        variable
        for variable in variables
        if variable not in known
        and variable in before
        and _differs(machine, before[variable], machine.variables.get(variable))
    )


def _differs(machine: Machine, before: Value, now: Value | None) -> bool:
    if before is now or now is None or before.__class__ is not now.__class__:
        return False
    if isinstance(before, Parts) and isinstance(now, Parts):
        pairs = ((value, now.parts.get(path)) for path, value in before.parts.items())
        return any(_differs(machine, value, after) for value, after in pairs)
    if isinstance(before, tuple):
        return before != now
    return isinstance(before, int) and before != now and before != machine.undefined


def phis_of(machine: Machine, loop: Loop, region: Region) -> dict[Variable, Value]:
    """For each variable that the loop changes, a value that differs from one iteration to the next."""
    machine.own()
    phis: dict[Variable, Value] = {}
    written = (*loop_writes.assigned(machine, loop), *carried(machine, loop))
    _moved_pointers(machine, written)
    for variable in written:
        before = machine.variables.get(variable)
        if before is None:
            if variable.storage != "parameter" or variable.dims:
                continue
            before = variable_value(machine, variable)
        if isinstance(before, int) and variable.dims:  # the place of an array in LDS: the loop changes what is there
            continue
        type_ = variable.type
        plain = type_.size is not None and not type_.pointers and not type_.struct and type_.lanes == 1
        if isinstance(before, int) and before != machine.undefined and plain:
            before = arithmetic.convert(machine.graph, before, form_of(type_))
        if isinstance(before, (int, tuple, Parts)):
            phi = phis[variable] = _with_steady(machine, loop, variable, before, _phi(machine, region, before))
            if isinstance(phi, int) and steps_by_constant(machine, loop, variable):
                machine.loops.counters.add(phi)
            # The body writes into the parts of its own copy.
            machine.variables[variable] = phi.copy(machine.owner) if isinstance(phi, Parts) else phi
    return phis


def _with_steady(machine: Machine, loop: Loop, variable: Variable, before: Value, phi: Value) -> Value:
    """The phi of a variable, with the numbers that an execution has found to be the same in each iteration, and those
    in members of an object that nothing in the loop writes.
    """
    if isinstance(phi, Parts) and isinstance(before, Parts):
        numbers = {path: one for path, one in before.parts.items() if _is_number(machine, path, one)}
        written = written_members(machine, loop, variable) if numbers else None
        phi.parts.update((path, one) for path, one in numbers.items() if written is not None and path[0] not in written)
    for held_steady, path in machine.known.steady.get((loop, machine.graph.site), ()):
        if held_steady is not variable:
            continue
        if not path:
            return before
        if isinstance(phi, Parts) and isinstance(before, Parts) and path in before.parts:
            phi.parts[path] = before.parts[path]
    return phi


def _is_number(machine: Machine, path: Path, value: Value) -> bool:
    """True for a whole number that is known, in a member of an object."""
    constant = machine.graph.constants[value] if isinstance(value, int) and path and isinstance(path[0], str) else None
    return isinstance(constant, int)


def steady_numbers(machine: Machine, loop: Loop, phis: Mapping[Variable, Value]) -> frozenset[tuple[Variable, Path]]:
    """Whole numbers that begin as constants, and are the same whenever another iteration begins, by what an iteration
    has left in them: the top of a stack that is pushed and popped as often (LLVM's SCCP). A number with which the test
    ends the loop does not come back (its jump threading); not each compiler sees that where another one does.
    """
    steady = set()
    for variable, phi in phis.items():
        after = machine.variables.get(variable)
        pairs: list[tuple[Path, Value, Value | None]] = [((), phi, after)]
        if isinstance(phi, Parts) and isinstance(after, Parts):
            pairs = [(path, one, after.parts.get(path)) for path, one in phi.parts.items()]
        for path, one, now in pairs:
            if isinstance(one, int) and isinstance(now, int) and _is_steady(machine, loop, (variable, path), one, now):
                steady.add((variable, path))
    return frozenset(steady)


_MOST_NUMBERS, _MOST_DEEP = 8, 24


def _is_steady(machine: Machine, loop: Loop, place: tuple[Variable, Path], phi: int, after: int) -> bool:
    graph = machine.graph
    if graph.ops[phi] is not PHI or graph.kinds[phi] in (FLOAT, POINTER):
        return False
    start = graph.constants[graph.args[phi][0]]
    numbers = _numbers(graph, after, phi, start, _MOST_DEEP) if isinstance(start, int) else None
    if numbers is None or numbers == {start}:
        return numbers is not None
    if loop.test is None or phi in machine.loops.counters:  # a counter does not end the loop at its first step
        return False
    if not machine.compiler.threads_jumps and len(numbers) > 1:
        return False
    return all(number == start or _ends(machine, loop, place, number) for number in numbers)


def _numbers(graph: Graph, value: int, phi: int, start: Number, deep: int) -> set[Number] | None:
    """All that a value can be if a phi is `start`; None if that is not known."""
    op, args, constant = graph.ops[value], graph.args[value], graph.constants[value]
    if value == phi or constant is not None:
        return {start if constant is None else constant}
    if not deep or op not in (SELECT, LEFT, ADD, SUBTRACT):
        return None
    parts = [_numbers(graph, arg, phi, start, deep - 1) for arg in (args[1:] if op is SELECT else args[-2:])]
    if op is LEFT or len(parts) < 2:
        return parts[-1] if parts else None
    if (first := parts[0]) is None or (second := parts[1]) is None:
        return None
    numbers = first | second if op is SELECT else {a + b if op is ADD else a - b for a in first for b in second}
    return numbers if len(numbers) <= _MOST_NUMBERS else None


def _ends(machine: Machine, loop: Loop, place: tuple[Variable, Path], number: Number) -> bool:
    """Whether the test of a loop ends it if a variable, or a part of one, has a value."""
    assert loop.test is not None
    mark, (variable, path) = machine.mark(), place
    machine.own()
    constant = machine.graph.constant(number)
    held = machine.variables.get(variable)
    if path and isinstance(held, Parts):
        held = held.copy(machine.owner)
        held.parts[path] = constant
    machine.variables[variable] = held if path and held is not None else constant
    result = machine.evaluate(loop.test)
    ends = isinstance(result, int) and machine.graph.constants[result] == 0
    machine.rewind(mark)
    return ends


def carried(machine: Machine, loop: Loop) -> tuple[Variable, ...]:
    """Changes by the loop that an execution has shown, in addition to those in its text."""
    return machine.known.carried.get((loop, machine.graph.site), ())


def _moved_pointers(machine: Machine, changed: tuple[Variable, ...]) -> None:
    """Pointers into an array that a loop moves or gives each other: their targets are only known at run time."""
    for variable in changed:
        before = machine.variables.get(variable)
        if not variable.type.pointers or variable.dims or not isinstance(before, Place) or isinstance(before, View):
            continue
        if before.variable.dims and all(not isinstance(key, str) for key in before.path):
            start = machine.graph.source(("moved", variable), made_form(1, SIGNED))
            machine.arrays.pointed.starts.add(start)
            machine.variables[variable] = Place(before.variable, (Dynamic(start),) * len(before.variable.dims))


def starts_of(machine: Machine, loop: Loop) -> set[int]:
    """Values that say where the pointers that a loop moves are at the start of an iteration."""
    places = (machine.variables.get(variable) for variable in loop_writes.assigned(machine, loop))
    keys = (key for place in places if isinstance(place, Place) for key in place.path)
    return {key.value for key in keys if isinstance(key, Dynamic)} & machine.arrays.pointed.starts


def _phi(machine: Machine, region: Region, before: Value) -> Value:
    if isinstance(before, tuple):
        return tuple(_single_phi(machine, region, lane) for lane in before)
    if isinstance(before, Parts):
        parts = {path: _phi(machine, region, value) for path, value in before.parts.items()}
        return Parts(before.origin, parts, machine.owner)
    return _single_phi(machine, region, before) if isinstance(before, int) else before


def _single_phi(machine: Machine, region: Region, before: int) -> int:
    if before == machine.undefined:
        return before
    graph = machine.graph
    width, kind = graph.form(before)
    form = made_form(0 if kind == PREDICATE else width, kind)
    phi = graph.add(PHI, (before,), form, region, divergent=graph.divergent[before])
    machine.memory.derived(before, phi)
    return phi


def closed(machine: Machine, region: Region, phi: Value, after: Value, behind: Value | None = None) -> Value:
    """Connect a phi with its value at the loop's end; what the variable holds behind the loop. behind: what it holds
    where a `break` leaves the loop, None where its end leaves it.
    """
    if isinstance(phi, int):
        left_value = behind if isinstance(behind, int) else None
        return closed_value(machine, region, phi, after, left_value) if isinstance(after, int) else after
    if isinstance(phi, tuple) and isinstance(after, tuple):
        left_lanes = behind if isinstance(behind, tuple) else (None,) * len(phi)
        rows = zip(phi, after, left_lanes, strict=False)
        return tuple(closed_value(machine, region, *row) for row in rows)
    if isinstance(phi, Parts) and isinstance(after, Parts):
        left_parts = behind if isinstance(behind, Parts) else None
        result = (left_parts or after).copy()
        for path, part in phi.parts.items():
            if (value := after.parts.get(path)) is not None:
                left_part = left_parts.parts.get(path) if left_parts is not None else None
                result.parts[path] = closed(machine, region, part, value, left_part)
        return result
    return after if behind is None else behind


def closed_value(machine: Machine, region: Region, phi: int, after: int, behind: int | None = None) -> int:
    """The same for one value."""
    graph = machine.graph
    leaving = after if behind is None else behind
    if graph.ops[phi] is not PHI or graph.homes[phi] is not region or len(graph.args[phi]) != 1:
        return leaving
    graph.args[phi] = (graph.args[phi][0], after)
    if leaving == phi:
        return phi
    exited = machine.effect(EXIT, (leaving,), graph.form(phi))
    machine.memory.derived(phi, exited)
    return exited
