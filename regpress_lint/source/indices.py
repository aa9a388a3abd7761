"""Why an index into a private array is no compile-time constant."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate, evaluate_int
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Expr,
    Index,
    Member,
    Name,
    SizeOf,
    Unary,
    Update,
)
from regpress_lint.cpp.traversal import is_name, names_in, walk
from regpress_lint.source.loop_facts import bound_of
from regpress_lint.targets.builtins import CHOOSERS, LAUNCH, THREAD, THREAD_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Function, Stmt, Variable
    from regpress_lint.source.arrays import Access, Lookups
    from regpress_lint.source.cfg import CallRecord, Flow, Op
    from regpress_lint.source.loop_facts import LoopFacts


ReasonKind = Literal[
    "pragma", "bound", "body", "carried", "argument", "thread", "memory", "call", "condition", "unknown"
]

_MAX_DEPTH = 8
_THREAD_CALLS = THREAD_NUMBERS | {"__lane_id"}


class Reason(NamedTuple):
    """The reason why an index is not a constant.

    kind, with its details: "pragma", "bound", "body": the counter of `loop`, which stays a loop because a pragma
    says so, because `source` bounds it at run time (nothing if it has no counted bound), or because it has too many
    operations in all; "carried": `name` changes from one iteration of `loop` to the next; "argument", "thread",
    "memory", "call", "condition": where the value of `name` comes from (`source`: what is read or called); "unknown".
    span: the loop, or the definition that decides. certain: False if it rests on an unknown name (a template parameter
    of a function, a macro), which may well be a constant.
    """

    kind: ReasonKind
    name: str
    loop: LoopFacts | None = None
    source: str = ""
    span: Span | None = None
    certain: bool = True


def reasons(access: Access, kernel: Function, lookups: Lookups) -> tuple[Reason, ...]:
    """One reason for each part of the access's indices that is no constant, without repetitions. The loops that
    `lookups` knows are those that an execution left.
    """
    search = _Search(access, kernel, lookups)
    reasons_found = (reason for index in access.indices for reason in search.of(index, 0))
    return tuple(dict.fromkeys(reasons_found)) or (Reason("unknown", ""),)


class _Search:
    """Follows names to what decides their values."""

    def __init__(self, access: Access, kernel: Function, lookups: Lookups) -> None:
        self.access = access
        self.kernel = kernel
        self.lookups = lookups
        self.flow: Flow = lookups.flow_of(access.function)
        self.env: Environment = lookups.environment
        self.seen: set[Variable] = set()

    @cached_property
    def loops(self) -> tuple[LoopFacts, ...]:
        """Those of the function in which the access stands."""
        return self.lookups.loops_of(self.access.function)

    @cached_property
    def static(self) -> int:
        """The variables of that function that are constants where the access stands, as a set of its flow's."""
        static = static_variables(self.lookups.flow_of(self.kernel), self.lookups)
        function = self.kernel
        for record in self.access.calls:
            if (target := self.lookups.callee_of(record.call)) is not None:
                arguments = static_arguments(record, self.lookups.flow_of(function), static, self.lookups, target)
                function, static = target, static_variables(self.lookups.flow_of(target), self.lookups, arguments)
        for loop in self.access.loops:
            if loop.unrolled and loop.counter is not None:
                static |= self.flow.bits.get(loop.counter, 0)
        return static

    def of(self, expr: Expr, depth: int) -> Iterator[Reason]:
        if depth > _MAX_DEPTH or evaluate(expr, self.env) is not None:
            return
        if isinstance(expr, Name):
            yield from self._name(expr, depth)
        elif isinstance(expr, Member):
            yield _of_member(expr)
        elif isinstance(expr, Index) or (isinstance(expr, Unary) and expr.op == "*"):
            yield Reason("memory", "", source=spelled(expr), span=expr.span)
        elif isinstance(expr, Call):
            inner = [reason for argument in expr.args for reason in self.of(argument, depth + 1)]
            if expr.name in _THREAD_CALLS:
                yield Reason("thread", "", source=expr.name)
            elif inner and expr.name in ("min", "max", "abs"):
                yield from inner
            else:
                yield Reason("call", "", source=expr.name, span=expr.span)
        elif isinstance(expr, Conditional):
            for part in (expr.test, expr.then, expr.other):
                yield from self.of(part, depth + 1)
        elif isinstance(expr, Binary):
            yield from self.of(expr.left, depth + 1)
            yield from self.of(expr.right, depth + 1)
        elif isinstance(expr, (Unary, Cast, Update)):
            yield from self.of(expr.operand, depth + 1)

    def _name(self, name: Name, depth: int) -> Iterator[Reason]:
        variable = name.variable
        if variable is None:
            if name.name == THREAD:
                yield Reason("thread", name.name)
            elif self.env.names(name.name) is None:
                yield Reason("unknown", name.name, certain=self._certain(name))
            return
        if variable in self.seen:
            return
        loop = next((around for around in reversed(self.access.loops) if around.counter is variable), None)
        # What the source alone shows as a constant is none where the execution has left the counter's loop a loop.
        if (loop is None or loop.unrolled) and self.flow.bits.get(variable, 0) & self.static:
            return
        self.seen.add(variable)
        if loop is None and variable.init is None:  # one `int i;` for several loops, or a counter that is used after
            loops = self.loops
            loop = next((around for around in loops if around.counter is variable and not around.unrolled), None)
        if loop is not None:
            if not loop.unrolled:
                yield self._of_loop(variable, loop)
        elif variable.init is not None and variable.init.span == variable.span:  # an index that a layer gives
            yield Reason("thread", variable.name, source=variable.name)
        elif variable.storage in ("parameter", "capture"):
            handed = self._surely_handed(variable)
            yield Reason("argument", variable.name, None, self.access.function.name, variable.span, handed)
        else:
            yield from self._definitions(variable, depth)

    def _of_loop(self, counter: Variable, loop: LoopFacts) -> Reason:
        span = loop.loop.span
        unroll = loop.loop.unroll
        if loop.trip_count is None:
            name = _run_time_name(counter, loop, self.env)
            bound = bound_of(loop.loop.test, counter)
            source = "" if bound is None or name is None else spelled(bound[1])
            return Reason("bound", counter.name, loop, source, span, name is None or self._certain(name))
        if unroll is not None and unroll.factor is not None:
            factor = evaluate_int(unroll.factor, self.env)
            if factor is not None and factor < loop.trip_count:
                return Reason("pragma", counter.name, loop, unroll.text, span)
        return Reason("body", counter.name, loop, span=span)

    def _certain(self, name: Name) -> bool:
        """Whether a name surely stands for a run-time value: a visible variable, or a lambda's capture."""
        if (variable := name.variable) is not None:
            if variable.storage == "constexpr":
                return False
            if not variable.type.const or variable.init is None:
                return True
            inner = list(_values_in(variable.init))
            return not inner or any(map(self._certain, inner))
        if name.name == THREAD or name.name in LAUNCH:
            return True
        function = self.access.function
        plain = not function.template and function.qualifiers.isdisjoint(("global", "device"))
        return plain and not name.name.isupper()

    def _surely_handed(self, parameter: Variable) -> bool:
        """False if all arguments of the function's call are names that are not visible: a kernel's template
        parameters, which are constants once the call is inlined.
        """
        record = self.access.calls[-1] if self.access.calls else None
        target = self.lookups.callee_of(record.call) if record is not None else None
        if record is None or target is None:
            return True
        argument = dict(zip(target.parameters, record.call.args, strict=False)).get(parameter)
        names = () if argument is None else tuple(names_in(argument))
        return not names or any(name.variable is not None or self._certain(name) for name in names)

    def _definitions(self, variable: Variable, depth: int) -> Iterator[Reason]:
        bit = self.flow.bits.get(variable, 0)
        written = [op for block in self.flow.blocks for op in block.ops if op.defs & bit]
        loops = dict.fromkeys((*reversed(self.access.loops), *self.loops))
        for loop in loops:
            span = loop.loop.span
            inside = [op for op in written if span.contains(op.span)]
            if inside and not loop.unrolled and not span.contains(variable.span):
                yield Reason("carried", variable.name, loop, span=inside[0].span)
                return
        for op in written:
            value = op.value if op.variable is variable else None
            if value is None:
                assigns = (assign for assign in self.flow.assigns if op.span.contains(assign.span))
                value = next((assign.value for assign in assigns if is_name(assign.target, variable)), None)
            inner = list(self.of(value, depth + 1)) if value is not None else []
            if inner:
                yield from (reason._replace(name=reason.name or variable.name) for reason in inner)
                return
        if (guarded := next((op for op in written if op.guarded or op.control), None)) is not None:
            yield Reason("condition", variable.name, span=guarded.span)
        else:
            yield Reason("unknown", variable.name)


