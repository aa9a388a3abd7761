"""Unused words of a vector that is read as a whole: whether they take registers as long as the others live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of, trace_of

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

KERNEL = """__global__ void __launch_bounds__(256) k(float* out, const float4* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me[16];
  float s[16];
  for (int k = 0; k < 16; ++k) { me[k] = in[i * 16 + k]; s[k] = 0; }
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < 16; ++k) s[k] = STEP;
  for (int k = 0; k < 16; ++k) out[i * 16 + k] = s[k];
}
"""


def _words(used: str, language: Language, target: str) -> float:
    """Registers per vector, compared with the kernel that reads its first word alone."""
    held = []
    for names in (used, "x"):
        step = "s[k]"
        for position, name in enumerate(names):
            step = f"({step} {'*+'[position % 2]} me[k].{name})"
        held.append(trace_of(facts_of(KERNEL.replace("STEP", step), language), target).held.vector)
    return 1 + (held[0] - held[1]) / 16


@pytest.mark.parametrize(
    ("used", "words"), [("xy", 2), ("xw", 2), ("zw", 2), ("xyz", 4), ("xyw", 4), ("yzw", 4), ("xyzw", 4)]
)
def test_three_used_words_of_four_take_four_on_nvidia(used: str, words: int) -> None:
    """nvcc 13.0 for sm_90: 38 registers with one word, 54 with any two, 86 with any three."""
    assert _words(used, "cuda", "sm_90") == pytest.approx(words, abs=0.1)


@pytest.mark.parametrize(
    ("used", "words"), [("xy", 2), ("xyz", 3), ("xw", 4), ("yz", 4), ("zw", 4), ("yzw", 4), ("xyzw", 4)]
)
def test_clang_for_amd_reads_the_first_words_of_a_vector(used: str, words: int) -> None:
    """clang 19.1.7 for gfx90a: 54, 74, 84, 84, 82, 82 and 82 registers."""
    assert _words(used, "hip", "gfx90a") == pytest.approx(words, abs=0.1)
