"""From a kernel's syntax tree to the numbers that its register estimate is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.ir.build.evaluate import evaluate_expression
from regpress_lint.ir.build.execute import execute_statement
from regpress_lint.ir.build.inlining import run_body
from regpress_lint.ir.build.machine import Inputs, Machine
from regpress_lint.ir.graph import TooManyValuesError
from regpress_lint.passes import loop_plan
from regpress_lint.passes.liveness import Pressure, pressure
from regpress_lint.passes.uniformity import Totals, analysed, totals

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax import Function
    from regpress_lint.ir.objects import Indexed
    from regpress_lint.targets.codegen import Compiler


class Trace(NamedTuple):
    """What the execution of a kernel left behind.

    held: registers alive in the order of `lifetimes.pressure`. operations: those that were executed and did not fold
    away, copies of unrolled loops included. libraries: keys of `library.COSTS`. services: printf, assert and malloc,
    with the arguments behind the first.
    unresolved: calls of which neither definition nor cost is known. loops: those that stay loops. complete: False for
    a kernel that is too large; what was executed until then counts. indexed: run-time indices into private objects.
    """

    held: Pressure
    totals: Totals
    operations: int
    libraries: tuple[str, ...]
    services: tuple[tuple[str, int], ...]
    unresolved: int
    loops: int
    complete: bool
    indexed: tuple[Indexed, ...] = ()


def traced(function: Function, inputs: Inputs, compiler: Compiler) -> Trace:
    """Execute a kernel's function as a compiler sees it."""
    machine = executed(function, inputs, compiler)
    facts = analysed(machine)
    sums = totals(machine, facts)
    return Trace(
        pressure(machine, facts, sums),
        sums,
        machine.operations,
        tuple(machine.libraries),
        tuple(machine.services),
        machine.unresolved,
        machine.loops_kept,
        machine.complete,
        tuple(dict.fromkeys(machine.indexed)),
    )


def executed(function: Function, inputs: Inputs, compiler: Compiler) -> Machine:
    """The machine after the execution."""
    machine = Machine(inputs, compiler, evaluate_expression, execute_statement, loop_plan)
    machine.active.append(function)
    machine.end = function.span.end if function.path in ("", machine.file.path) else None
    machine.names.update((parameter.name, parameter) for parameter in function.parameters)
    machine.names.update((capture.name, capture) for capture in function.captures)
    try:
        run_body(machine, function.body, None)
    except (TooManyValuesError, RecursionError):
        machine.complete = False
    return machine
