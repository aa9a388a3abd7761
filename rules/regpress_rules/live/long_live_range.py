"""RP301 long-live-range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.cpp.syntax import Cast, Expr, Index, Member, Name, Unary, Variable
from regpress_lint.cpp.traversal import names_in
from regpress_lint.estimate.registers import divergent_variables
from regpress_lint.targets.occupancy import occupancy
from regpress_rules._gates import unless_spare, with_spare
from regpress_rules._place import vendor_of
from regpress_rules._words import count, listing, waves
from regpress_rules.live._peak import Pressure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.source_level.live_variables import LiveValue
    from regpress_lint.source_level.loop_facts import LoopFacts

_WORTH = 8  # registers: efficacy.md 3a
_MOST_NAMES = 4


class LongLiveRange(Rule):
    """Values loaded before a loop that only the code behind the loop uses."""

    code = "RP301"
    name = "long-live-range"
    needs = ("loops",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a loop; a value is reported for the outermost loop that carries it."""
        if facts.kernel.path != facts.file.path or not any(not loop.unrolled for loop in facts.loops):
            return
        reported: set[Variable] = set()
        pressure = Pressure(facts)
        for loop in facts.loops:
            if loop.unrolled or not pressure.at_peak(loop):
                continue
            values = [v for v in facts.live_through(loop) if v.variable not in reported and _early(facts, loop, v)]
            finding = _finding(facts, loop, values) if values else None
            if finding is not None:
                reported.update(value.variable for value in values)
                yield finding


def _early(facts: KernelFacts, loop: LoopFacts, value: LiveValue) -> bool:
    """A load in front of the loop, at its own level, of which nothing is used before the loop has ended."""
    variable, defined = value.variable, value.definition_span
    if not value.from_load or value.first_use is None or variable.is_array or variable.storage != "local":
        return False
    if value.definition is None or _from_shared(value.definition):
        return False
    # A load in front of an outer loop and used inside of that: moved, it would be repeated in every iteration.
    if loop.parent is not None and not loop.parent.loop.span.contains(defined):
        return False
    names = facts.flow_of(facts.kernel.function).names
    between = Span(defined.end, loop.loop.span.start)
    return not any(name.variable is variable and between.contains(name.span) for name in names)


def _from_shared(expr: Expr) -> bool:
    node = expr
    while isinstance(node, (Index, Member, Cast, Unary)):
        node = node.operand if isinstance(node, (Cast, Unary)) else node.base
    return isinstance(node, Name) and node.variable is not None and node.variable.storage == "shared"


def _uniform(facts: KernelFacts, value: LiveValue) -> bool:
    """True for a load at an address that is the same for all threads of a block."""
    flow = facts.flow_of(facts.kernel.function)
    divergent = divergent_variables(flow, kernel=True)
    for name in names_in(value.definition):
        if name.variable is None:
            if name.name not in _BLOCK_NAMES and facts.file.constant(name.name) is None:
                return False
        elif flow.bits.get(name.variable, 0) & divergent:
            return False
    return facts.kernel.language != "sycl"


_BLOCK_NAMES = frozenset(("blockIdx", "blockDim", "gridDim", "hipBlockIdx_x", "hipBlockIdx_y", "hipBlockIdx_z"))


# -------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, loop: LoopFacts, values: Sequence[LiveValue]) -> Finding | None:
    ordered: Sequence[LiveValue] = sorted(values, key=lambda value: value.variable.span)
    divergent = [value for value in ordered if not _uniform(facts, value)]
    severities: dict[str, Severity] = {}
    shown: list[tuple[Severity, str, Sequence[LiveValue]]] = []
    for target in facts.targets:
        held = divergent if vendor_of(target) == "amd" else ordered
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
    _, gain, held = max(shown, key=lambda each: each[0])
    total = sum(value.registers for value in held)
    names = [f"`{value.variable.name}`" for value in held]
    some = listing(names) if len(names) <= _MOST_NAMES else f"{', '.join(names[:3])} and {len(names) - 3} more"
    line = facts.file.source.line_of(loop.loop.span.start)
    message = (
        f"{some} {'is' if len(names) == 1 else 'are'} loaded before the loop at line {line} and used only after it: "
        f"{count(total, 'register')} held through the peak{gain}"
    )
    notes = [Note(loop.loop.span._replace(end=loop.loop.span.start + 3), "the loop that does not use them")]
    notes += [Note(value.variable.span, f"`{value.variable.name}`: {_width(value)}") for value in held[1:]]
    advice = "load after the loop, just before the use, if nothing in between writes that memory"
    help_ = with_spare(facts, severities, advice)
    return Finding(held[0].variable.span, message, severities, help_, tuple(notes), None, facts.kernel.name)


def _width(value: LiveValue) -> str:
    return count(value.registers, "register")


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
