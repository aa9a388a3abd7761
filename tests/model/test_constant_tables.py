"""Tables in device memory: nvcc 13 and clang 19 know the elements of those that are `const`."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

ORDER = "0, 3, 2, 1, 4, 7, 5, 6, 8, 15, 14, 13, 12, 11, 10, 9"
KERNEL = """
HEAD
__global__ void k(float* o, const float* in) {
  float h[16];
  #pragma unroll
  for (int i = 0; i < 16; i++) h[AT] = in[i * 64 + threadIdx.x];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < 16; i++) o[i * 64 + threadIdx.x] = h[i];
}"""
ROWS = "__constant__ const int P[4][4] = {{0, 3, 2, 1}, {4, 7, 5, 6}, {8, 15, 14, 13}, {12, 11, 10, 9}};"
POINTED = """template <int N> __device__ const short* order();
template <> __device__ const short* order<16>() { return P; }"""


def scratch(head: str, at: str) -> int:
    file = testing.build(KERNEL.replace("HEAD", head).replace("AT", at), "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    return facts.target("sm_90").registers.scratch_bytes


@pytest.mark.parametrize(
    ("head", "at"),
    [
        (f"__device__ static const unsigned char P[16] = {{{ORDER}}};", "P[i]"),
        (f"__device__ constexpr int P[] = {{{ORDER}}};", "P[i]"),
        (f"__constant__ const int P[16] = {{{ORDER}}};", "P[i] ^ 1"),
        (ROWS, "P[i / 4][i % 4]"),
        (f"__device__ const int P[4][4] = {{{ORDER}}};", "P[i / 4][i & 3]"),
        (f"__device__ const short P[16] = {{{ORDER}}};\n{POINTED}", "order<16>()[i]"),
        (
            "#define C(x, y) ((x) * 4 + (y))\n__device__ const int P[4] = {C(0, 3), C(2, 1), C(0, 1), C(1, 1)};",
            "P[i % 4] ^ i / 4",
        ),
        ("__device__ const int P[16] = {15, 14, 13};", "i < 3 ? P[i] : P[i] + 15 - i"),
    ],
)
def test_an_index_from_a_constant_table_is_a_constant(head: str, at: str) -> None:
    assert scratch(head, at) == 0


@pytest.mark.parametrize(
    ("head", "at"),
    [
        (f"__device__ int P[16] = {{{ORDER}}};", "P[i]"),  # the host may write it
        (f"__constant__ int P[16] = {{{ORDER}}};", "P[i]"),
        (f"__device__ const int P[16] = {{{ORDER}}};", "P[(i + threadIdx.y) & 15]"),
    ],
)
def test_an_index_from_any_other_table_is_known_when_the_program_runs(head: str, at: str) -> None:
    assert scratch(head, at) == 64
