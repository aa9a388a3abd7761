"""RP304 recomputable-value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import Assignments, macro_words, passing_by
from regpress_lint.api.syntax import Declare, nodes_of
from regpress_lint.api.targets import gpu, habits
from regpress_lint.api.text import count, waves
from regpress_lint.api.worth import at_peak, step_severity, waves_without, with_spare
from regpress_rules.live._arithmetic import arithmetic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import LoopFacts
    from regpress_lint.api.syntax import Variable

_WORTH = 8  # registers, as in RP301
_FEW = 3  # operations that cost less than the register
_MOST_NAMES = 3
_MOST_NOTES = 5


class _Again(NamedTuple):
    """A variable that could be computed again after a loop: operations, and its operands."""

    variable: Variable
    operations: int
    reads: frozenset[Variable]


class RecomputableValue(Rule):
    """Cheap values that a loop only carries through, though all their operands are live anyway."""

    code = "RP304"
    name = "recomputable-value"
    severity = Severity.HINT
    needs = ("loops",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a loop."""
        if facts.kernel.function.path not in ("", facts.file.path):
            return
        targets = [name for name in facts.targets if facts.wants_hints or gpu(name).is_amd]
        for loop in facts.source.loops if targets else ():
            again = _recomputable(facts, loop)
            if sum(value.variable.type.registers or 1 for value in again.values()) >= _WORTH:
                described = next(each for each in facts.loops if each.loop is loop.loop)
                held = {name: _held(facts, name, described, again) for name in targets}
                finding = _finding(facts, described, again, {name: each for name, each in held.items() if each})
                if finding is not None:
                    yield finding


def _recomputable(facts: KernelFacts, loop: LoopFacts) -> dict[Variable, _Again]:
    """Variables from before a loop, at its own level, that are needed in front of it and after it, not in it."""
    if sum(variable.type.registers or 1 for variable in passing_by(facts, loop)) < _WORTH:
        return {}
    span, level = loop.loop.span, loop.parent.loop.span if loop.parent is not None else None
    declared: dict[Variable, Span] = {}
    uses: dict[Variable, list[Span]] = {}
    for name in facts.flow_of(facts.kernel.function).names:
        if name.variable is not None:
            uses.setdefault(name.variable, []).append(name.span)
    values: dict[Variable, _Again] = {}
    for node in nodes_of(facts.kernel.function):
        if (
            not isinstance(node, Declare)
            or node.span.end > span.start
            or not (level is None or level.contains(node.span))
        ):
            continue
        for variable in node.variables:
            declared[variable] = node.span
            if (recomputed := _again(facts, variable)) is not None:
                values[variable] = recomputed
    values = _lasting(facts, values)
    spans = [declared[variable] for variable in values]  # what these are needed for can be computed again as well
    for variable in [*values]:
        at = uses.get(variable, ())
        before = any(use.start < span.start and not any(own.contains(use) for own in spans) for use in at)
        behind = any(use.start >= span.end for use in at)
        inside = any(span.contains(use) for use in at)
        alive = all(_is_alive(operand, values, uses, span) for operand in values[variable].reads)
        if not before or not behind or inside or not alive:
            del values[variable]
    return values


def _lasting(facts: KernelFacts, values: Mapping[Variable, _Again]) -> dict[Variable, _Again]:
    """Those that would have the same value after the loop: nothing changes them or their operands."""
    if not values:
        return {}
    written = Assignments(facts, facts.kernel.function)
    changing = written.unseen | written.changes.keys()
    return {variable: one for variable, one in values.items() if variable not in changing and not one.reads & changing}


def _again(facts: KernelFacts, variable: Variable) -> _Again | None:
    """A plain number that is declared as a few operations and never changes."""
    type_ = variable.type
    if variable.init is None or variable.storage != "local" or variable.dims or variable in facts.source.modified:
        return None
    if type_.registers is None or type_.reference or type_.pointers or type_.struct or type_.volatile:
        return None
    if variable.name in macro_words(facts.file.source):
        return None
    made = arithmetic(variable.init)
    if made is None or made.loads or made.slow or made.thread or made.functions or not made.reads:
        return None
    return _Again(variable, made.operations, made.reads) if 0 < made.operations <= _FEW else None


def _is_alive(
    variable: Variable, values: Mapping[Variable, _Again], uses: Mapping[Variable, list[Span]], loop: Span
) -> bool:
    """Whether it is live in the loop or after it anyway: an argument, a recomputed value itself, or a name in the code
    from the loop on.
    """
    if variable.storage in ("parameter", "capture", "constexpr") or variable in values:
        return True
    return any(use.start >= loop.start for use in uses.get(variable, ()))


def _held(facts: KernelFacts, target: str, loop: LoopFacts, again: Mapping[Variable, _Again]) -> dict[Variable, int]:
    """Registers of these variables that a loop at the kernel's peak carries through."""
    if loop.unrolled or not at_peak(facts, target, loop):
        return {}
    through = facts.peak(target).through(loop.loop)
    return {value.variable: value.registers for value in through if value.variable in again}  # type: ignore[misc]


def _finding(
    facts: KernelFacts, loop: LoopFacts, again: Mapping[Variable, _Again], held: Mapping[str, Mapping[Variable, int]]
) -> Finding | None:
    severities: dict[str, Severity] = {}
    for target, values in held.items():
        total = sum(values.values())
        if total >= _WORTH and (worth := step_severity(facts, target, total)) > Severity.HINT:
            severities[target] = min(worth, Severity.INFO) if gpu(target).is_amd else Severity.HINT
    if not severities:
        return None
    target = max(severities, key=lambda name: severities[name])
    values, own = held[target], facts.target(target)
    total = sum(values.values())
    variables = sorted(values, key=lambda variable: variable.span)
    names = [f"`{variable.name}`" for variable in variables[:_MOST_NAMES]]
    more = f" and {len(variables) - _MOST_NAMES} more" if len(variables) > _MOST_NAMES else ""
    line = facts.file.source.line_of(loop.loop.span.start)
    most = max(again[variable].operations for variable in variables)
    message = (
        f"{', '.join(names)}{more}: {count(total, 'register')} that the loop at line {line} only carries through on "
        f"{target} (estimate {own.registers.estimate}, {waves(own.occupancy)} per SIMD; without them "
        f"{count(waves_without(own, total), 'wave')}), each {count(most, 'operation')} at most on values that are "
        "live anyway"
    )
    hides = any(habits(name).empty_hides for name in severities)
    advice = "compute them again after the loop" + (
        "; clang merges the two as they stand, so give the second a copy of an operand that it cannot see through: "
        '`auto x = u; asm volatile("" : "+v"(x));`'
        if hides
        else "; nvcc and IGC were measured to decide by themselves, whatever the source says"
    )
    notes = [
        Note(variable.span, f"`{variable.name}`: {count(values[variable], 'register')}")
        for variable in variables[1 : _MOST_NOTES + 1]
    ]
    help_ = with_spare(facts, severities, advice)
    return Finding(variables[0].span, message, severities, help_, tuple(notes))
