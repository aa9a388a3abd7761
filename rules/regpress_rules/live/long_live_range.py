"""RP301 long-live-range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity
from regpress_lint.api.facts import passing_by
from regpress_lint.api.syntax import (
    COORDINATES,
    Binary,
    Cast,
    Conditional,
    Constant,
    Member,
    Name,
    SizeOf,
    Unary,
    children,
)
from regpress_lint.api.targets import occupancy
from regpress_lint.api.text import count, listing, waves
from regpress_lint.api.worth import at_peak, unless_spare, with_spare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.api.facts import HeldValue, LoopFacts, Peak, TargetFacts
    from regpress_lint.api.syntax import Expr, Stmt, Variable


_WORTH = 8  # registers that moving wins (RP301's page)
_MOST_NAMES = 4


class _Held(NamedTuple):
    """Registers that a loop carries through, and the variables behind them; computed: by operators on what
    was loaded, which can be moved with the loads.
    """

    variables: tuple[Variable, ...]
    registers: int
    computed: bool = False


class LongLiveRange(Rule):
    """Values loaded before a loop that only the code after the loop uses."""

    code = "RP301"
    name = "long-live-range"
    needs = ("loops",)
    many_blocks = True
    tries_changes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a loop; a value is reported for the outermost loop that carries it."""
        if facts.kernel.function.path not in ("", facts.file.path) or not facts.source.loops:
            return
        if not any(_may_hold(facts, loop) for loop in facts.source.loops):
            return
        reported: set[Variable] = set()
        for loop in facts.loops:
            if loop.unrolled or not _may_hold(facts, loop):
                continue
            held = {target: _held(facts, target, loop, reported) for target in facts.targets}
            finding = _finding(facts, loop, held) if any(held.values()) else None
            if finding is not None:
                reported.update(
                    variable for values in held.values() for value in values for variable in value.variables
                )
                yield finding


def _may_hold(facts: KernelFacts, loop: LoopFacts) -> bool:
    """False if what may come from memory and passes by a loop is too little for more than a hint: then nothing need be
    executed.
    """
    least, loaded = 1 if facts.wants_hints else _WORTH, 0
    for variable in passing_by(facts, loop):
        if may_be_loaded(facts, variable):
            loaded += _WORTH if variable.dims or variable.type.registers is None else max(variable.type.registers, 1)
    return loaded >= least


def _held(facts: KernelFacts, target: str, loop: LoopFacts, reported: set[Variable]) -> list[_Held]:
    """Values that a loop at the kernel's peak only carries through: loads before it, at its own level, or values that
    compilers have computed from them by then.
    """
    if not at_peak(facts, target, loop):
        return []
    peak = facts.peak(target)
    reads: list[_Held] = []
    for value in peak.through(loop.loop):
        itself = () if value.variable is None else (value.variable,) * value.loaded
        behind: tuple[Variable, ...] = peak.loaded_behind(value) if value.variable is None else itself
        if (
            behind
            and not peak.needed_before(value, loop.loop)
            and all(_early(loop, variable, value, reported) for variable in behind)
        ):
            size = _registers(behind[0], value) if value.variable is not None else value.registers
            reads.append(_Held(behind, size))
    return [*reads, *_computed(peak, loop, reported)]


def _computed(peak: Peak, loop: LoopFacts, reported: set[Variable]) -> Iterator[_Held]:
    """Variables whose loads can be moved together with the operators on them. Values that the loop would have to keep
    in their place count against the first.
    """
    late, instead = peak.made_late(loop.loop)
    for value in late:
        variables = _moved_with(peak, loop, value)
        if variables and all(_early(loop, variable, value, reported) for variable in variables):
            taken = min(instead, value.registers)
            instead -= taken
            if value.registers > taken:
                yield _Held(variables, value.registers - taken, computed=True)


def _moved_with(peak: Peak, loop: LoopFacts, value: HeldValue) -> tuple[Variable, ...]:
    """The variables to move: the value's own, or, if that is declared after the loop, those that it is computed
    from."""
    own = value.variable
    return (own,) if own is not None and own.span.start < loop.loop.span.start else peak.loaded_behind(value)


def _early(loop: LoopFacts, variable: Variable, value: HeldValue, reported: set[Variable]) -> bool:
    """A local variable that is loaded at the loop's own level: moved from in front of an outer loop into that, the load
    would be repeated in every iteration.
    """
    if variable in reported or variable.storage != "local":
        return False
    return value.made is not None and (loop.parent is None or loop.parent.loop.span.contains(value.made))


