"""RP202 float-promoted-to-double."""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.api.facts import spelled
from regpress_lint.api.preprocessor import in_macro
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Binary, Call, Constant, LambdaExpr, Name, nodes_of, walk
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing, one_line, pattern
from regpress_lint.api.worth import step_severity
from regpress_rules.math._promotions import COSTLY, Promotion, promotions
from regpress_rules.math._wide_arithmetic import WideArithmetic, wide_arithmetic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.facts import LoopFacts
    from regpress_lint.api.syntax import Expr, Function

# Registers that one call costs more in double than in float: gfx90a, gfx1100 (clang 19.1.7), sm_90 (nvcc 13.0.88).
_COSTS = {
    **dict.fromkeys(("exp", "exp2", "exp10", "expm1"), (22, 5, 3)),
    **dict.fromkeys(("log", "log2", "log10", "log1p"), (30, 17, 10)),
    **dict.fromkeys(("sin", "cos", "tan"), (2, 19, 6)),
    **dict.fromkeys(("sinh", "cosh", "tanh"), (28, 19, 4)),
    "pow": (15, 12, 13),
    "cbrt": (9, 11, 7),
    "sqrt": (3, 2, 6),
}
_ROOTS = frozenset(("sqrt", "rsqrt", "hypot"))
_DECIMAL = pattern(r"(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$")
_LONGEST_SHOWN = 48
_MOST_NOTES = 8
_MOST_LITERALS = 4
# One element per thread, on an H200: five operations at memory speed took 1.03 x the time of float, eight with two
# divisions 1.14 x; in a loop over cached values a single one took 4.3 x, a comparison 1.6 x.
_FEW_OPERATIONS = 2
# A graphics card of AMD's does eight FP64 instructions while memory moves 8 bytes (RX 7900 XTX: 960 GB/s, 0.96 T
# instructions a second), and conversions take the same slots: five operations with theirs are hidden.
_FEW_ON_RDNA = 5
_DIVISIONS = 2
# Issue slots of sm_90 that an FP64 operation and its conversions take beside one of FP32 (16 conversions a cycle), and
# the part of a loop's pass below which nobody measures their going.
_SLOTS = 14
_DIVIDED = 10  # slots of a division of floats on its quick way: a reciprocal, a check, seven products and sums
_LEAST_PART = 10
_DEEPEST = 6  # callers of callers that are looked at