def _of_member(expr: Member) -> Reason:
    base = expr.base
    if isinstance(base, Name) and base.name == THREAD:
        return Reason("thread", "", source=spelled(expr))
    if isinstance(base, Name) and base.name in LAUNCH:
        return Reason("argument", spelled(expr))
    return Reason("memory" if expr.arrow else "unknown", "", source=spelled(expr), span=expr.span)


def _run_time_name(counter: Variable, loop: LoopFacts, env: Environment) -> Name | None:
    """The first thing in the bounds of a loop that no compiler knows."""
    starts = counter.init if loop.loop.kind == "for" else None
    for part in (loop.loop.test, starts, loop.loop.step):
        for name in _values_in(part):
            if name.variable is not counter and evaluate(name, env) is None:
                return name
    return None


def _values_in(part: Expr | Stmt | None) -> Iterator[Name]:
    """The names that an expression mentions, except those of functions that choose among their arguments."""
    chosen_by = [node.callee for node in walk(part) if isinstance(node, Call) and _is_choice(node)]
    return (name for name in names_in(part) if not any(name is callee for callee in chosen_by))


def _is_choice(call: Call) -> bool:
    return call.name.rpartition("::")[2] in CHOOSERS


# Variables that are constants in the copies of the loops that an execution has copied: no reason lies with them.


