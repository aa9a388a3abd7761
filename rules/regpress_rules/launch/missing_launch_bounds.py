"""RP101 missing-launch-bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.targets.occupancy import KernelUse, occupancy, register_cap
from regpress_rules._gates import spare_registers
from regpress_rules._place import place, targets_of
from regpress_rules._rewrite import macro_made
from regpress_rules._words import count, waves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.facts.target import TargetFacts

# Shares of the cap, chosen on real kernels with known numbers. Of those that the first one names 13 of 14 want more
# than the cap; from 0.9 on, where two pairs of ours differ too, it would be 15 of 18.
_NEAR = 0.97
_POSSIBLE = 0.7
_LARGEST_BLOCK = 1024
_SUGGESTED_BLOCK = 256  # what most launches of the corpus use


class MissingLaunchBounds(Rule):
    """A kernel that needs more registers than clang gives one without launch bounds.

    ## What it does
    Reports HIP kernels without `__launch_bounds__` whose register estimate comes near the limit that clang sets for
    1,024 threads per block, or goes beyond it, if the blocks that are launched are small enough to have more. It is
    a warning when the estimate is at least 0.97 of the limit, information when it is at least 0.7 of the limit and its
    band reaches it, and a hint otherwise.

    ## Why it costs
    Without a bound clang must assume that a block has 1,024 threads. That many waves fit on a compute unit only if a
    thread takes at most 128 VGPRs on gfx90a (192 on gfx1100). Whatever the kernel needs beyond that is spilled to
    scratch memory, although blocks of 256 threads could have four times as many registers.

    ## Targets
    N doubles live through a loop (2 N registers), VGPRs and scratch bytes, clang 19.1.7 and nvcc 13.0.88:

    | N | gfx90a, no bound | gfx90a, (256) | gfx1100, no bound | gfx1100, (256) | sm_90, no bound |
    |---|---|---|---|---|---|
    | 8 | 38 | 38 | 36 | 36 | 38 |
    | 24 | 116 | 124 | 102 | 102 | 64 |
    | 32 | 128 + 108 B, 26 spills | 154, no spill | 134 | 134 | 80 |
    | 48 | 128 + 380 B, 94 spills | 234, no spill | 192 + 28 B | 198 | 128 |
    | 64 | 128 + 572 B, 162 spills | 256 + 58 AGPRs, no spill | 192 + 252 B | 256 + 28 B | 154 |

    On 1,271 real HIP kernels a bound of 256 removed or reduced the spills of 31 and added scratch to none; of the
    931 kernels with at most 32 VGPRs it changed 7. "Always write launch bounds" is therefore no advice. NVIDIA's
    compiler assumes no block size and needs no bound: the rule is about AMD targets only.

    ## Measured
    Our own pairs in `testdata/evidence/RP101`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | few | gfx1100 | 36 | 0 | 0 | 16 | |
    | few | gfx90a | 38 | 0 | 0 | 8 | |
    | few | sm_90 | 32 | 0 | 0 | 64 | 0.0275 -> 0.0277 (0.99 x) |
    | many | gfx1100 | 117 | 0 | 0 | 12 | |
    | many | gfx90a | 124 -> 104 | 0 | 0 | 4 | |
    | many | sm_90 | 128 | 0 | 0 | 16 | 0.0896 -> 0.0898 (1.00 x) |
    | more | gfx1100 | 166 | 0 | 0 | 8 | |
    | more | gfx90a | 128 -> 152 | 236 -> 0 | 121 -> 0 | 4 -> 3 | |
    | more | sm_90 | 168 | 0 | 0 | 8 | 0.214 -> 0.214 (1.00 x) |
    | most | gfx1100 | 192 -> 214 | 140 -> 0 | 72 -> 0 | 8 -> 6 | |
    | most | gfx90a | 128 -> 252 | 644 -> 0 | 367 -> 0 | 4 -> 2 | |
    | most | sm_90 | 254 | 0 | 0 | 8 | 0.255 -> 0.256 (1.00 x) |
    | near | gfx1100 | 119 | 0 | 0 | 12 | |
    | near | gfx90a | 120 | 0 | 0 | 4 | |
    | near | sm_90 | 128 | 0 | 0 | 16 | 0.108 -> 0.107 (1.00 x) |
    | some | gfx1100 | 93 | 0 | 0 | 16 | |
    | some | gfx90a | 60 | 0 | 0 | 8 | |
    | some | sm_90 | 64 | 0 | 0 | 32 | 0.0416 -> 0.041 (1.02 x) |

    `python benchmarks/measure_evidence.py RP101` makes this table.

    ## Example
    ```hip
    __global__ void reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[60];
    #pragma unroll
      for (int k = 0; k < 60; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 60; ++k) b[k * n + i] = s[k] * s[59 - k];
    }
    void run(const double* a, double* b, int n) { reverse<<<n / 256, 256>>>(a, b, n); }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[60];
    #pragma unroll
      for (int k = 0; k < 60; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 60; ++k) b[k * n + i] = s[k] * s[59 - k];
    }
    void run(const double* a, double* b, int n) { reverse<<<n / 256, 256>>>(a, b, n); }
    ```

    ## When to ignore
    The bound is a trade: the spill goes, and so do waves (128 VGPRs leave 4 waves per SIMD on gfx90a, 256 leave 2).
    Ignore it for kernels that do run with 1,024 threads, and where the project sets `--gpu-max-threads-per-block`.
    The estimate is made from source. Of the kernels of HeCBench whose registers are known the warning names 14: 13 want
    more than the 128 registers if they may have them, 9 spill. Information names 15 more, of which 8 spill. (The
    estimate was fitted on the same kernels.) Between 0.9 and 0.97 of the limit it is a toss: of four real kernels there
    two spill and two need less than 100 registers, and the pair `near`, estimated at 119, takes 120 and gains nothing.
    The compiler's `-Rpass-analysis=kernel-resource-usage` says for sure whether yours spills.

    ## Fix safety
    Unsafe, and offered only if every launch in view has the same constant block size: a launch from elsewhere with
    more threads than the bound fails at run time.

    ## Sources
    evidence/efficacy.md section 2a (own measurements); AMD lab notes "Register pressure in AMD CDNA2 GPUs".
    """

    code = "RP101"
    name = "missing-launch-bounds"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the kernel's name."""
        kernel = facts.kernel
        if kernel.launch_bounds is not None or kernel.language == "sycl" or facts.block_size == 1:
            return
        block = facts.block_size if facts.block_size_from == "launch" else None
        severities: dict[str, Severity] = {}
        for target in targets_of(facts, "amd"):
            own = facts.target(target)
            if not own.crowded and not facts.wants_hints:
                continue  # below 90 registers it is a hint at most
            if _gain(own, block):
                severities[target] = _severity(own)
        if not severities:
            return
        worst = max(severities, key=lambda target: severities[target])
        where = place(facts, kernel.name_span, kernel.path, "the kernel")
        message = _message(kernel.name, facts.target(worst), block)
        fix = _fix(facts) if where.here else None
        help_ = _help(facts, facts.target(worst), block)
        yield Finding(where.span, message, severities, help_, where.notes, fix, kernel.name)


