"""Variables of a function's text: constants after unrolling, live ones, and those that all threads of a wave share."""

from __future__ import annotations

from functools import lru_cache
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
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import children
from regpress_lint.targets.builtins import LAUNCH, SPELLED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from regpress_lint.cpp.syntax_tree import Stmt
    from regpress_lint.source.cfg import CallRecord, Flow, Op
    from regpress_lint.source.loop_facts import LoopFacts


# Which expressions of a kernel are the same for all threads of a wave.


_OF_THE_BLOCK = LAUNCH | {"warpSize"} | {name for name, (place, _) in SPELLED.items() if place in LAUNCH}
_PURE = frozenset(("min", "max", "abs", "__ldg", "__mul24", "__umul24", "fminf", "fmaxf", "sqrtf", "ceil", "floor"))


class Uniform:
    """Answers for one function. An unknown name or call may differ.

    `held` are variables that are assumed to be uniform whatever their values are computed from; a device function's
    parameters are not, a kernel's are.
    """

    def __init__(self, flow: Flow, known: Callable[[str], bool], held: int = 0, *, kernel: bool = True) -> None:
        self._flow = flow
        self._known = known
        unsure = 0
        for block in flow.blocks:
            for op in block.ops:
                if op.defs and not self._understood(op):
                    unsure |= op.defs
        for parameter in flow.function.parameters if not kernel else ():
            unsure |= flow.bits[parameter]
        self._divergent = _divergent(flow, unsure & ~held, held)

    def __call__(self, expr: Expr, but: Collection[Expr] = ()) -> bool:
        """True if an expression is the same for all threads, if those in `but` are."""
        stack: list[Expr | Stmt] = [expr]
        while stack:
            node = stack.pop()
            if node in but:
                continue
            if isinstance(node, Name):
                variable = node.variable
                if variable is None:
                    if not self._named(node.name):
                        return False
                elif variable.storage == "shared" or self._flow.bits.get(variable, 0) & self._divergent:
                    return False
            elif isinstance(node, Unknown) or (isinstance(node, Call) and node.name not in _PURE):
                return False
            stack += children(node)
        return True

    def _understood(self, op: Op) -> bool:
        if any(record.call.name not in _PURE for record in op.calls):
            return False
        return all(map(self._named, op.free))

    def _named(self, name: str) -> bool:
        return name in _OF_THE_BLOCK or name in _PURE or self._known(name)


def _divergent(flow: Flow, unsure: int, held: int) -> int:
    """Variables that may differ between the threads of a wave, as a bit mask.

    Narrower than the analysis that the register estimate was fitted with: a condition around a variable's whole life
    decides nothing about its value, for the threads that are alive in it run together.
    """
    found = unsure
    pending: list[tuple[int, int]] = []
    for block in flow.blocks:
        for op in block.ops:
            defined = op.defs & ~held
            if not defined:
                continue
            control, guarded = flow.scopes.get(op.defs, (0, False))
            if op.seed or (op.guarded and not guarded):
                found |= defined
            else:
                pending.append((defined, op.uses | (op.control & ~control)))
    changed = True
    while changed:
        changed = False
        for defined, needed in pending:
            if defined & ~found and needed & found:
                found |= defined
                changed = True
    return found


# Backward liveness over a flow graph, on integers as sets.


class Point(NamedTuple):
    """A place in the program: `live` is what an op needs at the same time, its operands and values needed later."""

    live: int
    op: Op
    block: int


class Liveness(NamedTuple):
    """`live_in[b]` per block; `points` has one entry an op, in source order within a block."""

    live_in: list[int]
    points: list[Point]


@lru_cache(maxsize=32)
def liveness(flow: Flow) -> Liveness:
    """Fixed point over the blocks; two or three passes for structured code. Kept for as many flows as `walk` keeps."""
    count = len(flow.blocks)
    used, killed = [0] * count, [0] * count
    following: list[tuple[int, ...]] = []
    for number, block in enumerate(flow.blocks):
        use = kill = 0
        for op in block.ops:
            use |= op.uses & ~kill
            kill |= op.kills
        used[number], killed[number] = use, kill
        following.append(tuple(target.index for target in block.following if target.index >= 0))
    live_in, live_out = [0] * count, [0] * count
    backward = range(count - 1, -1, -1)
    changed = True
    while changed:
        changed = False
        for number in backward:
            out = 0
            for target in following[number]:
                out |= live_in[target]
            live_out[number] = out
            into = used[number] | (out & ~killed[number])
            if into != live_in[number]:
                live_in[number] = into
                changed = True
    return Liveness(live_in, _points(flow, live_out))


def _points(flow: Flow, live_out: list[int]) -> list[Point]:
    points: list[Point] = []
    for number, block in enumerate(flow.blocks):
        live = live_out[number]
        here: list[Point] = []
        for op in reversed(block.ops):
            before = (live & ~op.kills) | op.uses
            here.append(Point(before | (live & op.defs), op, number))
            live = before
        here.reverse()
        points += here
    return points


# Which variables and indices are compile-time constants once the compiler has unrolled what it unrolls.


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
