"""RP502 excessive-unroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule
from regpress_rules.loops._unroll import findings

if TYPE_CHECKING:
    from collections.abc import Iterator


class ExcessiveUnroll(Rule):
    """`#pragma unroll N` with a factor that makes more copies than registers can feed.

    ## What it does
    Reports a loop whose pragma has a factor of 8 or more (RP501 is about pragmas without one), in three cases:

    a. the trip count is no compile-time constant and the body loads from memory, where so many loads in flight cross
       a step of the occupancy (AMD, information);
    b. at least 8 copies of a body that calls FP64 transcendental functions, `printf` or `assert` (AMD);
    c. nested factors that unroll both loops whole make at least 256 copies of a body with two or more loads, each of
       them of something else in every copy (AMD, information).

    (c) is a hint on NVIDIA, where a copy has one load, and on every target where loads of the inner loop do not depend
    on the outer counter: the copies share those, and the registers buy time.

    Loops whose counter indexes a private array are never reported. A factor that crosses no step is a hint.

    ## Why it costs
    clang takes a factor at its word. The copies' loads are issued together, and each has its result and on gfx9 its
    address in registers until it is used; inlined FP64 routines overlap. Beyond some size the scheduler gives up
    and puts the loads back in order: then the factor costs nothing but code. nvcc limits the loads in flight by itself.

    ## Targets
    VGPRs (waves) on gfx90a and gfx1100 (clang 19.1.7) and registers on sm_90 (nvcc 13.0.88) by factor, a loop of
    unknown length that adds up a column:

    | body | target | none | 4 | 8 | 16 | 32 | 64 |
    |---|---|---|---|---|---|---|---|
    | one float | gfx90a | 8 | 17 | 29 | 52 | 10 | 10 |
    | one double | gfx90a | 8 | 24 | 40 | 66 (7) | 10 | 10 |
    | two doubles | gfx90a | | 44 | | 66 (7) | 118 (4) | |
    | one float | gfx1100 | 5 | 13 | 21 | 37 | 69 | 103 (12) |
    | one double | gfx1100 | 8 | 14 | 22 | 24 | 24 | 25 |
    | two doubles | gfx1100 | | 27 | | 73 | 75 | |
    | any of them | sm_90 | 32 | 18 to 32 | 26 to 32 | 32 | 32 | 32 |

    Nested loops of 32 x 32 with a dependent chain of doubles: factors 4 x 4 take 28 VGPRs on gfx90a and 32 registers
    on sm_90, 16 x 16 66 (7 waves) and 32, 8 x 32 72 (7 waves) and 80 (24 warps), 32 x 32 128 and 20 bytes of scratch
    (4 waves) and 80. There every copy of a row loads what those of the row before did, and the kernel with 4 x 4 is the
    slower one. Without such reuse see RP501, as for (b).

    ## Measured
    Our own pairs in `testdata/evidence/RP502`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | column | gfx1100 | 24 -> 14 | 0 | 0 | 16 | |
    | column | gfx90a | 66 -> 24 | 0 | 0 | 7 -> 8 | |
    | column | sm_90 | 31 -> 26 | 0 | 0 | 64 | 0.126 -> 0.123 (1.02 x) |
    | modest | gfx1100 | 21 -> 13 | 0 | 0 | 16 | |
    | modest | gfx90a | 29 -> 17 | 0 | 0 | 8 | |
    | modest | sm_90 | 26 -> 20 | 0 | 0 | 64 | |
    | product | gfx1100 | 71 -> 27 | 0 | 0 | 16 | |
    | product | gfx90a | 114 -> 46 | 0 | 0 | 4 -> 8 | |
    | product | sm_90 | 32 | 0 | 0 | 64 | 0.128 -> 0.127 (1.01 x) |
    | rows | gfx1100 | 51 -> 22 | 0 | 0 | 16 | |
    | rows | gfx90a | 66 -> 34 | 0 | 0 | 7 -> 8 | |
    | rows | sm_90 | 32 | 0 | 0 | 64 | 2.71 -> 2.63 (1.03 x) |
    | square | gfx1100 | 133 -> 16 | 0 | 0 | 10 -> 16 | |
    | square | gfx90a | 128 -> 26 | 20 -> 0 | 6 -> 0 | 4 -> 8 | |
    | square | sm_90 | 80 -> 32 | 0 | 0 | 24 -> 64 | 0.159 -> 1.47 (0.11 x) |
    | waves | gfx1100 | 144 -> 64 | 0 | 0 | 10 -> 16 | |
    | waves | gfx90a | 128 -> 44 | 48 -> 0 | 19 -> 0 | 4 -> 8 | |
    | waves | sm_90 | 32 -> 38 | 40 | 0 | 64 -> 48 | 0.0848 -> 0.0844 (1.00 x) |

    `python benchmarks/measure_evidence.py RP502` makes this table.

    ## Example
    ```hip
    __global__ void __launch_bounds__(256) waves(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s = 0.0;
    #pragma unroll 16
      for (int k = 0; k < 64; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
      b[i] = s;
    }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) waves(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s = 0.0;
    #pragma unroll 2
      for (int k = 0; k < 64; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
      b[i] = s;
    }
    ```

    ## When to ignore
    More loads in flight hide latency: a kernel with few waves and registers to spare may be faster with the larger
    factor. Measure both. Pair `square` below, a nest with reuse, takes 80 registers on sm_90 and 32 when it is rolled
    up, and then 10 times as long on an H200 (1.56 and not 0.159 ms): what was in registers is loaded again.

    ## Fix safety
    For (a) the fix writes the factor 4. The result does not depend on the factor, but time may go either way, so that
    it is offered with `--unsafe-fixes`. Cases (b) and (c) have no fix, since the right factor depends on the body.

    ## Sources
    evidence/efficacy.md sections 6 and 18 (own measurements); AMD lab notes "Register pressure in AMD CDNA2 GPUs".
    """

    code = "RP502"
    name = "excessive-unroll"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per outermost pragma, at its `#`."""
        yield from findings(facts, factored=True)