class FloatPromotedToDouble(Rule):
    """Arithmetic or a math function of floats that a literal, a constant or an int exponent turns into double."""

    code = "RP202"
    name = "float-promoted-to-double"
    prices_fixes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per call, and one per function for its plain arithmetic, in all functions of the kernel."""
        for function in facts.source.functions:
            if wide := list(wide_arithmetic(facts, function)):
                yield _arithmetic(facts, function, wide)
        looped: dict[Function, set[Span]] = {}
        for site in facts.calls:
            if site.call.name in COSTLY:
                calls = looped.setdefault(site.function, set())
                if any(not loop.unrolled for loop in site.loops):
                    calls.add(site.call.span)
        for function, calls in looped.items():
            for promotion in promotions(facts, function):
                yield _finding(facts, function, promotion, promotion.call.span in calls)


def _finding(facts: KernelFacts, function: Function, promotion: Promotion, in_loop: bool) -> Finding:
    call, source = promotion.call, facts.file.source
    where = place(facts, call.span, function.path, "the call in double precision")
    text, causes = f"{call.qualified}(...)", ""
    if where.here:
        written = one_line(source, call.span)
        text = written if len(written) <= _LONGEST_SHOWN else text
        shown = dict.fromkeys(f"`{' '.join(source.text(cause.span).split())}`" for cause in promotion.causes)
        causes = f" because of {'the int exponent ' if promotion.exponent else ''}{listing(shown)}"
    # HIP has an overload of pow for an int exponent.
    targets = [target for target in facts.targets if not promotion.exponent or gpu(target).is_nvidia]
    severities = {target: _severity(facts, target, call.name) for target in targets}
    costs = [cost for target in targets if (cost := _cost(target, call.name)) is not None]
    cost = f"about {listing(costs)} more than in float" if costs else ""
    loop = " in a loop" if in_loop else ""
    message = f"`{text}`{loop} takes floats, is computed in double{causes} and rounded to float"
    help_ = f"call `{call.name}f`" if not facts.kernel.has_work_items else f"pass nothing but floats to `{call.name}`"
    help_ += ", with a float exponent" if promotion.exponent else ", with the suffix `f` on literals"
    generic = _is_generic(facts, function)
    if generic:
        help_ = f"pass nothing but values of the template's type to `{call.name}`, as in `T(0.5)`"
    fix = _fix(facts, promotion) if where.here and not generic else None
    if function is not facts.kernel.function:  # the message is the same in all kernels that reach the call
        message, cost = f"{message}: {cost}" if cost else message, ""
    gained = None if call.name in _ROOTS else dict.fromkeys(severities, Severity.WARNING)
    return Finding(where.span, message, severities, help_, where.notes, fix, cost=cost, gained=gained)


def _is_generic(facts: KernelFacts, function: Function) -> bool:
    """Whether other instantiations of a device function may compute with doubles."""
    return function is not facts.kernel.function and any(parameter.is_type for parameter in function.template)


def _severity(facts: KernelFacts, target: str, name: str) -> Severity:
    on = gpu(target)
    if on.is_nvidia:
        return Severity.INFO if name in _ROOTS else Severity.WARNING
    if on.is_intel:
        return Severity.HINT if name in _ROOTS else Severity.INFO
    if name in _ROOTS or name not in _COSTS:
        return Severity.HINT if name in _ROOTS else Severity.INFO
    steps = step_severity(facts, target, _COSTS[name][0 if gpu(target).is_gfx9 else 1])
    return max(steps, Severity.INFO)


def _cost(target: str, name: str) -> str | None:
    costs, on = _COSTS.get(name), gpu(target)
    if costs is None or on.is_intel:
        return None
    if on.is_nvidia:
        return f"{count(costs[2], 'register')} on {target}"
    return f"{count(costs[0 if gpu(target).is_gfx9 else 1], 'VGPR')} on {target}"


# -------------------------------------------------------------------------------------------------- plain arithmetic


def _arithmetic(facts: KernelFacts, function: Function, wide: Sequence[WideArithmetic]) -> Finding:
    """One finding for the expressions of a function, at the one that costs most: those in loops come first."""
    looped = _looped(facts, function, wide)
    ranked = sorted(wide, key=lambda arithmetic: (arithmetic not in looped, -arithmetic.operations))
    first = ranked[0]
    where = place(facts, first.expr.span, function.path, "the expression that is computed in double")
    subject, notes = f"`{spelled(first.expr)}` in `{function.name}`", where.notes
    written = partial(_written, facts) if where.here else spelled
    literals = list(dict.fromkeys(f"`{written(cause)}`" for arithmetic in ranked for cause in arithmetic.causes))
    shown = [*literals[:_MOST_LITERALS], *(("others",) if len(literals) > _MOST_LITERALS else ())]
    causes = f" because of {listing(shown)}"
    if where.here:
        subject = f"`{_short(facts, first)}`"
        others = ranked[1 : 1 + _MOST_NOTES]
        notes = tuple(Note(arithmetic.expr.span, f"here too: {_operations([arithmetic])}") for arithmetic in others)
    more = f" and {count(len(wide) - 1, 'more expression')} of floats" if len(wide) > 1 else ""
    is_ = "are" if more else "is"
    loop = " in a loop" if looped else ""
    message = (
        f"{subject}{more} {is_} computed in double{loop}{causes}: {_operations(wide)} and the conversions around them"
    )
    felt = bool(looped) and _is_felt(facts, function, looped)
    severities = {target: _arithmetic_severity(wide, felt, target) for target in facts.targets}
    help_ = "write the constants as floats, with the suffix `f` on literals"
    generic = _is_generic(facts, function)
    if generic:
        help_ = "write the constants in the type of the template's values, as in `T(0.5)`"
    fix = _arithmetic_fix(facts, wide) if where.here and not generic else None
    return Finding(where.span, message, severities, help_, notes, fix)


def _looped(facts: KernelFacts, function: Function, wide: Sequence[WideArithmetic]) -> set[WideArithmetic]:
    """The expressions that are evaluated in a loop, of their function or of one that calls it."""
    if function is not facts.kernel.function and _called_in_loop(facts, function, _DEEPEST):
        return set(wide)
    loops = [described.loop.span for described in facts.loops_of(function)]
    if loops:
        loops += _lambdas_called_in(facts, function, loops)
    return {arithmetic for arithmetic in wide if any(loop.contains(arithmetic.expr.span) for loop in loops)}


def _lambdas_called_in(facts: KernelFacts, function: Function, loops: Sequence[Span]) -> list[Span]:
    """The lambdas that a loop of the function calls by name."""
    called = {
        node.callee.variable
        for node in nodes_of(function)
        if isinstance(node, Call) and isinstance(node.callee, Name) and any(loop.contains(node.span) for loop in loops)
    }
    declared = (variable for variable in facts.flow_of(function).declared if variable in called)
    return [variable.init.span for variable in declared if isinstance(variable.init, LambdaExpr)]


def _called_in_loop(facts: KernelFacts, function: Function, depth: int) -> bool:
    """Whether a function is called in a loop, or from a function that is."""
    called = [site for site in facts.calls if facts.callee_of(site.call) is function]
    if any(site.loops for site in called):
        return True
    callers = {site.function for site in called} - {function, facts.kernel.function}
    return depth > 0 and any(_called_in_loop(facts, caller, depth - 1) for caller in callers)


def _is_felt(facts: KernelFacts, function: Function, looped: set[WideArithmetic]) -> bool:
    """Whether the operations are a noticeable part of a pass of a loop; of one in another function, they may be."""
    loops = facts.loops_of(function)
    inside = {
        loop: sum(arithmetic.operations for arithmetic in looped if loop.loop.span.contains(arithmetic.expr.span))
        for loop in loops
    }
    parts = [operations * _SLOTS * _LEAST_PART >= _slots(loop) for loop, operations in inside.items() if operations]
    return not parts or any(parts)


def _slots(loop: LoopFacts) -> float:
    """Issue slots of a pass: what the loop's size has of it, and its divisions, which that counts as one operation."""
    divisions = sum(isinstance(node, Binary) and node.op == "/" for node in walk(loop.loop))
    return loop.cost + _DIVIDED * divisions


