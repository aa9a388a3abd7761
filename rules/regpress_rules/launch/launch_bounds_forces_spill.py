"""RP104 launch-bounds-forces-spill."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.cpp.syntax import Call, Name
from regpress_lint.targets.occupancy import occupancy, register_cap
from regpress_rules._place import place, targets_of
from regpress_rules._words import waves
from regpress_rules.launch._bounds import SURELY, argument_spans, misread, oversized, settled, shown, spill_severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import LaunchBounds
    from regpress_lint.facts.target import TargetFacts

# Of 165 kernels of HeCBench with 32 to 64 registers under `(256)`, nvcc gave 103 so many more under `(256, 1)` that
# warps were lost; of the 41 that these numbers name, 30.
_LOOSER = 1.4
_LEAST, _MOST = 30, 64
_FEW = 0.5  # more waves than that hide most latencies
# Of the bounds of HeCBench and flashinfer whose cap is up to so much below the estimate hardly any makes a spill.
_FAR = 1.5
# cutlass::arch::warpgroup_reg_alloc and the like
_HANDS_OVER = re.compile(r"warpgroup_reg_|setmaxnreg", re.IGNORECASE)
_THREADS_OF_A_FULL_SM = 1024  # what ptxas aims at, or more, when it may choose


class _Effect(NamedTuple):
    """What bounds do to a kernel on one target: its registers are capped, or (`looser`) let go."""

    severity: Severity
    facts: KernelFacts
    arguments: str
    looser: bool = False


class LaunchBoundsForcesSpill(Rule):
    """Launch bounds that leave a thread fewer registers than the kernel needs, or let nvcc take more than it would.

    ## What it does
    Reports `__launch_bounds__(T, B)` in two situations.

    - The cap that follows from it is below the register estimate: the rest is spilled. It is a warning if the estimate
      is more than 1.5 times the cap, and information if it is more than a tenth above (a quarter on NVIDIA) or the
      kernel holds `asm`, whose values are not seen. Where the first argument alone makes the
      cap, nothing but smaller blocks helps: a warning only if the whole band is above.
    - nvcc only, information: a second argument so small that its cap is far above the estimate (`(256, 1)`), if the
      registers that nvcc then takes leave no more than half of the warps. Without one ptxas holds registers down for
      the sake of occupancy; with one it takes what the cap allows.

    Kernels that hand registers from warp to warp (`setmaxnreg`) stay silent for NVIDIA.

    A second argument in the wrong unit is RP103's, a first argument larger than the blocks that are launched RP102's.

    ## Why it costs
    The compiler must keep the promise of the second argument (HIP: waves per SIMD; CUDA: blocks per multiprocessor)
    whatever the price. Spilled registers are written to and read from scratch memory, mostly inside the loop that made
    the pressure. `__launch_bounds__(1024, 2)` on a kernel that wants 106 registers left it 32: on an H200 it ran for
    14.4 ms instead of 0.22 ms with `(256)`, though occupancy was four times as high.

    ## Targets
    24 and 40 doubles live through a loop, clang 19.1.7 and nvcc 13.0.88:

    | bound | gfx90a: VGPRs, scratch | sm_90: registers, spill stores |
    |---|---|---|
    | `(256)` | 124 / 194 | 64 / 104 |
    | `(256, 4)` | 116 / 128 + 268 B | 64 / 64 + 768 B |
    | `(256, 8)` | 64 + 188 B / 64 + 436 B | 32 + 800 B / 32 + 2,072 B |
    | `(1024, 2)` | 116 / 128 + 268 B | 32 + 800 B / 32 + 2,072 B |
    | `(256, 1)` | 124 / 194 | 96 / 154: 16 and 8 warps in place of 32 and 16 |

    The cap is floor(512 / waves) rounded down to 8 on gfx90a, floor(65,536 / (T * B)) rounded down to 8 and at most
    255 on NVIDIA. A request for more waves or blocks than there are is dropped by both compilers, and is no reason to
    spill.

    ## Measured
    Our own pairs in `testdata/evidence/RP104`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | crowded | sm_90 | 154 -> 104 | 0 | 0 | 8 -> 16 | 0.138 -> 0.0921 (1.50 x) |
    | dropped | gfx1100 | 93 | 0 | 0 | 16 | |
    | dropped | gfx90a | 72 | 0 | 0 | 7 | |
    | dropped | sm_90 | 80 | 0 | 0 | 24 | 0.0878 -> 0.085 (1.03 x) |
    | few | gfx1100 | 36 | 0 | 0 | 16 | |
    | few | gfx90a | 38 | 0 | 0 | 8 | |
    | few | sm_90 | 32 | 0 | 0 | 64 | 0.0279 -> 0.0274 (1.02 x) |
    | loosened | sm_90 | 96 -> 64 | 0 | 0 | 16 -> 32 | 0.0516 -> 0.0412 (1.25 x) |
    | many | gfx1100 | 117 | 0 | 0 | 12 | |
    | many | gfx90a | 64 -> 104 | 364 -> 0 | 189 -> 0 | 8 -> 4 | |
    | many | sm_90 | 32 -> 128 | 360 -> 0 | 716 -> 0 | 64 -> 16 | 0.98 -> 0.0916 (10.70 x) |
    | met | gfx1100 | 93 | 0 | 0 | 16 | |
    | met | gfx90a | 60 | 0 | 0 | 8 | |
    | met | sm_90 | 80 -> 64 | 0 | 0 | 24 -> 32 | 0.0485 -> 0.0404 (1.20 x) |
    | small | sm_90 | 64 -> 48 | 0 | 0 | 32 -> 40 | 0.0328 -> 0.0339 (0.97 x) |
    | tiny | sm_90 | 64 -> 32 | 0 | 0 | 32 -> 64 | 0.0208 -> 0.0219 (0.95 x) |
    | two | gfx1100 | 93 | 0 | 0 | 16 | |
    | two | gfx90a | 72 | 0 | 0 | 7 | |
    | two | sm_90 | 32 -> 80 | 232 -> 0 | 428 -> 0 | 64 -> 24 | 0.505 -> 0.0857 (5.90 x) |

    `python benchmarks/measure_evidence.py RP104` makes this table.

    ## Example
    ```cuda
    __global__ void __launch_bounds__(256, 8) reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[24];
    #pragma unroll
      for (int k = 0; k < 24; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 24; ++k) b[k * n + i] = s[k] * s[23 - k];
    }
    ```

    ## Use instead
    ```cuda
    __global__ void __launch_bounds__(256) reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[24];
    #pragma unroll
      for (int k = 0; k < 24; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 24; ++k) b[k * n + i] = s[k] * s[23 - k];
    }
    ```

    ## When to ignore
    Where a compiler's report says that the kernel does not spill: the estimate is made from source, and people who
    write bounds mostly look. Kernels of HeCBench to which we added bounds of 32 to 128 registers spilled in 52 of 55
    cases where the estimate was 1.5 times the cap, in 27 of 31 below that down to a tenth (a quarter) above it; with
    bounds that were there already it is less often. Spills outside of loops may be worth the waves that they buy. More
    registers under `(T, 1)` are not slower as such: `tiny` and `small` above run as fast with them, `loosened` and
    `met` do not. Try both and keep the faster one.

    ## Fix safety
    Unsafe: the fix deletes the second argument. The results are the same; occupancy changes, for the better or worse.
    There is no fix where a macro wrote the bounds.

    ## Sources
    evidence/efficacy.md sections 2b, 14 and 18, evidence/timing/README.md (own measurements); CUDA C++ Programming
    Guide, "Launch Bounds".
    """

    code = "RP104"
    name = "launch-bounds-forces-spill"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the bounds."""
        bounds = facts.kernel.launch_bounds
        if bounds is None or bounds.dims or bounds.required or facts.kernel.language == "sycl":
            return
        found: dict[str, _Effect] = {}
        for name in targets_of(facts, "amd", "nvidia"):
            effects = [_effect(own, name, arguments) for own, arguments in settled(facts)]
            worst = max((each for each in effects if each is not None), key=lambda e: e.severity, default=None)
            if worst is not None:
                found[name] = worst
        if not found:
            return
        severities = {name: effect.severity for name, effect in found.items()}
        first = max(severities, key=lambda name: severities[name])
        effect = found[first]
        where = place(facts, bounds.span, facts.kernel.path, "the launch bounds")
        target = effect.facts.target(first)
        message, help_ = (_looser_words if effect.looser else _spill_words)(effect, target)
        fix = _fix(facts) if where.here and _second_binds(effect, target) else None
        yield Finding(where.span, message, severities, help_, where.notes, fix, facts.kernel.name)


