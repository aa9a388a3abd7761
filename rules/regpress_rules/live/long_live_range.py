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
    """Values loaded before a loop that only the code behind the loop uses.

    ## What it does
    Reports a loop at the kernel's register peak through which values are carried that were loaded from global memory
    in front of it, are not touched in it, and are used only behind it, if they add up to at least 8 registers or a
    step of the occupancy. One finding per loop, at the first of these variables; the others are listed in notes.

    It is a warning if the estimate would keep a step, or the budget, without at least 8 registers of them, a hint if
    they are fewer than 8 or no point of the band shows a difference, and information in between. Where LDS or the
    block size limits the waves, no point of the band does below the registers that are free; the help says how many.

    ## Why it costs
    A load keeps its register from where it is written to its last use. No compiler moves a load across a loop, a
    barrier, a call or a store, not even from a `const __restrict__` pointer. A value that is needed only behind the
    loop occupies its register in all iterations, at the very place where registers are short.

    Arithmetic is another matter: compilers sink or recompute it (one of 48 early/late pairs of plain arithmetic
    differed, by 4 registers, and one below on sm_90), so "defined far from its use" by itself is no finding here.

    ## Targets
    N values loaded before / behind a loop with 48 accumulators, registers per thread:

    | loads | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) |
    |---|---|---|---|
    | 8 floats | 86 / 71 | 69 / 64 | 66 / 64 |
    | 16 floats | 102 / 71 | 86 / 73 | 74 / 64 |
    | 24 floats | 118 / 71 | 105 / 83 | 82 / 64 |
    | 8 doubles | 86 / 75 | 73 / 57 | 74 / 64 |
    | 24 doubles | 122 / 75 | 121 / 59 | 106 / 64 |
    | 16 floats, shared memory | 73 / 73 | 67 / 55 | 60 / 58 |
    | 16 floats, the same for all threads | 71 / 71 | 53 / 53 | 74 / 63 |

    Loads from shared memory are left out, and on AMD loads that are the same for all threads (they sit in scalar
    registers). On an H200, 16 doubles loaded behind the loop in place of before it: 82 to 46 registers, 16 to 40
    warps, 1.10 times as fast.

    ## Measured
    Our own pairs in `testdata/evidence/RP301`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | computed | gfx1100 | 53 | 0 | 0 | 16 | |
    | computed | gfx90a | 74 | 0 | 0 | 6 | |
    | computed | sm_90 | 68 -> 58 | 0 | 0 | 24 -> 32 | 0.0192 -> 0.0148 (1.30 x) |
    | early | gfx1100 | 70 -> 56 | 0 | 0 | 16 | |
    | early | gfx90a | 82 -> 64 | 0 | 0 | 5 -> 8 | |
    | early | sm_90 | 78 -> 62 | 0 | 0 | 24 -> 32 | 0.0298 -> 0.0213 (1.40 x) |
    | few | gfx1100 | 30 -> 27 | 0 | 0 | 16 | |
    | few | gfx90a | 36 -> 30 | 0 | 0 | 8 | |
    | few | sm_90 | 30 -> 31 | 0 | 0 | 64 | 0.00918 -> 0.00934 (0.98 x) |
    | floats | gfx1100 | 106 -> 85 | 0 | 0 | 12 -> 16 | |
    | floats | gfx90a | 122 -> 76 | 0 | 0 | 4 -> 6 | |
    | floats | sm_90 | 83 -> 64 | 0 | 0 | 16 -> 32 | 0.0295 -> 0.0183 (1.61 x) |
    | staged | gfx1100 | 31 -> 24 | 0 | 0 | 16 | |
    | staged | gfx90a | 36 -> 30 | 0 | 0 | 8 | |
    | staged | sm_90 | 36 -> 32 | 0 | 0 | 48 -> 64 | 0.0095 -> 0.00925 (1.03 x) |
    | uniform | gfx1100 | 29 | 0 | 0 | 16 | |
    | uniform | gfx90a | 38 | 0 | 0 | 8 | |
    | uniform | sm_90 | 56 -> 40 | 0 | 0 | 32 -> 48 | 0.0116 -> 0.0113 (1.02 x) |

    `python benchmarks/measure_evidence.py RP301` makes this table.

    ## Example
    ```hip
    __global__ void __launch_bounds__(256) step(const double4* m, const double* a, double* b, int steps, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double4 m0 = m[i], m1 = m[i + n], m2 = m[i + 2 * n], m3 = m[i + 3 * n], m4 = m[i + 4 * n], m5 = m[i + 5 * n];
      double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0;
      for (int k = 0; k < steps; ++k) {
        double v = a[k * n + i];
        s0 += v; s1 += v * v; s2 += v * s1; s3 += v * s2; s4 += v * s3; s5 += v * s4;
      }
      b[i] = m0.x * s0 + m1.y * s1 + m2.z * s2 + m3.w * s3 + m4.x * s4 + m5.y * s5 + m0.w * s1 + m1.x * s2;
    }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) step(const double4* m, const double* a, double* b, int steps, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0;
      for (int k = 0; k < steps; ++k) {
        double v = a[k * n + i];
        s0 += v; s1 += v * v; s2 += v * s1; s3 += v * s2; s4 += v * s3; s5 += v * s4;
      }
      double4 m0 = m[i], m1 = m[i + n], m2 = m[i + 2 * n], m3 = m[i + 3 * n], m4 = m[i + 4 * n], m5 = m[i + 5 * n];
      b[i] = m0.x * s0 + m1.y * s1 + m2.z * s2 + m3.w * s3 + m4.x * s4 + m5.y * s5 + m0.w * s1 + m1.x * s2;
    }
    ```

    ## When to ignore
    If the loop is short and the early load hides its latency behind it (a prefetch), or if the peak lies behind the
    loop: moving loads to a tail where all values and their addresses are live is neutral or worse on AMD.

    ## Fix safety
    There is no fix: whether the loop writes what is loaded is often known to the author alone.

    ## Sources
    evidence/efficacy.md section 3 (own measurements), evidence/timing/README.md; AMD lab notes "Register pressure in
    AMD CDNA2 GPUs" (move definitions close to their use).
    """

    code = "RP301"
    name = "long-live-range"

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