def _short(facts: KernelFacts, arithmetic: WideArithmetic) -> str:
    text = one_line(facts.file.source, arithmetic.expr.span)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3].rstrip()}..."


def _written(facts: KernelFacts, cause: Expr) -> str:
    return " ".join(facts.file.source.text(cause.span).split())


def _totals(wide: Sequence[WideArithmetic]) -> tuple[int, int]:
    """Operations, and divisions among them."""
    return sum(arithmetic.operations for arithmetic in wide), sum(arithmetic.divisions for arithmetic in wide)


def _operations(wide: Sequence[WideArithmetic]) -> str:
    operations, divisions = _totals(wide)
    divided = f" ({count(divisions, 'division')})" if divisions else ""
    return f"{count(operations, 'FP64 operation')}{divided}"


def _arithmetic_severity(wide: Sequence[WideArithmetic], in_loop: bool, target: str) -> Severity:
    """A warning where the time was measured, or where FP64 has 1/16 of the rate or less; data-centre GPUs of AMD and
    Intel do both at one rate, so that conversions and registers alone are saved.
    """
    on = gpu(target)
    if on.is_nvidia:
        wide = [arithmetic for arithmetic in wide if not arithmetic.float_in_nvcc]
        if not wide:
            return Severity.HINT
    operations, divisions = _totals(wide)
    most = _FEW_ON_RDNA if on.is_amd and not on.has_fast_fp64 else _FEW_OPERATIONS
    few = not in_loop and operations <= most and not divisions
    if not on.has_fast_fp64:
        return Severity.INFO if few else Severity.WARNING
    if not on.is_nvidia:
        return Severity.HINT if few else Severity.INFO
    if in_loop or divisions >= _DIVISIONS:
        return Severity.WARNING
    return Severity.HINT if few else Severity.INFO


def _arithmetic_fix(facts: KernelFacts, wide: Sequence[WideArithmetic]) -> Fix | None:
    """Suffixes for all expressions whose constants are literals that a float can hold."""
    edits: dict[Span, Edit] = {}
    for arithmetic in wide:
        if not in_macro(facts.file, arithmetic.expr.span):
            edits.update((edit.span, edit) for edit in _suffixes(facts, arithmetic.causes) or ())
    if not edits:
        return None
    texts = list(dict.fromkeys(edit.text for edit in edits.values()))
    shown = listing(texts[:_MOST_LITERALS] if len(texts) <= _MOST_LITERALS else [*texts[:_MOST_LITERALS], "others"])
    title = f"write {shown}: every operation rounds to float, results may change in the last bits"
    return Fix(title, "unsafe", tuple(edits[span] for span in sorted(edits)))


# --------------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, promotion: Promotion) -> Fix | None:
    edits = _suffixes(facts, promotion.causes)
    if promotion.exponent or edits is None or in_macro(facts.file, promotion.call.span):
        return None
    return Fix(f"write {listing(dict.fromkeys(edit.text for edit in edits))}", "unsafe", edits)


def _suffixes(facts: KernelFacts, causes: Sequence[object]) -> tuple[Edit, ...] | None:
    edits: list[Edit] = []
    for cause in causes:
        text = facts.file.source.text(cause.span) if isinstance(cause, Constant) else ""
        sign = len(text) - len(text.lstrip("+- \t"))
        if not isinstance(cause, Constant) or not _DECIMAL.match(text[sign:]) or not _normal(cause.value):
            return None
        edits.append(Edit(Span(cause.span.start + sign, cause.span.end), text[sign:] + "f"))
    return tuple(edits)


def _normal(value: float | None) -> bool:
    """True if a float holds the value as a normal number, or zero."""
    if value is None:
        return False
    try:
        single = abs(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return False
    return value == 0 or single >= 2.0**-126