def _effect(facts: KernelFacts, name: str, arguments: str) -> _Effect | None:
    """What the bounds of these facts do on a target, unless another rule says it."""
    own, bounds = facts.target(name), facts.kernel.launch_bounds
    assert bounds is not None
    arch, cap = own.architecture, own.budget
    if bounds.max_threads is None or bounds.max_threads > arch.max_threads_per_group:
        return None
    if arch.vendor == "nvidia" and _moves_registers(facts):
        return None
    severity = _spills(facts, own) if cap < register_cap(arch, 1) else Severity.HINT
    if severity == Severity.HINT:
        return _Effect(Severity.INFO, facts, arguments, looser=True) if _is_looser(own, bounds) else None
    if _said_elsewhere(facts, name):
        return None
    if register_cap(arch, bounds.max_threads) == cap and own.registers.low <= cap:
        severity = Severity.INFO  # smaller blocks are another program: only for a spill that the whole band says
    return _Effect(severity, facts, arguments)


def _spills(facts: KernelFacts, own: TargetFacts) -> Severity:
    """Bounds are mostly written by people who saw that the kernel fits: more must speak against them than elsewhere."""
    severity, estimate = spill_severity(facts, own, own.budget), own.registers.estimate
    if estimate <= SURELY[own.architecture.vendor] * own.budget:
        return Severity.HINT
    return severity if estimate > _FAR * own.budget else min(severity, Severity.INFO)


