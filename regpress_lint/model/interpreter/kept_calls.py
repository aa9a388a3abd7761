"""Calls of functions that are not inlined: what their bodies know of the arguments."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.environment import Environment, const_initialiser
from regpress_lint.cpp.syntax_tree import Function, Name
from regpress_lint.model.graph.objects import Place
from regpress_lint.model.graph.ops import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Call, Expr, LambdaExpr
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine

_ORDERED = (
    "`{}` is not inlined and knows `{}` by a pointer: how much it reads before it writes there is for the compiler to "
    "say; `regpress-lint measure` would tell"
)
_MOST_READ = 64  # registers of reads that may or may not be on their way together
_MOST_HANDED_ON = 4  # calls behind each other that hand a parameter on


def stays(active: Function | LambdaExpr) -> bool:
    """True for a device function that is not inlined."""
    return isinstance(active, Function) and "noinline" in active.qualifiers and "global" not in active.qualifiers


def kept_call(machine: Machine) -> tuple[str, ...]:
    """The names of those that are executed, the outermost first."""
    return tuple([function.name for function in machine.active if isinstance(function, Function) and stays(function)])


def as_received(machine: Machine, function: Function, call: Call, arguments: list[Value]) -> list[Value]:
    """The arguments as the body of such a function knows them. A constant is one there if every call of the file gives
    the same (LLVM's interprocedural propagation, which nvcc has as well); else it is handed over in a register.
    """
    graph, received = machine.graph, [*arguments]
    for position, value in enumerate(arguments):
        if isinstance(value, Place) and not value.path and value.variable.dims and machine.compiler.drops_volatile:
            text = _ORDERED.format(function.name, value.variable.name)
            most = prod([machine.known_int(size) or _MOST_READ for size in value.variable.dims])
            machine.unknown("callee", function.name, call.span, text, "down", min(most, _MOST_READ))
        if not isinstance(value, int) or graph.constants[value] is None:
            continue
        if _given(machine, function, call, position, 0) is None:
            divergent = machine.compiler.scalar_registers
            received[position] = machine.effect(HIDDEN, (value,), graph.forms[value], divergent=divergent)
    return received


def _given(machine: Machine, function: Function, call: Call | None, position: int, depth: int) -> Number | None:
    """The constant that all calls give to a parameter, None if there is none. call: only those with its template
    arguments are of the same function.
    """
    constants = machine.known.given
    written = call.template_args if call is not None and function.template else ()
    key = (function.path, function.body_span, written, position)
    if key not in constants:
        constants[key] = None  # for a recursion
        calls = machine.file.calls_of(function)
        values = {
            _value(machine, site.args, caller, function, position, depth)
            for site, caller in calls
            if not function.template or site.template_args == written
        }
        constants[key] = next(iter(values)) if len(values) == 1 else None
    return constants[key]


def _value(
    machine: Machine, args: Sequence[Expr], caller: Function, function: Function, position: int, depth: int
) -> Number | None:
    """The constant that one call gives."""
    arg = args[position] if position < len(args) else function.parameters[position].init
    if arg is None:
        return None
    if isinstance(arg, Name) and arg.variable in caller.parameters and depth < _MOST_HANDED_ON:
        if "global" in caller.qualifiers:
            return None
        return _given(machine, caller, None, caller.parameters.index(arg.variable), depth + 1)
    environment = machine.inputs.environment
    # A local variable of another kernel may change there: only a `const` one is known.
    variable = environment.variable if caller is machine.active[0] else const_initialiser
    return evaluate(arg, Environment(environment.names, variable, environment.types, called=environment.called))
