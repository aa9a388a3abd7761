"""A loop that adds products to a tile of sums reads both factors in front of the first product."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, trace_of

TILE = """__global__ void {bounds} k({type}* o, const {type}* a, const {type}* b, int n) {{
  int t = threadIdx.x;
  {type} c[{rows}][{columns}] = {{}};
  for (int k = 0; k < n; ++k) {{
    {type} x[{rows}], y[{columns}];
    for (int i = 0; i < {rows}; ++i) x[i] = a[{place}(k * 32 + t) * {rows} + i];
    for (int j = 0; j < {columns}; ++j) y[j] = b[(k * 16 + t) * {columns} + j];
    for (int i = 0; i < {rows}; ++i)
      for (int j = 0; j < {columns}; ++j) c[i][j] += x[i] * y[j];
  }}
  for (int i = 0; i < {rows}; ++i)
    for (int j = 0; j < {columns}; ++j) o[t * {elements} + i * {columns} + j] = c[i][j];
}}
"""


def tile(kind: str, rows: int, columns: int, *, bounds: str = "", place: str = "") -> str:
    return TILE.format(type=kind, rows=rows, columns=columns, elements=rows * columns, bounds=bounds, place=place)


def begun(text: str) -> int:
    loops = trace_of(facts_of(text, "hip"), "gfx90a").loops
    assert loops is not None
    return loops.begun


@pytest.mark.parametrize(
    ("kind", "rows", "columns", "nvcc", "clang"),
    [("float", 4, 8, 56, 54), ("float", 6, 6, 56, 58), ("float", 8, 8, 96, 92), ("double", 4, 6, 80, 80)],
)
def test_all_factors_are_held_beside_the_sums(kind: str, rows: int, columns: int, nvcc: int, clang: int) -> None:
    """Registers of nvcc 13.0.88, and of clang 19.1.7 with room for 256 threads per block."""
    text = tile(kind, rows, columns)
    assert facts_of(text).target("sm_90").registers.estimate == pytest.approx(nvcc, rel=0.1)
    assert facts_of(text, "hip").target("gfx90a").registers.estimate == pytest.approx(clang, rel=0.1)


def test_clang_works_out_the_addresses_before_it_reads() -> None:
    """Each `unsigned` index may wrap, so that each read has an address of its own: 118 and 78 VGPRs of clang 19.1.7."""
    text = tile("float", 10, 8, place="0u + ").replace("int t =", "unsigned t =")
    apart, together = (begun(one) for one in (text, tile("float", 10, 8)))
    assert apart > together + 8


def test_factors_wait_where_they_have_no_room() -> None:
    """With 64 registers for each of 1,024 threads nvcc 13.0.88 spills nothing; with all factors first it would."""
    text = tile("float", 6, 8, bounds="__launch_bounds__(1024)")
    assert facts_of(text).target("sm_90").registers.scratch_bytes == 0


def test_reads_for_one_sum_each_are_not_held() -> None:
    text = tile("float", 8, 8)
    single = text.replace("c[i][j] += x[i] * y[j]", "c[i][j] += i == j ? x[i] * y[j] : 0.0f")
    assert begun(single) < begun(text) - 16


# A product of tiles that loops from a thread's place fill, in a loop over k.
PRODUCT = """__global__ void k(float* C, const float* __restrict__ A, const float* __restrict__ B, int n) {
  __shared__ float a[16][64], b[16][64]; float acc[4][4] = {}; int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  for (int k0 = 0; k0 < n; k0 += 16) {
    for (int i = threadIdx.x; i < 1024; i += STEP) {
      a[i / 64][i % 64] = A[(blockIdx.y * 64 + i % 64) * n + k0 + i / 64];
      b[i / 64][i % 64] = B[(k0 + i / 64) * n + blockIdx.x * 64 + i % 64]; }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float ra[4], rb[4]; for (int i = 0; i < 4; ++i) { ra[i] = a[k][ty * 4 + i]; rb[i] = b[k][tx * 4 + i]; }
      for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) acc[i][j] += ra[i] * rb[j]; }
    __syncthreads(); }
  for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j)
    C[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = acc[i][j]; }
"""


@pytest.mark.parametrize(("step", "registers"), [("256", 66), ("blockDim.x", 48)])  # nvcc 13.0.88
def test_left_over_iterations_of_a_filling_loop_are_held_around_it(step: str, registers: int) -> None:
    found = facts_of(PRODUCT.replace("STEP", step), "cuda").target("sm_90").registers
    assert found.low <= registers <= found.high


# What the function is given is another length and place in each iteration, or the same.
FILLED = """__device__ inline void fill(const float* in, float* out, int len, int first, int tid) {
  for (int i = tid + first; i < len; i += 256) out[i] = in[i]; }
__global__ void k(const float* in, float* out, const int* sizes, int len, int first, int n) {
  __shared__ float tile[4096];
  for (int c = 0; c < n; ++c) {
    fill(in + c * 4096, tile, LEN, FIRST, threadIdx.x); __syncthreads();
    out[c * 256 + threadIdx.x] = tile[threadIdx.x] + tile[4095 - threadIdx.x]; __syncthreads(); } }
"""


def test_nothing_is_held_of_a_filling_loop_whose_ends_change_outside_of_its_function() -> None:
    def held(length: str, first: str) -> int:
        text = FILLED.replace("LEN", length).replace("FIRST", first)
        return facts_of(text, "cuda").peak("sm_90").registers

    fixed = held("len", "first")
    assert held("sizes[c]", "sizes[c + n]") <= fixed - 6
    assert held("len", "c * 64") <= fixed - 6
