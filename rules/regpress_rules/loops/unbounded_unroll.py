"""RP501 unbounded-unroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule
from regpress_rules.loops._unroll import findings

if TYPE_CHECKING:
    from collections.abc import Iterator


class UnboundedUnroll(Rule):
    """`#pragma unroll` without a useful bound, where it was measured to cost registers.

    ## What it does
    Reports a loop with `#pragma unroll` without a factor in three cases (RP502 is about factors that are too large):

    a. the trip count is no compile-time constant and the body loads from memory (AMD);
    b. at least 8 iterations of a body that calls FP64 transcendental functions, `printf` or `assert` (AMD);
    c. nested unrolled loops make at least 256 copies of a body with two or more loads from memory, each of them of
       something else in every copy (AMD, information).

    (c) is a hint on NVIDIA, where a copy has one load, and on every target where loads of the inner loop do not depend
    on the outer counter: the copies share those, and the registers buy time.

    Where LDS or the block size limits the waves and the copies by the measured growth still fit below the registers
    that are free then, it is a hint.

    Loops whose counter indexes a private array are never reported: unrolling is what keeps the array in registers.
    Nor are unrolled loops in general, because deleting every `#pragma unroll` of 98 real kernels changed 11 of them:
    3 took fewer registers, 3 more, and 2 of those 11 got scratch.

    ## Why it costs
    (a) clang unrolls by 8 and issues the 8 loads early, each with its own register and address. (b) Every copy of an
    inlined FP64 routine brings its temporaries, and the copies overlap. (c) The scheduler lifts the loads of hundreds
    of copies and keeps their results or addresses.

    ## Targets
    VGPRs on gfx90a (clang 19.1.7) or registers on sm_90 (nvcc 13.0.88) without pragma / with `#pragma unroll`:

    | case | gfx90a | sm_90 |
    |---|---|---|
    | a, loads of floats | 12 / 46 | 32 / 30 |
    | a, loads of doubles | 16 / 64 | |
    | a, stores that may alias the loads, no restrict | 27 / 27 | 23 |
    | b, exp and sin, 8 trips | 66 / 92 | 36 / 32 |
    | b, 16 trips | 128 + 152 B scratch | |
    | b, 32 trips | 128 + 728 B scratch | |
    | c, 16 x 16 doubles with reuse, a dependent chain | 64 / 89 (8 to 5 waves) | 32 / 166 (64 to 8 warps) |
    | c, the same with floats | | 32 / 32 |
    | c, 16 x 16, sums only | | 32 / 32 |

    Case (c) without reuse, registers with the outer loop rolled up and the inner unrolled by 4 / with both unrolled:

    | body | gfx90a | sm_90 |
    |---|---|---|
    | 16 x 16, two strided loads of doubles, a chain | 34 / 66 (8 to 7 waves) | 32 / 32 |
    | 16 x 16, a window of doubles and its weights, a chain | 24 / 70 (8 to 7) | 31 / 30 |
    | 32 x 32, the same, a sum | 18 / 84 (8 to 5) | 31 / 30 |
    | 16 x 16, the same of floats | 10 / 64 | 22 / 32 |
    | 16 x 16, two loads, the second transposed | 48 / 274 (8 to 1) | 32 / 80 (64 to 24 warps) |
    | 32 x 32, the same | 48 / 512 + 3.7 KB scratch | 32 / 255 + 1.1 KB spills |
    | 16 x 16, a window, nothing else | 18 / 64 | 18 / 32 |
    | 16 x 16, one load with two strides | 20 / 14 | 28 / 64 |

    With the inner loop unrolled whole the last one takes 66 VGPRs, and an indirect load 70 and not 12: the factor is
    part of the advice. The linter does not see transposed indices. On NVIDIA the rule gives hints about (c) only, since
    the one nest that was timed was faster unrolled. On Intel unrolling was measured to change the size of the code
    only, so the rule is silent there.

    ## Measured
    Our own pairs in `testdata/evidence/RP501`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | chain | gfx1100 | 133 -> 16 | 0 | 0 | 10 -> 16 | |
    | chain | gfx90a | 128 -> 26 | 20 -> 0 | 6 -> 0 | 4 -> 8 | |
    | chain | sm_90 | 80 -> 32 | 0 | 0 | 24 -> 64 | 0.158 -> 1.54 (0.10 x) |
    | column | gfx1100 | 22 -> 14 | 0 | 0 | 16 | |
    | column | gfx90a | 40 -> 24 | 0 | 0 | 8 | |
    | column | sm_90 | 26 | 0 | 0 | 64 | 0.124 -> 0.124 (1.00 x) |
    | image | gfx1100 | 28 -> 14 | 0 | 0 | 16 | |
    | image | gfx90a | 84 -> 18 | 0 | 0 | 5 -> 8 | |
    | image | sm_90 | 30 -> 31 | 0 | 0 | 64 | 0.671 -> 0.664 (1.01 x) |
    | tile | gfx1100 | 33 | 0 | 0 | 16 | |
    | tile | gfx90a | 49 | 0 | 0 | 8 | |
    | tile | sm_90 | 32 | 0 | 0 | 64 | 0.0126 -> 0.0123 (1.03 x) |
    | total | gfx1100 | 20 | 0 | 0 | 16 | |
    | total | gfx90a | 26 | 0 | 0 | 8 | |
    | total | sm_90 | 20 | 0 | 0 | 64 | 0.00864 -> 0.00883 (0.98 x) |
    | waves | gfx1100 | 192 -> 64 | 204 -> 0 | 96 -> 0 | 8 -> 16 | |
    | waves | gfx90a | 128 -> 44 | 484 -> 0 | 238 -> 0 | 4 -> 8 | |
    | waves | sm_90 | 32 -> 38 | 40 | 0 | 64 -> 48 | 0.0439 -> 0.046 (0.95 x) |
    | window | gfx1100 | 28 -> 14 | 0 | 0 | 16 | |
    | window | gfx90a | 82 -> 18 | 0 | 0 | 5 -> 8 | |
    | window | sm_90 | 32 -> 18 | 0 | 0 | 64 | 0.375 -> 0.414 (0.91 x) |

    `python benchmarks/measure_evidence.py RP501` makes this table.

    ## Example
    ```hip
    __global__ void __launch_bounds__(256) waves(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s = 0.0;
    #pragma unroll
      for (int k = 0; k < 16; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
      b[i] = s;
    }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) waves(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s = 0.0;
    #pragma unroll 2
      for (int k = 0; k < 16; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
      b[i] = s;
    }
    ```

    ## When to ignore
    More loads in flight hide latency: a kernel with few waves and registers to spare may be faster with the unrolled
    loop.

    In (c) registers are not time. Pair `chain` below takes 80 registers on sm_90 (24 warps) and 32 when it is rolled up
    (64 warps), and then 10 times as long on an H200: 1.56 and not 0.159 ms. Its inner loop loads the same elements in
    every iteration of the outer one; unrolled they stay in registers, rolled up they are loaded 32 times. That is why
    nests with reuse are a hint. Nests without were not timed on AMD: measure both before you change one.

    ## Fix safety
    For (a) the fix writes the factor 4. The result does not depend on the factor, but registers may rise: where clang
    would have made no copies of a large body it then makes four (HeCBench's surfel: 62 VGPRs and not 40). It is offered
    with `--unsafe-fixes`. Cases (b) and (c) have no fix, since the right factor depends on the body.

    ## Sources
    evidence/efficacy.md sections 6 and 18 (own measurements); AMD lab notes "Register pressure in AMD CDNA2 GPUs".
    """

    code = "RP501"
    name = "unbounded-unroll"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per outermost pragma, at its `#`."""
        yield from findings(facts, factored=False)
