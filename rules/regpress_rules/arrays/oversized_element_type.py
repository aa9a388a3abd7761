"""RP406 oversized-element-type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Rule, Severity, Span
from regpress_lint.api.counters import is_histogram
from regpress_lint.api.facts import root_variable
from regpress_lint.api.ranges import INT, UNSIGNED, is_integer
from regpress_lint.api.report import place
from regpress_lint.api.rewrite import WIDE_INTEGER
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Cast,
    Conditional,
    Declare,
    Evaluate,
    Expr,
    If,
    Index,
    Loop,
    SizeOf,
    Unary,
    Update,
    children,
    declaration_of,
    expression_type,
    names_in,
    nodes_of,
    walk,
)
from regpress_lint.api.targets import gpu, vendor_of
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import step_severity
from regpress_rules.arrays._private import described, frame_of
from regpress_rules.arrays._value_ranges import Ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api import File
    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.ranges import Range
    from regpress_lint.api.syntax import Function, Stmt, Type, TypeLookup, Variable


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
    hint_without_gain = ("amd", "nvidia")

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
    for promised in ranges:
        if (values := promised.of_variable(array.variable)) is not None and values.fits:
            return _Fitting(values, promised, promised is ranges[0])
    return None


def _is_wide(array: PrivateArray) -> bool:
    type_ = array.variable.type
    wide = type_.size == _WIDE and is_integer(type_) and not (array.table or array.escapes)
    return wide and (array.elements or 0) > 1  # which an execution may have to say


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
    return Finding(where.span, message, severities, help_, where.notes, fix, cost=cost)


def _is_conditional(text: str) -> bool:
    """True if a function has parts that only some configurations compile, and that may do more with the array."""
    lines = (line.strip() for line in text.splitlines())
    return any(line.startswith("#") and line[1:].lstrip().startswith("if") for line in lines)


def _gains(effects: Mapping[str, _Effect]) -> list[str]:
    gains: dict[str, list[str]] = {}
    for target, effect in effects.items():
        if effect.bytes:
            gains.setdefault(f"takes {count(effect.bytes, 'byte')} of {effect.where} less", []).append(target)
        elif effect.registers:
            noun = "VGPR" if gpu(target).is_amd else "register"
            gains.setdefault(f"takes up to {count(effect.registers, noun)} less", []).append(target)
    return [f"{text} on {listing(targets)}" for text, targets in gains.items()]


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


# Where reads of narrower elements would compute something else.


_OF_ITS_TYPE = re.compile(r"\b(?:decltype|__decltype|typeof|__typeof__|__typeof|typeid)\b")
_WORD, _WIDE = 4, 8  # bytes
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))
_ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "&", "|", "^"))


def _parents(function: Function) -> dict[Expr | Stmt, Expr | Stmt]:
    return {child: node for node in nodes_of(function) for child in children(node)}


def reads_alike(function: Function, variable: Variable, ranges: Ranges, file: File, new: str) -> bool:
    """True if every use of a variable's elements has the same result when they are `int` or `unsigned` (`new`).

    The function is in the file, and the values themselves are in the range of that type. False where a use was not
    understood.
    """
    above = _parents(function)
    if _OF_ITS_TYPE.search(file.source.text(function.span)) is not None:
        return False
    uses = _Uses(variable, above, ranges, file, UNSIGNED if new == "unsigned" else INT)
    for node in nodes_of(function):
        if isinstance(node, SizeOf) and node.operand is not None and root_variable(node.operand) is variable:
            return False
        outermost = isinstance(node, Index) and not _is_base(node, above.get(node))
        if outermost and root_variable(node) is variable and not uses.alike(node):  # type: ignore[arg-type]
            return False
    return True


def truncated(function: Function, variable: Variable, types: TypeLookup) -> bool:
    """True if no use of a variable's elements needs more than 32 bits of them, except changes of the array itself."""
    above = _parents(function)
    for node in nodes_of(function):
        use = above.get(node)
        if not isinstance(node, Index) or _is_base(node, use) or root_variable(node) is not variable:
            continue
        if isinstance(use, (Evaluate, Update)) or (isinstance(use, Assign) and use.target is node):
            continue
        if isinstance(use, Assign):
            wanted = expression_type(use.target, types) if use.op == "=" else None
        elif isinstance(use, Declare):
            wanted = next((each.type for each in use.variables if each.init is node), None)
        else:
            wanted = use.type if isinstance(use, Cast) else None
        same = isinstance(use, Assign) and use.op == "=" and root_variable(use.target) is variable
        if not same and (wanted is None or not is_integer(wanted) or wanted.size == 8):
            return False
    return True


