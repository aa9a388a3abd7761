"""The `Shape` of a loop: all that a compiler knows before the loop is executed, except the number of iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Assign, Binary, Constant, Name, Update
from regpress_lint.model.graph.ops import ADD
from regpress_lint.model.graph.ranges import largest
from regpress_lint.model.graph.values import UNSIGNED
from regpress_lint.model.interpreter import loop_indices, loop_text
from regpress_lint.model.interpreter.loop_control import (
    in_passing,
    is_countable,
    is_countable_in_parts,
    settled,
    step_in,
)
from regpress_lint.model.interpreter.private_objects import scalar
from regpress_lint.model.interpreter.trip_counts import Trips, increment_of, is_folded, most_trips, plain_number
from regpress_lint.targets.compilers.traits import DEFAULT_THREADS
from regpress_lint.targets.loop_plan import Shape

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Loop, Variable
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


_LONG = 8  # bytes


def shape_of(machine: Machine, loop: Loop, counted: Trips | None, factor: int | None) -> Shape:
    """Properties of a loop before it is executed."""
    trips = counted.number if counted is not None else None
    most = trips if trips is not None else most_trips(machine, loop)
    if trips is not None and is_folded(machine, loop):
        trips = None
    return Shape(
        trips,
        factor,
        inner=bool(loop_text.loops_inside(machine, loop)),
        countable=is_countable(machine, loop),
        arrays=tuple(_bytes(machine, variable) for variable in loop_indices.indexed_arrays(machine, loop)),
        shared=loop_indices.shared_arrays(machine, loop),
        written=len(machine.graph),
        most=most if trips is None else None,
        behind=counted is not None and counted.behind,
        counted=counted.number if counted is not None else None,
        difference=_is_difference(machine, loop),
        wide=_is_wide(machine, loop),
        sure=_sure_trips(machine, loop) if most is not None and trips is None else 0,
        by_parts=trips is None and bool(factor) and is_countable_in_parts(machine, loop),
    )


def _sure_trips(machine: Machine, loop: Loop) -> int:
    """Iterations of `for (i = threadIdx.x; i < 2048; i += 256)` that every thread of the largest block makes."""
    test, steps = loop.test, loop_text.steps_of(loop)
    counter = test.left.variable if isinstance(test, Binary) and isinstance(test.left, Name) else None
    if not isinstance(test, Binary) or test.op != "<" or counter is None or len(steps) != 1:
        return 0
    by, bound = increment_of(machine, steps[0], counter), plain_number(machine, test.right, counter)
    start = machine.variables.get(counter)
    most = largest(machine.graph, start) if isinstance(start, int) else None
    if by is None or by <= 0 or bound is None or most is None:
        return 0
    return max(0, -(-(bound - max(most, DEFAULT_THREADS - 1)) // by))


def _is_difference(machine: Machine, loop: Loop) -> bool:
    """True if the iterations are those up from a number that is known, or down to one, by steps of a constant, which is
    1 for 64 bits, or as many as an unsigned number is added to where the counter begins.
    """
    steps = _steps_asked(machine, loop)
    by = {1 if isinstance(step, Update) else settled(machine, loop, step.value) for step in steps}
    if not isinstance(loop.test, Binary) or None in by or (by != {1} and _is_wide(machine, loop)):
        return not steps
    targets = (step.operand if isinstance(step, Update) else step.target for step in steps)
    starts = [machine.variables.get(name.variable) for name in targets if isinstance(name, Name) and name.variable]
    graph, right, is_down = machine.graph, loop.test.right, any(step.op[0] == "-" for step in steps)
    begins_known = all(isinstance(start, int) and graph.constants[start] is not None for start in starts)
    if begins_known and not is_down and _is_plain(right):
        machine.evaluated += right.__class__ is Constant  # as if it had been
        return True

    def leads_there(value: Value) -> bool:
        bound = scalar(machine, value)
        if graph.constants[bound] is not None if is_down else begins_known:
            return True
        is_sum = graph.ops[bound] is ADD and graph.kinds[bound] == UNSIGNED
        return is_sum and any(_is_same(machine, start, arg) for start in starts for arg in graph.args[bound])

    return in_passing(machine, right, leads_there)


def _is_plain(expr: Expr) -> bool:
    """True for a literal, and for a number that a variable holds."""
    variable = expr.variable if isinstance(expr, Name) else None
    if variable is None or variable.storage not in ("local", "parameter"):
        return expr.__class__ is Constant
    return not (variable.dims or variable.type.struct or variable.type.reference)


def _is_same(machine: Machine, start: Value | None, number: int) -> bool:
    """True for one number, or the same with and without a sign."""
    graph = machine.graph
    if not isinstance(start, int) or start == number:
        return start == number
    return bool(graph.args[start]) and (graph.ops[start], graph.args[start]) == (graph.ops[number], graph.args[number])


def _is_wide(machine: Machine, loop: Loop) -> bool:
    """True if a counter that the test names has 64 bits."""
    targets = (step.operand if isinstance(step, Update) else step.target for step in _steps_asked(machine, loop))
    return any((type_ := machine.type_of(target)) is not None and type_.bytes == _LONG for target in targets)


def _steps_asked(machine: Machine, loop: Loop) -> tuple[Assign | Update, ...]:
    """The steps of the counters that a loop's test names."""
    asked = machine.known.steps_asked.get(loop)
    if asked is None:
        named = (node.variable for node in loop_text.nodes(loop.test) if isinstance(node, Name)) if loop.test else ()
        steps = (step_in(machine, loop, variable) for variable in named)
        asked = tuple(step for step in steps if isinstance(step, (Assign, Update)))
        machine.known.steps_asked[loop] = asked
    return asked


def _bytes(machine: Machine, variable: Variable) -> int:
    array = machine.inputs.array_of(variable)
    return (variable.type.bytes if array is None else array.bytes) or 0  # else an object with an array in it


def asked_factor(machine: Machine, loop: Loop) -> int | None:
    """Copies that a pragma requests; 0 for all of them, None without a pragma."""
    if loop.unroll is None or ("nounroll" in loop.unroll.text and not machine.compiler.unrolling.nounroll):
        return None
    written = loop.unroll.factor
    if written is None:
        return 0
    factor = machine.known_int(written)
    # IGC keeps such a loop of OpenCL C: an array of structs that it goes through takes memory there.
    keeps_one = machine.compiler.unrolling.one_copy or machine.file.language == "opencl"
    return None if factor == 1 and not keeps_one else factor
