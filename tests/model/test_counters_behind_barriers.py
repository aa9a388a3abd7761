"""A stack with its counter in one struct, as clang 19.1.7 for gfx90a sees it behind a barrier: a fence may write to
what is in memory still, so that the counter is no constant there, and the array stays in memory.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

STACK = """struct Stack {
  float items[8];
  int size;
  __device__ void push(float x) { items[size++] = x; }
  __device__ float pop() { return items[--size]; }
};
__device__ void put(Stack& s, float x) { s.items[s.size++] = x; }
__device__ float get(Stack& s) { return s.items[--s.size]; }
__global__ void k(float* o, const float* x, int n) {
  Stack s;
  s.size = 0;
  BODY
}
"""


def scratch(body: str, target: str = "gfx90a") -> int:
    return facts_of(STACK.replace("BODY", body)).target(target).registers.scratch_bytes


@pytest.mark.parametrize(
    "body",
    [
        "s.push(x[0]); s.push(x[1]); __syncthreads(); o[threadIdx.x] = s.pop() + s.pop();",
        "put(s, x[0]); put(s, x[n]); __threadfence(); o[threadIdx.x] = get(s);",
        "for (int k = 0; k < n; ++k) { s.size = 0; s.push(x[k]); s.push(x[n]); __syncthreads(); o[k] = s.pop(); }",
        "for (int k = 0; k < 8; ++k) s.push(x[k]); __syncthreads(); for (int k = 0; k < 8; ++k) o[k] = s.pop();",
        "s.size = 2; for (int k = 0; k < 8; ++k) s.items[k] = x[k]; __syncthreads(); o[n] = s.items[s.size];",
        "for (int k = 0; k < 4; ++k) s.push(x[k]); __syncthreads(); for (int k = 0; k < s.size; ++k) *o += s.items[k];",
    ],
)
def test_counters_are_unknown_behind_a_barrier(body: str) -> None:
    assert scratch(body) == 40
    assert scratch(body, "sm_90") == 0


@pytest.mark.parametrize(
    "body",
    [
        "s.push(x[0]); s.push(x[1]); o[threadIdx.x] = s.pop() + s.pop();",
        "s.push(x[0]); s.push(x[1]); atomicAdd(o, 1.0f); o[threadIdx.x] = s.pop() + s.pop();",
        "s.push(x[0]); s.push(x[1]); __syncthreads(); o[threadIdx.x] = s.items[0] + s.items[1];",
        "s.items[s.size++] = x[0]; s.items[s.size++] = x[1]; __syncthreads(); o[n] = s.items[--s.size];",
        "s.size = 3; s.items[3] = x[0]; s.items[1] = x[2]; __syncthreads(); o[0] = s.items[3]; o[1] = s.size;",
    ],
)
def test_counters_are_constants_where_no_barrier_hides_them(body: str) -> None:
    """The last two are seen as well: one is written just in front of the barrier, and nothing is indexed by another."""
    assert scratch(body) == 0