_FOLDED_CALLS = frozenset(("min", "max", "abs", "make_int2"))


def static_variables(flow: Flow, lookups: Lookups, parameters: int = 0) -> int:
    """Variables of a function that are constants in the copies of its loops: an optimistic fixed point.

    A definition is static if all it reads is and no condition that is decided at run time guards it; what a rolled
    loop carries around is not. `parameters` are those that the caller gives constants.
    """
    loops, env = lookups.loops_of(flow.function), lookups.environment
    static = (1 << len(flow.bits)) - 1
    for variable in (*flow.function.parameters, *flow.function.captures):
        static &= ~(flow.bits[variable] & ~parameters)
    static &= ~_carried(flow, loops)
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


def _carried(flow: Flow, loops: tuple[LoopFacts, ...]) -> int:
    """Variables that loops which stay ones change from one iteration to the next."""
    carried = 0
    for record, loop in zip(flow.loops, loops, strict=True):
        if loop.unrolled:
            continue
        body, changed = loop.loop.body.span, 0
        for block in flow.blocks[record.first : record.last]:
            for op in block.ops:
                changed |= op.defs
        for variable, bit in flow.bits.items():
            if changed & bit and not body.contains(variable.span):
                carried |= bit
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


# ------------------------------------------------------------------------------------------------------------- text

_LONGEST = 48


def spelled(expr: Expr) -> str:
    """An expression as it may have been written, from its tree (its text may be in another file)."""
    text = _spelled(expr)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _spelled(expr: Expr) -> str:
    if isinstance(expr, Name):
        return expr.name
    if isinstance(expr, Member):
        return f"{_operand(expr.base)}{'->' if expr.arrow else '.'}{expr.field}"
    if isinstance(expr, Index):
        return f"{_operand(expr.base)}[{_spelled(expr.index)}]"
    if isinstance(expr, Binary):
        return f"{_left(expr)} {expr.op} {_operand(expr.right)}"
    if isinstance(expr, Update):
        return f"{expr.op}{_spelled(expr.operand)}" if expr.prefix else f"{_spelled(expr.operand)}{expr.op}"
    if isinstance(expr, Unary):
        return f"{expr.op}{_operand(expr.operand)}"
    if isinstance(expr, Cast):
        return _spelled(expr.operand)
    if isinstance(expr, Call):
        return f"{expr.name}({', '.join(map(_spelled, expr.args))})"
    value = getattr(expr, "value", None)
    if not isinstance(value, (int, float)):
        return "..."
    return f"{value}f" if getattr(expr, "kind", "") == "float" else str(value)


_STRENGTHS = {"*": 2, "/": 2, "%": 2, "+": 1, "-": 1}


def _left(expr: Binary) -> str:
    """The left operand: parentheses would be in the way where it comes first anyway, as in `2.0f * M_PI * x`."""
    inner = expr.left
    if isinstance(inner, Binary) and _STRENGTHS.get(inner.op, 0) >= _STRENGTHS.get(expr.op, 3):
        return _spelled(inner)
    return _operand(inner)


def _operand(expr: Expr) -> str:
    """With the parentheses that a part of an expression needs; a cast is left out, and its operand is that part."""
    if isinstance(expr, Cast):
        return _operand(expr.operand)
    return f"({_spelled(expr)})" if isinstance(expr, Binary) else _spelled(expr)