def _is_base(node: Expr | Stmt, above: Expr | Stmt | None) -> bool:
    return isinstance(above, Index) and above.base is node


class _Uses:
    """The uses of expressions that become narrower."""

    def __init__(
        self, variable: Variable, above: dict[Expr | Stmt, Expr | Stmt], ranges: Ranges, file: File, new: Range
    ) -> None:
        self._variable = variable
        self._above = above
        self._ranges = ranges
        self._types = file.type_of
        self._source = file.source
        self._new = new

    def alike(self, node: Expr) -> bool:
        """True if nothing that an expression is a part of changes."""
        use = self._above.get(node)
        if isinstance(use, (Evaluate, Index, If, Loop)):
            return not isinstance(use, Index) or use.index is node
        if isinstance(use, Assign):
            return self._assigned(node, use)
        if isinstance(use, Update):
            return self.alike(use)
        if isinstance(use, Declare):
            declared = next((variable for variable in use.variables if variable.init is node), None)
            spelled = declared is not None and "auto" not in self._source.text(declared.declaration)
            return declared is not None and spelled and _is_plain(declared.type) and not declared.type.reference
        if isinstance(use, Cast):
            return not use.reinterpret and _is_plain(use.type)
        if isinstance(use, Unary):
            return use.op == "!" or (use.op == "-" and self._stays(use) and self.alike(use))
        if isinstance(use, Conditional):
            return use.test is node or self._chosen(use.other if use.then is node else use.then, node, use)
        return isinstance(use, Binary) and self._combined(node, use)

    def _assigned(self, node: Expr, use: Assign) -> bool:
        if use.target is node:  # written: the value fits, and so do the sums on the way to it
            return use.op in ("=", "+=", "-=", "|=", "^=", "&=") and self.alike(use)
        type_ = expression_type(use.target, self._types)
        if use.op == "=":
            return _is_plain(type_)
        return type_ is not None and _is_plain(type_) and (type_.floating or type_.size == 8)

    def _combined(self, node: Expr, use: Binary) -> bool:
        operand = use.right if use.left is node else use.left
        type_ = expression_type(operand, self._types)
        if use.op in _LOGICAL:
            return True
        if type_ is None or not _is_plain(type_) or not (use.op in _COMPARISONS or use.op in _ARITHMETIC):
            return False
        if type_.floating or self._is_as_wide(operand, type_):
            return True
        if use.op in _COMPARISONS:
            values = self._ranges.of(operand)
            return values is not None and self._new.holds(values) and self._keeps_its_sign(type_, node)
        return self._stays(use) and self._keeps_its_sign(type_, node, use) and self.alike(use)

    def _chosen(self, operand: Expr, node: Expr, use: Conditional) -> bool:
        """True if a choice between the narrower number and another one has the same result."""
        type_ = expression_type(operand, self._types)
        if type_ is None or not _is_plain(type_):
            return False
        if type_.floating or self._is_as_wide(operand, type_):
            return True
        values = self._ranges.of(operand)
        fits = values is not None and self._new.holds(values)
        return fits and self._keeps_its_sign(type_, node) and self.alike(use)

    def _is_as_wide(self, operand: Expr, type_: Type) -> bool:
        """An operand of 64 bits and the same sign makes the operation one of 64 bits, as it was; an operand from the
        same array's elements does not, because these become narrower as well.
        """
        same = any(name.variable is self._variable for name in names_in(operand))
        return not same and type_.size == _WIDE and type_.signed == (self._new is INT)

    def _keeps_its_sign(self, type_: Type, *nodes: Expr) -> bool:
        """False for an `int` that may be negative where the other operand makes it unsigned."""
        if self._new is not INT or type_.signed or type_.size != _WORD:
            return True
        ranges = [self._ranges.of(node) for node in nodes]
        return all(values is not None and values.low >= 0 for values in ranges)

    def _stays(self, node: Expr) -> bool:
        """True if the result, and each operand, is a number that the narrower type holds."""
        operands = (node.left, node.right) if isinstance(node, Binary) else ()
        ranges = [self._ranges.of(part) for part in (node, *operands)]
        return all(values is not None and self._new.holds(values) for values in ranges)


def _is_plain(type_: Type | None) -> bool:
    if type_ is None:
        return False
    return is_integer(type_) or (type_.floating and type_.lanes == 1 and not type_.pointers and type_.size in (2, 4, 8))