def _gain(target: TargetFacts, block: int | None) -> bool:
    """True if a bound of the launched size lets clang use more registers than no bound does."""
    if block is not None and block > _LARGEST_BLOCK:
        return False
    return register_cap(target.architecture, block or _SUGGESTED_BLOCK) > register_cap(target.architecture)


def _severity(target: TargetFacts) -> Severity:
    cap, registers = register_cap(target.architecture), target.registers
    if registers.estimate >= _NEAR * cap:
        return Severity.WARNING
    possible = registers.estimate >= _POSSIBLE * cap and registers.high >= cap
    return Severity.INFO if possible else Severity.HINT


def _message(name: str, target: TargetFacts, block: int | None) -> str:
    arch, registers = target.architecture, target.registers
    cap = register_cap(arch)
    text = (
        f"`{name}` has no `__launch_bounds__`: clang assumes 1,024 threads and caps it at {cap} VGPRs on {arch.name}, "
        f"the estimate is {registers.estimate} ({registers.low} to {registers.high})"
    )
    if block is None:
        return text
    return f"{text}; launched with {count(block, 'thread')} it may have {register_cap(arch, block)}"


def _help(facts: KernelFacts, target: TargetFacts, block: int | None) -> str:
    arch, lds = target.architecture, facts.lds_at_least
    size = block or _SUGGESTED_BLOCK
    cap, wider = register_cap(arch), register_cap(arch, size)
    now = occupancy(arch, KernelUse(vgprs=cap, block_size=size, lds_bytes=lds))
    needed = min(max(target.registers.estimate, cap + 1), wider)
    then = occupancy(arch, KernelUse(vgprs=needed, block_size=size, lds_bytes=lds))
    bound = f"`__launch_bounds__({block})`" if block is not None else "`__launch_bounds__` with the block size"
    spare = spare_registers(facts, arch.name)
    if spare is not None and now.waves == then.waves:
        free = spare.note(target, wider)
        return f"declare {bound}: if the kernel spills, that ends or shrinks the spills, and costs no wave ({free})"
    return (
        f"declare {bound}: if the kernel spills, that ends or shrinks the spills; where it then takes more than {cap} "
        f"VGPRs, {waves(now)} per SIMD become {waves(then)}"
    )


def _fix(facts: KernelFacts) -> Fix | None:
    kernel = facts.kernel
    sizes: Mapping[int | None, None] = dict.fromkeys(launch.block_size for launch in kernel.launches)
    size = next(iter(sizes)) if len(sizes) == 1 else None
    if size is None or size > _LARGEST_BLOCK or macro_made(facts.file, kernel):
        return None
    at = kernel.name_span.start
    bound = f"__launch_bounds__({size})"
    return Fix(f"add {bound}, the size of every launch in view", "unsafe", (Edit(Span(at, at), f"{bound} "),))
