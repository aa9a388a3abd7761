"""Calls by which a kernel of a portability layer queries its place, synchronises with its team, or shares a loop with
it.

Read in Kokkos 4.6 (`core/src/{Cuda,HIP}/Kokkos_*_Team.hpp`) and RAJA 2025.09 (`include/RAJA/policy/cuda/launch.hpp`): a
team is a block, its threads lie along y and the lanes of a vector along x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Constant,
    Declare,
    Evaluate,
    Expr,
    If,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Type,
    Variable,
    coordinate,
)
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Memory, Place, Value, flat
from regpress_lint.model.graph.values import SIGNED, UNSIGNED, made_form
from regpress_lint.model.interpreter.fences import meet
from regpress_lint.model.interpreter.memory import store
from regpress_lint.model.interpreter.object_writes import assign
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import scalar
from regpress_lint.targets.costs import COSTS, LAYER_COSTS, LEAGUE, REDUCTION, SCAN, TEAM

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Stmt
    from regpress_lint.model.interpreter.machine import Machine


# Where a thread of a team is: what Kokkos' members give.
_PLACES = {
    "league_rank": ("blockIdx", "x"),
    "league_size": ("gridDim", "x"),
    "team_rank": ("threadIdx", "y"),
    "team_size": ("blockDim", "y"),
}
_BARRIERS = frozenset(("team_barrier", "teamSync"))
_SHARED = frozenset(("parallel_for", "parallel_reduce", "parallel_scan"))
_RANGES = {
    "TeamThreadRange": ("y",),
    "ThreadVectorRange": ("x",),
    "TeamVectorRange": ("y", "x"),
    "TeamThreadMDRange": ("y",),
    "ThreadVectorMDRange": ("x",),
    "TeamVectorMDRange": ("y", "x"),
}
_ONE_OF = {"PerTeam": ("x", "y"), "PerThread": ("x",)}
_REDUCED = frozenset(("team_reduce", "team_broadcast", "team_scan", "vector_reduce"))
_EXTENTS = {**dict.fromkeys(("extent", "size", "stride", "span", "label"), 2), "extent_int": 1}
_OF_ONE_AXIS = frozenset(("extent", "extent_int"))
_RAJA_LOOPS = frozenset(("loop", "loop_icount"))
_RAJA_AXIS = pattern(
    r"(?:cuda|hip|sycl)_(global_thread|thread|block|global|flatten)\w*?_([xyz012])\w*?(?=_loop|_direct|\b)"
)
_INT = Type("int", 4)
_ROUTINES = frozenset((REDUCTION, SCAN))
_NOT_EXECUTED = (
    "the {} that the layer adds behind the body is not executed: it counts as what it takes in small kernels"
)
_NAMES = frozenset(
    (*_PLACES, *_BARRIERS, *_SHARED, "single", *_REDUCED, *_RAJA_LOOPS, *_ROUTINES, LEAGUE, *_EXTENTS, "subview")
)


def layer_call(machine: Machine, expr: Call) -> Value | None:
    """Value of a call that a portability layer answers; None for any other."""
    name = expr.name
    if name not in _NAMES:
        return None
    member = isinstance(expr.callee, Member)
    if name == LEAGUE:
        machine.league = expr.args[0]
        return machine.undefined
    if name == "league_rank" and member and machine.league is not None:
        return machine.evaluate(machine.league)
    if name == "subview" and not member:  # its elements are those of the whole, see `layer_elements`
        return machine.undefined
    if name in _EXTENTS and member:
        return _extent(machine, expr)
    if name in _PLACES and member and not expr.args:
        place, axis = _PLACES[name]
        return machine.evaluate(Member(expr.span, Name(expr.span, place), axis, arrow=False))
    if name in _BARRIERS and member:
        meet(machine)
        return machine.undefined
    if name in _ROUTINES:
        return _routine(machine, expr)
    if name in _REDUCED and member and expr.args:
        return _across(machine, scalar(machine, machine.evaluate(expr.args[0])))
    plan = _plan(machine, expr)
    if plan is None:
        return None
    machine.execute(plan.body)
    return _collected(machine, plan)


def _extent(machine: Machine, expr: Call) -> Value | None:
    """A number that a view carries: an argument of the kernel. None for a member of any other object."""
    from regpress_lint.cpp.types import view_shape

    callee = expr.callee
    type_ = machine.type_of(callee.base) if isinstance(callee, Member) else None
    shape = view_shape(type_.name) if type_ is not None else None
    if not isinstance(callee, Member) or shape is None:
        return None
    which = tuple(machine.graph.constants[scalar(machine, machine.evaluate(arg))] for arg in expr.args)
    axis = which[0] if len(which) == 1 and expr.name in _OF_ONE_AXIS else None
    if isinstance(axis, int):  # the one that the place of an element is worked out with
        extent = shape.extents[axis] if 0 <= axis < len(shape.extents) else None
        if extent is not None:
            return machine.graph.constant(extent)
        return machine.evaluate(Member(expr.span, callee.base, f"extent_{axis}", arrow=False))
    whose = callee.base.variable if isinstance(callee.base, Name) else callee.base
    form = made_form(_EXTENTS[expr.name], UNSIGNED if _EXTENTS[expr.name] > 1 else SIGNED)
    held = machine.compiler.scalar_registers
    return machine.graph.source((expr.name, whose, which), form, held=held)


class _Plan:
    """A loop that the threads of a team share, made once for a call. result: where what it gathers goes."""

    __slots__ = ("body", "gathered", "result")

    def __init__(self, body: Stmt, gathered: Variable | None = None, result: Expr | None = None) -> None:
        self.body = body
        self.gathered = gathered
        self.result = result


def _plan(machine: Machine, expr: Call) -> _Plan | None:
    plan = machine.known.layer_plans.get(expr)
    if plan is None:
        plan = _single(machine, expr) if expr.name == "single" else None
        if expr.name in _SHARED:
            plan = _shared(machine, expr)
        elif expr.name in _RAJA_LOOPS:
            plan = _raja_loop(machine, expr)
        if plan is not None:
            machine.known.layer_plans[expr] = plan
    return plan


def _made_by(expr: Expr) -> Call | None:
    """The call that makes a range, also where a variable holds it."""
    if isinstance(expr, Name) and expr.variable is not None and expr.variable.init is not None:
        expr = expr.variable.init
    return expr if isinstance(expr, Call) else None


def _shared(machine: Machine, expr: Call) -> _Plan | None:
    position = next((at for at, arg in enumerate(expr.args[:2]) if _is_range(machine, arg)), None)
    if position is None or len(expr.args) <= position + 1:
        return None
    range_ = _made_by(expr.args[position])
    if range_ is None or len(range_.args) < 2:
        return None
    span, body = expr.span, expr.args[position + 1]
    bounds = range_.args[1:]
    nested = "MD" in range_.name
    first = bounds[0] if len(bounds) > 1 and not nested else None
    last = bounds[1] if len(bounds) > 1 and not nested else bounds[0]
    axes = _RANGES[range_.name]
    index = Variable("shared index", _INT, span, span, "local", init=_begin(span, first, axes))
    at = Name(span, index.name, index)
    gathered, result = None, None
    arguments: list[Expr] = [at]
    if nested:  # the other dimensions are inside
        arguments += [Constant(span, 0, "int")] * (len(bounds) - 1)
    if expr.name != "parallel_for":
        result = expr.args[position + 2] if len(expr.args) > position + 2 else None
        gathered = Variable("gathered", _gathered_type(machine, body, result), span, span, "local")
        gathered.init = Constant(span, 0, "int")
        arguments.append(Name(span, gathered.name, gathered))
        if expr.name == "parallel_scan":
            arguments.append(Constant(span, 1, "bool"))
    step = Assign(span, "+=", at, _size(span, axes))
    call = Evaluate(span, Call(span, body, _called(body), _called(body), tuple(arguments)))
    loop = Loop(span, "for", (Declare(span, (index,)),), Binary(span, "<", at, last), step, Block(span, (call,)))
    if gathered is None:
        return _Plan(loop)
    return _Plan(Block(span, (Declare(span, (gathered,)), loop)), gathered, result)


def _called(body: Expr) -> str:
    return body.name if isinstance(body, Name) else ""


def _is_range(machine: Machine, arg: Expr) -> bool:
    range_ = _made_by(arg)
    return range_ is not None and range_.name in _RANGES


def _gathered_type(machine: Machine, body: Expr, result: Expr | None) -> Type:
    """Type of a reduction's sum: that of its body's parameter, or of its result."""
    lambda_ = body
    if isinstance(body, Name) and body.variable is not None and isinstance(body.variable.init, LambdaExpr):
        lambda_ = body.variable.init
    if isinstance(lambda_, LambdaExpr):
        for parameter in lambda_.parameters:
            if parameter.type.reference and parameter.type.size:
                return parameter.type._replace(reference=False, const=False)
    type_ = machine.type_of(result) if result is not None else None
    return type_._replace(reference=False) if type_ is not None and type_.size else Type("double", 8, floating=True)


def _begin(span: Span, first: Expr | None, axes: tuple[str, ...]) -> Expr:
    thread = coordinate(span, "threadIdx", axes[0])
    for axis in axes[1:]:
        scaled = Binary(span, "*", thread, coordinate(span, "blockDim", axis))
        thread = Binary(span, "+", scaled, coordinate(span, "threadIdx", axis))
    return thread if first is None else Binary(span, "+", first, thread)


def _size(span: Span, axes: tuple[str, ...]) -> Expr:
    size = coordinate(span, "blockDim", axes[0])
    for axis in axes[1:]:
        size = Binary(span, "*", size, coordinate(span, "blockDim", axis))
    return size


def _single(machine: Machine, expr: Call) -> _Plan | None:
    range_ = _made_by(expr.args[0]) if len(expr.args) > 1 else None
    if range_ is None or range_.name not in _ONE_OF:
        return None
    span, body = expr.span, expr.args[1]
    test: Expr | None = None
    for axis in _ONE_OF[range_.name]:
        binary = Binary(span, "==", coordinate(span, "threadIdx", axis), Constant(span, 0, "int"))
        test = binary if test is None else Binary(span, "&&", test, binary)
    assert test is not None
    arguments = tuple(expr.args[2:])
    call = Evaluate(span, Call(span, body, _called(body), _called(body), arguments))
    return _Plan(If(span, test, Block(span, (call,)), None))


def _raja_loop(machine: Machine, expr: Call) -> _Plan | None:
    """`RAJA::loop<Policy>(context, range, body)`: the threads or the blocks of a launch share a range."""
    if len(expr.args) != 3 or not expr.template_args or not isinstance(expr.args[2], LambdaExpr):
        return None
    type_ = machine.file.type_of(expr.template_args[0])
    match = _RAJA_AXIS.search(type_.name if type_ is not None else expr.template_args[0])
    span, body = expr.span, expr.args[2]
    range_ = _made_by(expr.args[1])
    bounds = range_.args if range_ is not None else ()
    axis = {"0": "x", "1": "y", "2": "z"}.get(match[2], match[2]) if match is not None else "x"
    spelled = type_.name if type_ is not None else expr.template_args[0]
    kind = match[1] if match is not None else "thread"
    if kind in ("global_thread", "global"):
        begin: Expr = Binary(
            span,
            "+",
            Binary(span, "*", coordinate(span, "blockIdx", axis), coordinate(span, "blockDim", axis)),
            coordinate(span, "threadIdx", axis),
        )
        step_by: Expr = Binary(span, "*", coordinate(span, "gridDim", axis), coordinate(span, "blockDim", axis))
    elif kind == "block":
        begin, step_by = coordinate(span, "blockIdx", axis), coordinate(span, "gridDim", axis)
    else:
        begin, step_by = coordinate(span, "threadIdx", axis), coordinate(span, "blockDim", axis)
    first, last = (bounds[0], bounds[1]) if len(bounds) > 1 else (None, bounds[0] if bounds else expr.args[1])
    zero = isinstance(first, Constant) and not first.value
    start = begin if first is None or zero else Binary(span, "+", first, begin)
    index = Variable("shared index", _INT, span, span, "local", init=start)
    at = Name(span, index.name, index)
    inside = Binary(span, "<", at, last)
    arguments: tuple[Expr, ...] = (at,) if expr.name == "loop" else (at, at)
    call = Block(span, (Evaluate(span, Call(span, body, "", "", arguments)),))
    if "seq_exec" in spelled:
        index.init = first if first is not None else Constant(span, 0, "int")
        step: Expr = Assign(span, "+=", at, Constant(span, 1, "int"))
        return _Plan(Loop(span, "for", (Declare(span, (index,)),), inside, step, call))
    if "direct" in spelled:
        return _Plan(Block(span, (Declare(span, (index,)), If(span, inside, call, None))))
    step = Assign(span, "+=", at, step_by)
    return _Plan(Loop(span, "for", (Declare(span, (index,)),), inside, step, call))


def _across(machine: Machine, value: int) -> int:
    """A value that the lanes make one of theirs."""
    extra = LAYER_COSTS[machine.vendor].get(TEAM, COSTS[machine.vendor]["shuffle"].once)
    return machine.effect(ops.CONVERGENT, (value,), machine.graph.form(value), divergent=True, extra=extra)


def _collected(machine: Machine, plan: _Plan) -> Value:
    if plan.gathered is None:
        return machine.undefined
    held = machine.variables.get(plan.gathered)
    value = _across(machine, scalar(machine, held) if held is not None else machine.undefined)
    target = plan.result
    if isinstance(target, Call) and target.args:  # `Kokkos::Max<double>(m)`
        target = target.args[0]
    where = place_of(machine, target) if target is not None else None
    if isinstance(where, Place):
        assign(machine, where, value)
    elif isinstance(where, Memory):
        store(machine, where, value)
    return value


def _routine(machine: Machine, expr: Call) -> Value:
    """A layer's processing of all threads' results, after the body: a routine of its own, of known cost."""
    results = [machine.evaluate(arg) for arg in expr.args]
    values = tuple(number for value in results for number in flat(value) or [scalar(machine, value)])
    machine.memory.fenced("shared")
    extra = LAYER_COSTS[machine.vendor][expr.name]
    if expr.name in COSTS[machine.vendor]:
        machine.tally.libraries.append(expr.name)
    machine.unknown("callee", expr.name, expr.span, _NOT_EXECUTED.format(expr.name), "up")
    machine.effect(ops.CONVERGENT, values, machine.graph.form(values[0]), divergent=True, extra=extra)
    machine.new_block(straight=True)
    return machine.undefined
