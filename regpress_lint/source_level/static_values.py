"""Which variables and indices are compile-time constants once the compiler has unrolled what it unrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import Environment, evaluate
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Expr,
    Function,
    Name,
    SizeOf,
    Unary,
    Update,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.source_level.flow import CallRecord, Flow, Op
    from regpress_lint.source_level.live_variables import Liveness
    from regpress_lint.source_level.loop_facts import LoopFacts


_FOLDED_CALLS = frozenset(("min", "max", "abs", "make_int2"))


class Lookups(NamedTuple):
    """The analysis' queries of the kernel's facts."""

    flow_of: Callable[[Function], Flow]
    live_of: Callable[[Function], Liveness]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    environment: Environment


def static_variables(flow: Flow, lookups: Lookups, parameters: int = 0) -> int:
    """Variables that are constants once the compiler has unrolled what it unrolls: an optimistic fixed point.

    A definition is static if all it reads is and no condition that is decided at run time guards it; what a rolled
    loop carries around is not. `parameters` are those that the caller gives constants.
    """
    loops, env = lookups.loops_of(flow.function), lookups.environment
    static = (1 << len(flow.bits)) - 1
    for variable in (*flow.function.parameters, *flow.function.captures):
        static &= ~(flow.bits[variable] & ~parameters)
    static &= ~_carried(flow, loops, lookups.live_of(flow.function))
    pending: list[tuple[int, int]] = []
    for block in flow.blocks:
        for op in block.ops:
            if not op.defs:
                continue
            # A condition around the variable's whole life decides nothing about its value.
            control, guarded = flow.scopes.get(op.defs, (0, False))
            stepped = not op.defs & ~op.steps
            if (op.guarded and not guarded) or (not stepped and _decided_late(op, env)):
                static &= ~op.defs
            else:
                pending.append((op.defs, (op.control & ~control) | (0 if stepped else op.uses)))
    changed = True
    while changed:
        changed = False
        for defined, needed in pending:
            if defined & static and needed & ~static:
                static &= ~defined
                changed = True
    return static


def _decided_late(op: Op, env: Environment) -> bool:
    """Whether an op reads a value that no compiler knows: memory, the thread's id, a call's result, an unknown name."""
    return bool(op.loads) or op.seed or _calls_out(op.calls) or _unknown(op.free, env)


def _carried(flow: Flow, loops: tuple[LoopFacts, ...], live: Liveness) -> int:
    """Variables that loops which stay rolled change from one iteration to the next."""
    carried = 0
    for record, loop in zip(flow.loops, loops, strict=True):
        if loop.unrolled:
            continue
        changed = 0
        for block in flow.blocks[record.first : record.last]:
            for op in block.ops:
                changed |= op.defs
        carried |= changed & live.live_in[record.first]
    return carried


def _calls_out(calls: tuple[CallRecord, ...]) -> bool:
    return any(record.call.name not in _FOLDED_CALLS for record in calls)


def _unknown(names: tuple[str, ...], env: Environment) -> bool:
    return any(name not in _FOLDED_CALLS and env.names(name) is None for name in names)


def is_static(expr: Expr, flow: Flow, static: int, env: Environment) -> bool:
    """True if an index is a compile-time constant in every copy of the unrolled code."""
    if isinstance(expr, Constant):
        return True
    if isinstance(expr, Name):
        if expr.variable is None:
            return env.names(expr.name) is not None
        bit = flow.bits.get(expr.variable, 0)
        return bool(bit & static) or evaluate(expr, env) is not None
    if isinstance(expr, Binary):
        return is_static(expr.left, flow, static, env) and is_static(expr.right, flow, static, env)
    if isinstance(expr, (Unary, Cast, Update)):
        if isinstance(expr, Unary) and expr.op == "*":
            return False
        return is_static(expr.operand, flow, static, env)
    if isinstance(expr, Conditional):
        parts = (expr.test, expr.then, expr.other)
        return all(is_static(part, flow, static, env) for part in parts)
    if isinstance(expr, Call) and expr.name in _FOLDED_CALLS:
        return all(is_static(argument, flow, static, env) for argument in expr.args)
    return isinstance(expr, SizeOf) or evaluate(expr, env) is not None


def static_arguments(record: CallRecord, flow: Flow, static: int, lookups: Lookups, target: Function) -> int:
    inner = lookups.flow_of(target)
    result = 0
    for parameter in target.parameters[len(record.call.args) :]:
        if parameter.init is not None and evaluate(parameter.init, lookups.environment) is not None:
            result |= inner.bits.get(parameter, 0)
    for argument, parameter in zip(record.call.args, target.parameters, strict=False):
        if is_static(argument, flow, static, lookups.environment):
            result |= inner.bits.get(parameter, 0)
    return result
