"""RP406 oversized-element-type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Rule, Severity, Span
from regpress_lint.api.counters import is_histogram
from regpress_lint.api.facts import root_variable
from regpress_lint.api.report import place
from regpress_lint.api.rewrite import WIDE_INTEGER
from regpress_lint.api.syntax import Assign, Conditional, If, Update, declaration_of, names_in, walk
from regpress_lint.api.targets import gpu, vendor_of
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import step_severity
from regpress_rules.arrays._narrow_reads import reads_alike, truncated
from regpress_rules.arrays._private import described, frame_of
from regpress_rules.arrays._value_ranges import Ranges, is_integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Function, Stmt, Variable
    from regpress_rules.arrays._value_ranges import Range

_WIDE, _WORD = 8, 4  # bytes
_PROMISES = (
    "that holds where no loop to an unsigned bound is given a negative one, no `int` is converted from a larger "
    "unsigned number, and work-items count no further than an `int`"
)


class _Effect(NamedTuple):
    """The gain of 32 bits on a target: bytes of memory (`where`) or registers; neither where its compiler holds no
    more than 32 bits anyway.
    """

    severity: Severity
    registers: int = 0
    bytes: int = 0
    where: str = ""


class _Fitting(NamedTuple):
    """The values of an array, which fit in 32 bits, and who says so; for_sure: whatever the kernel is given."""

    values: Range
    ranges: Ranges
    for_sure: bool


class OversizedElementType(Rule):
    """A private array of 64-bit integers whose every value fits in 32 bits."""

    code = "RP406"
    name = "oversized-element-type"
    severity = Severity.INFO
    needs = ("arrays",)
    prices_fixes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, at its declaration."""
        ranges: dict[Function, tuple[Ranges, Ranges]] = {}
        for array in facts.arrays:
            if not _is_wide(array):
                continue
            function = array.function
            if function not in ranges:
                ranges[function] = Ranges(facts, function), Ranges(facts, function, promised=True)
            fitting = _fitting(array, ranges[function])
            if fitting is None:
                continue
            effects = {target: effect for target in facts.targets if (effect := _effect(facts, target, array))}
            wanted = facts.wants_hints or any(effect.severity > Severity.HINT for effect in effects.values())
            if effects and wanted:
                yield _finding(facts, array, effects, fitting)


def _fitting(array: PrivateArray, ranges: tuple[Ranges, Ranges]) -> _Fitting | None:
    """Without promises if that is enough."""
    for own in ranges:
        values = own.of_variable(array.variable)
        if values is not None and values.fits:
            return _Fitting(values, own, own is ranges[0])
    return None


def _is_wide(array: PrivateArray) -> bool:
    type_, elements = array.variable.type, array.elements or 0
    return type_.size == _WIDE and is_integer(type_) and elements > 1 and not (array.table or array.escapes)


# ------------------------------------------------------------------------------------------------------- its worth


def _effect(facts: KernelFacts, target: str, array: PrivateArray) -> _Effect | None:
    """None where RP403 has the array, with what to do beyond a narrower type."""
    array = facts.array_for(target, array)
    frame, elements = frame_of(facts, target, array) if array.dynamic else None, array.elements or 0
    if frame is not None:
        if facts.kernel.has_work_items and vendor_of(target) == "intel" and is_histogram(facts, array):
            return None
        return _Effect(min(frame.severity, Severity.INFO), 0, elements * (_WIDE - _WORD), frame.where)
    if not array.dynamic and not _is_carried(facts, target, array):
        return _Effect(Severity.HINT)
    return _Effect(min(step_severity(facts, target, elements), Severity.INFO), elements)


def _is_carried(facts: KernelFacts, target: str, array: PrivateArray) -> bool:
    """True if values of one iteration of a loop that stays one are needed in the next, so that compilers no longer see
    where they came from; sums of which 32 bits alone are wanted they make in 32 bits.
    """
    if truncated(array.function, array.variable, facts.file.type_of):
        return False
    rolled = (loop.loop for loop in facts.loops_for(array.function, target) if not loop.unrolled)
    bodies = (loop.body for loop in rolled if not loop.body.span.contains(array.variable.span))
    return any(_is_kept(body, array.variable) for body in bodies)


