"""RP202 float-promoted-to-double."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.cpp.syntax import Constant
from regpress_rules._gates import step_severity
from regpress_rules._place import is_gfx9, place, vendor_of
from regpress_rules._rewrite import in_macro
from regpress_rules._words import count, listing
from regpress_rules.math._promotion import COSTLY, Promotion, promotions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax import Function

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
    """A math function on floats that a literal, a constant or an int exponent turns into its double version.

    ## What it does
    Reports a math function whose arguments are floats but for an unsuffixed literal (`0.5`), a double constant
    (`M_PI`, a macro, a `const double`) or, with nvcc, an int exponent of `pow`, and whose value ends in a float: it is
    stored, returned or cast. Then the whole function is made in double, to be rounded to float at once.

    Literals elsewhere stay silent: compilers turn `0.5 * x`, `x > 0.0` and the like back into float. So do values that
    are double by themselves, types and constants that are not in view, and powers that RP201 speaks about.

    ## Why it costs
    `exp(x)` of a float is `expf` in device code, `exp(-0.5 * x)` is not: the product is a double, and C++ picks the
    double overload. That one is longer, keeps its polynomial in pairs of registers, and on GPUs for consumers runs
    at a fraction of the rate. No compiler may undo it, because the results differ in the last bit. `pow(x, n)` with
    an int `n` is `pow(double, double)` with nvcc; HIP has an overload for it.

    ## Targets
    One call for each element, registers per thread, with the literal -> with `f`:

    | | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) |
    |---|---|---|---|
    | `exp(-0.5 * x * x)` | 29 -> 7 | 11 -> 6 | 15 -> 12 |
    | the same in a loop | 38 -> 12 | 16 -> 11 | 34 -> 22, 48 -> 64 warps |
    | `log(1.0 + x)` | 37 -> 7 | 22 -> 5 | 20 -> 10 |
    | `sin(2.0 * pi * x)` | 22 -> 20 | 35 -> 16 | 28 -> 22, 40 -> 0 B |
    | `tanh(0.5 * x)` | 35 -> 7 | 26 -> 7 | 18 -> 14 |
    | `cbrt(x + 1.0)` | 17 -> 8 | 17 -> 6 | 21 -> 14 |
    | `pow(x, 1.5)` | 40 -> 25 | 25 -> 13 | 29 -> 16 |
    | `pow(x, n)`, int `n` | 27 | 14 | 29 -> 15 |
    | `sqrt(1.0 + x)` | 13 -> 10 | 10 -> 8 | 18 -> 12 |
    | `fabs(x - 1.0)`, `floor(0.5 * x)` | 4 to 5 | 4 | 12 -> 10 |
    | `0.5 * x + 0.25 * y` | 7 -> 5 | 6 -> 4 | 14 -> 12 |

    On an H200 `exp(-0.5 * x * x)` took 1.09 x the time of the float version for each element, at memory speed, and
    `pow(x, 2.0)` 2.4 x. So it is a warning on NVIDIA, for `sqrt` and `hypot`, which were not timed, information. On
    AMD no time was taken: a warning where the registers decide about a wave, else information (`sqrt`: a hint). On
    Intel it is information.

    ## Measured
    Our own pairs in `testdata/evidence/RP202`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, IGC 1.0.12504,
    `-O3`; times on an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | density | gfx1100 | 16 -> 11 | 0 | 0 | 16 | |
    | density | gfx90a | 38 -> 12 | 0 | 0 | 8 | |
    | density | sm_90 | 34 -> 22 | 0 | 0 | 48 -> 64 | 0.194 -> 0.0676 (2.87 x) |
    | folded | gfx1100 | 4 | 0 | 0 | 16 | |
    | folded | gfx90a | 4 | 0 | 0 | 8 | |
    | folded | sm_90 | 10 | 0 | 0 | 64 | 0.0543 -> 0.0543 (1.00 x) |
    | gamma | gfx1100 | 25 -> 13 | 0 | 0 | 16 | |
    | gamma | gfx90a | 40 -> 25 | 0 | 0 | 8 | |
    | gamma | sm_90 | 29 -> 16 | 0 | 0 | 64 | 0.13 -> 0.0662 (1.97 x) |
    | gauss | gfx1100 | 11 -> 6 | 0 | 0 | 16 | |
    | gauss | gfx90a | 29 -> 7 | 0 | 0 | 8 | |
    | gauss | sm_90 | 15 -> 12 | 0 | 0 | 64 | 0.0608 -> 0.0556 (1.09 x) |
    | held | pvc | | 32 -> 0 | 12 -> 0 | |  |
    | integer | gfx1100 | 13 | 0 | 0 | 16 | |
    | integer | gfx90a | 25 -> 26 | 0 | 0 | 8 | |
    | integer | sm_90 | 29 -> 15 | 0 | 0 | 64 | 0.137 -> 0.071 (1.93 x) |
    | logarithm | gfx1100 | 22 -> 5 | 0 | 0 | 16 | |
    | logarithm | gfx90a | 37 -> 7 | 0 | 0 | 8 | |
    | logarithm | sm_90 | 20 -> 10 | 0 | 0 | 64 | 0.0714 -> 0.0565 (1.27 x) |
    | root | gfx1100 | 10 -> 8 | 0 | 0 | 16 | |
    | root | gfx90a | 13 -> 10 | 0 | 0 | 8 | |
    | root | sm_90 | 18 -> 12 | 0 | 0 | 64 | 0.0581 -> 0.0565 (1.03 x) |
    | wave | gfx1100 | 35 -> 16 | 0 | 0 | 16 | |
    | wave | gfx90a | 22 -> 20 | 0 | 0 | 8 | |
    | wave | sm_90 | 28 -> 22 | 40 -> 0 | 0 | 64 | 0.0665 -> 0.0571 (1.16 x) |

    `python benchmarks/measure_evidence.py RP202` makes this table.

    ## Example
    ```cuda
    __global__ void gauss(const float* a, float* b) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float x = a[i];
      b[i] = exp(-0.5 * x * x);
    }
    ```

    ## Use instead
    ```cuda
    __global__ void gauss(const float* a, float* b) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float x = a[i];
      b[i] = expf(-0.5f * x * x);
    }
    ```

    ## When to ignore
    Where the argument needs more than 24 bits: `sin(2.0 * M_PI * f * t)` at a large `f * t` loses its phase in float.
    Write the cast then, `sin(2.0 * M_PI * (double)f * t)`: that says so, and is silent here.

    ## Fix safety
    The fix puts `f` behind the literals in the arguments. It is unsafe, always, also for literals that a float
    holds exactly: a double function rounded to float is nearly always correctly rounded, the float function is less
    accurate, and a product in float can overflow where that in double does not. There is no fix where a macro or a
    constant is the cause, and for literals that a float cannot hold as a normal number.

    ## Sources
    evidence/efficacy.md sections 1a and 5g, evidence/timing/README.md (own measurements); Intel's registerization
    chapter of the oneAPI GPU Optimization Guide.
    """

    code = "RP202"
    name = "float-promoted-to-double"

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
        written = " ".join(source.text(call.span).split())
        text = written if len(written) <= _LONGEST_SHOWN else text
        shown = dict.fromkeys(f"`{' '.join(source.text(each.span).split())}`" for each in promotion.causes)
        causes = f" because of {'the int exponent ' if promotion.exponent else ''}{listing(shown)}"
    # HIP has an overload of pow for an int exponent.
    targets = [target for target in facts.targets if not promotion.exponent or vendor_of(target) == "nvidia"]
    severities = {target: _severity(facts, target, call.name) for target in targets}
    costs = [cost for target in targets if (cost := _cost(target, call.name)) is not None]
    about = f", about {listing(costs)} more than in float" if costs else ""
    loop = " in a loop" if in_loop else ""
    message = f"`{text}`{loop} on floats promotes to double{causes}, and is rounded to float: FP64 arithmetic{about}"
    help_ = f"call `{call.name}f`" if facts.kernel.language != "sycl" else f"give `{call.name}` floats alone"
    help_ += ", with a float exponent" if promotion.exponent else ", with `f` behind the literals and float constants"
    fix = _fix(facts, promotion) if where.here else None
    return Finding(where.span, message, severities, help_, where.notes, fix, facts.kernel.name)


def _severity(facts: KernelFacts, target: str, name: str) -> Severity:
    vendor = vendor_of(target)
    if vendor == "nvidia":
        return Severity.INFO if name in _ROOTS else Severity.WARNING
    if vendor == "intel":
        return Severity.HINT if name in _ROOTS else Severity.INFO
    if name in _ROOTS or name not in _COSTS:
        return Severity.HINT if name in _ROOTS else Severity.INFO
    steps = step_severity(facts, target, _COSTS[name][0 if is_gfx9(target) else 1])
    return max(steps, Severity.INFO)


def _cost(target: str, name: str) -> str | None:
    costs, vendor = _COSTS.get(name), vendor_of(target)
    if costs is None or vendor == "intel":
        return None
    if vendor == "nvidia":
        return f"{count(costs[2], 'register')} on {target}"
    return f"{count(costs[0 if is_gfx9(target) else 1], 'VGPR')} on {target}"


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
