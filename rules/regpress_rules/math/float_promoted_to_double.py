"""RP202 float-promoted-to-double."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.api.math import COSTLY, Promotion, promotions
from regpress_lint.api.preprocessor import in_macro
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Constant
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing, one_line
from regpress_lint.api.worth import step_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.syntax import Function

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
_DECIMAL = re.compile(r"(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$")
_LONGEST_SHOWN = 48


class FloatPromotedToDouble(Rule):
    """A math function on floats that a literal, a constant or an int exponent turns into its double version."""

    code = "RP202"
    name = "float-promoted-to-double"
    needs = ("calls",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a call, also in the device functions that the kernel reaches."""
        looped: dict[Function, set[object]] = {}
        for site in facts.calls:
            if site.call.name in COSTLY:
                calls = looped.setdefault(site.function, set())
                if any(not loop.unrolled for loop in site.loops):
                    calls.add(site.call)
        for function, calls in looped.items():
            for promotion in promotions(facts, function):
                yield _finding(facts, function, promotion, promotion.call in calls)


def _finding(facts: KernelFacts, function: Function, promotion: Promotion, in_loop: bool) -> Finding:
    call, source = promotion.call, facts.file.source
    where = place(facts, call.span, function.path, "the call that is made in double")
    text, causes = f"{call.qualified}(...)", ""
    if where.here:
        written = one_line(source, call.span)
        text = written if len(written) <= _LONGEST_SHOWN else text
        shown = dict.fromkeys(f"`{' '.join(source.text(each.span).split())}`" for each in promotion.causes)
        causes = f" because of {'the int exponent ' if promotion.exponent else ''}{listing(shown)}"
    # HIP has an overload of pow for an int exponent.
    targets = [target for target in facts.targets if not promotion.exponent or gpu(target).is_nvidia]
    severities = {target: _severity(facts, target, call.name) for target in targets}
    costs = [cost for target in targets if (cost := _cost(target, call.name)) is not None]
    about = f", about {listing(costs)} more than in float" if costs else ""
    loop = " in a loop" if in_loop else ""
    message = f"`{text}`{loop} takes floats, is computed in double{causes} and rounded to float: FP64 arithmetic{about}"
    help_ = f"call `{call.name}f`" if facts.kernel.language != "sycl" else f"pass nothing but floats to `{call.name}`"
    help_ += ", with a float exponent" if promotion.exponent else ", with the suffix `f` on literals"
    fix = _fix(facts, promotion) if where.here else None
    return Finding(where.span, message, severities, help_, where.notes, fix, facts.kernel.name)


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