def _is_kept(body: Stmt, variable: Variable) -> bool:
    """True if an iteration changes elements only on a condition, or makes new values of old ones."""
    conditions = [node.span for node in walk(body) if isinstance(node, (If, Conditional))]
    for node in walk(body):
        if not isinstance(node, (Assign, Update)) or not _changes(node, variable):
            continue
        if isinstance(node, Update) or node.op != "=" or any(span.contains(node.span) for span in conditions):
            return True
        if any(name.variable is variable for name in names_in(node.value)):
            return True
    return False


def _changes(node: Assign | Update, variable: Variable) -> bool:
    return root_variable(node.target if isinstance(node, Assign) else node.operand) is variable


# ------------------------------------------------------------------------------------------------------- the words


def _finding(facts: KernelFacts, array: PrivateArray, effects: Mapping[str, _Effect], fitting: _Fitting) -> Finding:
    variable, function, values = array.variable, array.function, fitting.values
    new = "unsigned" if not variable.type.signed else values.fits
    where = place(facts, variable.span, function.path, "the array")
    message = f"private array {described(array)} holds values from {values.low:,} to {values.high:,}"
    gains = _gains(effects)
    same = "takes as many registers: compilers see that, and keep 32 bits of each value"
    cost = f"as `{new}` it {listing(gains) if gains else same}"
    if not any(effect.registers for effect in effects.values()):  # bytes are those of this array, and sure
        message, cost = f"{message}: {cost}", ""
    alike = where.here and reads_alike(function, variable, fitting.ranges, facts.file, new)
    help_ = f"declare `{variable.name}` as `{new}`"
    if not alike:
        cast = f"({variable.type.name}){variable.name}[i]"
        help_ += f", and cast it where it meets other 32-bit numbers in arithmetic: `{cast}`"
    if not fitting.for_sure:
        help_ += "; " + _PROMISES
    safe = fitting.for_sure and not _is_conditional(facts.file.source.text(function.span))
    fix = _fix(facts, array, new, "safe" if safe else "unsafe") if alike else None
    severities = {target: effect.severity for target, effect in effects.items()}
    return Finding(where.span, message, severities, help_, where.notes, fix, facts.kernel.name, cost)


def _is_conditional(text: str) -> bool:
    """True if a function has parts that only some configurations compile, and that may do more with the array."""
    lines = (line.strip() for line in text.splitlines())
    return any(line.startswith("#") and line[1:].lstrip().startswith("if") for line in lines)


def _gains(effects: Mapping[str, _Effect]) -> list[str]:
    found: dict[str, list[str]] = {}
    for target, effect in effects.items():
        if effect.bytes:
            found.setdefault(f"takes {count(effect.bytes, 'byte')} of {effect.where} less", []).append(target)
        elif effect.registers:
            noun = "VGPR" if gpu(target).is_amd else "register"
            found.setdefault(f"takes up to {count(effect.registers, noun)} less", []).append(target)
    return [f"{text} on {listing(targets)}" for text, targets in found.items()]


def _fix(facts: KernelFacts, array: PrivateArray, new: str, applicability: Literal["safe", "unsafe"]) -> Fix | None:
    """Another type for a declaration of only this array, where its own is spelled out; the bounds of a template's
    counter depend on launches that may be unknown.
    """
    variable, kernel = array.variable, facts.kernel
    declare = declaration_of(array.function, variable)
    start = variable.declaration.start
    if declare is None or len(declare.variables) != 1 or start > variable.span.start:
        return None
    if kernel.instances or kernel.function.template or array.function.template:
        return None
    spelled = facts.file.source.text(Span(start, variable.span.start)).rstrip()
    if WIDE_INTEGER.fullmatch(spelled) is None or variable.init is not None:  # one in braces may not narrow
        return None
    return Fix(f"declare it `{new}`", applicability, (Edit(Span(start, start + len(spelled)), new),))