# -------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, loop: LoopFacts, by_target: Mapping[str, Sequence[_Held]]) -> Finding | None:
    severities: dict[str, Severity] = {}
    shown: list[tuple[Severity, str, list[_Held]]] = []
    for target, values in by_target.items():
        held = sorted(values, key=lambda value: value.variables[0].span)
        total = sum(value.registers for value in held)
        own = facts.target(target)
        crosses = _crosses(own, total)
        if not held or (total < _WORTH and not crosses):
            continue
        # A step that hangs on fewer registers is inside the estimate's margin: two of two such findings in
        # HeCBench (1 and 2 registers) changed nothing when they were compiled.
        sure = Severity.WARNING if total >= _WORTH else Severity.HINT
        severities[target] = sure if crosses else unless_spare(facts, target, own.registers.high, _small(own, total))
        shown.append((severities[target], _gain(own, total) if crosses else "", held))
    if not shown:
        return None
    _, gain, held = max(shown, key=lambda part: part[0])
    total = sum(one.registers for one in held)
    variables = sorted({variable for value in held for variable in value.variables}, key=lambda variable: variable.span)
    names = [f"`{variable.name}`" for variable in variables]
    some = listing(names) if len(names) <= _MOST_NAMES else f"{', '.join(names[:3])} and {len(names) - 3} more"
    line = facts.file.source.line_of(loop.loop.span.start)
    verb = "computed of loads" if any(one.computed for one in held) else "loaded"
    message = (
        f"{some} {'is' if len(names) == 1 else 'are'} {verb} before the loop at line {line} and used only after it: "
        f"{count(total, 'register')} held through the peak{gain}"
    )
    notes = [Note(loop.loop.span._replace(end=loop.loop.span.start + 3), "the loop that does not use them")]
    notes += [
        Note(value.variables[0].span, f"`{value.variables[0].name}`: {count(value.registers, 'register')}")
        for value in held[1:]
        if len(value.variables) == 1
    ]
    what = "load and compute" if any(value.computed for value in held) else "load"
    advice = f"{what} after the loop, just before the use, if nothing in between writes that memory"
    help_ = with_spare(facts, severities, advice)
    gained = dict.fromkeys(severities, Severity.WARNING)
    return Finding(variables[0].span, message, severities, help_, tuple(notes), gained=gained)


def _registers(variable: Variable, value: HeldValue) -> int:
    """Registers of a variable; of a read through a pointer of unknown type, those that it becomes."""
    return max(value.registers, variable.type.registers or 1)


def _crosses(target: TargetFacts, registers: int) -> bool:
    """True if the estimate without these registers keeps the budget, or a wave more."""
    estimate = target.registers.estimate
    without = max(1, estimate - registers)
    if estimate > target.budget >= without:
        return True
    return target.occupancy.waves < occupancy(target.architecture, target.use(without)).waves


def _small(target: TargetFacts, registers: int) -> Severity:
    """A hint if no point of the band shows a difference."""
    low = occupancy(target.architecture, target.use(max(1, target.registers.low - registers)))
    beyond = target.registers.high > target.budget
    return Severity.INFO if beyond or target.worst.waves < low.waves else Severity.HINT


def _gain(target: TargetFacts, registers: int) -> str:
    estimate, name = target.registers.estimate, target.architecture.name
    without = max(1, estimate - registers)
    if estimate > target.budget >= without:
        return f", which lifts the estimate above the {target.budget} registers of the budget on {name}"
    now, then = target.occupancy, occupancy(target.architecture, target.use(without))
    return f" (estimate {estimate} on {name}: {waves(now)} per SIMD, without them {waves(then)})"


# Variables that cannot hold values read from memory, by only their declarations: no execution.

_DEEPEST = 8  # declarations that one is made of


def may_be_loaded(facts: KernelFacts, variable: Variable, depth: int = 0) -> bool:
    """False for a local number that is declared as arithmetic on constants, places in the grid, the kernel's arguments
    and more of its kind, and that nothing changes afterwards.
    """
    type_ = variable.type
    plain = type_.size is not None and not (type_.struct or type_.reference or type_.pointers) and type_.lanes == 1
    if not plain or variable.dims or depth > _DEEPEST or variable in facts.source.modified:
        return True
    if variable.storage == "parameter":
        return False
    if variable.storage != "local" or variable.init is None or _is_given(facts, variable):
        return True
    return _may_load(facts, variable.init, depth)


def _may_load(facts: KernelFacts, expr: Expr | Stmt, depth: int) -> bool:
    if isinstance(expr, Constant | SizeOf):
        return False
    if isinstance(expr, Name):
        if expr.variable is not None:
            return may_be_loaded(facts, expr.variable, depth + 1)
        return facts.source.environment.names(expr.name) is None
    if isinstance(expr, Member):
        return not (isinstance(expr.base, Name) and expr.base.variable is None and expr.base.name in COORDINATES)
    if isinstance(expr, Unary):
        return expr.op in ("*", "&") or _may_load(facts, expr.operand, depth)
    if not isinstance(expr, Binary | Cast | Conditional):
        return True
    return any(_may_load(facts, child, depth) for child in children(expr))


def _is_given(facts: KernelFacts, variable: Variable) -> bool:
    """True for a bare name among the arguments of a call: a macro, or an unknown function, may change it."""
    calls = (record.call for record in facts.flow_of(facts.kernel.function).calls)
    return any(isinstance(argument, Name) and argument.variable is variable for call in calls for argument in call.args)
