"""Values that ptxas makes again rather than spill another, where a cap leaves a thread too few registers."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

_VALUES = 40
_LOOP = """__global__ void __launch_bounds__({bounds}) k(const int* table, int* out, int n, int m) {{
  __shared__ int tile[1024]; const int t = threadIdx.x; {values}
  for (int c = blockIdx.x; c < n; c += gridDim.x) {{ __syncthreads(); tile[t] = out[c * 512 + t]; __syncthreads();
    int s = c; {uses} out[c * 512 + t] = s; }} }}
"""


def kernel(value: str, bounds: str, count: int = _VALUES) -> str:
    values = "".join(f"const int v{i} = {value.replace('I', str(i + 3))}; " for i in range(count))
    uses = "".join(f"s {'+^'[i % 2]}= tile[(v{i} + c) & 1023]; " for i in range(count))
    return _LOOP.format(bounds=bounds, values=values, uses=uses)


@pytest.mark.parametrize(
    ("value", "spills"),
    [
        ("(t * I + 7) & (250 + I)", False),
        ("(((t * I + 7) & (250 + I)) ^ 5) * 9 + I", False),
        ("(t & I) * m", False),
        ("(t >> 2) % I", True),  # 104 bytes
        ("table[t + I * 33]", True),  # 64 bytes
    ],
)
def test_under_a_cap(value: str, spills: bool) -> None:
    facts = facts_of(kernel(value, "512, 4"), "cuda").target("sm_90")
    assert (facts.registers.estimate > facts.budget) is spills


def test_without_a_cap_they_are_held() -> None:
    """nvcc takes 64 registers."""
    assert facts_of(kernel("(t * I + 7) & (250 + I)", "512"), "cuda").target("sm_90").registers.estimate >= 50


@pytest.mark.parametrize(
    ("value", "count", "held", "spilled"), [("(t * I + 7) & (250 + I)", 60, 54, 48), ("m + t * I", 80, 50, 0)]
)
def test_fifty_values_at_once(value: str, count: int, held: int, spilled: int) -> None:
    loads = "".join(f"const int w{i} = table[t + {i * 33}]; " for i in range(held))
    uses = "".join(f"s {'^+'[i % 2]}= tile[(w{i} * c) & 1023]; " for i in range(held))
    code = (
        kernel(value, "512, 2", count)
        .replace("for (int c", loads + "for (int c")
        .replace("int s = c;", "int s = c; " + uses)
    )
    found = facts_of(code, "cuda").target("sm_90").registers.scratch_bytes
    assert found is not None
    assert abs(found - spilled) <= 24


def test_in_straight_code_they_spill_where_the_rest_does() -> None:
    """nvcc spills 144 bytes, and 80 with immediate offsets."""
    text = """__global__ __launch_bounds__(1024) void k(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x; float v[64], sum = 0;
  _Pragma("unroll") for (int k = 0; k < 64; k++) v[k] = a[k * n + i];
  _Pragma("unroll") for (int k = 0; k < 64; k++) sum += v[k] * v[(k * 7 + 3) % 64] - v[63 - k];
  _Pragma("unroll") for (int k = 0; k < 64; k++) b[k * n + i] = v[k] * sum; }"""
    assert facts_of(text, "cuda").target("sm_90").registers.scratch_bytes >= 64


@pytest.mark.parametrize(("count", "spilled"), [(20, 56), (24, 144), (32, 208)])
def test_addresses_are_not_made_again(count: int, spilled: int) -> None:
    """A loop updates values that go back to them: nvcc spills one or the other."""
    unrolled = f'_Pragma("unroll") for (int q = 0; q < {count}; q++)'
    text = f"""__global__ __launch_bounds__(1024) void k(float* y, const float* c, int n, float h) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x; float s[{count}];
  {unrolled} s[q] = y[q * n + i];
  for (int t = 0; t < n; ++t) {{ float d[{count}];
    {unrolled} d[q] = c[q] * s[(q + 1) % {count}] - s[q] * s[(q + {count} - 1) % {count}];
    {unrolled} s[q] += h * d[q]; }}
  {unrolled} y[q * n + i] = s[q]; }}"""
    assert (facts_of(text, "cuda").target("sm_90").registers.scratch_bytes or 0) >= spilled