def _moves_registers(facts: KernelFacts) -> bool:
    """True for a kernel whose warps hand registers to one another (`setmaxnreg`, sm_90): it has no one cap."""
    span, path = facts.kernel.function.body.span, facts.kernel.path
    if path == facts.file.path and b"setmaxnreg" in facts.file.source.data[span.start : span.end]:
        return True
    return any(_HANDS_OVER.search(_called(site.call)) for site in facts.calls)


def _called(call: Call) -> str:
    return call.callee.name if isinstance(call.callee, Name) else ""


def _said_elsewhere(facts: KernelFacts, name: str) -> bool:
    other = misread(facts, name)
    if other is not None and other.severity > Severity.HINT:
        return True
    own, bounds, block = facts.target(name), facts.kernel.launch_bounds, oversized(facts)
    return block is not None and bounds is not None and (
        register_cap(own.architecture, block, bounds.min_blocks) > own.budget
    )  # fmt: skip


def _is_looser(own: TargetFacts, bounds: LaunchBounds) -> bool:
    """True if a second argument lets nvcc take so many more registers that waves are lost."""
    threads, blocks = bounds.max_threads or 0, bounds.min_blocks
    if own.architecture.vendor != "nvidia" or not blocks:
        return False
    if threads * blocks >= _THREADS_OF_A_FULL_SM:
        return False
    estimate = own.registers.estimate
    if not _LEAST <= estimate < _MOST:
        return False
    then = occupancy(own.architecture, own.use(round(estimate * _LOOSER)))
    return then.waves < own.occupancy.waves and then.waves <= _FEW * then.max_waves


# ------------------------------------------------------------------------------------------------------------- words


def _spill_words(effect: _Effect, target: TargetFacts) -> tuple[str, str]:
    arch, registers, bounds = target.architecture, target.registers, effect.facts.kernel.launch_bounds
    assert bounds is not None
    sure = effect.severity == Severity.WARNING
    message = (
        f"{_subject(effect)} caps it at {target.budget} registers on {arch.name}, "
        f"the estimate is {registers.estimate} ({registers.low} to {registers.high}): "
        f"{'the rest spills' if sure else 'it may spill'}"
    )
    if not _second_binds(effect, target):
        smaller = register_cap(arch, max((bounds.max_threads or 2) // 2, 1), bounds.min_blocks)
        return message, f"launch smaller blocks: with half as many threads the cap is {smaller}"
    free = register_cap(arch, bounds.max_threads)
    now = target.occupancy
    wanted = target.use(1)._replace(vgprs=min(registers.estimate, free))
    then = occupancy(arch, wanted)
    help_ = f"drop the second argument: the cap becomes {free}"
    fitting = _fitting(target, bounds)
    if fitting is not None:
        help_ += f", or ask for {fitting}: {register_cap(arch, bounds.max_threads, fitting)}"
    return message, f"{help_}; {waves(now)} per SIMD become {waves(then)} at the estimate"


def _subject(effect: _Effect) -> str:
    kernel = effect.facts.kernel
    bounds = kernel.launch_bounds
    assert bounds is not None
    values = (bounds.max_threads, *(() if bounds.min_blocks is None else (bounds.min_blocks,)))
    plain = all(text.isdigit() for text in bounds.texts)
    numbers = "" if plain else f" ({', '.join(map(str, values))})"
    name = f"{kernel.name}<{effect.arguments}>" if effect.arguments else kernel.name
    return f"{shown(bounds)}{numbers} of `{name}`"


def _second_binds(effect: _Effect, target: TargetFacts) -> bool:
    bounds = effect.facts.kernel.launch_bounds
    if bounds is None or bounds.min_blocks is None:
        return False
    return effect.looser or register_cap(target.architecture, bounds.max_threads) > target.budget


def _fitting(target: TargetFacts, bounds: LaunchBounds) -> int | None:
    """The largest second argument whose cap is not below the estimate, if that is 2 or more."""
    wanted = range((bounds.min_blocks or 2) - 1, 1, -1)
    caps = ((b, register_cap(target.architecture, bounds.max_threads, b)) for b in wanted)
    return next((b for b, cap in caps if cap >= target.registers.estimate), None)


def _looser_words(effect: _Effect, target: TargetFacts) -> tuple[str, str]:
    arch, registers, bounds = target.architecture, target.registers, effect.facts.kernel.launch_bounds
    assert bounds is not None
    message = (
        f"{_subject(effect)} lets nvcc take up to {target.budget} registers on {arch.name}, where it would stay near "
        f"the estimate of {registers.estimate} ({registers.low} to {registers.high}) for the sake of occupancy"
    )
    then = occupancy(arch, target.use(round(registers.estimate * _LOOSER)))
    return message, (
        f"drop the second argument and compare the times: {waves(target.occupancy)} per scheduler at the estimate, "
        f"{waves(then)} at {_LOOSER} times as many registers"
    )


def _fix(facts: KernelFacts) -> Fix | None:
    spans = argument_spans(facts)
    if spans is None or len(spans) != 2:
        return None
    return Fix("drop the second argument", "unsafe", (Edit(Span(spans[0].end, spans[1].end), ""),))
