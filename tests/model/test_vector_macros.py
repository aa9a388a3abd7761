"""Vector types whose attribute is behind a macro, in front of the name and behind it."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

_WORDS = """#define LANES(n) __attribute__((__ext_vector_type__(n)))
#define BYTES(n) __attribute__((vector_size(n)))
#define QUAD LANES(4)
"""


@pytest.mark.parametrize(
    "definition",
    [
        "typedef float quad __attribute__((ext_vector_type(4)));",
        "typedef float LANES(4) quad;",
        "typedef float quad LANES(4);",
        "typedef float quad QUAD;",
        "typedef float quad BYTES(16);",
        "typedef float quad BYTES(4 * sizeof(float));",
        "using quad = LANES(4) float;",
        "using quad = float LANES(4);",
    ],
)
def test_accumulators_of_such_a_type_are_held_whole(definition: str) -> None:
    """clang 19.1.7 takes 104 vector registers on gfx90a in each spelling; a float in place of four takes 34."""
    text = f"""#include <hip/hip_runtime.h>
{_WORDS}{definition}
__global__ void __launch_bounds__(256) k(const quad* __restrict__ a, quad* __restrict__ c, int n) {{
  quad acc[24] = {{}};
  for (int k = 0; k < n; ++k) {{
    quad x = a[k * 256 + threadIdx.x];
#pragma unroll
    for (int i = 0; i < 24; ++i) acc[i] += x * (float)(i + 2);
  }}
#pragma unroll
  for (int i = 0; i < 24; ++i) c[i * 256 + threadIdx.x] = acc[i];
}}
"""
    file = testing.build(text, "k.hip", "hip")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",)))
    assert 96 <= facts.target("gfx90a").registers.estimate <= 120


def test_a_kernel_that_does_nothing_takes_no_vector_register() -> None:
    """clang 19.1.7 gives it none on gfx90a, nvcc 13.0.88 four on sm_90."""
    file = testing.build("__global__ void k(float*) {}\n", "k.hip", "hip")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a", "sm_90")))
    assert facts.target("gfx90a").registers.low == facts.target("gfx90a").registers.estimate == 0
    assert facts.target("sm_90").registers.low >= 4
